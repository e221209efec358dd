"""What the tests share: drive messages, a source that the test writes to, and a bridge that runs beside it."""

import asyncio
import contextlib
import inspect
import json
import os
import signal
import socket
import time
from collections.abc import AsyncIterator

import pytest

from cockpit_bridge.adapter import Adapter
from cockpit_bridge.bridge import Bridge
from cockpit_bridge.source import Source

# A shell starts jobs in the background with the first two ignored, nohup with the third, and what is ignored at the start stays ignored:
# the programs that the tests start are to have them as a terminal's own job does.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs tests that are coroutines."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(autouse=True)
def own_runtime_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """An emergency stop that one test has pressed is not that of the next."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))


def line(sequence: int, throttle: float = 0.6, steering: float = -0.25, **fields: object) -> bytes:
    """A drive message of state `driving`, or what `fields` say."""
    message: dict[str, object] = {
        "v": 1, "seq": sequence, "t": round(time.monotonic(), 6),
        "gear": "R" if isinstance(throttle, float) and throttle < 0 else "6", "throttle": throttle, "steering": steering, "brake": False,
        "horn": False, "held": True, "state": "driving", "reason": "none"}
    return json.dumps(message | fields).encode()


def safe(sequence: int, reason: str = "lift") -> bytes:
    return line(sequence, 0, 0, gear="N", brake=True, held=False, state="safe", reason=reason)


def ready(sequence: int, reason: str = "none") -> bytes:
    return line(sequence, 0, 0, gear="N", brake=True, held=False, state="ready", reason=reason)


class Driver:
    """The cockpit's end: sends messages over a socketpair, as a bridge that the cockpit started gets them."""

    def __init__(self) -> None:
        self.mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.source = Source(f"fd:{theirs.detach()}")
        self.sequence = 0
        self.mine.setblocking(False)

    def say(self, throttle: float = 0.6, steering: float = -0.25) -> None:
        self.sequence += 1
        self.mine.send(line(self.sequence, throttle, steering, rate=30) + b"\n")

    def let_go(self, reason: str = "lift") -> None:
        self.sequence += 1
        self.mine.send(safe(self.sequence, reason) + b"\n")

    async def drive(self, seconds: float, throttle: float = 0.6) -> None:
        """30 messages a second."""
        for _ in range(max(int(seconds * 30), 1)):
            self.say(throttle)
            await asyncio.sleep(1 / 30)

    def telemetry(self) -> list[dict[str, object]]:
        """All telemetry messages that have come back."""
        found = []
        with contextlib.suppress(BlockingIOError):
            while data := self.mine.recv(4096):
                found.append(json.loads(data))
        return found

    def end(self) -> None:
        self.mine.close()


@contextlib.asynccontextmanager
async def running(adapter: Adapter, keeps_neutral: bool = False) -> AsyncIterator[Driver]:
    """A bridge to `adapter`; leaving the context ends the driver and waits for the bridge's end."""
    driver = Driver()
    task = asyncio.create_task(Bridge(driver.source, adapter, keeps_neutral).run())
    try:
        yield driver
    finally:
        driver.end()
        await asyncio.wait_for(task, 10)
        os.close(driver.source.fileno())


async def until(condition: object, seconds: float = 5) -> None:
    """Waits until `condition` is true; fails after `seconds`."""
    async with asyncio.timeout(seconds):
        while not condition():  # type: ignore[operator]
            await asyncio.sleep(0.002)

"""The bridge as a process: whatever happens to it, the receiver is told to stop."""

import contextlib
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import line, ready, safe

from cockpit_bridge.cli import ENDING, IGNORED

PROGRAM = str(Path(__file__).with_name("noting_bridge.py"))


class Running:
    """A bridge with an adapter that notes, and the cockpit's end of it."""

    def __init__(self, folder: Path, source: str | None = None, **options: Any) -> None:
        self.notes = folder / "notes"
        self.end: socket.socket | None = None
        passed: list[int] = []
        if source is None:
            self.end, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.end.setblocking(False)
            passed, source = [theirs.fileno()], f"fd:{theirs.fileno()}"
        words = options.pop("words", [])
        before = self.text.count("connect")
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, source, f"noting:{self.notes}", *words], pass_fds=passed, **options)
        if self.end is not None:
            theirs.close()
        self.sequence = 0
        self.wait(lambda: self.text.count("connect") > before, 10)

    @property
    def text(self) -> str:
        return self.notes.read_text() if self.notes.exists() else ""

    def calls(self, since: float = 0) -> list[tuple[float, str]]:
        found = [text.split(" ", 1) for text in self.text.splitlines() if text.count(" ") == 2]
        return [(float(at), what.strip()) for at, what in found if float(at) >= since]

    def wait(self, condition: Callable[[], bool], seconds: float = 5) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.text[-500:]
            time.sleep(0.005)

    def say(self, made: Callable[[int], bytes]) -> None:
        assert self.end is not None
        self.sequence += 1
        with contextlib.suppress(OSError):
            self.end.send(made(self.sequence) + b"\n")

    def drive(self, seconds: float = 0.3) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.say(lambda number: line(number, rate=30))
            time.sleep(1 / 30)

    def begin(self) -> None:
        self.drive()
        assert any(what == "send 0.6" for _, what in self.calls()), self.text

    def is_stopped_since(self, since: float) -> bool:
        """The last call but connect, abort and close was neutral, after `since`."""
        found = [what for _, what in self.calls(since) if what.split()[0] in ("send", "neutral")]
        return bool(found) and found[-1] == "neutral"


@contextlib.contextmanager
def bridge(folder: Path, source: str | None = None, **options: Any) -> Iterator[Running]:
    running = Running(folder, source, **options)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()
        if running.end is not None:
            running.end.close()


SIGNALS = [number for number in ENDING if number < signal.SIGRTMIN] + [signal.SIGRTMIN, signal.SIGRTMAX]


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: signal.Signals(number).name)
def test_a_signal_that_ends_the_bridge_stops_the_vehicle(number: int, tmp_path: Path) -> None:
    with bridge(tmp_path) as running:
        running.begin()
        sent = time.monotonic()
        running.process.send_signal(number)
        running.process.send_signal(number)
        running.wait(lambda: running.is_stopped_since(sent), 0.5)
        assert running.process.wait(5) == 0
        assert running.calls()[-1][1] == "close" and running.is_stopped_since(sent)


@pytest.mark.parametrize("number", IGNORED, ids=lambda number: signal.Signals(number).name)
def test_a_signal_that_would_suspend_the_bridge_does_nothing(number: int, tmp_path: Path) -> None:
    with bridge(tmp_path) as running:
        running.begin()
        running.process.send_signal(number)
        sent = time.monotonic()
        running.drive(0.3)
        assert running.calls(sent) and not running.is_stopped_since(sent) and running.process.poll() is None


def test_no_signal_is_left_out() -> None:
    words = "CHLD CONT URG WINCH KILL STOP ABRT BUS FPE ILL SEGV SYS TRAP"
    spared = {f"SIG{word}" for word in words.split()}
    known = {number.name for number in signal.Signals}
    caught = {signal.Signals(number).name for number in set(ENDING) | set(IGNORED) if number in set(signal.Signals)}
    assert known - caught == spared


def test_what_is_ignored_at_the_start_stays_ignored(tmp_path: Path) -> None:
    with bridge(tmp_path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as running:
        running.begin()
        running.process.send_signal(signal.SIGHUP)
        running.drive(0.3)
        assert running.process.poll() is None and running.calls()[-1][1] == "send 0.6"


def full_disk() -> int:
    return os.open("/dev/full", os.O_WRONLY)


def broken_pipe() -> int:
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def full_pipe() -> int:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b"x" * 4096)
    os.set_blocking(writing, True)
    return writing


def gone_terminal() -> int:
    ours, theirs = pty.openpty()
    os.close(ours)
    return theirs


@pytest.mark.parametrize("error", [full_disk, broken_pipe, full_pipe, gone_terminal])
def test_a_message_that_cannot_be_written_neither_ends_nor_delays_a_drive(error: Callable[[], int], tmp_path: Path) -> None:
    descriptor = error()
    with bridge(tmp_path, stderr=descriptor, env={**os.environ, "FAIL": "send 10 LinkError"}) as running:
        lost = time.monotonic()
        running.drive(1)
        (tmp_path / "notes.mended").touch()
        running.wait(lambda: running.is_stopped_since(lost + 1), 3)
        assert running.process.poll() is None
        assert running.end is not None
        running.end.close()
        assert running.process.wait(5) == 0
    os.close(descriptor)


def test_closed_descriptors_are_no_ones(tmp_path: Path) -> None:
    with bridge(tmp_path, preexec_fn=lambda: os.closerange(0, 3), env={**os.environ, "FAIL": "send 10 LinkError"}) as running:
        running.drive(0.6)
        (tmp_path / "notes.mended").touch()
        running.wait(lambda: running.is_stopped_since(time.monotonic() - 0.3), 3)


@pytest.mark.parametrize("kind", [
    "ValueError", "KeyError", "MemoryError", "AttributeError", "OverflowError", "RuntimeError", "EOFError", "SystemExit"])
@pytest.mark.parametrize("call", ["send", "neutral"])
def test_whatever_the_adapter_throws_the_receiver_is_told_to_stop(kind: str, call: str, tmp_path: Path) -> None:
    with bridge(tmp_path, stderr=subprocess.DEVNULL, env={**os.environ, "FAIL": f"{call} 5 {kind}"}) as running:
        running.drive(0.5)
        running.say(safe)
        if kind != "SystemExit":
            running.wait(lambda: "abort" in running.text)
        thrown = time.monotonic()
        (tmp_path / "notes.mended").touch()
        if kind != "SystemExit":
            running.wait(lambda: running.is_stopped_since(thrown), 3)
            # It is a lost link, no more.
            assert running.process.poll() is None and running.text.count("connect") >= 2
            running.say(safe)
            running.drive(0.3)
            assert running.calls()[-1][1] == "send 0.6"
        assert running.end is not None
        running.end.close()
        assert running.process.wait(8) in (0, 1)
        assert running.calls()[-1][1] == "close" and running.is_stopped_since(thrown)


def test_an_adapter_that_cannot_be_reset_is_connected_again(tmp_path: Path) -> None:
    with bridge(tmp_path, stderr=subprocess.DEVNULL, env={**os.environ, "FAIL": "abort 1 ValueError"}) as running:
        running.begin()
    with bridge(tmp_path, stderr=subprocess.DEVNULL, env={**os.environ, "FAIL": "idle 1 OSError"}) as running:
        running.wait(lambda: running.text.count("abort") >= 1, 5)
        running.wait(lambda: running.text.count("connect") >= 2, 5)


def test_ctrl_z_in_a_terminal_leaves_the_watchdog_at_work(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    feed = ("import sys, time\nsys.path.insert(0, sys.argv[1])\nfrom conftest import line\n"
            "for n in range(1, 300):\n print(line(n, rate=30).decode(), flush=True)\n time.sleep(1 / 30)\n")
    child, terminal = pty.fork()
    if child == 0:
        os.execvp("bash", ["bash", "--norc", "-i"])

    def drain(seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                os.read(terminal, 4096)

    try:
        drain(0.5)
        (tmp_path / "feed.py").write_text(feed)
        pipe = f"{sys.executable} {tmp_path}/feed.py {Path(__file__).parent} | {sys.executable} {PROGRAM} - noting:{notes}\n"
        os.write(terminal, pipe.encode())
        end = time.monotonic() + 10
        while not (notes.exists() and notes.read_text().count("send 0.6") > 10) and time.monotonic() < end:
            drain(0.1)
        os.write(terminal, b"\x1a")
        drain(1.2)
        calls = [text.split()[1] for text in notes.read_text().splitlines() if len(text.split()) > 1]
        assert "send" in calls and [call for call in calls if call in ("send", "neutral")][-1] == "neutral"
        assert calls[-1] == "idle" or calls[-1] == "neutral"
    finally:
        os.write(terminal, b"kill -9 %1\n")
        drain(0.2)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


@pytest.mark.parametrize("pause", [0.3, 2.0])
def test_a_process_that_stood_still_moves_nothing(pause: float, tmp_path: Path) -> None:
    with bridge(tmp_path) as running:
        running.begin()
        running.say(safe)
        time.sleep(0.1)
        running.process.send_signal(signal.SIGSTOP)
        for _ in range(5):
            running.say(lambda number: line(number, 0.9, rate=30))
        time.sleep(pause)
        woken = time.monotonic()
        running.process.send_signal(signal.SIGCONT)
        running.drive(0.4)
        assert not any(what.startswith("send") for _, what in running.calls(woken))
        running.say(safe)
        running.drive(0.2)
        assert running.calls()[-1][1] == "send 0.6"


# A stop outlives the bridge.

@pytest.mark.parametrize("identifier", [None, "aaaaaaaa"])
def test_a_stop_outlives_a_bridge_that_was_killed(identifier: str | None, tmp_path: Path) -> None:
    extra: dict[str, object] = {"id": identifier, "press": 1} if identifier else {}

    def with_extra(made: bytes) -> bytes:
        fields = json.loads(made)
        is_stop = fields["reason"] == "emergency-stop"
        return json.dumps(fields | {name: value for name, value in extra.items() if name != "press" or is_stop}).encode()

    with bridge(tmp_path) as running:
        running.begin()
        running.say(lambda number: with_extra(safe(number, "emergency-stop")))
        running.wait(lambda: running.calls()[-1][1] == "neutral")
        running.process.kill()
    before = running
    for release, drives in (("start", False), ("released", True)):
        with bridge(tmp_path) as running:
            # The cockpit has gone on; the number of an id never goes back.
            running.sequence, began = before.sequence, time.monotonic()
            running.say(lambda number, why=release: with_extra(ready(number, why)))
            running.say(safe)  # Another sender may drive as well.
            running.drive(0.3)
            assert any(what.startswith("send") for _, what in running.calls(began)) == drives
            running.process.kill()
        before = running
    with bridge(tmp_path) as running:
        running.begin()


def test_lines_of_before_a_restart_move_nothing(tmp_path: Path) -> None:
    """They were on their way when the bridge was killed: a driver at rest says nothing that would show how late they are."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        place = free.getsockname()
    source = f"udp:127.0.0.1:{place[1]}"
    with bridge(tmp_path, source) as running, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as cockpit:
        cockpit.connect(place)
        running.end = cockpit
        running.begin()
        running.process.kill()
        running.process.wait()
        old = time.monotonic()
        with bridge(tmp_path, source) as again:
            again.end, again.sequence = running.end, running.sequence
            began = time.monotonic()
            again.say(lambda number: line(number, 0, 0, t=old, gear="N", brake=True, held=False, state="ready"))
            for step in range(1, 11):
                again.say(lambda number, at=old + step / 1000: line(number, t=at, rate=30))  # type: ignore[misc]
            time.sleep(0.2)
            assert not any(what.startswith("send") for _, what in again.calls(began))
            again.say(safe)
            again.drive()
            assert any(what == "send 0.6" for _, what in again.calls(began))


def test_a_runtime_folder_that_cannot_be_used_is_said_once_and_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "cockpit-bridge").write_text("no folder")
    log = tmp_path / "log"
    with open(log, "wb") as error, bridge(tmp_path, stderr=error, env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}) as running:
        running.say(lambda number: ready(number, "released"))
        running.drive(0.3)
        for _ in range(3):
            running.say(lambda number: safe(number, "emergency-stop"))
            running.say(ready)
        running.drive(0.3)
        assert running.process.poll() is None and running.calls()[-1][1] == "send 0.6"
    assert log.read_text().count("outlive") == 1


# The way back.

def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


def exchange(sender: socket.socket, sent: bytes) -> dict[str, Any]:
    sender.send(sent)
    data = sender.recv(65536)
    assert len(data) <= len(sent) and data.endswith(b"\n")
    return dict(json.loads(data))


@pytest.mark.parametrize("kind", ["udp", "udp6", "unix"])
def test_senders_are_answered(kind: str, tmp_path: Path) -> None:
    port, path = free_port(), f"{tmp_path}/car"
    place = {"udp": f"udp:{port}", "udp6": f"udp:[::1]:{port}", "unix": f"unix:{path}"}[kind]
    where: Any = {"udp": ("127.0.0.1", port), "udp6": ("::1", port), "unix": path}[kind]

    def connect() -> socket.socket:
        family = {"udp": socket.AF_INET, "udp6": socket.AF_INET6, "unix": socket.AF_UNIX}[kind]
        made = socket.socket(family, socket.SOCK_STREAM if kind == "unix" else socket.SOCK_DGRAM)
        made.settimeout(2)
        made.connect(where)
        return made

    with bridge(tmp_path, place) as running, connect() as first, connect() as second:
        before = time.monotonic()
        answer = exchange(first, line(1, id="aaaaaaaa", rate=30) + b"\n")
        assert answer["id"] == "aaaaaaaa" and answer["ack"] == 1 and answer["driver"] == "you"
        assert before <= answer["arrived"] <= time.monotonic() and "stop" not in answer
        other = exchange(second, ready(7) + b"\n")
        assert other["driver"] == "other" and "id" not in other and other["ack"] == 7
        assert exchange(second, safe(8, "emergency-stop") + b"\n")["stop"] == "host"
        assert exchange(first, line(2, id="aaaaaaaa", rate=30) + b"\n")["driver"] == "none"
        running.wait(lambda: running.calls()[-1][1] == "neutral")
        first.send(b"garbage\n")
        with pytest.raises(TimeoutError):
            first.settimeout(0.2)
            first.recv(65536)


def test_udp_without_a_host_is_reached_from_this_machine_alone(tmp_path: Path) -> None:
    port = free_port()
    with bridge(tmp_path, f"udp:{port}"):
        bound = Path("/proc/net/udp").read_text().lower()
        assert f"0100007f:{port:04x}" in bound and f"00000000:{port:04x}" not in bound
        assert f":{port:04x}" not in Path("/proc/net/udp6").read_text().lower()


@pytest.mark.parametrize("words", [
    ["udp:"], ["udp:0"], ["udp:65536"], ["udp:x"], ["udp::5005"], ["udp:::1:5005"], ["udp:[::1]"], ["udp:[::1:5005"],
    ["udp:[nonsense]:5005"], ["udp:192.0.2.1:5005"], ["udp:robot..local:5005"], ["udp:" + "x" * 300 + ":5005"], ["udp:127.0.0.1:\u0665"],
    ["fd:99"], ["fd:x"], ["fd:99999999999"], ["fd:-1"], ["unix:"], ["unix:/nowhere/car"], ["unix:" + "x" * 200],
    ["unix:/dev/null"], ["nonsense"], [""], ["-x"],
    ["-", "nonsense:x"], ["-", "noting:/nowhere/x"], ["-", "noting:"],
    ["-", "noting:x", "--lease", "149"], ["-", "noting:x", "--lease", "501"],
    ["-", "noting:x", "--lease", "0.3"], ["-", "noting:x", "--outgauge", "0"], ["-", "noting:x", "--outgauge", "70000"]])
def test_a_slip_is_a_sentence_and_exit_code_2(words: list[str], tmp_path: Path) -> None:
    words = [word.replace("noting:x", f"noting:{tmp_path}/x") for word in words]
    words = [*words, f"noting:{tmp_path}/x"] if len(words) == 1 else words
    ended = subprocess.run([sys.executable, PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr and "invalid literal" not in ended.stderr
    assert ended.stderr.strip()


FLOODS: dict[str, Callable[[int], bytes]] = {
    "newlines": lambda number: b"\n" * 8000,
    "nothing": lambda number: b"",
    "an old line": lambda number: line(1, t=0),
    "random bytes": lambda number: os.urandom(600),
    "good lines of a stranger": lambda number: safe(number + 1),
    "stops": lambda number: safe(1, "emergency-stop"),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_datagrams_cannot_keep_a_command(flood: str, tmp_path: Path) -> None:
    port = free_port()
    with bridge(tmp_path, f"udp:{port}") as running:
        driver, stranger = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        for sender in (driver, stranger):
            sender.connect(("127.0.0.1", port))
        for number in range(1, 20):
            driver.send(line(number, rate=30))
            time.sleep(1 / 30)
        silent, number = time.monotonic(), 0
        assert running.calls()[-1][1] == "send 0.6"
        made = FLOODS[flood](0)
        while time.monotonic() < silent + 1.5:
            number += 1
            with contextlib.suppress(OSError):
                stranger.send(FLOODS[flood](number) if flood == "good lines of a stranger" else made)
        first = next(at for at, what in running.calls(silent) if what == "neutral")
        assert first - silent < 0.3
        assert not any(what.startswith("send") for _, what in running.calls(first))
        ended = time.monotonic()
        running.process.terminate()
        assert running.process.wait(3) == 0 and time.monotonic() - ended < 1.5
        driver.close()
        stranger.close()


def test_a_flood_down_a_pipe_cannot_keep_a_command(tmp_path: Path) -> None:
    with bridge(tmp_path, "-", stdin=subprocess.PIPE) as running:
        pipe = running.process.stdin
        assert pipe is not None
        for number in range(1, 15):
            os.write(pipe.fileno(), line(number, rate=30) + b"\n")
            time.sleep(1 / 30)
        silent = time.monotonic()
        while time.monotonic() < silent + 1:
            os.write(pipe.fileno(), b"\n" * 65536)
        first = next(at for at, what in running.calls(silent) if what == "neutral")
        assert first - silent < 0.3
        running.process.terminate()
        assert running.process.wait(3) == 0

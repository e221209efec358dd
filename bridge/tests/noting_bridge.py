"""cockpit-bridge as a program, with an adapter that writes a line for each call into the file that is its place.

The environment may make it fail: FAIL="send 3 MemoryError" throws in the third call of send; HANG="block" never returns from one, HANG="wait"
waits in one for ever and does not give up. STEERING=1 notes the steering of commands too.
"""

import asyncio
import builtins
import contextlib
import os
import sys
import time

from cockpit_bridge import cli
from cockpit_bridge.adapter import Adapter, LinkError, Options
from cockpit_bridge.message import Command


class Noting(Adapter):
    rate = 50.0

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self.file = open(place, "a", buffering=1)
        self.counts: dict[str, int] = {}

    def note(self, name: str, text: str = "") -> None:
        self.counts[name] = self.counts.get(name, 0) + 1
        which, at, kind = os.environ.get("FAIL", "none 0 none").split()
        if name == which and self.counts[name] >= int(at) and not os.path.exists(f"{self.place}.mended"):
            raise {"LinkError": LinkError}.get(kind) or getattr(builtins, kind)("on purpose")
        self.file.write(f"{time.monotonic():.4f} {name} {text}\n")

    async def connect(self) -> None:
        self.note("connect")

    async def send(self, command: Command) -> None:
        self.note("send", f"{command.throttle}" + (f"/{command.steering}" if "STEERING" in os.environ else ""))
        if os.environ.get("HANG") == "block":
            time.sleep(60)
        while os.environ.get("HANG") == "wait":
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)

    async def neutral(self) -> None:
        self.note("neutral")

    async def idle(self) -> None:
        self.note("idle")

    async def close(self) -> None:
        self.note("close")

    def abort(self) -> None:
        self.note("abort")


if __name__ == "__main__":
    real = cli.adapter_named
    cli.adapter_named = lambda name: Noting if name == "noting" else real(name)
    sys.exit(cli.main())

"""The whole chain as docs/receivers.md recommends it: a cockpit in a hand, a radio, the bridge on the robot, and a receiver."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

from .desk import Desk
from .measure import STEADY, THROTTLE, Failed, Peer
from .radio import Radio

BRIDGE = ("127.0.0.1", 5005)


def stands(throttle: float, _: bool) -> bool:
    """The receiver acts on no throttle."""
    return abs(throttle) < 0.01


def moves(throttle: float, _: bool) -> bool:
    """The receiver acts on a throttle, of whatever size."""
    return not stands(throttle, _)


def drives(throttle: float, _: bool) -> bool:
    """The receiver acts on the throttle of the gear that the finger holds."""
    return abs(throttle - THROTTLE) < 0.01


class Chain:
    """Runs until `end`. `options` are the cockpit's, `lease` is the bridge's. Without answers the cockpit judges no link."""

    def __init__(
            self, adapter: str, desk: Desk, peer: Peer, log: IO[bytes], options: tuple[str, ...] = (), lease: int | None = None,
            has_answers: bool = True) -> None:
        self.desk, self.peer = desk, peer
        # An emergency stop that one run left behind must not be that of the next.
        self._memory = tempfile.TemporaryDirectory(prefix="cockpit-chain.")
        words = [sys.executable, "-m", "cockpit_bridge", f"udp:{BRIDGE[0]}:{BRIDGE[1]}", f"{adapter}:{peer.place('127.0.0.1')}"]
        words += [] if lease is None else ["--lease", str(lease)]
        self.bridge = subprocess.Popen(words, stderr=log, env=os.environ | {"XDG_RUNTIME_DIR": self._memory.name})
        self._wait_for_bridge()
        self.radio = Radio(BRIDGE)
        self.radio.has_answers = has_answers
        self.cockpit = desk.start(f"udp:{self.radio.place}", options=options)

    def _wait_for_bridge(self) -> None:
        for _ in range(500):
            table = Path(f"/proc/{self.bridge.pid}/net/udp").read_text() if self.bridge.poll() is None else ""
            if f":{BRIDGE[1]:04X} " in table:
                return
            time.sleep(0.02)
        raise Failed("the bridge does not listen")

    def touch(self) -> float:
        """A new touch takes the lever to its gear; returns when the receiver began to drive."""
        # The receiver may still hold what the last run left behind.
        if self.peer.wait(stands, 10.0, time.monotonic()) is None:
            raise Failed("the receiver does not stand")
        for attempt in range(8):
            begun = time.monotonic()
            self.desk.hold()
            # A window takes touches when it is shown; some receivers take commands when they have come for a second.
            at = self.peer.wait(drives, 1.0 if attempt % 4 < 3 else 3.0, begun)
            if at is not None:
                return at
            self.desk.let_go()
            time.sleep(0.2)
        raise Failed("the receiver does not drive")

    def drive(self) -> None:
        """Returns when the receiver has been driving steadily under a new touch."""
        for _ in range(4):
            began = self.touch()
            time.sleep(max(began + STEADY - time.monotonic(), 0))
            if self.peer.first(began, lambda throttle, told: not drives(throttle, told)) is None:
                return
            self.desk.let_go()
        raise Failed("the receiver does not drive steadily")

    def end(self) -> None:
        """Ends what still runs."""
        for process in (self.cockpit, self.bridge):
            process.kill()
            process.wait()
        self.radio.end()
        self._memory.cleanup()
        self.desk.let_go()

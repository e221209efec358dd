"""A session over a network of two machines: the program at the vehicle in a network namespace of its own, at the end of a cable that is cut.

    unshare --net python bridge/tests/cable_session.py

prints what was wrong, and OK if nothing was. Whoever holds the lever does so all the time, through the cut and after it.
"""

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from receivers.network import FAR, Cable, inside  # noqa: E402

CONSUMER = Path(__file__).resolve().parents[2] / "docs" / "examples" / "drive_consumer.py"
PORT = 5005
RATE = 30
LEASE = 0.150
SLACK = 0.3
REST = {"gear": "N", "throttle": 0.0, "brake": True, "held": False}


class Hand:
    """A cockpit's lines, as its hand would have them."""

    def __init__(self, identifier: str) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.identifier, self.sequence = identifier, 0

    def say(self, state: str, reason: str = "none", **fields: object) -> None:
        self.sequence += 1
        said: dict[str, object] = {
            "v": 1, "id": self.identifier, "seq": self.sequence, "t": round(time.monotonic(), 6), "gear": "6", "throttle": 0.6,
            "steering": 0.0, "brake": False, "horn": False, "held": True, "state": state, "reason": reason, "rate": RATE}
        with contextlib.suppress(OSError):  # A cable that is cut may be noticed.
            self.socket.sendto(json.dumps(said | (REST if state != "driving" else {}) | fields).encode() + b"\n", (FAR, PORT))


class Watched:
    """The consumer, and what it prints."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self.output, self.rest = process.stdout.fileno(), b""
        self.changes: list[tuple[float, bool]] = [(time.monotonic(), False)]

    def drive(self, hand: Hand, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            hand.say("driving")
            self.look(min(1 / RATE, end - now))

    def look(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.output], [], [], left)[0]:
                return
            *lines, self.rest = (self.rest + os.read(self.output, 65536)).split(b"\n")
            self.changes += [(time.monotonic(), b"+0.600" in line) for line in lines]

    def has_moved(self, since: float, until: float = float("inf")) -> bool:
        ends = [at for at, _ in self.changes[1:]] + [time.monotonic()]
        return any(moves and at < until and end > since for (at, moves), end in zip(self.changes, ends, strict=True))


def faults() -> list[str]:
    with subprocess.Popen(["unshare", "--net", "sleep", "60"]) as there:
        cable = None
        try:
            while os.readlink(f"/proc/{there.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
                time.sleep(0.01)
            cable = Cable(there.pid)
            with subprocess.Popen(
                    [*inside(there.pid), sys.executable, "-B", str(CONSUMER), f"udp:{FAR}:{PORT}"], stdout=subprocess.PIPE) as consumer:
                try:
                    return session(cable, consumer)
                finally:
                    consumer.kill()
        finally:
            there.kill()
            if cable is not None:
                cable.end()


def session(cable: Cable, consumer: subprocess.Popen[bytes]) -> list[str]:
    found = []
    watched, hand, other = Watched(consumer), Hand("aaaaaaaa"), Hand("bbbbbbbb")
    for _ in range(50):
        hand.say("ready")
        watched.drive(hand, 0.2)
        if watched.changes[-1][1]:
            break
    began = time.monotonic()
    watched.drive(hand, 0.5)
    if not watched.has_moved(began):
        return ["it does not drive"]
    cable.cut()
    cut = time.monotonic()
    watched.drive(hand, 1)
    if watched.has_moved(cut + LEASE + SLACK):
        found.append("the cable is cut, and it goes on")
    cable.mend()
    back = time.monotonic()
    watched.drive(hand, 1.5)
    if watched.has_moved(back):
        found.append("the cable is back, and it drives by itself")
    hand.say("safe", "lift")
    new = time.monotonic()
    watched.drive(hand, 0.5)
    if not watched.has_moved(new):
        found.append("a new touch does not drive")
    other.say("safe", "emergency-stop", press=1)
    stopped = time.monotonic()
    watched.drive(hand, 0.5)
    hand.say("safe", "lift")
    watched.drive(hand, 0.5)
    if watched.has_moved(stopped + SLACK):
        found.append("another cockpit has stopped it, and it drives")
    other.say("ready", "released")
    hand.say("safe", "lift")
    released = time.monotonic()
    watched.drive(hand, 0.5)
    if not watched.has_moved(released):
        found.append("the stop was released, and it does not drive")
    return found


if __name__ == "__main__":
    problems = faults()
    print("\n".join(problems) or "OK")
    sys.exit(bool(problems))

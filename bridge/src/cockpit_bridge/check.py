"""`cockpit-bridge check PLACE -- CONSUMER ...`: does a consumer keep to the contract of docs/drive.md?

The check starts the consumer, sends it drive messages as the cockpit would, and reads the throttle that it prints.
"""

import argparse
import functools
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

PATTERN = r"throttle\s*[=:]?\s*([-+]?[0-9.]+)"
LIMIT = 0.5  # Seconds within which a consumer has stopped.
THROTTLE = 0.6


def message(sequence: int, throttle: float = THROTTLE, **fields: object) -> bytes:
    """A drive message of state `driving`, or what `fields` say."""
    made: dict[str, object] = {
        "v": 1, "seq": sequence, "t": round(time.monotonic(), 6), "gear": "6", "throttle": throttle, "steering": 0.0,
        "brake": False, "horn": False, "held": True, "state": "driving", "reason": "none"}
    return json.dumps(made | fields, separators=(",", ":")).encode() + b"\n"


def safe(sequence: int) -> bytes:
    """A message of state `safe`."""
    return message(sequence, 0.0, gear="N", brake=True, held=False, state="safe", reason="lift")


class Sender:
    """Messages to a consumer, at `place` or down the pipe to its standard input."""

    def __init__(self, place: str, pipe: int | None) -> None:
        self.pipe = open(pipe, "wb", buffering=0) if pipe is not None else None
        self.sequence = 0
        self.target: str | tuple[str, int] = ""
        if self.pipe is not None:
            return
        kind, _, rest = place.partition(":")
        if kind == "unix":
            self.socket = socket.socket(socket.AF_UNIX)
            self._connect(rest)
        else:
            host, _, port = rest.rpartition(":")
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.connect((host or "127.0.0.1", int(port)))

    def _connect(self, path: str) -> None:
        for _ in range(1000):
            try:
                return self.socket.connect(path)
            except OSError:
                time.sleep(0.01)
        raise TimeoutError(f"nobody listens on {path}")

    def send(self, data: bytes) -> None:
        """Sends bytes; a consumer that is not there yet, or gone, is no error."""
        try:
            if self.pipe is not None:
                self.pipe.write(data)
            else:
                self.socket.send(data)
        except OSError:
            pass

    def next(self, throttle: float = THROTTLE, **fields: object) -> None:
        """Sends the next message."""
        self.sequence += 1
        self.send(message(self.sequence, throttle, **fields))

    def drive(self, seconds: float, throttle: float = THROTTLE) -> None:
        """30 messages a second."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.next(throttle)
            time.sleep(1 / 30)


class Consumer:
    """The program under test: the throttles that it prints, with their times."""

    def __init__(self, command: list[str], pattern: str, takes_pipe: bool) -> None:
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stdin=subprocess.PIPE if takes_pipe else subprocess.DEVNULL)
        self.pattern = re.compile(pattern)
        self.seen: list[tuple[float, float]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for text in self.process.stdout:
            found = self.pattern.search(text.decode(errors="replace"))
            if found:
                self.seen.append((time.monotonic(), float(found[1])))

    @property
    def throttle(self) -> float:
        """The newest throttle; 0 before the first."""
        return self.seen[-1][1] if self.seen else 0.0

    def wait(self, condition: Callable[[float], bool], seconds: float) -> bool:
        """Waits until the throttle meets `condition`."""
        end = time.monotonic() + seconds
        while not condition(self.throttle):
            if time.monotonic() >= end:
                return False
            time.sleep(0.001)
        return True


@dataclass
class Result:
    """What one case found."""

    name: str
    passed: bool
    milliseconds: float | None = None
    why: str = ""

    def __str__(self) -> str:
        time_text = "" if self.milliseconds is None else f" {self.milliseconds:.0f} ms"
        return f"{'PASS' if self.passed else 'FAIL'} {self.name}{time_text}{': ' + self.why if self.why else ''}"


class Check:
    """The cases, in order, against one consumer."""

    def __init__(self, place: str, command: list[str], pattern: str) -> None:
        self.place = place
        self.consumer = Consumer(command, pattern, place == "-")
        pipe = self.consumer.process.stdin
        self.sender = Sender(place, pipe.fileno() if pipe is not None else None)

    def run(self) -> list[Result]:
        """All cases; if the consumer never drives, the first alone."""
        results = [self.drives()]
        if not results[0].passed:
            return results
        results += [self.stops("safe", lambda: self.sender.next(0.0, gear="N", brake=True, state="safe", reason="lift"))]
        results += [self.stops("silence", lambda: None), self.stays_stopped()]
        if self.place.startswith("udp:"):
            results.append(self.reordering())
        results.append(self.backlog())
        results.append(self.stood_still())
        results.append(self.stops("unknown version", lambda: self.sender.next(1.0, v=2)))
        for name, data in [
            ("garbage", b"\xff\x00 no message\n"), ("a throttle that is no number", b'{"v":1,"seq":1,"throttle":true}\n'),
        ]:
            results.append(self.stops(name, functools.partial(self.sender.send, data)))
        results.append(self.killed())
        self.consumer.process.kill()
        return results

    def begin(self) -> bool:
        """Drives until the consumer does."""
        for _ in range(100):
            self.sender.drive(0.1)
            if self.consumer.throttle == THROTTLE:
                return True
        return False

    def drives(self) -> Result:
        """Messages of `driving` are obeyed."""
        return Result("drives", self.begin(), why="" if self.consumer.throttle else "it never printed the throttle 0.6")

    def stops(self, name: str, event: Callable[[], None]) -> Result:
        """After `event` and with no message after it, the throttle is 0 in time."""
        if not self.begin():
            return Result(name, False, why="it does not drive again before")
        start = time.monotonic()
        event()
        stopped = self.consumer.wait(lambda throttle: throttle == 0, 2)
        took = time.monotonic() - start
        return Result(name, stopped and took <= LIMIT, took * 1000 if stopped else None, "" if stopped else "it goes on")

    def stays_stopped(self) -> Result:
        """After a gap nothing but a new message of `driving` moves it."""
        for _ in range(10):
            self.sender.next(0.0, gear="N", brake=True, state="safe", reason="lift")
            time.sleep(0.02)
        return Result("a gap", self.consumer.throttle == 0)

    def reordering(self) -> Result:
        """A message that was overtaken counts for nothing."""
        if not self.begin():
            return Result("reordering", False, why="it does not drive again before")
        before = len(self.consumer.seen)
        for _ in range(10):
            self.sender.next()
            self.sender.send(message(max(self.sender.sequence - 3, 1), 1.0))
            time.sleep(0.02)
        time.sleep(0.05)
        return Result("reordering", all(throttle != 1.0 for _, throttle in self.consumer.seen[before:]))

    def backlog(self) -> Result:
        """A stop behind many messages is obeyed in time: the consumer drains its input."""
        if not self.begin():
            return Result("backlog", False, why="it does not drive again before")
        for step in range(300):
            self.sender.next(0.1 + step / 1000)
        start = time.monotonic()
        self.sender.next(0.0, gear="N", brake=True, state="safe", reason="lift")
        stopped = self.consumer.wait(lambda throttle: throttle == 0, 5)
        took = time.monotonic() - start
        return Result("backlog", stopped and took <= LIMIT, took * 1000)

    def stood_still(self) -> Result:
        """A consumer that stood still does not act out what waited: the stop was the newest."""
        name = "a consumer that stood still"
        if not self.begin():
            return Result(name, False, why="it does not drive again before")
        self.consumer.process.send_signal(signal.SIGSTOP)
        for _ in range(6):
            self.sender.next(0.9)
            time.sleep(0.02)
        self.sender.next(0.0, gear="N", brake=True, state="safe", reason="lift")
        before, start = len(self.consumer.seen), time.monotonic()
        self.consumer.process.send_signal(signal.SIGCONT)
        stopped = self.consumer.wait(lambda throttle: throttle == 0, 2)
        took = time.monotonic() - start
        acted = any(throttle == 0.9 for _, throttle in self.consumer.seen[before:])
        why = "it acted out what had waited" if acted else ""
        return Result(name, stopped and not acted and took <= LIMIT, took * 1000, why)

    def killed(self) -> Result:
        """kill -9 of the sender: it stops, by the end of the stream or its watchdog."""
        if not self.begin():
            return Result("kill -9 of the sender", False, why="it does not drive again before")
        passed = [self.sender.pipe.fileno() if self.sender.pipe is not None else self.sender.socket.fileno()]
        program = (
            "import os, sys, time\nfrom cockpit_bridge.check import message\n"
            f"n = {self.sender.sequence}\nwhile True:\n n += 1\n os.write({passed[0]}, message(n))\n time.sleep(1 / 30)\n")
        child = subprocess.Popen([sys.executable, "-c", program], pass_fds=passed)
        # The child is the only sender now: with it the connection ends.
        if self.sender.pipe is not None:
            self.sender.pipe.close()
            self.consumer.process.stdin = None
        else:
            self.sender.socket.close()
        time.sleep(1)
        drove = self.consumer.throttle == THROTTLE
        child.send_signal(signal.SIGKILL)
        start = time.monotonic()
        stopped = self.consumer.wait(lambda throttle: throttle == 0, 2)
        took = time.monotonic() - start
        return Result("kill -9 of the sender", drove and stopped and took <= LIMIT, took * 1000 if stopped else None)


def main(words: list[str]) -> int:
    """Prints a line for each case; returns 0 if all passed, else 1."""
    parser = argparse.ArgumentParser(prog="cockpit-bridge check", description=__doc__)
    parser.add_argument("place", help="-, unix:PATH or udp:[HOST:]PORT: where the consumer reads")
    parser.add_argument("--pattern", default=PATTERN, help="a regular expression whose group is the throttle in the consumer's output")
    parser.add_argument("consumer", nargs=argparse.REMAINDER, help="-- and the command that starts the consumer")
    options = parser.parse_args(words)
    command = options.consumer[1:] if options.consumer[:1] == ["--"] else options.consumer
    if not command:
        parser.error("the consumer's command is missing: check PLACE -- CONSUMER ...")
    results = Check(options.place, command, options.pattern).run()
    for result in results:
        print(result, flush=True)
    return 0 if all(result.passed for result in results) else 1

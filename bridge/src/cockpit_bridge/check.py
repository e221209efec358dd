"""`cockpit-bridge check PLACE -- CONSUMER ...`: does a consumer keep to the contract of docs/drive.md?

The check starts the consumer, sends it drive messages as the cockpit would, and reads the throttle that it prints.
"""

import argparse
import functools
import json
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from .source import host_and_port

PATTERN = r"throttle\s*[=:]?\s*([-+]?[0-9.]+)"
LIMIT = 0.5  # Seconds within which a consumer has stopped.
THROTTLE = 0.6
RATE = 30  # Lines a second.
GAPS = (0.2, 1.0, 10.0)  # Seconds without a line while the finger rests on the lever.
REST: dict[str, object] = {"gear": "N", "brake": True, "held": False}


def message(sequence: int, throttle: float = THROTTLE, **fields: object) -> bytes:
    """A drive message of state `driving`, or what `fields` say."""
    made: dict[str, object] = {
        "v": 1, "id": "c0cc0001", "seq": sequence, "t": round(time.monotonic(), 6), "gear": "6", "throttle": throttle, "steering": 0.0,
        "brake": False, "horn": False, "held": True, "state": "driving", "reason": "none", "rate": RATE}
    return json.dumps(made | fields, separators=(",", ":")).encode() + b"\n"


class Sender:
    """Messages of one cockpit to a consumer, at `place` or down the pipe to its standard input."""

    def __init__(self, place: str, pipe: int | None) -> None:
        self.pipe = open(pipe, "wb", buffering=0) if pipe is not None else None
        self.identifier = secrets.token_hex(4)
        self.sequence = self.presses = 0
        self.delay = 0.0  # Seconds that a message is under way.
        if self.pipe is not None:
            return
        kind, _, rest = place.partition(":")
        if kind == "unix":
            self.socket = socket.socket(socket.AF_UNIX)
            self._connect(rest)
        else:
            host, port = host_and_port(rest)
            host = {"": "127.0.0.1", "*": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
            self.socket = socket.socket(family, socket.SOCK_DGRAM)
            self.socket.connect(address)

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
        made = {"id": self.identifier, "t": round(time.monotonic() - self.delay, 6)} | fields
        self.send(message(self.sequence, throttle, **made))

    def let_go(self, state: str = "safe", reason: str = "lift", **fields: object) -> None:
        """Nobody holds lever and wheel."""
        self.next(0.0, state=state, reason=reason, **REST | fields)

    def press_stop(self) -> None:
        """Presses the emergency stop."""
        self.presses += 1
        self.let_go(reason="emergency-stop", press=self.presses)

    def drive(self, seconds: float, throttle: float = THROTTLE) -> None:
        """So many messages a second as it says."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.next(throttle)
            time.sleep(1 / RATE)


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

    def __init__(self, place: str, command: list[str], pattern: str, is_quick: bool = False) -> None:
        self.place = place
        self.is_quick = is_quick
        self.consumer = Consumer(command, pattern, place == "-")
        pipe = self.consumer.process.stdin
        self.sender = Sender(place, pipe.fileno() if pipe is not None else None)

    def run(self) -> list[Result]:
        """All cases; if the consumer never drives, the first alone."""
        results = [self.drives()]
        if not results[0].passed:
            return results
        results += [self.stops("safe", self.sender.let_go), self.stops("silence", lambda: None), self.stays_stopped()]
        results += [self.gap(seconds) for seconds in GAPS if seconds < 5 or not self.is_quick]
        results.append(self.late())
        if self.place.startswith("udp:"):
            results += [self.reordering(), self.second_driver(), self.second_stop()]
        results += [self.start_after_stop(), self.backlog(), self.stood_still(), self.suspended()]
        results.append(self.stops("unknown version", lambda: self.sender.next(1.0, v=2)))
        for name, data in [
            ("garbage", b"\xff\x00 no message\n"), ("a throttle that is no number", b'{"v":1,"seq":1,"throttle":true}\n'),
        ]:
            results.append(self.stops(name, functools.partial(self.sender.send, data)))
        results.append(self.killed())
        self.consumer.process.kill()
        return results

    def begin(self) -> bool:
        """Lets go and drives until the consumer does."""
        for _ in range(50):
            self.sender.let_go()
            self.sender.drive(0.2)
            if self.consumer.throttle == THROTTLE:
                return True
        return False

    def _case(self, name: str, judge: Callable[[], str]) -> Result:
        """A case that begins with a drive; `judge` returns what is wrong, or nothing."""
        if not self.begin():
            return Result(name, False, why="it does not drive again before")
        why = judge()
        return Result(name, not why, why=why)

    def _has_moved(self, since: float, *throttles: float) -> bool:
        """It printed one of `throttles`, or any but 0, after `since`."""
        return any(value in throttles if throttles else value != 0 for at, value in self.consumer.seen if at >= since)

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
        """At rest nothing moves it."""
        for _ in range(10):
            self.sender.let_go()
            time.sleep(0.02)
        return Result("rest", self.consumer.throttle == 0)

    def gap(self, seconds: float) -> Result:
        """A radio hole under a held finger: what comes after it moves nothing before the driver has let go."""
        def judge() -> str:
            start = time.monotonic()
            time.sleep(seconds)
            self.sender.sequence += int(seconds * RATE)
            stopped = next((at for at, value in self.consumer.seen if at >= start and value == 0), None)
            if stopped is None and seconds > LIMIT:
                return "it goes on"
            self.sender.drive(0.7)
            return "it goes on by itself" if stopped is not None and self._has_moved(stopped) else ""
        return self._case(f"a gap of {seconds:g} s", judge)

    def late(self) -> Result:
        """A queue that grows brings every message in its order, later and later."""
        def judge() -> str:
            start = time.monotonic()
            since = None
            while (now := time.monotonic()) < start + 2.5:
                self.sender.delay = 0.8 * (now - start)
                since = now if since is None and self.sender.delay > LIMIT else since
                self.sender.next()
                time.sleep(1 / RATE)
            self.sender.delay = 0
            if since is None or self._has_moved(since) or self.consumer.throttle:
                return f"it obeys messages that are {0.8 * 2.5:.0f} s late"
            self.sender.drive(0.3)
            return "it goes on by itself" if self.consumer.throttle else ""
        return self._case("messages that come later and later", judge)

    def reordering(self) -> Result:
        """A message that was overtaken counts for nothing."""
        def judge() -> str:
            since = time.monotonic()
            for _ in range(10):
                self.sender.next()
                made = message(max(self.sender.sequence - 3, 1), 1.0, id=self.sender.identifier)
                self.sender.send(made)
                time.sleep(0.02)
            time.sleep(0.05)
            return "it obeyed an old message" if self._has_moved(since, 1.0) else ""
        return self._case("reordering", judge)

    def second_driver(self) -> Result:
        """Who drives has the vehicle until he lets go, and the other one must let go then."""
        def judge() -> str:
            other, since = Sender(self.place, None), time.monotonic()
            other.sequence = 100_000
            other.let_go()
            for _ in range(15):
                other.next(0.9)
                self.sender.next()
                time.sleep(1 / RATE)
            if self._has_moved(since, 0.9) or self.consumer.throttle != THROTTLE:
                return "it obeyed a second driver"
            self.sender.let_go()
            other.drive(0.3, 0.9)
            if self._has_moved(since, 0.9):
                return "it obeyed a second driver, who held his lever all the time"
            other.let_go()
            other.drive(0.3, 0.9)
            other.let_go()
            return "" if self._has_moved(since, 0.9) else "it does not obey a second driver who began after the first"
        return self._case("a second driver", judge)

    def second_stop(self) -> Result:
        """Anybody may stop, whoever drives, and only a release by hand ends it."""
        self.sender.sequence += 1_000_000

        def judge() -> str:
            other = Sender(self.place, None)
            other.press_stop()
            stopped = self.consumer.wait(lambda throttle: throttle == 0, LIMIT)
            since = time.monotonic()
            self.sender.drive(0.3)
            self.sender.let_go()
            self.sender.drive(0.3)
            held = not self._has_moved(since)
            other.let_go("ready", "released")
            return "" if stopped and held else "it did not stop" if not stopped else "it drives in spite of the stop"
        return self._case("a stop by another cockpit", judge)

    def start_after_stop(self) -> Result:
        """A cockpit that starts has released nothing."""
        def judge() -> str:
            self.sender.press_stop()
            stopped = self.consumer.wait(lambda throttle: throttle == 0, LIMIT)
            since = time.monotonic()
            starting = Sender(self.place, None) if self.place.startswith("udp:") else self.sender
            starting.let_go("ready", "start")
            starting.drive(0.3)
            held = not self._has_moved(since)
            starting.let_go()
            self.sender.let_go("ready", "released")
            return "" if stopped and held else "a start ends the emergency stop"
        return self._case("a start after a stop", judge)

    def backlog(self) -> Result:
        """A stop behind many messages is obeyed in time: the consumer drains its input."""
        if not self.begin():
            return Result("backlog", False, why="it does not drive again before")
        for step in range(300):
            self.sender.next(0.1 + step / 1000)
        start = time.monotonic()
        self.sender.let_go()
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
        self.sender.let_go()
        before, start = len(self.consumer.seen), time.monotonic()
        self.consumer.process.send_signal(signal.SIGCONT)
        stopped = self.consumer.wait(lambda throttle: throttle == 0, 2)
        took = time.monotonic() - start
        acted = any(throttle == 0.9 for _, throttle in self.consumer.seen[before:])
        why = "it acted out what had waited" if acted else ""
        return Result(name, stopped and not acted and took <= LIMIT, took * 1000, why)

    def suspended(self) -> Result:
        """Ctrl+Z does not suspend it: it could not stop the vehicle."""
        result = self.stops("Ctrl+Z", lambda: self.consumer.process.send_signal(signal.SIGTSTP))
        self.consumer.process.send_signal(signal.SIGCONT)
        return result

    def killed(self) -> Result:
        """kill -9 of the sender: it stops, by the end of the stream or its watchdog."""
        if not self.begin():
            return Result("kill -9 of the sender", False, why="it does not drive again before")
        passed = [self.sender.pipe.fileno() if self.sender.pipe is not None else self.sender.socket.fileno()]
        program = (
            "import os, time\nfrom cockpit_bridge.check import REST, message\n"
            f"n, name = {self.sender.sequence + 1}, {self.sender.identifier!r}\n"
            f"os.write({passed[0]}, message(n, 0.0, id=name, state='safe', reason='lift', **REST))\n"
            f"while True:\n n += 1\n os.write({passed[0]}, message(n, id=name))\n time.sleep(1 / 30)\n")
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
    parser.add_argument("--quick", action="store_true", help="leave out the gap of ten seconds")
    options = parser.parse_args(words)
    command = options.consumer[1:] if options.consumer[:1] == ["--"] else options.consumer
    if not command:
        parser.error("the consumer's command is missing: check PLACE -- CONSUMER ...")
    results = Check(options.place, command, options.pattern, options.quick).run()
    for result in results:
        print(result, flush=True)
    return 0 if all(result.passed for result in results) else 1

"""The chain with real processes: hands and cockpits of the simulation in real time, a relay as their radio, and a program at a vehicle that is
stopped, goes on, is ended, killed and started again.

    python bridge/tests/sessions.py SESSIONS [SEED]

plays so many sessions, some at once, and prints what each has done wrong. In real time nobody knows exactly when a program has read a line;
so the judge here demands less than the simulation's, and leaves `SLACK` for a machine that has other things to do.
"""

import contextlib
import os
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path

from chain_cockpit import Clock, Cockpit, Habits, Radio, Run, Said, Touch, Weather
from chain_judge import LATE, LEAST, LINES, MOST

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "docs" / "examples"
SECONDS = 8.0  # Of a session.
SLACK = 0.3  # Seconds.
AT_ONCE = 6
LOOK = 0.05  # Seconds between two looks of a consumer at its own clock.


class RealClock(Clock):
    """The simulation's clock, which waits for what will happen, and reads what programs print meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.zero = time.monotonic()
        self.latest = 0.0  # Seconds by which something happened too late.
        self.readers: dict[int, "Vehicle"] = {}

    def run(self, end: float) -> None:
        while True:
            due = min(self._queue[0][0], end) if self._queue else end
            wait = due - (time.monotonic() - self.zero)
            for ready in select.select(list(self.readers), [], [], max(wait, 0))[0]:
                self.readers[ready].read()
            self.now = time.monotonic() - self.zero
            if self.now < due:
                continue
            if due >= end:
                return
            planned, _, action = self._pop()
            self.latest = max(self.latest, self.now - planned)
            action()


@dataclass
class Moving:
    """From when to when the vehicle has been told to move, and by the lines of which touch."""

    since: float
    until: float
    steering: float


@dataclass
class Vehicle:
    """A program at a vehicle, as a process: its port, what happens to it, and what it has commanded."""

    clock: RealClock
    kind: str
    folder: Path
    examples: Path = EXAMPLES
    port: int = 0
    moves: list[Moving] = field(default_factory=list)
    downs: list[tuple[float, float]] = field(default_factory=list)  # From its end until it listens again.
    pauses: list[tuple[float, float]] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)
    is_paused: bool = False
    is_up: bool = False
    is_ending: bool = False

    def __post_init__(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.down_since = self.clock.now
        self.start()

    def start(self) -> None:
        place, notes = f"udp:127.0.0.1:{self.port}", self.folder / "notes"
        words = (
            [str(HERE / "noting_bridge.py"), place, f"noting:{notes}"] if self.kind == "bridge"
            else [str(self.examples / "drive_consumer.py"), place])
        environment = os.environ | {"XDG_RUNTIME_DIR": str(self.folder), "STEERING": "1", "PYTHONPATH": str(HERE.parent / "src")}
        self.process = subprocess.Popen(
            [sys.executable, "-B", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        assert self.process.stdout is not None
        self.output, self.rest = self.process.stdout.fileno(), b""
        os.set_blocking(self.output, False)
        self.clock.readers[self.output] = self

    def listens(self) -> bool:
        """Whether the program has its socket: what is sent before is lost."""
        if not self.is_up and not self.is_ending and f": 0100007F:{self.port:04X} " in Path("/proc/net/udp").read_text():
            self.is_up = True
            self.downs.append((self.down_since, self.clock.now))
        return self.is_up

    # What it does.

    def read(self) -> None:
        """The consumer prints each change."""
        try:
            data = os.read(self.output, 65536)
        except BlockingIOError:
            return
        now = time.monotonic() - self.clock.zero
        if not data:
            self.clock.readers.pop(self.output, None)
            return
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            words = line.split()
            if words[:1] == [b"throttle"]:
                self._stands(now)
                if b"driving," in line and b"let go" not in line:
                    self.moves.append(Moving(now, float("inf"), float(words[3])))

    def _stands(self, now: float) -> None:
        if self.moves and self.moves[-1].until == float("inf"):
            self.moves[-1].until = now

    def finish(self) -> None:
        self.kill()
        notes = (self.folder / "notes").read_text() if self.kind == "bridge" else ""
        for line in notes.splitlines():
            at, what, *values = line.split()
            now = float(at) - self.clock.zero
            if what == "send" and float(values[0].split("/")[0]) != 0:
                steering = float(values[0].split("/")[1])
                if self.moves and self.moves[-1].steering == steering and self.moves[-1].until == float("inf"):
                    continue
                self._stands(now)
                self.moves.append(Moving(now, float("inf"), steering))
            elif what in ("send", "neutral", "abort", "close", "connect"):
                self._stands(now)
        self._stands(self.clock.now)
        # Who is stopped, or dead, commands nothing: the vehicle's own watchdog has stopped it.
        for since, _ in self.downs:
            for move in self.moves:
                move.until = since if move.since < since < move.until else move.until
        for since, until in self.pauses:
            for move in list(self.moves):
                if move.since < since < move.until:
                    self.moves.append(Moving(until, move.until, move.steering))
                    move.until = since
        self.moves = [each for each in self.moves if each.since < each.until]

    # What happens to it.

    def _send(self, number: int) -> None:
        """From now on what arrives is lost."""
        self.process.send_signal(number)
        self.resume()
        if self.is_up:
            self.is_up, self.down_since = False, time.monotonic() - self.clock.zero

    def _close(self) -> None:
        """It has ended."""
        while self.output in self.clock.readers and select.select([self.output], [], [], 0)[0]:
            self.read()
        self._stands(time.monotonic() - self.clock.zero)
        self.clock.readers.pop(self.output, None)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def kill(self) -> None:
        self._send(signal.SIGKILL)
        self.downs.append((self.down_since, float("inf")))
        self.process.wait()
        self._close()

    def restart(self, number: int, seconds: float) -> None:
        """Ends it by a signal; it is started again so many seconds after its end."""
        if self.is_ending or not self.is_up:
            return
        self._send(number)
        self.is_ending = True
        self.events[signal.Signals(number).name] += 1
        sent = self.clock.now

        def look() -> None:
            if self.process.poll() is None:
                if self.clock.now > sent + 2:
                    raise AssertionError(f"{signal.Signals(number).name} does not end it")
                return self.clock.at(self.clock.now + 0.01, look)
            self._close()
            self.clock.at(self.clock.now + seconds, start)

        def start() -> None:
            self.is_ending = False
            self.start()

        look()

    def pause(self, seconds: float) -> None:
        if self.is_paused or self.is_ending or not self.is_up:
            return
        self.process.send_signal(signal.SIGSTOP)
        self.is_paused, began, process = True, self.clock.now, self.process
        self.pauses.append((began, float("inf")))
        self.events["SIGSTOP"] += 1
        self.clock.at(began + seconds, lambda: self.resume() if self.process is process else None)

    def resume(self) -> None:
        if self.is_paused:
            self.is_paused = False
            self.pauses[-1] = self.pauses[-1][0], time.monotonic() - self.clock.zero
            self.process.send_signal(signal.SIGCONT)


class Session:
    """A vehicle, one or two cockpits with their radios, and the trouble that befalls them."""

    def __init__(self, clock: RealClock, seed: int, examples: Path = EXAMPLES, kind: str | None = None, stops_often: bool = False) -> None:
        self.clock, self.seed, self.dice = clock, seed, random.Random(seed)
        # A stop that is pressed, a vehicle that is started again, and another hand: seldom all three in eight seconds, unless asked for.
        self.stops_often = stops_often
        dice = self.dice
        self.folder = Path(tempfile.mkdtemp(prefix="cockpit-session-"))
        self.vehicle = Vehicle(clock, kind or dice.choice(["bridge", "consumer"]), self.folder, examples)
        self.arrived: list[tuple[float, Said]] = []
        self.touches: dict[float, Touch] = {}
        self.sockets: dict[Hashable, socket.socket] = {}
        for number in range(2 if stops_often else dice.choice([1, 1, 2])):
            self._begin_cockpit(number)
        restarts, pauses = (0.5, 0) if stops_often else (dice.choice([0, 0.15, 0.4]), dice.choice([0, 0.15, 0.4]))
        ends = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
        for chance, action in (
                (restarts, lambda: self.vehicle.restart(dice.choice(ends), dice.uniform(0.05, 1))),
                (pauses, lambda: self.vehicle.pause(dice.choice([dice.uniform(0.02, 0.3), dice.uniform(0.5, 2)])))):
            at = 1.0
            while chance and (at := at + dice.expovariate(chance)) < SECONDS:
                clock.at(clock.now + at, action)

    def _begin_cockpit(self, number: int) -> None:
        dice = self.dice
        weather = Weather(
            base=dice.uniform(0.001, 0.02), loss=dice.choice([0, 0, 0.02, 0.1]), twice=dice.choice([0, 0.05]),
            jitter=dice.choice([0, 0, 0.01, 0.05]), keeps_order=dice.random() < 0.6, straggles=dice.choice([0, 0, 0.05]),
            gaps=dice.choice([0, 0.3, 0.6]), longest=2, keeps_lines=dice.choice([0, 0.5]), queues=dice.choice([0, 0, 0.2]))
        radio = Radio(self.clock, dice, weather, f"127.0.1.{number + 2}", self._deliver)
        radio.is_fixed = True

        def say(said: Said) -> None:
            if said.touch is not None:
                self.touches[said.values[1]] = said.touch
            radio.send(said)

        habits = Habits(patience=dice.choice([0.7, 2]), loss=0.05, pause=0.03, kill=0.02, suspend=0.01)
        if self.stops_often:
            habits = Habits(patience=0.7, loss=0, stop=0.3, pause=0, kill=0.2, suspend=0)

        def start() -> None:
            Cockpit(
                self.clock, dice, radio, habits, True, dice.choice([10, 30, 50]), True, say, lambda run: None, lambda run: None)

        self.clock.at(self.clock.now + 0.4 + number * 0.1, start)

    def _deliver(self, said: Said, address: Hashable) -> None:
        """The radio's far end: the line reaches the vehicle, unless nothing listens there."""
        assert isinstance(address, tuple)
        if not self.vehicle.listens():
            return
        if address not in self.sockets:
            self.sockets[address] = made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            made.bind((address[0], 0))
            made.setblocking(False)
            made.connect(("127.0.0.1", self.vehicle.port))
        with contextlib.suppress(OSError):
            self.sockets[address].send(said.text)
            self.arrived.append((self.clock.now, said))

    def finish(self) -> list[str]:
        """Ends it; what has been wrong."""
        self.vehicle.finish()
        for each in self.sockets.values():
            each.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        return [f"seed {self.seed}, {self.vehicle.kind}: {each}" for each in Judge(self).faults()]


class Judge:
    """What a vehicle must not do, as far as it is certain."""

    def __init__(self, session: Session) -> None:
        self.arrived, self.touches, self.vehicle = session.arrived, session.touches, session.vehicle
        self.slack = SLACK + session.clock.latest

    @staticmethod
    def hold(run: Run) -> float:
        return min(max(LINES / run.rate, LEAST), MOST)

    def faults(self) -> list[str]:
        latches = self._latches()
        found = []
        for move in self.vehicle.moves:
            touch = self.touches.get(move.steering)
            if touch is None:
                found.append(f"{move.since:.3f}: it moves by a command that nobody gave")
                continue
            end, why = self._end(move, touch, latches)
            # While it stands still it can stop nothing.
            end = max([end, *(until for since, until in self.vehicle.pauses if since <= end + self.slack and end < until)])
            if move.since < touch.start - 0.01:
                found.append(f"{move.since:.3f}: it moves before the touch of {touch.start:.3f}")
            if move.until > end + self.slack and move.until - max(move.since, end) > 0.02:
                found.append(f"it moves from {move.since:.3f} to {move.until:.3f} by the touch of {touch.start:.3f}, although {why} at {end:.3f}")
            for since, until in latches:
                if move.since < until and move.until > since + self.slack and min(move.until, until) - max(move.since, since) > self.slack:
                    found.append(f"it moves from {move.since:.3f} to {move.until:.3f}, and a stop is latched from {since:.3f} to {until:.3f}")
        return found

    def _taken(self, at: float) -> float | None:
        """When the program has surely read what arrived at `at`; None if it may have died before."""
        for since, until in self.vehicle.pauses:
            at = until if since - 0.01 <= at < until else at
        return None if any(since - self.slack < at < until for since, until in self.vehicle.downs) else at

    def _latches(self) -> list[tuple[float, float]]:
        """From when to when an emergency stop is surely latched."""
        found = []
        known: set[tuple[Run, int]] = set()
        for number, (at, said) in enumerate(self.arrived):
            if said.press is None or (said.run, said.press) in known:
                continue
            known.add((said.run, said.press))
            taken = self._taken(at)
            before = any(each.run is said.run and each.sequence > said.sequence for _, each in self.arrived[:number])
            if taken is None or before:
                continue
            lifts = (when for when, each in self.arrived[number:] if each.reason == "released" and (each.run is said.run or each.lifts_others))
            found.append((taken, next(lifts, float("inf"))))
        return found

    def _is_known(self, touch: Touch, restart: float, move: Moving) -> bool:
        """Whether a program that was started again can know that the touch is older: a line that has come since was not late, too."""
        delays = (at - said.time for at, said in self.arrived if said.run is touch.run and restart <= at < move.since + 0.05)
        return touch.start < restart - self.hold(touch.run) - 1 / touch.run.rate - LATE - min(delays, default=0) - self.slack

    def _end(self, move: Moving, touch: Touch, latches: list[tuple[float, float]]) -> tuple[float, str]:
        """When the touch must move nothing any more, and why."""
        hold = self.hold(touch.run)
        ends = [
            (since, "the program ended") for since, until in self.vehicle.downs
            if touch.start < since and (move.since < until or self._is_known(touch, until, move))]
        ends += [
            (since, "the program stood still") for since, until in self.vehicle.pauses
            if touch.start < since and until - since > hold + LOOK + self.slack]
        ends += [(since, "an emergency stop was pressed") for since, _ in latches if touch.start < since]
        newest, floor, last = 0, float("inf"), None
        for at, said in self.arrived:
            if said.run is not touch.run or said.sequence <= newest:
                continue
            newest = said.sequence
            floor = min(floor, at - said.time)
            if said.touch is not touch:
                continue
            if last is not None and at - last > hold + self.slack:
                ends.append((last + hold, f"there was a gap of {at - last:.3f} s"))
            if at - said.time - floor > LATE + self.slack:
                ends.append((at, "its lines were late"))
                continue
            last = at
        if last is not None:
            ends.append((last + hold, "its last line was over"))
        ends.append((touch.end + hold + LATE + (floor if floor < float("inf") else 0), "the hand let go"))
        return min(ends)


@dataclass
class Sum:
    """What sessions came to."""

    sessions: int = 0
    faults: list[str] = field(default_factory=list)
    moved: float = 0.0
    lines: int = 0
    events: Counter[str] = field(default_factory=Counter)
    latest: float = 0.0


def play(
        count: int, seed: int, examples: Path = EXAMPLES, kind: str | None = None, at_once: int = AT_ONCE, stops_often: bool = False) -> Sum:
    """Plays `count` sessions from `seed`, `at_once` at a time."""
    total = Sum()
    for first in range(seed, seed + count, at_once):
        clock = RealClock()
        running = [Session(clock, number, examples, kind, stops_often) for number in range(first, min(first + at_once, seed + count))]
        clock.run(clock.now + SECONDS)
        for each in running:
            total.faults += each.finish()
            total.sessions += 1
            total.moved += sum(min(move.until, clock.now) - move.since for move in each.vehicle.moves)
            total.lines += len(each.arrived)
            total.events += each.vehicle.events
        total.latest = max(total.latest, clock.latest)
    return total


def main() -> int:
    # What is ignored at the start of a program stays ignored: nohup's SIGHUP, a background job's SIGINT and SIGQUIT.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**31)
    total = play(count, seed)
    print("\n".join(total.faults), end="\n" if total.faults else "")
    print(
        f"sessions: seed {seed}, {total.sessions} of {SECONDS:.0f} s, {total.lines} lines, {len(total.faults)} faults, in motion for "
        f"{total.moved / (total.sessions * SECONDS):.0%}; {dict(total.events)}; at most {total.latest * 1000:.0f} ms late")
    return bool(total.faults)


if __name__ == "__main__":
    sys.exit(main())

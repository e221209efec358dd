"""Lines that a real cockpit has said, with the truth of the hand: sessions of the adversary of the cockpit's own tests
(Tests/CockpitTests/Adversary/LineTape.swift has the format), for the chain's simulation.
"""

import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chain_cockpit import Clock, Radio, Run, Said, Touch

COCKPIT = 0.55  # Seconds in which a cockpit itself notices the end of a hold: a compositor that froze for 300 ms, a loop that hung for 200.


class BadRecording(ValueError):
    """A file that no adversary wrote, or in which a cockpit has driven without a hand."""


@dataclass(frozen=True)
class Line:
    """A line, and what is true of it. Times in seconds of the cockpit's clock."""

    at: float  # When it went out.
    time: float  # What it says.
    identifier: str
    sequence: int
    state: str
    reason: str
    values: tuple[float, float, bool]
    press: int | None
    since: float
    drive: int  # The number of its drive, from 0; -1 at rest.
    text: bytes


@dataclass(frozen=True)
class Drive:
    """From a touch to the end that the cockpit noticed, or to the lift of the last hand if that was before."""

    start: float
    end: float


@dataclass
class Recording:
    """A session."""

    number: int
    is_dead_man: bool
    lines: list[Line]
    drives: list[Drive]


def read(path: Path) -> list[Recording]:
    """The sessions of a file. Throws BadRecording."""
    made: list[Recording] = []
    entries: list[tuple[float, str]] = []
    for number, entry in enumerate([*path.read_text().splitlines(), "0 session end end"], 1):
        time, _, rest = entry.partition(" ")
        if not time.isdigit():
            raise BadRecording(f"{path}:{number}: no time")
        if not rest.startswith("session "):
            entries.append((int(time) / 1e6, rest))
            continue
        if made:
            _fill(made[-1], entries)
        elif entries:
            raise BadRecording(f"{path}:1: no session")
        _, name, rule = rest.split(" ")
        if rule != "end":
            made.append(Recording(int(name), rule == "dead-man", [], []))
        entries = []
    return [each for each in made if each.lines]


def _fill(made: Recording, entries: list[tuple[float, str]]) -> None:
    is_held, let_go = False, -math.inf
    start = end = math.inf
    for at, rest in entries:
        if rest.startswith("hand "):
            is_held = rest == "hand 1"
            let_go = let_go if is_held else at
            if start < math.inf and made.is_dead_man:
                end = math.inf if is_held else at
            continue
        fields = json.loads(rest)
        before = made.lines[-1] if made.lines else None
        is_driving = fields["state"] == "driving"
        if is_driving and start == math.inf:
            start, end = at, math.inf
        elif not is_driving and start < math.inf:
            made.drives.append(Drive(start, min(end, at)))
            start = math.inf
        if is_driving and made.is_dead_man and not is_held and at - let_go > COCKPIT:
            raise BadRecording(f"session {made.number}, line {fields['seq']}: the cockpit drives, and no hand has held for {at - let_go:.3f} s")
        is_new = before is None or (before.state, before.reason, before.press) != (fields["state"], fields["reason"], fields.get("press"))
        made.lines.append(Line(
            at, fields["t"], fields["id"], fields["seq"], fields["state"], fields["reason"],
            (fields["throttle"], fields["steering"], fields["horn"]), fields.get("press"), at if before is None or is_new else before.since,
            len(made.drives) if is_driving else -1, rest.encode() + b"\n"))
    if start < math.inf:
        made.drives.append(Drive(start, min(end, entries[-1][0])))


class Player:
    """A cockpit that says what a recorded one has said, from anywhere in its session, until its program is killed; then the next one does.

    Its clock starts anywhere and drifts; each start has identifiers of its own.
    """

    def __init__(
            self, clock: Clock, dice: random.Random, radio: Radio, recordings: list[Recording], say: Callable[[Said], None],
            ended: Callable[[Run], None]) -> None:
        self.clock, self.dice, self.recordings = clock, dice, recordings
        self.say, self.ended = say, ended
        self.drift = dice.uniform(-2e-4, 2e-4)
        radio.is_fixed = False
        self.life = 0
        self._start()

    def _start(self) -> None:
        dice = self.dice
        self.recording = recording = dice.choice(self.recordings)
        self.place = dice.choice([0, dice.randrange(len(recording.lines))])
        self.start, self.origin = self.clock.now, recording.lines[self.place].at
        self.runs: dict[str, Run] = {}
        self.touches: dict[int, Touch] = {}
        self.life += 1
        life = self.life
        self.clock.at(self.clock.now + dice.expovariate(1 / 15), lambda: self._kill() if self.life == life else None)
        self._plan()

    def _true(self, time: float) -> float:
        """The true time of a time of the cockpit's clock."""
        return self.start + (time - self.origin) / (1 + self.drift)

    def _plan(self) -> None:
        if self.place >= len(self.recording.lines):
            return self._kill()
        life = self.life
        self.clock.at(self._true(self.recording.lines[self.place].at), lambda: self._say() if self.life == life else None)

    def _touch(self, number: int, run: Run) -> Touch:
        if number not in self.touches:
            drive = self.recording.drives[number]
            self.touches[number] = Touch(run, number, self._true(drive.start), self._true(drive.end), slack=COCKPIT)
        return self.touches[number]

    def _say(self) -> None:
        line = self.recording.lines[self.place]
        self.place += 1
        if line.identifier not in self.runs:
            self.runs[line.identifier] = Run(f"{self.dice.getrandbits(32):08x}", json.loads(line.text)["rate"], True)
        run = self.runs[line.identifier]
        assert run.identifier is not None
        self.say(Said(
            run, line.sequence, self._true(line.time), line.state, line.reason, line.values,
            self._touch(line.drive, run) if line.drive >= 0 else None, line.press, self._true(line.since), False,
            line.text.replace(line.identifier.encode(), run.identifier.encode(), 1)))
        self._plan()

    def _kill(self) -> None:
        """The program dies without a word, and is started again."""
        self.life += 1
        for touch in self.touches.values():
            touch.end = min(touch.end, self.clock.now)
        if self.runs:
            self.ended(list(self.runs.values())[-1])
        self.clock.at(self.clock.now + self.dice.uniform(0.1, 3), self._start)

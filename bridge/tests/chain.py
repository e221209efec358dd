"""The chain from hands to the vehicle in virtual time: cockpits, a radio that does what radios do, and the programs that run at vehicles.

    python bridge/tests/chain.py [LINES [SEED]] [--recorded FILE]

plays sessions until so many lines have arrived, and prints each violation with the seed that plays its session again. With --recorded most
cockpits say what real ones have said to their adversary (chain_recorded.py). The rules are in
chain_judge.py; the programs are those that run on vehicles (chain_hosts.py).
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from chain_cockpit import Clock, Cockpit, Habits, Radio, Run, Said, Strangers, Violation, Weather
from chain_hosts import HOSTS, STREAM, Programs, vehicle
from chain_judge import Judge
from chain_recorded import Player, Recording, read

SECONDS = 20.0  # Of a session.


@dataclass
class Outcome:
    """What a session came to."""

    lines: int
    seconds: float
    moved: float
    owed: int
    violation: str = ""
    armed: float = 0.0


def weather(dice: random.Random) -> Weather:
    """The radio of a session: calm, or with some of its faults."""
    made = Weather(base=dice.uniform(0.001, 0.04))
    if dice.random() < 0.2:
        return made
    if dice.random() < 0.5:
        made.loss, made.twice = dice.choice([0.01, 0.05, 0.2]), dice.choice([0, 0.05])
    if dice.random() < 0.5:
        made.jitter, made.keeps_order = dice.choice([0.002, 0.01, 0.05, 0.15]), dice.random() < 0.4
    if dice.random() < 0.3:
        made.straggles = dice.choice([0.01, 0.1])
    if dice.random() < 0.6:
        made.gaps, made.longest, made.keeps_lines = dice.choice([0.1, 0.3, 1]), dice.choice([0.5, 2, 10]), dice.choice([0, 0.3, 1])
        made.moves = dice.choice([0, 0.3])
    if dice.random() < 0.3:
        made.queues = dice.choice([0.1, 0.5])
    return made


def habits(dice: random.Random) -> Habits:
    made = Habits(patience=dice.choice([0.2, 0.5, 1]))
    for name in ("loss", "stop", "pause", "kill", "suspend", "horn", "lift_others"):
        if dice.random() < 0.5:
            setattr(made, name, 0.0)
    if dice.random() < 0.25:
        made.stop, made.lift_others, made.patience = 0.25, 0.3, 0.2
    return made


class Session:
    """One vehicle, one to three cockpits, for some seconds of virtual time."""

    def __init__(self, seed: int, programs: Programs, kind: str | None = None, recordings: list[Recording] | None = None) -> None:
        self.dice = dice = random.Random(seed)
        self.clock = Clock()
        kind = kind or dice.choice(["bridge", "bridge", "consumer", "can", "ros"])
        self.is_stream, is_file = dice.random() < 0.1, dice.random() < 0.04
        hold = dice.choice([None, None, None, 0.15, 0.3, 0.5])
        # Dice of their own: the sessions without a vehicle file are the same as before there were any.
        self.beside = random.Random(f"beside {seed}")
        has_vehicle, disarms = kind == "bridge" and self.beside.random() < 0.5, self.beside.random() < 0.5
        self.judge = Judge(fixed=hold, forbidden="a file" if is_file else "", disarms=disarms)
        self.host = HOSTS[kind](self.clock, dice, self.judge, programs, hold, is_file, vehicle(disarms) if has_vehicle else None)
        self.strangers = Strangers(
            garbage=dice.choice([0, 0, 0, 0.1]), floods=dice.choice([0, 0, 0, 0.1]))
        self.restarts, self.pauses, self.lost_links = (dice.choice([0, 0, 0.1, 0.3]) for _ in range(3))
        self.sent: list[Said] = []
        count = 1 if self.is_stream else dice.choice([1, 1, 2, 3])
        for number in range(count):
            self._begin_cockpit(number, recordings if recordings and dice.random() < 0.8 else None, has_vehicle)
        self._plan_trouble()

    def _begin_cockpit(self, number: int, recordings: list[Recording] | None, has_vehicle: bool) -> None:
        dice = self.dice
        has_identifier = dice.random() < 0.75
        host = "192.0.2.1" if dice.random() < 0.3 else f"192.0.2.{number + 2}"
        radio = Radio(
            self.clock, dice, Weather(base=0.0005) if self.is_stream else weather(dice), host,
            lambda said, address: self.host.deliver(said, STREAM if self.is_stream else address))

        def say(said: Said) -> None:
            self.sent = [*self.sent[-99:], said]
            radio.send(said)

        def ended(_: Run) -> None:
            if self.is_stream:
                self.clock.at(self.clock.now + 0.001, self.host.end_stream)

        if recordings is not None:
            Player(self.clock, dice, radio, recordings, say, ended)
            return
        Cockpit(
            self.clock, dice, radio, habits(dice), has_identifier, dice.choice([5, 5, 10, 20, 30, 30, 50]),
            has_identifier or dice.random() < 0.5, say, lambda run: None, ended,
            self.beside if has_vehicle else None)

    def _plan_trouble(self) -> None:
        """What happens to the vehicle's program, and what strangers send."""
        dice, host = self.dice, self.host
        chances = (
            (self.restarts, lambda: host.kill(dice.uniform(0.05, 3))),
            (self.pauses, lambda: host.pause(dice.choice([dice.uniform(0.01, 0.4), dice.uniform(0.2, 4)]))),
            (self.lost_links, lambda: host.lose_link(dice.uniform(0.1, 4))),
            (self.strangers.garbage, self._garbage), (self.strangers.floods, self._flood))
        for chance, action in chances:
            time = 0.0
            while chance and (time := time + dice.expovariate(chance)) < SECONDS:
                self.clock.at(time, action)

    def _garbage(self) -> None:
        address = STREAM if self.is_stream else ("192.0.2.250", 9)
        self.host.deliver(self.dice.choice(self.strangers.lines), address)

    def _flood(self) -> None:
        """Lines of before, very often: a loop in the network."""
        if self.sent and not self.is_stream:
            # Without an id, lines from there are those of a third cockpit.
            newest = [each for each in self.sent[-9:] if each.run.identifier is not None] or self.sent[:1]
            for each in [self.dice.choice(self.sent), *self.dice.choices(newest, k=300)]:
                self.host.deliver(each, ("192.0.2.251", 9))

    def play(self) -> Outcome:
        violation = ""
        try:
            self.clock.run(SECONDS)
        except Violation as found:
            violation = str(found)
        judge = self.judge
        return Outcome(judge.lines, self.clock.now, judge.moved, judge.owed, violation, judge.was_armed)


def play(
        lines: int, seed: int, programs: Programs | None = None, kind: str | None = None, is_first: bool = True,
        recordings: list[Recording] | None = None) -> tuple[Outcome, int]:
    """Plays sessions until `lines` lines have arrived or, with `is_first`, a violation is found. Returns the sum, and the last seed."""
    programs = programs or Programs()
    total = Outcome(0, 0, 0, 0)
    while total.lines < lines:
        found = Session(seed, programs, kind, recordings).play()
        total.lines += found.lines
        total.seconds += found.seconds
        total.moved += found.moved
        total.owed += found.owed
        total.armed += found.armed
        if found.violation:
            total.violation += f"seed {seed}: {found.violation}\n"
            if is_first:
                break
        seed += 1
    return total, seed


def main() -> int:
    options = argparse.ArgumentParser(description="Plays the chain from hands to the vehicle.")
    options.add_argument("lines", nargs="?", type=int, default=30_000)
    options.add_argument("seed", nargs="?", type=int, default=random.SystemRandom().randrange(2**31))
    options.add_argument("--recorded", type=Path, metavar="FILE")
    found = options.parse_args()
    lines, seed = found.lines, found.seed
    recordings = read(found.recorded) if found.recorded else None
    print(f"chain: seed {seed}", flush=True)
    start = time.monotonic()
    total, last = play(lines, seed, is_first=False, recordings=recordings)
    violations = total.violation.splitlines()
    print("\n".join(violations[:20]), end="\n" if violations else "")
    print(
        f"chain: seed {seed}, {total.lines} lines in {last - seed} sessions, {len(violations)} violations, "
        f"{total.moved / total.seconds:.0%} of {total.seconds / 3600:.1f} hours in motion, {total.armed / total.seconds:.0%} armed, "
        f"{total.lines / (time.monotonic() - start):.0f} lines a second")
    return bool(violations)


if __name__ == "__main__":
    sys.exit(main())

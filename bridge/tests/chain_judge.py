"""The judge of the chain's simulation: knows what hands do, and what has arrived, and demands of the vehicle what docs/drive.md promises.

It has a second, simpler account of the contract. Where that is not certain, it demands nothing: a vehicle that stands is in doubt right.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass, field

from chain_cockpit import Hold, Run, Said, Touch, Violation

LEAST, MOST, LATE = 0.150, 0.500, 0.250  # Seconds, as the contract has them.
RELEASE = 1.0  # Seconds for which a release is repeated.
LINES = 3  # Lines that may be lost in a row.
RISE = 0.0007  # Seconds a second by which delays may rise unnoticed: 0.0005, and the clocks' own drift.
FEW = 10  # Senders that are surely remembered.
KEPT = 0.020  # Seconds by which the smallest delay that a program keeps over a restart may be too great.
EXACT = 1e-6


@dataclass(eq=False)
class Ear:
    """What has arrived in order from one sender: an id, or an address without one."""

    run: Run
    address: Hashable
    newest: int = 0
    line: Said | None = None
    arrived: float = -math.inf
    rested: float = -math.inf  # When its newest line that does not drive arrived.
    released: float = -math.inf  # When its newest line of a release was said.
    floor: float = math.inf  # The smallest delay, as high as a consumer may believe it to be.
    least: float = math.inf  # The smallest delay.
    is_plain: bool = True  # Nothing unusual has happened to this sender, so that the vehicle must obey it.
    count: int = 0
    horn: bool = False  # Its newest line may sound it.

    def delays(self, delay: float, now: float) -> None:
        self.count += 1
        # Without an id a first line tells no delay: it may be of a sender without a clock.
        if self.run.identifier is not None or self.count > 1:
            self.floor = min(self.floor + RISE * (now - self.arrived if math.isfinite(self.floor) else 0), delay)
            self.least = min(self.least, delay)


@dataclass
class Judge:
    """Takes what arrives and what the vehicle is told, each with the time. Throws `Violation`."""

    fixed: float | None = None  # The lease, if an option fixes it.
    forbidden: str = ""  # Nothing may move at all.
    disarms: bool = False  # A lease that ran out does.
    ears: dict[tuple[Hashable, Hashable], Ear] = field(default_factory=dict)
    stops: dict[tuple[Hashable, Hashable], tuple[int, float]] = field(default_factory=dict)  # Surely latched: press and true time.
    doubts: set[tuple[Hashable, Hashable]] = field(default_factory=set)  # Perhaps latched.
    lifted: dict[Hashable, int] = field(default_factory=dict)
    reset_at: float = -math.inf
    began: float = -math.inf  # When the vehicle's program was started again.
    mover: Ear | None = None  # Who surely drives.
    moves: Touch | None = None
    horn: bool = False
    since: float = 0.0
    armed: Hold | None = None  # Whose step has armed the vehicle.
    winch: bool = False
    pan: float = 0.0
    is_told: bool = False  # The program runs, so that it can disarm.
    was_armed: float = 0.0  # Seconds in all.
    moved: float = 0.0  # Seconds in all.
    lines: int = 0
    owed: int = 0  # How often the vehicle had to move, and did.

    # The lease.

    def longest(self, run: Run) -> float:
        """Seconds that a line may hold at most."""
        return self.fixed or (min(max(LINES / run.rate, LEAST), MOST) if run.tells_rate else MOST)

    def shortest(self, run: Run) -> float:
        """Seconds that a line holds at least."""
        return self.fixed or (self.longest(run) if run.tells_rate else LEAST)

    def start_slack(self, ear: Ear) -> float:
        """Seconds by which a touch may be older than its first line's arrival: a few lost lines, and their delay."""
        rate = ear.run.rate
        return max(LINES / rate, self.longest(ear.run)) + 1 / rate + LATE + ear.floor + EXACT

    # What arrives.

    @staticmethod
    def key(run: Run, address: Hashable) -> tuple[Hashable, Hashable]:
        return (run.identifier, None) if run.identifier is not None else (run, address)

    def arrived(self, said: Said, address: Hashable, now: float) -> None:
        """A line is taken by the vehicle's program."""
        self._until(now)
        self.lines += 1
        key = self.key(said.run, address)
        ear = self.ears.get(key)
        if ear is None:
            ear = self.ears[key] = Ear(said.run, address)
            same = [each for each in self.ears.values() if each.address == address and each.run.identifier is None]
            if said.run.identifier is None and len(same) > 1:
                for each in same:
                    self._spoil(each)
        is_stop = said.reason == "emergency-stop"
        if is_stop:
            self._stop(key, said)
        if said.sequence <= ear.newest:
            return
        before = ear.line
        is_next = before is not None and said.sequence == ear.newest + 1
        delay = now - said.time
        if ear.is_plain:
            ear.delays(delay, now)
        # What was said before a restart of the program is as good as late.
        is_of_before = ear.is_plain and len(self.ears) <= FEW and said.time + ear.floor < self.began - EXACT
        is_surely_late = delay - ear.floor > LATE + EXACT or is_of_before
        # Of two cockpits at one address nobody knows how late they are.
        may_be_late = not ear.is_plain or delay - ear.least > LATE - 0.001 or said.time < self.began
        gap = now - ear.arrived
        drove = before is not None and before.state == "driving"
        is_gap = before is not None and (before.holds or drove) and gap >= self.longest(said.run) + EXACT
        ear.newest, ear.line, ear.arrived, ear.horn = said.sequence, said, now, said.values[2] and not is_surely_late
        if may_be_late or said.state != "driving":
            if self.mover is ear:
                self.mover = None
        if said.state != "driving":
            ear.rested = -math.inf if may_be_late else now
            if said.state == "ready":
                is_first = before is None or before.since != said.since
                is_apart = said.time > ear.released + RELEASE + 2 / said.run.rate
                if said.reason == "released":
                    ear.released = said.time
                self._lift(key, said, is_next and not may_be_late, is_first and is_apart)
            self._hear_beside(ear, said, now, is_gap or is_surely_late)
            return
        self._hear_beside(ear, said, now, is_gap or is_surely_late)
        touch = said.touch
        assert touch is not None
        if is_surely_late:
            touch.broken = touch.broken or "its lines were late"
        if drove and gap >= self.longest(said.run) + EXACT:
            touch.broken = touch.broken or f"a gap of {gap:.3f} s"
        if touch.heard == -math.inf and now - touch.start > self.start_slack(ear):
            touch.broken = touch.broken or f"it began {now - touch.start:.3f} s before its first line came"
        if self.stops:
            touch.broken = touch.broken or "an emergency stop was pressed"
        if self.mover is not None and self.mover.run is not said.run and (
                now < self.mover.arrived + self.shortest(self.mover.run) - EXACT):
            touch.broken = touch.broken or "another cockpit drove"
        if touch.heard == -math.inf:
            touch.delay = delay
            touch.flows = (
                any(said.values[:2]) and ear.is_plain and is_next and not drove and ear.rested > self.reset_at and not may_be_late
                and not self.doubts and not touch.broken and len(self.ears) <= FEW and not any(
                    each is not ear and each.line is not None and each.line.state == "driving" and now - each.arrived <= MOST + EXACT
                    for each in self.ears.values()))
        elif gap >= self.shortest(said.run) - EXACT or may_be_late or touch.delay - ear.least > LATE - 0.001:
            touch.flows = False
            if self.mover is ear and touch.delay - ear.least > LATE - 0.001:
                self.mover = None  # Its touch turns out to have been late, so that the vehicle may be anybody's.
        touch.heard = now

    def _hear_beside(self, ear: Ear, said: Said, now: float, is_broken: bool) -> None:
        """What the line says of arm and the winch: a hold that was there in a gap, or began in one, does nothing any more."""
        for hold, is_arm in ((said.arm, True), (said.winch, False)):
            if hold is None:
                continue
            is_first = hold.heard == -math.inf
            if is_first and now - hold.start > self.start_slack(ear):
                hold.broken = hold.broken or "it began among lines that were lost"
            if is_first and is_arm and said.state == "driving":
                hold.broken = hold.broken or "it was first heard of in mid-drive"
            if self.stops:
                hold.broken = hold.broken or "an emergency stop was pressed"
            if is_broken and (not is_arm or self.disarms or is_first):
                hold.broken = hold.broken or "its lines were late, or came after a gap"
            hold.heard = now

    def _break_beside(self, why: str, disarms: bool) -> None:
        for ear in self.ears.values():
            if ear.line is not None and ear.line.winch is not None:
                ear.line.winch.broken = ear.line.winch.broken or why
            if ear.line is not None and ear.line.arm is not None and disarms:
                ear.line.arm.broken = ear.line.arm.broken or why

    @staticmethod
    def _spoil(ear: Ear) -> None:
        """Lines of two cockpits without an id come from one address: nothing tells how late they are."""
        ear.is_plain, ear.floor, ear.least = False, math.inf, math.inf
        if ear.line is not None and ear.line.touch is not None:
            ear.line.touch.flows = False

    def _break(self, why: str) -> None:
        """Everybody who drives must let go."""
        self.mover = None
        for ear in self.ears.values():
            if ear.line is not None and ear.line.touch is not None:
                ear.line.touch.broken = ear.line.touch.broken or why
                ear.line.touch.flows = False

    def _stop(self, key: tuple[Hashable, Hashable], said: Said) -> None:
        if said.press is not None and said.press <= self.lifted.get(key, 0):
            return
        self.stops[key] = max(self.stops.get(key, (0, 0.0)), (said.press or 0, said.since))
        self.doubts.add(key)
        self._break("an emergency stop was pressed")
        self._break_beside("an emergency stop was pressed", True)

    def _lift(self, key: tuple[Hashable, Hashable], said: Said, is_clean: bool, is_first: bool) -> None:
        if said.reason not in ("released", "none") or said.reason == "none" and said.run.identifier is not None:
            return
        ear = self.ears[key]
        if said.lifts_others:
            # A stop that was pressed after the hand's release is not what it released.
            lifted = [each for each, (_, since) in self.stops.items() if since < said.since + self.start_slack(ear)]
        elif said.run.identifier is not None:
            lifted = [key] if key in self.stops else []
        else:
            # From one host, none is told from another.
            lifted = [each for each in self.stops if isinstance(each[0], Run) and _host(each[1]) == _host(ear.address)]
        for each in lifted:
            press = self.stops.pop(each)[0]
            self.lifted[each] = max(press, self.lifted.get(each, 0))
        if not said.lifts_others:
            self.doubts -= {key} if is_clean else set()
        elif is_first and is_clean and not any(each == key or self._are_of_one_host(each, key) for each in self.doubts):
            self.doubts.clear()

    def _are_of_one_host(self, stop: tuple[Hashable, Hashable], key: tuple[Hashable, Hashable]) -> bool:
        return key[1] is not None and stop[1] is not None and _host(stop[1]) == _host(key[1])

    def reset(self, now: float, why: str) -> None:
        """Whoever drives must let go: garbage, a lost link, a program that stood still."""
        self._break(why)
        self._break_beside(why, self.disarms or "link" in why)
        self.reset_at = now

    def excuse(self) -> None:
        """The program may have noticed something that is none of the contract's gaps."""
        self.mover = None
        for ear in self.ears.values():
            ear.rested = -math.inf
            if ear.line is not None and ear.line.touch is not None:
                ear.line.touch.flows = False

    def ended(self, address: Hashable, now: float) -> None:
        """A stream is over."""
        self._until(now)
        gone = [key for key, ear in self.ears.items() if ear.address == address]
        for key in gone:
            line = self.ears.pop(key).line
            if line is not None and line.touch is not None:
                line.touch.broken = line.touch.broken or "the stream ended"
        if self.mover is not None and self.mover.address == address:
            self.mover = None

    def restarted(self, now: float) -> None:
        """The vehicle's program was killed, and is there again: a stop outlives it, and how fast each sender's lines were.

        It cannot tell that lines are old if all that it has ever heard of their sender are as late.
        """
        self.excuse()
        self._break_beside("the program was started again", True)
        for ear in self.ears.values():
            if ear.line is not None and ear.line.touch is not None:
                ear.line.touch.broken, ear.line.touch.heard = "", -math.inf
            ear.line, ear.newest, ear.floor, ear.horn = None, 0, ear.floor + KEPT, False
        self.reset_at = self.began = now

    # What the vehicle does.

    def stands(self, now: float) -> None:
        """The program does not run, or has no link: the vehicle's own watchdog has stopped it."""
        self._until(now)
        self.moves, self.mover, self.horn = None, None, False
        self.winch, self.pan, self.is_told = False, 0.0, False

    def acts_beside(self, command: object, now: float) -> None:
        """The vehicle has these channels from now on, and is armed or not. Called after `acts`."""
        values, is_driven = dict(command.channels), command.driving  # type: ignore[attr-defined]
        is_armed, self.winch, self.pan = bool(command.arm), values["winch"] == 1, values["pan"]  # type: ignore[attr-defined]
        if not all(each.is_plain for each in self.ears.values()):
            self.armed = None
            return
        if (is_armed or self.winch or self.pan) and self.stops:
            raise Violation(f"{now:.3f}: armed {is_armed}, winch {self.winch}, pan {self.pan}, although an emergency stop is latched")
        lines = [each.line for each in self.ears.values() if each.line is not None]
        if is_armed:
            ears = sorted((each for each in self.ears.values() if each.line is not None), key=lambda each: each.arrived)
            steps = [each.line.arm for each in ears if each.line.arm is not None and not each.line.arm.broken]  # type: ignore[union-attr]
            if not steps:
                whys = [each.arm.broken for each in lines if each.arm is not None]
                raise Violation(f"{now:.3f}: it is armed, and nobody has armed it: {whys}")
            if (self.armed is None or self.armed.broken) and is_driven:
                raise Violation(f"{now:.3f}: it is armed together with a drive")
            if self.mover is not None and self.mover.line is not None and self.mover.line.arm not in steps:
                raise Violation(f"{now:.3f}: it is armed, and another drives")
            self.armed = self.armed if self.armed in steps else steps[-1]
        else:
            self.armed = None
        if self.winch and not any(each.winch is not None and not each.winch.broken for each in lines):
            raise Violation(f"{now:.3f}: the winch runs, and nobody has a button pressed: {[each.winch.broken for each in lines if each.winch]}")
        if self.pan and not any(each.pan == self.pan for each in lines):
            raise Violation(f"{now:.3f}: the camera is at {self.pan}, which is nobody's newest word")
        self.is_told = True
        self._until_beside(now)

    def _until_beside(self, now: float) -> None:
        """What is not safe must not outlast its sender."""
        for what, is_on, says in (
                ("winch", self.winch, lambda line: line.winch is not None), ("camera", self.pan != 0, lambda line: line.pan == self.pan),
                ("arming", self.armed is not None and self.disarms and self.is_told, lambda line: line.arm is self.armed)):
            ears = [each for each in self.ears.values() if each.line is not None and says(each.line)]
            if is_on and now > EXACT + max((each.arrived + self.longest(each.run) for each in ears), default=-math.inf):
                raise Violation(f"{now:.3f}: the {what} outlasts its lease")

    def acts(self, command: object, now: float, is_owed: bool = True) -> None:
        """The vehicle does this from now on. `is_owed`: it must be what a driver wants who has done everything right."""
        self._until(now)
        values = command.throttle, command.steering, command.horn  # type: ignore[attr-defined]
        self.horn = values[2]
        if command.driving:  # type: ignore[attr-defined]
            gear, throttle = command.gear, values[0]  # type: ignore[attr-defined]
            if command.brake != (gear == "N") or throttle and (gear == "R") != (throttle < 0):  # type: ignore[attr-defined]
                raise Violation(f"{now:.3f}: {command} is no command that was given")
            self.moves = self._judge(values, now).touch  # type: ignore[union-attr]
        else:
            self.mover = None
            if values[:2] != (0.0, 0.0) or not command.brake:  # type: ignore[attr-defined]
                raise Violation(f"{now:.3f}: {command} is not neutral")
            self.moves = None
        if self.horn and all(each.is_plain for each in self.ears.values()) and not any(each.horn for each in self.ears.values()):
            raise Violation(f"{now:.3f}: the horn sounds, and nobody has it pressed")
        if is_owed:
            self._demand(values, now)

    def _judge(self, values: tuple[float, float, bool], now: float) -> Said:
        if self.forbidden:
            raise Violation(f"{now:.3f}: it moves by {self.forbidden}")
        found = [each for each in self.ears.values() if each.line is not None and each.line.touch and each.line.values == values]
        if not found:
            raise Violation(f"{now:.3f}: it moves by {values}, which is nobody's newest command")
        wrongs = [(self._wrong(each, now), each) for each in found]
        right = [each for wrong, each in wrongs if not wrong]
        if not right:
            raise Violation(f"{now:.3f}: {wrongs[0][0]}")
        # Two hands may command the same.
        ear = self.mover if self.mover in right else max(right, key=lambda each: each.arrived)
        self.mover = ear if len(found) == 1 or ear is self.mover else None
        assert ear is not None and ear.line is not None
        return ear.line

    def _wrong(self, ear: Ear, now: float) -> str:
        """Why the newest line of `ear` must move nothing now."""
        assert ear.line is not None and ear.line.touch is not None
        touch = ear.line.touch
        if touch.broken:
            return f"it moves by the touch of {touch.start:.3f}, although {touch.broken}"
        if self.stops:
            return "it moves, although an emergency stop is latched"
        if now > ear.arrived + self.longest(ear.run) + EXACT:
            return f"it moves by a line of {ear.arrived:.3f}, which is over"
        if touch.start < self.reset_at - self.start_slack(ear) - RISE * (now - touch.start):
            return f"it moves by the touch of {touch.start:.3f}, and all had to let go at {self.reset_at:.3f}"
        if self.mover is not None and self.mover.run is not ear.run and (
                now < self.mover.arrived + self.shortest(self.mover.run) - EXACT):
            return "a second driver moves it"
        return ""

    def _until(self, now: float) -> None:
        """What the vehicle has done until now was allowed for so long."""
        since, self.since = self.since, now
        if now <= since:
            return
        if self.armed is not None and self.is_told:
            self.was_armed += now - since
        if all(each.is_plain for each in self.ears.values()):
            self._until_beside(now)
        if self.horn and all(each.is_plain for each in self.ears.values()) and now > EXACT + max(
                (each.arrived + self.longest(each.run) for each in self.ears.values() if each.horn), default=since):
            raise Violation(f"{now:.3f}: the horn sounded for too long")
        if self.moves is None:
            return
        self.moved += now - since
        touch, ear = self.moves, next(
            (each for each in self.ears.values() if each.line is not None and each.line.touch is self.moves), None)
        if ear is None:
            return
        hold = self.longest(touch.run)
        if now > ear.arrived + hold + EXACT:
            raise Violation(f"{now:.3f}: it moved for {now - ear.arrived:.3f} s after a line, and the lease is {hold:.3f} s")
        if now > touch.end + touch.slack + hold + LATE + ear.floor + EXACT:
            raise Violation(f"{now:.3f}: it moved {now - touch.end:.3f} s after the hand let go")

    def _demand(self, values: tuple[float, float, bool], now: float) -> None:
        """Who has done everything right is obeyed."""
        if self.forbidden:
            return
        for ear in self.ears.values():
            line = ear.line
            if line is None or line.touch is None or not line.touch.flows or now >= ear.arrived + self.shortest(ear.run) - EXACT:
                continue
            self.owed += 1
            if line.values != values:
                raise Violation(f"{now:.3f}: it does {values}, and not {line.values}, although nothing is amiss")


def _host(address: Hashable) -> Hashable:
    return address[0] if isinstance(address, tuple) else address

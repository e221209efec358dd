"""Cockpits of the chain's simulation, as docs/drive.md describes them, the hands on them and the radio that their lines pass."""

import heapq
import json
import math
import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

PAUSE = 0.2  # Seconds after which a cockpit that stood still says so first.
REPEATED = 1.0  # Seconds for which a release is repeated.
MANY = 5000  # Things that may happen at one time.
MINUTE = 60.0  # Seconds of `safe` after which lines come once a second.


class Violation(AssertionError):
    """The vehicle, or its program, has done what it must not."""


class Clock:
    """Virtual time, and what will happen in it. `now` never goes back."""

    def __init__(self) -> None:
        self.now = 0.0
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = self._still = 0
        self.touches = 0  # That have begun.

    def at(self, time: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (max(time, self.now), self._count, action))

    def _pop(self) -> tuple[float, int, Callable[[], None]]:
        return heapq.heappop(self._queue)

    def run(self, end: float) -> None:
        while self._queue and self._queue[0][0] <= end:
            before = self.now
            self.now, _, action = self._pop()
            self._still = 0 if self.now > before else self._still + 1
            if self._still > MANY:
                raise Violation(f"{self.now:.3f}: a program does not rest")
            action()
        self.now = max(self.now, end)


@dataclass(eq=False)
class Touch:
    """A hand that drives: from the touch until it lifts, or until the cockpit has noticed a loss. The truth, which no line tells."""

    run: "Run"
    number: int  # In the simulation's own cockpits its lines have a steering that no other touch has.
    start: float
    end: float = math.inf
    broken: str = ""  # Why it must move nothing any more.
    heard: float = -math.inf  # When its newest line arrived.
    delay: float = 0.0  # Of its first line.
    slack: float = 0.0  # Seconds in which a cockpit may notice its end.
    flows: bool = False  # Each of its lines has arrived in time so far, so that the vehicle must move.


@dataclass(eq=False)
class Hold:
    """A hand that has armed the vehicle, or keeps a button pressed: the truth of it."""

    run: "Run"
    start: float
    broken: str = ""  # Why it must do nothing any more.
    heard: float = -math.inf


@dataclass(eq=False)
class Run:
    """A cockpit from its start to its end: who says lines."""

    identifier: str | None
    rate: int
    tells_rate: bool


@dataclass(frozen=True, eq=False)
class Said:
    """A line, and what is true of it."""

    run: Run
    sequence: int
    time: float  # True time.
    state: str
    reason: str
    values: tuple[float, float, bool]  # Throttle, steering, horn.
    touch: Touch | None
    press: int | None
    since: float  # When the cockpit began to say this.
    lifts_others: bool  # A hand released what others have stopped.
    text: bytes
    arm: Hold | None = None
    winch: Hold | None = None
    pan: float = 0.0

    @property
    def holds(self) -> bool:
        """It says what must not outlast its sender."""
        return self.arm is not None or self.winch is not None or self.pan != 0


@dataclass
class Weather:
    """What the radio of a session may do, as chances and seconds."""

    loss: float = 0.0
    twice: float = 0.0
    straggles: float = 0.0
    jitter: float = 0.0
    base: float = 0.005
    keeps_order: bool = True
    gaps: float = 0.0  # A second.
    longest: float = 10.0
    keeps_lines: float = 0.0  # A gap after which everything arrives that was said in it.
    queues: float = 0.0  # A second.
    moves: float = 0.0  # A new address after a gap.


class Radio:
    """The way from one cockpit to the vehicle. `deliver` is called with what arrives."""

    def __init__(self, clock: Clock, dice: random.Random, weather: Weather, host: str, deliver: Callable[[Said, Hashable], None]) -> None:
        self.clock, self.dice, self.weather, self.deliver = clock, dice, weather, deliver
        self.host, self.port, self.is_fixed = host, dice.randrange(1024, 65536), False
        self._last = 0.0  # When the newest line will arrive.
        self._gap = (0.0, 0.0, False)  # From, to, whether lines are kept.
        self._queue = (0.0, 0.0, 0.0)  # From, to, greatest delay.
        self._plan(0.0)

    @property
    def address(self) -> tuple[str, int]:
        return self.host, self.port

    def _plan(self, now: float) -> None:
        """The next gap, and the next queue."""
        dice, weather = self.dice, self.weather
        if weather.gaps and now >= self._gap[1]:
            if now and dice.random() < weather.moves:
                self.port = dice.randrange(1024, 65536)
                if not self.is_fixed and dice.random() < 0.5:
                    self.host = f"192.0.2.{dice.randrange(100, 200)}"
            start = now + dice.expovariate(weather.gaps)
            length = min(0.2 * math.exp(dice.expovariate(0.9)), weather.longest)
            self._gap = start, start + length, dice.random() < weather.keeps_lines
        if weather.queues and now >= self._queue[1]:
            start = now + dice.expovariate(weather.queues)
            self._queue = start, start + dice.uniform(0.5, 6), dice.uniform(0.1, 3)

    def send(self, said: Said) -> None:
        now, dice, weather = self.clock.now, self.dice, self.weather
        if now >= self._gap[1] or now >= self._queue[1]:
            self._plan(now)
        start, end, keeps = self._gap
        arrival = now + weather.base + (dice.expovariate(1 / weather.jitter) if weather.jitter else 0.0)
        if start <= now < end:
            if not keeps:
                return
            arrival = max(arrival, end)
        if dice.random() < weather.loss:
            return
        start, end, most = self._queue
        if start <= now < end:
            # A queue that grows, in order.
            arrival = max(arrival + most * min((now - start) / 2, 1), self._last)
        if weather.keeps_order or keeps:
            arrival = max(arrival, self._last)
        self._last = max(self._last, arrival)
        self._arrive(said, arrival)
        if dice.random() < weather.twice:
            self._arrive(said, arrival + dice.expovariate(20))
        if dice.random() < weather.straggles:
            self._arrive(said, arrival + dice.uniform(0.05, 8))

    def _arrive(self, said: Said, time: float) -> None:
        address = self.address
        self.clock.at(time, lambda: self.deliver(said, address))


@dataclass
class Habits:
    """What happens at a cockpit, as chances an action."""

    loss: float = 0.15
    stop: float = 0.1
    pause: float = 0.05
    kill: float = 0.04
    suspend: float = 0.02
    horn: float = 0.1
    lift_others: float = 0.2
    patience: float = 1.0  # Scales how long hands rest and hold.


class Cockpit:
    """A cockpit and the hand on it: acts at random, and says what the contract demands."""

    def __init__(
            self, clock: Clock, dice: random.Random, radio: Radio, habits: Habits, has_identifier: bool, rate: int, tells_rate: bool,
            say: Callable[[Said], None], started: Callable[[Run], None], ended: Callable[[Run], None],
            beside: random.Random | None = None) -> None:
        self.beside = beside  # Decides of channels and arm, if the vehicle has them.
        self.clock, self.dice, self.radio, self.habits = clock, dice, radio, habits
        self.has_identifier, self.rate, self.tells_rate = has_identifier, rate, tells_rate
        self.say, self.started, self.ended = say, started, ended
        self.offset, self.drift = dice.uniform(10, 1e5), dice.uniform(-2e-4, 2e-4)
        self.token = 0  # Of the steady line that is due.
        radio.is_fixed = not has_identifier
        self._start()

    # The program.

    def _start(self) -> None:
        identifier = f"{self.dice.getrandbits(32):08x}" if self.has_identifier else None
        self.run = Run(identifier, self.rate, self.tells_rate)
        self.sequence, self.presses, self.is_stopped, self.is_paused = 0, 0, False, False
        self.touch: Touch | None = None
        self.following: str | None = None
        self.throttle, self.horn, self.free_at = 0.0, False, 0.0
        self.state, self.reason, self.changed, self.is_other = "ready", "start", self.clock.now, False
        self.life = getattr(self, "life", 0) + 1
        self.arm: Hold | None = None
        self.winch: Hold | None = None
        self.pan = 0.0
        self.started(self.run)
        self._later_beside()
        self._say()
        self._later(self.dice.uniform(0.1, 1))

    def _later(self, seconds: float) -> None:
        run = self.run
        self.clock.at(self.clock.now + seconds, lambda: self._act() if self.run is run and not self.is_paused else None)

    def _change(self, state: str, reason: str) -> None:
        self.state, self.reason, self.changed, self.is_other = state, reason, self.clock.now, False
        if state != "driving":
            self.throttle = 0.0
            self._end_touch()
        if state == "safe":
            self.winch, self.pan = None, 0.0
            if reason in ("emergency-stop", "suspended"):
                self.arm = None
        if self.following is not None and not self.is_stopped and reason != "released":
            self.run = Run(self.following, self.rate, self.tells_rate)
            self.following, self.presses = None, 0

    def _end_touch(self) -> None:
        if self.touch is not None:
            self.touch.end = min(self.touch.end, self.clock.now)
        self.touch = None

    def _say(self) -> None:
        """The line of now, and the next steady one."""
        now, run = self.clock.now, self.run
        self.sequence += 1
        if self.reason == "released" and now - self.changed > REPEATED + 1 / self.rate:
            self.reason = "none"
        press = self.presses if self.reason == "emergency-stop" and self.has_identifier else None
        fields: dict[str, object] = {"v": 1} | ({"id": run.identifier} if run.identifier else {})
        steering = round(self.touch.number / 1e4 - 1, 4) if self.touch else 0.0
        fields |= {
            "seq": self.sequence, "t": round(self.offset + now * (1 + self.drift), 6),
            "gear": "R" if self.throttle < 0 else "6" if self.touch else "N", "throttle": self.throttle, "steering": steering,
            "brake": self.touch is None, "horn": self.horn, "held": self.touch is not None, "state": self.state, "reason": self.reason}
        if self.beside is not None:
            fields |= {"channels": {"winch": float(self.winch is not None), "pan": self.pan}, "arm": self.arm is not None}
        if self.tells_rate:
            fields["rate"] = self.rate
        if press is not None:
            fields["press"] = press
        text = json.dumps(fields, separators=(",", ":")).encode() + b"\n"
        self.say(Said(
            run, self.sequence, now, self.state, self.reason, (self.throttle, steering, self.horn), self.touch, press, self.changed,
            self.reason == "released" and self.is_other, text, self.arm, self.winch, self.pan))
        self._plan_steady()

    def _plan_steady(self) -> None:
        now = self.clock.now
        is_held = self.arm is not None or self.winch is not None or self.pan != 0
        repeats = self.state != "ready" or self.horn or is_held or self.reason == "released" and now - self.changed < REPEATED
        self.token += 1
        if repeats:
            period = 1 / self.rate
            if self.state == "safe" and not is_held and now - self.changed >= MINUTE:
                period = max(period, 1.0)
            token = self.token
            self.clock.at(now + period, lambda: self._say() if self.token == token and not self.is_paused else None)

    def _later_beside(self) -> None:
        dice, life = self.beside, self.life
        if dice is not None:
            self.clock.at(self.clock.now + dice.expovariate(1.5), lambda: self._act_beside(dice) if self.life == life else None)

    def _act_beside(self, dice: random.Random) -> None:
        if not self.is_paused and not self.is_stopped:
            what = dice.choice(["arm", "winch", "pan"])
            if what == "arm" and (self.arm is not None or self.state != "driving"):
                self.arm = None if self.arm is not None else Hold(self.run, self.clock.now)
            elif what == "winch":
                self.winch = None if self.winch is not None else Hold(self.run, self.clock.now)
            elif what == "pan":
                self.pan = dice.choice([0.0, round(dice.uniform(-1, 1), 3)])
            self._say()
        self._later_beside()

    # The hand.

    def _act(self) -> None:
        dice, habits, now = self.dice, self.habits, self.clock.now
        chance = dice.random()
        for name in ("kill", "suspend", "pause", "stop", "horn"):
            if chance < (part := getattr(habits, name)):
                getattr(self, f"_{name}")()
                return
            chance -= part
        if self.is_stopped:
            self._release()
        elif self.touch is None and now >= self.free_at and dice.random() < habits.lift_others:
            self._change("ready", "released")
            self.is_other = True
            self.free_at = now + REPEATED + 0.3
            self._say()
            self._later(dice.uniform(0.05, 1.5))
        elif self.touch is None:
            self._touch()
        elif dice.random() < 0.4:
            self.throttle = self._new_throttle()
            self._say()
            self._later(dice.expovariate(4) * habits.patience)
        else:
            is_loss = dice.random() < habits.loss
            self._change("safe", dice.choice(["hidden", "touch-cancelled", "compositor-frozen"]) if is_loss else "lift")
            self._say()
            self._later(dice.expovariate(1.2) * habits.patience + 0.02)

    def _new_throttle(self) -> float:
        return round(self.dice.uniform(0.05, 1) * self.dice.choice([1, 1, -1]), 3)

    def _touch(self) -> None:
        self.clock.touches += 1
        self.touch = Touch(self.run, self.clock.touches % 20001, self.clock.now)
        self.throttle = self._new_throttle()
        self._change("driving", "none")
        self.touch.run = self.run  # A new id begins with this line.
        self._say()
        self._later(self.dice.expovariate(0.8) * self.habits.patience)

    def _stop(self) -> None:
        if not self.is_stopped:
            self.presses += 1
            self.is_stopped = True
            self._change("safe", "emergency-stop")
            self._say()
        self._later(1.1 + self.dice.expovariate(0.5))  # A release is a second's hold.

    def _release(self) -> None:
        self.is_stopped = False
        self._change("ready", "released" if self.has_identifier or self.dice.random() < 0.5 else "none")
        self.free_at = self.clock.now + REPEATED + 0.3  # For what others have stopped, STOP is held for another second.
        self._say()
        self._later(self.dice.uniform(0.05, 1.5))

    def _horn(self) -> None:
        self.horn = not self.horn
        self._say()
        self._later(self.dice.expovariate(2))

    def _pause(self) -> None:
        """SIGSTOP and SIGCONT, at any time between two lines."""
        seconds = self.dice.choice([self.dice.uniform(0.02, 0.5), self.dice.uniform(0.5, 5)])
        self.is_paused = True
        if seconds >= PAUSE:
            self._end_touch_keeping_lines()
        run = self.run
        self.clock.at(self.clock.now + seconds, lambda: self._go_on(seconds) if self.run is run else None)

    def _end_touch_keeping_lines(self) -> None:
        # Whatever the hand does now, the cockpit will not obey it.
        if self.touch is not None:
            self.touch.end = min(self.touch.end, self.clock.now)

    def _go_on(self, seconds: float, reason: str = "loop-hung") -> None:
        self.is_paused = False
        if seconds >= PAUSE and self.state == "driving":
            self._change("safe", reason)
            self._say()
        else:
            self._plan_steady()
        self._later(self.dice.uniform(0.05, 1))

    def _suspend(self) -> None:
        """The machine sleeps: its clock stands still, and the id is another one afterwards."""
        if not self.has_identifier:
            return self._pause()
        seconds = self.dice.uniform(0.3, 6)
        self.is_paused = True
        self._end_touch_keeping_lines()
        run = self.run

        def wake() -> None:
            if self.run is not run:
                return
            self.is_paused = False
            self.offset -= seconds
            self.following = f"{self.dice.getrandbits(32):08x}"
            if self.is_stopped:
                self._plan_steady()
            else:
                self._change("safe", "suspended")
                self._say()
            self._later(self.dice.uniform(0.05, 1))

        self.clock.at(self.clock.now + seconds, wake)

    def _kill(self) -> None:
        """The program dies without a word, and is started again; sometimes its machine is."""
        self._end_touch()
        self.is_paused = True
        self.token += 1
        self.ended(self.run)
        if self.dice.random() < 0.3:
            self.offset = 20 - self.clock.now
        self.clock.at(self.clock.now + self.dice.uniform(0.1, 3), self._start)


@dataclass
class Strangers:
    """Datagrams that no cockpit said."""

    garbage: float = 0.0  # A second.
    floods: float = 0.0
    lines: list[bytes] = field(default_factory=lambda: [
        b"garbage\n", b"", b'{"v":2}\n', b"\xff\xfe\n", b"x" * 600,
        b'{"v":0,"seq":9,"t":1,"gear":"6","throttle":0.6,"steering":0,"brake":false,"horn":false,"held":true,'
        b'"state":"driving","reason":"none"}\n'])

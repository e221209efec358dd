"""The rules of a consumer of drive messages (docs/drive.md), for one vehicle: what a line says, who may drive, how long a command holds.

Pure: nothing here reads a clock, a socket or a file, so that tests can play years in a second. It needs nothing but Python, and is the
same file as docs/examples/drive_lease.py: copy it beside a program of your own.
"""

import json
import math
import re
from collections.abc import Hashable
from dataclasses import dataclass, field, replace

LONGEST = 511  # Bytes of a line with its newline.
LEAST, MOST = 0.150, 0.500  # Seconds that a command may hold.
LINES = 3  # So many lines may be lost in a row.
LEARNED = 8  # Lines that repeat a command, before the longest period between lines counts.
SLOWEST = 0.25  # Seconds: a longer time between two lines is a pause, no period.
LATE = 0.250  # Seconds that a line may be later than the fastest before it.
DRIFT = 0.0005  # Seconds a second by which two clocks may differ.
UNDERWAY = 30.0  # Seconds that a line may be on its way.
KEPT = 0.020  # Seconds by which the smallest delay that outlives the program may be too great.
REPEATED = 1.0  # Seconds for which a cockpit repeats the line of a release.
SLOWEST_RATE = 5.0  # Lines a second.
SENDERS = 16  # Senders that are remembered.
OWNERS = 8  # Of them so many with an emergency stop of their own.
LAST = 2**53 - 1  # The number of a stop that another program says for a sender that is gone, as a broker does: its time is nobody's.

REASONS = {
    "ready": {"none", "start", "released"},
    "driving": {"none"},
    "safe": {
        "lift", "touch-cancelled", "device-lost", "keyboard-left", "hidden", "compositor-lost", "terminated", "closed", "loop-hung",
        "compositor-frozen", "sensor-lost", "display-fault", "link-lost", "link-slow", "taken", "scene-changed", "screen-turned",
        "suspended", "input-silent", "video-stale", "emergency-stop"}}


class BadMessage(ValueError):
    """A line that is no drive message of version 1."""


@dataclass(frozen=True)
class Command:
    """What the vehicle should do. Without arguments: neutral, straight, brake. `why` is for people, and does not make commands differ."""

    throttle: float = 0.0  # -1 (reverse) ... 1
    steering: float = 0.0  # -1 (left) ... 1 (right)
    brake: bool = True
    horn: bool = False
    driving: bool = False
    gear: str = "N"  # R, N or a forward gear.
    why: str = field(default="", compare=False)
    # What the bridge's extras.py makes of a vehicle's further values; the lease leaves it alone.
    channels: tuple[tuple[str, float], ...] = ()
    arm: bool | None = None
    mode: str | None = None


NEUTRAL = Command()


@dataclass(frozen=True)
class Message:
    """A line: the command, and what it was said with."""

    sequence: int
    time: float
    state: str
    reason: str
    command: Command
    identifier: str | None = None
    rate: float | None = None
    press: int | None = None
    channels: dict[str, float] = field(default_factory=dict)
    arm: bool | None = None
    mode: str | None = None

    @property
    def is_stop(self) -> bool:
        """The emergency stop is pressed."""
        return self.state == "safe" and self.reason == "emergency-stop"

    @property
    def is_last(self) -> bool:
        """Said for a sender that is gone."""
        return self.state == "safe" and self.sequence == LAST


def parse(line: bytes) -> Message:
    """Reads one line, with or without its newline. Throws BadMessage for everything that docs/drive.schema.json refuses.

    Two things are let through, as version 1 demands: properties that are not known, and an unknown reason of a state that does not drive.
    """
    text = line[:-1] if line.endswith(b"\n") else line
    if len(text) >= LONGEST:
        raise BadMessage("too long")
    if not text.isascii() or b"\n" in text:
        raise BadMessage("not one line of ASCII")
    try:
        fields = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as problem:
        raise BadMessage("not JSON") from problem
    if not isinstance(fields, dict) or type(fields.get("v")) is not int or fields["v"] != 1:
        raise BadMessage("unknown version")
    return _message(fields)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise BadMessage("a doubled property")
    return made


def _refuse(word: str) -> object:
    raise BadMessage(f"{word} is no number")


def _message(fields: dict[str, object]) -> Message:
    sequence, state, reason = _whole(fields, "seq"), fields.get("state"), fields.get("reason")
    if not isinstance(state, str) or state not in REASONS or not isinstance(reason, str):
        raise BadMessage("no state and reason")
    if reason not in REASONS[state] and (
            state == "driving" or any(reason in known for known in REASONS.values()) or not re.fullmatch("[a-z0-9-]{1,32}", reason)):
        raise BadMessage(f"{state} has no such reason")
    time = _number(fields, "t", 0, math.inf)
    throttle, steering = _number(fields, "throttle", -1, 1), _number(fields, "steering", -1, 1)
    brake, horn, held = (_truth(fields, name) for name in ("brake", "horn", "held"))
    gear = fields.get("gear")
    if not isinstance(gear, str) or not re.fullmatch("R|N|[1-9][0-9]?", gear):
        raise BadMessage("no gear")
    if brake != (gear == "N") or (throttle != 0 if brake else (throttle > 0 if gear == "R" else throttle < 0)):
        raise BadMessage("gear, throttle and brake contradict each other")
    driving = state == "driving"
    if not driving and (not brake or steering != 0 or held):
        raise BadMessage(f"{state} is neutral, straight and not held")
    made = Message(
        sequence, time, state, reason, Command(throttle, steering, brake, horn, driving, gear, f"{state}, {reason}"), _identifier(fields),
        _number(fields, "rate", 5, 200) if "rate" in fields else None, _whole(fields, "press") if "press" in fields else None,
        _channels(fields.get("channels", {})), _truth(fields, "arm") if "arm" in fields else None, _mode(fields))
    if made.press is not None and not made.is_stop:
        raise BadMessage("only an emergency stop has a press")
    return made


def _number(fields: dict[str, object], name: str, least: float, most: float) -> float:
    """A JSON number. Python counts true as 1; the contract does not."""
    value = fields.get(name)
    try:
        if isinstance(value, bool) or not isinstance(value, int | float) or not (least <= value <= most and math.isfinite(value)):
            raise BadMessage(f"{name} is no number from {least} to {most}")
        return float(value)
    except OverflowError as problem:
        raise BadMessage(f"{name} is too great") from problem


def _whole(fields: dict[str, object], name: str) -> int:
    value = fields.get(name)
    if type(value) is not int or not 1 <= value < 2**53:
        raise BadMessage(f"{name} is no number from 1")
    return value


def _truth(fields: dict[str, object], name: str) -> bool:
    value = fields.get(name)
    if type(value) is not bool:
        raise BadMessage(f"{name} is neither true nor false")
    return value


def _identifier(fields: dict[str, object]) -> str | None:
    if "id" not in fields:
        return None
    value = fields["id"]
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{8}", value):
        raise BadMessage("id is not eight hexadecimal digits")
    return value


def _channels(channels: object) -> dict[str, float]:
    if not isinstance(channels, dict) or len(channels) > 8:
        raise BadMessage("channels are at most eight")
    if not all(re.fullmatch("[a-z0-9-]{1,16}", name) for name in channels):
        raise BadMessage("no name of a channel")
    return {name: _number(channels, name, -1, 1) for name in channels}


def _mode(fields: dict[str, object]) -> str | None:
    value = fields.get("mode")
    if "mode" in fields and not (isinstance(value, str) and re.fullmatch("[a-z0-9-]{1,16}", value)):
        raise BadMessage("no name of a mode")
    return value if isinstance(value, str) else None


class Follower:
    """Is told what a lease obeys and what ends it, for a vehicle's values beside throttle and steering. This one has none."""

    def holds(self, message: Message) -> bool:
        """Whether a line that does not drive must be followed by the next in time: what it says must not outlast its sender."""
        return False

    def obeyed(self, key: Hashable, message: Message, is_sure: bool, is_stopped: bool) -> None:
        """The line counts. `is_sure`: no more lines before it were lost than may be; `is_stopped`: an emergency stop is latched."""

    def refused(self, key: Hashable, message: Message) -> None:
        """The line drives, and its sender must let go first: it counts for nothing but a wish for less."""

    def late(self, key: Hashable, message: Message) -> None:
        """The line was late: the same."""

    def lost(self, cause: str) -> None:
        """What ended a command, or would have: "time" (no line in time, or none that could be read), "gone" (its sender), "link", "stop"."""


class _Sender:
    """What is remembered of one sender: the order and the age of its lines, and whether it has let go."""

    def __init__(self, key: Hashable, identifier: str | None, address: Hashable, time: float, sequence: int = 0) -> None:
        self.key, self.identifier, self.address = key, identifier, address
        self.newest = 0
        self.time, self.arrived, self.heard = time, 0.0, 0.0
        self.memory: dict[str, object] = {}  # Of it, for the next program: see `Lease.memory`.
        self.length = 0  # Of its last line: no answer is longer.
        self.driving = False  # Its newest line says so.
        self.joined_late = sequence != 1  # What was missed before its first line may have been the touch, or a stop.
        self.needs_release = self.joined_late
        self.must_follow = False  # Its next line must have the next number, or it needs a release.
        self.missed = False  # Before its newest line more were lost than may be in a row: a touch among them began at an unknown time.
        self.reason = ""  # Of its newest line.
        self.released = -math.inf  # By its clock: when it first said its last release.
        self.is_first_release = False  # Its newest line is the first of a release.
        self.is_own_release = False  # The hand that its newest line tells of has released, or may have released, a stop of its own.
        self.late: float | None = None  # Seconds, if its newest line was late.
        self.mixed_until = -math.inf  # Until then lines of two clocks may come from here, and nothing tells which of them are old.
        self._rate: float | None = None
        self._command: Command | None = None
        self._periods, self._longest = 0, 0.0
        self._floor: float | None = None
        self._floor_at = 0.0
        self._touch = 0.0, 0.0  # The delay of the first line that drives, and its arrival.
        self._has_clock = identifier is not None
        self._told: tuple[object, ...] = ()

    @staticmethod
    def of(memory: dict[str, object]) -> "_Sender":
        """A sender that the program before this one heard. Throws a LookupError, TypeError or ValueError for what was never its `memory`."""
        name = None if memory["id"] is None else _identifier(memory)
        place = memory["address"]
        key: Hashable = tuple(place) if name is None and isinstance(place, list) else name
        if key is None:
            raise ValueError("no sender")
        time, arrived = (_number(memory, which, -math.inf, math.inf) for which in ("t", "arrived"))
        made = _Sender(key, name, key, time)
        made.newest, made.arrived, made.heard, made.memory = _whole(memory, "seq"), arrived, arrived, memory
        if memory["floor"] is not None:
            made._floor = _number(memory, "floor", -math.inf, math.inf)
            made._floor_at, made._touch = arrived, (made._floor, arrived)
        if memory.get("mixed") is not None:
            made.mixed_until = _number(memory, "mixed", -math.inf, math.inf)
        return made

    def hold(self) -> float:
        """Seconds that a command of this sender holds."""
        if self._rate is not None:
            return min(max(LINES / self._rate, LEAST), MOST)
        return min(max(LINES * self._longest, LEAST), MOST) if self._periods >= LEARNED else MOST

    def last_words(self, message: Message, now: float) -> Message:
        """A message that was said for this sender, with the time that the sender's clock tells now."""
        return replace(message, time=self.time + max(now - self.arrived, 0))

    def is_new_run(self, message: Message, now: float) -> bool:
        """A cockpit without an id was started again at the same address."""
        if self.identifier is not None or not self.newest or self.has_gone_by(message):
            return False
        return self.is_other_clock(message, now) or message.sequence <= self.newest and now - self.arrived >= self.hold()

    def is_other_clock(self, message: Message, now: float) -> bool:
        """Without an id: no line of this clock can come so early or so late. Its machine was started again, or another one is there."""
        passed = message.time - self.time
        return self.identifier is None and bool(self.newest) and (
            passed <= -UNDERWAY or passed > UNDERWAY + (1 + DRIFT) * max(now - self.arrived, 0))

    def has_gone_by(self, message: Message) -> bool:
        """Without an id: a line of before, perhaps of another cockpit that was there then."""
        is_again = (message.sequence, message.time) == (self.newest, self.time)
        return self.identifier is None and (is_again or self.time - UNDERWAY < message.time < self.time)

    def note(self, message: Message, now: float) -> None:
        """Takes a message that is newer than all before it."""
        steps, seconds = message.sequence - self.newest, message.time - self.time
        self._rate = message.rate or self._rate
        self.missed = self.joined_late or steps > 1 + max(LINES, self.hold() * (self._rate or 0))
        self.is_first_release = message.reason == "released" and (
            self.reason != "released" or self.missed or message.time > self.released + REPEATED + 1.5 / (self._rate or SLOWEST_RATE))
        if self.is_first_release:
            # Lines that were missed may have been a stop.
            self.released, self.is_own_release = message.time, self.missed or self.reason == "emergency-stop"
        self.reason = message.reason
        if self.newest and self.driving and message.command.driving and 0 < seconds <= SLOWEST * steps:
            # Changes come as fast as a hand moves; lines that repeat a command come at the steady rate.
            self._periods += message.command == self._command
            self._longest = max(self._longest, seconds / steps)
        is_touch = message.command.driving and not self.driving
        self.needs_release = self.needs_release or is_touch and self.missed or self.must_follow and steps != 1
        self.must_follow = self.joined_late = False
        self.newest, self.time, self.arrived, self.driving = message.sequence, message.time, now, message.command.driving
        self._command = message.command
        self._keep(message)

    def _keep(self, message: Message) -> None:
        """Takes down what the next program should know; seldom, since it goes into a file."""
        # Without a press no line of a stop tells whether it is another one.
        told = message.reason, self.driving, message.press, message.is_stop and message.press is None and message.sequence
        is_other, self._told = told != self._told, told
        floor, arrived = self.memory.get("floor"), self.memory.get("arrived")
        if is_other or not self.memory or self._floor is not None and (
                floor is None or floor + DRIFT * (self.arrived - arrived) > self._floor + KEPT):  # type: ignore[operator]
            address = list(self.key) if self.identifier is None and isinstance(self.key, tuple) else None
            self.memory = {
                "id": self.identifier, "address": address, "seq": self.newest, "t": self.time, "arrived": self.arrived, "floor": self._floor,
                "mixed": self.mixed_until if self.mixed_until > self.arrived else None}

    def delay(self, message: Message, now: float) -> float:
        """Seconds by which a line is later than the fastest; both clocks may start anywhere and drift a little."""
        # A sender whose time never changes has no clock.
        self._has_clock = self._has_clock or message.time != self.time
        if not self._has_clock:
            return 0.0
        delay = now - message.time
        if self._floor is None or message.command.driving and not self.driving:
            self._touch = delay, now
        if self._floor is None:
            self._floor = delay
        else:
            self._floor = min(self._floor + DRIFT * max(now - self._floor_at, 0), delay)
        self._floor_at = max(now, self._floor_at)
        if self.driving and self._touch[0] - self._floor > LATE + DRIFT * (now - self._touch[1]):
            self.needs_release = True  # What was the fastest line until now was late, and so was the touch.
        return delay - self._floor

    def forget_run(self, message: Message, now: float) -> None:
        """Another cockpit speaks from the same address."""
        if self.is_other_clock(message, now):
            self.mixed_until = now + UNDERWAY
        self.newest, self.needs_release, self.driving, self.must_follow = 0, True, False, False
        self.joined_late, self.memory = message.sequence != 1, {}
        self.time, self._floor, self._has_clock = message.time, None, False
        self.reason, self.released = "", -math.inf
        self._rate, self._periods, self._longest = None, 0, 0.0


@dataclass
class _Stop:
    """An emergency stop that is latched. Without an identifier the host tells whose it is; with neither, only `released` lifts it."""

    identifier: str | None
    host: str | None
    press: int = 0


@dataclass(frozen=True)
class _Restored:
    """The owner of a stop without an id, known from before a restart."""

    number: int


UNKNOWN = _Restored(-1)  # The owner of stops whose owner is not remembered.


def host_of(address: Hashable) -> str:
    """The machine of an address: the first part of a socket's, or the whole of any other."""
    return str(address[0]) if isinstance(address, tuple) and address else str(address)


class Lease:
    """The command that holds now.

    `take` is given each line with its sender's address and the time of its arrival, `command` the present time; both on one clock that
    never goes back. `hold` fixes for how many seconds a command holds. `lose` and `lose_link` end a drive for other reasons. A program
    that is started again gives the `memory` of the one before it, and `now` by the same clock: the time of its start.
    """

    def __init__(
            self, hold: float | None = None, memory: object = None, now: float = -math.inf, follower: Follower | None = None) -> None:
        self.why = "no message yet"
        self._follower = follower or Follower()
        self._hold, self._began = hold, now
        self._command = NEUTRAL
        self._holder: _Sender | None = None  # Whose command it is: the driver, or who sounds the horn at rest.
        self._deadline: float | None = None
        self._senders: dict[Hashable, _Sender] = {}
        self._stops: dict[Hashable, _Stop] = {}
        self._lifted: dict[str, tuple[int, int]] = {}  # Of an id: its highest lifted press, and the highest that somebody else lifted.
        if memory is not None:
            self._remember(memory)

    # What holds.

    def command(self, now: float) -> Command:
        """The command that holds at `now`."""
        self.expire(now)
        return replace(self._command, why=self.why)

    @property
    def deadline(self) -> float | None:
        """When the present command ends by itself; None if it does not."""
        return self._deadline

    @property
    def is_stopped(self) -> bool:
        """An emergency stop is latched."""
        return bool(self._stops)

    @property
    def driver(self) -> Hashable | None:
        """The id of the sender that drives, or its address if it has no id; None if nobody drives."""
        return self._holder.key if self._holder is not None and self._command.driving else None

    def late(self, now: float) -> float | None:
        """Seconds by which the newest line of anybody was too late; None if it was in time, or is more than a second ago."""
        newest = max(self._senders.values(), key=lambda sender: sender.heard, default=None)
        return newest.late if newest is not None and now - newest.heard <= 1 else None

    # What happens.

    def take(self, line: bytes, address: Hashable, now: float) -> Hashable | None:
        """Takes one line that has arrived; returns the sender for `answer`, or None for a line that is no message."""
        self.expire(now)
        try:
            message = parse(line)
        except BadMessage as problem:
            self.lose(f"unreadable: {problem}")
            return None
        sender = self._sender(message, address)
        sender.address, sender.heard, sender.length = address, now, len(line)
        if message.is_stop:
            self._latch(message, sender)
        if message.is_last:
            if not sender.newest:
                return sender.key  # Nothing is known that it could end, and the next line tells the clock.
            message = sender.last_words(message, now)
        if sender.is_new_run(message, now):
            self._end(sender, "another cockpit", "gone")
            if self._holder is None:
                self._follower.lost("gone")
            sender.forget_run(message, now)
        if message.sequence <= sender.newest or sender.has_gone_by(message):
            return sender.key  # It was overtaken on its way.
        delay = sender.delay(message, now)
        sender.note(message, now)
        # What was said before this program started is as good as late.
        sender.late = delay if delay > LATE or now - delay < self._began else None
        if now < sender.mixed_until:
            sender.needs_release = True
            self._end(sender, f"another clock, not obeyed for {math.ceil(sender.mixed_until - now)} s")
            self._follower.late(sender.key, message)
        elif sender.late is not None:
            self._expire_late(sender, message)
        elif message.command.driving:
            self._drive(sender, message, now)
        else:
            self._rest(sender, message, now)
        return sender.key

    def lose(self, why: str, cause: str = "time") -> None:
        """Neutral at once; every sender must let go before it is obeyed again. `cause` is that of `Follower.lost`."""
        for sender in self._senders.values():
            sender.needs_release = True
        self._neutral(why, cause)

    def lose_link(self) -> None:
        """The link to the vehicle broke, or is back after that: who drives must let go; who is at rest may begin if no line was missed."""
        for sender in self._senders.values():
            sender.needs_release = sender.needs_release or sender.driving
            sender.must_follow = True
        self._neutral("the link was lost", "link")

    def end(self, address: Hashable) -> None:
        """The stream from `address` has ended: what comes next from there is another sender. Its emergency stop stays."""
        if self._holder is None or self._holder.address == address:
            self._neutral("the stream ended", "gone")
        self._senders = {key: sender for key, sender in self._senders.items() if sender.address != address}

    def expire(self, now: float) -> None:
        """Ends a command whose time is over."""
        if self._deadline is None or now < self._deadline:
            return
        if self._command.driving and self._holder is not None:
            self._holder.needs_release = True
            self._neutral("no line in time", "time")
        else:
            self._neutral(self.why, "time")  # A horn, or what a follower holds.

    # What is said back.

    def answer(self, key: Hashable | None, report: dict[str, object] | None = None, room: int | None = None) -> bytes:
        """The answer to a sender's newest line, with its newline: at most `room` bytes, or as long as that line. Empty if there is none.

        `report` has what the vehicle says of itself; what finds no room is left out, the last warnings first.
        """
        sender = self._senders.get(key)
        if sender is None:
            return b""
        room = sender.length if room is None else room
        fields = self.status_of(sender.key)
        made = _text(fields)
        for name in ("speed", "battery", "linkAge", "warnings"):
            value = (report or {}).get(name)
            while value is not None:
                longer = _text(fields | {name: value})
                if len(longer) <= room:
                    fields, made = fields | {name: value}, longer
                    break
                value = value[:-1] if isinstance(value, list) and len(value) > 1 else None
        return made if len(made) <= room else b""

    def status_of(self, key: Hashable) -> dict[str, object]:
        """What an answer tells a sender of the lease."""
        sender = self._senders.get(key)
        fields: dict[str, object] = {}
        if sender is not None:
            if sender.identifier is not None:
                fields["id"] = sender.identifier
            if sender.newest:
                fields |= {"ack": sender.newest, "arrived": round(sender.arrived, 6)}
        fields["driver"] = "none" if self.driver is None else "you" if self.driver == key else "other"
        if self._stops:
            fields["stop"] = next(iter(self._stops.values())).identifier or "host"
        if sender is not None and sender.identifier is not None and self._lifted.get(sender.identifier, (0, 0))[1]:
            fields["lifted"] = self._lifted[sender.identifier][1]
        return fields

    # What outlives the program.

    @property
    def memory(self) -> dict[str, object]:
        """What JSON can hold, for `Lease(memory=...)` after a restart: the latched stops, and how fast each sender's lines were.

        It changes when a stop, a sender or a touch begins or ends, and little more often. A sender without an id or a socket's address
        is a stream, which ends with the program.
        """
        senders = [sender.memory for sender in self._senders.values() if sender.memory.get("id") or sender.memory.get("address")]
        if not self._stops and not self._lifted and not senders:
            return {}
        stops = [{"id": stop.identifier, "host": stop.host, "press": stop.press} for stop in self._stops.values()]
        return {"stops": stops, "lifted": {name: list(both) for name, both in self._lifted.items()}, "senders": senders}

    def _remember(self, memory: object) -> None:
        """What cannot be read is a latched stop: the safe side."""
        try:
            stops, lifted = ([], {}) if memory == {} else (memory["stops"], memory["lifted"])  # type: ignore[index]
            for at, each in enumerate(stops):
                name, host, press = each["id"], each["host"], each["press"]
                if not all(part is None or isinstance(part, str) for part in (name, host)) or type(press) is not int or at >= OWNERS:
                    raise ValueError("no stop")
                self._stops[name or _Restored(at)] = _Stop(name, host, press)
            self._lifted = {str(name): (int(ours), int(theirs)) for name, (ours, theirs) in lifted.items()}
            for sender in map(_Sender.of, [] if memory == {} else memory.get("senders", [])[-SENDERS:]):  # type: ignore[attr-defined]
                if sender.arrived <= self._began:  # The clock of another start of the machine tells nothing.
                    self._senders[sender.key] = sender
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            self._stops[UNKNOWN] = _Stop(None, None)
        if self._stops:
            self.why = "an emergency stop was pressed before this program started"

    # The rules.

    def _sender(self, message: Message, address: Hashable) -> _Sender:
        # None would be nobody.
        key = message.identifier or ("stream" if address is None else address)
        if key not in self._senders:
            if len(self._senders) >= SENDERS:
                free = [each for each in self._senders.values() if each is not self._holder and each.key not in self._stops]
                del self._senders[min(free, key=lambda each: each.heard).key]
            self._senders[key] = _Sender(key, message.identifier, address, message.time, message.sequence)
        return self._senders[key]

    def _latch(self, message: Message, sender: _Sender) -> None:
        press = message.press if message.press is not None and sender.identifier is not None else 0
        if press and press <= self._lifted.get(sender.identifier or "", (0, 0))[0]:
            return
        key = sender.key if sender.key in self._stops or len(self._stops) < OWNERS else UNKNOWN
        stop = self._stops.setdefault(
            key, _Stop(sender.identifier, host_of(sender.address)) if key == sender.key else _Stop(None, None))
        stop.press = max(stop.press, press)
        for each in self._senders.values():
            each.needs_release = each.needs_release or each.driving
        self._neutral("safe, emergency-stop", "stop")

    def _expire_late(self, sender: _Sender, message: Message) -> None:
        # A late release is as good as one in time for the stop of the same hand, which came before it; not for another's.
        if message.state == "ready":
            self._lift(sender, message, is_late=True)
        sender.needs_release = True
        self._end(sender, f"{sender.late:.1f} s late")
        self._follower.late(sender.key, message)

    def _drive(self, sender: _Sender, message: Message, now: float) -> None:
        is_taken = self.driver is not None and self._holder is not sender
        if self._stops or is_taken:
            sender.needs_release = True
        if sender.needs_release:
            self._follower.refused(sender.key, message)
            if not is_taken:
                self._end(sender, "an emergency stop is pressed" if self._stops else "driving, but let go first")
            return
        self._hold_for(sender, message, now)

    def _rest(self, sender: _Sender, message: Message, now: float) -> None:
        sender.needs_release = False
        if message.state == "ready":
            self._lift(sender, message)
        if self._holder is None or self._holder is sender:
            self._hold_for(sender, message, now)

    def _hold_for(self, sender: _Sender, message: Message, now: float) -> None:
        self._command, self.why = message.command, message.command.why
        is_something = message.command.driving or message.command.horn or self._follower.holds(message)
        self._follower.obeyed(sender.key, message, not sender.missed, bool(self._stops))
        self._holder = sender if is_something else None
        self._deadline = now + (self._hold or sender.hold()) if is_something else None

    def _lift(self, sender: _Sender, message: Message, is_late: bool = False) -> None:
        is_by_hand = message.reason == "released"
        if sender.identifier is None:
            # An old cockpit has no word for a release.
            may_lift_own = message.reason in ("none", "released")
            holds, host = sender.key in self._stops, host_of(sender.address)
            own = [
                key for key, stop in self._stops.items() if key == sender.key or (
                    stop.identifier is None and stop.host == host and (not holds or isinstance(key, _Restored)))]
        else:
            may_lift_own = is_by_hand
            own = [sender.key] if sender.key in self._stops else []
        if own and may_lift_own:
            sender.is_own_release = True
            for key in own:
                self._remove(key, sender)
        elif sender.is_first_release and not sender.is_own_release and not is_late:
            for key in list(self._stops):
                self._remove(key, sender)

    def _remove(self, key: Hashable, by: _Sender) -> None:
        stop = self._stops.pop(key)
        if stop.identifier is None or not stop.press:
            return
        ours, theirs = self._lifted.pop(stop.identifier, (0, 0))
        is_other = by.identifier != stop.identifier
        self._lifted[stop.identifier] = (max(ours, stop.press), max(theirs, stop.press) if is_other else theirs)
        if len(self._lifted) > SENDERS:
            del self._lifted[next(iter(self._lifted))]

    def _end(self, sender: _Sender, why: str, cause: str = "time") -> None:
        if self._holder is sender:
            self._neutral(why, cause)
        elif self._holder is None:
            self.why = why

    def _neutral(self, why: str, cause: str) -> None:
        self._command, self._holder, self._deadline, self.why = NEUTRAL, None, None, why
        self._follower.lost(cause)


def _text(fields: dict[str, object]) -> bytes:
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"

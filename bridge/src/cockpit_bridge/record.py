"""A session record (`cockpit --record`) as messages by channel: what `export` writes.

A record is read line by line, so that one of a whole day needs no more memory than one of a minute.
"""

import json
import math
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

Fields = dict[str, Any]
Channels = list[tuple[str, Fields]]

VERSION = 1  # Of records.
LONGEST_LINE = 1 << 25  # Bytes. A line has a layout file's text at most.
LONGEST = 9_000_000_000_000_000  # Nanoseconds: the largest number that a record writes exactly.
STAMPS = {1: "wall", 2: "steady", 3: "strip"}
DISAGREEMENT = 3600 * 10**9  # Wall clocks that differ by more nanoseconds than this say no age.
TURN = 1 << 22  # Milliseconds after which a strip's stamp begins anew.
DRIFT = 10_000  # Clocks of cameras may drift by one part in so many.
INFO, WARNING, ERROR = 2, 3, 4  # Levels of foxglove.Log.
LEVELS = {"open": INFO, "waiting": WARNING, "stalled": WARNING, "ended": ERROR}
STALE = {1: "speed", 2: "battery", 4: "linkAge", 8: "warnings", 16: "answers"}


class NoRecord(Exception):
    """The file is no record, or none of a version that this program reads."""


class Damaged(ValueError):
    """A line is no event."""


@dataclass(frozen=True)
class Damage:
    """Where a record stops to make sense."""

    line: int
    reason: str


@dataclass(frozen=True)
class Message:
    """What one line of a record says, for one channel."""

    time: int  # Nanoseconds since the record's start.
    topic: str
    fields: Fields
    line: int
    published: int | None = None  # When it happened, if that is known better than by its line.


class Record:
    """The record in a file, which may be damaged, cut off, or still be written: its end is looked for once."""

    def __init__(self, path: str) -> None:
        """Reads the first line.

        - Raises `NoRecord`, or `OSError` if the file cannot be read.
        """
        self.path = path
        self.name = readable(os.path.basename(path))
        self._file: BinaryIO = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))
        try:
            if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                raise NoRecord(f"{path} is no regular file")
            self.header = self._read_header()
            self.start = self._number("start")
        except BaseException:
            self._file.close()
            raise
        self.wall = self._number("wall") if "wall" in self.header else None
        self.damage: Damage | None = None
        self.lines = 1  # That are whole.
        self.whole = self._file.tell()  # The bytes of these.
        self.skipped = 0  # Lines of kinds that this version does not know.
        self.is_cut = False  # The last line has no end.
        self.has_end = False
        self.span = 0  # Nanoseconds.

    def close(self) -> None:
        self._file.close()

    def _read_header(self) -> Fields:
        line = self._file.readline(LONGEST_LINE)
        if not line:
            raise NoRecord(f"{self.path} is empty")
        try:
            header = parsed(line)
        except Damaged:
            header = {}
        if not is_whole(header.get("cockpit")) or not line.endswith(b"\n"):
            raise NoRecord(f"{self.path} is no record of a cockpit")
        if header["cockpit"] != VERSION:
            raise NoRecord(f"{self.path} is a record of version {header['cockpit']}, and this program reads version {VERSION}")
        return header

    def _number(self, name: str) -> int:
        """Nanoseconds, which are text because they may be too large for a number of JSON."""
        text = self.header.get(name)
        if not isinstance(text, str) or not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= (1 << 62)):
            raise NoRecord(f"{self.path} is no record of a cockpit: its first line does not say when it began")
        return int(text)

    def look(self) -> None:
        """Finds the damage, if there is any, or else the present end."""
        for _ in self._read(None):
            pass

    def messages(self) -> Iterator[Message]:
        """What the whole lines say, up to where `look` stopped."""
        return self._read(self.whole)

    def _read(self, limit: int | None) -> Iterator[Message]:
        self._file.seek(0)
        self._file.readline(LONGEST_LINE)
        events, last, number, place = Events(self.name, self.start, self.wall), 0, 1, self._file.tell()
        self.skipped = 0
        while limit is None or place < limit:
            line = self._file.readline(LONGEST_LINE)
            if not line:
                break
            number += 1
            try:
                time, said = self._event(events, line, number, last)
            except Damaged as problem:
                self.damage = Damage(number, str(problem))
                break
            last, place = time, place + len(line)
            self.lines, self.whole, self.span = number, place, last
            yield from said

    def _event(self, events: "Events", line: bytes, number: int, last: int) -> tuple[int, list[Message]]:
        if not line.endswith(b"\n"):
            self.is_cut = len(line) < LONGEST_LINE
            raise Damaged("the last line is not whole" if self.is_cut else "the line is too long")
        event = parsed(line)
        # Older records have a time far before the start where there was no window yet.
        time = max(whole(event.get("t"), -LONGEST), 0)
        if time < last:
            raise Damaged("time goes back")
        said = events.messages(event, time, number)
        if said is None:
            self.skipped += 1
        self.has_end = "end" in event
        return time, said or []


def _refuse(word: str) -> None:
    raise ValueError(word)


def parsed(line: bytes) -> Fields:
    """The object of a line of JSON."""
    try:
        value = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as problem:
        raise Damaged("this is no JSON") from problem
    if not isinstance(value, dict):
        raise Damaged("this is no event")
    return value


def is_number(value: object) -> bool:
    return type(value) is int or type(value) is float and math.isfinite(value)


def is_whole(value: object) -> bool:
    return type(value) is int or type(value) is float and value.is_integer()


def whole(value: object, least: int = 0, most: int = LONGEST) -> int:
    number = int(value) if is_whole(value) else None  # type: ignore[call-overload]
    if number is None or not least <= number <= most:
        raise Damaged("this is no event")
    return int(number)


def number(value: object) -> float:
    if not is_number(value) or abs(value) > 1e300:  # type: ignore[arg-type]
        raise Damaged("this is no event")
    return value  # type: ignore[return-value]


def readable(name: str) -> str:
    """The name of a file, which may be no Unicode, as text."""
    return name.encode("utf-8", "replace").decode()


def text(value: object) -> str:
    """A text of Unicode; halves of letters, which only a damaged text has, are replaced."""
    if not isinstance(value, str):
        raise Damaged("this is no event")
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise Damaged("this is no event")
    return value


def items(value: object, *counts: int) -> list[Any]:
    if not isinstance(value, list) or counts and len(value) not in counts:
        raise Damaged("this is no event")
    return value


def known(name: str, value: object, read: Callable[[object], float]) -> Fields:
    """A property, which is absent if its value is not known."""
    return {} if value is None else {name: read(value)}


def device_time(value: object) -> float:
    """Seconds on the clock of a device, of nanoseconds in a number or, where that would not be exact, a text."""
    if isinstance(value, str):
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
            raise Damaged("this is no event")
        return int(value) / 1e9
    return whole(value, -LONGEST) / 1e9


@dataclass
class SourceClock:
    """How much later each picture came than the quickest one so far, by the stamps of a clock whose zero nobody knows."""

    _least: tuple[int, int] | None = None
    _last: tuple[int, int, int] | None = None

    def lag(self, picture: int, kind: int, stamp: int, arrival: int) -> int:
        """Nanoseconds. A clock, or what fetches the pictures, may begin anew."""
        if self._last and (picture <= self._last[0] or kind != self._last[1] or stamp < self._last[2]):
            self._least = None
        self._last = picture, kind, stamp
        difference = arrival - stamp
        allowed = self._least[0] + max(arrival - self._least[1], 0) // DRIFT if self._least else difference
        if difference <= allowed:
            self._least = difference, arrival
            return 0
        return difference - allowed


@dataclass
class Events:
    """Makes messages of a record's events."""

    name: str  # The record's, for the log.
    start: int
    wall: int | None
    clock: SourceClock = field(default_factory=SourceClock)

    def messages(self, event: Fields, time: int, line: int) -> list[Message] | None:
        """What an event says; nothing of those that only time the drawing, and None if its kind is unknown.

        - Raises `Damaged` if a known kind has another shape than it should.
        """
        for kind, read in READERS:
            if kind in event:
                made = read(self, event, event[kind])
                return [self._message(time, line, topic, fields) for topic, fields in made]
        return None

    def _message(self, time: int, line: int, topic: str, fields: Fields) -> Message:
        if topic == "/events":
            at = time + (self.wall or 0)
            stamp = {"sec": at // 10**9, "nsec": at % 10**9}
            return Message(time, topic, {"timestamp": stamp} | fields | {"file": self.name, "line": line}, line)
        published = fields.pop("_arrival", None)
        return Message(time, topic, fields, line, published)

    # What each kind of event is.

    def _nothing(self, event: Fields, value: object) -> Channels:
        return []

    def _resize(self, event: Fields, value: object) -> Channels:
        width, height, scale = [number(side) for side in items(value, 3)]
        full = ", fullscreen" if event.get("fullscreen") is True else ""
        return log("window", f"{width:g} x {height:g} points at scale {scale / 120:g}{full}")

    def _assist(self, event: Fields, value: object) -> Channels:
        assist: Fields = {"view": [whole(index) for index in items(value)]}
        if "value" in event:
            assist["value"] = number(event["value"])
        elif "text" in event:
            assist["text"] = text(event["text"])
        elif event.get("action") is not None:
            assist["action"] = text(event["action"])
        else:
            assist["action"] = "focus"
        return [("/input", {"kind": "assist", "assist": assist})]

    def _text_service(self, event: Fields, value: object) -> Channels:
        seat, service = items(value, 2)
        return log("window", f"input method of seat {whole(seat)}: {text(service)}")

    def _life(self, event: Fields, value: object) -> Channels:
        return log("life", text(value))

    def _telemetry(self, event: Fields, value: object) -> Channels:
        return [("/telemetry", told(text(value)))]

    def _refused(self, event: Fields, value: object) -> Channels:
        return log("telemetry", "lines came, but none that can be read", WARNING)

    def _stale(self, event: Fields, value: object) -> Channels:
        bits = 15 if value is True else whole(value, 1, 31)
        return log("telemetry", f"too old: {', '.join(name for bit, name in STALE.items() if bits & bit)}", WARNING)

    def _quality(self, event: Fields, value: object) -> Channels:
        time, loss = items(value, 2)
        return [("/link", {"roundTripMs": whole(time), "lossPercent": whole(loss, 0, 100)})]

    def _machine(self, event: Fields, value: object) -> Channels:
        if value is None:
            return log("machine", "neither battery nor Wi-Fi")
        battery, battery_warning, level, wireless_warning, is_gone = items(value, 5)
        words = [f"battery {whole(battery)} %"] if battery is not None else []
        if truth(is_gone):
            words.append("Wi-Fi gone")
        elif level is not None:
            words.append(f"Wi-Fi {whole(level, -1000, 1000)} dBm")
        worst = max(whole(battery_warning, 0, 2), whole(wireless_warning, 0, 2))
        return log("machine", ", ".join(words) or "nothing is known", (INFO, WARNING, ERROR)[worst])

    def _video(self, event: Fields, value: object) -> Channels:
        if value is None:
            return [("/video/notice", {"state": "off"})]
        state, age, is_known, pictures, link, camera = items(value, 6)
        return [("/video/notice", {
            "state": text(state), **known("ageMs", age, whole), "includesCamera": truth(is_known), "framesPerSecond": whole(pictures),
            **known("linkMs", link, whole), "camera": text(camera)})]

    def _frame(self, event: Fields, value: object) -> Channels:
        values = items(value, 5, 7)
        picture, arrival = whole(values[0]), whole(values[1], -LONGEST)
        frame: Fields = {
            "number": picture, "arrival": arrival / 1e9, "bytes": whole(values[2]), "isRepeat": truth(values[3]),
            "decodeMs": whole(values[4]) / 1e6, "_arrival": arrival}
        if len(values) == 7:
            kind, taken = whole(values[5]), text(values[6])
            digits = taken.removeprefix("-")
            if kind not in STAMPS or not (digits.isascii() and digits.isdigit() and len(digits) < 20):
                raise Damaged("this is no event")
            frame |= {"stampKind": STAMPS[kind], "stamp": taken}
            age = self._age(kind, int(taken), arrival)
            if age is not None:
                frame["ageMs"] = age / 1e6
            frame["lagMs"] = self.clock.lag(picture, kind, int(taken), self.start + arrival) / 1e6
        return [("/video/frame", frame)]

    def _age(self, kind: int, taken: int, arrival: int) -> int | None:
        """Nanoseconds from when a picture was taken to its arrival; None if the stamp or the record does not say."""
        if self.wall is None:
            return None
        arrival += self.wall
        if kind == 1 and 0 <= arrival - taken < DISAGREEMENT:
            return arrival - taken
        if kind == 3 and (age := (arrival // 10**6 - taken // 10**6) % TURN) < TURN // 2:
            return age * 10**6
        return None

    def _tilt(self, event: Fields, value: object) -> Channels:
        return [("/input", {"kind": "tilt", "tilt": {**known("degrees", value, number), "isLost": truth(event.get("lost"))}})]

    def _look(self, event: Fields, value: object) -> Channels:
        light, contrast, still = [truth(each) for each in items(value, 3)]
        extra = (", high contrast" if contrast else "") + (", reduced motion" if still else "")
        return log("look", f"{'light' if light else 'dark'}{extra}")

    def _scene(self, event: Fields, value: object) -> Channels:
        text(value)
        return log("scene", "another layout file is shown")

    def _lose(self, event: Fields, value: object) -> Channels:
        return log("loss", text(value), WARNING)

    def _hang(self, event: Fields, value: object) -> Channels:
        values = items(value, 2, 3, 4)
        reason = text(values[2]) if len(values) > 2 else "loop-hung"
        since = whole(values[0], -LONGEST) / 1e9
        return log("loss", f"{reason}: the sender took over at {since:.3f} s, up to line {whole(values[1])}", ERROR)

    def _link(self, event: Fields, value: object) -> Channels:
        status = text(value)
        fault = f": {text(event['fault'])}" if "fault" in event else ""
        return log("link", status + fault, LEVELS.get(status, WARNING))

    def _end(self, event: Fields, value: object) -> Channels:
        return log("end", "the session ended")

    def _touches(self, event: Fields, value: object) -> Channels:
        touches = []
        for touch in items(value):
            seat, contact, finger, phase, x, y, pressure, time = items(touch, 8)
            touches.append({
                "seat": whole(seat), "contact": text(contact), "finger": whole(finger, -LONGEST), "phase": text(phase), "x": number(x),
                "y": number(y), **known("pressure", pressure, number), "deviceTime": device_time(time)})
        return [("/input", {"kind": "touches", "touches": touches})]

    def _hover(self, event: Fields, value: object) -> Channels:
        seat, *place = items(value, 1, 3)
        hover: Fields = {"seat": whole(seat)}
        if place:
            hover |= {"x": number(place[0]), "y": number(place[1])}
        return [("/input", {"kind": "hover", "hover": hover})]

    def _gamepad(self, event: Fields, value: object) -> Channels:
        # Three more where a vehicle's channels use further buttons and the right stick.
        parts = items(value, 11) if isinstance(value, list) and len(value) > 8 else items(value, 8)
        seat, phase, steering, throttle, brake, handbrake, buttons, time = parts[:8]
        pad: Fields = {
            "seat": whole(seat), "phase": text(phase), "steering": number(steering), "throttle": number(throttle), "brake": number(brake),
            "handbrake": number(handbrake), "buttons": whole(buttons), "deviceTime": device_time(time)}
        if len(parts) > 8:
            pad |= {"extras": whole(parts[8]), "rightX": number(parts[9]), "rightY": number(parts[10])}
        return [("/input", {"kind": "gamepad", "gamepad": pad})]

    def _scroll(self, event: Fields, value: object) -> Channels:
        seat, phase, x, y, dx, dy, clicks_x, clicks_y, source, is_inverted, time = items(value, 11)
        return [("/input", {"kind": "scroll", "scroll": {
            "seat": whole(seat), "phase": text(phase), "x": number(x), "y": number(y), "dx": number(dx), "dy": number(dy),
            "clicksX": number(clicks_x), "clicksY": number(clicks_y), "source": text(source), "isInverted": truth(is_inverted),
            "deviceTime": device_time(time)}})]

    def _key(self, event: Fields, value: object) -> Channels:
        seat, phase, key, typed, modifiers, time = items(value, 6)
        return [("/input", {"kind": "key", "key": {
            "seat": whole(seat), "phase": text(phase), "keysym": whole(key), "text": text(typed), "modifiers": whole(modifiers),
            "deviceTime": device_time(time)}})]

    def _focus(self, event: Fields, value: object) -> Channels:
        seat, is_focused = items(value, 2)
        return [("/input", {"kind": "focus", "focus": {"seat": whole(seat), "isFocused": truth(is_focused)}})]

    def _text(self, event: Fields, value: object) -> Channels:
        seat, source, before, after, inserted, preedit, *_ = items(value, 8, 10)
        return [("/input", {"kind": "text", "text": {
            "seat": whole(seat), "source": text(source), "deletedBefore": whole(before), "deletedAfter": whole(after),
            "inserted": text(inserted), "preedit": text(preedit)}})]

    def _lost(self, event: Fields, value: object) -> Channels:
        cause, seat = items(value, 2)
        return log("loss", text(cause) + ("" if seat is None else f" (seat {whole(seat)})"), WARNING)


def log(name: str, message: str, level: int = INFO) -> Channels:
    """An entry of the log."""
    return [("/events", {"level": level, "message": message, "name": name})]


def told(line: str) -> Fields:
    """What the cockpit knows by a line of telemetry, and the line itself if it says anything else.

    The cockpit takes no value for known that its schema does not allow.
    """
    try:
        said = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return {"line": line}
    if not isinstance(said, dict):
        return {"line": line}
    good = {name: value for name, value in said.items() if name in TELEMETRY and TELEMETRY[name](value)}
    return good if len(good) == len(said) else good | {"line": line}


def _within(least: float, most: float) -> Callable[[object], bool]:
    return lambda value: is_number(value) and least <= value <= most  # type: ignore[operator]


def _count(value: object) -> bool:
    return type(value) is int and 1 <= value < 1 << 53


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(_text(each) for each in value)


def _text(value: object) -> bool:
    return isinstance(value, str) and value == text(value)


TELEMETRY: dict[str, Callable[[object], bool]] = {
    "speed": _within(-9999, 9999), "battery": _within(0, 1), "linkAge": _within(0, 86400), "warnings": _texts, "id": _text,
    "ack": _count, "arrived": _within(0, 1e15), "driver": _text, "stop": _text, "lifted": _count}
# In this order: the line of a tilt has a member `lost` too, and that of assistive technology a `text`.
READERS: list[tuple[str, Callable[[Events, Fields, Any], Channels]]] = [
    ("resize", Events._resize), ("assist", Events._assist), ("life", Events._life), ("wake", Events._nothing),
    ("frame", Events._nothing), ("telemetry", Events._telemetry), ("refused", Events._refused), ("stale", Events._stale),
    ("quality", Events._quality), ("machine", Events._machine), ("video", Events._video), ("videoFrame", Events._frame), ("tilt", Events._tilt),
    ("look", Events._look), ("scene", Events._scene), ("lose", Events._lose), ("hang", Events._hang), ("link", Events._link),
    ("end", Events._end), ("touches", Events._touches), ("hover", Events._hover), ("scroll", Events._scroll), ("key", Events._key),
    ("focus", Events._focus), ("gamepad", Events._gamepad), ("text", Events._text),
    ("textService", Events._text_service), ("lost", Events._lost)]

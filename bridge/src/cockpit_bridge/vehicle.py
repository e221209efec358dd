"""A vehicle file (docs/vehicles.md): what is known of one vehicle. The cockpit reads the same file.

The bridge applies what belongs to the hardware (which way a servo turns, how far, where its middle is), and knows which channels there are
and what is safe for each. What belongs to the driver, such as limits, is the cockpit's; it is checked here and not used.
"""

import math
import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import Any

from . import jsonc
from .lease import Command

LARGEST = 64 * 1024  # Bytes of a file.
NAME = re.compile("[a-z0-9-]{1,16}")
RECEIVER = re.compile("-|unix:.+|udp:.+:[0-9]+|bridge:[a-z0-9][a-z0-9-]*:[^ ]+")
KEEP = "keep"
# What a gamepad has for channels: sticks for an axis, buttons for the others.
STICKS = ["right-x", "right-y"]
BUTTONS = ["west", "select", "start", "left-stick", "right-stick", "pad-up", "pad-down", "pad-left", "pad-right"]


class BadVehicle(ValueError):
    """A file that cannot be read or is no vehicle file; the message begins with the file, and the line and column if there is one."""


@dataclass(frozen=True)
class Travel:
    """How far an output goes: `low` and `high` are the parts of its way, 0 to 1, below and above 0; `centre` is where it rests."""

    is_inverted: bool = False
    low: float = 1.0
    high: float = 1.0
    centre: float = 0.0

    def output(self, value: float) -> float:
        """The output, -1 to 1, for what the driver asks for, -1 to 1: `centre` at 0, and never falling while `value` rises (or never
        rising, if it is inverted)."""
        asked = -value if self.is_inverted else value
        if not asked:
            return self.centre
        made = self.centre + asked * (self.high - self.centre if asked > 0 else self.low + self.centre)
        return round(min(max(made, -self.low), self.high), 6)


@dataclass(frozen=True)
class Channel:
    """A value beside throttle and steering. `values` are those that it may have; an axis has a lowest and a highest."""

    kind: str  # switch, axis, choice or momentary.
    values: tuple[float, ...]
    start: float
    safe: float | None  # What it gets after a loss; None keeps what it has.
    output: int | str | None = None

    @property
    def off(self) -> float:
        """What a switch or a momentary channel is while it is off."""
        return self.values[0]

    def is_on(self, value: float) -> bool:
        """Whether a switch is on: nearer to that than to off."""
        return abs(value - self.values[-1]) < abs(value - self.values[0])

    def taken(self, value: float) -> float | None:
        """`value` as the channel may have it; None if it may not."""
        if self.kind == "axis":
            return min(max(value, self.values[0]), self.values[1])
        nearest = min(self.values, key=lambda each: abs(each - value))
        # A line has three decimals.
        return nearest if abs(nearest - value) <= 0.001 else None


@dataclass(frozen=True)
class Arm:
    """That the vehicle can be armed, and whether a loss disarms it."""

    disarms: bool = False
    output: int | str | None = None


@dataclass(frozen=True)
class Mode:
    """The vehicle's modes by name, with the receiver's numbers."""

    values: dict[str, float]
    start: str
    output: int | str | None = None


@dataclass(frozen=True)
class Vehicle:
    """What a vehicle file says to the bridge. Without a file it is a vehicle that is told what the line says."""

    name: str = ""
    steering: Travel = Travel()
    throttle: Travel = Travel()
    channels: dict[str, Channel] = field(default_factory=dict)
    arm: Arm | None = None
    mode: Mode | None = None
    keeps_neutral: bool = False  # The bridge goes on sending neutral and the channels while nobody drives.
    file: str = field(default="", compare=False)
    places: dict[tuple[str, ...], str] = field(default_factory=dict, compare=False)  # The line and column of what has an output.

    def place(self, *path: str) -> str:
        """The file, line and column of what has an output, for messages."""
        return f"{self.file}:{self.places[path]}" if self.file and path in self.places else "the vehicle file"

    def driven(self, command: Command) -> Command:
        """The command that the hardware needs for `command`, also for a stop: that is the centre of each output."""
        return replace(command, throttle=self.throttle.output(command.throttle), steering=self.steering.output(command.steering))


def read(path: str) -> Vehicle:
    """Reads a vehicle file. Throws BadVehicle with one sentence."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as problem:
        raise BadVehicle(f"{path}: {getattr(problem, 'strerror', None) or 'no name of a file'}") from problem
    if len(data) > LARGEST:
        raise BadVehicle(f"{path}: more than {LARGEST // 1024} KiB")
    try:
        return replace(parse(data.decode("utf-8")), file=path)
    except UnicodeDecodeError as problem:
        raise BadVehicle(f"{path}: no UTF-8 at byte {problem.start + 1}") from problem
    except jsonc.BadJSON as problem:
        raise BadVehicle(f"{path}:{problem}") from problem


def parse(text: str) -> Vehicle:
    """What the text of a vehicle file says. Throws BadJSON."""
    document = jsonc.read(text)
    if not isinstance(document.value, dict):
        raise document.bad(0, "a vehicle file is an object")
    top = _Object(document, ())
    if top.required("version") != 1 or isinstance(top.take("version"), bool):
        raise document.bad(("version",), "this program reads version 1")
    name = top.text("name", 64, is_required=True)
    receiver = top.text("receiver", 1000)
    if receiver is not None and not RECEIVER.fullmatch(receiver):
        raise document.bad(("receiver",), '"receiver" is what --drive takes: -, unix:PATH, udp:HOST:PORT or bridge:NAME:PLACE')
    steering = _travel(top.inner("steering"), "left", "right")
    throttle = _travel(top.inner("throttle"), "reverse", "forward")
    _check_the_cockpits(top)
    channels = top.inner("channels")
    if len(channels.fields) > 8:
        raise document.bad(channels.path, "a vehicle has eight channels at most")
    gamepad: dict[str, str] = {}
    made = {each: _channel(channels.inner(each), each, gamepad) for each in list(channels.fields)}
    arm, mode, keeps_neutral = top.optional("arm"), top.optional("mode"), top.truth("keepNeutral")
    top.end()
    paths = [("arm",), ("mode",), ("steering",), ("throttle",), *(("channels", each) for each in made)]
    places = {path: document.place((*path, "output")) for path in paths}
    return Vehicle(
        name or "", steering, throttle, made, _arm(arm) if arm else None, _mode(mode) if mode else None, keeps_neutral, places=places)


class _Object:
    """The properties of an object, each of which is asked for once; `end` refuses the others."""

    def __init__(self, document: jsonc.Document, path: jsonc.Path) -> None:
        self.document, self.path = document, path
        found = document.value
        for part in path:
            found = found[part]
        if not isinstance(found, dict):
            raise document.bad(path, f'"{path[-1]}" is an object')
        self.fields: dict[str, Any] = found
        self._known: set[str] = set()

    def bad(self, name: str, sentence: str) -> jsonc.BadJSON:
        return self.document.bad((*self.path, name), sentence)

    def end(self) -> None:
        for name in self.fields:
            if name not in self._known:
                known = ", ".join(sorted(self._known))
                raise self.bad(name, f'the property "{name}" is not known here; there are {known}')

    def take(self, name: str) -> Any:
        self._known.add(name)
        return self.fields.get(name)

    def required(self, name: str) -> Any:
        if name not in self.fields:
            raise self.document.bad(self.path, f'the property "{name}" is missing')
        return self.take(name)

    def inner(self, name: str) -> "_Object":
        """The object of that name, empty if there is none."""
        self._known.add(name)
        if name not in self.fields:
            return _Object(jsonc.Document("", {}), ())
        return _Object(self.document, (*self.path, name))

    def optional(self, name: str) -> "_Object | None":
        """The object of that name, if there is one."""
        self._known.add(name)
        return self.inner(name) if name in self.fields else None

    def number(self, name: str, least: float, most: float, default: float | None = None) -> float:
        """A number within the limits; without a default it must be there."""
        if name not in self.fields and default is not None:
            self._known.add(name)
            return float(default)
        value = self.required(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most or not math.isfinite(value):
            raise self.bad(name, f'"{name}" is a number from {least:g} to {most:g}')
        return float(value)

    def truth(self, name: str) -> bool:
        value = self.take(name)
        if name in self.fields and not isinstance(value, bool):
            raise self.bad(name, f'"{name}" is true or false')
        return bool(value)

    def text(self, name: str, longest: int, is_required: bool = False) -> str | None:
        value = self.required(name) if is_required else self.take(name)
        if name not in self.fields:
            return None
        if not isinstance(value, str) or not 0 < len(value) <= longest or any(unicodedata.category(sign) == "Cc" for sign in value):
            raise self.bad(name, f'"{name}" is a text of 1 to {longest} signs, without control characters')
        return value

    def word(self, name: str, words: list[str], default: str | None = None) -> str:
        """One of the words; without a default it must be there."""
        if name not in self.fields and default is not None:
            self._known.add(name)
            return default
        value = self.required(name)
        if value not in words or not isinstance(value, str):
            raise self.bad(name, f'"{name}" is {" or ".join(words)}')
        return value

    def output(self) -> int | str | None:
        value = self.take("output")
        if "output" not in self.fields:
            return None
        is_number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 65535
        if not is_number and not (isinstance(value, str) and 0 < len(value) <= 64 and value.isprintable()):
            raise self.bad("output", '"output" is a number or a name of the receiver\'s')
        return value  # type: ignore[no-any-return]


def _travel(found: _Object, low: str, high: str) -> Travel:
    ends = (found.number(low, 0, 1, 1), found.number(high, 0, 1, 1), found.number("centre", -1, 1, 0))
    made = Travel(found.truth("invert"), *(round(each, 6) for each in ends))
    found.end()
    if not -made.low <= made.centre <= made.high:
        raise found.bad("centre", f'"centre" is not between the end points -"{low}" and "{high}", {-made.low:g} to {made.high:g}')
    return made


def _check_the_cockpits(top: _Object) -> None:
    """What only the cockpit uses."""
    limits = top.inner("limits")
    for name, least, most in (("forward", 0.05, 1), ("reverse", 0.05, 1), ("ramp", 0, 30), ("expo", 0, 1), ("trim", -0.2, 0.2)):
        limits.number(name, least, most, 0)
    limits.end()
    battery = top.optional("battery")
    if battery is not None:
        battery.number("alarm", 0, 1)
        battery.truth("sound")
        battery.end()
    top.word("units", ["km/h", "mph", "m/s", "knots"], "km/h")


def _channel(found: _Object, name: str, gamepad: dict[str, str]) -> Channel:
    """The channel of an object. `gamepad` has what is taken of the gamepad, and by whom."""
    if not NAME.fullmatch(name):
        raise found.document.bad(found.path, f'"{name}" is no name of a channel: 1 to 16 of a-z, 0-9 and -')
    kind = found.required("kind")
    if kind not in ("switch", "axis", "choice", "momentary") or not isinstance(kind, str):
        raise found.bad("kind", '"kind" is switch, axis, choice or momentary')
    words: dict[str, float] = {}
    values: tuple[float, ...]
    if kind == "axis":
        least, most = found.number("minimum", -1, 1, -1), found.number("maximum", -1, 1, 1)
        if not least < most:
            raise found.bad("maximum", '"maximum" is not above "minimum"')
        values, start = (least, most), found.number("start", least, most, min(max(0.0, least), most))
    else:
        words = _words(found, 8) if kind == "choice" else {"off": found.number("off", -1, 1), "on": found.number("on", -1, 1)}
        # A line has three decimals.
        if len({round(value, 3) for value in words.values()}) < len(words):
            raise found.bad("values" if kind == "choice" else "on", "two of its values are the same")
        values = tuple(words.values())
        # Nobody holds a button before the start.
        start = words["off"] if kind == "momentary" else words[found.word("start", list(words), "off" if kind == "switch" else None)]
    safe = _safe(found, kind, values, words, start)
    output = found.output()
    if found.take("gamepad") is not None or "gamepad" in found.fields:
        part = found.word("gamepad", STICKS if kind == "axis" else BUTTONS)
        if gamepad.setdefault(part, name) != name:
            raise found.bad("gamepad", f"the gamepad's {part} is taken by {gamepad[part]}")
    found.end()
    return Channel(kind, values, start, safe, output)


def _words(found: _Object, most_words: int, least: float = -1, most: float = 1) -> dict[str, float]:
    found.required("values")
    values = found.inner("values")
    if not 2 <= len(values.fields) <= most_words:
        raise found.bad("values", f'"values" has 2 to {most_words} of them')
    for name in values.fields:
        if not NAME.fullmatch(name):
            raise values.bad(name, f'"{name}" is no name of a value: 1 to 16 of a-z, 0-9 and -')
    return {name: values.number(name, least, most) for name in values.fields}


def _safe(found: _Object, kind: str, values: tuple[float, ...], words: dict[str, float], start: float) -> float | None:
    """What `safe` says. A momentary channel is always off after a loss: a hand that is not there holds nothing."""
    value = found.take("safe")
    if kind == "momentary":
        if "safe" in found.fields and (isinstance(value, bool) or value != words["off"]):
            raise found.bad("safe", 'a momentary channel is off after a loss: leave "safe" out')
        return words["off"]
    if value == KEEP or "safe" not in found.fields and kind != "axis":
        return None
    if kind == "axis":
        return found.number("safe", values[0], values[1], start)
    return words[found.word("safe", [*words, KEEP])]


def _arm(found: _Object) -> Arm:
    found.number("hold", 0.5, 10, 1)
    made = Arm(found.word("safe", [KEEP, "disarm"], KEEP) == "disarm", found.output())
    found.end()
    return made


def _mode(found: _Object) -> Mode:
    values = _words(found, 16, -1, 255)
    made = Mode(values, found.word("start", list(values)), found.output())
    found.end()
    return made

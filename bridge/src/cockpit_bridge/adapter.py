"""What a receiver's adapter is."""

import argparse
import asyncio
import contextlib
import json
import math
import os
import ssl
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar, TypeVar

from .message import NEUTRAL, Command
from .outputs import Output, bad_output, outputs_of
from .source import BadPlace
from .vehicle import Vehicle

Value = TypeVar("Value")

STALL = 0.3  # Seconds that a line may take for one message.


class LinkError(Exception):
    """The receiver is gone, refuses or does not answer; the reason in words."""


@contextlib.contextmanager
def link_errors(what: str) -> Iterator[None]:
    """Makes a LinkError of every exception: what a library throws must not end the bridge, which owes the vehicle a stop."""
    try:
        yield
    except LinkError:
        raise
    except ssl.SSLError as problem:
        raise LinkError(f"{what}: TLS: {(problem.reason or 'failed').lower().replace('_', ' ')}") from problem
    except OSError as problem:
        words = os.strerror(problem.errno) if problem.errno and problem.errno > 0 else problem.strerror or plain(str(problem))
        raise LinkError(f"{what}: {words or type(problem).__name__}") from problem
    except Exception as problem:
        raise LinkError(f"{what}: {plain(str(problem)) or type(problem).__name__}") from problem


_running: set[threading.Thread] = set()  # Those of `on_thread`.


async def on_thread(work: Callable[[], Value], undo: Callable[[Value], object] = lambda made: None) -> Value:
    """What `work` returns, from a thread that neither the loop nor the end of the program waits for.

    If the caller has given up meanwhile, `undo` takes back what was made after all. Throws LinkError if eight such threads hang.
    """
    if len(_running) >= 8:
        raise LinkError("earlier attempts still wait")
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Value] = loop.create_future()

    def settle(made: Value | None, problem: BaseException | None) -> None:
        if problem is None and result.done():
            undo(made)  # type: ignore[arg-type]
        elif not result.done():
            result.set_exception(problem) if problem is not None else result.set_result(made)  # type: ignore[arg-type]

    def run() -> None:
        made, problem = None, None
        try:
            made = work()
        except BaseException as thrown:
            problem = thrown
        _running.discard(threading.current_thread())
        with contextlib.suppress(RuntimeError):  # The loop has ended.
            loop.call_soon_threadsafe(settle, made, problem)

    thread = threading.Thread(target=run, daemon=True)
    _running.add(thread)
    thread.start()
    return await result


def say(text: str) -> None:
    """A line on standard error, if that can be written: a full disk must not end a drive."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(f"cockpit-bridge: {text}", file=sys.stderr, flush=True)


def suspended() -> float:
    """Seconds for which the machine was suspended since it started: the monotonic clock stands still then."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()


def plain(text: str) -> str:
    """`text` in one line, without what cannot be printed; cut after 200 characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text[:1000]).split())[:200]


def number(value: object, least: float = -math.inf, most: float = math.inf) -> float | None:
    """`value` within the limits; None if it is no number that counts: NaN, an infinity, true, a text."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        made = float(value)
    except OverflowError:
        return None
    return min(max(made, least), most) if math.isfinite(made) else None


class Reported:
    """A number of a report, kept within `least` and `most`. It expires `limit` seconds after it was set; then, and before, it is None."""

    def __init__(self, limit: float, least: float, most: float) -> None:
        self._limit, self._least, self._most = limit, least, most

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, status: object, owner: type) -> float | None:
        set_at, value = status.__dict__.get(self._name, (-math.inf, None))
        return value if time.monotonic() - set_at <= self._limit else None

    def __set__(self, status: object, value: object) -> None:
        status.__dict__[self._name] = (time.monotonic(), number(value, self._least, self._most))


class Status:
    """The vehicle's last report; None if a value is not known. The names and limits are those of docs/telemetry.schema.json.

    Each value expires: a vehicle that falls silent must not show an old speed.
    """

    speed = Reported(1.0, -9999, 9999)  # Kilometres per hour, backwards negative.
    battery = Reported(10.0, 0, 1)  # The charge, from 0 to 1.

    def __init__(self) -> None:
        self._warnings: dict[str, float] = {}  # When each ends, the newest first.

    @property
    def warnings(self) -> list[str]:
        """Short texts, the newest first; a text stands there once."""
        now = time.monotonic()
        return [text for text, end in self._warnings.items() if now < end]

    @warnings.setter
    def warnings(self, texts: list[str]) -> None:
        self._warnings = {}
        for text in reversed(texts):
            self.warn(text)

    def warn(self, text: str, seconds: float = 10.0, is_hint: bool = False) -> None:
        """Puts a warning before the others, or a hint behind them, for so many seconds."""
        text = plain(text)
        self.withdraw(text)
        kept, made = dict(list(self._warnings.items())[:15]), {text: time.monotonic() + seconds} if text else {}
        self._warnings = kept | made if is_hint else made | kept

    def withdraw(self, text: str) -> None:
        """Takes a warning away."""
        self._warnings.pop(text, None)

    def line(self, link_age: float | None, warnings: list[str]) -> bytes:
        """The telemetry message with `warnings` before the vehicle's own, and with its newline."""
        fields: dict[str, object] = {"linkAge": number(link_age, 0, 86400), "speed": self.speed, "battery": self.battery}
        fields = {name: value for name, value in fields.items() if value is not None}
        merged = list(dict.fromkeys(warnings + self.warnings))[:4]
        return (json.dumps(fields | {"warnings": merged}, allow_nan=False) + "\n").encode()


@dataclass
class Options:
    """The limits that the command line sets; adapters read those that they need."""

    max_speed: float = 1.0  # m/s at throttle 1
    max_turn: float = 1.0  # rad/s, or rad for a steering angle, at steering 1
    topic: str | None = None
    vehicle: str = "rover"
    speed_topic: str | None = None
    battery_topic: str | None = None
    clock_stamps: bool = False
    steering: str = "car"  # Or "skid".
    twist_type: str = "auto"  # Or "plain", "stamped".
    system: int | None = None  # MAVLink: the vehicle's; None for the first that speaks.
    own_id: int = 255  # MAVLink: ours.
    user: str | None = None  # MQTT
    password_file: str | None = None
    tls: str | None = None  # MQTT: a file of certificates, or "" for those of the system.
    vehicle_file: Vehicle | None = None

    def __post_init__(self) -> None:
        for name in ("max_speed", "max_turn"):
            if number(getattr(self, name)) is None:
                raise ValueError(f"--{name.replace('_', '-')} is a number")

    def twist(self, command: Command) -> tuple[float, float]:
        """The speed forwards and the turn to the left, as ROS counts them.

        A car turns as fast as it goes, and the other way in reverse: docs/examples/drive_ros2.py sends the same.
        """
        if command.brake or command.throttle == 0:
            return 0.0, 0.0
        turn = -command.steering * self.max_turn
        return command.throttle * self.max_speed, turn * command.throttle if self.steering == "car" else turn


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of single adapters."""
    parser.add_argument("--steering", choices=["car", "skid"], default="car", help="how the vehicle turns (ROS; default car)")
    parser.add_argument(
        "--twist", choices=["auto", "plain", "stamped"], default="auto", help="Twist or TwistStamped (ROS; default what the server says)")
    parser.add_argument("--system", type=_system, metavar="N", help="the vehicle's system id (MAVLink; default the first that speaks)")
    parser.add_argument("--own-id", type=_system, default=255, metavar="N", help="the bridge's own system id (MAVLink; default 255)")
    parser.add_argument("--user", help="the user's name at the broker (MQTT); the password is in COCKPIT_MQTT_PASSWORD")
    parser.add_argument("--password-file", metavar="FILE", help="a file with the password (MQTT)")
    parser.add_argument(
        "--tls", nargs="?", const="", metavar="CA", help="encrypt; CA is a file of certificates (MQTT; default the system's)")


def added_options(parsed: argparse.Namespace) -> dict[str, Any]:
    """What `add_options` added, for Options."""
    return {
        "steering": parsed.steering, "twist_type": parsed.twist, "system": parsed.system, "own_id": parsed.own_id,
        "user": parsed.user, "password_file": parsed.password_file, "tls": parsed.tls}


def _system(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) < 256:
        return int(text)
    raise argparse.ArgumentTypeError(f'"{text}" is no system id: 1 to 255')


class Adapter(ABC):
    """One receiver. The bridge calls the methods one at a time, and ends a call that takes longer than 300 ms.

    `connect` makes the connection; `send` passes on a command and returns when the socket has taken it, `unacknowledged` says whether it is still
    under way, and another command waits until then; `neutral` passes on the stop, as a command unless the receiver has a form of its own; `close`
    ends the connection in good order, `abort` at once, with everything that is still unsent. All throw LinkError or OSError if the receiver is gone.
    """

    rate: ClassVar[float] = 20.0  # Messages a second while driving.
    neutral_time: ClassVar[float] = 1.0  # Seconds during which neutral is repeated; then the bridge is silent.
    linger: ClassVar[float] = 0.0  # Seconds between the last neutral message and closing.
    drives_on: float | None = None  # Seconds that the receiver drives on without us; None if unknown.
    # Why a vehicle file may not move the middle of an output: the receiver has a stop or a trim of its own. Empty if it may.
    horn_place: ClassVar[int | None] = None  # The output that the horn has, unless the vehicle file has something there.
    no_steering_centre: ClassVar[str] = ""
    no_throttle_centre: ClassVar[str] = "a stop is throttle 0 for this receiver, and another middle would drive"
    unplaced: ClassVar[frozenset[str]] = frozenset()  # What it passes on without an `output`: of channels, arm and mode.
    # A flight controller takes the arm channel for a switch: it arms only if it has seen it low before, and forgets that while nothing comes.
    arms_by_switch: ClassVar[bool] = False

    def __init__(self, place: str, options: Options) -> None:
        self.place = place
        self.options = options
        self.stop = NEUTRAL  # The vehicle's stop with its channels as they are now: the bridge keeps it up to date.
        self.farewell = NEUTRAL  # A stop for later, with what is safe.
        self.outputs: list[Output] = []
        if options.vehicle_file is not None:
            self._take_vehicle(options.vehicle_file)
        self.status = Status()
        self.on_status: Callable[[], None] = lambda: None
        self._told = -math.inf
        self._warned: set[str] = set()

    def _take_vehicle(self, vehicle: Vehicle) -> None:
        for what, travel, reason in (
                ("steering", vehicle.steering, self.no_steering_centre), ("throttle", vehicle.throttle, self.no_throttle_centre)):
            if travel.centre and reason:
                raise BadPlace(f'{vehicle.place(what)}: "centre" of the {what}: {reason}')
        self.outputs = self.placed([each for each in outputs_of(vehicle) if each.place is not None])

    def placed(self, outputs: list[Output]) -> list[Output]:
        """The outputs of the vehicle file that `send` passes on. Throws BadPlace for one that this receiver does not have."""
        if outputs:
            raise bad_output(outputs[0], ": this receiver has no outputs; leave it out")
        return []

    @property
    def waits_to_arm(self) -> bool:
        """Whether it must go on hearing neutral while the vehicle may be armed next."""
        return self.arms_by_switch and any(each.group == "arm" for each in self.outputs)

    def passed_on(self) -> str:
        """What becomes of the vehicle file's channels, arm and mode, in one line; empty if it has none."""
        every = outputs_of(self.options.vehicle_file or Vehicle())
        passed = [f"{each.name} on {each.place}" for each in self.outputs]
        passed += [each.name for each in every if each.place is None and each.group in self.unplaced]
        left = [each.name for each in every if each.place is None and each.group not in self.unplaced]
        parts = [", ".join(passed), f"not passed on to this receiver: {', '.join(left)}" if left else ""]
        if any(each.place == self.horn_place for each in self.outputs):
            parts.append(f"no horn, which had {self.horn_place}")
        return "; ".join(part for part in parts if part)

    def tell(self) -> None:
        """Passes the status on, 20 times a second at most: a flood of reports must not starve the commands."""
        now = time.monotonic()
        if now - self._told >= 0.05:
            self._told = now
            self.on_status()

    def warn(self, text: str) -> None:
        """A warning on the screen; the first time, a line on standard error too."""
        text = plain(text)
        self.status.warn(text)
        if self._is_new(text):
            say(text)
        self.tell()

    def warn_once(self, text: str) -> None:
        """A warning on the screen and on standard error, the first time only."""
        if self._is_new(plain(text)):
            self.status.warn(text)
            say(plain(text))
            self.tell()

    def _is_new(self, text: str) -> bool:
        is_new = text not in self._warned and len(self._warned) < 64
        if is_new:
            self._warned.add(text)
        return is_new

    @abstractmethod
    async def connect(self) -> None:
        """Connects."""

    @abstractmethod
    async def send(self, command: Command) -> None:
        """Passes on a command of the driver, or NEUTRAL."""

    async def neutral(self) -> None:
        """Passes on the stop."""
        await self.send(self.stop)

    def unacknowledged(self) -> int:
        """Bytes that the receiver's machine has not acknowledged; 0 if that is unknown."""
        return 0

    async def taken(self, what: str) -> None:
        """Waits until nothing is under way; throws LinkError if that takes longer than a line may take."""
        end = time.monotonic() + STALL
        while self.unacknowledged():
            if time.monotonic() >= end:
                raise LinkError(what)
            await asyncio.sleep(0.001)

    async def idle(self) -> None:
        """Called at the rate at rest, after neutral was repeated long enough: heartbeats, no commands."""

    async def close(self) -> None:
        """Ends the connection after the linger time."""
        self.abort()

    def abort(self) -> None:
        """Ends the connection at once and throws away what is unsent."""


def adapter_named(name: str) -> type[Adapter]:
    """The adapter that an installed package offers under `name`. Throws LookupError with all names."""
    found = {entry.name: entry for entry in entry_points(group="cockpit_bridge.adapters")}
    if name not in found:
        raise LookupError(f'there is no adapter "{name}"; installed are {", ".join(sorted(found))}')
    loaded = found[name].load()
    if not (isinstance(loaded, type) and issubclass(loaded, Adapter)):
        raise LookupError(f'"{name}" is no subclass of Adapter')
    return loaded

"""What a receiver's adapter is."""

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import ClassVar, Generic, TypeVar

from .message import NEUTRAL, Command

Value = TypeVar("Value")


class LinkError(Exception):
    """The receiver is gone, refuses or does not answer; the reason in words."""


class Reported(Generic[Value]):
    """A value of a report that expires `limit` seconds after it was set; then, and before, it is `absent`."""

    def __init__(self, limit: float, absent: Value) -> None:
        self._limit, self._absent = limit, absent

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, status: object, owner: type) -> Value:
        set_at, value = status.__dict__.get(self._name, (-math.inf, self._absent))
        return value if time.monotonic() - set_at <= self._limit else self._absent

    def __set__(self, status: object, value: Value) -> None:
        status.__dict__[self._name] = (time.monotonic(), value)


class Status:
    """The vehicle's last report; None if a value is not known. The names are those of docs/telemetry.schema.json.

    Each value expires: a vehicle that falls silent must not show an old speed.
    """

    speed = Reported[float | None](1.0, None)  # Kilometres per hour, backwards negative.
    battery = Reported[float | None](10.0, None)  # The charge, from 0 to 1.
    warnings = Reported[list[str]](10.0, [])  # Short texts, the newest first.

    def line(self, link_age: float | None, warnings: list[str]) -> bytes:
        """The telemetry message with `warnings` before the vehicle's own, and with its newline."""
        fields: dict[str, object] = {"linkAge": link_age, "speed": self.speed, "battery": self.battery}
        fields = {name: value for name, value in fields.items() if value is not None}
        return (json.dumps(fields | {"warnings": (warnings + self.warnings)[:4]}) + "\n").encode()


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

    def twist(self, command: Command) -> tuple[float, float]:
        """The speed forwards and the turn to the left, as ROS counts them."""
        speed = 0.0 if command.brake else command.throttle * self.max_speed
        return speed, -command.steering * self.max_turn if speed else 0.0


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

    def __init__(self, place: str, options: Options) -> None:
        self.place = place
        self.options = options
        self.status = Status()
        self.on_status: Callable[[], None] = lambda: None

    @abstractmethod
    async def connect(self) -> None:
        """Connects."""

    @abstractmethod
    async def send(self, command: Command) -> None:
        """Passes on a command of the driver, or NEUTRAL."""

    async def neutral(self) -> None:
        """Passes on the stop."""
        await self.send(NEUTRAL)

    def unacknowledged(self) -> int:
        """Bytes that the receiver's machine has not acknowledged; 0 if that is unknown."""
        return 0

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

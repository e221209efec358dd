"""What a receiver's adapter is."""

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar

from .message import Command


class LinkError(Exception):
    """The receiver is gone, refuses or does not answer; the reason in words."""


class Status:
    """The vehicle's last report; None if a value is not known. The names are those of docs/telemetry.schema.json.

    Each value expires after its limit, in seconds since it was set: a vehicle that falls silent must not show an old speed.
    """

    LIMITS: ClassVar[dict[str, float]] = {"speed": 1.0, "battery": 10.0, "warnings": 10.0}

    def __init__(self) -> None:
        self._values: dict[str, tuple[float, object]] = {}

    def _set(self, name: str, value: object) -> None:
        self._values[name] = (time.monotonic(), value)

    def _get(self, name: str) -> Any:
        set_at, value = self._values.get(name, (-math.inf, None))
        return value if time.monotonic() - set_at <= self.LIMITS[name] else None

    @property
    def speed(self) -> float | None:
        """Kilometres per hour, backwards negative."""
        return self._get("speed")  # type: ignore[no-any-return]

    @speed.setter
    def speed(self, value: float | None) -> None:
        self._set("speed", value)

    @property
    def battery(self) -> float | None:
        """The charge, from 0 to 1."""
        return self._get("battery")  # type: ignore[no-any-return]

    @battery.setter
    def battery(self, value: float | None) -> None:
        self._set("battery", value)

    @property
    def warnings(self) -> list[str]:
        """Short texts, the newest first."""
        return self._get("warnings") or []

    @warnings.setter
    def warnings(self, value: list[str]) -> None:
        self._set("warnings", value)

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


class Adapter(ABC):
    """One receiver. The bridge calls the methods one at a time, and ends a call that takes longer than 300 ms.

    `connect` makes the connection; `send` passes on a command and returns when the socket has taken it, `unacknowledged` says whether it is still
    under way, and another command waits until then; `neutral` passes on the stop in the receiver's own form; `close` ends the connection in good order, `abort` at once,
    with everything that is still unsent. All throw LinkError or OSError if the receiver is gone.
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
        """Passes on a command of a person who drives."""

    @abstractmethod
    async def neutral(self) -> None:
        """Passes on the stop."""

    def unacknowledged(self) -> int:
        """Bytes that the receiver's machine has not acknowledged; 0 if nobody can know."""
        return 0

    async def idle(self) -> None:
        """Called at the rate while nobody drives and neutral was repeated long enough: heartbeats, no commands."""

    async def close(self) -> None:
        """Ends the connection after the linger time."""

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

"""Topics for the channels, arm and mode of a vehicle file: std_msgs, Float64 for a value and Bool for arm."""

import struct
import time
from collections.abc import Iterable

from ..message import Command
from ..outputs import Output, named

AGAIN = 1.0  # Seconds after which a value is said again: a subscriber may come at any time.
FORM = "/[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)*"


def topics_of(outputs: Iterable[Output], taken: Iterable[str | None]) -> list[Output]:
    """The outputs of a vehicle file, each a topic. Throws BadPlace for what is none, and for one that the drive or its reports have."""
    return list(named(outputs, FORM, "an output is a topic here, such as /pan", taken).values())


class Topics:
    """What is to be published: a value that has changed, and each of them once a second."""

    def __init__(self, outputs: list[Output]) -> None:
        self.outputs = outputs
        self._told: dict[str, tuple[float, float]] = {}  # By topic: the value, and when it was said.

    def forget(self) -> None:
        """A new connection has heard nothing."""
        self._told = {}

    def due(self, command: Command) -> list[tuple[int, Output, float]]:
        """The index of each output that must be published now, and its value."""
        now, made = time.monotonic(), []
        for index, each in enumerate(self.outputs):
            value = float(each.is_on(command)) if each.group == "arm" else each.value(command)
            before, at = self._told.get(str(each.place), (None, 0.0))
            if value != before or now - at >= AGAIN:
                self._told[str(each.place)] = value, now
                made.append((index, each, value))
        return made


def type_name(output: Output, is_ros1: bool) -> str:
    """The type of an output's topic."""
    return ("std_msgs/" if is_ros1 else "std_msgs/msg/") + ("Bool" if output.group == "arm" else "Float64")


def json_data(output: Output, value: float) -> dict[str, object]:
    """The message as JSON."""
    return {"data": bool(value) if output.group == "arm" else value}


def bytes_data(output: Output, value: float, is_ros1: bool) -> bytes:
    """The message in CDR, little endian, or as ROS 1 writes it."""
    data = struct.pack("<B", int(value)) if output.group == "arm" else struct.pack("<d", value)
    return data if is_ros1 else b"\x00\x01\x00\x00" + data

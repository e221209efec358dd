"""Reports of vehicles, read into a status."""

import json
import math
import struct
from dataclasses import dataclass
from typing import Any

from .adapter import Status, number

LONGEST = 16 << 20  # Bytes of JSON that are looked into: reading more would hold up the commands.


def read_json(text: Any, longest: int = LONGEST) -> dict[str, Any]:
    """The object that a text holds; empty for anything else: a receiver's odd message is not the end of a drive."""
    if not isinstance(text, (str, bytes)) or len(text) > longest:
        return {}
    try:
        made = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return made if isinstance(made, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; empty for anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def charge(value: object) -> float | None:
    """A battery's charge from 0 to 1. Some drivers count to 100; a negative one is unknown."""
    part = number(value)
    if part is None or not 0 <= part <= 100:
        return None
    return part / 100 if part > 1 else part


def note_mavlink(message: Any, status: Status, drives_on: float | None) -> float | None:
    """Takes a report of the vehicle into `status`; returns for how many seconds the vehicle drives on without us."""
    kind = message.get_type()
    if kind == "VFR_HUD":
        speed = number(message.groundspeed)
        status.speed = None if speed is None else speed * 3.6
    elif kind == "SYS_STATUS":
        percent = number(message.battery_remaining)
        status.battery = percent / 100 if percent is not None and 0 <= percent <= 100 else None
    elif kind == "STATUSTEXT":
        status.warn(str(message.text))
    elif kind == "PARAM_VALUE" and message.param_id == "RC_OVERRIDE_TIME":
        seconds = number(message.param_value)
        return math.inf if seconds is not None and seconds < 0 else seconds if seconds is None or seconds <= 9999 else math.inf
    return drives_on


@dataclass(frozen=True)
class RosReport:
    """Where a ROS message has a value of the status."""

    field: str  # A name of Status.
    path: tuple[str, ...]  # Where it stands in JSON.
    strings: int  # CDR: after the stamp, so many strings,
    skipped: int  # then so many numbers,
    form: str  # all of this form.

    def in_json(self, fields: Any) -> object:
        """The value in a message that was JSON; null is a number that JSON cannot say."""
        for name in self.path:
            fields = fields[name]
        return math.nan if fields is None else fields

    def in_cdr(self, data: bytes) -> float:
        """The value in a CDR message; throws struct.error if it is too short."""
        order = "<" if data[1:2] == b"\x01" else ">"
        at = 12  # After the encapsulation and the stamp.
        for _ in range(self.strings):
            at += -at % 4
            (length,) = struct.unpack_from(order + "I", data, at)
            at += 4 + length
        size = struct.calcsize(self.form)
        at += (4 - at) % size  # Alignment counts from the end of the encapsulation.
        return float(struct.unpack_from(order + self.form, data, at + self.skipped * size)[0])

    def in_status(self, value: object) -> float | None:
        """The value in the unit of the status; None for one that is unknown."""
        if self.field == "battery":
            return charge(value)
        speed = number(value)
        return None if speed is None else speed * 3.6


# By the last word of the message's type.
ROS_REPORTS = {
    "Odometry": RosReport("speed", ("twist", "twist", "linear", "x"), 2, 7 + 36, "d"),
    "TwistStamped": RosReport("speed", ("twist", "linear", "x"), 1, 0, "d"),
    "BatteryState": RosReport("battery", ("percentage",), 1, 6, "f"),
}


def note_ros(kind: object, message: Any, status: Status) -> bool:
    """Takes a ROS message of the type `kind` into `status`: bytes are CDR, all else is what JSON held. False if it tells nothing."""
    report = ROS_REPORTS.get(str(kind).rpartition("/")[2])
    if report is None:
        return False
    try:
        told = report.in_cdr(message) if isinstance(message, bytes) else report.in_json(message)
    except (struct.error, LookupError, TypeError, ValueError):
        return False
    if not isinstance(told, (int, float)):
        return False
    # A bad value makes the old one unknown, and no other.
    value = report.in_status(told)
    setattr(status, report.field, value)
    return value is not None


def note_foxglove(channel: dict[str, Any], payload: bytes, status: Status) -> bool:
    """Takes a message of a Foxglove server's channel into `status`; false for one that tells nothing."""
    kind = channel.get("schemaName", "")
    if channel.get("encoding") != "json":
        return channel.get("encoding") == "cdr" and note_ros(kind, payload, status)
    return note_ros(kind, read_json(payload, 1 << 16), status)

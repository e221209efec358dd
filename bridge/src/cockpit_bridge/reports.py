"""Reports of vehicles, read into a status."""

import json
import math
import struct
from dataclasses import dataclass
from typing import Any

from .adapter import Status


def note_mavlink(message: Any, status: Status, drives_on: float | None) -> float | None:
    """Takes a report of the vehicle into `status`; returns for how many seconds the vehicle drives on without us."""
    kind = message.get_type()
    if kind == "VFR_HUD":
        status.speed = message.groundspeed * 3.6
    elif kind == "SYS_STATUS" and message.battery_remaining >= 0:
        status.battery = message.battery_remaining / 100
    elif kind == "STATUSTEXT":
        status.warnings = ([message.text] + status.warnings)[:4]
    elif kind == "PARAM_VALUE" and message.param_id == "RC_OVERRIDE_TIME":
        return math.inf if message.param_value < 0 else float(message.param_value)
    return drives_on


@dataclass(frozen=True)
class RosReport:
    """Where a ROS message has a value of the status."""

    field: str  # A name of Status.
    factor: float  # From the message's unit to that of the status.
    path: tuple[str, ...]  # Where it stands in JSON.
    strings: int  # CDR: after the stamp, so many strings,
    skipped: int  # then so many numbers,
    form: str  # all of this form.

    def in_json(self, fields: Any) -> float:
        """The value in a message that was JSON."""
        for name in self.path:
            fields = fields[name]
        return float(fields)

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


# By the last word of the message's type.
ROS_REPORTS = {
    "Odometry": RosReport("speed", 3.6, ("twist", "twist", "linear", "x"), 2, 7 + 36, "d"),
    "TwistStamped": RosReport("speed", 3.6, ("twist", "linear", "x"), 1, 0, "d"),
    "BatteryState": RosReport("battery", 1.0, ("percentage",), 1, 6, "f"),
}


def note_ros(kind: str, message: Any, status: Status) -> bool:
    """Takes a ROS message of the type `kind` into `status`: bytes are CDR, anything else what JSON held. False for one that tells nothing."""
    report = ROS_REPORTS.get(kind.rpartition("/")[2])
    if report is None:
        return False
    try:
        value = report.in_cdr(message) if isinstance(message, bytes) else report.in_json(message)
    except (struct.error, KeyError, TypeError, ValueError):
        return False
    if math.isfinite(value):
        setattr(status, report.field, value * report.factor)
    return math.isfinite(value)


def note_foxglove(channel: dict[str, Any], payload: bytes, status: Status) -> bool:
    """Takes a message of a Foxglove server's channel into `status`; false for one that tells nothing."""
    if channel.get("encoding") != "json":
        return channel.get("encoding") == "cdr" and note_ros(channel["schemaName"], payload, status)
    try:
        return note_ros(channel["schemaName"], json.loads(payload), status)
    except ValueError:
        return False

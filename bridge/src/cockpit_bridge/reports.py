"""Reports of vehicles, read into a status."""

import math
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

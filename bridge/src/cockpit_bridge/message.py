"""The drive message, as docs/drive.md defines it."""

import json
from dataclasses import dataclass

LONGEST = 1024  # Bytes of a message; the contract allows 255.


class BadMessage(ValueError):
    """A line that is no drive message of version 1."""


@dataclass(frozen=True)
class Command:
    """What the vehicle should do. Without arguments: neutral, straight, brake."""

    throttle: float = 0.0  # -1 (reverse) ... 1
    steering: float = 0.0  # -1 (left) ... 1 (right)
    brake: bool = True
    horn: bool = False
    driving: bool = False
    stopped: bool = False  # The emergency stop is pressed.
    gear: str = "N"  # R, N or a forward gear.


NEUTRAL = Command()


@dataclass(frozen=True)
class Message:
    """A command with its sequence number and the state that it came from."""

    sequence: int
    state: str
    reason: str
    command: Command


def parse(line: bytes) -> Message:
    """Reads one line. Throws BadMessage for everything that is not a message of version 1."""
    if len(line) > LONGEST:
        raise BadMessage("too long")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise BadMessage("not JSON") from problem
    if not isinstance(fields, dict) or type(fields.get("v")) is not int or fields["v"] != 1:
        raise BadMessage("unknown version")
    sequence, state, reason = fields.get("seq"), fields.get("state"), fields.get("reason")
    if type(sequence) is not int or sequence < 1 or not isinstance(state, str) or not isinstance(reason, str):
        raise BadMessage("no sequence number, state or reason")
    throttle, steering = _number(fields.get("throttle")), _number(fields.get("steering"))
    brake, horn = fields.get("brake"), fields.get("horn")
    if type(brake) is not bool or type(horn) is not bool:
        raise BadMessage("brake and horn are true or false")
    driving = state == "driving"
    command = Command(
        throttle if driving and not brake else 0.0,
        steering if driving else 0.0,
        brake or not driving,
        horn,
        driving,
        state == "safe" and reason == "emergency-stop",
        str(fields.get("gear", "N")) if driving and not brake else "N",
    )
    return Message(sequence, state, reason, command)


def _number(value: object) -> float:
    """A JSON number from -1 to 1. Python counts true as 1 and reads NaN; the contract does neither."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= 1:
        raise BadMessage("throttle and steering are numbers from -1 to 1")
    return float(value)

"""Arm, disarm and mode by MAVLink: commands that an autopilot answers, sent again until it does, or until that would be wrong."""

import math
from dataclasses import dataclass

from ..message import Command
from ..vehicle import Mode

ARM_DISARM, SET_MODE = 400, 176  # MAV_CMD_COMPONENT_ARM_DISARM, MAV_CMD_DO_SET_MODE
CUSTOM = 1  # MAV_MODE_FLAG_CUSTOM_MODE_ENABLED: the second parameter is the autopilot's own number.
AGAIN = 0.4  # Seconds without an answer.
TRIES = 4
SURE = 0.3  # Seconds: a heartbeat that comes so long after a disarm may tell of it.
MANY_TRIES = 25  # For a disarm: ten seconds.
IN_PROGRESS = 5
RESULTS = {1: "NOT NOW", 2: "DENIED", 3: "UNKNOWN", 4: "FAILED", 6: "CANCELLED"}


@dataclass
class Order:
    """A COMMAND_LONG that has no answer yet."""

    number: int
    parameters: tuple[float, float]
    what: str
    tries: int
    sent: float = -math.inf
    first: float = math.inf  # When it was sent first.
    count: int = 0  # How often it was sent: the confirmation of the next.


class Orders:
    """What the autopilot was told, and what it must be told now."""

    def __init__(self, mode: Mode | None) -> None:
        self._mode = mode
        self._has_armed = False  # We have asked it to arm, so a disarm is ours too.
        self._told_mode: str | None = None
        self._open: dict[int, Order] = {}

    def begin(self, command: Command) -> None:
        """A new link: a mode that the vehicle may have left meanwhile is not set again by itself, except the start's."""
        self._open = {}
        self._told_mode = command.mode if self._mode is not None and command.mode != self._mode.start else None

    def due(self, command: Command, is_armed: bool, beat: float, now: float) -> list[Order]:
        """What goes out now. `is_armed`: by the vehicle's last heartbeat, which came at the time `beat`."""
        if command.arm and not self._has_armed:
            self._has_armed = True
            self._order(ARM_DISARM, (1, 0), "ARM", TRIES)
        elif self._has_armed and not command.arm:
            self._has_armed = False
            self._order(ARM_DISARM, (0, 0), "DISARM", MANY_TRIES)
        if self._mode is not None and command.mode is not None and command.mode != self._told_mode:
            self._told_mode = command.mode
            self._order(SET_MODE, (CUSTOM, self._mode.values[command.mode]), f"MODE {command.mode.upper()}", TRIES)
        made = []
        for number, each in list(self._open.items()):
            # An arm that would come out when the driver has begun to drive is none any more.
            is_stale = each.parameters[0] == 1 and number == ARM_DISARM and (command.driving or is_armed)
            # An answer to a disarm may be that to the arm before it; a heartbeat tells the truth.
            is_done = number == ARM_DISARM and each.parameters[0] == 0 and not is_armed and beat >= each.first + SURE
            if is_stale or is_done or each.count >= each.tries and now - each.sent >= AGAIN:
                del self._open[number]
            elif now - each.sent >= AGAIN:
                each.sent, each.first = now, min(each.first, now)
                each.count += 1
                made.append(each)
        return made

    def _order(self, number: int, parameters: tuple[float, float], what: str, tries: int) -> None:
        self._open[number] = Order(number, parameters, what, tries)

    def answered(self, number: int, result: int) -> str | None:
        """Takes a COMMAND_ACK. Returns what the driver must know, if the autopilot refuses."""
        order = self._open.get(number)
        if order is None or not order.count or result == IN_PROGRESS:
            return None
        if order.what != "DISARM":
            del self._open[number]
        return f"{order.what} {RESULTS.get(result, result)}" if result else None

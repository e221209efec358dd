"""The frames of a command on a CAN bus.

Identifier 0x120, eight bytes: counter, flags (1 brake, 2 horn, 4 driving), throttle and steering as big-endian thousandths, two zero bytes: the same
frame as docs/examples/drive_can.py sends. The controller on the bus needs a watchdog.

If a vehicle file has outputs, the identifier 0x121 follows: eight bytes, output 1 to 8. A channel is a signed number of hundredths, arm is 0 or 1,
the mode its number of 0 to 127; a byte without an output is 0. bridge/docs/cockpit.dbc describes both frames.
"""

import struct

from ..message import Command
from ..outputs import Output, bad_output, numbered

IDENTIFIER = 0x120
EXTRAS = 0x121


def frame_data(command: Command, count: int) -> bytes:
    """The eight bytes."""
    flags = command.brake | command.horn << 1 | command.driving << 2
    return struct.pack(">BBhhxx", count & 0xFF, flags, round(command.throttle * 1000), round(command.steering * 1000))


def bytes_of(outputs: list[Output]) -> list[Output]:
    """The outputs of a vehicle file, each a byte of the second frame. Throws BadPlace."""
    for each in outputs:
        if each.mode is not None and any(value not in range(128) for value in each.mode.values.values()):
            raise bad_output(each, ": the values of a mode are whole numbers here, 0 to 127")
    others = list(numbered([each for each in outputs if each.mode is None], 1, 8, "the bytes of frame 0x121").values())
    modes = [each for each in outputs if each.mode is not None]
    for each in modes:
        if not isinstance(each.place, int) or not 1 <= each.place <= 8:
            raise bad_output(each, ": the bytes of frame 0x121 are 1 to 8")
        if taken := [other for other in others if other.place == each.place]:
            raise bad_output(each, f" is taken by {taken[0].name}")
    return modes + others


def extras_data(command: Command, outputs: list[Output]) -> bytes:
    """The eight bytes of the second frame."""
    made = [0] * 8
    for each in outputs:
        assert isinstance(each.place, int)
        value = each.value(command)
        made[each.place - 1] = int(value > 0) if each.group == "arm" else round(value if each.mode is not None else value * 100)
    return struct.pack("8b", *made)


def frames(command: Command, count: int, outputs: list[Output]) -> list[tuple[int, bytes]]:
    """The frames of a command, by their identifiers. The drive comes first: a bus that is busy takes the stop before anything else."""
    made = [(IDENTIFIER, frame_data(command, count))]
    return [*made, (EXTRAS, extras_data(command, outputs))] if outputs else made

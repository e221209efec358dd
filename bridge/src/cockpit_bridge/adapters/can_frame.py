"""The frame of a command on a CAN bus.

Identifier 0x120, eight bytes: counter, flags (1 brake, 2 horn, 4 driving), throttle and steering as big-endian thousandths, two zero bytes: the same
frame as docs/examples/drive_can.py sends. The controller on the bus needs a watchdog.
"""

import struct

from ..message import Command

IDENTIFIER = 0x120


def frame_data(command: Command, count: int) -> bytes:
    """The eight bytes."""
    flags = command.brake | command.horn << 1 | command.driving << 2
    return struct.pack(">BBhhxx", count & 0xFF, flags, round(command.throttle * 1000), round(command.steering * 1000))

"""MSP: INAV rovers and boats, Betaflight, by MSP_SET_RAW_RC over a serial port or TCP.

The receiver type of the flight controller must be MSP. It holds the last command for 300 ms, then its failsafe takes over.
"""

import struct

from ..message import Command
from .serial import SerialAdapter

SET_RAW_RC = 200


def frame(command: int, payload: bytes) -> bytes:
    """A request of MSP version 1."""
    body = bytes([len(payload), command]) + payload
    check = 0
    for byte in body:
        check ^= byte
    return b"$M<" + body + bytes([check])


def pulse(value: float) -> int:
    """Microseconds for a value from -1 to 1."""
    return round(1500 + 500 * value)


class Msp(SerialAdapter):
    """PLACE is a serial device, or socket://HOST:PORT. Channels in the order AETR: roll steers, throttle is forward and reverse."""

    baud = 115_200
    rate = 50.0
    drives_on = 0.3

    async def send(self, command: Command) -> None:
        # Answers are read so that they never fill the port.
        self.port.read()
        values = [pulse(command.steering), 1500, pulse(command.throttle), 1500, 1000, 1000, 1000, 1000]
        await self.port.write(frame(SET_RAW_RC, struct.pack("<8H", *values)))

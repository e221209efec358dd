"""MSP: INAV rovers and boats, Betaflight, by MSP_SET_RAW_RC over a serial port or TCP.

The receiver type of the flight controller must be MSP. It holds the last command for 300 ms, then its failsafe takes over.
"""

import struct

from ..adapter import Adapter, Options
from ..message import Command
from .serial import SerialPort

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


class Msp(Adapter):
    """PLACE is a serial device, or socket://HOST:PORT. Channels in the order AETR: roll steers, throttle is forward and reverse."""

    rate = 50.0
    drives_on = 0.3

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self.port = SerialPort(place, 115_200)

    async def connect(self) -> None:
        self.port.open()

    async def send(self, command: Command) -> None:
        await self._say(command.steering, command.throttle)

    async def neutral(self) -> None:
        await self._say(0.0, 0.0)

    async def _say(self, steering: float, throttle: float) -> None:
        # Answers are read so that they never fill the port.
        self.port.read()
        values = [pulse(steering), 1500, pulse(throttle), 1500, 1000, 1000, 1000, 1000]
        await self.port.write(frame(SET_RAW_RC, struct.pack("<8H", *values)))

    async def close(self) -> None:
        self.port.close()

    def abort(self) -> None:
        self.port.close()

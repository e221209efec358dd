"""CAN, by SocketCAN or by a serial stick that speaks slcan: a frame for each command.

Frame 0x120, eight bytes: counter, flags (1 brake, 2 horn, 4 driving), throttle and steering as big-endian thousandths, two zero bytes: the same frame
as docs/examples/drive_can.py sends. The controller on the bus needs a watchdog.
"""

import asyncio
import itertools
import struct

import can

from ..adapter import Adapter, LinkError, Options
from ..message import Command

IDENTIFIER = 0x120


class Can(Adapter):
    """PLACE is an interface such as can0."""

    rate = 50.0
    interface = "socketcan"

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self._bus: can.BusABC | None = None
        self._count = itertools.count()

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            self._bus = await loop.run_in_executor(None, self._open)
        except (can.CanError, OSError, ValueError) as problem:
            raise LinkError(f"{self.place}: {problem}") from problem

    def _open(self) -> can.BusABC:
        return can.Bus(interface=self.interface, channel=self.place)

    async def send(self, command: Command) -> None:
        if self._bus is None:
            raise LinkError("not connected")
        flags = command.brake | command.horn << 1 | command.driving << 2
        data = struct.pack(
            ">BBhhxx", next(self._count) & 0xFF, flags, round(command.throttle * 1000), round(command.steering * 1000))
        try:
            self._bus.send(can.Message(arbitration_id=IDENTIFIER, data=data, is_extended_id=False), timeout=0)
        except can.CanError as problem:
            # A full queue loses a frame of driving; the next one follows. A stop is repeated by the bridge.
            if "no buffer space" not in str(problem).lower():
                raise LinkError(str(problem)) from problem

    def abort(self) -> None:
        if self._bus is not None:
            self._bus.shutdown()
        self._bus = None


class Slcan(Can):
    """PLACE is a serial device, such as /dev/ttyACM0; the bus runs at 500 kbit/s."""

    interface = "slcan"

    def _open(self) -> can.BusABC:
        return can.Bus(interface="slcan", channel=self.place, bitrate=500_000, sleep_after_open=0.05)

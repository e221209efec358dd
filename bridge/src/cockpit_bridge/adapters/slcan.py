"""CAN by a serial stick that speaks slcan (Lawicel's commands): the frames of can_frame.py at 500 kbit/s."""

import itertools

from ..adapter import Options
from ..message import Command
from ..outputs import Output
from .can_frame import bytes_of, frames
from .serial import SerialAdapter


class Slcan(SerialAdapter):
    """PLACE is a serial device, such as /dev/ttyACM0. The stick says nothing of the bus: what it keeps there is its own."""

    baud = 115_200
    rate = 50.0
    # Close, 500 kbit/s, open. The first byte ends what an earlier program may have left unfinished.
    greeting = (b"\r", b"C\r", b"S6\r", b"O\r")

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self._count = itertools.count()

    def placed(self, outputs: list[Output]) -> list[Output]:
        return bytes_of(outputs)

    def message(self, command: Command) -> bytes:
        made = frames(command, next(self._count), self.outputs)
        return b"".join(b"t%03X8%s\r" % (identifier, data.hex().upper().encode()) for identifier, data in made)

    async def close(self) -> None:
        self.port.write(b"C\r")
        await self.taken(f"{self.place}: the link stalled")
        await super().close()

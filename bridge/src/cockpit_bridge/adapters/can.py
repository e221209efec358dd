"""CAN by SocketCAN: the frames of can_frame.py for each command.

A frame that no other device on the bus acknowledges stays in the interface's queue, also when this program has ended. So there are never
more than those of one command: the interface gives our own frames back when they have gone out, and no other follows before that.
"""

import contextlib
import itertools
import time

import can

from ..adapter import Adapter, LinkError, Options, link_errors, on_thread
from ..message import Command
from ..outputs import Output
from ..place import interface
from .can_frame import EXTRAS, IDENTIFIER, bytes_of, frames


class Can(Adapter):
    """PLACE is an interface such as can0."""

    rate = 50.0

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(interface(place), options)
        self._bus: can.BusABC | None = None
        self._count = itertools.count()
        self._under_way: list[tuple[int, bytes]] = []
        self._sent = 0.0

    def placed(self, outputs: list[Output]) -> list[Output]:
        return bytes_of(outputs)

    async def connect(self) -> None:
        with link_errors(self.place):
            self._bus = await on_thread(self._open, lambda bus: bus.shutdown())
        self._under_way = []
        await self.prove()

    def _open(self) -> can.BusABC:
        identifiers = [IDENTIFIER, EXTRAS] if self.outputs else [IDENTIFIER]
        ours = [{"can_id": each, "can_mask": 0x7FF, "extended": False} for each in identifiers]
        return can.Bus(interface="socketcan", channel=self.place, receive_own_messages=True, can_filters=ours)

    async def prove(self) -> None:
        """Neutral, before anything moves, and until it has gone out: a bus that is dead would keep the commands for later."""
        self._put(self.stop)
        await self.taken(f"{self.place}: nobody on the bus acknowledges")

    async def send(self, command: Command) -> None:
        now = time.monotonic()
        if command.driving and now - self._sent > 1:
            await self.prove()
        self._sent = now
        self._put(command)

    def _put(self, command: Command) -> None:
        with link_errors(self.place):
            if self._bus is None:
                raise LinkError("not connected")
            for identifier, data in frames(command, next(self._count), self.outputs):
                # Its queue is full: a link that is lost, like every other error.
                self._bus.send(can.Message(arbitration_id=identifier, data=data, is_extended_id=False), timeout=0)
                self._under_way.append((identifier, data))

    def unacknowledged(self) -> int:
        """The bytes of our frames that have not gone out."""
        with link_errors(self.place):
            for _ in range(64):
                if self._bus is None or (message := self._bus.recv(timeout=0)) is None:
                    break
                frame = message.arbitration_id, bytes(message.data)
                # Frames go out in order. The second has no counter, so it may be anybody's: it counts when it is the next.
                if frame in (self._under_way if frame[0] == IDENTIFIER else self._under_way[:1]):
                    self._under_way = self._under_way[self._under_way.index(frame) + 1:]
        return sum(len(data) for _, data in self._under_way)

    def abort(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            with contextlib.suppress(can.CanError, OSError):
                bus.shutdown()


def __getattr__(name: str) -> object:
    # Installed entry points may still look for it here.
    if name == "Slcan":
        from .slcan import Slcan

        return Slcan
    raise AttributeError(name)

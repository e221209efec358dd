"""Donkeycar's web controller: the WebSocket /wsDrive, port 8887.

Donkeycar has no watchdog: it holds the last throttle forever, also after the connection is gone. So the last words are neutral, several times.
"""

import asyncio
import json
import math

from ..adapter import Adapter, Options
from ..message import Command
from .websocket import WebSocket, with_port


class Donkey(Adapter):
    """PLACE is HOST or HOST:PORT."""

    drives_on = math.inf

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self.link = WebSocket(f"ws://{with_port(place, 8887)}/wsDrive")
        self._reader: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.link.open()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        """Reads what the car reports, so that its messages never fill the socket."""
        while True:
            await self.link.receive()

    def unacknowledged(self) -> int:
        return self.link.unacknowledged()

    async def send(self, command: Command) -> None:
        await self._say(command.throttle, command.steering)

    async def neutral(self) -> None:
        await self._say(0.0, 0.0)

    async def _say(self, throttle: float, steering: float) -> None:
        # All keys, always: the car keeps the old value of a missing one.
        await self.link.send(json.dumps(
            {"angle": steering, "throttle": throttle, "drive_mode": "user", "recording": False}))

    async def close(self) -> None:
        self._stop_reading()
        await self.link.close()

    def abort(self) -> None:
        self._stop_reading()
        self.link.abort()

    def _stop_reading(self) -> None:
        if self._reader is not None:
            self._reader.cancel()

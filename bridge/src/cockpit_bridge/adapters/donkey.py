"""Donkeycar's web controller: the WebSocket /wsDrive, port 8887.

Donkeycar has no watchdog: it holds the last throttle forever, also after the connection is gone. So the last words are neutral, several times.
"""

import json
import math

from ..adapter import Options
from ..message import Command
from .websocket import WebSocketAdapter, with_port


class Donkey(WebSocketAdapter):
    """PLACE is HOST or HOST:PORT."""

    drives_on = math.inf

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options, f"ws://{with_port(place, 8887)}/wsDrive")

    async def connect(self) -> None:
        await self.link.open()
        self.start(self.discard())

    async def send(self, command: Command) -> None:
        # All keys, always: the car keeps the old value of a missing one.
        await self.link.send(json.dumps(
            {"angle": command.steering, "throttle": command.throttle, "drive_mode": "user", "recording": False}))

"""Donkeycar's web controller: the WebSocket /wsDrive, port 8887.

Donkeycar has no watchdog: it holds the last throttle forever, also after the connection is gone. So the last words are neutral, several times.
"""

import json
import math

from ..message import Command
from .websocket import WebSocketAdapter


class Donkey(WebSocketAdapter):
    """PLACE is HOST or HOST:PORT."""

    port, path = 8887, "wsDrive"
    drives_on = math.inf

    async def connect(self) -> None:
        await super().connect()
        self.start(self.listen())

    async def send(self, command: Command) -> None:
        # The car keeps the old value of a missing key: recording is the driver's, who switches it on its own page.
        await self.link.send(json.dumps({"angle": command.steering, "throttle": command.throttle, "drive_mode": "user"}))

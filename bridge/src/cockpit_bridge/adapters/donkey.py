"""Donkeycar's web controller: the WebSocket /wsDrive, port 8887.

Donkeycar has no watchdog: it holds the last throttle forever, also after the connection is gone. So the last words are neutral, several times.
"""

import json
import math

from ..message import Command
from ..outputs import Output, bad_output, named
from .websocket import WebSocketAdapter


class Donkey(WebSocketAdapter):
    """PLACE is HOST or HOST:PORT."""

    port, path = 8887, "wsDrive"
    drives_on = math.inf

    def placed(self, outputs: list[Output]) -> list[Output]:
        made = named(outputs, "w[1-5]|recording", "the outputs of donkey are its buttons w1 to w5, and recording")
        for place, each in made.items():
            kind = "switch" if place == "recording" else "momentary"
            if each.channel is None or each.channel.kind != kind:
                raise bad_output(each, f" takes a {kind} channel")
        self._pressed: set[str] = set()
        return list(made.values())

    async def connect(self) -> None:
        await super().connect()
        self.start(self.listen())

    async def send(self, command: Command) -> None:
        # The car keeps the old value of a missing key: recording is the driver's, who switches it on its own page.
        message: dict[str, object] = {"angle": command.steering, "throttle": command.throttle, "drive_mode": "user"}
        if self.outputs:
            message |= self._extras(command)
        await self.link.send(json.dumps(message))

    def _extras(self, command: Command) -> dict[str, object]:
        """The car counts a button that is named as clicked: so it is named once for each press."""
        found: dict[str, object] = {str(each.place): each.is_on(command) for each in self.outputs}
        extras = {"recording": found.pop("recording")} if "recording" in found else {}
        pressed = {name for name, is_on in found.items() if is_on}
        clicked, self._pressed = pressed - self._pressed, pressed
        return extras | ({"buttons": {name: True for name in sorted(clicked)}} if clicked else {})

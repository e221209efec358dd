"""foxglove_bridge and servers of the Foxglove SDK, port 8765: CDR over a WebSocket.

The server copies the bytes into a ROS message without looking at them, so they are exact. The stamp is zero unless asked otherwise: controllers
of ros2_control replace a zero stamp by their own time and drop one that is older than their limit.
"""

import contextlib
import json
import struct
import time
from typing import Any

from ..adapter import LinkError, Options
from ..message import Command
from ..reports import note_foxglove
from .websocket import WebSocketAdapter, with_port

SCHEMA = "geometry_msgs/msg/TwistStamped"


def twist_stamped(linear: float, angular: float, stamp: tuple[int, int] = (0, 0)) -> bytes:
    """The message in CDR, little endian, with an empty frame_id: 68 bytes."""
    head = b"\x00\x01\x00\x00" + struct.pack("<iII", stamp[0], stamp[1], 1) + b"\x00" + b"\x00" * 3
    return head + struct.pack("<6d", linear, 0, 0, 0, 0, angular)


class Foxglove(WebSocketAdapter):
    """PLACE is HOST or HOST:PORT. Publishes TwistStamped; subscribes to --speed-topic and --battery-topic on a connection of its own."""

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options, f"ws://{with_port(place, 8765)}", ["foxglove.sdk.v1", "foxglove.websocket.v1"])

    async def connect(self) -> None:
        await self.link.open()
        told = json.loads(await self.link.receive())
        if "clientPublish" not in told.get("capabilities", []):
            raise LinkError("this Foxglove server takes no messages from clients (clientPublish)")
        if "cdr" not in told.get("supportedEncodings", ["cdr"]):
            raise LinkError("this Foxglove server takes no CDR")
        channel = {"id": 1, "topic": self.options.topic or "/cmd_vel", "encoding": "cdr", "schemaName": SCHEMA}
        await self.link.send(json.dumps({"op": "advertise", "channels": [channel]}))
        self.start(self.discard())
        wanted = {self.options.speed_topic, self.options.battery_topic} - {None}
        if wanted:
            self.start(self._read_reports(wanted))

    async def _read_reports(self, wanted: set[str | None]) -> None:
        with contextlib.suppress(LinkError, OSError, ValueError, KeyError, TypeError, struct.error):
            await self.reports.open()
            channels: dict[int, dict[str, Any]] = {}
            while True:
                message = await self.reports.receive()
                if isinstance(message, bytes):
                    kind, number = struct.unpack_from("<BI", message)
                    # After the subscription's number come eight bytes of the server's time.
                    if kind == 1 and note_foxglove(channels.get(number, {}), message[13:], self.status):
                        self.on_status()
                    continue
                # A topic may be advertised at any time: whenever its publisher starts.
                told = json.loads(message)
                offered = told.get("channels", []) if told.get("op") == "advertise" else []
                for channel in offered:
                    if channel["topic"] in wanted:
                        channels[channel["id"]] = channel
                        subscription = {"id": channel["id"], "channelId": channel["id"]}
                        await self.reports.send(json.dumps({"op": "subscribe", "subscriptions": [subscription]}))

    async def send(self, command: Command) -> None:
        stamp = divmod(time.time_ns(), 1_000_000_000) if self.options.clock_stamps else (0, 0)
        await self.link.send(b"\x01" + struct.pack("<I", 1) + twist_stamped(*self.options.twist(command), stamp))

    async def close(self) -> None:
        await self.link.send(json.dumps({"op": "unadvertise", "channelIds": [1]}))
        await super().close()

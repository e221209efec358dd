"""foxglove_bridge and servers of the Foxglove SDK, port 8765: CDR over a WebSocket.

The server copies the bytes into a ROS message without looking at them, so they are exact. The stamp is zero unless asked otherwise: controllers
of ros2_control replace a zero stamp by their own time and drop one that is older than their limit.
"""

import asyncio
import contextlib
import json
import struct
import time
from typing import Any

from ..adapter import LinkError, Options
from ..message import Command
from ..outputs import Output
from ..reports import note_foxglove, objects, read_json
from .topics import Topics, bytes_data, topics_of, type_name
from .twist import TwistType
from .twist import twist_stamped as twist_stamped
from .websocket import WebSocketAdapter


class Foxglove(WebSocketAdapter):
    """PLACE is HOST or HOST:PORT. Publishes the type of --twist, and a topic for each output of a vehicle file; reads --speed-topic and
    --battery-topic on a connection of its own.
    """

    port, protocols = 8765, ("foxglove.sdk.v1", "foxglove.websocket.v1")

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self.topic = options.topic or "/cmd_vel"
        self._type = TwistType(options)
        self._encoding = self._advertised = ""
        self._introduced = asyncio.Event()
        self._offered = asyncio.Event()  # The server has said what the topic is.
        self._server: dict[str, Any] = {}
        self._topics = Topics(self.outputs)

    def placed(self, outputs: list[Output]) -> list[Output]:
        return topics_of(outputs, [self.options.topic or "/cmd_vel", self.options.speed_topic, self.options.battery_topic])

    async def connect(self) -> None:
        await super().connect()
        self._type, self._advertised, self._server = TwistType(self.options), "", {}
        self._introduced.clear()
        self._offered.clear()
        self.start(self.listen())
        if not await self.heard_within(self._introduced, 2):
            raise self._end or LinkError("this Foxglove server does not introduce itself (serverInfo)")
        self._encoding = self._choose()
        if self._type.is_asked:
            await self.heard_within(self._offered, 0.3)
        await self._advertise()
        await self._advertise_outputs()
        wanted = {self.options.speed_topic, self.options.battery_topic} - {None}
        if wanted:
            channels: dict[int, dict[str, Any]] = {}

            async def begin() -> None:
                channels.clear()

            self.start(self.read_reports(begin, lambda message: self._take(message, channels, wanted)))

    def _choose(self) -> str:
        capabilities, encodings = (self._server.get(name) for name in ("capabilities", "supportedEncodings"))
        if not isinstance(capabilities, list) or "clientPublish" not in capabilities:
            raise LinkError("this Foxglove server takes no messages from clients (clientPublish)")
        if not isinstance(encodings, list) or "cdr" in encodings:
            return "cdr"
        if "ros1" in encodings:
            return "ros1"
        raise LinkError("this Foxglove server takes no CDR")

    def heard(self, message: Any) -> None:
        told = read_json(message) if isinstance(message, str) else {}
        if told.get("op") == "serverInfo":
            self._server = self._server or told
            self._introduced.set()
        elif told.get("op") == "status" and told.get("level") != 0:
            self.warn(str(told.get("message") or "the Foxglove server reports an error"))
        elif told.get("op") == "advertise":
            for channel in objects(told.get("channels")):
                if channel.get("topic") == self.topic:
                    if self._type.learn(channel.get("schemaName")) is None:
                        self.warn(f"{self.topic} has the type {channel.get('schemaName')}")
                    self._offered.set()

    async def _advertise(self) -> None:
        if self._advertised == self._type.name:
            return
        if self._advertised:
            await self.link.send(json.dumps({"op": "unadvertise", "channelIds": [1]}))
        self._advertised = self._type.name
        name = self._type.name.replace("/msg/", "/") if self._encoding == "ros1" else self._type.name
        channel = {"id": 1, "topic": self.topic, "encoding": self._encoding, "schemaName": name}
        await self.link.send(json.dumps({"op": "advertise", "channels": [channel]}))

    async def _advertise_outputs(self) -> None:
        """A channel for each output, from number 2."""
        self._topics.forget()
        is_ros1 = self._encoding == "ros1"
        channels = [
            {"id": index, "topic": each.place, "encoding": self._encoding, "schemaName": type_name(each, is_ros1)}
            for index, each in enumerate(self.outputs, 2)]
        if channels:
            await self.link.send(json.dumps({"op": "advertise", "channels": channels}))

    def _take(self, message: Any, channels: dict[int, dict[str, Any]], wanted: set[str | None]) -> None:
        if isinstance(message, bytes):
            # After the subscription's number come eight bytes of the server's time.
            if len(message) > 13 and message[0] == 1:
                (number,) = struct.unpack_from("<I", message, 1)
                if note_foxglove(channels.get(number, {}), message[13:], self.status):
                    self.tell()
            return
        # A topic may be advertised at any time: whenever its publisher starts.
        told = read_json(message)
        for channel in objects(told.get("channels")) if told.get("op") == "advertise" else []:
            number = channel.get("id")
            if channel.get("topic") in wanted and isinstance(number, int) and len(channels) < 64:
                channels[number] = channel
                subscription = {"id": number, "channelId": number}
                self.start(self._subscribe(json.dumps({"op": "subscribe", "subscriptions": [subscription]})))

    async def _subscribe(self, text: str) -> None:
        with contextlib.suppress(LinkError):
            await self.reports.send(text)

    async def send(self, command: Command) -> None:
        await self._advertise()
        stamp = divmod(time.time_ns(), 1_000_000_000) if self.options.clock_stamps else (0, 0)
        made = self._type.ros1 if self._encoding == "ros1" else self._type.cdr
        await self.link.send(b"\x01" + struct.pack("<I", 1) + made(*self.options.twist(command), stamp))
        for index, each, value in self._topics.due(command):
            await self.link.send(b"\x01" + struct.pack("<I", index + 2) + bytes_data(each, value, self._encoding == "ros1"))

    async def close(self) -> None:
        await self.link.send(json.dumps({"op": "unadvertise", "channelIds": [1 + index for index in range(1 + len(self.outputs))]}))
        await super().close()

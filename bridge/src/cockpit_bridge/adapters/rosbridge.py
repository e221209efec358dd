"""rosbridge v2, port 9090: JSON over a WebSocket.

A header without a stamp gets the bridge's time. queue_size is 1: the default of 100 would keep old commands for a late subscriber.
rosbridge drops what it has not read when a connection closes, so the last neutral message needs 500 ms before that.
"""

import asyncio
import contextlib
import json
from typing import Any

from ..adapter import Adapter, LinkError, Options
from ..message import Command
from ..reports import note_ros
from .websocket import WebSocket, with_port

TYPE = "geometry_msgs/msg/TwistStamped"


class Rosbridge(Adapter):
    """PLACE is HOST or HOST:PORT. Publishes TwistStamped; subscribes to --speed-topic and --battery-topic on a connection of its own."""

    linger = 0.5

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        url = f"ws://{with_port(place, 9090)}/"
        self.link, self.reports = WebSocket(url), WebSocket(url)
        self.topic = options.topic or "/cmd_vel"
        self._reader: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.link.open()
        await self.link.send(json.dumps({"op": "advertise", "topic": self.topic, "type": TYPE, "queue_size": 1}))
        topics = {self.options.speed_topic: "nav_msgs/msg/Odometry", self.options.battery_topic: "sensor_msgs/msg/BatteryState"}
        wanted = {topic: kind for topic, kind in topics.items() if topic}
        if wanted:
            self._reader = asyncio.create_task(self._read(wanted))

    async def _read(self, kinds: dict[str, str]) -> None:
        with contextlib.suppress(LinkError, OSError, ValueError, KeyError, TypeError):
            await self.reports.open()
            for topic, kind in kinds.items():
                await self.reports.send(json.dumps({"op": "subscribe", "topic": topic, "type": kind, "throttle_rate": 100}))
            while True:
                report: dict[str, Any] = json.loads(await self.reports.receive())
                if note_ros(kinds.get(report["topic"], ""), report["msg"], self.status):
                    self.on_status()

    def unacknowledged(self) -> int:
        return self.link.unacknowledged()

    async def send(self, command: Command) -> None:
        speed = 0.0 if command.brake else command.throttle * self.options.max_speed
        # ROS turns left with positive numbers.
        await self._say(speed, -command.steering * self.options.max_turn if speed else 0.0)

    async def neutral(self) -> None:
        await self._say(0.0, 0.0)

    async def _say(self, speed: float, turn: float) -> None:
        twist = {"linear": {"x": speed, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": turn}}
        await self.link.send(json.dumps({
            "op": "publish", "topic": self.topic, "queue_size": 1,
            "msg": {"header": {"frame_id": ""}, "twist": twist}}))

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
        await self.reports.close()
        await self.link.close()

    def abort(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
        self.reports.abort()
        self.link.abort()

"""rosbridge v2, port 9090: JSON over a WebSocket.

A header without a stamp gets the bridge's time. queue_size is 1: the default of 100 would keep old commands for a late subscriber.
rosbridge drops what it has not read when a connection closes, so the last neutral message needs 500 ms before that.
"""

import contextlib
import json
from typing import Any

from ..adapter import LinkError, Options
from ..message import Command
from ..reports import note_ros
from .websocket import WebSocketAdapter, with_port

TYPE = "geometry_msgs/msg/TwistStamped"


class Rosbridge(WebSocketAdapter):
    """PLACE is HOST or HOST:PORT. Publishes TwistStamped; subscribes to --speed-topic and --battery-topic on a connection of its own."""

    linger = 0.5

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options, f"ws://{with_port(place, 9090)}/")
        self.topic = options.topic or "/cmd_vel"

    async def connect(self) -> None:
        await self.link.open()
        await self.link.send(json.dumps({"op": "advertise", "topic": self.topic, "type": TYPE, "queue_size": 1}))
        topics = {self.options.speed_topic: "nav_msgs/msg/Odometry", self.options.battery_topic: "sensor_msgs/msg/BatteryState"}
        wanted = {topic: kind for topic, kind in topics.items() if topic}
        if wanted:
            self.start(self._read(wanted))

    async def _read(self, kinds: dict[str, str]) -> None:
        with contextlib.suppress(LinkError, OSError, ValueError, KeyError, TypeError):
            await self.reports.open()
            for topic, kind in kinds.items():
                await self.reports.send(json.dumps({"op": "subscribe", "topic": topic, "type": kind, "throttle_rate": 100}))
            while True:
                report: dict[str, Any] = json.loads(await self.reports.receive())
                if note_ros(kinds.get(report["topic"], ""), report["msg"], self.status):
                    self.on_status()

    async def send(self, command: Command) -> None:
        speed, turn = self.options.twist(command)
        twist = {"linear": {"x": speed, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": turn}}
        await self.link.send(json.dumps({
            "op": "publish", "topic": self.topic, "queue_size": 1,
            "msg": {"header": {"frame_id": ""}, "twist": twist}}))

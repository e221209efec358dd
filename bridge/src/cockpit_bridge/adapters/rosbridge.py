"""rosbridge v2, port 9090: JSON over a WebSocket.

A header without a stamp gets the bridge's time. queue_size is 1: the default of 100 would keep old commands for a late subscriber.
rosbridge drops what it has not read when a connection closes, so the last neutral message needs 500 ms before that.
"""

import asyncio
import json
from typing import Any

from ..adapter import Options
from ..message import Command
from ..outputs import Output
from ..reports import note_ros, read_json
from .topics import Topics, json_data, topics_of, type_name
from .twist import TwistType
from .websocket import WebSocketAdapter

QUESTION = "cockpit-topic-type"
REPORT = 1 << 16  # Bytes of a report that is looked into.


class Rosbridge(WebSocketAdapter):
    """PLACE is HOST or HOST:PORT. Publishes the type of --twist, and a topic for each output of a vehicle file; reads --speed-topic and
    --battery-topic on a connection of its own.
    """

    port = 9090
    linger = 0.5

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self.topic = options.topic or "/cmd_vel"
        self._type = TwistType(options)
        self._advertised = ""
        self._answered = asyncio.Event()
        self._topics = Topics(self.outputs)

    def placed(self, outputs: list[Output]) -> list[Output]:
        return topics_of(outputs, [self.options.topic or "/cmd_vel", self.options.speed_topic, self.options.battery_topic])

    async def connect(self) -> None:
        await super().connect()
        self._type, self._advertised = TwistType(self.options), ""
        self._answered.clear()
        self.start(self.listen())
        if self._type.is_asked:
            await self._say(op="call_service", id=QUESTION, service="/rosapi/topic_type", args={"topic": self.topic})
            # An answer that comes later counts too.
            await self.heard_within(self._answered, 0.3)
        await self._advertise()
        self._topics.forget()
        for each in self.outputs:
            await self._say(op="advertise", topic=each.place, type=type_name(each, self._type.is_ros1), queue_size=1)
        topics = {self.options.speed_topic: "nav_msgs/msg/Odometry", self.options.battery_topic: "sensor_msgs/msg/BatteryState"}
        wanted = {topic: kind for topic, kind in topics.items() if topic}
        if wanted:
            self.start(self.read_reports(lambda: self._subscribe(wanted), lambda message: self._take(message, wanted)))

    async def _say(self, **fields: Any) -> None:
        await self.link.send(json.dumps(fields))

    async def _advertise(self) -> None:
        if self._advertised == self._type.name:
            return
        if self._advertised:
            await self._say(op="unadvertise", topic=self.topic)
        self._advertised = self._type.name
        await self._say(op="advertise", topic=self.topic, type=self._type.name, queue_size=1)

    def heard(self, message: Any) -> None:
        told = read_json(message)
        if told.get("id") == QUESTION:
            values = told.get("values")
            kind = values.get("type") if isinstance(values, dict) else None
            if self._type.learn(kind) is None:
                self.warn(f"{self.topic} has the type {kind}")
            self._answered.set()
        elif told.get("op") == "status" and told.get("level") not in ("info", "none"):
            self.warn(str(told.get("msg") or told.get("message") or "rosbridge reports an error"))

    async def _subscribe(self, wanted: dict[str, str]) -> None:
        for topic, kind in wanted.items():
            name = kind.replace("/msg/", "/") if self._type.is_ros1 else kind
            await self.reports.send(json.dumps({"op": "subscribe", "topic": topic, "type": name, "throttle_rate": 100}))

    def _take(self, message: Any, wanted: dict[str, str]) -> None:
        report = read_json(message, REPORT)
        topic = report.get("topic")
        if report.get("op") == "status" and report.get("level") not in ("info", "none"):
            self.warn(str(report.get("msg") or "rosbridge reports an error"))
        elif isinstance(topic, str) and note_ros(wanted.get(topic, ""), report.get("msg"), self.status):
            self.tell()

    async def send(self, command: Command) -> None:
        await self._advertise()
        await self._say(op="publish", topic=self.topic, queue_size=1, msg=self._type.json(*self.options.twist(command)))
        for _, each, value in self._topics.due(command):
            await self._say(op="publish", topic=each.place, queue_size=1, msg=json_data(each, value))

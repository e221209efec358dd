"""MQTT 3.1.1: the drive message itself on a topic, with a stop as the last will.

The broker publishes the will when the connection breaks, and never after a DISCONNECT: so the stop is published before that. libmosquitto and
paho take a keepalive of 5 s at least; the broker notices a cut link after one and a half times that.
"""

import asyncio
import json
from typing import Any

import paho.mqtt.client as paho

from ..adapter import Adapter, LinkError, Options
from ..message import Command
from . import tcp

KEEPALIVE = 5  # Seconds.


def payload(throttle: float, steering: float, brake: bool, sequence: int, why: str) -> bytes:
    """A drive message: what subscribers of docs/drive.md read."""
    gear = "N" if brake or throttle == 0 else "1" if throttle > 0 else "R"
    return json.dumps({
        "v": 1, "seq": sequence, "t": 0, "gear": gear, "throttle": throttle if gear != "N" else 0, "steering": steering,
        "brake": gear == "N", "horn": False, "held": why == "driving", "state": "driving" if why == "driving" else "safe",
        "reason": "none" if why == "driving" else why,
    }, separators=(",", ":")).encode()


class Mqtt(Adapter):
    """PLACE is HOST or HOST:PORT; --topic is car/drive unless set."""

    drives_on = 1.5 * KEEPALIVE

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        host, _, port = place.partition(":")
        self._host, self._port = host, int(port or 1883)
        self._topic = options.topic or "car/drive"
        self._client: Any = None
        self._sequence = 0

    async def connect(self) -> None:
        # Version 2 needs the version of the callbacks; version 1, such as Debian 12's, does not know the word.
        version = getattr(paho, "CallbackAPIVersion", None)
        client: Any = paho.Client(version.VERSION2) if version else paho.Client()
        # The highest number that every reader of JSON holds: no subscriber takes it for old.
        client.will_set(self._topic, payload(0, 0, True, 2**53 - 1, "link-lost"), qos=0)
        client.max_queued_messages_set(1)
        connected = asyncio.Event()
        loop = asyncio.get_running_loop()

        client.on_connect = lambda *_: loop.call_soon_threadsafe(connected.set)
        # paho leaves Nagle's algorithm on: a stop would wait for the broker's acknowledgement of the command before.
        client.on_socket_open = lambda _client, _data, raw: tcp.prepare(raw)
        client.connect_async(self._host, self._port, keepalive=KEEPALIVE)
        client.loop_start()
        self._client = client
        await connected.wait()

    def unacknowledged(self) -> int:
        return tcp.unacknowledged(self._client.socket()) if self._client is not None else 0

    async def send(self, command: Command) -> None:
        await self._publish(command.throttle, command.steering, command.brake, "driving")

    async def neutral(self) -> None:
        await self._publish(0, 0, True, "lift")

    async def _publish(self, throttle: float, steering: float, brake: bool, why: str) -> None:
        if self._client is None or not self._client.is_connected():
            raise LinkError("the broker is gone")
        self._sequence += 1
        info = self._client.publish(self._topic, payload(throttle, steering, brake, self._sequence, why), qos=0)
        while not info.is_published():
            await asyncio.sleep(0.001)

    async def close(self) -> None:
        # The bridge has said the stop: the broker keeps the will to itself after a DISCONNECT.
        if self._client is not None:
            self._client.disconnect()
            self._client.loop_stop()
        self._client = None

    def abort(self) -> None:
        if self._client is not None:
            raw = self._client.socket()
            if raw is not None:
                tcp.reset_at_close(raw)
                raw.close()  # Without DISCONNECT: the broker publishes the will.
            self._client.loop_stop()
        self._client = None

"""The other side of each adapter: small servers that behave as the real receivers do."""

import asyncio
import contextlib
import json
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

Handler = Callable[[ServerConnection], Awaitable[None]]


@contextlib.asynccontextmanager
async def server(handler: Handler, protocols: list[str] | None = None) -> AsyncIterator[int]:
    """A WebSocket server on a free port."""
    async with serve(handler, "127.0.0.1", 0, subprotocols=protocols) as made:  # type: ignore[arg-type]
        yield made.sockets[0].getsockname()[1]


class DonkeyCar:
    """Keeps the last values forever, as Donkeycar's web controller does; a missing key keeps its value."""

    def __init__(self) -> None:
        self.throttle = self.angle = 0.0
        self.texts: list[dict[str, Any]] = []
        self.times: list[float] = []

    async def __call__(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                message = json.loads(text)
                self.texts.append(message)
                self.times.append(time.monotonic())
                self.throttle = message.get("throttle", self.throttle)
                self.angle = message.get("angle", self.angle)


class RosbridgeServer:
    """Reads from an inbox on a task of its own, and clears the inbox when the connection closes, as rosbridge_suite does."""

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self.published: list[dict[str, Any]] = []
        self.operations: list[dict[str, Any]] = []
        self.speed: float | None = None
        self.silence = 0.0  # Seconds between the last message and the end of the connection.

    async def __call__(self, connection: ServerConnection) -> None:
        inbox: list[str | bytes] = []
        worker = asyncio.create_task(self._work(inbox, connection))
        newest = time.monotonic()
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                inbox.append(text)
                newest = time.monotonic()
        self.silence = time.monotonic() - newest
        inbox.clear()
        worker.cancel()

    async def _work(self, inbox: list[str | bytes], connection: ServerConnection) -> None:
        while True:
            await asyncio.sleep(self.delay or 0.001)
            while inbox:
                message = json.loads(inbox.pop(0))
                self.operations.append(message)
                if message["op"] == "publish":
                    self.published.append(message)
                if message["op"] == "subscribe" and self.speed is not None:
                    battery = {"percentage": 0.75}
                    odometry = {"twist": {"twist": {"linear": {"x": self.speed}}}}
                    told = battery if message["type"].endswith("BatteryState") else odometry
                    await connection.send(json.dumps({"op": "publish", "topic": message["topic"], "msg": told}))


class FoxgloveServer:
    """Reports its capabilities, notes what clients publish, and answers a subscription by the message that `offers` has for the channel."""

    def __init__(self, capabilities: tuple[str, ...] = ("clientPublish",)) -> None:
        self.capabilities = capabilities
        self.offers: list[tuple[dict[str, Any], bytes]] = []
        self.subscribers: set[ServerConnection] = set()
        self.publishers: set[ServerConnection] = set()
        self.channels: dict[int, dict[str, Any]] = {}
        self.operations: list[str] = []
        self.messages: list[bytes] = []

    async def __call__(self, connection: ServerConnection) -> None:
        await connection.send(json.dumps(
            {"op": "serverInfo", "name": "test", "capabilities": self.capabilities, "supportedEncodings": ["cdr", "json"]}))
        offered = [channel for channel, _ in self.offers]
        await connection.send(json.dumps({"op": "advertise", "channels": offered}))
        with contextlib.suppress(ConnectionClosed):
            async for message in connection:
                if isinstance(message, bytes):
                    self.publishers.add(connection)
                    kind, channel = struct.unpack_from("<BI", message)
                    assert kind == 1 and channel in self.channels
                    self.messages.append(message[5:])
                else:
                    told = json.loads(message)
                    self.operations.append(told["op"])
                    for channel in told.get("channels", []):
                        self.channels[channel["id"]] = channel
                    for wanted in told.get("subscriptions", []):
                        self.subscribers.add(connection)
                        payload = next(data for offer, data in self.offers if offer["id"] == wanted["channelId"])
                        await connection.send(struct.pack("<BIQ", 1, wanted["id"], 0) + payload)

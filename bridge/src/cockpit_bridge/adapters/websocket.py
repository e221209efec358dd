"""WebSocket connections, and adapters that use them."""

import asyncio
import socket
from collections.abc import Coroutine
from typing import Any

from websockets import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from ..adapter import Adapter, LinkError, Options
from . import tcp


class WebSocket:
    """A connection that knows whether a message is still under way."""

    def __init__(self, url: str, protocols: list[str] | None = None) -> None:
        self.url = url
        self.protocols = [Subprotocol(name) for name in protocols or []]
        self.connection: Any = None

    async def open(self) -> None:
        """Connects. Nagle's algorithm is off, and the kernel keeps one message: an old command must not wait behind a lost packet."""
        host = self.url.split("//")[1].split("/")[0]
        name, _, port = host.rpartition(":")
        try:
            # On a thread: looking a name up and connecting must not hold up the drive messages.
            raw = await asyncio.to_thread(socket.create_connection, (name.strip("[]"), int(port)), 3)
            tcp.prepare(raw)
            raw.setblocking(False)
            self.connection = await connect(
                self.url, sock=raw, subprotocols=self.protocols or None, compression=None, write_limit=0,
                ping_interval=1, ping_timeout=2, close_timeout=0.2, max_queue=64)
        except (WebSocketException, TimeoutError) as problem:
            raise LinkError(f"{self.url}: {problem}") from problem

    async def send(self, message: str | bytes) -> None:
        """Sends a message; throws LinkError if the connection is closed."""
        if self.connection is None:
            raise LinkError("not connected")
        try:
            await self.connection.send(message)
        except WebSocketException as problem:
            raise LinkError(str(problem)) from problem

    def unacknowledged(self) -> int:
        """Bytes that the other side's kernel has not acknowledged; 0 if the connection is closed."""
        return tcp.unacknowledged(self._socket)

    @property
    def _socket(self) -> Any:
        return self.connection.transport.get_extra_info("socket") if self.connection is not None else None

    async def receive(self) -> Any:
        """The next message; throws LinkError if the connection is closed."""
        if self.connection is None:
            raise LinkError("not connected")
        try:
            return await self.connection.recv()
        except WebSocketException as problem:
            raise LinkError(str(problem)) from problem

    async def close(self) -> None:
        """Closes in good order."""
        if self.connection is not None:
            await self.connection.close()
        self.connection = None

    def abort(self) -> None:
        """Resets the connection: the kernel throws away what is unsent."""
        if self.connection is not None:
            tcp.reset_at_close(self._socket)
            self.connection.transport.abort()
        self.connection = None


def with_port(place: str, port: int) -> str:
    """`place` with `port`, if it has none."""
    return place if place.rpartition(":")[2].isdigit() and ":" in place else f"{place}:{port}"


class WebSocketAdapter(Adapter):
    """An adapter with a connection for commands, one for reports, and tasks that read from them."""

    def __init__(self, place: str, options: Options, url: str, protocols: list[str] | None = None) -> None:
        super().__init__(place, options)
        self.link, self.reports = WebSocket(url, protocols), WebSocket(url, protocols)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, reading: Coroutine[Any, Any, None]) -> None:
        """Runs `reading` until the connections end."""
        self._tasks.append(asyncio.create_task(reading))

    async def discard(self) -> None:
        """Reads what the receiver says, so that its messages never fill the socket."""
        while True:
            await self.link.receive()

    def unacknowledged(self) -> int:
        return self.link.unacknowledged()

    async def close(self) -> None:
        self._end_tasks()
        await self.reports.close()
        await self.link.close()

    def abort(self) -> None:
        self._end_tasks()
        self.reports.abort()
        self.link.abort()

    def _end_tasks(self) -> None:
        while self._tasks:
            self._tasks.pop().cancel()

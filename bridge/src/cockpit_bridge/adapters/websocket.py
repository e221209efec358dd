"""WebSocket connections, and adapters that use them."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from websockets import connect
from websockets.typing import Subprotocol

from ..adapter import Adapter, LinkError, Options, link_errors
from ..place import Address, address
from . import tcp

LARGEST = 64 << 20  # Bytes of a message. A robot with hundreds of topics describes them all in one.


class WebSocket:
    """A connection that knows whether a message is still under way."""

    def __init__(self, url: str, protocols: list[str] | None = None, at: Address | None = None) -> None:
        self.url = url
        self.address = at or address(url.split("//")[1].split("/")[0], 80)
        self.protocols = [Subprotocol(name) for name in protocols or []]
        self.connection: Any = None
        self._pong: Any = None  # The answer to the ping behind the newest message.

    async def open(self) -> None:
        """Connects; throws LinkError, also for an answer that is none of a WebSocket."""
        raw = await tcp.connect(self.address)
        try:
            with link_errors(self.url):
                self.connection = await connect(
                    self.url, sock=raw, subprotocols=self.protocols or None, compression=None, write_limit=0,
                    max_size=LARGEST, ping_interval=1, ping_timeout=2, close_timeout=0.2, max_queue=64)
                self._pong = None
        except BaseException:
            raw.close()
            raise

    async def send(self, message: str | bytes) -> None:
        """Sends a message and a ping; throws LinkError if the connection is closed."""
        with link_errors(self.url):
            await self._opened().send(message)
            self._pong = await self._opened().ping()
            self._pong.add_done_callback(_forget)

    def unacknowledged(self) -> int:
        """Bytes that the other side's kernel has not acknowledged, and 1 while its program has not read them; 0 if the connection is closed.

        A kernel takes hundreds of commands for a program that reads slowly. The answer to a ping says that it has come so far.
        """
        unread = self.connection is not None and self._pong is not None and not self._pong.done()
        return tcp.unacknowledged(self._socket) + int(unread)

    @property
    def _socket(self) -> Any:
        return self.connection.transport.get_extra_info("socket") if self.connection is not None else None

    def _opened(self) -> Any:
        if self.connection is None:
            raise LinkError("not connected")
        return self.connection

    async def receive(self) -> Any:
        """The next message; throws LinkError if the connection is closed."""
        with link_errors(self.url):
            return await self._opened().recv()

    async def close(self) -> None:
        """Closes in good order."""
        connection, self.connection = self.connection, None
        if connection is not None:
            with link_errors(self.url):
                await connection.close()

    def abort(self) -> None:
        """Resets the connection: the kernel throws away what is unsent."""
        if self.connection is not None:
            tcp.reset_at_close(self._socket)
            self.connection.transport.abort()
        self.connection = None


def _forget(pong: Any) -> None:
    """What became of a ping when the connection ended is known by the connection."""
    if not pong.cancelled():
        pong.exception()


class WebSocketAdapter(Adapter):
    """An adapter with a connection for commands, one for reports, and tasks that read from them."""

    port = 80
    path = ""
    protocols: tuple[str, ...] = ()

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        at = address(place, self.port)
        url = f"ws://{at.in_url}/{self.path}"
        self.link, self.reports = (WebSocket(url, list(self.protocols), at) for _ in range(2))
        self._tasks: list[asyncio.Task[None]] = []
        self._end: LinkError | None = None  # Why the connection for commands has ended.

    async def connect(self) -> None:
        self._end = None
        await self.link.open()

    def start(self, reading: Coroutine[Any, Any, None]) -> None:
        """Runs `reading` until the connections end."""
        self._tasks = [task for task in self._tasks if not task.done()]
        self._tasks.append(asyncio.create_task(reading))

    def heard(self, message: Any) -> None:
        """Takes what the receiver says on the connection for commands."""

    async def heard_within(self, event: asyncio.Event, seconds: float) -> bool:
        """Waits until `heard` has set `event`; false if it does not, or if the connection ends before."""
        end = time.monotonic() + seconds
        while not event.is_set() and self._end is None and time.monotonic() < end:
            await asyncio.sleep(0.005)
        return event.is_set()

    async def listen(self) -> None:
        """Reads what the receiver says, so that its messages never fill the socket."""
        try:
            await self._read(self.link, self.heard)
        except LinkError as problem:
            self._end = problem

    async def read_reports(self, begin: Callable[[], Awaitable[None]], take: Callable[[Any], None]) -> None:
        """Opens the connection for reports and reads from it; whenever that ends, again, after a while."""
        pause = 0.5
        while True:
            was_told = False

            def told(message: Any) -> None:
                nonlocal was_told
                was_told = True
                take(message)

            try:
                await self.reports.open()
                await begin()
                await self._read(self.reports, told)
            except LinkError:
                self.reports.abort()
            pause = 0.5 if was_told else min(pause * 2, 8)
            await asyncio.sleep(pause)

    async def _read(self, connection: WebSocket, take: Callable[[Any], None]) -> None:
        while True:
            message = await connection.receive()
            # A message that nobody expects tells nothing, and ends nothing.
            with contextlib.suppress(Exception):
                take(message)
            # Commands come between two messages, however fast those come.
            await asyncio.sleep(0)

    async def idle(self) -> None:
        if self._end is not None:
            raise self._end

    def unacknowledged(self) -> int:
        return self.link.unacknowledged()

    async def close(self) -> None:
        self._end_tasks()
        with contextlib.suppress(LinkError):
            await self.reports.close()
        await self.link.close()

    def abort(self) -> None:
        self._end_tasks()
        self.reports.abort()
        self.link.abort()

    def _end_tasks(self) -> None:
        while self._tasks:
            self._tasks.pop().cancel()

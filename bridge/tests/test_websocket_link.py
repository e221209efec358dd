"""What a connection keeps when the other side takes nothing."""

import asyncio
import base64
import contextlib
import hashlib
import json
import socket
import threading
import time

import pytest
from conftest import running, until
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from cockpit_bridge.adapter import Options
from cockpit_bridge.adapters.donkey import Donkey
from cockpit_bridge.adapters.websocket import WebSocket

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def accept_and_fall_silent(listener: socket.socket, kept: list[socket.socket]) -> None:
    """Agrees to a WebSocket, and reads nothing after that."""
    peer = listener.accept()[0]
    request = b""
    while b"\r\n\r\n" not in request:
        request += peer.recv(4096)
    key = next(line.split(b": ")[1] for line in request.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
    answer = base64.b64encode(hashlib.sha1(key + GUID).digest())
    peer.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + answer + b"\r\n\r\n")
    kept.append(peer)


def read_to_end(peer: socket.socket) -> bytes:
    """What the other side has sent, once it has closed or reset the connection."""
    data = b""
    peer.settimeout(5)
    with contextlib.suppress(ConnectionResetError):
        while more := peer.recv(4096):
            data += more
    return data


async def test_a_receiver_that_takes_nothing_acknowledges_nothing() -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        kept: list[socket.socket] = []
        threading.Thread(target=accept_and_fall_silent, args=(listener, kept), daemon=True).start()
        link = WebSocket(f"ws://127.0.0.1:{listener.getsockname()[1]}/")
        await link.open()
        with pytest.raises(TimeoutError):
            for _ in range(100_000):
                await link.send(bytes(100))
                async with asyncio.timeout(0.3):
                    while link.unacknowledged():
                        await asyncio.sleep(0.001)
        assert 0 < link.unacknowledged() <= 150
        link.abort()
        kept[0].close()


async def test_a_receiver_that_acknowledges_and_reads_slowly_keeps_no_old_commands() -> None:
    read: list[tuple[float, float]] = []

    async def take(connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                read.append((time.monotonic(), json.loads(text)["throttle"]))
                await asyncio.sleep(0.15)

    async with serve(take, "127.0.0.1", 0, max_queue=1) as made:
        async with running(Donkey(f"127.0.0.1:{made.sockets[0].getsockname()[1]}", Options())) as driver:
            await until(lambda: read)
            await driver.drive(2)
            assert max(throttle for _, throttle in read) == 0.6
            driver.let_go()
            lifted = time.monotonic()
            # Twenty commands a second would wait for four seconds by now.
            await asyncio.sleep(1.2)
            assert read[-1][1] == 0 and sum(at > lifted and throttle > 0 for at, throttle in read) <= 3


async def test_a_receiver_that_acknowledges_and_reads_nothing_is_a_stalled_link() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        kept: list[socket.socket] = []
        threading.Thread(target=accept_and_fall_silent, args=(listener, kept), daemon=True).start()
        async with running(Donkey(f"127.0.0.1:{listener.getsockname()[1]}", Options())) as driver:
            await until(lambda: kept)
            agreed = time.monotonic()
            # The reset ends what the receiver reads. In a thread: the bridge runs in this loop, and must be able to reset.
            data = await asyncio.to_thread(read_to_end, kept[0])
            # 300 ms, and what a busy machine adds.
            assert time.monotonic() - agreed < 2
            await until(lambda: any("NO LINK" in told["warnings"] for told in driver.telemetry()))  # type: ignore[operator]
            # The first message, neutral, and its ping; nothing followed it.
            assert len(data) < 150
        kept[0].close()

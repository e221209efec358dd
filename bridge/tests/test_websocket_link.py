"""What a connection keeps when the other side takes nothing."""

import asyncio
import base64
import hashlib
import socket
import threading

import pytest

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

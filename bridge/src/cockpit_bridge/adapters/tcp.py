"""What a TCP connection needs so that no old command is ever delivered."""

import fcntl
import socket
import struct
import termios
from typing import Any

from ..adapter import link_errors, on_thread
from ..place import Address

TCP_NOTSENT_LOWAT = 25  # linux/tcp.h; Python 3.11 does not name it.


async def connect(address: Address) -> socket.socket:
    """A connection that is prepared. On a thread: looking a name up and connecting must not hold up the drive messages."""
    with link_errors(str(address)):
        raw = await on_thread(lambda: socket.create_connection((address.host, address.port), 3), socket.socket.close)
        prepare(raw)
        raw.setblocking(False)
        return raw


def prepare(raw: Any) -> None:
    """Nagle's algorithm is off, and the kernel keeps one message: a stop must not wait behind a command, nor a command behind a lost packet."""
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    raw.setsockopt(socket.IPPROTO_TCP, TCP_NOTSENT_LOWAT, 1)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)


def queued(descriptor: int) -> int:
    """Bytes that a socket's other side has not acknowledged, or that a serial device has not sent yet."""
    (count,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4)))
    return int(count)


def unacknowledged(raw: Any) -> int:
    """Bytes that the other side's kernel has not acknowledged; 0 for None or a closed socket."""
    return 0 if raw is None or raw.fileno() < 0 else queued(raw.fileno())


def reset_at_close(raw: Any) -> None:
    """Closing will reset the connection: the kernel throws away what is unsent."""
    if raw is not None and raw.fileno() >= 0:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

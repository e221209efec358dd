"""Where drive messages come from."""

import contextlib
import errno
import os
import select
import socket
import stat
import sys
import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from .lease import LONGEST

TURN = 0.02  # Seconds that one reading may take.
MOST = 256  # Lines of one reading; no cockpit sends as many in that time.
PIECES = 4  # Pieces of a stream in one reading.
CONNECTIONS = 8  # Cockpits at one unix socket.
STREAM = "stream"  # The address of a sender that has none.


class BadPlace(ValueError):
    """A place that cannot be opened, with the reason in words."""


def port_of(text: str) -> int:
    """A port number. Throws BadPlace for anything but 1 to 65535."""
    if text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65536:
        return int(text)
    raise BadPlace(f'"{text}" is not a port: 1 to 65535')


def host_and_port(text: str) -> tuple[str, int]:
    """[HOST:]PORT; an IPv6 address stands in brackets. A host that is left out is "". Throws BadPlace."""
    host, colon, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]") and ":" in host:
        host = host[1:-1]
    elif ":" in host or "[" in text or "]" in text:
        raise BadPlace(f'"{text}" is not [HOST:]PORT; an IPv6 address stands in brackets: [::1]:5005')
    elif colon and not host:
        raise BadPlace(f'"{text}" is not [HOST:]PORT: the host is missing')
    return host, port_of(port)


@dataclass
class Batch:
    """What had arrived, in order, each line with its sender's address.

    `ended`: connections that are gone; `is_over`: the only sender is. `is_flooded`: there was more than a cockpit sends; of the oldest
    lines only the emergency stops are here.
    """

    lines: list[tuple[bytes, Hashable]] = field(default_factory=list)
    ended: list[Hashable] = field(default_factory=list)
    is_over: bool = False
    is_flooded: bool = False

    def trim(self) -> None:
        """Keeps the newest lines, and the stops among the others."""
        if len(self.lines) > MOST:
            stops = [each for each in self.lines[:-MOST] if b"emergency-stop" in each[0]]
            self.lines, self.is_flooded = stops[-MOST:] + self.lines[-MOST:], True


class _End:
    """One descriptor that lines come from."""

    def __init__(self, descriptor: int, address: Hashable, kind: socket.SocketKind | None) -> None:
        self.descriptor, self.address, self.kind = descriptor, address, kind
        self._rest = b""
        self._skips = False  # The line that is being read is too long: its end is awaited.
        self._unsent = b""

    def read(self, batch: Batch, end: float) -> bool:
        """Adds what has arrived; returns false at the end of the stream."""
        if self.kind is not None and self.kind != socket.SOCK_STREAM:
            return self._read_records(batch, end)
        for _ in range(PIECES):
            try:
                data = os.read(self.descriptor, 65536)
            except BlockingIOError:
                break
            except OSError:
                return False
            if not data:
                return False
            self._split(data, batch)
            if time.monotonic() >= end:
                break
        return True

    def _split(self, data: bytes, batch: Batch) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if self._skips and lines:
            del lines[0]
            self._skips = False
        if len(lines) > MOST:
            # Before anything costs time for each line.
            stops = [line for line in lines[:-MOST] if b"emergency-stop" in line]
            lines, batch.is_flooded = stops[-MOST:] + lines[-MOST:], True
        # As datagrams have it: with the newline.
        batch.lines += [(line + b"\n", self.address) for line in lines]
        if len(self._rest) >= LONGEST:
            if not self._skips:
                batch.lines.append((self._rest[:LONGEST + 1], self.address))
            self._rest, self._skips = b"", True

    def _read_records(self, batch: Batch, end: float) -> bool:
        for _ in range(MOST):
            try:
                data = os.read(self.descriptor, LONGEST + 1)
            except BlockingIOError:
                break
            except OSError:
                return False
            if not data and self.kind == socket.SOCK_SEQPACKET:
                return False
            batch.lines.append((data, self.address))
            if time.monotonic() >= end:
                break
        return True

    def write(self, line: bytes) -> None:
        """Sends a line; one that finds no room is dropped."""
        with contextlib.suppress(OSError):
            data = self._unsent + line
            sent = os.write(self.descriptor, data)
            self._unsent = data[sent:] if self.kind == socket.SOCK_STREAM else b""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.descriptor)


class Source:
    """Lines from `-`, `fd:N`, `unix:PATH` or `udp:[HOST:]PORT`.

    A reading takes what has arrived, but not for longer than 20 ms, whatever arrives meanwhile. `fileno` is readable when something has.
    """

    def __init__(self, place: str) -> None:
        self.is_endless = False  # True if another sender may come after one has gone.
        self.is_private = False  # True if the sender started this program: it gets reports that it has not asked for.
        self._listener: socket.socket | None = None
        self._datagrams: socket.socket | None = None
        self._ends: dict[int, _End] = {}
        self._count = 0
        self._descriptor = -1
        kind, _, rest = place.partition(":")
        if place == "-":
            if sys.stdin is None:
                raise BadPlace("standard input is closed")
            self._begin(_End(sys.stdin.fileno(), STREAM, None))
        elif kind == "fd" and rest.isascii() and rest.isdigit() and len(rest) < 10:
            self._open_descriptor(int(rest))
        elif kind == "unix" and rest:
            self._listener, self.is_endless = _listen(rest), True
        elif kind == "udp":
            self._datagrams, self.is_endless = _datagrams(rest), True
        else:
            raise BadPlace(f'"{place}" is no place: -, fd:N, unix:PATH or udp:[HOST:]PORT')
        # Only a listener has more than one descriptor to look at.
        self._poll: Any = None
        if self._listener is not None:
            self._poll = select.epoll()
            self._poll.register(self._listener.fileno(), select.EPOLLIN)
        # All that a file has can be read at once: nothing tells when it was said.
        self.is_file = any(not _can_be_polled(descriptor) for descriptor in self._ends)

    def _open_descriptor(self, descriptor: int) -> None:
        try:
            kind = _socket_kind(descriptor)
        except OSError as problem:
            raise BadPlace(f"fd:{descriptor}: {problem.strerror}") from problem
        self.is_private = kind is not None
        self._begin(_End(descriptor, STREAM, kind))

    def _begin(self, end: _End) -> None:
        os.set_blocking(end.descriptor, False)
        self._ends[end.descriptor] = end
        self._descriptor = end.descriptor

    def fileno(self) -> int:
        """The descriptor that becomes readable."""
        if self._poll is not None:
            return int(self._poll.fileno())
        return self._datagrams.fileno() if self._datagrams is not None else self._descriptor

    def read(self) -> Batch:
        """What has arrived, without waiting."""
        batch = Batch()
        until = time.monotonic() + TURN
        if self._datagrams is not None:
            _read_datagrams(self._datagrams, batch, until)
            batch.trim()
        for descriptor in list(self._ends) if self._poll is None else [descriptor for descriptor, _ in self._poll.poll(0)]:
            if self._listener is not None and descriptor == self._listener.fileno():
                self._accept()
            elif not self._ends[descriptor].read(batch, until):
                self._finish(descriptor, batch)
            batch.trim()
        return batch

    def _accept(self) -> None:
        assert self._listener is not None
        with contextlib.suppress(OSError):
            connection = self._listener.accept()[0]
            if len(self._ends) >= CONNECTIONS:
                connection.close()
                return
            self._count += 1
            descriptor = connection.detach()
            self._begin(_End(descriptor, ("unix", self._count), socket.SOCK_STREAM))
            self._poll.register(descriptor, select.EPOLLIN)

    def _finish(self, descriptor: int, batch: Batch) -> None:
        end = self._ends.pop(descriptor)
        batch.ended.append(end.address)
        batch.is_over = not self.is_endless
        if self._poll is not None:
            self._poll.unregister(descriptor)
            end.close()

    def write_back(self, line: bytes, address: Any = STREAM) -> None:
        """Sends a line to a sender, if its place has a way back; one that finds no room is dropped."""
        if self._datagrams is not None:
            with contextlib.suppress(OSError, TypeError, ValueError):
                self._datagrams.sendto(line, socket.MSG_DONTWAIT, address)
            return
        for end in self._ends.values():
            if end.address == address and end.kind is not None:
                end.write(line)


def _can_be_polled(descriptor: int) -> bool:
    """False for files and /dev/null."""
    try:
        with select.epoll() as poll:
            poll.register(descriptor, select.EPOLLIN)
    except PermissionError:
        return False
    return True


def _socket_kind(descriptor: int) -> socket.SocketKind | None:
    """None for what is no socket."""
    if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        return None
    with socket.socket(fileno=os.dup(descriptor)) as copy:
        return socket.SocketKind(copy.type)


def _read_datagrams(source: socket.socket, batch: Batch, until: float) -> None:
    for _ in range(MOST + 1):
        try:
            # A longer one is cut off, and still too long.
            batch.lines.append(source.recvfrom(LONGEST + 1, socket.MSG_DONTWAIT))
        except BlockingIOError:
            return
        except OSError:
            return  # An answer that nobody took.
        if time.monotonic() >= until:
            return


def _listen(path: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    try:
        if os.path.lexists(path):
            if not stat.S_ISSOCK(os.lstat(path).st_mode):
                raise BadPlace(f"{path} exists and is not a socket")
            os.unlink(path)
        listener.bind(path)
        listener.listen(CONNECTIONS)
        listener.setblocking(False)
    except (OSError, ValueError) as problem:
        listener.close()
        if isinstance(problem, BadPlace):
            raise
        raise BadPlace(f"unix:{path}: {getattr(problem, 'strerror', None) or problem}") from problem
    return listener


def _datagrams(place: str) -> socket.socket:
    """A socket at HOST:PORT; without a host, one that only this machine reaches. `*` is every address."""
    host, port = host_and_port(place)
    try:
        if host == "*":
            return _bound(socket.AF_INET6, ("::", port)) if socket.has_dualstack_ipv6() else _bound(socket.AF_INET, ("", port))
        found = socket.getaddrinfo(host or "127.0.0.1", port, type=socket.SOCK_DGRAM, flags=socket.AI_PASSIVE)
        return _bound(found[0][0], found[0][4])
    except (OSError, UnicodeError) as problem:
        # Encodings of names say more than anybody wants to know.
        why = "not a name" if isinstance(problem, UnicodeError) else problem.strerror or str(problem)
        if isinstance(problem, OSError) and problem.errno == errno.EADDRINUSE:
            why = "another program listens there"
        raise BadPlace(f"udp:{place}: {why}") from problem


def _bound(family: int, address: Any) -> socket.socket:
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(address[0] != "::"))
        # What waits for a slow machine should be little: it is old when it is read.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        made.bind(address)
    except BaseException:
        made.close()
        raise
    return made

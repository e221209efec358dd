"""Where drive messages come from."""

import os
import select
import socket
import stat
import sys
from dataclasses import dataclass, field

from .message import LONGEST


class BadPlace(ValueError):
    """A place that cannot be opened, with the reason in words."""


@dataclass
class Batch:
    """Everything that had arrived. `is_over`: the sender is gone."""

    lines: list[bytes] = field(default_factory=list)
    is_over: bool = False


def port_of(text: str) -> int:
    """A port number. Throws BadPlace for anything but 1 to 65535."""
    if text.isascii() and text.isdigit() and 0 < int(text) < 65536:
        return int(text)
    raise BadPlace(f'"{text}" is not a port: 1 to 65535')


class Source:
    """Lines from `-`, `fd:N`, `unix:PATH` or `udp:[HOST:]PORT`. Each read drains what has arrived: what stays would be read later, as if new."""

    def __init__(self, place: str) -> None:
        self.is_endless = False  # True if another sender may come after one has gone.
        self._listener: socket.socket | None = None
        self._rest = b""
        self._keeps_records = False
        kind, _, rest = place.partition(":")
        if place == "-":
            if sys.stdin is None:
                raise BadPlace("standard input is closed")
            self._descriptor: int | None = sys.stdin.fileno()
        elif kind == "fd" and rest.isdigit():
            self._descriptor = int(rest)
            self._keeps_records = _is_record_socket(self._descriptor)
        elif kind == "unix" and rest:
            self._listener, self._descriptor, self.is_endless = _listen(rest), None, True
        elif kind == "udp":
            self._socket = _datagrams(rest)
            self._descriptor, self._keeps_records, self.is_endless = self._socket.fileno(), True, True
        else:
            raise BadPlace(f'"{place}" is no place: -, fd:N, unix:PATH or udp:[HOST:]PORT')
        if self._descriptor is not None:
            os.set_blocking(self._descriptor, False)

    def fileno(self) -> int:
        """The descriptor that becomes readable."""
        if self._descriptor is not None:
            return self._descriptor
        assert self._listener is not None
        return self._listener.fileno()

    def read(self) -> Batch:
        """Everything that has arrived, without waiting."""
        if self._descriptor is None:
            assert self._listener is not None
            self._descriptor = self._listener.accept()[0].detach()
            os.set_blocking(self._descriptor, False)
            return Batch()
        batch = Batch()
        for _ in range(1000):
            try:
                data = os.read(self._descriptor, 65536)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if data and self._keeps_records:
                batch.lines += data.splitlines()
            elif data:
                *lines, self._rest = (self._rest + data).split(b"\n")
                batch.lines += lines
                if len(self._rest) > LONGEST:
                    batch.lines.append(self._rest)
                    self._rest = b""
            elif not isinstance(getattr(self, "_socket", None), socket.socket):
                batch.is_over = True
                self._next_sender()
                break
        return batch

    def _next_sender(self) -> None:
        self._rest = b""
        if self._listener is not None and self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def write_back(self, line: bytes) -> None:
        """Sends a telemetry message to the sender, if its place has a way back; one that finds no room is dropped."""
        if self._descriptor is None or not _is_socket(self._descriptor):
            return
        _, writable, _ = select.select([], [self._descriptor], [], 0)
        if writable:
            try:
                os.write(self._descriptor, line)
            except OSError:
                pass  # The sender is gone: the next read reports it.


def _is_socket(descriptor: int) -> bool:
    return stat.S_ISSOCK(os.fstat(descriptor).st_mode)


def _is_record_socket(descriptor: int) -> bool:
    if not _is_socket(descriptor):
        return False
    with socket.socket(fileno=os.dup(descriptor)) as copy:
        return copy.type != socket.SOCK_STREAM


def _listen(path: str) -> socket.socket:
    if os.path.lexists(path):
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise BadPlace(f"{path} exists and is not a socket")
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    return listener


def _datagrams(place: str) -> socket.socket:
    host, _, port = place.rpartition(":")
    family = socket.AF_INET6 if not host and socket.has_dualstack_ipv6() else socket.AF_INET
    made = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    try:
        made.bind((host or ("::" if family == socket.AF_INET6 else ""), port_of(port)))
    except OSError as problem:
        raise BadPlace(f"udp:{place}: {problem.strerror or problem}") from problem
    return made

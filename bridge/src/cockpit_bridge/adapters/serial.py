"""A serial line that never keeps old commands, and adapters that use one."""

import asyncio
import contextlib
import os
import select
import socket
import termios
import threading
import time
from typing import ClassVar

import serial

from ..adapter import STALL, Adapter, LinkError, Options, link_errors, on_thread
from ..message import Command
from ..place import Address, address, serial_device
from . import tcp

NETWORK = "socket://"


class Line:
    """Bytes to and from a descriptor that never blocks. `unsent` says how much of what was written is still under way."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._rest = b""
        self._writable = select.poll()
        self._writable.register(descriptor, select.POLLOUT)
        self._readable = select.poll()
        self._readable.register(descriptor, select.POLLIN)

    def write(self, data: bytes) -> None:
        """Takes a message. What the descriptor has no room for goes out later, by `flush`."""
        self._rest += data
        self.flush()

    def flush(self) -> None:
        """Writes what has room now."""
        if self._rest:
            with contextlib.suppress(BlockingIOError):
                self._rest = self._rest[os.write(self.descriptor, self._rest):]

    def unsent(self, is_strict: bool = False) -> int:
        """Bytes that are still under way. `is_strict`: also where that is not sure."""
        self.flush()
        return len(self._rest) + self.queued(is_strict)

    def queued(self, is_strict: bool) -> int:
        """Bytes that the kernel still has."""
        return tcp.queued(self.descriptor)

    def read(self) -> bytes:
        """What has arrived, 4096 bytes at most. Throws LinkError if the other side is gone."""
        found = dict(self._readable.poll(0)).get(self.descriptor, 0)
        if found & (select.POLLHUP | select.POLLERR | select.POLLNVAL):
            raise LinkError("the other side is gone")
        if not found & select.POLLIN:
            return b""
        try:
            data = os.read(self.descriptor, 4096)
        except BlockingIOError:
            return b""
        if not data:
            raise LinkError("the other side is gone")
        return data

    def close(self) -> None:
        """Throws away what is unsent, and closes."""
        self._rest = b""


class SocketLine(Line):
    """A line over TCP."""

    def __init__(self, raw: socket.socket) -> None:
        super().__init__(raw.fileno())
        self._socket = raw

    def close(self) -> None:
        super().close()
        tcp.reset_at_close(self._socket)
        self._socket.close()


class DeviceLine(Line):
    """A line over a serial device."""

    def __init__(self, port: serial.Serial) -> None:
        super().__init__(port.fileno())
        self._port = port
        # What an earlier program left in the queue is old.
        termios.tcflush(self.descriptor, termios.TCIOFLUSH)

    def close(self) -> None:
        super().close()
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self.descriptor, termios.TCOFLUSH)
        # A kernel's close may wait half a minute for output that cannot go out.
        threading.Thread(target=_close, args=(self._port,), daemon=True).start()


class TerminalLine(DeviceLine):
    """A line over a pseudo terminal. The kernel says 0 of its queue whatever is in it.

    But it wakes one who waits for room after each write, and after each read by the other side. Of two who wait, the first is woken by the end
    of our own write; it does not wait again before the message has been read, so what wakes the second is the reader.
    """

    def __init__(self, port: serial.Serial) -> None:
        super().__init__(port)
        self._ours, self._readers = select.epoll(), select.epoll()
        for waiting in (self._ours, self._readers):
            waiting.register(self.descriptor, select.EPOLLOUT | select.EPOLLET | select.EPOLLEXCLUSIVE)
        self._unread = 0
        self._since = self._newest = 0.0  # When the first and the last of the unread bytes were written.
        self._is_waiting = self._is_over = False
        self._go = threading.Event()
        threading.Thread(target=self._wait, daemon=True).start()
        time.sleep(0.005)

    def _wait(self) -> None:
        while not self._is_over:
            self._ours.poll(0)
            self._is_waiting = True
            while not self._ours.poll(0.05) and not self._is_over:
                pass
            self._is_waiting = False
            self._go.wait()
            self._go.clear()
        self._ours.close()

    def flush(self) -> None:
        if not self._rest:
            return
        if not self._is_waiting:
            self._go.set()
            time.sleep(0.0005)
        before = len(self._rest)
        self._readers.poll(0)
        super().flush()
        if len(self._rest) < before:
            self._newest = time.monotonic()
            self._since = self._since if self._unread else self._newest
            self._unread += before - len(self._rest)

    def queued(self, is_strict: bool) -> int:
        if self._unread and self._readers.poll(0):
            self._unread = 0
            if not self._is_waiting:
                self._go.set()
        now = time.monotonic()
        if self._unread and now - self._since >= STALL:
            raise LinkError("the link stalled")
        # Should a reading have been missed, another message may go; but no third stays unread.
        return 0 if now - self._newest > STALL / 2 and not is_strict else self._unread

    def close(self) -> None:
        self._is_over = True
        self._go.set()
        self._readers.close()
        super().close()


def _close(port: serial.Serial) -> None:
    with contextlib.suppress(OSError, serial.SerialException):
        port.close()


class SerialPort:
    """A serial device or pseudo terminal, or socket://HOST:PORT."""

    def __init__(self, place: str, baud: int) -> None:
        self.place = place
        self.baud = baud
        self._address: Address | None = None
        self._line: Line | None = None
        if place.startswith(NETWORK):
            self._address = address(place.removeprefix(NETWORK))
        else:
            serial_device(place)

    async def open(self) -> None:
        """Opens the device; throws LinkError with the reason."""
        with link_errors(self.place):
            if self._address is not None:
                self._line = SocketLine(await tcp.connect(self._address))
                return
            self._line = await on_thread(self._device, lambda line: line.close())

    def _device(self) -> DeviceLine:
        port = serial.Serial(self.place, self.baud, timeout=0, write_timeout=0)
        try:
            is_terminal = os.major(os.fstat(port.fileno()).st_rdev) in range(136, 144)
            return TerminalLine(port) if is_terminal else DeviceLine(port)
        except BaseException:
            port.close()
            raise

    def write(self, data: bytes) -> None:
        """Passes `data` on without waiting; throws LinkError if the device is gone."""
        with link_errors(self.place):
            self._opened().write(data)

    def unsent(self, is_strict: bool = False) -> int:
        """Bytes that are still under way, as Line says it; throws LinkError if the device is gone."""
        with link_errors(self.place):
            return self._line.unsent(is_strict) if self._line is not None else 0

    def read(self) -> bytes:
        """What has arrived; throws LinkError if the device is gone."""
        with link_errors(self.place):
            return self._opened().read()

    def _opened(self) -> Line:
        if self._line is None:
            raise LinkError("not connected")
        return self._line

    def close(self) -> None:
        """Closes the device at once and throws away what is unsent."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError):
                line.close()


class SerialAdapter(Adapter):
    """An adapter whose PLACE is a serial device, with `baud` bits a second. `message` makes the bytes of a command."""

    baud: ClassVar[int]
    greeting: ClassVar[tuple[bytes, ...]] = ()  # Written when the line is opened, with a pause after each.

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self.port = SerialPort(place, self.baud)
        self._sent = 0.0

    def message(self, command: Command) -> bytes:
        """The bytes of a command."""
        raise NotImplementedError

    def heard(self, data: bytes) -> None:
        """Takes what the device says."""

    async def connect(self) -> None:
        await self.port.open()
        for word in self.greeting:
            self.port.write(word)
            await asyncio.sleep(0.05)
        await self.prove()

    async def prove(self) -> None:
        """Neutral, before anything moves, and until the line has taken it: a line that takes nothing would keep the commands for later.

        Twice, because the first may be taken by an empty queue that is not sure of itself.
        """
        for _ in range(2):
            end = time.monotonic() + STALL
            self.port.write(self.message(self.stop))
            while self.port.unsent(is_strict=True):
                if time.monotonic() >= end:
                    raise LinkError(f"{self.place}: the link stalled")
                await asyncio.sleep(0.001)

    async def send(self, command: Command) -> None:
        # Answers are read so that they never fill the port.
        self.heard(self.port.read())
        now = time.monotonic()
        if command.driving and now - self._sent > 1:
            await self.prove()
        self._sent = now
        self.port.write(self.message(command))

    async def idle(self) -> None:
        self.heard(self.port.read())

    def unacknowledged(self) -> int:
        return self.port.unsent()

    def abort(self) -> None:
        self.port.close()

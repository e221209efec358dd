"""A serial port that never keeps old commands, and adapters that use one."""

import asyncio
from typing import ClassVar

import serial

from ..adapter import Adapter, LinkError, Options


class SerialPort:
    """A serial device or pseudo terminal, or a URL of pyserial such as socket://HOST:PORT."""

    def __init__(self, place: str, baud: int) -> None:
        self.place = place
        self.baud = baud
        self._port: serial.SerialBase | None = None

    def open(self) -> None:
        """Opens the device; throws LinkError with the reason."""
        try:
            self._port = serial.serial_for_url(self.place, self.baud, timeout=0, write_timeout=0.1)
        except (serial.SerialException, ValueError) as problem:
            raise LinkError(str(problem)) from problem

    async def write(self, data: bytes) -> None:
        """Writes `data` and waits until the device has taken it."""
        port = self._port
        if port is None:
            raise LinkError("not connected")
        try:
            await asyncio.get_running_loop().run_in_executor(None, port.write, data)
        except serial.SerialException as problem:
            raise LinkError(str(problem)) from problem

    def read(self) -> bytes:
        """What has arrived."""
        if self._port is None:
            return b""
        try:
            return bytes(self._port.read(4096))
        except serial.SerialException as problem:
            raise LinkError(str(problem)) from problem

    def close(self) -> None:
        """Closes the device and throws away what is unsent."""
        if self._port is not None:
            self._port.close()
        self._port = None


class SerialAdapter(Adapter):
    """An adapter whose PLACE is a serial device, with `baud` bits a second."""

    baud: ClassVar[int]

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self.port = SerialPort(place, self.baud)

    async def connect(self) -> None:
        self.port.open()

    def abort(self) -> None:
        self.port.close()

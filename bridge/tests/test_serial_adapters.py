"""crsf, msp and slcan over pseudo terminals."""

import asyncio
import os
import pty
import struct
import tty
from collections.abc import Iterator

import pytest
from conftest import running, until

from cockpit_bridge.adapter import LinkError, Options
from cockpit_bridge.adapters.can import Can, Slcan
from cockpit_bridge.adapters.crsf import Crsf, channels, checksum, position
from cockpit_bridge.adapters.msp import Msp, frame


class Device:
    """The receiver's end of a pseudo terminal."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        self.place = os.ttyname(slave)
        self.slave = slave
        self.data = b""

    def read(self) -> bytes:
        try:
            while chunk := os.read(self.master, 65536):
                self.data += chunk
        except (BlockingIOError, OSError):
            pass
        return self.data


@pytest.fixture
def device() -> Iterator[Device]:
    made = Device()
    yield made
    os.close(made.master)
    os.close(made.slave)


def test_the_bytes_of_crsf() -> None:
    assert checksum(b"123456789") == 0xBC
    wanted = "c81816e09b382bc0073ef0810f7ce0031ff8c0073ef0810f7c68"
    assert channels([992, 1811, 172]).hex() == wanted
    assert [position(value) for value in (-1, 0, 1)] == [172, 992, 1811]


async def test_crsf_ends_in_the_middle_and_then_is_silent(device: Device) -> None:
    async with running(Crsf(device.place, Options())) as driver:
        await until(lambda: device.read())
        await driver.drive(0.3)
        assert device.read()[-26:] == channels([position(-0.25), position(0.6), 172])
        driver.let_go()
        await asyncio.sleep(0.6)
        device.read()
        count = len(device.data)
        assert device.data[-26:] == channels([992, 992, 172])
        await asyncio.sleep(0.3)
        assert len(device.read()) == count


async def test_msp_sends_raw_rc_in_the_order_aetr(device: Device) -> None:
    async with running(Msp(device.place, Options())) as driver:
        await until(lambda: device.read())
        await driver.drive(0.3)
        driven = frame(200, struct.pack("<8H", 1375, 1500, 1800, 1500, 1000, 1000, 1000, 1000))
        assert driven in device.read()
    assert device.read().endswith(frame(200, struct.pack("<8H", 1500, 1500, 1500, 1500, 1000, 1000, 1000, 1000)))


async def test_slcan_sends_the_frame_of_the_can_example(device: Device) -> None:
    async with running(Slcan(device.place, Options())) as driver:
        await until(lambda: b"t1208" in device.read())
        await driver.drive(0.3)
        newest = [word for word in device.read().split(b"\r") if word.startswith(b"t1208")][-1]
        flags, throttle, steering = struct.unpack(">xBhhxx", bytes.fromhex(newest[5:21].decode()))
        assert (flags, throttle, steering) == (4, 600, -250)
    newest = [word for word in device.read().split(b"\r") if word.startswith(b"t1208")][-1]
    assert struct.unpack(">xBhhxx", bytes.fromhex(newest[5:21].decode())) == (1, 0, 0)


async def test_socketcan_without_an_interface_is_an_error_in_words() -> None:
    with pytest.raises(LinkError, match="nocan7"):
        await Can("nocan7", Options()).connect()

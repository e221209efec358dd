"""crsf, msp and slcan over pseudo terminals and TCP: what they send, and what a line keeps that takes nothing for a while."""

import asyncio
import contextlib
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Driver, line, running, until

from cockpit_bridge.adapter import LinkError, Options
from cockpit_bridge.adapters.crsf import Crsf, channels, checksum, position
from cockpit_bridge.adapters.msp import Answers, Msp, frame
from cockpit_bridge.adapters.serial import DeviceLine, Line, SerialAdapter, SerialPort
from cockpit_bridge.adapters.slcan import Slcan


class Device:
    """The receiver's end of a pseudo terminal. A thread reads it, as a receiver does, unless it `stands`."""

    def __init__(self, stands: bool = False) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.place, self.slave = os.ttyname(slave), slave
        self.data, self.stands, self.is_over = b"", stands, False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while not self.is_over:
            if self.stands or not select.select([self.master], [], [], 0.05)[0]:
                time.sleep(0.001)
                continue
            with contextlib.suppress(OSError):
                self.data += os.read(self.master, 65536)

    def unplug(self) -> None:
        if not self.is_over:
            self.is_over = True
            self.thread.join()
            os.close(self.master)
            os.close(self.slave)


@pytest.fixture
def device() -> Iterator[Device]:
    made = Device()
    yield made
    made.unplug()


def throttles(name: str, data: bytes) -> list[float]:
    """What each frame in `data` commands."""
    if name == "slcan":
        words = [word[word.rindex(b"t1208"):] for word in data.split(b"\r") if b"t1208" in word]
        return [struct.unpack(">hh", bytes.fromhex(word[9:17].decode()))[0] / 1000 for word in words if len(word) == 21]
    if name == "msp":
        parts = [part[2:18] for part in data.split(b"$M<") if part[:2] == b"\x10\xc8" and len(part) > 18]
        return [(struct.unpack("<8H", part)[2] - 1500) / 500 for part in parts]
    found = [data[at:at + 26] for at in range(len(data)) if data[at:at + 3] == b"\xc8\x18\x16"]
    packed = [int.from_bytes(each[3:25], "little") for each in found if len(each) == 26]
    return [((each >> 11 & 0x7FF) - 992) / 819 for each in packed]


def test_the_bytes_of_crsf() -> None:
    assert checksum(b"123456789") == 0xBC
    wanted = "c81816e09b382bc0073ef0810f7ce0031ff8c0073ef0810f7c68"
    assert channels([992, 1811, 172]).hex() == wanted
    assert [position(value) for value in (-1, 0, 1)] == [172, 992, 1811]


def crsf(steering: float, throttle: float, horn: bool) -> bytes:
    """The middle of channel 3 is nobody's throttle; channel 5 is never armed."""
    return channels([position(steering), position(throttle), 992, 992, 172, 1811 if horn else 172])


async def test_crsf_ends_in_the_middle_and_then_is_silent(device: Device) -> None:
    async with running(Crsf(device.place, Options())) as driver:
        await until(lambda: device.data)
        await driver.drive(0.3)
        await until(lambda: device.data[-26:] == crsf(-0.25, 0.6, False))
        driver.sequence += 1
        driver.mine.send(line(driver.sequence, horn=True) + b"\n")
        await until(lambda: device.data[-26:] == crsf(-0.25, 0.6, True))
        driver.let_go()
        await asyncio.sleep(0.6)
        count = len(device.data)
        assert device.data[-26:] == crsf(0, 0, False)
        await asyncio.sleep(0.3)
        assert len(device.data) == count


async def test_what_comes_back_by_crsf_is_no_report(device: Device) -> None:
    adapter = Crsf(device.place, Options())
    async with running(adapter) as driver:
        await until(lambda: device.data)
        os.write(device.master, crsf(0, 0, True))
        await driver.drive(0.2)
        assert adapter.status.warnings == [] and adapter.status.speed is None and adapter.status.battery is None


def raw_rc(steering: int, throttle: int, horn: int = 1000) -> bytes:
    return frame(200, struct.pack("<8H", steering, 1500, throttle, 1500, 1000, horn, 1000, 1000))


async def test_msp_sends_raw_rc_in_the_order_aetr(device: Device) -> None:
    async with running(Msp(device.place, Options())) as driver:
        await until(lambda: device.data)
        await driver.drive(0.3)
        await until(lambda: raw_rc(1375, 1800) in device.data)
        driver.sequence += 1
        driver.mine.send(line(driver.sequence, horn=True) + b"\n")
        await until(lambda: raw_rc(1375, 1800, 2000) in device.data)
    await until(lambda: device.data.endswith(raw_rc(1500, 1500)))


async def test_msp_says_whether_the_flight_controller_waits_for_arm(device: Device) -> None:
    adapter = Msp(device.place, Options())
    async with running(adapter):
        await until(lambda: frame(101, b"") in device.data)
        for flags, warnings in ((0, ["WAITS FOR ARM"]), (1, [])):
            os.write(device.master, frame(101, struct.pack("<HHHIB", 0, 0, 0, flags, 0), b">"))
            await until(lambda wanted=warnings: adapter.status.warnings == wanted)


def test_answers_are_found_in_whatever_stands_around_them() -> None:
    wanted, answers = frame(101, b"0123456789", b">"), Answers()
    noise = b"$M>\x05" + frame(200, b"", b">") + b"$M$M>" + bytes(300)
    found = [answer for at in range(0, len(noise + wanted)) for answer in answers.take((noise + wanted)[at:at + 1])]
    assert found == [(200, b""), (0, b""), (101, b"0123456789")]  # Zeros are an answer to command 0.
    assert answers.take(bytes(100_000) + wanted) == [(101, b"0123456789")]


async def test_slcan_opens_the_bus_and_sends_the_frame_of_the_can_example(device: Device) -> None:
    async with running(Slcan(device.place, Options())) as driver:
        await until(lambda: b"t1208" in device.data)
        assert device.data.startswith(b"\rC\rS6\rO\rt1208")
        await driver.drive(0.3)
        newest = [word for word in device.data.split(b"\r") if word.startswith(b"t1208")][-1]
        flags, throttle, steering = struct.unpack(">xBhhxx", bytes.fromhex(newest[5:21].decode()))
        assert (flags, throttle, steering) == (4, 600, -250)
    await until(lambda: device.data.endswith(b"\rC\r"))
    newest = [word for word in device.data.split(b"\r") if word.startswith(b"t1208")][-1]
    assert struct.unpack(">xBhhxx", bytes.fromhex(newest[5:21].decode())) == (1, 0, 0)


ADAPTERS: dict[str, type[SerialAdapter]] = {"crsf": Crsf, "msp": Msp, "slcan": Slcan}


async def stalled(name: str, place: str, stand: Callable[[bool], None], got: Callable[[], bytes]) -> None:
    """Drives; the line takes nothing for 2 s, and the driver lets go in that time. At most the message that was under way is old."""
    async with running(ADAPTERS[name](place, Options())) as driver:
        await until(lambda: got())
        await driver.drive(0.5)
        assert throttles(name, got())[-1] == pytest.approx(0.6, abs=0.01)
        driver.telemetry()
        stand(True)
        await asyncio.sleep(0.06)  # The other side's thread may still be reading.
        before = len(got())
        await driver.drive(1)
        assert any("NO LINK" in told["warnings"] for told in driver.telemetry())  # type: ignore[operator]
        driver.let_go()
        await asyncio.sleep(1)
        driver.telemetry()
        stand(False)
        await until(lambda: driver.telemetry()[-1:] and throttles(name, got()[before:]))
        await asyncio.sleep(1.2)
        late = throttles(name, got()[before:])
        assert len([each for each in late if abs(each) > 0.01]) <= 3 and late[-1] == 0
        assert all(abs(each) < 0.01 for each in late[4:])
        driver.let_go()
        await driver.drive(0.3)
        assert throttles(name, got())[-1] == pytest.approx(0.6, abs=0.01)


@pytest.mark.parametrize("name", ADAPTERS)
async def test_a_terminal_that_takes_nothing_keeps_no_old_commands(name: str, device: Device) -> None:
    await stalled(name, device.place, lambda stands: setattr(device, "stands", stands), lambda: device.data)


@pytest.mark.parametrize("name", ADAPTERS)
async def test_a_line_that_takes_nothing_from_the_start_is_no_link(name: str) -> None:
    device = Device(stands=True)
    async with running(ADAPTERS[name](device.place, Options())) as driver:
        await driver.drive(1.5)
        told = driver.telemetry()
        assert told and all("NO LINK" in each["warnings"] for each in told)  # type: ignore[operator]
        driver.let_go()
        device.stands = False
        await asyncio.sleep(1.2)
        assert set(throttles(name, device.data)) == {0}
    device.unplug()


async def test_a_slow_reader_is_no_stalled_line() -> None:
    device = Device(stands=True)

    async def read_now_and_then() -> None:
        while True:
            device.stands = False
            await asyncio.sleep(0.005)
            device.stands = True
            await asyncio.sleep(0.04)

    task = asyncio.create_task(read_now_and_then())
    async with running(Crsf(device.place, Options())) as driver:
        await until(lambda: device.data)
        # There is no link until the first message is through.
        await driver.drive(0.3)
        driver.telemetry()
        await driver.drive(1.5)
        assert not any("NO LINK" in told["warnings"] for told in driver.telemetry())  # type: ignore[operator]
    task.cancel()
    device.unplug()


@pytest.mark.parametrize("name", ADAPTERS)
async def test_a_stick_that_is_pulled_and_plugged_in_again_needs_a_new_touch(name: str, tmp_path: Any) -> None:
    first, place = Device(), tmp_path / "ttyUSB0"
    place.symlink_to(first.place)
    async with running(ADAPTERS[name](str(place), Options())) as driver:
        await until(lambda: first.data)
        await driver.drive(0.3)
        first.unplug()
        place.unlink()
        driver.telemetry()
        await driver.drive(0.8)
        assert any("NO LINK" in told["warnings"] for told in driver.telemetry())  # type: ignore[operator]
        second = Device()
        place.symlink_to(second.place)
        await driver.drive(1)
        assert set(throttles(name, second.data)) == {0}
        driver.let_go()
        await driver.drive(0.3)
        assert throttles(name, second.data)[-1] == pytest.approx(0.6, abs=0.01)
    second.unplug()


async def test_a_stick_that_is_pulled_at_rest_is_no_link(device: Device) -> None:
    adapter = Slcan(device.place, Options())
    adapter.neutral_time = 0.1  # type: ignore[misc]
    async with running(adapter) as driver:
        await until(lambda: b"t1208" in device.data)
        await asyncio.sleep(0.4)
        driver.telemetry()
        device.unplug()
        await until(lambda: any("NO LINK" in told["warnings"] for told in driver.telemetry()), 1)  # type: ignore[operator]


class Server:
    """A flight controller at a TCP port that may stop reading."""

    def __init__(self, room: int = 2048, answers: bool = False) -> None:
        self.listener, self.answers = socket.socket(), answers
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.listener.settimeout(0.05)
        self.place = f"socket://127.0.0.1:{self.listener.getsockname()[1]}"
        self.data, self.stands, self.is_over = b"", False, False
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        peers: list[socket.socket] = []
        while not self.is_over:
            if self.stands:
                time.sleep(0.001)
                continue
            with contextlib.suppress(TimeoutError):
                peers.append(self.listener.accept()[0])
                peers[-1].settimeout(0.001)
            for peer in peers:
                with contextlib.suppress(OSError):
                    data = peer.recv(65536)
                    self.data += data
                    if self.answers:
                        peer.sendall(frame(200, b"", b">") * data.count(b"$M<\x10"))


async def test_tcp_of_a_flight_controller_ends_by_a_reset() -> None:
    server = Server()
    adapter = Msp(server.place, Options())
    async with running(adapter) as driver:
        await until(lambda: server.data)
        await driver.drive(0.3)
        assert throttles("msp", server.data)[-1] == pytest.approx(0.6, abs=0.01)
        # The bridge's machine has no way to send: the kernel says what is unacknowledged.
        server.stands = True
        filled = adapter.port._line
        assert filled is not None
        while filled.unsent() < 100_000:
            filled.write(bytes(10_000))
            await asyncio.sleep(0.01)
        await until(lambda: adapter.port._line is not filled, 2)
    server.is_over = True


@pytest.mark.parametrize("loses", [False, True])
async def test_a_flight_controller_that_answers_keeps_no_old_commands_while_it_stands(loses: bool) -> None:
    server = Server(1 << 20, answers=True)
    async with running(Msp(server.place, Options())) as driver:
        await until(lambda: server.data)
        await driver.drive(0.5)
        if loses:  # One answer that gets lost is no stalled link.
            server.answers = False
            await driver.drive(0.1)
            server.answers = True
        driver.telemetry()
        await driver.drive(0.5)
        assert throttles("msp", server.data)[-1] == pytest.approx(0.6, abs=0.01)
        assert not any("NO LINK" in told["warnings"] for told in driver.telemetry())  # type: ignore[operator]
        server.stands = True
        await asyncio.sleep(0.05)
        before = len(server.data)
        await driver.drive(1)
        assert any("NO LINK" in told["warnings"] for told in driver.telemetry())  # type: ignore[operator]
        driver.let_go()
        await asyncio.sleep(0.5)
        server.stands = False
        await asyncio.sleep(1)
        late = throttles("msp", server.data[before:])
        assert len([each for each in late if each]) <= 3 and late[-1] == 0
    server.is_over = True


class Partial(Line):
    """A line with room for five bytes at a time."""

    def __init__(self) -> None:
        self.out, self.inside = socket.socketpair()
        self.out.setblocking(False)
        super().__init__(self.out.fileno())


async def test_a_message_that_finds_little_room_goes_out_in_parts() -> None:
    made = Partial()
    made.out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    data = os.urandom(100_000)
    made.write(data)
    assert made.unsent(True) > 50_000
    got = b""
    while len(got) < len(data):
        got += made.inside.recv(65536)
        made.unsent()
    assert got == data
    made.close()


async def test_a_device_that_cannot_be_opened_is_a_link_error_in_words() -> None:
    for place, words in (("/dev/ttyNOWHERE", "No such file"), ("/dev/null", "ioctl"), ("socket://127.0.0.1:1", "refused")):
        with pytest.raises(LinkError, match=words) as caught:
            await SerialPort(place, 115_200).open()
        assert "Errno" not in str(caught.value)


async def test_a_kernel_that_waits_at_the_close_holds_up_nobody(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    port = SerialPort(device.place, 115_200)
    await port.open()
    assert isinstance(port._line, DeviceLine)
    monkeypatch.setattr(port._line._port, "close", lambda: time.sleep(5))
    started = time.monotonic()
    port.close()
    assert time.monotonic() - started < 0.1


@pytest.mark.parametrize("name", ADAPTERS)
def test_sigterm_ends_the_bridge_while_the_line_takes_nothing(name: str) -> None:
    device, driver = Device(), Driver()
    program = [sys.executable, "-m", "cockpit_bridge", f"fd:{driver.source.fileno()}", f"{name}:{device.place}"]
    process = subprocess.Popen(program, pass_fds=[driver.source.fileno()], stderr=subprocess.DEVNULL)
    asyncio.run(asyncio.wait_for(until(lambda: device.data), 5))
    asyncio.run(driver.drive(0.5))
    device.stands = True
    asyncio.run(driver.drive(1))
    process.send_signal(signal.SIGTERM)
    assert process.wait(7) == 1  # It drives, and could not be told to stop.
    device.unplug()

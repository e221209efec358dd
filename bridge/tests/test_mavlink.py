"""mavlink, with pymavlink as the vehicle."""

import asyncio
import contextlib
import os
import socket
import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from conftest import Driver, running, until
from pymavlink.dialects.v20 import ardupilotmega as mavlink

from cockpit_bridge.adapter import LinkError, Options
from cockpit_bridge.adapters.mavlink import AXES, Mavlink


class Vehicle:
    """An autopilot that sends heartbeats to the bridge and notes what it gets."""

    def __init__(self, port: int, system: int = 1, component: int = 1, kind: int = 10, autopilot: int = 3) -> None:
        self.codec = mavlink.MAVLink(None, srcSystem=system, srcComponent=component)
        self.kind, self.autopilot, self.mode = kind, autopilot, 128
        self.is_silent = False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.setblocking(False)
        self.bridge = ("127.0.0.1", port)
        self.got: list[Any] = []

    def say(self, message: Any) -> None:
        self.socket.sendto(message.pack(self.codec), self.bridge)

    async def live(self) -> None:
        while True:
            if not self.is_silent:
                self.say(self.codec.heartbeat_encode(self.kind, self.autopilot, self.mode, 0, 4))
            for _ in range(10):
                await asyncio.sleep(0.01)
                try:
                    while True:
                        self.got += self.codec.parse_buffer(self.socket.recv(2048)) or []
                except BlockingIOError:
                    pass

    def all(self, kind: str) -> list[Any]:
        return [message for message in self.got if message.get_type() == kind]


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


@pytest.mark.parametrize(("vehicle", "throttle", "steering", "axes"), [
    ("rover", 1000, -500, (0, -500, 1000, 0)), ("rover", -300, 0, (0, 0, -300, 0)), ("rover", 0, 0, (0, 0, 0, 0)),
    ("sub", 600, 250, (600, 0, 500, 250)), ("sub", 0, 0, (0, 0, 500, 0)),
    ("px4", 1000, -500, (1000, -500, 1000, 0)), ("px4", -1000, 0, (-1000, 0, 0, 0)), ("px4", 0, 0, (0, 0, 500, 0)),
])
def test_what_z_means_for_each_kind_of_vehicle(
    vehicle: str, throttle: int, steering: int, axes: tuple[int, int, int, int]
) -> None:
    assert AXES[vehicle](throttle, steering) == axes


def test_the_bytes_of_manual_control() -> None:
    codec = mavlink.MAVLink(None, srcSystem=255, srcComponent=190)
    codec.seq = 1
    neutral = codec.manual_control_encode(1, 0, 0, 0, 0, 0).pack(codec)
    assert neutral == bytes.fromhex("fd0b000001ffbe450000" + "00" * 10 + "01" + "d281")


async def test_a_rover_is_driven_reported_and_left_to_its_failsafe() -> None:
    port = free_port()
    adapter = Mavlink(f"127.0.0.1:{port}", Options())
    adapter.neutral_time = 0.3  # type: ignore[misc]
    vehicle = Vehicle(port)
    task = asyncio.create_task(vehicle.live())
    async with running(adapter) as driver:
        await until(lambda: vehicle.all("HEARTBEAT"))
        assert vehicle.all("HEARTBEAT")[0].type == 6
        await driver.drive(0.4)
        newest = vehicle.all("MANUAL_CONTROL")[-1]
        assert (newest.x, newest.y, newest.z, newest.r, newest.target) == (0, -250, 600, 0, 1)
        codec = vehicle.codec
        vehicle.say(codec.vfr_hud_encode(0, 2.5, 0, 0, 0, 0))
        vehicle.say(codec.sys_status_encode(0, 0, 0, 0, 11000, 0, 71, 0, 0, 0, 0, 0, 0))
        vehicle.say(codec.statustext_encode(4, b"EKF variance"))
        vehicle.say(codec.param_value_encode(b"RC_OVERRIDE_TIME", 3.0, 9, 1, 0))
        # A companion computer's heartbeat is not the autopilot's.
        companion = mavlink.MAVLink(None, srcSystem=7, srcComponent=191)
        vehicle.socket.sendto(companion.heartbeat_encode(18, 8, 128, 0, 4).pack(companion), vehicle.bridge)
        await driver.drive(0.2)
        told = driver.telemetry()[-1]
        assert told["speed"] == pytest.approx(9) and told["battery"] == pytest.approx(0.71)
        assert told["warnings"] == ["DRIVES ON 3.0 S WITHOUT US", "EKF variance"]
        assert vehicle.all("MANUAL_CONTROL")[-1].target == 1
        driver.let_go()
        await asyncio.sleep(0.6)
        assert vehicle.all("MANUAL_CONTROL")[-1].z == 0
        count, beats = len(vehicle.all("MANUAL_CONTROL")), len(vehicle.all("HEARTBEAT"))
        await asyncio.sleep(1.2)
        assert len(vehicle.all("MANUAL_CONTROL")) == count and len(vehicle.all("HEARTBEAT")) > beats
    task.cancel()


@contextlib.asynccontextmanager
async def living(*vehicles: Vehicle) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(vehicle.live()) for vehicle in vehicles]
    yield
    for task in tasks:
        task.cancel()


def driving(vehicle: Vehicle) -> list[Any]:
    return [message for message in vehicle.all("MANUAL_CONTROL") if message.z]


def warnings(driver: Driver) -> list[str]:
    return [text for told in driver.telemetry() for text in told["warnings"]]  # type: ignore[attr-defined]


async def test_nobody_is_no_link_until_a_vehicle_speaks() -> None:
    port = free_port()
    async with running(Mavlink(str(port), Options())) as driver:
        await driver.drive(1.5)
        told = driver.telemetry()
        assert told and all("NO LINK" in each["warnings"] for each in told)  # type: ignore[operator]
        vehicle = Vehicle(port)
        async with living(vehicle):
            await until(lambda: vehicle.all("MANUAL_CONTROL"))
            driver.let_go()
            await driver.drive(0.3)
            assert driving(vehicle)
            driver.telemetry()
            await driver.drive(0.3)
            assert "NO LINK" not in warnings(driver)


def test_without_a_host_it_listens_on_this_machine_only() -> None:
    with Mavlink(str(free_port()), Options())._bind() as made:
        assert made.getsockname()[0] == "127.0.0.1"


async def test_a_vehicle_that_is_silent_for_three_seconds_is_no_link_and_needs_a_new_touch() -> None:
    port = free_port()
    vehicle = Vehicle(port)
    async with living(vehicle), running(Mavlink(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: vehicle.got)
        await driver.drive(0.3)
        assert driving(vehicle)
        vehicle.is_silent = True
        await driver.drive(2.5)
        assert "NO LINK" not in warnings(driver)
        await driver.drive(1)
        assert "NO LINK" in warnings(driver)
        await asyncio.sleep(0.15)
        assert vehicle.all("MANUAL_CONTROL")[-1].z == 0
        count = len(driving(vehicle))
        vehicle.is_silent = False
        await driver.drive(1.2)
        assert len(driving(vehicle)) == count
        driver.let_go()
        await driver.drive(0.3)
        assert len(driving(vehicle)) > count


async def test_the_first_vehicle_is_kept_and_another_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    first, second = Vehicle(port), Vehicle(port, system=2)
    async with living(first), running(Mavlink(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: first.got)
        async with living(second):
            await driver.drive(1)
            assert driving(first) and not second.got
            assert "VEHICLE 2 IGNORED" in warnings(driver)
            # Reports of the other are nobody's.
            second.say(second.codec.vfr_hud_encode(0, 9.0, 0, 0, 0, 0))
            await driver.drive(0.2)
            assert "speed" not in driver.telemetry()[-1]
            # It becomes the vehicle when the first is gone; that one is told to stop before.
            first.is_silent = True
            await driver.drive(4)
            await asyncio.sleep(0.2)
            assert first.all("MANUAL_CONTROL")[-1].z == 0 and not driving(second)
            driver.let_go()
            await driver.drive(0.3)
            assert driving(second)
    assert capsys.readouterr().err.count("VEHICLE 2 IGNORED") == 1


@pytest.mark.parametrize("other", [
    {"system": 250, "kind": 6, "autopilot": 8}, {"kind": 6, "autopilot": 3}, {"kind": 26, "autopilot": 0}, {"kind": 27, "autopilot": 8},
    {"component": 191, "kind": 18, "autopilot": 8}, {"component": 154, "kind": 26, "autopilot": 3}, {"system": 0}])
async def test_what_is_no_autopilot_gets_nothing(other: dict[str, int]) -> None:
    port = free_port()
    vehicle, foreign = Vehicle(port), Vehicle(port, **other)
    async with living(foreign), running(Mavlink(f"127.0.0.1:{port}", Options())) as driver:
        await asyncio.sleep(0.7)
        assert not foreign.got and "NO LINK" in warnings(driver)
        async with living(vehicle):
            await until(lambda: vehicle.got)
            driver.let_go()
            await driver.drive(0.4)
            assert driving(vehicle) and not foreign.got


async def test_one_foreign_heartbeat_takes_nothing_away() -> None:
    port = free_port()
    vehicle, thief = Vehicle(port), Vehicle(port)
    async with living(vehicle), running(Mavlink(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: vehicle.got)
        await driver.drive(0.2)
        thief.say(thief.codec.heartbeat_encode(10, 3, 128, 0, 4))
        before = len(driving(vehicle))
        await driver.drive(0.5)
        assert len(driving(vehicle)) > before + 5
        with pytest.raises(BlockingIOError):
            thief.socket.recv(100)
        assert "VEHICLE 1 SPEAKS TWICE" in warnings(driver)


async def test_the_vehicle_and_our_own_id_can_be_chosen() -> None:
    port = free_port()
    first, second = Vehicle(port), Vehicle(port, system=2)
    async with living(first, second), running(Mavlink(f"127.0.0.1:{port}", Options(system=2, own_id=252))) as driver:
        await until(lambda: second.got)
        await driver.drive(0.3)
        assert driving(second)[-1].target == 2 and not first.got
        assert {message.get_srcSystem() for message in second.got} == {252}
        assert {message.type for message in second.all("HEARTBEAT")} == {6}
        for name in (b"SYSID_MYGCS", b"MAV_GCS_SYSID"):
            second.say(second.codec.param_value_encode(name, 255, 9, 1, 0))
        await driver.drive(0.2)
        assert "OBEYS --own-id 255 ONLY" in warnings(driver)


async def test_a_vehicle_that_is_not_armed_waits_for_it() -> None:
    port = free_port()
    vehicle = Vehicle(port)
    vehicle.mode = 0
    adapter = Mavlink(f"127.0.0.1:{port}", Options())
    async with living(vehicle), running(adapter) as driver:
        await until(lambda: vehicle.got)
        await driver.drive(0.2)
        assert driver.telemetry()[-1]["warnings"] == ["WAITS FOR ARM"]
        vehicle.mode = 128
        await driver.drive(0.3)
        assert driver.telemetry()[-1]["warnings"] == []


@pytest.mark.parametrize("kind", ["garbage", "messages", "heartbeats", "beginnings"])
async def test_a_flood_does_not_hold_up_the_stop(kind: str) -> None:
    port = free_port()
    vehicle = Vehicle(port)
    codec, ends = mavlink.MAVLink(None, srcSystem=9, srcComponent=1), threading.Event()
    data = {
        "garbage": os.urandom(1400), "messages": codec.vfr_hud_encode(0, 1, 0, 0, 0, 0).pack(codec) * 20,
        "heartbeats": codec.heartbeat_encode(10, 3, 0, 0, 4).pack(codec), "beginnings": b"\xfd\xff\0\0\0\1\1\0\0\0"}[kind]

    def flood() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
            while not ends.is_set():
                for _ in range(50):
                    made.sendto(data, ("127.0.0.1", port))
                time.sleep(0.001)

    async with living(vehicle), running(Mavlink(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: vehicle.got)
        await driver.drive(0.2)
        threading.Thread(target=flood, daemon=True).start()
        await driver.drive(0.5)
        driver.let_go()
        stopped = time.monotonic()
        await until(lambda: vehicle.all("MANUAL_CONTROL")[-1].z == 0, 1)
        assert time.monotonic() - stopped < 0.6
        ends.set()


def test_no_datagram_raises() -> None:
    adapter = Mavlink("14550", Options())
    codec, peer = mavlink.MAVLink(None, srcSystem=1, srcComponent=1), ("127.0.0.1", 1)
    for number in range(3000):
        body = bytearray(codec.heartbeat_encode(10, 3, 0, 0, 4).pack(codec) + codec.statustext_encode(2, os.urandom(50)).pack(codec))
        body[number % len(body)] ^= 1 << number % 8
        for message in adapter._parsed(bytes(body) if number % 2 else os.urandom(300), (*peer, number % 40)):
            adapter._take(message, peer)
    assert len(adapter._parsers) <= 17


async def test_ipv6_and_a_port_that_is_taken() -> None:
    adapter = Mavlink(f"[::1]:{free_port()}", Options())
    with pytest.raises(LinkError, match="no vehicle has spoken"):
        await adapter.connect()
    assert adapter._socket is not None
    taken = Mavlink(str(adapter._address), Options())
    with pytest.raises(LinkError, match="in use"):
        await taken.connect()
    await adapter.close()
    # Of those who may hear it, only this machine does unless asked otherwise.
    with pytest.raises(LinkError, match="mavlink:0.0.0.0:"):
        await Mavlink(str(free_port()), Options()).connect()


@pytest.mark.parametrize("data", [
    os.urandom(1400), b"\xfd\xff\0\0\0\1\1\0\0\0", mavlink.MAVLink(None).vfr_hud_encode(0, 1, 0, 0, 0, 0).pack(mavlink.MAVLink(None))])
def test_a_sender_that_is_faster_than_we_read_gets_a_bounded_time(data: bytes) -> None:
    class Endless:
        def recvfrom(self, size: int) -> tuple[bytes, tuple[str, int]]:
            return data[:size], ("127.0.0.1", 1)

    adapter = Mavlink("14550", Options())
    adapter._socket = Endless()  # type: ignore[assignment]
    started = time.monotonic()
    for _ in range(10):
        adapter._read()
    assert time.monotonic() - started < 1

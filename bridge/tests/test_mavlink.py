"""mavlink, with pymavlink as the vehicle."""

import asyncio
import socket
from typing import Any

import pytest
from conftest import running, until
from pymavlink.dialects.v20 import ardupilotmega as mavlink

from cockpit_bridge.adapter import Options
from cockpit_bridge.adapters.mavlink import AXES, Mavlink


class Vehicle:
    """An autopilot that sends heartbeats to the bridge and notes what it gets."""

    def __init__(self, port: int) -> None:
        self.codec = mavlink.MAVLink(None, srcSystem=1, srcComponent=1)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.setblocking(False)
        self.bridge = ("127.0.0.1", port)
        self.got: list[Any] = []

    def say(self, message: Any) -> None:
        self.socket.sendto(message.pack(self.codec), self.bridge)

    async def live(self) -> None:
        while True:
            self.say(self.codec.heartbeat_encode(10, 3, 0, 0, 4))
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

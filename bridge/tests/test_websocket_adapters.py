"""donkey, rosbridge and foxglove against servers that behave as theirs do."""

import asyncio
import contextlib
import math
import struct
import time
from collections.abc import AsyncIterator

import pytest
from conftest import Driver, running, until
from peers import DonkeyCar, FoxgloveServer, RosbridgeServer, server

from cockpit_bridge.adapter import LinkError, Options, Status
from cockpit_bridge.adapters.donkey import Donkey
from cockpit_bridge.adapters.foxglove import Foxglove, twist_stamped
from cockpit_bridge.adapters.rosbridge import Rosbridge
from cockpit_bridge.reports import note_ros


async def test_donkey_gets_its_keys_and_at_the_end_neutral_at_least_five_times() -> None:
    car = DonkeyCar()
    async with server(car) as port:
        async with running(Donkey(f"127.0.0.1:{port}", Options())) as driver:
            await until(lambda: car.texts)
            await driver.drive(0.3)
            assert car.throttle == 0.6 and car.angle == -0.25
            # Recording is the driver's: the car keeps what the message does not name.
            assert all(set(text) == {"angle", "throttle", "drive_mode"} for text in car.texts)
            count = len(car.texts)
        assert car.throttle == 0 and car.angle == 0
        assert sum(text["throttle"] == 0 for text in car.texts[count:]) >= 5


async def test_donkey_stops_within_200_ms_of_the_drivers_death() -> None:
    car = DonkeyCar()
    async with server(car) as port, running(Donkey(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: car.texts)
        for _ in range(10):
            driver.let_go()
            await driver.drive(0.2)
            assert car.throttle == 0.6
            silent = time.monotonic()
            await until(lambda: car.throttle == 0)
            assert time.monotonic() - silent < 0.25


async def test_rosbridge_advertises_a_queue_of_one_and_leaves_the_stamp_to_the_bridge() -> None:
    ros = RosbridgeServer()
    async with server(ros) as port:
        async with running(Rosbridge(f"127.0.0.1:{port}", Options(max_speed=2, max_turn=3))) as driver:
            await until(lambda: ros.published)
            await driver.drive(0.3)
            assert ros.operations[1] == {
                "op": "advertise", "topic": "/cmd_vel", "type": "geometry_msgs/msg/TwistStamped", "queue_size": 1}
            newest = ros.published[-1]
            assert newest["queue_size"] == 1 and newest["msg"]["header"] == {"frame_id": ""}
            assert newest["msg"]["twist"]["linear"]["x"] == pytest.approx(1.2)
            # Right is negative in ROS, and a car turns as fast as it goes.
            assert newest["msg"]["twist"]["angular"]["z"] == pytest.approx(0.45)


async def test_rosbridge_has_read_the_last_neutral_message_before_the_connection_closes() -> None:
    ros = RosbridgeServer(delay=0.3)
    async with server(ros) as port:
        async with running(Rosbridge(f"127.0.0.1:{port}", Options())) as driver:
            await until(lambda: ros.operations)
            await driver.drive(0.7)
        assert ros.published[-1]["msg"]["twist"]["linear"]["x"] == 0
        assert ros.silence > 0.45


async def test_rosbridge_reads_speed_and_battery_on_a_connection_of_its_own() -> None:
    ros = RosbridgeServer()
    ros.speed = 2.0
    async with server(ros) as port:
        adapter = Rosbridge(f"127.0.0.1:{port}", Options(speed_topic="/odom", battery_topic="/battery"))
        async with running(adapter) as driver:
            await until(lambda: adapter.status.speed == 7.2 and adapter.status.battery == 0.75)
            assert any(message.get("speed") == 7.2 for message in driver.telemetry())


def test_the_bytes_of_a_twist_stamped() -> None:
    wanted = "00010000 04030201 0d0c0b0a 01000000 00000000 000000000000f83f" + "00" * 32 + "000000000000d03f"
    assert twist_stamped(1.5, 0.25, (0x01020304, 0x0A0B0C0D)) == bytes.fromhex(wanted)
    assert len(twist_stamped(0, 0)) == 68


@contextlib.asynccontextmanager
async def driving_foxglove(ros: FoxgloveServer) -> AsyncIterator[Driver]:
    """The driver of an adapter that has advertised its channel to `ros`."""
    async with server(ros, ["foxglove.sdk.v1"]) as port:
        async with running(Foxglove(f"127.0.0.1:{port}", Options())) as driver:
            await until(lambda: ros.channels)
            yield driver


async def test_foxglove_advertises_publishes_with_a_zero_stamp_and_unadvertises() -> None:
    ros = FoxgloveServer()
    async with driving_foxglove(ros) as driver:
        await driver.drive(0.3)
        assert ros.channels[1]["encoding"] == "cdr"
        assert ros.messages[-1] == twist_stamped(0.6, 0.15)
        assert struct.unpack_from("<II", ros.messages[-1], 4) == (0, 0)
    assert ros.messages[-1] == twist_stamped(0, 0)
    assert ros.operations[-1] == "unadvertise"


def odometry(speed: float, frame: bytes = b"odom", order: str = "<") -> bytes:
    """nav_msgs/msg/Odometry in CDR: stamp, two strings, a pose and a twist with their covariances."""
    data = bytearray(b"\x00\x01\x00\x00" if order == "<" else bytes(4)) + bytes(8)
    for text in (frame, b"base_link"):
        data += bytes(-len(data) % 4) + struct.pack(order + "I", len(text) + 1) + text + b"\x00"
    data += bytes((4 - len(data)) % 8) + struct.pack(order + "43d", *range(43))
    return bytes(data + struct.pack(order + "42d", speed, *range(41)))


def battery_state(part: float) -> bytes:
    """sensor_msgs/msg/BatteryState in CDR, up to the percentage, with an empty frame_id."""
    return b"\x00\x01\x00\x00" + bytes(8) + b"\x01\x00\x00\x00\x00" + bytes(3) + struct.pack("<7f", 11, 20, 1, 2, 3, 4, part)


def test_ros_messages_tell_speed_and_charge_whatever_their_strings_and_byte_order() -> None:
    for frame in (b"", b"o", b"odo", b"odom", b"odometry"):
        for order in "<>":
            status = Status()
            assert note_ros("nav_msgs/msg/Odometry", odometry(2.5, frame, order), status) and status.speed == 9.0
    status = Status()
    assert note_ros("geometry_msgs/msg/TwistStamped", twist_stamped(-1.5, 0.25), status) and status.speed == pytest.approx(-5.4)
    assert note_ros("sensor_msgs/msg/BatteryState", battery_state(0.5), status) and status.battery == 0.5


def test_a_ros_message_that_is_cut_off_or_no_number_changes_nothing() -> None:
    status = Status()
    for kind, message in [
        ("Odometry", odometry(1)[:300]), ("Odometry", b""), ("BatteryState", battery_state(math.nan)), ("Imu", odometry(1)),
        ("Odometry", {"twist": None}), ("BatteryState", {"percentage": "full"}),
    ]:
        assert not note_ros(kind, message, status)
    assert (status.speed, status.battery) == (None, None)


async def test_foxglove_reads_speed_and_battery_on_a_connection_of_their_own() -> None:
    ros = FoxgloveServer()
    ros.offers = [
        ({"id": 1, "topic": "/odom", "encoding": "cdr", "schemaName": "nav_msgs/msg/Odometry"}, odometry(2)),
        ({"id": 2, "topic": "/other", "encoding": "cdr", "schemaName": "nav_msgs/msg/Odometry"}, odometry(5)),
        ({"id": 3, "topic": "/battery", "encoding": "json", "schemaName": "sensor_msgs/msg/BatteryState"}, b'{"percentage": 0.5}'),
    ]
    async with server(ros, ["foxglove.sdk.v1"]) as port:
        adapter = Foxglove(f"127.0.0.1:{port}", Options(speed_topic="/odom", battery_topic="/battery"))
        async with running(adapter) as driver:
            await until(lambda: adapter.status.speed == 7.2 and adapter.status.battery == 0.5)
            await driver.drive(0.1)
            assert any(told.get("speed") == 7.2 and told.get("battery") == 0.5 for told in driver.telemetry())
        assert ros.subscribers and ros.publishers and not ros.subscribers & ros.publishers


async def test_foxglove_is_silent_after_a_second_of_neutral_since_an_arbiter_needs_it() -> None:
    ros = FoxgloveServer()
    async with driving_foxglove(ros) as driver:
        await driver.drive(0.1)
        driver.let_go()
        await asyncio.sleep(1.3)
        count = len(ros.messages)
        await asyncio.sleep(0.3)
        assert len(ros.messages) == count


async def test_foxglove_that_takes_no_messages_is_refused_in_words() -> None:
    async with server(FoxgloveServer(("parameters",)), ["foxglove.sdk.v1"]) as port:
        with pytest.raises(LinkError, match="clientPublish"):
            await Foxglove(f"127.0.0.1:{port}", Options()).connect()

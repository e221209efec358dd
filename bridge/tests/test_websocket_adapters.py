"""donkey, rosbridge and foxglove against servers that behave as theirs do."""

import asyncio
import struct
import time

import pytest
from conftest import running, until
from peers import DonkeyCar, FoxgloveServer, RosbridgeServer, server

from cockpit_bridge.adapter import LinkError, Options
from cockpit_bridge.adapters.donkey import Donkey
from cockpit_bridge.adapters.foxglove import Foxglove, twist_stamped
from cockpit_bridge.adapters.rosbridge import Rosbridge


def test_donkey_gets_all_keys_and_at_the_end_neutral_at_least_five_times() -> None:
    async def run() -> None:
        car = DonkeyCar()
        async with server(car) as port:
            async with running(Donkey(f"127.0.0.1:{port}", Options())) as driver:
                await until(lambda: car.texts)
                await driver.drive(0.3)
                assert car.throttle == 0.6 and car.angle == -0.25
                assert all(set(text) == {"angle", "throttle", "drive_mode", "recording"} for text in car.texts)
                count = len(car.texts)
            assert car.throttle == 0 and car.angle == 0
            assert sum(text["throttle"] == 0 for text in car.texts[count:]) >= 5

    asyncio.run(run())


def test_donkey_stops_within_200_ms_of_the_drivers_death() -> None:
    async def run() -> None:
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

    asyncio.run(run())


def test_rosbridge_advertises_a_queue_of_one_and_leaves_the_stamp_to_the_bridge() -> None:
    async def run() -> None:
        ros = RosbridgeServer()
        async with server(ros) as port:
            async with running(Rosbridge(f"127.0.0.1:{port}", Options(max_speed=2, max_turn=3))) as driver:
                await until(lambda: ros.operations)
                await driver.drive(0.3)
                assert ros.operations[0] == {
                    "op": "advertise", "topic": "/cmd_vel", "type": "geometry_msgs/msg/TwistStamped", "queue_size": 1}
                newest = ros.published[-1]
                assert newest["queue_size"] == 1 and newest["msg"]["header"] == {"frame_id": ""}
                assert newest["msg"]["twist"]["linear"]["x"] == pytest.approx(1.2)
                # Right is negative in ROS.
                assert newest["msg"]["twist"]["angular"]["z"] == pytest.approx(0.75)

    asyncio.run(run())


def test_rosbridge_has_read_the_last_neutral_message_before_the_connection_closes() -> None:
    async def run() -> None:
        ros = RosbridgeServer(delay=0.3)
        async with server(ros) as port:
            async with running(Rosbridge(f"127.0.0.1:{port}", Options())) as driver:
                await until(lambda: ros.operations)
                await driver.drive(0.7)
            assert ros.published[-1]["msg"]["twist"]["linear"]["x"] == 0

    asyncio.run(run())


def test_rosbridge_reads_the_speed_on_a_connection_of_its_own() -> None:
    async def run() -> None:
        ros = RosbridgeServer()
        ros.speed = 2.0
        async with server(ros) as port:
            adapter = Rosbridge(f"127.0.0.1:{port}", Options(speed_topic="/odom"))
            async with running(adapter) as driver:
                await until(lambda: adapter.status.speed == 7.2)
                assert any(message.get("speed") == 7.2 for message in driver.telemetry())

    asyncio.run(run())


def test_the_bytes_of_a_twist_stamped() -> None:
    wanted = "00010000 04030201 0d0c0b0a 01000000 00000000 000000000000f83f" + "00" * 32 + "000000000000d03f"
    assert twist_stamped(1.5, 0.25, (0x01020304, 0x0A0B0C0D)) == bytes.fromhex(wanted)
    assert len(twist_stamped(0, 0)) == 68


def test_foxglove_advertises_publishes_with_a_zero_stamp_and_unadvertises() -> None:
    async def run() -> None:
        ros = FoxgloveServer()
        async with server(ros, ["foxglove.sdk.v1"]) as port:
            async with running(Foxglove(f"127.0.0.1:{port}", Options())) as driver:
                await until(lambda: ros.channels)
                await driver.drive(0.3)
                assert ros.channels[1]["encoding"] == "cdr"
                assert ros.messages[-1] == twist_stamped(0.6, 0.25)
                assert struct.unpack_from("<II", ros.messages[-1], 4) == (0, 0)
            assert ros.messages[-1] == twist_stamped(0, 0)
            assert ros.operations[-1] == "unadvertise"

    asyncio.run(run())


def test_foxglove_is_silent_after_a_second_of_neutral_since_an_arbiter_needs_it() -> None:
    async def run() -> None:
        ros = FoxgloveServer()
        async with server(ros, ["foxglove.sdk.v1"]) as port:
            async with running(Foxglove(f"127.0.0.1:{port}", Options())) as driver:
                await until(lambda: ros.channels)
                await driver.drive(0.1)
                driver.let_go()
                await asyncio.sleep(1.3)
                count = len(ros.messages)
                await asyncio.sleep(0.3)
                assert len(ros.messages) == count

    asyncio.run(run())


def test_foxglove_that_takes_no_messages_is_refused_in_words() -> None:
    async def run() -> None:
        async with server(FoxgloveServer(("parameters",)), ["foxglove.sdk.v1"]) as port:
            with pytest.raises(LinkError, match="clientPublish"):
                await Foxglove(f"127.0.0.1:{port}", Options()).connect()

    asyncio.run(run())

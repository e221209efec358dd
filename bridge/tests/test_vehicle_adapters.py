"""What each adapter makes of a vehicle file: the numbers of the hardware, channels, arm and mode, and what it refuses at the start."""

import asyncio
import hashlib
import json
import os
import random
import re
import struct
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import can
import pytest
from conftest import Driver, line, ready, safe, until
from peers import DonkeyCar, FoxgloveServer, RosbridgeServer, server
from test_can import Interface
from test_mavlink import Vehicle, free_port, living
from test_serial_adapters import Device
from test_uinput import CODES
from test_uinput import Device as Events

from cockpit_bridge.adapter import Adapter, Options
from cockpit_bridge.adapters import mqtt
from cockpit_bridge.adapters.can import Can
from cockpit_bridge.adapters.can_frame import extras_data
from cockpit_bridge.adapters.crsf import Crsf, channels, position
from cockpit_bridge.adapters.donkey import Donkey
from cockpit_bridge.adapters.foxglove import Foxglove
from cockpit_bridge.adapters.mavlink import Mavlink
from cockpit_bridge.adapters.mavlink_orders import Orders
from cockpit_bridge.adapters.mqtt import Mqtt
from cockpit_bridge.adapters.msp import Msp, frame
from cockpit_bridge.adapters.rosbridge import Rosbridge
from cockpit_bridge.adapters.slcan import Slcan
from cockpit_bridge.bridge import Bridge
from cockpit_bridge.extras import Extras
from cockpit_bridge.lease import LONGEST, NEUTRAL, Command, parse
from cockpit_bridge.source import BadPlace
from cockpit_bridge.vehicle import Vehicle as File
from cockpit_bridge.vehicle import parse as read_file


def file(**fields: Any) -> File:
    return read_file(json.dumps({"version": 1, "name": "x"} | fields))


def lamps(*outputs: Any) -> dict[str, Any]:
    """A switch, an axis and a button, with these outputs."""
    kinds = {
        "lights": {"kind": "switch", "off": -1, "on": 1}, "pan": {"kind": "axis"}, "winch": {"kind": "momentary", "off": 0, "on": 1}}
    return {name: fields | {"output": output} for (name, fields), output in zip(kinds.items(), outputs, strict=False)}


def made(name: type[Adapter], vehicle: File, place: str = "/dev/null", autopilot: str = "rover") -> Adapter:
    return name(place, Options(vehicle=autopilot, vehicle_file=vehicle))


class Hands(Driver):
    """A driver who says channels, arm and mode too. The rate that he names lets a line hold for half a second."""

    def say_all(self, text: bytes, **fields: Any) -> None:
        self.sequence += 1
        self.mine.send(json.dumps(json.loads(text) | {"seq": self.sequence, "rate": 6} | fields).encode() + b"\n")

    async def rest(self, seconds: float = 0.1, **fields: Any) -> None:
        """Lines at rest, 30 a second."""
        for _ in range(max(round(seconds * 30), 1)):
            self.say_all(ready(1), **fields)
            await asyncio.sleep(1 / 30)


    async def rest_until(self, condition: Callable[[], object], **fields: Any) -> None:
        async with asyncio.timeout(5):
            while not condition():
                await self.rest(0, **fields)


class running:
    """A bridge to `adapter` with the file of its options."""

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter

    async def __aenter__(self) -> Hands:
        self.driver = Hands()
        bridge = Bridge(self.driver.source, self.adapter, extras=Extras(self.adapter.options.vehicle_file))
        self.task = asyncio.create_task(bridge.run())
        return self.driver

    async def __aexit__(self, *_: object) -> None:
        self.driver.end()
        await asyncio.wait_for(self.task, 10)
        os.close(self.driver.source.fileno())


@pytest.fixture
def device() -> Iterator[Device]:
    found = Device()
    yield found
    found.unplug()


# What is refused at the start.


@pytest.mark.parametrize(("adapter", "place", "fields", "words"), [
    (Crsf, "/dev/null", {"channels": lamps(2)},
     'the channel "lights": output 2: the channels of crsf are 6 to 16; steering and throttle have those below'),
    (Crsf, "/dev/null", {"channels": lamps(17)}, "6 to 16"), (Crsf, "/dev/null", {"channels": lamps("7")}, "numbers, 6 to 16, without quotes"),
    (Crsf, "/dev/null", {"arm": {"output": 4}}, "5 to 16"),
    (Crsf, "/dev/null", {"channels": lamps(5)}, "for arm only"), (Crsf, "/dev/null", {"channels": lamps(7, 7)}, "is taken by lights"),
    (Crsf, "/dev/null", {"mode": {"start": "a", "values": {"a": 0, "b": 2}, "output": 7}}, "positions here, -1 to 1"),
    (Msp, "/dev/null", {"channels": lamps(3)}, "the channels of msp are 6 to 18"), (Msp, "/dev/null", {"arm": {"output": 19}}, "5 to 18"),
    (Can, "can0", {"channels": lamps(9)}, "the bytes of frame 0x121 are 1 to 8"), (Slcan, "/dev/null", {"channels": lamps(0)}, "1 to 8"),
    (Can, "can0", {"channels": lamps(2), "mode": {"start": "a", "values": {"a": 0, "z": 1}, "output": 2}}, "is taken by lights"),
    (Can, "can0", {"mode": {"start": "a", "values": {"a": 128, "z": 1}, "output": 2}}, "0 to 127"),
    (Mavlink, "14550", {"channels": lamps(4)}, "the channels of a rover are 5 to 16"),
    (Mavlink, "14550", {"arm": {"output": 5}}, "arm is a command of MAVLink"), (Mavlink, "14550", {"steering": {"centre": 0.1}}, "would turn at rest"),
    (Mqtt, "localhost", {"channels": lamps(1)}, "leave the output out"), (Mqtt, "localhost", {"throttle": {"centre": 0.1}}, "drive messages"),
    (Mqtt, "localhost", {"steering": {"centre": 0.1}}, "straight at rest"),
    (Donkey, "localhost", {"channels": lamps("w1")}, "takes a momentary"), (Donkey, "localhost", {"arm": {"output": "w1"}}, "takes a momentary"),
    (Donkey, "localhost", {"channels": lamps("drive_mode")}, "w1 to w5"), (Donkey, "localhost", {"throttle": {"centre": 0.1}}, "would drive"),
    (Rosbridge, "localhost", {"channels": lamps("/cmd_vel")}, "is taken by the drive itself"),
    (Rosbridge, "localhost", {"channels": lamps("pan")}, "a topic here"), (Foxglove, "localhost", {"channels": lamps(6)}, "a topic here"),
    (Foxglove, "localhost", {"channels": lamps("/a", "/a")}, "is taken by lights"), (Foxglove, "localhost", {"throttle": {"centre": 0.1}}, "would drive"),
    (Can, "can0", {"throttle": {"centre": 0.1}}, "would drive")])
def test_an_output_that_cannot_be_is_an_error_in_words(adapter: type[Adapter], place: str, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadPlace, match=f"^the vehicle file: .*{re.escape(words)}"):
        made(adapter, file(**fields), place)


def test_the_channels_of_a_sub_and_of_px4_are_those_that_manual_control_leaves_free() -> None:
    for autopilot, good, bad in (("sub", 12, 11), ("px4", 6, 7), ("rover", 16, 17)):
        made(Mavlink, file(channels=lamps(good)), "14550", autopilot)
        with pytest.raises(BadPlace):
            made(Mavlink, file(channels=lamps(bad)), "14550", autopilot)


class Plain(Adapter):
    """One of somebody's own."""

    async def connect(self) -> None: ...

    async def send(self, command: Command) -> None: ...


def test_an_adapter_of_ones_own_gets_channels_without_outputs_only() -> None:
    vehicle = file(channels={"lights": {"kind": "switch", "off": -1, "on": 1}}, arm={}, mode={"start": "a", "values": {"a": 1, "b": 2}})
    assert made(Plain, vehicle).passed_on() == "not passed on to this receiver: arm, mode, lights"
    assert made(Mqtt, vehicle, "localhost").passed_on() == "arm, mode, lights"
    with pytest.raises(BadPlace, match="no outputs"):
        made(Plain, file(channels=lamps(6)))
    assert made(Crsf, file(channels=lamps(6), arm={})).passed_on() == "lights on 6; not passed on to this receiver: arm; no horn, which had 6"


# Serial lines.


async def test_crsf_has_the_numbers_of_the_hardware_the_channels_and_arm(device: Device) -> None:
    vehicle = file(
        steering={"invert": True, "left": 0.5, "centre": 0.1}, throttle={"forward": 0.5, "centre": -0.1}, channels=lamps(6, 7, 16), arm={"output": 5},
        mode={"start": "slow", "values": {"slow": -1, "fast": 1}, "output": 8})

    def frame_of(steering: float, throttle: float, arm: int, *, lights: float = -1, pan: float = 0, winch: float = 0, mode: float = -1) -> bytes:
        values = [position(steering), position(throttle), 992, 992, arm, position(lights), position(pan), position(mode)]
        return channels(values + [992] * 7 + [position(winch)])

    async with running(made(Crsf, vehicle, device.place)) as driver:
        await until(lambda: frame_of(0.1, -0.1, 172) in device.data)
        await driver.rest(arm=False)
        await driver.rest(arm=True, channels={"lights": 1, "pan": 0.5, "winch": 0}, mode="slow")
        await until(lambda: device.data.endswith(frame_of(0.1, -0.1, 1811, lights=1)))
        await driver.rest(arm=True, channels={"lights": 1, "pan": 0, "winch": 0}, mode="fast")
        await driver.rest(arm=True, channels={"lights": 1, "pan": 0.5, "winch": 1}, mode="fast")
        await until(lambda: device.data.endswith(frame_of(0.1, -0.1, 1811, lights=1, pan=0.5, winch=1, mode=1)))
        driver.say_all(line(1, 1.0, -1.0), arm=True, channels={"lights": 1, "pan": 0.5, "winch": 0}, mode="fast")
        await until(lambda: frame_of(1.0, 0.5, 1811, lights=1, pan=0.5, mode=1) in device.data)
        # The lease runs out: what is safe, and the file keeps it armed while neutral is repeated.
        await until(lambda: device.data.endswith(frame_of(0.1, -0.1, 1811, lights=1, mode=1)))
        driver.say_all(safe(1, "emergency-stop"), arm=True, mode="fast")
        await until(lambda: device.data.endswith(frame_of(0.1, -0.1, 172, lights=1)))
        await driver.rest(arm=False, mode="fast")
    await until(lambda: device.data.endswith(frame_of(0.1, -0.1, 172, lights=1)))
    assert set(device.data[9::26]) and device.data.count(b"\xc8\x18\x16") >= 20


async def test_neutral_goes_on_while_something_is_armed_and_ends_with_its_driver(device: Device) -> None:
    async with running(made(Crsf, file(arm={"output": 5, "safe": "disarm"}), device.place)) as driver:
        await until(lambda: device.data)
        await driver.rest(arm=False)
        await driver.rest(0.7, arm=True)
        count = len(device.data)
        armed = channels([992, 992, 992, 992, 1811, 172])
        await driver.rest_until(lambda: len(device.data) > count + 5 * 26, arm=True)
        assert device.data.endswith(armed)
        # The cockpit dies without a word.
        await until(lambda: device.data.endswith(channels([992, 992, 992, 992, 172, 172])), 2)
        await asyncio.sleep(0.5)
        count = len(device.data)
        await asyncio.sleep(0.2)
        assert len(device.data) == count


@pytest.mark.parametrize(("adapter", "rest"), [
    (Crsf, channels([992, 992, 992, 992, 172, 172])), (Msp, frame(200, struct.pack("<8H", 1500, 1500, 1500, 1500, 1000, 1000, 1000, 1000)))],
    ids=["crsf", "msp"])
async def test_a_flight_controller_hears_a_low_arm_switch_until_it_is_armed(adapter: type[Adapter], rest: bytes, device: Device) -> None:
    async with running(made(adapter, file(arm={"output": 5}), device.place)) as driver:
        await driver.rest(arm=False)
        # The cockpit has nothing to say now, for longer than any adapter repeats neutral.
        await asyncio.sleep(1.5)
        count = len(device.data)
        await until(lambda: device.data[count:].count(rest) >= 5)


async def test_without_an_arm_switch_nothing_is_sent_at_rest(device: Device) -> None:
    async with running(made(Crsf, file(channels=lamps(7)), device.place)) as driver:
        await driver.rest(channels={"lights": -1})
        await asyncio.sleep(0.6)
        count = len(device.data)
        await asyncio.sleep(0.3)
        assert len(device.data) == count


async def test_a_signal_disarms_at_the_end(device: Device) -> None:
    adapter = made(Crsf, file(arm={"output": 5}), device.place)
    driver = Hands()
    bridge = Bridge(driver.source, adapter, extras=Extras(adapter.options.vehicle_file))
    task = asyncio.create_task(bridge.run())
    await until(lambda: device.data)
    await driver.rest(arm=False)
    await driver.rest(arm=True)
    await until(lambda: device.data.endswith(channels([992, 992, 992, 992, 1811, 172])))
    bridge.stop()
    await asyncio.wait_for(task, 10)
    await until(lambda: device.data.endswith(channels([992, 992, 992, 992, 172, 172])))
    driver.end()
    os.close(driver.source.fileno())


async def test_a_stop_goes_out_between_arm_and_a_drive_that_came_with_it() -> None:
    driver = Hands()
    bridge = Bridge(driver.source, made(Plain, file(arm={})), extras=Extras(file(arm={})))
    driver.say_all(ready(1), arm=False)
    driver.say_all(ready(1), arm=True)
    driver.say_all(line(1), arm=True)
    bridge._take()
    now = time.monotonic()
    first = bridge._next(NEUTRAL, now)
    second = bridge._next(first, now)
    assert (first.arm, first.driving, first.throttle) == (True, False, 0) and (second.arm, second.driving, second.throttle) == (True, True, 0.6)
    driver.end()
    os.close(driver.source.fileno())


async def test_lines_that_waited_while_the_bridge_stood_still_arm_nobody() -> None:
    driver = Hands()
    bridge = Bridge(driver.source, made(Plain, file(arm={})), extras=Extras(file(arm={})))
    driver.say_all(ready(1), arm=False)
    bridge._take()
    driver.say_all(ready(1), arm=True)
    bridge._ticked -= 1
    bridge._take()
    assert not bridge._next(NEUTRAL, time.monotonic()).arm
    driver.end()
    os.close(driver.source.fileno())


async def test_msp_has_as_many_channels_as_the_file_needs(device: Device) -> None:
    vehicle = file(throttle={"reverse": 0.5, "centre": 0.1}, channels=lamps(7, 12), arm={"output": 5})

    def raw_rc(throttle: int, arm: int, lights: int, pan: int) -> bytes:
        return frame(200, struct.pack("<12H", 1500, 1500, throttle, 1500, arm, 1000, lights, 1000, 1000, 1000, 1000, pan))

    async with running(made(Msp, vehicle, device.place)) as driver:
        await until(lambda: raw_rc(1550, 1000, 1000, 1500) in device.data)
        await driver.rest(arm=False)
        await driver.rest(arm=True, channels={"lights": 1, "pan": 0})
        await driver.rest(arm=True, channels={"lights": 1, "pan": -1})
        await until(lambda: raw_rc(1550, 2000, 2000, 1000) in device.data)
        driver.say_all(line(1, -1.0, 0), arm=True, channels={"lights": 1, "pan": -1})
        await until(lambda: raw_rc(1250, 2000, 2000, 1000) in device.data)
    await until(lambda: device.data.endswith(raw_rc(1550, 1000, 2000, 1500)))


# CAN.


def test_the_bytes_of_the_second_frame() -> None:
    vehicle = file(channels=lamps(1, 3, 8), arm={"output": 2}, mode={"start": "manual", "values": {"manual": 0, "hold": 100}, "output": 4})
    adapter = made(Can, vehicle, "can0")
    command = Command(channels=(("lights", 1.0), ("pan", -0.25), ("winch", 1.0)), arm=True, mode="hold")
    assert extras_data(command, adapter.outputs) == bytes([100, 1, 256 - 25, 100, 0, 0, 0, 100])
    assert extras_data(NEUTRAL, adapter.outputs) == bytes([256 - 100, 0, 0, 0, 0, 0, 0, 0])


async def test_can_sends_both_frames_and_keeps_no_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    own = can.Bus
    monkeypatch.setattr(can, "Bus", lambda **options: own(**(options | {"interface": "virtual"})))
    with own(interface="virtual", channel="can0") as controller:
        async with running(made(Can, file(steering={"invert": True}, channels=lamps(1, 2)), "can0")) as driver:
            await driver.rest(channels={"lights": 1, "pan": 0})
            for _ in range(5):
                driver.say_all(line(1), channels={"lights": 1, "pan": 0.5})
                await asyncio.sleep(1 / 30)
        got = []
        while (message := controller.recv(timeout=0)) is not None:
            got.append((message.arbitration_id, bytes(message.data)))
        assert [number for number, _ in got[:4]] == [0x120, 0x121, 0x120, 0x121]
        assert struct.unpack(">xBhhxx", next(data for number, data in got if number == 0x120 and data[1] & 4)) == (4, 600, 250)
        assert [data for number, data in got if number == 0x121][-1] == bytes([100, 0] + [0] * 6)
        assert (0x121, bytes([100, 50] + [0] * 6)) in got and struct.unpack(">xBhhxx", got[-2][1]) == (1, 0, 0)


async def test_both_frames_of_a_dead_bus_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    interface = Interface()
    monkeypatch.setattr(can, "Bus", interface.bus)
    adapter = made(Can, file(channels=lamps(1)), "can0")
    assert isinstance(adapter, Can)
    interface.is_alive = False
    adapter._bus = adapter._open()
    adapter._put(NEUTRAL)
    assert adapter.unacknowledged() == 16
    adapter._bus.inbox.append(can.Message(arbitration_id=0x121, data=extras_data(NEUTRAL, adapter.outputs), is_extended_id=False))  # type: ignore[attr-defined]
    assert adapter.unacknowledged() == 16  # Of somebody else: the first has not come back.
    for number, data in list(adapter._under_way):
        adapter._bus.inbox.append(can.Message(arbitration_id=number, data=data, is_extended_id=False))  # type: ignore[attr-defined]
    assert adapter.unacknowledged() == 0


async def test_slcan_sends_both_frames(device: Device) -> None:
    async with running(made(Slcan, file(channels=lamps(1)), device.place)) as driver:
        await until(lambda: b"t12189C00000000000000\r" in device.data)
        await driver.rest(channels={"lights": 1})
        await until(lambda: b"t12186400000000000000\r" in device.data)
    assert re.search(rb"t1208[0-9A-F]{16}\rt12186400000000000000\rC\r$", device.data)


# MAVLink.


async def test_a_rover_gets_its_channels_arm_and_mode_and_is_disarmed_at_the_end() -> None:
    port = free_port()
    vehicle = file(channels=lamps(6, 9), arm={}, mode={"start": "manual", "values": {"manual": 0, "hold": 4}}, steering={"invert": True})
    adapter = made(Mavlink, vehicle, f"127.0.0.1:{port}")
    rover = Vehicle(port)
    rover.mode = 0

    def commands(number: int) -> list[tuple[float, float]]:
        return [(each.param1, each.param2) for each in rover.all("COMMAND_LONG") if each.command == number]

    def pulses() -> list[int]:
        return [getattr(rover.all("RC_CHANNELS_OVERRIDE")[-1], f"chan{number}_raw") for number in range(1, 11)]

    async with living(rover), running(adapter) as driver:
        await until(lambda: rover.all("MANUAL_CONTROL"))
        await driver.rest(arm=False, mode="manual", channels={"lights": -1, "pan": 0})
        await until(lambda: commands(176))
        assert not commands(400) and set(commands(176)) == {(1, 0)}
        rover.say(rover.codec.command_ack_encode(176, 0))
        # It is asked again while it does not answer.
        await driver.rest_until(lambda: len(commands(400)) > 1, arm=True, mode="manual", channels={"lights": 1, "pan": 1})
        rover.say(rover.codec.command_ack_encode(400, 0))
        rover.mode = 128
        await driver.rest_until(lambda: (1, 4) in commands(176), arm=True, mode="hold", channels={"lights": 1, "pan": 1})
        count = len(commands(400))
        wanted = [65535] * 5 + [2000, 65535, 65535, 2000, 0]
        await driver.rest_until(lambda: pulses() == wanted, arm=True, mode="hold", channels={"lights": 1, "pan": 1})
        await driver.rest(0.5, arm=True, mode="hold", channels={"lights": 1, "pan": 1})
        assert len(commands(400)) == count and set(commands(400)) == {(1, 0)}
        await until(lambda: driver.say_all(line(1), arm=True, mode="hold") or rover.all("MANUAL_CONTROL")[-1].y == 250)
    async with living(rover):
        # Its radio, if it has one, gets the channels back.
        await until(lambda: (pulses()[5], pulses()[8]) == (0, 65534))
    assert set(commands(400)[count:]) == {(0, 0)}
    assert rover.all("MANUAL_CONTROL")[-1].z == 0


async def test_a_refusal_is_on_the_screen() -> None:
    port = free_port()
    rover = Vehicle(port)
    rover.mode = 0
    async with living(rover), running(made(Mavlink, file(arm={}), f"127.0.0.1:{port}")) as driver:
        await until(lambda: rover.all("MANUAL_CONTROL"))
        await driver.rest(arm=False)
        await driver.rest_until(lambda: rover.all("COMMAND_LONG"), arm=True)
        rover.say(rover.codec.command_ack_encode(400, 4))
        await driver.rest(0.2, arm=True)
        count = len(rover.all("COMMAND_LONG"))
        await driver.rest(0.5, arm=True)
        assert len(rover.all("COMMAND_LONG")) == count
        assert "ARM FAILED" in [text for told in driver.telemetry() for text in told["warnings"]]  # type: ignore[attr-defined]


def test_orders_are_repeated_as_long_as_they_are_right() -> None:
    armed, idle, drives = Command(arm=True), Command(arm=False), Command(0.5, driving=True, arm=True)

    def sent(orders: Orders, command: Command, is_armed: bool, beat: float, now: float) -> list[tuple[float, int]]:
        return [(each.parameters[0], each.count) for each in orders.due(command, is_armed, beat, now)]

    orders = Orders(None)
    orders.begin(idle)
    assert sent(orders, idle, False, 0, 0) == [] and sent(orders, armed, False, 0, 0) == [(1, 1)]
    assert sent(orders, armed, False, 0, 0.3) == [] and sent(orders, armed, False, 0, 0.5) == [(1, 2)]
    # An arm that came late would come in mid-drive.
    assert sent(orders, drives, False, 0, 1) == [] and sent(orders, armed, False, 0, 2) == []
    # A disarm is repeated until a heartbeat tells of it; that of before the disarm, and an answer, tell nothing.
    assert sent(orders, idle, False, 1.9, 2) == [(0, 1)] and orders.answered(400, 0) is None
    assert sent(orders, idle, True, 2.1, 2.5) == [(0, 2)] and sent(orders, idle, False, 2.2, 2.95) == [(0, 3)]
    assert sent(orders, idle, False, 3, 3.4) == [] and sent(orders, idle, False, 3, 9) == []


def test_a_mode_that_a_vehicle_left_while_the_link_was_lost_is_not_set_again() -> None:
    mode = file(mode={"start": "manual", "values": {"manual": 0, "auto": 10}}).mode
    for name, count in (("auto", 0), ("manual", 1)):
        orders = Orders(mode)
        orders.begin(Command(mode=name))
        assert len(orders.due(Command(mode=name), False, 0, 0)) == count


async def test_px4_gets_aux_fields() -> None:
    adapter = made(Mavlink, file(channels=lamps(1, 6)), "14550", "px4")
    assert isinstance(adapter, Mavlink)
    (message,) = adapter._controls(Command(channels=(("lights", 1.0), ("pan", -0.5))))
    assert (message.enabled_extensions, message.aux1, message.aux6, message.z) == (0b10000100, 1000, -500, 500)


# Brokers, robots, cars and games.


def test_the_longest_message_of_mqtt_is_a_drive_message() -> None:
    names = {f"channel-{number:08}": {"kind": "axis", "safe": "keep"} for number in range(8)}
    adapter = made(Mqtt, file(channels=names, arm={}, mode={"start": "z", "values": {"m" * 16: 0, "z": 1}}), "localhost")
    extras = Extras(adapter.options.vehicle_file)
    command = extras.applied(Command(-0.123456, -0.654321, False, True, True, "R"))
    command = Command(**vars(command) | {"channels": tuple((name, -0.123456) for name in names), "mode": "m" * 16})
    text = mqtt.payload(command, "aaaaaaaa", 2**53 - 1, "none")
    assert len(text) < LONGEST
    found = parse(text)
    assert found.channels["channel-00000003"] == -0.123 and found.arm is False and found.mode == "m" * 16
    stop = parse(mqtt.payload(extras.farewell(), "aaaaaaaa", 2**53 - 1, "link-lost"))
    assert stop.state == "safe" and stop.channels == {} and stop.arm is False


async def test_donkey_gets_a_click_for_each_press_and_recording_as_it_is() -> None:
    car = DonkeyCar()
    vehicle = file(channels={
        "record": {"kind": "switch", "off": -1, "on": 1, "output": "recording"}, "erase": {"kind": "momentary", "off": -1, "on": 1, "output": "w2"}})
    async with server(car) as port, running(made(Donkey, vehicle, f"127.0.0.1:{port}")) as driver:
        await until(lambda: car.texts)
        assert car.texts[0] == {"angle": 0.0, "throttle": 0.0, "drive_mode": "user", "recording": False}
        await driver.rest(channels={"record": 1, "erase": -1})

        def clicks() -> list[Any]:
            return [text["buttons"] for text in car.texts if "buttons" in text]

        await driver.rest_until(clicks, channels={"record": 1, "erase": 1})
        await driver.rest(0.3, channels={"record": 1, "erase": 1})
        await driver.rest(0.3, channels={"record": 1, "erase": -1})
        await driver.rest_until(lambda: len(clicks()) == 2, channels={"record": 1, "erase": 1})
        assert clicks() == [{"w2": True}] * 2 and car.texts[-1]["recording"]


async def test_rosbridge_publishes_a_topic_for_each_output() -> None:
    ros = RosbridgeServer()
    vehicle = file(channels=lamps("/lights", "/camera/pan"), arm={"output": "/armed"}, steering={"centre": 0.1})
    async with server(ros) as port:
        async with running(made(Rosbridge, vehicle, f"127.0.0.1:{port}")) as driver:
            await until(lambda: any(each["topic"] == "/armed" for each in ros.published))
            kinds = {each["topic"]: each["type"] for each in ros.operations if each["op"] == "advertise"}
            assert kinds["/camera/pan"] == "std_msgs/msg/Float64" and kinds["/armed"] == "std_msgs/msg/Bool"
            await driver.rest(arm=False, channels={"lights": -1, "pan": 0})
            await driver.rest(arm=True, channels={"lights": 1, "pan": 0.5})

            def newest(topic: str) -> Any:
                return [each["msg"]["data"] for each in ros.published if each["topic"] == topic][-1]

            await until(lambda: (newest("/armed"), newest("/lights"), newest("/camera/pan")) == (True, 1.0, 0.5))
            # The middle of the steering is for what moves: at rest a twist is zero.
            assert all(each["msg"]["twist"]["angular"]["z"] == 0 for each in ros.published if each["topic"] == "/cmd_vel")
        assert (newest("/armed"), newest("/lights"), newest("/camera/pan")) == (False, 1.0, 0.0)


async def test_foxglove_publishes_a_channel_for_each_output() -> None:
    found = FoxgloveServer()
    async with server(found, ["foxglove.sdk.v1"]) as port:
        async with running(made(Foxglove, file(channels=lamps("/lights"), arm={"output": "/armed"}), f"127.0.0.1:{port}")) as driver:
            await until(lambda: found.messages)
            await driver.rest(arm=False, channels={"lights": -1})
            await driver.rest(arm=True, channels={"lights": 1})
            header = b"\x00\x01\x00\x00"
            await until(lambda: header + b"\x01" in found.messages and header + struct.pack("<d", 1) in found.messages)
            assert [(each["topic"], each["schemaName"]) for each in found.channels.values()][1:] == [
                ("/armed", "std_msgs/msg/Bool"), ("/lights", "std_msgs/msg/Float64")]
        assert [each for each in found.messages if len(each) == 5][-1] == header + b"\x00"


async def test_uinput_has_more_axes_and_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("evdev")
    codes = CODES | {"ABS_RX": 3, "BTN_1": 0x101, "BTN_2": 0x102}
    vars(module).update(AbsInfo=lambda *numbers: numbers, UInput=Events, UInputError=OSError, ecodes=types.SimpleNamespace(**codes))
    monkeypatch.setitem(sys.modules, "evdev", module)
    monkeypatch.delitem(sys.modules, "cockpit_bridge.adapters.uinput", raising=False)
    from cockpit_bridge.adapters.uinput import Uinput

    for outputs, words in ((("BTN_0",), "BTN_1 to BTN_9"), (("ABS_GAS",), "ABS_WHEEL"), ((None, "BTN_1"), "a button takes")):
        kinds = {name: each for name, each in lamps(*outputs).items() if each["output"] is not None}
        with pytest.raises(BadPlace, match=words):
            made(Uinput, file(channels=kinds), "wheel")
    adapter = made(Uinput, file(channels=lamps("BTN_1", "ABS_RX"), arm={"output": "BTN_2"}, throttle={"invert": True}), "wheel")
    async with running(adapter) as driver:
        await until(lambda: hasattr(adapter, "device"))
        await driver.rest(arm=False)
        await driver.rest(arm=True, channels={"lights": 1, "pan": 0})
        await driver.rest(arm=True, channels={"lights": 1, "pan": -1})
        device: Any = adapter.device  # type: ignore[attr-defined]
        await until(lambda: device.frames[-1] == {(3, 8): 0, (3, 9): 0, (3, 10): 0, (1, 0x100): 0, (3, 3): -32767, (1, 0x101): 1, (1, 0x102): 1})
    assert device.frames[-1][1, 0x102] == 0 and device.frames[-1][3, 3] == 0


def test_this_file_stands_beside_the_data_base_of_the_bus() -> None:
    text = (Path(__file__).resolve().parents[1] / "docs" / "cockpit.dbc").read_text()
    assert "BO_ 288 " in text and "BO_ 289 " in text


# Of 2001 commands, by the bridge as it was before there were vehicle files.
BEFORE = {
    "crsf": "11b02d31e0fe", "msp": "a364dab50fbe", "slcan": "43ef85f2f5d8", "mqtt": "50c8e4f05a66", "can": "ec805a9edd60",
    "donkey": "affc3c96437c", "rosbridge": "a07fa38fb0d0", "foxglove": "928e5b16227c", "rover": "54ae735f3d94", "sub": "7506322af356",
    "px4": "a67b5c35970e"}


@pytest.mark.parametrize("name", BEFORE)
def test_without_a_file_every_byte_is_what_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 5.0)
    dice, found = random.Random(1), hashlib.sha256()
    commands = [NEUTRAL] + [
        Command(round(dice.uniform(-1, 1), 3), round(dice.uniform(-1, 1), 4), False, dice.random() < 0.5, True, dice.choice("R16"))
        for _ in range(2000)]

    async def send(message: str | bytes) -> None:
        found.update(message.encode() if isinstance(message, str) else message)

    link = types.SimpleNamespace(
        send=lambda message, timeout: found.update(bytes(message.data) + bytes([message.arbitration_id & 255])),
        sendto=lambda data, _: found.update(data))
    adapter: Any
    if name in ("crsf", "msp", "slcan"):
        adapter = {"crsf": Crsf, "msp": Msp, "slcan": Slcan}[name]("/dev/null", Options())
        make = lambda command: found.update(adapter.message(command))
    elif name == "mqtt":
        make = lambda command: found.update(mqtt.payload(command, "aaaaaaaa", 7, "none"))
    elif name == "can":
        adapter = Can("can0", Options())
        adapter._bus, make = link, adapter._put
    else:
        kinds: dict[str, Any] = {"donkey": Donkey, "rosbridge": Rosbridge, "foxglove": Foxglove}
        adapter = kinds[name]("h", Options()) if name in kinds else Mavlink("14550", Options(vehicle=name))
        if name in kinds:
            adapter.link = types.SimpleNamespace(send=send)
        else:
            adapter._peer, adapter._beat, adapter._own_beat, adapter._socket, adapter._read = ("x", 1), 5.0, 5.0, link, lambda: None

        def make(command: Command) -> None:
            with pytest.raises(StopIteration):  # Nothing in it waits.
                adapter.send(command).send(None)

    for command in commands:
        make(command)
    assert found.hexdigest()[:12] == BEFORE[name]

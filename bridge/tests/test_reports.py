"""Reports with odd values: a value that is none makes itself unknown and no other, and no line leaves docs/telemetry.schema.json."""

import json
import math
import random
import struct
from pathlib import Path
from typing import Any

import pytest
from pymavlink.dialects.v20 import ardupilotmega as mavlink

from cockpit_bridge.adapter import Status
from cockpit_bridge.outgauge import note_outgauge
from cockpit_bridge.reports import ROS_REPORTS, note_foxglove, note_mavlink, note_ros, objects, read_json

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs/telemetry.schema.json").read_text())["properties"]


def checked(line: bytes) -> dict[str, Any]:
    """The line's object, if it is in the schema and strict JSON; fails otherwise."""
    assert line.endswith(b"\n") and line.count(b"\n") == 1 and line.isascii()

    def refuse(word: str) -> None:
        raise AssertionError(word)

    told: dict[str, Any] = json.loads(line, parse_constant=refuse)
    for name in ("speed", "battery", "linkAge"):
        if name in told:
            assert type(told[name]) in (int, float) and SCHEMA[name]["minimum"] <= told[name] <= SCHEMA[name]["maximum"]
    assert len(told["warnings"]) <= 4 and len(set(told["warnings"])) == len(told["warnings"])
    for text in told["warnings"]:
        assert text and text.isprintable() and text.encode()
    return told


def test_20000_random_frames_and_values_make_no_line_outside_the_schema() -> None:
    chance, status, codec = random.Random(5), Status(), mavlink.MAVLink(None)
    codec.robust_parsing = True
    kinds = [kind for number, kind in mavlink.mavlink_map.items() if number in (1, 74, 253, 22, 0, 147)]
    odd = [math.nan, math.inf, -math.inf, -0.0, 1e308, -1e308, 10**400, -1, 71, 100.1, 0.5, None, True, "71", [], {}, "\ud800", 2**63]
    drives_on: float | None = None
    for _ in range(20_000):
        which = chance.randrange(5)
        if which == 0:
            kind = chance.choice(kinds)
            head = struct.pack("<BBBBBBBHB", 0xFD, (size := struct.calcsize(kind.unpacker.format)), 0, 0, 0, 1, 1, kind.id & 0xFFFF, 0)
            body = head + chance.randbytes(size)
            crc = mavlink.x25crc(body[1:])
            crc.accumulate(bytes([kind.crc_extra]))
            for message in codec.parse_buffer(body + struct.pack("<H", crc.crc)) or []:
                drives_on = note_mavlink(message, status, drives_on)
                assert drives_on is None or drives_on == math.inf or 0 <= drives_on <= 9999
        elif which == 1:
            kind_name = chance.choice(list(ROS_REPORTS))
            value: Any = chance.choice(odd)
            for name in reversed(ROS_REPORTS[kind_name].path[chance.randrange(2):]):
                value = {name: value}
            note_ros(f"x/msg/{kind_name}", value, status)
        elif which == 2:
            note_ros(chance.choice(list(ROS_REPORTS)), chance.randbytes(chance.randrange(500)), status)
        elif which == 3:
            note_outgauge(chance.randbytes(chance.choice([92, 96, 50])), status)
        else:
            status.speed, status.battery = chance.choice(odd), chance.choice(odd)  # type: ignore[assignment]
            status.warn(chance.choice(["A", "a\nb", "\ud800", "", "\0\0", "ü", "x" * 2000]))
        checked(status.line(chance.choice([None, 0.1, math.nan, -1.0, 1e9]), chance.choice([[], ["NO LINK"], ["A"]])))


@pytest.mark.parametrize(("percentage", "battery"), [
    (0.71, 0.71), (71.0, 0.71), (100, 1.0), (1, 1.0), (0, 0.0), (-1.0, None), (101, None), (math.nan, None), (None, None), (10**400, None)])
def test_a_charge_counts_to_1_or_to_100_and_is_unknown_otherwise(percentage: Any, battery: float | None) -> None:
    status = Status()
    status.battery = 0.3
    note_ros("sensor_msgs/BatteryState", {"percentage": percentage}, status)
    assert status.battery == battery


def test_a_bad_number_makes_itself_unknown_and_keeps_the_rest() -> None:
    codec, status = mavlink.MAVLink(None), Status()
    note_mavlink(codec.vfr_hud_encode(0, 2.0, 0, 0, 0, 0), status, None)
    note_mavlink(codec.sys_status_encode(0, 0, 0, 0, 12000, -1, 71, 0, 0, 0, 0, 0, 0), status, None)
    note_mavlink(codec.vfr_hud_encode(0, math.nan, 0, 0, 0, 0), status, None)
    assert (status.speed, status.battery) == (None, 0.71)
    note_mavlink(codec.vfr_hud_encode(0, 2.0, 0, 0, 0, 0), status, None)
    for percent in (127, -1):
        note_mavlink(codec.sys_status_encode(0, 0, 0, 0, 12000, -1, percent, 0, 0, 0, 0, 0, 0), status, None)
        assert (status.speed, status.battery) == (7.2, None)


def test_speed_is_kept_within_the_schema() -> None:
    status = Status()
    assert note_ros("Odometry", {"twist": {"twist": {"linear": {"x": 1e9}}}}, status) and status.speed == 9999
    status.speed = -1e9
    assert status.speed == -9999


def test_equal_warnings_are_one_and_the_newest_is_first() -> None:
    status = Status()
    for text in ("A", "B", "A", "A", "A"):
        status.warn(text)
    status.warn("HINT", is_hint=True)
    assert status.warnings == ["A", "B", "HINT"]
    assert checked(status.line(None, ["NO LINK", "A"]))["warnings"] == ["NO LINK", "A", "B", "HINT"]
    status.withdraw("A")
    assert status.warnings == ["B", "HINT"]


def test_what_is_no_object_is_empty() -> None:
    for text in ("", "1", "[1]", "null", "hello", "[" * 100_000, '{"a":' + "9" * 5000 + "}", b"\xff", b"{}", None, 5):
        assert read_json(text) == {}
    assert objects(None) == objects({"a": 1}) == objects([1, None, "x"]) == [] and objects([{}]) == [{}]
    status = Status()
    for channel in ({}, {"encoding": "json"}, {"encoding": "json", "schemaName": 5}, {"encoding": "cdr", "schemaName": None}):
        assert not note_foxglove(channel, b"\xff" * 50, status)

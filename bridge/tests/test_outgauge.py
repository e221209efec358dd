"""OutGauge, against datagrams laid out byte by byte."""

import json
import math
import struct
import time

import pytest

from cockpit_bridge.adapter import Status
from cockpit_bridge.outgauge import OutGauge, note_outgauge


def datagram(gear: int = 2, speed: float = 10.0, fuel: float = 0.5, tail: bytes = b"") -> bytes:
    data = bytearray(92)
    data[10] = gear
    data[12:16] = struct.pack("<f", speed)
    data[28:32] = struct.pack("<f", fuel)
    return bytes(data) + tail


def test_speed_is_km_h_and_fuel_is_the_battery() -> None:
    for tail in (b"", b"\1\0\0\0"):
        status = Status()
        assert note_outgauge(datagram(tail=tail), status)
        assert (status.speed, status.battery) == (36.0, 0.5)


def test_reverse_is_negative() -> None:
    status = Status()
    assert note_outgauge(datagram(gear=0), status)
    assert status.speed == -36.0


def test_what_is_no_datagram_of_outgauge_changes_nothing() -> None:
    for data in (b"", bytes(91), bytes(93)):
        status = Status()
        assert not note_outgauge(data, status)
        assert (status.speed, status.battery) == (None, None)


def test_a_value_that_is_no_number_is_unknown_and_no_other() -> None:
    for data, wanted in [(datagram(speed=math.nan), (None, 0.5)), (datagram(fuel=math.inf), (36.0, None))]:
        status = Status()
        assert note_outgauge(datagram(), status)
        assert note_outgauge(data, status)
        assert (status.speed, status.battery) == wanted


def test_values_expire_when_the_vehicle_falls_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    status = Status()
    OutGauge(status).datagram_received(datagram(), None)
    status.warnings = ["PreArm"]
    now = 100.9
    assert (status.speed, status.battery) == (36.0, 0.5)
    now = 101.1
    assert (status.speed, status.battery, status.warnings) == (None, 0.5, ["PreArm"])
    assert json.loads(status.line(0.1, ["NO LINK"])) == {"linkAge": 0.1, "battery": 0.5, "warnings": ["NO LINK", "PreArm"]}
    now = 111.0
    assert (status.battery, status.warnings) == (None, [])

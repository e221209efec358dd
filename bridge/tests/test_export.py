"""`cockpit-bridge export`: what a record says stands in the MCAP file, and what is no record does no harm."""

import contextlib
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcap.reader import make_reader

from cockpit_bridge.channels import CHANNELS, DRIVE, TELEMETRY, schema
from cockpit_bridge.cli import main
from cockpit_bridge.record import READERS, Events

ROOT = Path(__file__).resolve().parents[2]
# Of a session on a real compositor: two fingers drive, a key honks, the link stalls under the next drive, and the touch is cancelled.
RECORD = Path(__file__).parent / "records" / "drive.jsonl"
LINES = RECORD.with_suffix(".lines")  # What the cockpit's replay of it prints.
COCKPIT = ROOT / ".build" / "debug" / "cockpit"
TOPICS = {
    "touches": "/input", "hover": "/input", "scroll": "/input", "key": "/input", "focus": "/input", "quality": "/link",
    "telemetry": "/telemetry", "video": "/video/notice", "videoFrame": "/video/frame", "life": "/events", "lost": "/events",
    "hang": "/events", "link": "/events", "resize": "/events", "end": "/events", "frame": None}
VALIDATORS = {topic: jsonschema.Draft202012Validator(schema(topic)[1]) for topic in CHANNELS}
HEADER = {"cockpit": 1, "start": "1000000000", "options": {"drive": "-"}}


class Said:
    """A message of an exported file."""

    def __init__(self, topic: str, log_time: int, publish_time: int, sequence: int, fields: dict[str, Any]) -> None:
        self.topic, self.log_time, self.publish_time, self.sequence, self.fields = topic, log_time, publish_time, sequence, fields


def read(path: Path) -> list[Said]:
    """The messages of a file by mcap's own reader, in the file's order; each is what its channel's schema says."""
    found = []
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        for form, channel, message in reader.iter_messages(log_time_order=False):
            assert form and form.encoding == "jsonschema" and channel.message_encoding == "json"
            assert (form.name, json.loads(form.data)) == schema(channel.topic)
            fields = json.loads(message.data)
            VALIDATORS[channel.topic].validate(fields)
            found.append(Said(channel.topic, message.log_time, message.publish_time, message.sequence, fields))
        summary = reader.get_summary()
    assert summary and summary.statistics and summary.statistics.message_count == len(found)
    assert [said.log_time for said in found] == sorted(said.log_time for said in found)
    return found


def facts(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        [metadata] = make_reader(file).iter_metadata()
    assert metadata.name == "cockpit"
    return metadata.metadata


def fake_cockpit(folder: Path, body: str) -> str:
    """A program that says it is a cockpit; `body` is what it does for a replay."""
    program = folder / "bin" / "cockpit"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec echo cockpit 9.9\n{body}\n')
    program.chmod(0o755)
    return str(program)


def written(folder: Path, *events: object, header: object = HEADER) -> Path:
    path = folder / "record.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in (header, *events)))
    return path


def exported(folder: Path, *events: dict[str, Any], header: object = HEADER) -> list[Said]:
    """The messages of a record of these events."""
    out = folder / "out.mcap"
    assert main(["export", str(written(folder, *events, header=header)), str(out), "--cockpit", "none"]) == 0
    return read(out)


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"bin"}


# What a record says.


def test_every_event_of_a_real_record_is_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cockpit, out = fake_cockpit(tmp_path, f"exec cat {LINES}"), tmp_path / "out.mcap"
    assert main(["export", str(RECORD), str(out), "--cockpit", cockpit]) == 0
    header, *events = [json.loads(line) for line in RECORD.read_text().splitlines()]
    lines = [json.loads(line) for line in LINES.read_text().splitlines()]
    found = read(out)
    expected: list[tuple[str, int]] = []
    for event in events:
        [kind] = [name for name in event if name in TOPICS]
        if topic := TOPICS[kind]:
            expected.append((topic, event["t"]))
    expected += [("/drive", round(line["t"] * 1e6) * 1000 - int(header["start"])) for line in lines]
    assert Counter((said.topic, said.log_time) for said in found) == Counter((topic, max(time, 0)) for topic, time in expected)
    assert [said.fields for said in found if said.topic == "/drive"] == lines
    assert {"/drive", "/input", "/telemetry", "/video/notice", "/video/frame", "/link", "/events"} == {said.topic for said in found}
    said, complaints = capsys.readouterr()
    assert complaints == "" and f"/drive {len(lines)}" in said
    assert left(tmp_path) == {"out.mcap"} and out.stat().st_mode & 0o777 == 0o600
    known = facts(out)
    assert known["drive"] == "computed again by cockpit 9.9" and known["logTime"] == "nanoseconds since the record's start"
    assert known["endsProperly"] == "true" and known["lines"] == str(len(events) + 1) and known["start"] == header["start"]


@pytest.mark.skipif(not COCKPIT.exists(), reason="no built cockpit")
def test_the_cockpits_own_replay_says_what_was_commanded(tmp_path: Path) -> None:
    if subprocess.run([COCKPIT, "--version"], capture_output=True, check=False).returncode != 0:
        pytest.skip("the built cockpit does not run here")
    out = tmp_path / "out.mcap"
    assert main(["export", str(RECORD), str(out), "--cockpit", str(COCKPIT)]) == 0
    lines = [json.loads(line) for line in LINES.read_text().splitlines()]
    assert [said.fields for said in read(out) if said.topic == "/drive"] == lines


def test_the_schemas_of_drive_and_telemetry_are_those_of_the_contract() -> None:
    drive = json.loads((ROOT / "docs" / "drive.schema.json").read_text())
    assert set(DRIVE["properties"]) == set(drive["properties"]) and schema("/drive")[1]["required"] == drive["required"]
    telemetry = json.loads((ROOT / "docs" / "telemetry.schema.json").read_text())
    assert set(TELEMETRY["properties"]) == set(telemetry["properties"]) | {"line"}
    for validator in VALIDATORS.values():
        validator.check_schema(validator.schema)


def check_readable(form: dict[str, Any]) -> None:
    """Checks that a schema has nothing but what Foxglove's reader of schemas knows: it refuses the whole channel otherwise."""
    if "oneOf" in form:
        assert all(isinstance(each["const"], int) for each in form["oneOf"])
        return
    assert form["type"] in {"boolean", "string", "number", "integer", "object", "array"}
    if form["type"] == "object":
        for each in form["properties"].values():
            assert each["description"], "a sentence about each property"
            check_readable(each)
    if form["type"] == "array":
        assert "oneOf" not in form["items"] and form["items"]["type"] != "array"
        check_readable(form["items"])


@pytest.mark.parametrize("topic", CHANNELS)
def test_foxglove_can_read_the_schemas(topic: str) -> None:
    check_readable(schema(topic)[1])


def test_all_kinds_of_input(tmp_path: Path) -> None:
    found = exported(
        tmp_path,
        {"t": 1, "touches": [[1, "pen", 1, "began", 350, 160, 0.5, "9000000000000000001"]]},
        {"t": 2, "hover": [1, 50, 60.5]}, {"t": 3, "hover": [1]},
        {"t": 4, "scroll": [1, "changed", 50, 50, 0, 9, 0, 1, "wheel", False, 0]},
        {"t": 5, "key": [1, "down", 65362, "\u00fc", 4, 2000000000]}, {"t": 6, "focus": [1, True]},
        {"t": 7, "text": [1, "input method", 1, 0, "a", "", None, None, 3, 4]}, {"t": 8, "tilt": 12.5, "lost": False},
        {"t": 9, "tilt": None, "lost": True}, {"t": 10, "assist": [0, 2], "value": 3}, {"t": 11, "assist": [], "text": "a"},
        {"t": 12, "assist": [1], "action": None}, {"t": 13, "assist": [1], "action": "press"})
    assert {said.topic for said in found} == {"/input"} and [said.log_time for said in found] == list(range(1, 14))
    fields = [said.fields for said in found]
    assert fields[0]["touches"][0] == {
        "seat": 1, "contact": "pen", "finger": 1, "phase": "began", "x": 350, "y": 160, "pressure": 0.5, "deviceTime": 9000000000.0}
    assert fields[1] == {"kind": "hover", "hover": {"seat": 1, "x": 50, "y": 60.5}} and fields[2]["hover"] == {"seat": 1}
    assert fields[4]["key"] == {"seat": 1, "phase": "down", "keysym": 65362, "text": "\u00fc", "modifiers": 4, "deviceTime": 2}
    assert fields[7]["tilt"] == {"degrees": 12.5, "isLost": False} and fields[8]["tilt"] == {"isLost": True}
    assert [each["assist"] for each in fields[9:]] == [
        {"view": [0, 2], "value": 3}, {"view": [], "text": "a"}, {"view": [1], "action": "focus"}, {"view": [1], "action": "press"}]


def test_losses_life_and_links_are_a_log(tmp_path: Path) -> None:
    found = exported(
        tmp_path, {"t": 5, "life": "willResignActive"}, {"t": 6, "lose": "sensor-lost"}, {"t": 7, "lost": ["touchCancelled", 3]},
        {"t": 8, "hang": [4000000, 9, "loop-hung", "00c0ffee"]}, {"t": 9, "link": "waiting", "fault": "no-bridge"},
        {"t": 10, "link": "open"}, {"t": 11, "stale": True}, {"t": 12, "stale": 17}, {"t": 13, "refused": True},
        {"t": 14, "look": [True, False, True]}, {"t": 15, "resize": [480, 320, 240], "fullscreen": True},
        {"t": 16, "scene": "{}", "folder": "/"}, {"t": 2 * 10**9 + 5, "end": True})
    assert {said.topic for said in found} == {"/events"}
    assert [(said.fields["level"], said.fields["name"], said.fields["message"]) for said in found] == [
        (2, "life", "willResignActive"), (3, "loss", "sensor-lost"), (3, "loss", "touchCancelled (seat 3)"),
        (4, "loss", "loop-hung: the sender took over at 0.004 s, up to line 9"), (3, "link", "waiting: no-bridge"), (2, "link", "open"),
        (3, "telemetry", "too old: speed, battery, linkAge, warnings"), (3, "telemetry", "too old: speed, answers"),
        (3, "telemetry", "lines came, but none that can be read"), (2, "look", "light, reduced motion"),
        (2, "window", "480 x 320 points at scale 2, fullscreen"), (2, "scene", "another layout file is shown"),
        (2, "end", "the session ended")]
    assert found[-1].fields["timestamp"] == {"sec": 2, "nsec": 5}
    assert (found[0].fields["file"], found[0].fields["line"]) == ("record.jsonl", 2)


def test_telemetry_keeps_what_the_cockpit_does_not_understand(tmp_path: Path) -> None:
    lines = [
        '{"speed":3,"battery":null}', '{"speed":"fast","battery":0.5,"extra":1}', '{"battery":7}', "no JSON", "[]", '{"ack":true}',
        '{"speed":-3.5,"warnings":["hot"],"id":"00c0ffee","ack":7,"driver":"you"}']
    found = exported(tmp_path, *({"t": number, "telemetry": line} for number, line in enumerate(lines)))
    assert [said.fields for said in found] == [
        {"speed": 3, "line": lines[0]}, {"battery": 0.5, "line": lines[1]}, {"line": lines[2]}, {"line": "no JSON"}, {"line": "[]"},
        {"line": lines[5]}, {"speed": -3.5, "warnings": ["hot"], "id": "00c0ffee", "ack": 7, "driver": "you"}]


def test_what_the_screen_said_of_the_picture(tmp_path: Path) -> None:
    found = exported(
        tmp_path, {"t": 0, "video": ["lost", None, False, 0, None, ""]}, {"t": 1, "video": ["live", 60, True, 30, 12, "front"]},
        {"t": 2, "video": None}, {"t": 3, "quality": [12, 40]})
    assert [said.fields for said in found] == [
        {"state": "lost", "includesCamera": False, "framesPerSecond": 0, "camera": ""},
        {"state": "live", "ageMs": 60, "includesCamera": True, "framesPerSecond": 30, "linkMs": 12, "camera": "front"},
        {"state": "off"}, {"roundTripMs": 12, "lossPercent": 40}]


def frames(folder: Path, *values: list[object], **header: object) -> list[dict[str, Any]]:
    events = [{"t": 10**9 + number, "videoFrame": list(value)} for number, value in enumerate(values)]
    found = exported(folder, *events, header=HEADER | header)
    base = int(str(header.get("wall", 0)))
    assert [said.publish_time for said in found] == [base + int(said.fields["arrival"] * 1e9) for said in found]
    return [said.fields for said in found]


def test_pictures_by_number_arrival_bytes_and_decoding(tmp_path: Path) -> None:
    one, two = frames(tmp_path, [7, 5 * 10**8, 20480, False, 2500000], [8, 6 * 10**8, 20480, True, 0])
    assert one == {"number": 7, "arrival": 0.5, "bytes": 20480, "isRepeat": False, "decodeMs": 2.5}
    assert two["isRepeat"] and "stamp" not in two and "lagMs" not in two


def test_the_age_of_a_picture_is_known_if_record_and_stamp_say_the_time(tmp_path: Path) -> None:
    wall = 1_800_000_000_000_000_000
    stamped = [1, 10**8, 9, False, 0, 1, str(wall + 6 * 10**7)]
    [frame] = frames(tmp_path, stamped)
    assert "ageMs" not in frame and frame["stampKind"] == "wall" and frame["stamp"] == str(wall + 6 * 10**7)
    [frame] = frames(tmp_path, stamped, wall=str(wall))
    assert frame["ageMs"] == 40
    assert facts(tmp_path / "out.mcap")["logTime"] == "nanoseconds since 1970"
    # A strip has milliseconds modulo 2^22. What would be of the future, or of an hour ago, is of clocks that do not agree.
    strip = (wall + 6 * 10**7) // 10**6 % (1 << 22) * 10**6
    assert [frame.get("ageMs") for frame in frames(
        tmp_path, [1, 10**8, 9, False, 0, 3, str(strip)], [2, 10**8, 9, False, 0, 1, str(wall + 2 * 10**8)],
        [3, 10**8, 9, False, 0, 1, str(wall - 3600 * 10**9)], [4, 10**8, 9, False, 0, 2, str(wall)],
        [5, 10**8, 9, False, 0, 3, str(strip + 2 * 10**8)], wall=str(wall))] == [40, None, None, None, None]


def test_lag_is_how_much_later_a_picture_came_than_the_quickest(tmp_path: Path) -> None:
    def frame(number: int, arrival: int, stamp: int) -> list[object]:
        return [number, arrival * 10**6, 9, False, 0, 2, str(stamp * 10**6)]

    lags = [each["lagMs"] for each in frames(
        tmp_path, frame(1, 100, 5000), frame(2, 140, 5033), frame(3, 190, 5066), frame(4, 199, 5100), frame(5, 240, 3),
        frame(6, 280, 40), frame(1, 300, 60))]
    # The fourth is the quickest. With the fifth the camera's clock begins anew, with the last what fetches the pictures.
    assert lags == pytest.approx([0, 7, 24, 0, 0, 3, 0], abs=0.02)


def test_a_wall_clock_in_the_header_is_the_time_of_every_message(tmp_path: Path) -> None:
    wall = 1_800_000_000_123_456_789
    found = exported(tmp_path, {"t": 7, "quality": [1, 0]}, {"t": 8, "life": "didBecomeActive"}, header=HEADER | {"wall": str(wall)})
    assert [said.log_time for said in found] == [wall + 7, wall + 8]
    assert found[1].fields["timestamp"] == {"sec": wall // 10**9, "nsec": wall % 10**9 + 8}


def test_what_a_gamepad_asks_for_is_input(tmp_path: Path) -> None:
    [(kind, fields)] = [(topic, each) for name, read_event in READERS if name == "gamepad"
                        for topic, each in read_event(Events("a record", 0, None), {}, [0, "changed", 0.5, 0.25, 0, 0, 2, 7])]
    assert kind == "/input" and fields["gamepad"]["steering"] == 0.5 and fields["gamepad"]["buttons"] == 2
    assert "extras" not in fields["gamepad"]


def test_a_gamepad_that_sets_channels_tells_three_more() -> None:
    read_event = dict(READERS)["gamepad"]
    [(_, fields)] = read_event(Events("a record", 0, None), {}, [0, "changed", 0.5, 0.25, 0, 0, 2, 7, 3, -0.5, 1])
    assert (fields["gamepad"]["extras"], fields["gamepad"]["rightX"], fields["gamepad"]["rightY"]) == (3, -0.5, 1)


def test_the_drivers_own_machine_is_a_log_whose_level_is_the_gravest_warning() -> None:
    def read_event(value: object) -> dict[str, object]:
        [(topic, fields)] = dict(READERS)["machine"](Events("a record", 0, None), {}, value)
        assert topic == "/events" and fields["name"] == "machine"
        return fields

    assert read_event([9, 2, -77, 1, False]) == {"name": "machine", "level": 4, "message": "battery 9 %, Wi-Fi -77 dBm"}
    assert read_event([None, 0, None, 2, True])["message"] == "Wi-Fi gone"
    assert read_event(None)["level"] == 2


def test_what_an_input_method_does_is_told() -> None:
    [(topic, fields)] = dict(READERS)["textService"](Events("a record", 0, None), {}, [1, "silent"])
    assert topic == "/events" and fields == {"name": "window", "level": 2, "message": "input method of seat 1: silent"}


def test_every_kind_of_event_that_the_cockpit_writes_is_known() -> None:
    source = (ROOT / "Sources" / "cockpit" / "Replay" / "SessionEvent.swift").read_text()
    kinds = set(re.findall(r'"\\"(\w+)\\":', source))
    assert len(kinds) > 20 and kinds == {kind for kind, _ in READERS}


def test_a_record_of_an_earlier_version(tmp_path: Path) -> None:
    seed = ROOT / "Fuzz" / "Seeds" / "record" / "session.jsonl"
    out = tmp_path / "out.mcap"
    assert main(["export", str(seed), str(out), "--cockpit", "none"]) == 0
    assert len(read(out)) > 10


# The cockpit.


def test_without_a_cockpit_the_lines_are_left_out_and_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    out = tmp_path / "out.mcap"
    assert main(["export", str(RECORD), str(out)]) == 0
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1 and "/drive is left out" in complaint
    assert "/drive" not in {said.topic for said in read(out)} and facts(out)["drive"] == "left out"


def test_the_cockpit_is_found_in_the_path_and_asked_for_nothing_but_the_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "arguments"
    program = fake_cockpit(tmp_path, f'printf "%s\\n" "$@" >{said}; exec cat {LINES}')
    Path(program).rename(Path(program).with_name("cockpit-wayland"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    out = tmp_path / "out.mcap"
    assert main(["export", str(RECORD), str(out)]) == 0
    assert said.read_text().split() == ["--config", "none", "--replay", str(RECORD), "--no-window", "--drive", "-"]
    assert sum(each.topic == "/drive" for each in read(out)) == len(LINES.read_text().splitlines())


@pytest.mark.parametrize(("body", "expected"), [
    ("echo noise; echo 'cockpit: this is no record' >&2; exit 1", "is no drive message"),
    ("echo 'cockpit: FILE:3: this is no event' >&2; exit 1", "FILE:3: this is no event: /drive is left out"),
    (f"head -n 2 {LINES}; exit 3", "it ended with status 3: /drive ends after 2 lines"),
    (f"head -n 2 {LINES}; echo '{{\"t\":NaN}}'", "line 3 is no drive message: /drive ends after 2 lines"),
    ("kill -9 $$", "it ended with status -9: /drive is left out")])
def test_a_replay_that_fails_leaves_the_rest(body: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.mcap"
    assert main(["export", str(RECORD), str(out), "--cockpit", fake_cockpit(tmp_path, body)]) == 0
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1 and expected in complaint
    assert sum(said.topic == "/events" for said in read(out)) > 5 and facts(out)["drive"] == "left out"


@pytest.mark.parametrize("program", ["/nonexistent", "true", "/"])
def test_what_is_no_cockpit_is_not_asked(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(RECORD), str(tmp_path / "out.mcap"), "--cockpit", program]) == 0
    assert "is no cockpit that can be run" in capsys.readouterr().err


# Damage.


def cut(lines: list[bytes]) -> bytes:
    return b"".join(lines[:30]) + lines[30][:-5]


def garbage(lines: list[bytes]) -> bytes:
    return b"".join(lines[:30] + [b"\xff\xfe\x00 garbage\n"] + lines[30:])


def zeros(lines: list[bytes]) -> bytes:
    return b"".join(lines[:30]) + bytes(4096)


def back(lines: list[bytes]) -> bytes:
    return b"".join(lines[:30] + [b'{"t":0,"wake":true}\n'] + lines[30:])


def strange(lines: list[bytes]) -> bytes:
    return b"".join(lines[:30] + [b'{"t":9000000000,"quality":[1]}\n'] + lines[30:])


@pytest.mark.parametrize("damage", [cut, garbage, zeros, back, strange])
def test_what_stands_before_the_damage_is_exported(
    damage: Callable[[list[bytes]], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    record, out, got = tmp_path / "bad.jsonl", tmp_path / "out.mcap", tmp_path / "got"
    record.write_bytes(damage(lines))
    cockpit = fake_cockpit(tmp_path, f'cp "$4" {got}; head -n 1 {LINES}')
    assert main(["export", str(record), str(out), "--cockpit", cockpit]) == 0
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1 and f"{record}:31: " in complaint and "only what stands before it" in complaint
    whole = tmp_path / "whole.jsonl"
    whole.write_bytes(b"".join(lines[:30]))
    other = tmp_path / "other.mcap"
    assert main(["export", str(whole), str(other), "--cockpit", cockpit]) == 0
    assert [(said.topic, said.log_time) for said in read(out)] == [(said.topic, said.log_time) for said in read(other)]
    assert facts(out)["damage"].startswith("line 31: ") and facts(out)["endsProperly"] == "false"
    assert left(tmp_path) == {"bad.jsonl", "whole.jsonl", "out.mcap", "other.mcap", "got"}


def test_the_cockpit_plays_the_whole_part_of_a_damaged_record(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    record, got = tmp_path / "bad.jsonl", tmp_path / "got"
    record.write_bytes(garbage(lines))
    assert main(["export", str(record), str(tmp_path / "out.mcap"), "--cockpit", fake_cockpit(tmp_path, f'cp "$4" {got}')]) == 0
    assert got.read_bytes() == b"".join(lines[:30])


def test_kinds_of_a_later_version_are_left_out_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = exported(tmp_path, {"t": 1, "quality": [1, 0]}, {"t": 2, "warp": 9}, {"t": 3, "quality": [1, 0]})
    assert len(found) == 2
    assert "1 lines are of kinds that this version does not know" in capsys.readouterr().err


@pytest.mark.parametrize("content", [
    b"", b"\n", b"\xff\xff\n", b"{}\n", b"[]\n", b'{"cockpit":1}\n', b'{"cockpit":1,"start":5}\n', b'{"cockpit":1,"start":"-5"}\n',
    b'{"cockpit":true,"start":"5"}\n', b'{"cockpit":2,"start":"5"}\n', b'{"cockpit":1,"start":"5"}',
    b'{"cockpit":1,"start":"5","wall":1}\n',
    b'{"v":1,"seq":1}\n', b"[" * 100_000 + b"\n", b'{"cockpit":NaN}\n', b"1" * 5000 + b"\n", b"\x89MCAP0\r\n"])
def test_what_is_no_record_is_refused_in_one_line(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "some.jsonl"
    record.write_bytes(content)
    assert main(["export", str(record), str(tmp_path / "out.mcap"), "--cockpit", "none"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert left(tmp_path) == {"some.jsonl"}


def test_a_folder_a_pipe_and_nothing_are_no_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (".", "pipe", "absent"):
        assert main(["export", str(tmp_path / name), str(tmp_path / "out.mcap")]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_record_whose_first_event_is_damaged_leaves_nothing_to_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(written(tmp_path, {"t": "x"})), str(tmp_path / "out.mcap"), "--cockpit", "none"]) == 1
    assert "record.jsonl:2: " in capsys.readouterr().err and left(tmp_path) == {"record.jsonl"}


def mutated(lines: list[bytes], choice: random.Random) -> bytes:
    """A record with a few random changes of bytes, numbers and lines."""
    lines = list(lines)
    for _ in range(choice.randint(1, 4)):
        place = choice.randrange(len(lines))
        line = bytearray(lines[place])
        match choice.randrange(6):
            case 0:
                line[choice.randrange(len(line))] = choice.randrange(256)
            case 1:
                del line[choice.randrange(len(line)):]
            case 2:
                for old, new in [(b"null", b"1e999"), (b"0", b"-1"), (b"1", b"true"), (b'"', b'"\\ud800')]:
                    if choice.random() < 0.4:
                        line = bytearray(bytes(line).replace(old, new, choice.randint(1, 3)))
            case 3:
                lines.insert(place, lines[choice.randrange(len(lines))])
            case 4:
                at = choice.randrange(len(line))
                line[at:at] = choice.choice([b"[", b"{}", b"9" * 30, b"9" * 5000, b",", b'"', b"-", b".5", b"[" * 5000])
            case 5:
                at = choice.randrange(len(line))
                line[at:at + choice.randint(1, 9)] = b""
        lines[place] = bytes(line)
    return b"".join(lines)


def test_mutated_records_give_whole_files_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = random.Random(7)
    # One line of each kind and shape, so that most changes hit something that is looked at.
    kinds = [line for line in RECORD.read_bytes().splitlines(keepends=True) if b'"frame"' not in line][:60]
    seed = (ROOT / "Fuzz" / "Seeds" / "record" / "session.jsonl").read_bytes().splitlines(keepends=True)
    record, out = tmp_path / "record.jsonl", tmp_path / "out.mcap"
    codes: Counter[int] = Counter()
    for number in range(400):
        record.write_bytes(mutated([kinds, seed][number % 2], choice))
        out.unlink(missing_ok=True)
        with contextlib.redirect_stderr(io.StringIO()) as complaint, contextlib.redirect_stdout(io.StringIO()):
            code = main(["export", str(record), str(out), "--cockpit", "none"])
        codes[code] += 1
        assert out.exists() == (code == 0) and (code == 0 or complaint.getvalue().count("\n") == 1), complaint.getvalue()
        if code == 0:
            read(out)
        assert left(tmp_path) <= {"record.jsonl", "out.mcap"}
    assert codes[0] > 200 and set(codes) == {0, 1, 2}


# The file.


def test_without_the_package_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcap", None)
    monkeypatch.setitem(sys.modules, "mcap.writer", None)
    assert main(["export", str(RECORD), str(tmp_path / "out.mcap")]) == 1
    assert capsys.readouterr().err == 'cockpit-bridge: export needs the Python package mcap: pip install "cockpit-bridge[mcap]"\n'
    assert left(tmp_path) == set()


def test_an_older_export_is_replaced_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, other, out = tmp_path / "record.jsonl", tmp_path / "other.jsonl", tmp_path / "out.mcap"
    shutil.copy(RECORD, record)
    shutil.copy(RECORD, other)
    link = tmp_path / "link.mcap"
    link.symlink_to(out)
    for _ in range(2):
        assert main(["export", str(record), str(link), "--cockpit", "none"]) == 0
    assert link.is_symlink() and read(out)
    capsys.readouterr()
    for target in (record, other):
        assert main(["export", str(record), str(target), "--cockpit", "none"]) == 1
        assert capsys.readouterr().err == f"cockpit-bridge: {target} is kept: it is no MCAP file\n"
        assert target.read_bytes() == RECORD.read_bytes()


@pytest.mark.parametrize("place", ["absent/out.mcap", ".", "bin/pipe", "/proc/out.mcap", "record.jsonl/out.mcap", "a" * 300])
def test_what_cannot_be_written_is_said_in_one_line(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = written(tmp_path, {"t": 1, "quality": [1, 0]})
    # It stands for a device: a real one must not be what a fault of the program replaces.
    (tmp_path / "bin").mkdir()
    os.mkfifo(tmp_path / "bin" / "pipe")
    assert main(["export", str(record), str(tmp_path / place), "--cockpit", "none"]) == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith("cockpit-bridge: cannot write ") and complaint.count("\n") == 1
    assert left(tmp_path) == {"record.jsonl"} and (tmp_path / "bin" / "pipe").is_fifo()


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "cockpit_bridge", "export", *map(str, words)]


def test_names_of_files_need_be_no_unicode(tmp_path: Path) -> None:
    record, out = os.path.join(os.fsencode(tmp_path), b"\xff.jsonl"), os.path.join(os.fsencode(tmp_path), b"\xff.mcap")
    shutil.copy(RECORD, os.fsdecode(record))
    done = subprocess.run(
        [*command()[:4], record, out, "--cockpit", "none"], capture_output=True, check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"})
    assert done.returncode == 0 and done.stderr == b"" and b"/events" in done.stdout
    assert {said.fields["file"] for said in read(Path(os.fsdecode(out))) if said.topic == "/events"} == {"?.jsonl"}


@pytest.mark.parametrize("output", ["/dev/full", None])
def test_nobody_needs_to_hear_that_it_is_done(output: str | None, tmp_path: Path) -> None:
    """Standard output is full, or a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(output, "wb") if output else open(writing, "wb", closefd=False) as stdout:
        done = subprocess.run(
            command(RECORD, tmp_path / "out.mcap", "--cockpit", "none"), stdout=stdout, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == 0 and done.stderr == b"" and read(tmp_path / "out.mcap")


def test_a_full_disk_leaves_no_half_file(tmp_path: Path) -> None:
    done = subprocess.run(
        command(RECORD, tmp_path / "out.mcap", "--cockpit", "none"), capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))
    assert done.returncode == 1 and done.stderr.startswith("cockpit-bridge: cannot write ") and done.stderr.count("\n") == 1
    assert left(tmp_path) == set()


@contextlib.contextmanager
def under_way(folder: Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """An export that waits for the cockpit, whose number is then in the file `replaying`."""
    places = f"{folder}/bin/new {folder}/bin/replaying"
    cockpit = fake_cockpit(folder, f"head -n 1 {LINES}; echo $$ >{folder}/bin/new; mv {places}; exec sleep 60")
    words = command(RECORD, folder / "out.mcap", "--cockpit", cockpit)
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, **options)
    try:
        end = time.monotonic() + 10
        while not (folder / "bin" / "replaying").exists() or not left(folder):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.01)
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_export_leaves_nothing(number: int, tmp_path: Path) -> None:
    with under_way(tmp_path) as process:
        process.send_signal(number)
        complaint = process.communicate(timeout=10)[1]
        assert process.returncode == 128 + number and complaint == "cockpit-bridge: interrupted: nothing was written\n"
        assert left(tmp_path) == set()
        replaying = int((tmp_path / "bin" / "replaying").read_text())
        with pytest.raises(ProcessLookupError):
            os.kill(replaying, 0)


def test_an_older_export_is_there_until_the_new_one_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "out.mcap"
    assert main(["export", str(RECORD), str(out), "--cockpit", "none"]) == 0
    older = out.read_bytes()
    with under_way(tmp_path) as process:
        assert out.read_bytes() == older
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=10)
    assert out.read_bytes() == older and left(tmp_path) == {"out.mcap"}


def test_what_is_ignored_at_the_start_stays_ignored(tmp_path: Path) -> None:
    with under_way(tmp_path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert process.poll() is None


def test_a_long_record_needs_little_memory(tmp_path: Path) -> None:
    record = tmp_path / "long.jsonl"
    with record.open("w") as file:
        print(json.dumps(HEADER), file=file)
        for number in range(6000):
            print(json.dumps({"t": number, "telemetry": json.dumps({"speed": number % 100, "extra": "x" * 20_000})}), file=file)
    assert record.stat().st_size > 100 << 20
    words = ["export", str(record), str(tmp_path / "out.mcap"), "--cockpit", "none"]
    program = (
        f"import resource; from cockpit_bridge.cli import main; assert main({words!r}) == 0;"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout.splitlines()[-1]) < 90_000  # KiB

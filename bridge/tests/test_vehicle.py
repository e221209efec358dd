"""Vehicle files: what is read, what is refused and where, and the numbers of the hardware."""

import json
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from cockpit_bridge import jsonc
from cockpit_bridge.extras import Extras
from cockpit_bridge.lease import NEUTRAL, Command
from cockpit_bridge.vehicle import BadVehicle, Travel, Vehicle, parse, read

CRAWLER = """{
  // Everything that a file may say.
  "version": 1,
  "name": "Crawler",
  "receiver": "bridge:crsf:/dev/ttyUSB0",
  "steering": { "invert": true, "left": 0.9, "right": 0.8, "centre": 0.05 },
  "throttle": { "invert": false, "forward": 1.0, "reverse": 0.5, "centre": 0.0 },
  "limits": { "forward": 0.5, "reverse": 0.25, "ramp": 1.5, "expo": 0.4, "trim": 0.0 },
  "channels": {
    "lights": { "kind": "switch", "off": -1, "on": 1, "start": "off", "safe": "keep", "output": 6, "gamepad": "west" },
    "pan": { "kind": "axis", "minimum": -1, "maximum": 1, "start": 0, "safe": 0, "output": 7, "gamepad": "right-x" },
    "gearbox": { "kind": "choice", "values": { "low": -1, "high": 1 }, "start": "low", "safe": "keep", "output": 8 },
    "winch": { "kind": "momentary", "off": 0, "on": 1, "safe": 0, "output": 9 }, /* always off after a loss */
  },
  "arm": { "output": 5, "hold": 1.0, "safe": "keep" },
  "mode": { "output": 10, "values": { "manual": 0, "hold": 1 }, "start": "manual" },
  "battery": { "alarm": 0.2, "sound": true },
  "units": "km/h",
}
"""


def test_a_file_says_what_the_hardware_is_and_which_channels_there_are() -> None:
    made = parse(CRAWLER)
    assert made.name == "Crawler" and made.steering == Travel(True, 0.9, 0.8, 0.05) and made.throttle == Travel(False, 0.5, 1.0, 0.0)
    assert [(name, each.start, each.safe, each.output) for name, each in made.channels.items()] == [
        ("lights", -1, None, 6), ("pan", 0, 0, 7), ("gearbox", -1, None, 8), ("winch", 0, 0, 9)]
    assert made.arm is not None and not made.arm.disarms and made.mode is not None and made.mode.values == {"manual": 0, "hold": 1}
    assert parse('{"version":1,"name":"x"}') == Vehicle("x")


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ('"name": "Crawler",', '"nmae": "Crawler",', '1:1: the property "name" is missing'),
    ('"units": "km/h"', '"unit": "km/h"', '18:3: the property "unit" is not known here'),
    ('"left": 0.9', '"lefft": 0.9', '6:33: the property "lefft" is not known here; there are centre, invert, left, right'),
    ('"version": 1', '"version": 2', "3:3: this program reads version 1"),
    ('"version": 1', '"version": true', "3:3: this program reads version 1"),
    ('"left": 0.9', '"left": 1.1', '6:33: "left" is a number from 0 to 1'),
    ('"left": 0.9', '"left": true', '6:33: "left" is a number from 0 to 1'),
    ('"left": 0.9', '"left": 1e999', '6:33: "left" is a number from 0 to 1'),
    ('"centre": 0.05', '"centre": 0.85', '6:60: "centre" is not between the end points'),
    ('"invert": true', '"invert": 1', '6:17: "invert" is true or false'),
    ('"kind": "switch"', '"kind": "button"', '10:17: "kind" is switch, axis, choice or momentary'),
    ('"lights"', '"Lights"', '10:5: "Lights" is no name of a channel'),
    ('"safe": 0, "output": 9', '"safe": 1, "output": 9', "13:56: a momentary channel is off after a loss"),
    ('"on": 1, "start"', '"on": -1, "start"', "10:46: two of its values are the same"),
    ('"safe": "keep" }', '"safe": "stay" }', '15:38: "safe" is keep or disarm'),
    ('"start": "manual"', '"start": "auto"', '16:65: "start" is manual or hold'),
    ('"output": 5', '"output": true', '15:12: "output" is a number or a name'),
    ('"forward": 0.5', '"forward": 0.01', '8:15: "forward" is a number from 0.05 to 1'),
    ('"alarm": 0.2', '"alarm": 0.2, "alarm": 0.3', '17:30: "alarm" stands twice'),
    ('"Crawler"', '"Crawler', "4:11: a text has no end in its line"),
    ('"units": "km/h",\n}', '"units": "km/h",\n} {}', "19:3: something follows the end"),
    ("/* always", "/* always *", ""), ('"minimum": -1', '"minimum": 1', '11:')])
def test_a_mistake_is_one_sentence_with_its_place(old: str, new: str, sentence: str) -> None:
    assert CRAWLER.count(old) >= 1
    text = CRAWLER.replace(old, new, 1)
    if not sentence:
        parse(text)
        return
    with pytest.raises(jsonc.BadJSON) as found:
        parse(text)
    assert str(found.value).startswith(sentence)


@pytest.mark.parametrize("text", [
    "", "{", "[1]", '"x"', '{"version":1,}', '{"version" 1}', "{version:1}", "/* x", '{"a":01}', '{"a":NaN}', '{"a":+1}', '{"a":"\\x"}',
    "[" * 100 + "]" * 100, '{"version":1,"name":7}', '{"version":1,"name":""}', '{"version":1,"name":"%s"}' % ("x" * 65),
    '{"version":1,"name":"x","channels":[]}', '{"version":1,"name":"x","arm":null}', '{"version":1,"name":"x","mode":{}}',
    '{"version":1,"name":"x","channels":{%s}}' % ",".join(f'"c{number}":{{"kind":"axis"}}' for number in range(9))])
def test_what_is_no_vehicle_file_is_refused(text: str) -> None:
    with pytest.raises(jsonc.BadJSON, match=r"^[0-9]+:[0-9]+: "):
        parse(text)


def test_no_text_is_more_than_a_sentence() -> None:
    dice = random.Random(5)
    for _ in range(800):
        text = list(CRAWLER)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text))
            text[at:at + dice.choice([0, 1, 1, 5])] = dice.choice(["", "{", "}", '"', ",", "9", "x", "\\", "é", "//", "/*", "[", "null", "\0"])
        try:
            parse("".join(text))
        except jsonc.BadJSON as problem:
            assert len(str(problem).splitlines()) == 1


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "large").write_text(" " * 65537)
    (tmp_path / "bytes").write_bytes(b"\xff")
    for name, words in (("none", "No such file"), ("large", "more than 64 KiB"), ("bytes", "no UTF-8 at byte 1"), (".", "Is a directory")):
        with pytest.raises(BadVehicle, match=words):
            read(str(tmp_path / name))


def some_travel(dice: random.Random) -> Travel:
    low, high = (round(dice.choice([0, 1, dice.random()]), 6) for _ in range(2))
    return Travel(dice.random() < 0.5, low, high, round(dice.choice([0, -low, high, dice.uniform(-low, high)]), 6))


def test_the_output_is_the_centre_at_rest_within_its_ends_and_monotone() -> None:
    dice = random.Random(3)
    for _ in range(2000):
        travel = some_travel(dice)
        asked = sorted([-1, 0, 1, *(dice.uniform(-1, 1) for _ in range(20)), dice.uniform(-1e-6, 1e-6)])
        found = [travel.output(value) for value in asked]
        assert travel.output(0) == travel.output(-0.0) == travel.centre
        assert all(-travel.low <= value <= travel.high and abs(value) <= 1 for value in found)
        assert found == sorted(found, reverse=travel.is_inverted)
        ends = (travel.high, -travel.low) if travel.is_inverted else (-travel.low, travel.high)
        assert (found[0], found[-1]) == pytest.approx(ends)


def test_without_a_file_nothing_changes_and_an_empty_one_changes_no_number() -> None:
    dice = random.Random(4)
    empty = parse('{"version":1,"name":"x"}')
    for _ in range(500):
        command = Command(round(dice.uniform(-1, 1), 3), round(dice.uniform(-1, 1), 4), dice.random() < 0.5, dice.random() < 0.5, True, "6")
        assert Extras(None).applied(command) is command
        assert Extras(empty).applied(command) == command
    assert Extras(None).applied(NEUTRAL) is NEUTRAL and Extras(None).farewell() is NEUTRAL


def test_a_stop_is_the_vehicles_own_centre() -> None:
    made = Extras(parse(CRAWLER.replace('"centre": 0.0 ', '"centre": 0.1 ')))
    for stop in (made.applied(NEUTRAL), made.farewell()):
        assert (stop.throttle, stop.steering, stop.brake, stop.driving) == (0.1, 0.05, True, False)
    right = made.applied(Command(1, 1, False, driving=True, gear="6"))
    assert (right.throttle, right.steering) == (1.0, -0.9)
    assert math.isclose(made.applied(Command(-1, -1, False, driving=True, gear="R")).throttle, -0.5)


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "cockpit_bridge", *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False,
        env=os.environ | {"XDG_RUNTIME_DIR": str(folder)})


def test_the_program_refuses_a_bad_file_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "car.json"
    for fields, receiver, words in (
            ({"nmae": 1}, "crsf:/dev/null", b'car.json:1:29: the property "nmae" is not known here'),
            ({"throttle": {"centre": 0.1}}, "donkey:localhost", b'car.json:1:29: "centre" of the throttle: '),
            ({"channels": {"pan": {"kind": "axis", "output": 17}}}, "crsf:/dev/null",
             b'car.json:1:66: the channel "pan": output 17: the channels of crsf are 6 to 16')):
        file.write_text(json.dumps({"version": 1, "name": "x"} | fields))
        done = run(["-", receiver, "--vehicle", str(file)], tmp_path)
        assert done.returncode == 2 and words in done.stderr and done.stderr.count(b"\n") == 1, done.stderr
    file.write_text(json.dumps({"version": 1, "name": "x", "channels": {"pan": {"kind": "axis", "output": 7}}}))
    done = run(["-", "crsf:/nowhere", "--vehicle", str(file), "--check"], tmp_path)
    assert done.returncode == 0 and b"x: pan on 7" in done.stderr, done.stderr
    # What --vehicle was before there were files.
    done = run(["-", "mavlink:x", "--vehicle", "sub"], tmp_path)
    assert done.returncode == 2 and b"port" in done.stderr

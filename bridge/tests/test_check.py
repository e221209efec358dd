"""`cockpit-bridge check` against the reference consumer, and against one without a watchdog."""

import socket
import sys
from pathlib import Path

import pytest

from cockpit_bridge.check import PATTERN, Check

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "drive_consumer.py"

CARELESS = """
import json, socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", int(sys.argv[1])))
while True:
    try:
        print("throttle", json.loads(s.recv(2048)).get("throttle"), flush=True)
    except ValueError:
        pass
"""


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


@pytest.mark.parametrize("kind", ["-", "unix", "udp"])
def test_the_reference_consumer_passes(kind: str, tmp_path: Path) -> None:
    place = {"-": "-", "unix": f"unix:{tmp_path}/car.sock", "udp": f"udp:{free_port()}"}[kind]
    results = Check(place, [sys.executable, str(EXAMPLE), place], PATTERN).run()
    assert len(results) >= 14
    assert [str(result) for result in results if not result.passed] == []


def test_a_consumer_without_a_watchdog_fails() -> None:
    port = free_port()
    results = Check(f"udp:{port}", [sys.executable, "-c", CARELESS, str(port)], PATTERN, is_quick=True).run()
    failed = {result.name for result in results if not result.passed}
    assert {"silence", "reordering", "unknown version", "garbage", "kill -9 of the sender", "a consumer that stood still"} <= failed
    assert {
        "a gap of 1 s", "messages that come later and later", "a second driver", "a stop by another cockpit",
        "a start after a stop"} <= failed


# With a watchdog and an eye on the order, as many consumers have them, and nothing else.
OLD = """
import json, socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", int(sys.argv[1])))
newest = 0
while True:
    s.settimeout(0.3)
    try:
        line = json.loads(s.recv(2048))
        if line["v"] != 1 or line["seq"] <= newest:
            continue
        newest = line["seq"]
        print("throttle", line["throttle"], flush=True)
    except ValueError:
        print("throttle 0", flush=True)
    except TimeoutError:
        newest = 0
        print("throttle 0", flush=True)
"""


def test_a_consumer_that_knows_no_release_fails() -> None:
    port = free_port()
    results = Check(f"udp:{port}", [sys.executable, "-c", OLD, str(port)], PATTERN).run()
    outcome = {result.name: result for result in results}
    assert {name for name, result in outcome.items() if not result.passed} >= {
        "a gap of 1 s", "a gap of 10 s", "messages that come later and later", "a second driver", "a stop by another cockpit"}
    assert outcome["a gap of 10 s"].why == "it goes on by itself"
    assert outcome["silence"].passed and outcome["reordering"].passed

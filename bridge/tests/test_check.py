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
    assert len(results) >= 8
    assert [str(result) for result in results if not result.passed] == []


def test_a_consumer_without_a_watchdog_fails() -> None:
    port = free_port()
    results = Check(f"udp:{port}", [sys.executable, "-c", CARELESS, str(port)], PATTERN).run()
    failed = {result.name for result in results if not result.passed}
    assert {"silence", "reordering", "unknown version", "garbage", "kill -9 of the sender", "a consumer that stood still"} <= failed

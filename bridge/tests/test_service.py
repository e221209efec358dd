"""What a service manager hears of the bridge, over real sockets."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import line, ready

from cockpit_bridge.service import Service

PROGRAM = str(Path(__file__).with_name("noting_bridge.py"))
PERIOD = 0.1  # Seconds between two signs of life.


class Manager:
    """The manager's end: the notes that come, with their times, and a bridge as its service."""

    def __init__(self, folder: Path, place: str, **extra: str) -> None:
        self.notes = folder / "notes"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + place[1:] if place.startswith("@") else place)
        self.socket.setblocking(False)
        self.heard: list[tuple[float, str]] = []
        self.cockpit = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.address = free.getsockname()
        environment = os.environ | {"NOTIFY_SOCKET": place, "WATCHDOG_USEC": str(round(2e6 * PERIOD))} | extra
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, f"udp:127.0.0.1:{self.address[1]}", f"noting:{self.notes}"], env=environment)
        self.sequence = 0

    def listen(self) -> list[str]:
        """All that has come so far."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self.heard.append((time.monotonic(), self.socket.recv(4096).decode()))
        return [text for _, text in self.heard]

    def until(self, condition: Callable[[], object], seconds: float = 10) -> None:
        end = time.monotonic() + seconds
        while not condition():
            self.listen()
            assert time.monotonic() < end, self.heard
            time.sleep(0.005)

    def drive(self, seconds: float) -> None:
        """A cockpit that is driven; it began before."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.sequence += 1
            made = ready(1, "start") if self.sequence == 1 else line(self.sequence, rate=30)
            self.cockpit.sendto(made + b"\n", self.address)
            self.listen()
            time.sleep(1 / 30)


@contextlib.contextmanager
def manager(folder: Path, place: str | None = None, **extra: str) -> Iterator[Manager]:
    made = Manager(folder, place or f"{folder}/notify", **extra)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()
        made.socket.close()
        made.cockpit.close()


@pytest.mark.parametrize("is_abstract", [False, True], ids=["in a folder", "abstract"])
def test_a_service_is_ready_lives_and_stops_after_its_farewell(is_abstract: bool, tmp_path: Path) -> None:
    with manager(tmp_path, f"@{tmp_path.name}-{os.getpid()}" if is_abstract else None) as made:
        made.until(lambda: "READY=1" in made.listen())
        made.drive(1)
        lives = [at for at, text in made.heard if text == "WATCHDOG=1"]
        assert made.heard[0][1] == "READY=1" and len(lives) >= 3 and "send" in made.notes.read_text()
        sent = time.monotonic()
        made.process.send_signal(signal.SIGTERM)
        made.until(lambda: "STOPPING=1" in made.listen())
        assert made.process.wait(5) == 0
        # Half a second of neutral came before it, with signs of life.
        assert made.heard[-1][1] == "STOPPING=1" and made.heard[-1][0] - sent > 0.4
        assert sum(text == "WATCHDOG=1" and at > sent + 0.1 for at, text in made.heard) >= 2
        assert made.notes.read_text().splitlines()[-1].split()[1] == "close"


@pytest.mark.parametrize("way", ["block", "wait"])
def test_an_adapter_that_hangs_ends_the_signs_of_life(way: str, tmp_path: Path) -> None:
    with manager(tmp_path, HANG=way) as made:
        made.until(lambda: "WATCHDOG=1" in made.listen())
        made.drive(0.5)
        assert made.notes.read_text().count("send") == 1
        time.sleep(1.5)  # It is given up after 300 ms, and hangs 500 ms later.
        made.listen()
        made.heard.clear()
        time.sleep(10 * PERIOD)
        assert made.listen() == [] and made.process.poll() is None


def test_an_adapter_that_fails_or_waits_for_its_receiver_is_no_hang(tmp_path: Path) -> None:
    with manager(tmp_path, FAIL="connect 1 LinkError") as made:
        made.until(lambda: "READY=1" in made.listen())
        made.until(lambda: made.listen().count("WATCHDOG=1") >= 10, 5)


@pytest.mark.parametrize(("extra", "is_watched"), [
    ({}, True), ({"WATCHDOG_PID": "1"}, False), ({"WATCHDOG_USEC": ""}, False), ({"WATCHDOG_USEC": "many"}, False),
    ({"WATCHDOG_USEC": "0"}, False), ({"WATCHDOG_USEC": "-5"}, False)])
def test_who_is_not_watched_shows_no_life(extra: dict[str, str], is_watched: bool, tmp_path: Path) -> None:
    with manager(tmp_path, **extra) as made:
        made.until(lambda: "READY=1" in made.listen())
        time.sleep(5 * PERIOD)
        assert ("WATCHDOG=1" in made.listen()) is is_watched


@pytest.mark.parametrize("place", ["", "@", "relative", "/nowhere/notify", "/" + "x" * 200, "vsock:2:1"])
def test_a_place_that_takes_nothing_holds_nothing_up(place: str) -> None:
    made = Service({"NOTIFY_SOCKET": place, "WATCHDOG_USEC": "200000", "WATCHDOG_PID": str(os.getpid())})
    made.ready()
    made.alive()
    made.stopping()
    assert (made.period == 0.1) is place.startswith("/")


def test_a_manager_that_does_not_read_holds_nothing_up(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as full:
        full.bind(f"{tmp_path}/notify")
        made, start = Service({"NOTIFY_SOCKET": f"{tmp_path}/notify"}), time.monotonic()
        for _ in range(10_000):
            made.alive()
        assert time.monotonic() - start < 2


def test_a_bridge_of_the_cockpits_own_says_nothing(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"{tmp_path}/notify")
        listening.setblocking(False)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        notes = tmp_path / "notes"
        process = subprocess.Popen(
            [sys.executable, PROGRAM, f"fd:{theirs.fileno()}", f"noting:{notes}"], pass_fds=[theirs.fileno()],
            env=os.environ | {"NOTIFY_SOCKET": f"{tmp_path}/notify"})
        theirs.close()
        ours.settimeout(10)
        ours.recv(4096)
        ours.close()
        assert process.wait(10) == 0
        with pytest.raises(BlockingIOError):
            listening.recv(100)


def settings(name: str) -> list[str]:
    """What the bridge's unit says of a setting, in the order of its lines."""
    unit = Path(__file__).parents[2] / "share/systemd/system/cockpit-bridge.service"
    return [text.partition("=")[2] for text in unit.read_text().splitlines() if text.partition("=")[0] == name]


def test_the_unit_watches_the_bridge_and_starts_it_again_for_ever() -> None:
    assert settings("WatchdogSec") == ["1"] and settings("WatchdogSignal") == ["SIGKILL"]
    assert settings("Restart") == ["always"] and settings("StartLimitIntervalSec") == ["0"]
    assert float(settings("RestartSec")[0]) <= 0.1


def test_the_unit_gives_a_user_of_its_own_without_capabilities_and_keeps_the_system_from_it() -> None:
    assert settings("DynamicUser") == ["yes"] and settings("CapabilityBoundingSet") == [""] == settings("AmbientCapabilities")
    assert settings("ProtectSystem") == ["strict"] and settings("NoNewPrivileges") == ["yes"] and settings("ReadWritePaths") == []


def test_the_unit_reaches_only_sockets_can_and_serial_devices() -> None:
    assert set(settings("RestrictAddressFamilies")[0].split()) == {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_CAN"}
    assert settings("DevicePolicy") == ["closed"]
    serial = {"char-ttyACM", "char-ttyUSB", "char-ttyS", "char-ttyAMA", "char-pts"}
    assert {device.removesuffix(" rw") for device in settings("DeviceAllow")} == serial

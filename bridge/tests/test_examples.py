"""docs/examples as programs: the same rules, and a stop at their end."""

import ast
import contextlib
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import line, ready, safe

from cockpit_bridge import latch, lease

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


@contextlib.contextmanager
def consumer(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-B", str(EXAMPLES / "drive_consumer.py"), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def say(process: subprocess.Popen[bytes], *lines: bytes) -> list[str]:
    """Says lines, and returns what it prints for each."""
    assert process.stdin is not None and process.stdout is not None
    found = []
    for each in lines:
        os.write(process.stdin.fileno(), each + b"\n")
        found.append(process.stdout.readline().decode().split(" steering")[0])
    return found


def test_the_rules_are_the_bridges_own_files() -> None:
    assert (EXAMPLES / "drive_lease.py").resolve() == Path(lease.__file__).resolve()
    assert (EXAMPLES / "drive_latch.py").resolve() == Path(latch.__file__).resolve()


def drive_consumer() -> Any:
    """The module."""
    with contextlib.ExitStack() as stack:
        stack.callback(sys.path.remove, str(EXAMPLES))
        sys.path.insert(0, str(EXAMPLES))
        return importlib.import_module("drive_consumer")


def imported(file: Path) -> set[str]:
    """The modules that a program imports, by the first part of their names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found


def test_the_rules_need_only_python_and_read_neither_clock_nor_socket() -> None:
    assert imported(EXAMPLES / "drive_lease.py") <= {"collections", "dataclasses", "json", "math", "re"}


def test_the_examples_need_only_python() -> None:
    programs = [file for file in EXAMPLES.glob("*.py") if file.name != "drive_ros2.py"]
    known = sys.stdlib_module_names | {file.stem for file in programs}
    assert len(programs) >= 3 and {name for file in programs for name in imported(file) - known} == set()


@pytest.mark.parametrize("number", [
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM, signal.SIGIO, signal.SIGRTMIN])
def test_a_signal_that_ends_it_is_a_stop(number: int) -> None:
    with consumer("-") as process:
        assert say(process, ready(1), line(2))[-1] == "throttle +0.600"
        process.send_signal(number)
        process.send_signal(number)
        out = process.communicate(timeout=5)[0].decode().splitlines()
        assert process.returncode == 0 and out[-1].startswith("throttle +0.000") and "the consumer ends" in out[-1]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_stop_outlives_its_own_restart(end: int) -> None:
    with consumer("-") as process:
        assert say(process, ready(1), line(2), safe(3, "emergency-stop"))[1:] == ["throttle +0.600", "throttle +0.000"]
        process.send_signal(end)
        process.wait(timeout=5)
    for release, throttle in (("start", "throttle +0.000"), ("released", "throttle +0.600")):
        with consumer("-") as process:
            assert say(process, ready(1, release), safe(2), line(3))[-1] == throttle
    with consumer("-") as process:
        assert say(process, ready(1), line(2))[-1] == "throttle +0.600"


def test_lines_of_before_its_restart_move_nothing() -> None:
    """They were on their way when it was killed: a driver at rest says nothing that would show how late they are."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as cockpit:
        cockpit.bind(("127.0.0.1", 0))
        port = cockpit.getsockname()[1]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as cockpit:
        cockpit.connect(("127.0.0.1", port))

        def heard(process: subprocess.Popen[bytes], *lines: bytes) -> list[str]:
            """Says lines to it, and returns the throttles that it prints: once for each command that is another one."""
            assert process.stdout is not None
            while f": 0100007F:{port:04X} " not in Path("/proc/net/udp").read_text():
                time.sleep(0.005)
            for each in lines:
                cockpit.send(each)
                time.sleep(0.01)
            found = []
            while select.select([process.stdout.fileno()], [], [], 0.1)[0]:
                found += [each[:15].decode() for each in os.read(process.stdout.fileno(), 65536).splitlines()]
            return found

        with consumer(f"udp:127.0.0.1:{port}") as process:
            assert heard(process) == []  # It listens; only now the time of a line is its own.
            assert heard(process, ready(1), line(2))[:2] == ["throttle +0.000", "throttle +0.600"]
            process.kill()
            process.wait()
            old = time.monotonic()
        with consumer(f"udp:127.0.0.1:{port}") as process:
            rest = line(4, 0, 0, gear="N", brake=True, held=False, state="ready", t=old)
            assert "throttle +0.600" not in heard(process, rest, line(5, t=old + 0.001))
            assert "throttle +0.600" in heard(process, safe(6), line(7))


def test_a_stop_is_that_of_one_place() -> None:
    with consumer("-") as process:
        say(process, safe(1, "emergency-stop"))
    assert drive_consumer().Latch("-", "", "drive-consumer").read() != {} == drive_consumer().Latch("-", "can1", "drive-consumer").read()


def test_a_file_of_stops_that_cannot_be_read_is_a_stop() -> None:
    kept = drive_consumer().Latch("-", "", "drive-consumer")
    kept.write({"stops": 1})
    kept.path.write_bytes(b"{")
    with consumer("-") as process:
        assert say(process, ready(1), safe(2), line(3)) == ["throttle +0.000"] * 3
        assert say(process, ready(4, "released"), line(5))[-1] == "throttle +0.600"


@pytest.mark.parametrize(("name", "words"), [("drive_can", ["-", "can7"]), ("drive_ros2", ["-"])])
def test_the_other_examples_keep_a_stop_for_each_vehicle(name: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """They name the vehicle to the function that keeps it: two buses, or topics, may be served from the same place."""
    node = SimpleNamespace(
        declare_parameter=lambda *_: SimpleNamespace(value=1.0), create_publisher=lambda *_: SimpleNamespace(topic_name="can7"))
    signals = SimpleNamespace(SignalHandlerOptions=SimpleNamespace(NO=0))
    ros = SimpleNamespace(init=lambda **_: None, create_node=lambda _: node, spin=lambda _: None, shutdown=lambda: None)
    for each, made in {
            "rclpy": ros, "rclpy.signals": signals, "geometry_msgs": SimpleNamespace(), "geometry_msgs.msg": SimpleNamespace(Twist=None),
            "drive_consumer": SimpleNamespace(carry_out=lambda *_, **named: told.append(named))}.items():
        monkeypatch.setitem(sys.modules, each, made)
    told: list[dict[str, str]] = []
    module = runpy.run_path(str(EXAMPLES / f"{name}.py"))
    module["main"].__globals__["opened"] = lambda _: SimpleNamespace(send=None)
    monkeypatch.setattr(sys, "argv", [name, *words])
    module["main"]()
    assert told == [{"vehicle": "can7"}]


def test_what_waited_while_it_stood_still_moves_nothing_not_even_behind_the_end_of_a_stream() -> None:
    rules = drive_consumer().Rules(0.0)
    stream = "stream"
    assert rules.take([(ready(1), stream), (line(2), stream)], 0.01)[0].driving
    # A second: the first cockpit has ended meanwhile, and a new one drives.
    rules.returned = 0.01
    for got in ([(line(3), stream)], None, [(ready(1), stream), (line(2), stream)], [(line(3), stream)]):
        assert not rules.take(got, 1.01)[0].driving and rules.deadline <= 1.01
        rules.returned = 1.01
    rules.take([], 1.01)
    assert rules.take([(safe(4), stream), (line(5), stream)], 1.03)[0].driving


def test_nothing_resumes_and_the_lease_can_be_set() -> None:
    with consumer("-", "--lease", "300") as process:
        assert say(process, ready(1), line(2, rate=30)) == ["throttle +0.000", "throttle +0.600"]
        assert process.stdout is not None
        start = time.monotonic()
        assert b"no line in time" in process.stdout.readline()
        assert 0.25 < time.monotonic() - start < 0.5
        assert say(process, line(3, rate=30), safe(4), line(5, rate=30)) == ["throttle +0.000", "throttle +0.000", "throttle +0.600"]


@pytest.mark.parametrize("words", [["--lease", "149"], ["--lease", "501"], ["--lease", "x"]])
def test_a_lease_has_limits(words: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-B", str(EXAMPLES / "drive_consumer.py"), "-", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ended.returncode == 2 and "150 to 500" in ended.stderr and "Traceback" not in ended.stderr


@pytest.mark.parametrize("kind", ["udp", "unix"])
def test_its_senders_are_answered(kind: str, tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = f"{tmp_path}/car"
    with consumer(f"udp:{port}" if kind == "udp" else f"unix:{path}"):
        family, form = (socket.AF_INET, socket.SOCK_DGRAM) if kind == "udp" else (socket.AF_UNIX, socket.SOCK_STREAM)
        for _ in range(100):
            with contextlib.suppress(OSError), socket.socket(family, form) as sender:
                sender.settimeout(0.2)
                sender.connect(("127.0.0.1", port) if kind == "udp" else path)
                sent = line(1, id="aaaaaaaa", rate=30) + b"\n"
                sender.send(sent)
                answer = sender.recv(2048)
                fields = json.loads(answer)
                assert len(answer) <= len(sent) and fields["id"] == "aaaaaaaa" and fields["ack"] == 1 and fields["driver"] == "you"
                return
            time.sleep(0.05)
        raise AssertionError("no answer")


def test_without_a_host_it_listens_to_its_own_machine_only() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = f":{free.getsockname()[1]:04x} "
    with consumer(f"udp:{int(port[1:], 16)}"):
        bound = ""
        for _ in range(100):
            bound = Path("/proc/net/udp").read_text().lower()
            if port in bound:
                break
            time.sleep(0.05)
        assert f"0100007f{port}" in bound and f"00000000{port}" not in bound
        assert port not in Path("/proc/net/udp6").read_text().lower()


def test_a_file_moves_nothing(tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"\n".join(line(number) for number in range(1, 50)) + b"\n")
    with open(tmp_path / "lines", "rb") as recorded:
        ended = subprocess.run(
            [sys.executable, "-B", str(EXAMPLES / "drive_consumer.py"), "-"], stdin=recorded, capture_output=True, text=True, timeout=5)
    assert ended.returncode == 0 and "+0.600" not in ended.stdout

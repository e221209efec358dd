"""The file of a latched stop."""

import os
from pathlib import Path

import pytest

from cockpit_bridge import latch
from cockpit_bridge.latch import Latch, folder
from cockpit_bridge.lease import Lease

STOP = {"stops": [{"id": "aaaaaaaa", "host": "h", "press": 1}], "lifted": {}, "senders": []}


def test_what_was_written_is_read_and_nothing_is_nothing() -> None:
    assert Latch("udp:5005", "donkey:x").read() == {}
    Latch("udp:5005", "donkey:x").write(STOP)
    assert Latch("udp:5005", "donkey:x").read() == STOP
    assert Latch("udp:5006", "donkey:x").read() == {} == Latch("udp:5005", "donkey:y").read()
    assert folder().stat().st_mode & 0o777 == 0o700
    again = Latch("udp:5005", "donkey:x")
    again.read()
    again.write({})
    assert Latch("udp:5005", "donkey:x").read() == {} and not list(folder().iterdir())


def test_the_number_of_a_descriptor_makes_no_difference() -> None:
    Latch("fd:7", "donkey:x").write(STOP)
    assert Latch("fd:9", "donkey:x").read() == STOP


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 5000, b"\xff", b"{}" * 9, b"null", b"x" * 100_000])
def test_a_file_that_cannot_be_read_is_a_stop(content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    kept = Latch("-", "donkey:x")
    kept.write(STOP)
    kept.path.write_bytes(content)
    memory = Latch("-", "donkey:x").read()
    assert memory is None
    assert content == b"null" or capsys.readouterr().err.count("cannot be read") == 1


@pytest.mark.parametrize("kind", ["directory", "fifo", "link"])
def test_what_is_no_file_is_a_stop(kind: str) -> None:
    kept = Latch("-", "donkey:x")
    kept.path.parent.mkdir(0o700)
    {"directory": kept.path.mkdir, "fifo": lambda: os.mkfifo(kept.path), "link": lambda: kept.path.symlink_to("/etc/hostname")}[kind]()
    assert kept.read() is None


def test_a_folder_that_others_can_write_is_not_believed(capsys: pytest.CaptureFixture[str]) -> None:
    kept = Latch("-", "donkey:x")
    kept.path.parent.mkdir()
    kept.path.parent.chmod(0o777)
    assert kept.read() is None
    for press in range(3):
        kept.write({"stops": [], "lifted": {"aaaaaaaa": [press + 1, 0]}})
    assert capsys.readouterr().err.count("outlive") == 1


def test_without_a_runtime_folder_there_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr(latch.os, "access", lambda *_: True)
    assert folder() == Path("/run/cockpit-bridge")
    monkeypatch.setattr(latch.os, "access", lambda *_: False)
    assert folder() == Path(f"/tmp/cockpit-bridge-{os.getuid()}")


def test_the_memory_of_a_lease_fits() -> None:
    assert Lease(memory=STOP).memory == STOP

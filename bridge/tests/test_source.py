"""Where lines come from: whose they are, how many are read at once, and which places are none."""

import os
import socket
import time
from pathlib import Path

import pytest
from conftest import line, safe

from cockpit_bridge.lease import LONGEST
from cockpit_bridge.source import CONNECTIONS, MOST, STREAM, TURN, BadPlace, Batch, Source, host_and_port


def drained(source: Source) -> list[tuple[bytes, object]]:
    found: list[tuple[bytes, object]] = []
    while lines := source.read().lines:
        found += lines
    return found


@pytest.mark.parametrize(("text", "host", "port"), [
    ("5005", "", 5005), ("robot:1", "robot", 1), ("0.0.0.0:65535", "0.0.0.0", 65535), ("*:5005", "*", 5005), ("[::1]:5005", "::1", 5005),
    ("[fe80::1%eth0]:5005", "fe80::1%eth0", 5005)])
def test_a_place_is_a_host_and_a_port(text: str, host: str, port: int) -> None:
    assert host_and_port(text) == (host, port)


@pytest.mark.parametrize("text", [
    "", ":5005", "::1", "::1:5005", "[::1]", "[::1", "[robot]:5005", "[]:5005", "robot", "robot:", "robot:x", "robot:+5",
    "a:1:2"])
def test_a_place_that_is_none_is_a_sentence(text: str) -> None:
    with pytest.raises(BadPlace, match="is not"):
        host_and_port(text)


def test_a_datagram_is_one_line_with_its_senders_address() -> None:
    source = Source("udp:127.0.0.1:5099")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.bind(("127.0.0.1", 0))
        for data in (line(1) + b"\n", line(2) + b"\n" + line(3) + b"\n", b"", b"x" * 9000):
            sender.sendto(data, ("127.0.0.1", 5099))
        lines = drained(source)
        assert [address for _, address in lines] == [sender.getsockname()] * 4
        assert [data.count(b"\n") for data, _ in lines] == [1, 2, 0, 0] and len(lines[3][0]) == LONGEST + 1
        source.write_back(b"back\n", lines[0][1])
        assert sender.recv(100) == b"back\n"


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_star_is_every_address_of_both_kinds(family: socket.AddressFamily, host: str) -> None:
    port = {socket.AF_INET: 5097, socket.AF_INET6: 5098}[family]
    source, said = Source(f"udp:*:{port}"), line(1) + b"\n"
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.sendto(said, (host, port))
        assert [data for data, _ in drained(source)] == [said]


def test_a_reading_keeps_the_newest_lines_and_every_stop() -> None:
    reading, writing = os.pipe()
    source = Source(f"fd:{reading}")
    lines = [safe(1, "emergency-stop")] + [line(number) for number in range(2, MOST + 12)]
    os.write(writing, b"\n".join(lines) + b"\n")
    batch = source.read()
    assert batch.is_flooded and len(batch.lines) == MOST + 1
    assert b"emergency-stop" in batch.lines[0][0] and batch.lines[-1][0] == lines[-1] + b"\n"
    os.write(writing, line(999) + b"\n")
    assert not source.read().is_flooded


def test_a_reading_ends_however_much_arrives() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    source = Source(f"fd:{theirs.detach()}")

    class Endless(list[tuple[bytes, object]]):
        def append(self, item: tuple[bytes, object]) -> None:
            super().append(item)
            ours.send(b"more")

    ours.send(b"first")
    batch = Batch(lines=Endless())
    start = time.monotonic()
    next(iter(source._ends.values())).read(batch, start + TURN)
    assert time.monotonic() - start < 0.2 and 0 < len(batch.lines) <= MOST


def test_a_line_too_long_is_one_bad_line_wherever_it_is_cut() -> None:
    for size in (100, 512, 4096, 65536):
        reading, writing = os.pipe()
        source = Source(f"fd:{reading}")
        text = line(1) + b"\n" + b"x" * 2000 + b"\n" + line(2) + b"\n"
        found = []
        for at in range(0, len(text), size):
            os.write(writing, text[at:at + size])
            found += [data for data, _ in drained(source)]
        bad = [data for data in found if data.startswith(b"x")]
        assert len(bad) == 1 and len(bad[0]) > LONGEST
        assert [found[0], found[-1]] == [line_with_end for line_with_end in text.split(b"x" * 2000 + b"\n")[0:2]]


def test_a_unix_socket_hears_every_connection_under_an_address_of_its_own(tmp_path: Path) -> None:
    path = f"{tmp_path}/car"
    source = Source(f"unix:{path}")
    ends = []
    for number in range(CONNECTIONS + 1):
        ends.append(socket.socket(socket.AF_UNIX))
        ends[-1].connect(path)
        source.read()
    for number, end in enumerate(ends[:CONNECTIONS]):
        end.send(line(number + 1) + b"\n")
    lines = drained(source)
    assert len({address for _, address in lines}) == CONNECTIONS
    assert ends[-1].recv(1) == b""
    source.write_back(b"to the second\n", lines[1][1])
    assert ends[1].recv(100) == b"to the second\n"
    ends[0].close()
    batch = source.read()
    assert batch.ended == [lines[0][1]] and not batch.is_over


def test_the_end_of_a_stream_is_the_end_of_the_source() -> None:
    reading, writing = os.pipe()
    source = Source(f"fd:{reading}")
    os.write(writing, line(1))
    os.close(writing)
    batch = source.read()
    assert batch.is_over and batch.ended == [STREAM]


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_SEQPACKET])
def test_what_a_sender_does_not_read_is_dropped_in_whole_lines(kind: socket.SocketKind) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    source = Source(f"fd:{theirs.detach()}")
    for number in range(5000):
        source.write_back(b"%d:%s\n" % (number, b"x" * 300))
    ours.setblocking(False)
    got = b""
    try:
        while data := ours.recv(65536):
            got += data
    except BlockingIOError:
        pass
    assert all(len(each.split(b":")[1]) == 300 for each in got.splitlines())

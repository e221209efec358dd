"""The radio that stands between a cockpit and a bridge where receivers are measured, and the words of the tables that are made with it."""

import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from receivers import returns, scans
from receivers.pauses import Result, caption, table
from receivers.radio import Radio


class Ends:
    """A bridge behind a radio, and cockpits before it."""

    def __init__(self) -> None:
        self.bridge = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.bridge.bind(("127.0.0.1", 0))
        self.radio = Radio(self.bridge.getsockname())
        self.cockpits = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for each in (self.bridge, *self.cockpits):
            each.settimeout(0.3)
        for each in self.cockpits:
            host, port = self.radio.place.split(":")
            each.connect((host, int(port)))

    def end(self) -> None:
        self.radio.end()
        for each in (self.bridge, *self.cockpits):
            each.close()


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.end()


def test_each_cockpit_has_an_address_of_its_own_and_gets_its_answers(ends: Ends) -> None:
    for number, cockpit in enumerate(ends.cockpits):
        cockpit.send(b"line %d" % number)
    heard = [ends.bridge.recvfrom(100) for _ in ends.cockpits]
    assert heard[0][1] != heard[1][1]
    for line, address in heard:
        ends.bridge.sendto(b"answer to " + line, address)
    assert [cockpit.recv(100) for cockpit in ends.cockpits] == [b"answer to line 0", b"answer to line 1"]
    assert [each.line for each in ends.radio.lines] == [b"line 0", b"line 1"]


def test_a_cut_loses_what_comes_and_what_is_under_way_in_both_directions(ends: Ends) -> None:
    cockpit = ends.cockpits[0]
    cockpit.send(b"before")
    address = ends.bridge.recvfrom(100)[1]
    ends.radio.delay = 0.1
    cockpit.send(b"under way")
    time.sleep(0.03)
    ends.radio.is_cut = True
    cockpit.send(b"in the gap")
    ends.bridge.sendto(b"answer", address)
    time.sleep(0.2)
    ends.radio.is_cut, ends.radio.delay = False, 0.0
    cockpit.send(b"after")
    assert ends.bridge.recv(100) == b"after"
    with pytest.raises(TimeoutError):
        cockpit.recv(100)


def test_a_delay_that_ends_lets_nothing_overtake(ends: Ends) -> None:
    cockpit, radio = ends.cockpits[0], ends.radio
    radio.delay = 0.2
    start = time.monotonic()
    cockpit.send(b"1")
    time.sleep(0.05)
    radio.delay = 0.0
    cockpit.send(b"2")
    assert [ends.bridge.recv(100), ends.bridge.recv(100)] == [b"1", b"2"] and time.monotonic() - start > 0.19


def test_no_answers_come_back_if_there_are_none(ends: Ends) -> None:
    ends.radio.has_answers = False
    ends.cockpits[0].send(b"line")
    ends.bridge.sendto(b"answer", ends.bridge.recvfrom(100)[1])
    with pytest.raises(TimeoutError):
        ends.cockpits[0].recv(100)


def test_what_waited_for_the_end_of_a_pause_comes_at_once(ends: Ends) -> None:
    ends.radio.pauses = (0.15, 0.4)
    ends.bridge.setblocking(True)
    ends.bridge.settimeout(1)
    longest, last = 0.0, None
    end = time.monotonic() + 1.2
    while time.monotonic() < end:
        ends.cockpits[0].send(b"line")
        ends.bridge.recv(100)
        now = time.monotonic()
        longest, last = max(longest, now - (last or now)), now
        time.sleep(0.01)
    assert 0.1 < longest < 0.35


def test_the_table_says_what_the_first_line_was_and_the_caption_counts_the_faults() -> None:
    bad = Result(3, Counter({"safe, loop-hung": 2, "driving, none": 1}), driving=1, moved=1, repeated=2)
    results = {("SIGSTOP", "held"): Result(4, Counter({"safe, loop-hung": 4})), ("SIGTSTP", "left"): bad}
    lines = table(results)
    assert lines[2] == "| SIGSTOP | the finger stays | 4 | `safe, loop-hung` 4 | 0 | 0 |"
    assert lines[3].endswith("| 3 | `safe, loop-hung` 2; `driving, none` 1 | 1 | 1 |")
    words = " ".join(caption(results, "0123abcd"))
    assert "At 0123abcd on " in words and "`driving` in 1 of 7" in words and "in 1 of 7; 2 runs" in words


def returned(stopped: float | None = 135.0, moved: bool = False, again: bool = True) -> dict[str, object]:
    return {"stopped": stopped, "moved": moved, "again": again}


def test_a_cell_of_what_returns_says_each_fault() -> None:
    assert returns.cell(None) == "–"
    assert returns.cell([returned(), returned(155.4)]) == "0 of 2; stopped after 145 (155)"
    assert returns.cell([returned(), returned(moved=True)]).startswith("**1 of 2**; ")
    assert returns.cell([returned(None, True)]) == "**1 of 1**; **drove on** in 1"
    assert returns.cell([returned(again=False)]).endswith("no drive by a new touch in 1")


@pytest.mark.parametrize(("run", "status"), [
    (returned(), 0), (returned(moved=True), 1), (returned(None), 1), (returned(again=False), 1)])
def test_the_table_of_what_returns_keeps_other_rows_and_fails_for_a_fault(run: dict[str, object], status: int, tmp_path: Path) -> None:
    page, measured = tmp_path / "page.md", tmp_path / "returned.jsonl"
    page.write_text(f"before\n{returns.BEGIN}\nold\n{returns.END}\nafter\n")
    for name, commit, runs in (("slcan", "0123abcd", [returned()] * 3), ("mqtt", "4567abcd", [run])):
        for event in returns.EVENTS:
            returns.file(tmp_path, name, event).write_text(json.dumps({"runs": runs, "repeated": 0}))
        found = returns.write(tmp_path, page, measured, commit, 4, [name])
    assert found == status
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "0 of 3; stopped after 135 (135)" in text and "| 0123abcd, " in text and "At 4567abcd on " in text
    assert len(measured.read_text().splitlines()) == 2


def test_a_lease_is_told_by_its_stops_and_by_the_metres_of_the_median() -> None:
    lines = scans.table({300: scans.Result(scans=20, stops=1, times=[290.0, 300.0, 400.0])})
    assert lines[2] == "| 300 | 1 of 20 scans | 300 (400) | 0.3 | 0.6 | 1.5 |"

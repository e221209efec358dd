"""The words of the receivers' table, which rows a pass replaces, and which cells are measured at once."""

import fcntl
import json
from pathlib import Path

import pytest
from receivers.measure import EVENTS, Turns, cells, file
from receivers.table import BEGIN, END, Row, captions, cell, late, main, merge, read, table


def runs(*times: float | None, told: float | None = None) -> list[dict[str, float | None]]:
    return [{"stopped": time, "told": told, "load": 0.34} for time in times]


def row(name: str, *times: float | None, commit: str = "0123abcd", title: str = "a receiver") -> Row:
    return {
        "name": name, "title": title, "commit": commit, "date": "2026-01-02", "machine": "2 processors", "limit": 5.0, "repeated": 2,
        "events": {"cockpit killed": runs(*times)}}


def test_a_cell_says_median_and_worst() -> None:
    assert cell(runs(10, 90, 20), 5) == "20 (90)"


def test_a_receiver_that_did_not_stop_in_one_run_drives_on() -> None:
    assert cell(runs(None, None), 5) == "**drives on** for 5 s and more"
    assert cell(runs(10, None), 5) == "**drives on** in 1 of 2 for 5 s and more"
    assert cell(runs(None, None, told=3.0), 5) == "**drives on**; is notified after 3 (3)"


def test_a_cell_that_was_not_measured_is_a_dash_and_a_row_names_its_commit() -> None:
    lines = table([row("slcan", 10)])
    assert lines[2].count("–") == len(EVENTS) - 1 and lines[2].endswith("| 0123abcd, 2026-01-02 |")


@pytest.mark.parametrize(("name", "time", "is_late"), [
    ("foxglove", 250, False), ("foxglove", 251, True), ("foxglove", None, True), ("donkey", 200, False), ("donkey", 201, True)])
def test_a_stop_after_the_cockpits_death_has_a_limit(name: str, time: float | None, is_late: bool) -> None:
    assert bool(late([row(name, 10, time)])) == is_late


def test_rows_of_one_pass_share_a_caption() -> None:
    assert len(captions([row("slcan", 10), row("mqtt", 10)])) == 1
    both = captions([row("slcan", 10), row("mqtt", 10, commit="4567abcd")])
    assert both[0].startswith("At 0123abcd on 2026-01-02 (slcan), 2 processors. ") and both[1].startswith("At 4567abcd")


def test_a_new_row_replaces_its_own_and_keeps_the_others(tmp_path: Path) -> None:
    measured = tmp_path / "measured.jsonl"
    merge(measured, [row("slcan", 10), row("mqtt", 20)])
    rows = merge(measured, [row("slcan", 30, commit="4567abcd")])
    assert [(each["name"], each["commit"]) for each in rows] == [("mqtt", "0123abcd"), ("slcan", "4567abcd")]
    assert [json.loads(line) for line in measured.read_text().splitlines()] == rows


def test_the_page_keeps_what_stands_around_the_table(tmp_path: Path) -> None:
    page, measured = tmp_path / "page.md", tmp_path / "measured.jsonl"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    # A row that this pass did not measure: it was too late, which is no failure of this pass.
    merge(measured, [row("mqtt", 400)])
    for name, event in cells(["slcan"]):
        file(tmp_path, name, event).write_text(json.dumps({"limit": 5.0, "runs": runs(12), "repeated": 2}))
    assert main(tmp_path, page, measured, "4567abcd", 4, ["slcan"]) == 0
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "12 (12)" in text and "400 (400)" in text and "At 4567abcd on " in text
    caption = " ".join(text.split())
    assert "4 cells at a time" in caption and "34 % in the busiest; 10 of 15 runs were repeated" in caption


@pytest.mark.parametrize(("missing", "is_measured"), [("clean exit", False), ("link cut", False), ("link", True)])
def test_a_row_with_a_failed_cell_stays_as_it_was(tmp_path: Path, missing: str, is_measured: bool) -> None:
    for name, event in cells(["mqtt"]):
        if event != missing and not (missing == "link" and "link" in event):
            file(tmp_path, name, event).write_text(json.dumps({"limit": 5.0, "runs": runs(12), "repeated": 0}))
    assert bool(read(tmp_path, ["mqtt"], "4567abcd", 4)) == is_measured


def test_no_cell_starts_programs_while_another_times_a_stop(tmp_path: Path) -> None:
    ours, theirs = Turns(tmp_path), open(tmp_path / "turns", "wb")
    ours.time()
    fcntl.flock(theirs, fcntl.LOCK_SH | fcntl.LOCK_NB)
    with pytest.raises(BlockingIOError):
        fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)
    ours.end()
    fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(theirs, fcntl.LOCK_UN)
    ours.start()
    with pytest.raises(BlockingIOError):
        fcntl.flock(theirs, fcntl.LOCK_SH | fcntl.LOCK_NB)


def test_the_longest_cells_are_measured_first_and_a_serial_line_is_not_cut() -> None:
    assert cells(["slcan", "mqtt"])[0] == ("mqtt", "bridge stopped")
    assert len(cells(["slcan"])) == len(EVENTS) - 2 and len(set(cells(["donkey", "mqtt"]))) == 2 * len(EVENTS)

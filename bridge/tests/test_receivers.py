"""The words of the receivers' table, and which cells are measured at once."""

import fcntl
from pathlib import Path

import pytest
from receivers.measure import EVENTS, Turns, cells, file
from receivers.table import BEGIN, END, cell, late, main, table


def runs(*times: float | None, told: float | None = None) -> list[dict[str, float | None]]:
    return [{"stopped": time, "told": told} for time in times]


def test_a_cell_says_median_and_worst() -> None:
    assert cell(runs(10, 90, 20), 5) == "20 (90)"


def test_a_receiver_that_did_not_stop_in_one_run_drives_on() -> None:
    assert cell(runs(None, None), 5) == "**drives on** for 5 s and more"
    assert cell(runs(10, None), 5) == "**drives on** in 1 of 2 for 5 s and more"
    assert cell(runs(None, None, told=3.0), 5) == "**drives on**; is notified after 3 (3)"


def test_a_cell_that_was_not_measured_is_a_dash() -> None:
    lines = table({"slcan": {"limit": 5.0, "events": {"cockpit killed": runs(10)}}})
    assert lines[2].count("–") == len(EVENTS) - 1


@pytest.mark.parametrize(("name", "time", "is_late"), [
    ("foxglove", 250, False), ("foxglove", 251, True), ("foxglove", None, True), ("donkey", 200, False), ("donkey", 201, True)])
def test_a_stop_after_the_cockpits_death_has_a_limit(name: str, time: float | None, is_late: bool) -> None:
    assert bool(late({name: {"limit": 5.0, "events": {"cockpit killed": runs(10, time)}}})) == is_late


def test_the_page_keeps_what_stands_around_the_table(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    file(tmp_path, "slcan", "cockpit killed").write_text(
        '{"limit": 5.0, "runs": [{"stopped": 12, "told": null, "load": 0.34}], "repeated": 2}')
    assert main(tmp_path, page, 4) == 0
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "12 (12)" in text and "old" not in text
    assert "4 cells at a time" in text and "34 % in the busiest; 2 of 3 runs were repeated" in text


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

"""What a receiver does when the thing that stopped it is over, under a finger that was held all the time: nothing, before a new touch.

    python -m receivers.returns --cockpit FILE --hands FILE --runs N --out FOLDER "ROW: EVENT"
    python -m receivers.returns --list ROW ...
    python -m receivers.returns --table FOLDER PAGE MEASURED COMMIT JOBS ROW ...

The first form measures a cell, in a network namespace of its own; the second prints the cells of rows; the third writes them into PAGE between its
marks, with those of MEASURED that are older, and fails if anything moved.
"""

import argparse
import datetime
import json
import os
import signal
import statistics
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .chain import Chain, moves, stands
from .desk import Desk
from .measure import ROWS, Failed, Peer, file
from .table import NAMES, machine

BEGIN, END = "<!-- by ./dev receivers --returns: begin -->", "<!-- by ./dev receivers --returns: end -->"
GAP = 5.0  # Seconds without a link.
QUEUE = 2.0  # Seconds that lines are late in the end; the queue grows by 0.8 s a second.
WATCHED = 3.0  # Seconds in which nothing may move when it is over.
PAUSE_KEY = 119  # Of linux/input-event-codes.h: the emergency stop.


@dataclass
class Cell:
    """What one run needs: the chain that is driven, and a desk for another cockpit."""

    chain: Chain
    other: Desk | None
    is_one_way: bool  # No answers come back, so that the cockpit notices nothing and says `driving` all the time.
    known: set[tuple[str, int]] = field(default_factory=set)  # The addresses of the cockpit that drives, and of those before.


def watch(cell: Cell, began: float, end: float) -> dict[str, Any]:
    """When the receiver stopped after `began`, and whether it moved again before `end`; both as the receiver says."""
    time.sleep(max(end - time.monotonic(), 0))
    peer = cell.chain.peer
    stopped = peer.first(began, stands)
    moved = peer.first(stopped if stopped is not None else began, moves) is not None
    said = [each.line for each in list(cell.chain.radio.lines) if began < each.at]
    if cell.is_one_way and not all(b'"state":"driving"' in line for line in said):
        raise Failed("the cockpit itself had stopped")
    return {"stopped": None if stopped is None else round((stopped - began) * 1000, 1), "moved": moved}


def gap(cell: Cell) -> dict[str, Any]:
    """The radio is silent for five seconds."""
    cell.chain.radio.is_cut, began = True, time.monotonic()
    time.sleep(GAP)
    cell.chain.radio.is_cut = False
    return watch(cell, began, time.monotonic() + WATCHED)


def queue(cell: Cell) -> dict[str, Any]:
    """Lines come later and later, in order; then the queue is gone."""
    began = time.monotonic()
    while (passed := time.monotonic() - began) < QUEUE / 0.8 + 2:
        cell.chain.radio.delay = min(0.8 * passed, QUEUE)
        time.sleep(0.01)
    cell.chain.radio.delay = 0.0
    # What is under way still comes at its time.
    return watch(cell, began, time.monotonic() + QUEUE + WATCHED)


def stop(cell: Cell) -> dict[str, Any]:
    """Another cockpit, which was started after the one that drives, presses its emergency stop; a new touch of the first moves nothing then."""
    chain, other = cell.chain, cell.other
    assert other is not None
    ready = time.monotonic()
    began = _press(chain, other, cell.known)
    before = chain.peer.first(ready, stands)
    if before is not None and before < began:
        said = [each.line for each in chain.radio.lines if each.sender in cell.known and before - 0.5 < each.at and b'"safe"' in each.line]
        raise Failed(f"the vehicle had stopped before: {said[0].decode().strip() if said else chain.peer.changes[-3:]}")
    result = watch(cell, began, began + WATCHED)
    chain.desk.let_go()
    time.sleep(0.2)
    chain.desk.hold()
    time.sleep(1)
    result["moved"] = result["moved"] or chain.peer.first(began + 0.5, moves) is not None
    other.give(f"key press {PAUSE_KEY}")
    released = _heard(chain, cell.known, b'"released"', 5)
    other.give(f"key release {PAUSE_KEY}")
    if released is None:
        raise Failed("the other cockpit does not release its stop")
    time.sleep(0.2)
    return result


def _press(chain: Chain, other: Desk, known: set[tuple[str, int]]) -> float:
    """Presses until the line is there, and returns when it was: a window takes keys when it is shown."""
    for _ in range(40):
        other.give(f"key press {PAUSE_KEY}", f"key release {PAUSE_KEY}")
        at = _heard(chain, known, b'"emergency-stop"', 0.25)
        if at is not None:
            return at
    raise Failed("the other cockpit does not stop")


def _heard(chain: Chain, known: set[tuple[str, int]], word: bytes, seconds: float) -> float | None:
    """When a line with the word first came from a cockpit that is not one of the known, within so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for each in list(chain.radio.lines):
            if each.sender not in known and word in each.line:
                return each.at
        time.sleep(0.005)
    return None


EVENTS: dict[str, Callable[[Cell], dict[str, Any]]] = {
    "link cut for 5 s and back": gap, "second cockpit presses stop": stop, "lines 2 s late": queue}


def run(cell: Cell, event: str) -> dict[str, Any]:
    """One run: from a steady drive to the event, and to the new touch that must drive again."""
    if cell.other is None:
        return _run(cell, event)
    # Its start takes so much of the processors that the driving cockpit would stop; its first line has a lower number all the same.
    cell.known = {each.sender for each in cell.chain.radio.lines}
    second = cell.other.start(f"udp:{cell.chain.radio.place}")
    try:
        if _heard(cell.chain, cell.known, b'"start"', 10) is None:
            raise Failed("the other cockpit says nothing")
        time.sleep(1)
        return _run(cell, event)
    finally:
        second.kill()
        second.wait()


def _run(cell: Cell, event: str) -> dict[str, Any]:
    chain = cell.chain
    chain.drive()
    result = EVENTS[event](cell)
    chain.desk.let_go()
    time.sleep(0.6)
    try:
        chain.touch()
        return result | {"again": True}
    except Failed:
        return result | {"again": False}
    finally:
        chain.desk.let_go()
        time.sleep(0.3)


def measure(options: argparse.Namespace) -> int:
    """Measures a cell and writes it down."""
    name, event = options.cell.split(": ")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=False, capture_output=True)
    out = file(options.out, name, event)
    runs: list[dict[str, Any]] = []
    failures = 0
    desks = [Desk(options.cockpit, options.hands) for _ in range(2 if event.startswith("second") else 1)]
    try:
        with open(out.with_suffix(".log"), "wb") as log:
            while len(runs) < options.runs:
                chain, peer = None, Peer(name, False, log)
                # The second half of the runs; what another cockpit does is known by the answers only.
                is_one_way = len(desks) == 1 and len(runs) >= options.runs // 2
                until = options.runs if is_one_way or len(desks) == 2 else options.runs // 2
                try:
                    chain = Chain(ROWS[name].adapter, desks[0], peer, log, has_answers=not is_one_way)
                    # It has said something, and so has an address, before another cockpit starts.
                    chain.touch()
                    chain.desk.let_go()
                    while len(runs) < until:
                        runs.append(run(Cell(chain, desks[1] if len(desks) == 2 else None, is_one_way), event))
                except Failed as problem:
                    failures += 1
                    print(f"{name}, {event}: {problem}", file=sys.stderr, flush=True)
                    if failures > options.runs:
                        raise
                finally:
                    if chain is not None:
                        chain.end()
                    peer.end()
    finally:
        for desk in desks:
            desk.end()
    print(f"{name}, {event}: {cell(runs)}", flush=True)
    out.write_text(json.dumps({"runs": runs, "repeated": failures}))
    return 0


def cell(runs: list[dict[str, Any]] | None) -> str:
    """How often it moved, and after how many milliseconds it had stopped."""
    if not runs:
        return "–"
    times = [each["stopped"] for each in runs if each["stopped"] is not None]
    moved, drove_on, dead = (sum(map(bool, found)) for found in zip(
        *((each["moved"], each["stopped"] is None, not each["again"]) for each in runs), strict=True))
    words = f"{moved} of {len(runs)}" if not moved else f"**{moved} of {len(runs)}**"
    if times:
        words += f"; stopped after {statistics.median(times):.0f} ({max(times):.0f})"
    if drove_on:
        words += f"; **drove on** in {drove_on}"
    return words + (f"; no drive by a new touch in {dead}" if dead else "")


def write(folder: Path, page: Path, measured: Path, commit: str, jobs: int, names: list[str]) -> int:
    """Writes the table; returns 1 if anything moved in the new rows, or could not be driven afterwards."""
    old = [json.loads(line) for line in measured.read_text().splitlines()] if measured.exists() else []
    known = {row["name"]: row for row in old}
    problems = 0
    for name in names:
        found = {event: json.loads(path.read_text()) for event in EVENTS if (path := file(folder, name, event)).exists()}
        if not found:
            continue
        problems += sum(each["moved"] or each["stopped"] is None or not each["again"] for cell in found.values() for each in cell["runs"])
        known[name] = {
            "name": name, "title": NAMES[name](), "commit": commit, "date": str(datetime.date.today()), "machine": machine(jobs),
            "repeated": sum(cell["repeated"] for cell in found.values()), "events": {event: cell["runs"] for event, cell in found.items()}}
    rows = [known[name] for name in NAMES if name in known]
    measured.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    lines = [BEGIN, "", *_caption(rows), "", "| receiver | " + " | ".join(EVENTS) + " | measured at |", "|---" * (len(EVENTS) + 2) + "|"]
    for row in rows:
        cells = [cell(row["events"].get(event)) for event in EVENTS]
        lines.append(f"| {' | '.join([row['title'], *cells])} | {row['commit']}, {row['date']} |")
    text = page.read_text()
    page.write_text(text.split(BEGIN)[0] + "\n".join([*lines, "", END]) + text.split(END)[1])
    return 1 if problems else 0


def _caption(rows: list[dict[str, Any]]) -> list[str]:
    runs = [each for row in rows for runs in row["events"].values() for each in runs]
    commits = ", ".join(dict.fromkeys(f"{row['commit']} on {row['date']}" for row in rows))
    machines = "; ".join(dict.fromkeys(row["machine"] for row in rows))
    repeated = sum(row["repeated"] for row in rows)
    fewest = min((len(runs) for row in rows for runs in row["events"].values()), default=0)
    return textwrap.wrap(
        f"At {commits}, {machines}. How often the vehicle moved without a new touch, of at least {fewest} runs a cell, and the median (worst)"
        f" of the milliseconds from the event until it had stopped. It moved in {sum(each['moved'] for each in runs)} of {len(runs)} runs;"
        f" a new touch drove in {sum(each['again'] for each in runs)}. {repeated} runs were repeated, because the cockpit or KWin was late on a busy"
        " machine.", 138, break_long_words=False, break_on_hyphens=False)


def main() -> int:
    """Does what the first word says."""
    words = sys.argv[1:]
    if words[:1] == ["--list"]:
        print(*(f"{name}: {event}" for event in EVENTS for name in words[1:]), sep="\n", flush=True)
        return 0
    if words[:1] == ["--table"]:
        return write(Path(words[1]), Path(words[2]), Path(words[3]), words[4], int(words[5]), words[6:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cell", choices=[f"{name}: {event}" for name in ROWS for event in EVENTS])
    parser.add_argument("--cockpit", type=Path, required=True)
    parser.add_argument("--hands", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return measure(parser.parse_args())


if __name__ == "__main__":
    os._exit(main())

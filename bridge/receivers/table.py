"""The table of docs/receivers.md, from what the rows have measured.

    python -m receivers.table FOLDER PAGE MEASURED COMMIT JOBS ROW ...

FOLDER has a file for each cell of the ROWs, which were measured at COMMIT, JOBS cells at a time. MEASURED has all runs of all rows, one row a line, with
commit, date and machine. The ROWs replace their old lines there; a ROW with a failed cell leaves its old line as it is. The table in PAGE, between the
two marks, is then written from MEASURED. Fails if a receiver of the ROWs that obeys a stop obeyed it too late.
"""

import datetime
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import textwrap
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypedDict

from .measure import EVENTS, cells, file

BEGIN, END = "<!-- by ./dev receivers: begin -->", "<!-- by ./dev receivers: end -->"
LATEST = 250.0  # Milliseconds after the cockpit's death within which every receiver that obeys a stop has stopped.
LATEST_DONKEY = 200.0

Runs = list[dict[str, float | None]]


class Row(TypedDict):
    """A receiver and its runs in one pass."""

    name: str
    title: str
    commit: str
    date: str
    machine: str
    limit: float
    repeated: int
    events: dict[str, Runs]


def _package(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"


def _mosquitto() -> str:
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
    words = subprocess.run([program, "-h"], capture_output=True, text=True, check=False).stdout.split() if program else []
    return words[2] if len(words) > 2 else "?"


NAMES: dict[str, Callable[[], str]] = {
    "donkey": lambda: f"Donkeycar {_package('donkeycar')}: its web controller in its vehicle loop, 20 Hz",
    "mqtt": lambda: f"mosquitto {_mosquitto()} and a subscriber (paho {_package('paho-mqtt')})",
    "betaflight": lambda: "Betaflight 4.6 SITL, by MSP",
    "foxglove": lambda: f"the server of foxglove-sdk {_package('foxglove-sdk')}",
    "slcan": lambda: f"python-can {_package('python-can')}, slcan on a pty",
    "mavlink": lambda: f"*a model of* an ArduPilot rover (pymavlink {_package('pymavlink')}, override time 3.0 s)",
    "rosbridge": lambda: "*a model of* rosbridge_suite",
}


def cell(runs: Runs | None, limit: float) -> str:
    """Median and worst in milliseconds; what it does instead if it did not stop."""
    if not runs:
        return "–"
    times = [run["stopped"] for run in runs]
    stopped = [ms for ms in times if ms is not None]
    if len(stopped) == len(times):
        return f"{statistics.median(stopped):.0f} ({max(stopped):.0f})"
    told = [ms for run in runs if (ms := run["told"]) is not None]
    words = "**drives on**" if not stopped else f"**drives on** in {len(times) - len(stopped)} of {len(times)}"
    if len(told) == len(runs):
        return f"{words}; is notified after {statistics.median(told):.0f} ({max(told):.0f})"
    return f"{words} for {limit:.0f} s and more"


def table(rows: list[Row]) -> list[str]:
    """The lines of the table."""
    lines = ["| receiver | " + " | ".join(EVENTS) + " | measured at |", "|---" * (len(EVENTS) + 2) + "|"]
    for row in rows:
        cells = [cell(row["events"].get(event), row["limit"]) for event in EVENTS]
        lines.append(f"| {' | '.join([row['title'], *cells])} | {row['commit']}, {row['date']} |")
    return lines


def late(rows: list[Row]) -> list[str]:
    """Which receivers stopped too late after the cockpit was killed, in words."""
    found = []
    for row in rows:
        limit = LATEST_DONKEY if row["name"] == "donkey" else LATEST
        times = [run["stopped"] for run in row["events"].get("cockpit killed", [])]
        wrong = [ms for ms in times if ms is None or ms > limit]
        if wrong:
            found.append(f"{row['name']}: {len(wrong)} of {len(times)} runs took more than {limit:.0f} ms after the cockpit was killed")
    return found


def machine(jobs: int) -> str:
    """This machine, and how many cells it measures at a time, in words."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    words = [
        f"{os.cpu_count()} processors ({model[1] if model else platform.machine()})", f"Linux {platform.release()}",
        f"{jobs} cells at a time" if jobs > 1 else "one cell at a time"]
    if niceness := os.nice(0):
        words.append(f"nice {niceness}")
    return ", ".join(words)


def read(folder: Path, names: list[str], commit: str, jobs: int) -> list[Row]:
    """The rows of those names that have all their cells. Where a machine cuts no links at all, the cells of cut links are not missed."""
    rows: list[Row] = []
    for name in names:
        found = {event: json.loads(path.read_text()) for event in EVENTS if (path := file(folder, name, event)).exists()}
        cuts_links = any("link" in event for event in found)
        failed = [event for _, event in cells([name]) if event not in found and (cuts_links or "link" not in event)]
        if failed:
            print(f"{name}: the row stays as it was, for want of: {'; '.join(failed)}", file=sys.stderr)
            continue
        rows.append({
            "name": name, "title": NAMES[name](), "commit": commit, "date": str(datetime.date.today()), "machine": machine(jobs),
            "limit": next(iter(found.values()))["limit"], "repeated": sum(cell["repeated"] for cell in found.values()),
            "events": {event: cell["runs"] for event, cell in found.items()}})
    return rows


def merge(measured: Path, new: list[Row]) -> list[Row]:
    """All rows in the order of the table, after the new ones have replaced their old lines in the file."""
    old: list[Row] = [json.loads(line) for line in measured.read_text().splitlines()] if measured.exists() else []
    known = {row["name"]: row for row in old + new}
    rows = [known[name] for name in NAMES if name in known]
    measured.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return rows


def captions(rows: list[Row]) -> list[str]:
    """The lines above the table: for each pass its commit, date, machine, number of runs and load, then how many of Donkeycar's stops were in time."""
    passes: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        passes.setdefault((row["commit"], row["date"], row["machine"]), []).append(row)
    notes = []
    for (commit, date, where), members in passes.items():
        cells = [runs for row in members for runs in row["events"].values()]
        loads = [100 * load for runs in cells for run in runs if (load := run["load"]) is not None]
        repeated = sum(row["repeated"] for row in members)
        names = f" ({', '.join(row['name'] for row in members)})" if len(passes) > 1 else ""
        notes.append(
            f"At {commit} on {date}{names}, {where}. Median (worst) in milliseconds, of {min(map(len, cells))} runs a cell."
            f" The processors were {statistics.median(loads):.0f} % busy in the median run and {max(loads):.0f} % in the busiest;"
            f" {repeated} of {len(loads) + repeated} runs were repeated.")
    for runs in (row["events"].get("cockpit killed", []) for row in rows if row["name"] == "donkey"):
        on_time = sum(1 for run in runs if run["stopped"] is not None and run["stopped"] <= LATEST_DONKEY)
        notes.append(f"Donkeycar had stopped {on_time} of {len(runs)} times within {LATEST_DONKEY:.0f} ms of the cockpit's `kill -9`.")
    return [textwrap.fill(note, 138, break_long_words=False, break_on_hyphens=False) for note in notes]


def main(folder: Path, page: Path, measured: Path, commit: str, jobs: int, names: list[str]) -> int:
    """Writes the table into the page; returns 1 if a receiver stopped too late."""
    new = read(folder, names, commit, jobs)
    rows = merge(measured, new)
    text = page.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    notes = [line for note in captions(rows) for line in (note, "")]
    page.write_text(before + "\n".join([BEGIN, "", *notes, *table(rows), "", END]) + after)
    problems = late(new)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], int(sys.argv[5]), sys.argv[6:]))

"""The table of docs/receivers.md, from what the rows have measured.

    python -m receivers.table FOLDER PAGE JOBS

FOLDER has a file for each cell; JOBS of them were measured at a time. The page's lines between the two marks are replaced. Fails if a
receiver that obeys a stop does so too late.
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
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .measure import EVENTS, file

BEGIN, END = "<!-- by ./dev receivers: begin -->", "<!-- by ./dev receivers: end -->"
LATEST = 250.0  # Milliseconds after the cockpit's death within which every receiver that obeys a stop has stopped.
LATEST_DONKEY = 200.0

Runs = list[dict[str, float | None]]


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


def table(rows: dict[str, dict[str, object]]) -> list[str]:
    """The lines of the table."""
    lines = ["| receiver | " + " | ".join(EVENTS) + " |", "|---" * (len(EVENTS) + 1) + "|"]
    for name, title in NAMES.items():
        if name in rows:
            events, limit = rows[name]["events"], rows[name]["limit"]
            assert isinstance(events, dict) and isinstance(limit, float)
            lines.append(f"| {title()} | " + " | ".join(cell(events.get(event), limit) for event in EVENTS) + " |")
    return lines


def late(rows: dict[str, dict[str, object]]) -> list[str]:
    """Which receivers stopped too late after the cockpit was killed, in words."""
    found = []
    for name, row in rows.items():
        events = row["events"]
        assert isinstance(events, dict)
        limit = LATEST_DONKEY if name == "donkey" else LATEST
        times = [run["stopped"] for run in events.get("cockpit killed", [])]
        wrong = [ms for ms in times if ms is None or ms > limit]
        if wrong:
            found.append(f"{name}: {len(wrong)} of {len(times)} runs took more than {limit:.0f} ms after the cockpit was killed")
    return found


def read(folder: Path) -> dict[str, dict[str, object]]:
    """The rows, of the cells that were measured."""
    rows: dict[str, dict[str, object]] = {}
    for name in NAMES:
        found = {event: json.loads(path.read_text()) for event in EVENTS if (path := file(folder, name, event)).exists()}
        if found:
            limit = next(iter(found.values()))["limit"]
            rows[name] = {
                "limit": limit, "events": {event: cell["runs"] for event, cell in found.items()},
                "repeated": sum(cell["repeated"] for cell in found.values())}
    return rows


def caption(rows: dict[str, dict[str, object]], jobs: int) -> str:
    """What was measured, where, and what else the machine had to do."""
    cells = [runs for row in rows.values() for runs in row["events"].values()]  # type: ignore[attr-defined]
    loads = [100 * run["load"] for runs in cells for run in runs]
    done = subprocess.run(["git", "log", "-1", "--abbrev=8", "--format=%h"], capture_output=True, text=True, check=True)
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    words = [
        f"At {done.stdout.strip()} on {datetime.date.today()}, {os.cpu_count()} processors"
        f" ({model[1] if model else platform.machine()}), Linux {platform.release()}",
        f"{jobs} cells at a time" if jobs > 1 else "one cell at a time"]
    if niceness := os.nice(0):
        words.append(f"nice {niceness}")
    repeated = sum(row["repeated"] for row in rows.values())  # type: ignore[misc]
    notes = [
        ", ".join(words) + f". Median (worst) in milliseconds, of {min(map(len, cells))} runs a cell.",
        f"The processors were {statistics.median(loads):.0f} % busy in the median run and {max(loads):.0f} % in the busiest;"
        f" {repeated} of {len(loads) + repeated} runs were repeated."]
    donkey: Runs = rows.get("donkey", {"events": {}})["events"].get("cockpit killed", [])  # type: ignore[attr-defined]
    if donkey:
        on_time = sum(1 for run in donkey if run["stopped"] is not None and run["stopped"] <= LATEST_DONKEY)
        notes.append(f"Donkeycar had stopped {on_time} of {len(donkey)} times within {LATEST_DONKEY:.0f} ms of the cockpit's `kill -9`.")
    return " ".join(notes)


def main(folder: Path, page: Path, jobs: int) -> int:
    """Writes the table into the page; returns 1 if a receiver stopped too late."""
    rows = read(folder)
    text = page.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    page.write_text(before + "\n".join([BEGIN, "", caption(rows, jobs), "", *table(rows), "", END]) + after)
    problems = late(rows)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))

"""The table of docs/receivers.md, from what the rows have measured.

    python -m receivers.table FOLDER PAGE

FOLDER has a file ROW.json for each row. The page's lines between the two marks are replaced. Fails if a receiver that obeys a stop does so too late.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .measure import EVENTS

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


def main(folder: Path, page: Path) -> int:
    """Writes the table into the page; returns 1 if a receiver stopped too late."""
    rows = {name: json.loads((folder / f"{name}.json").read_text()) for name in NAMES if (folder / f"{name}.json").exists()}
    text = page.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    runs = {len(measured) for row in rows.values() for measured in row["events"].values()}
    donkey = [run["stopped"] for run in rows.get("donkey", {"events": {}})["events"].get("cockpit killed", [])]
    on_time = sum(1 for ms in donkey if ms is not None and ms <= LATEST_DONKEY)
    commit = subprocess.run(["git", "log", "-1", "--abbrev=7", "--date=short", "--format=At %h on %cd"], capture_output=True, text=True, check=True)
    notes = [f"{commit.stdout.strip()} ({os.cpu_count()} processors). Median (worst) in milliseconds, of {min(runs)} runs a cell."]
    if donkey:
        notes.append(f"Donkeycar had stopped {on_time} of {len(donkey)} times within {LATEST_DONKEY:.0f} ms of the cockpit's `kill -9`.")
    page.write_text(before + "\n".join([BEGIN, "", " ".join(notes), "", *table(rows), "", END]) + after)
    problems = late(rows)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

"""Which lease fits a Wi-Fi station that looks for other networks, and what a lease costs in metres.

    python -m receivers.scans --cockpit FILE --hands FILE --runs N --page PAGE --commit COMMIT

A scan pauses the station for about 200 ms; what waited comes at once then. For each lease: in how many of N scans under a steady drive the vehicle (a
model of a rosbridge robot) stopped, and in N cuts of the radio the time until it stood; the metres are those of the median. The cockpit gets no answers,
so that only the lease acts.
"""

import argparse
import os
import statistics
import sys
import textwrap
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import IO

from .chain import Chain, stands
from .desk import Desk
from .measure import Failed, Peer
from .table import machine

BEGIN, END = "<!-- by ./dev receivers --scans: begin -->", "<!-- by ./dev receivers --scans: end -->"
LEASES = (150, 200, 250, 300, 400, 500)  # Milliseconds, by --lease.
SCAN, EVERY = 0.2, 3.0  # Seconds of a scan, and between two.
SPEEDS = (1, 2, 5)  # Metres a second.


@dataclass
class Result:
    """What a lease came to."""

    scans: int = 0
    stops: int = 0
    times: list[float] = field(default_factory=list)  # Milliseconds from a cut until the vehicle stood.
    repeated: int = 0


def scan(chain: Chain, result: Result) -> None:
    """One scan under a steady drive."""
    chain.drive()
    while True:
        now = time.monotonic()
        chain.radio.pauses = (SCAN, EVERY)
        time.sleep(EVERY - now % EVERY)
        began = time.monotonic()
        time.sleep(SCAN + 0.5)
        stopped = chain.peer.first(began, stands)
        result.scans += 1
        if stopped is not None:
            result.stops += 1
        if stopped is not None or result.scans % 5 == 0:
            break
    chain.radio.pauses = None
    chain.desk.let_go()
    time.sleep(0.3)


def cut(chain: Chain, result: Result) -> None:
    """The radio is gone under a steady drive."""
    chain.drive()
    chain.radio.is_cut, began = True, time.monotonic()
    stopped = chain.peer.wait(stands, 2, began)
    time.sleep(0.5)
    chain.radio.is_cut = False
    chain.desk.let_go()
    time.sleep(0.3)
    if stopped is None:
        raise Failed("the vehicle did not stop")
    result.times.append((stopped - began) * 1000)


def measure(lease: int, runs: int, desk: Desk, log: IO[bytes]) -> Result:
    """All of one lease."""
    result = Result()
    while result.scans < runs or len(result.times) < runs:
        chain, peer = None, Peer("rosbridge", False, log)
        try:
            chain = Chain("rosbridge", desk, peer, log, lease=lease, has_answers=False)
            while result.scans < runs:
                scan(chain, result)
            while len(result.times) < runs:
                cut(chain, result)
        except Failed as problem:
            result.repeated += 1
            print(f"{lease} ms: {problem}", file=sys.stderr, flush=True)
            if result.repeated > runs:
                raise
        finally:
            if chain is not None:
                chain.end()
            peer.end()
    return result


def table(results: dict[int, Result]) -> list[str]:
    """The lines of the table."""
    lines = [
        "| `--lease` | stopped by a scan of 200 ms | from the cut until it stood, in ms: median (worst) | "
        + " | ".join(f"metres at {speed} m/s" for speed in SPEEDS) + " |", "|---" * (3 + len(SPEEDS)) + "|"]
    for lease, result in results.items():
        median, worst = statistics.median(result.times), max(result.times)
        metres = " | ".join(f"{speed * median / 1000:.1f}" for speed in SPEEDS)
        lines.append(
            f"| {lease} | {result.stops} of {result.scans} scans | {median:.0f} ({worst:.0f}) | {metres} |")
    return lines


def main() -> int:
    """Measures all, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("cockpit", "hands", "page"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--commit", required=True)
    options = parser.parse_args()
    desk = Desk(options.cockpit, options.hands)
    results: dict[int, Result] = {}
    try:
        with open(os.devnull, "wb") as log:
            for lease in LEASES:
                results[lease] = measure(lease, options.runs, desk, log)
                print(table({lease: results[lease]})[-1], flush=True)
    finally:
        desk.end()
    caption = textwrap.wrap(
        f"At {options.commit} on {date.today()}, {machine(1)}; {sum(result.repeated for result in results.values())} runs were repeated.", 138)
    text = options.page.read_text()
    options.page.write_text(
        text.split(BEGIN)[0] + "\n".join([BEGIN, "", *caption, "", *table(results), "", END]) + text.split(END)[1])
    return 0


if __name__ == "__main__":
    os._exit(main())

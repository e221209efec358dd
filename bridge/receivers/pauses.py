"""Pauses of the cockpit's whole process while it drives: what its first line afterwards is, and whether the vehicle moves without a new touch.

    python -m receivers.pauses --cockpit FILE --hands FILE --number N --page PAGE --commit COMMIT

A real cockpit, the real bridge and a model of a rosbridge robot. The table is written into PAGE between its marks; the program fails if a first line
was `driving`, or if the vehicle moved.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import IO

from .chain import Chain, moves
from .desk import Desk
from .measure import Failed, Peer
from .table import machine

BEGIN, END = "<!-- by ./dev receivers --pauses: begin -->", "<!-- by ./dev receivers --pauses: end -->"
SHORTEST, LONGEST = 0.3, 2.5  # Seconds of a pause. A process that runs again within 200 ms has lost nothing.
LEASE = 0.25  # Seconds after which the vehicle stands, in a pause: the bridge's lease, and what a message needs.
AFTER = 1.5  # Seconds after a pause in which nothing may move.
HANDS = {"held": "the finger stays", "lifted": "the finger is lifted meanwhile", "left": "the lever was left in its gear"}


def _are_stopped(process: int) -> bool:
    """Every thread of it stands still, by a signal or by a debugger."""
    states = [each.read_text().rsplit(")", 1)[1].split()[0] for each in Path(f"/proc/{process}/task").glob("*/stat")]
    return bool(states) and all(state in "tT" for state in states)


def _wait(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 20
    while not condition():
        if time.monotonic() > end:
            raise Failed(what)
        time.sleep(0.002)


@contextlib.contextmanager
def by_signal(process: int, number: int) -> Iterator[None]:
    """A signal that stops the process, then SIGCONT."""
    os.kill(process, number)
    try:
        _wait(lambda: _are_stopped(process), f"{signal.Signals(number).name} does not stop the cockpit")
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@contextlib.contextmanager
def by_debugger(process: int) -> Iterator[None]:
    """gdb attaches, and detaches again."""
    debugger = subprocess.Popen(
        ["gdb", "-nx", "-q", "-iex", "set debuginfod enabled off", "-p", str(process)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    assert debugger.stdin is not None
    try:
        _wait(lambda: _are_stopped(process), "gdb does not stop the cockpit")
        yield
    finally:
        with contextlib.suppress(OSError):
            debugger.stdin.write(b"detach\nquit\n")
            debugger.stdin.close()
        debugger.wait()


@dataclass(frozen=True)
class Group:
    """A control group that can be frozen: what to write for it, and where its state can be read."""

    folder: Path
    file: str
    words: tuple[str, str]
    state: tuple[str, str]  # The file, and what it says once all processes are frozen.


def freezer() -> Group | None:
    """A new control group; None where there is none to be had."""
    second = ("cgroup.freeze", ("1", "0"), ("cgroup.events", "frozen 1"))
    first = ("freezer.state", ("FROZEN", "THAWED"), ("freezer.state", "FROZEN\n"))
    for place, (file, words, state) in (("/sys/fs/cgroup", second), ("/sys/fs/cgroup/unified", second), ("/sys/fs/cgroup/freezer", first)):
        folder = Path(place) / f"cockpit-pauses-{os.getpid()}"
        with contextlib.suppress(OSError):
            if (Path(place) / "cgroup.procs").exists():
                folder.mkdir(exist_ok=True)
                if (folder / file).exists():
                    return Group(folder, file, words, state)
                folder.rmdir()
    return None


@contextlib.contextmanager
def by_freezer(process: int, group: Group) -> Iterator[None]:
    """The control group is frozen, as `docker pause` does it."""
    (group.folder / "cgroup.procs").write_text(str(process))
    (group.folder / group.file).write_text(group.words[0])
    try:
        _wait(lambda: group.state[1] in (group.folder / group.state[0]).read_text(), "the control group does not freeze")
        yield
    finally:
        (group.folder / group.file).write_text(group.words[1])


def kinds(group: Group | None) -> dict[str, Callable[[int], contextlib.AbstractContextManager[None]]]:
    """The kinds of pauses that this machine can make."""
    found: dict[str, Callable[[int], contextlib.AbstractContextManager[None]]] = {
        "SIGSTOP": lambda process: by_signal(process, signal.SIGSTOP), "SIGTSTP": lambda process: by_signal(process, signal.SIGTSTP)}
    if group is not None:
        found["a frozen control group"] = lambda process: by_freezer(process, group)
    if shutil.which("gdb"):
        found["a debugger"] = by_debugger
    return found


@dataclass
class Result:
    """What the pauses of one kind and one hand came to: the reasons of the first lines, those that were `driving`, the times that the vehicle moved."""

    number: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    driving: int = 0
    moved: int = 0
    repeated: int = 0


def first_line(chain: Chain, after: float) -> dict[str, object]:
    """The first line that the cockpit said after that time."""
    found: list[bytes] = []

    def has_come() -> bool:
        found[:] = [each.line for each in list(chain.radio.lines) if each.at > after]
        return bool(found)

    _wait(has_come, "the cockpit says nothing after the pause")
    told: dict[str, object] = json.loads(found[0])
    return told


def pause(chain: Chain, hand: str, kind: Callable[[int], contextlib.AbstractContextManager[None]], result: Result) -> None:
    """One pause under a drive, and what came of it."""
    chain.drive()
    if hand == "left":
        chain.desk.let_go()
        time.sleep(0.3)
    before = chain.peer.changes[-1]
    if before[1] < 0.5:
        raise Failed("the vehicle does not drive")
    length = random.uniform(SHORTEST, LONGEST)
    with kind(chain.cockpit.pid):
        # What was sent before has arrived by then.
        time.sleep(0.02)
        begun = time.monotonic()
        time.sleep(length / 2)
        if hand == "lifted":
            chain.desk.let_go()
        time.sleep(length / 2)
    told = first_line(chain, begun)
    time.sleep(AFTER)
    result.number += 1
    result.reasons[f"{told['state']}, {told['reason']}"] += 1
    result.driving += told["state"] == "driving"
    result.moved += chain.peer.first(begun + LEASE, moves) is not None
    chain.desk.let_go()
    time.sleep(0.1)


def measure(hand: str, name: str, number: int, options: argparse.Namespace, group: Group | None, log: IO[bytes]) -> Result:
    """So many pauses of one kind, of one cockpit."""
    result = Result()
    desk = Desk(options.cockpit, options.hands)
    try:
        while result.number < number:
            peer = Peer("rosbridge", False, log)
            chain = None
            try:
                chain = Chain("rosbridge", desk, peer, log, ("--dead-man", "off") if hand == "left" else ())
                while result.number < number:
                    pause(chain, hand, kinds(group)[name], result)
            except Failed as problem:
                result.repeated += 1
                print(f"{name}, {HANDS[hand]}: {problem}", file=sys.stderr, flush=True)
                if result.repeated > 10 + number:
                    raise
            finally:
                if chain is not None:
                    chain.end()
                peer.end()
    finally:
        desk.end()
    return result


def table(results: dict[tuple[str, str], Result]) -> list[str]:
    """The lines of the table."""
    lines = ["| pause | hand | pauses | first line afterwards | of it `driving` | the vehicle moved |", "|---" * 6 + "|"]
    for (kind, hand), result in results.items():
        reasons = "; ".join(f"`{words}` {count}" for words, count in result.reasons.most_common())
        lines.append(f"| {kind} | {HANDS[hand]} | {result.number} | {reasons} | {result.driving} | {result.moved} |")
    return lines


def caption(results: dict[tuple[str, str], Result], commit: str) -> list[str]:
    """The lines above it."""
    number, driving, moved, repeated = (
        sum(getattr(result, name) for result in results.values()) for name in ("number", "driving", "moved", "repeated"))
    return textwrap.wrap(
        f"At {commit} on {date.today()}, {machine(1)}: {number} pauses of {SHORTEST} to {LONGEST} s. The first line afterwards was `driving`"
        f" in {driving} of {number}, and the vehicle moved without a new touch in {moved} of {number}; {repeated} runs in which it did not drive"
        " before the pause were repeated.", 138, break_long_words=False, break_on_hyphens=False)


def main() -> int:
    """Measures all, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("cockpit", "hands", "page"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--number", type=int, required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--log", type=Path, default=Path(os.devnull))
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    group = freezer()
    cells = [(kind, hand) for kind in kinds(group) for hand in HANDS]
    results: dict[tuple[str, str], Result] = {}
    with open(options.log, "wb") as log:
        for at, (kind, hand) in enumerate(cells):
            number = (options.number * (at + 1)) // len(cells) - (options.number * at) // len(cells)
            results[kind, hand] = measure(hand, kind, number, options, group, log)
            print(table({(kind, hand): results[kind, hand]})[-1], flush=True)
    if group is not None:
        with contextlib.suppress(OSError):
            group.folder.rmdir()
    text = options.page.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    options.page.write_text(before + "\n".join([BEGIN, "", *caption(results, options.commit), "", *table(results), "", END]) + after)
    return 1 if any(result.driving or result.moved for result in results.values()) else 0


if __name__ == "__main__":
    os._exit(main())

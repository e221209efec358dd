"""One cell of the table: what a receiver does when the cockpit, the bridge or the link is gone, and after how many milliseconds.

Run it in a network namespace of its own (`unshare --net`): it lays a cable there. Cells then share nothing but the processors, and `Turns` keeps them
from disturbing each other there, so several can be measured at once.

    python -m receivers.measure --cockpit FILE --hands FILE --runs N --out FOLDER "ROW: EVENT"
    python -m receivers.measure --list ROW ...

The second form prints the cells of rows, the longest first.
"""

import argparse
import fcntl
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from . import network
from .desk import Desk

THROTTLE = 0.6
MORE = {("donkey", "cockpit killed"): 5}  # So many times the runs: Donkeycar keeps the last throttle for ever.
STEADY = 1.0  # Seconds of driving before something is taken away: longer than the cockpit takes to find its picture or its compositor late.
PROMPT = 0.5  # Seconds after the event in which no other cell starts programs. A receiver that has not stopped by then has a timeout of seconds, or none.


class Failed(Exception):
    """A run that did not come to its event."""


@dataclass(frozen=True)
class Row:
    """A receiver: its adapter, and how long it is watched after the event."""

    adapter: str
    limit: float = 3.0
    has_cable: bool = False  # A serial line: nothing to cut but the line itself.


ROWS = {
    "donkey": Row("donkey"), "foxglove": Row("foxglove"), "rosbridge": Row("rosbridge"), "mavlink": Row("mavlink", 5.0),
    "mqtt": Row("mqtt", 14.0), "betaflight": Row("msp"), "slcan": Row("slcan", has_cable=True),
}


class Turns:
    """Keeps a cell from starting programs while another cell times a stop, by a lock on a file in the folder that the cells share.

    Starting a cell's programs keeps two processors busy for half a second, which would lengthen the stop that another cell times. So one cell at a time
    starts programs, and none times a stop meanwhile. Several cells may time stops at once, because that needs little processor time.
    """

    def __init__(self, folder: Path) -> None:
        self._file = open(folder / "turns", "wb")

    def start(self) -> None:
        """Waits until no other cell times a stop or starts programs, and keeps them from both."""
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def time(self) -> None:
        """Waits until no cell starts programs, and keeps them from it."""
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def end(self) -> None:
        """Lets the other cells go on. Does nothing if it is not this cell's turn."""
        fcntl.flock(self._file, fcntl.LOCK_UN)


class Peer:
    """The receiver's program, and the changes that it told."""

    def __init__(self, name: str, has_network: bool, log: IO[bytes]) -> None:
        begin = ["unshare", "--net"] if has_network else []
        address = network.NEAR if has_network else "127.0.0.1"
        self.process = subprocess.Popen(
            [*begin, sys.executable, "-m", "receivers.peer", name, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=log)
        self.cable = self._lay() if has_network else None
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        self.changes: list[tuple[float, float, bool]] = []
        assert self.process.stdout is not None
        words = self.process.stdout.readline().decode().split()
        if words[:1] != ["ready"]:
            self.end()
            raise Failed(f"the receiver {name} does not start")
        self._place = words[1]
        threading.Thread(target=self._read, daemon=True).start()

    def _lay(self) -> network.Cable:
        # `unshare` is in its namespace when it has become the program.
        mine = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self.process.pid}/ns/net") == mine:
            time.sleep(0.005)
        return network.Cable(self.process.pid)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for text in self.process.stdout:
            at, throttle, told = text.split()
            self.changes.append((float(at), float(throttle), told == b"1"))

    def end(self) -> None:
        """Ends the program, and its network with it."""
        if self.cable is not None:
            self.cable.end()
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def place(self, host: str) -> str:
        """Where the bridge finds it, from a machine that knows it as `host`."""
        if self._place == ":14550":
            return "0.0.0.0:14550"  # A vehicle calls, from another machine too: the bridge listens.
        return self._place.replace("socket://:", f"socket://{host}:") if "//" in self._place else (
            host + self._place if self._place.startswith(":") else self._place)

    def first(self, after: float, condition: Callable[[float, bool], bool]) -> float | None:
        """When the condition was first true, from `after` on; None if it never was."""
        # What held at that time, then every change since.
        changes = list(self.changes)
        held = [(after, throttle, told) for at, throttle, told in changes if at <= after][-1:]
        return next((at for at, throttle, told in held + [new for new in changes if new[0] > after] if condition(throttle, told)), None)

    def wait(self, condition: Callable[[float, bool], bool], seconds: float, after: float = 0.0) -> float | None:
        """Waits until the condition is true; returns when it was."""
        end = time.monotonic() + seconds
        while (found := self.first(after, condition)) is None and time.monotonic() < end:
            time.sleep(0.002)
        return found


class Run:
    """A cockpit in a hand, a bridge and the receiver, from the start to the event and after."""

    def __init__(self, row: Row, desk: Desk, peer: Peer, on_robot: bool, log: IO[bytes]) -> None:
        self.desk, self.peer = desk, peer
        program = [sys.executable, "-m", "cockpit_bridge"]
        if on_robot:
            receiver = f"{row.adapter}:{peer.place('127.0.0.1')}"
            self.bridge = subprocess.Popen([*network.inside(peer.process.pid), *program, "udp:0.0.0.0:5005", receiver], stderr=log)
            # A robot's bridge is there before its driver.
            self._wait_for_port(5005)
            self.cockpit = desk.start(f"udp:{network.FAR}:5005")
            return
        output, into = os.pipe()
        receiver = f"{row.adapter}:{peer.place(network.FAR if peer.cable else '127.0.0.1')}"
        self.bridge = subprocess.Popen([*program, "-", receiver], stdin=output, stderr=log)
        self.cockpit = desk.start("-", into)
        os.close(output)
        os.close(into)

    def _wait_for_port(self, port: int) -> None:
        for _ in range(500):
            tables = [Path(f"/proc/{self.bridge.pid}/net/{table}").read_text() for table in ("udp", "udp6")]
            if any(f":{port:04X} " in table for table in tables):
                return
            time.sleep(0.02)
        raise Failed("the bridge does not listen")

    def drive(self, turns: Turns) -> None:
        """Returns when the receiver has been driving steadily, in this cell's turn to time a stop. Until the receiver drives, it is the turn to start."""
        # The receiver may still hold what the last run left behind: the new bridge's neutral ends that.
        if self.peer.wait(lambda throttle, _: abs(throttle) < 0.01, 10.0, time.monotonic()) is None:
            raise Failed("the receiver keeps what the last run left behind")
        for attempt in range(12):
            if self.peer.process.poll() is not None:
                break
            begun = time.monotonic()
            self.desk.hold()
            # A window takes touches when it is shown; Betaflight takes commands when they have come for a second.
            patience = 0.4 if attempt % 6 < 4 else 3.0
            if self.peer.wait(lambda throttle, _: abs(throttle - THROTTLE) < 0.01, patience, begun) is not None:
                turns.time()
                began, self.logged = time.monotonic(), self.desk.log.stat().st_size
                time.sleep(STEADY + random.random() / 10)
                if self.peer.first(began, lambda throttle, _: abs(throttle - THROTTLE) > 0.01) is None:
                    return
            turns.end()
            self.desk.let_go()
        raise Failed("the receiver does not drive")

    def judge(self, known: str = "") -> None:
        """Throws if the cockpit has ended the drive for a reason of its own, as when a busy machine's compositor is late: then nothing was measured.

        `known` are the reasons that come of what was taken away.
        """
        with open(self.desk.log, "rb") as log:
            log.seek(self.logged)
            reasons = {found.decode() for found in re.findall(rb": safe (\S+),", log.read())} - set(known.split())
        if reasons:
            raise Failed(f"the cockpit itself had stopped: {', '.join(sorted(reasons))}")

    def end(self) -> None:
        """Ends what still runs, and mends the cable."""
        for process in (self.cockpit, self.bridge):
            process.kill()
            process.wait()
        if self.peer.cable is not None:
            self.peer.cable.mend()
        self.desk.let_go()


def cut(run: Run) -> None:
    """The link goes without a word."""
    assert run.peer.cable is not None
    run.peer.cable.cut()


EVENTS: dict[str, Callable[[Run], object]] = {
    "cockpit killed": lambda run: run.cockpit.send_signal(signal.SIGKILL),
    "cockpit stopped": lambda run: run.cockpit.send_signal(signal.SIGSTOP),
    "clean exit": lambda run: run.cockpit.send_signal(signal.SIGTERM),
    "bridge killed": lambda run: run.bridge.send_signal(signal.SIGKILL),
    "bridge stopped": lambda run: run.bridge.send_signal(signal.SIGSTOP),
    "link cut": cut,
    "link cut, bridge on the robot": cut,
}


def measure(row: Row, event: str, desk: Desk, peer: Peer, turns: Turns, log: IO[bytes]) -> dict[str, float | None]:
    """One run: milliseconds until the throttle was 0, and until the receiver knew; None for never."""
    turns.start()
    run = Run(row, desk, peer, event.endswith("robot"), log)
    try:
        run.drive(turns)
        run.judge()
        began = time.monotonic()
        EVENTS[event](run)
        stopped = peer.wait(lambda throttle, _: abs(throttle) < 0.01, min(row.limit, PROMPT), began)
        turns.end()
        if stopped is None:
            stopped = peer.wait(lambda throttle, _: abs(throttle) < 0.01, began + row.limit - time.monotonic(), began)
        told = None if stopped is not None else peer.first(began, lambda _, told: told)
        run.judge(known="linkLost terminated")
    finally:
        turns.end()
        run.end()
    return {name: None if at is None else round((at - began) * 1000, 1) for name, at in (("stopped", stopped), ("told", told))}


def file(folder: Path, row: str, event: str) -> Path:
    """Where a cell's runs are written down."""
    return folder / f"{row}-{event.replace(',', '').replace(' ', '-')}.json"


def used() -> tuple[float, float]:
    """The processor time that all programs have used since the machine started, and what there was of it."""
    ticks = [float(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def cells(rows: list[str]) -> list[tuple[str, str]]:
    """The cells of rows that exist, the longest first, so that the last ones end together."""
    found = [(row, event) for row in rows for event in EVENTS if not ("link" in event and ROWS[row].has_cable)]
    # What a sender's death leaves to the receiver lasts as long as the receiver is watched.
    lasts = {cell: (ROWS[cell[0]].limit if cell[1] in ("bridge stopped", "link cut") else 0.0) + 3.0 for cell in found}
    return sorted(found, key=lambda cell: -lasts[cell] * MORE.get(cell, 1))


def main() -> int:
    """Measures a cell and writes it down."""
    if sys.argv[1:2] == ["--list"]:
        print(*(": ".join(cell) for cell in cells(sys.argv[2:])), sep="\n", flush=True)
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cell", choices=[": ".join(cell) for cell in cells(list(ROWS))])
    parser.add_argument("--cockpit", type=Path, required=True)
    parser.add_argument("--hands", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    name, event = options.cell.split(": ")
    row, has_network = ROWS[name], network.is_possible()
    if "link" in event and not has_network:
        print(f"{name}: no network namespace and cable (ip, nsenter, unshare) here: the link is not cut", file=sys.stderr, flush=True)
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runs: list[dict[str, float | None]] = []
    failures = 0
    out = file(options.out, name, event)
    log, turns = open(out.with_suffix(".log"), "wb"), Turns(options.out)
    turns.start()
    desk = Desk(options.cockpit, options.hands)
    peer: Peer | None = None
    try:
        while len(runs) < options.runs * MORE.get((name, event), 1):
            before = used()
            try:
                if peer is None:
                    turns.start()
                    peer = Peer(name, has_network, log)
                runs.append(measure(row, event, desk, peer, turns, log))
            except Failed as problem:
                failures += 1
                print(f"{name}, {event}: {problem}", file=sys.stderr, flush=True)
                if failures > 10:
                    raise
                # What failed may have left the receiver in any state.
                if peer is not None:
                    peer.end()
                    peer = None
                continue
            after = used()
            runs[-1]["load"] = round((after[0] - before[0]) / max(after[1] - before[1], 1.0), 2)
    finally:
        desk.end()
    print(f"{name}, {event}: {[None if run['stopped'] is None else round(run['stopped']) for run in runs]}", flush=True)
    out.write_text(json.dumps({"limit": row.limit, "runs": runs, "repeated": failures}))
    return 0


if __name__ == "__main__":
    os._exit(main())

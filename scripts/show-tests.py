#!/usr/bin/env python3
"""show-tests.py EVENTS LOG LAST PATIENCE -- SWIFT-TEST...

Runs swift test and shows of it what somebody who waits needs: how many tests are done, and each failure as it happens. LOG gets everything that
swift test and the programs that the tests start print, LAST the last line of swift test itself; EVENTS is the file of events that swift test
writes. Where swift test ends without a last line (a crash), the end of LOG is shown. A run in which no test begins or ends for PATIENCE seconds
hangs: it is killed, and the tests that were running are named.
"""
import json
import os
import re
import signal
import subprocess
import sys
import time

events_path, log_path, last_path = sys.argv[1:4]
patience = float(sys.argv[4])
command = sys.argv[6:]
is_terminal = sys.stdout.isatty()
LAST = re.compile(r"Test run with .* after ")


class Progress:
    """What the events have said so far."""

    def __init__(self):
        self.tests, self.running, self.done, self.failed = {}, set(), 0, 0
        self.shown, self.started = 0, time.monotonic()
        self.changed = self.started

    def take(self, record):
        self.changed = time.monotonic()
        payload = record["payload"]
        kind = payload["kind"]
        if record["kind"] == "test":
            if kind == "function":
                name = payload.get("displayName", payload["name"])
                self.tests[payload["id"]] = f"{payload['id'].split('/')[0]}: {name}"
        elif kind == "testStarted" and payload.get("testID") in self.tests:
            self.running.add(payload["testID"])
        elif kind == "testEnded" and payload.get("testID") in self.tests:
            self.running.discard(payload["testID"])
            self.done += 1
        elif kind == "issueRecorded" and not payload["issue"].get("isKnown") and payload["issue"].get("severity") != "warning":
            self.failed += 1
            place = payload["issue"].get("sourceLocation") or {}
            where = f" ({os.path.relpath(place['_filePath'])}:{place['line']})" if place.get("_filePath") else ""
            self.clear()
            print(f"✘ {self.tests.get(payload.get('testID'), 'a test')}{where}")
            for message in payload["messages"]:
                print("    " + message["text"].replace("\n", "\n    "))
            sys.stdout.flush()

    def show(self):
        """On a terminal a line that stays in place; elsewhere one for each tenth of the tests."""
        total = len(self.tests)
        if is_terminal:
            print(f"\r\033[K{self.done} of {total} tests, {self.failed} failures", end="", flush=True)
        elif total and self.done * 10 // total > self.shown:
            self.shown = self.done * 10 // total
            print(f"{self.done} of {total} tests after {time.monotonic() - self.started:.0f} s", flush=True)

    def show_hang(self):
        """Names what was running when nothing happened any more."""
        self.clear()
        print(f"✘ no test has begun or ended for {patience:.0f} s, and these have not ended:")
        for test in sorted(self.running):
            print("    " + self.tests[test])
        sys.stdout.flush()

    @staticmethod
    def clear():
        if is_terminal:
            print("\r\033[K", end="")


def follow(process, progress):
    """Reads the events as they are written, until the process has ended and all of them are read."""
    rest, file = b"", None
    while True:
        has_ended = process.poll() is not None
        if file is None and os.path.exists(events_path):
            file = open(events_path, "rb")
        data = file.read() if file is not None else b""
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if line.strip():
                progress.take(json.loads(line))
        progress.show()
        if has_ended and not data:
            return progress.clear()
        if not has_ended and time.monotonic() - progress.changed > max(patience, 0 if progress.tests else 600):
            progress.show_hang()
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        time.sleep(0.2)


with open(log_path, "wb") as log:
    # A group of its own, so that a run that hangs is killed with every process that it has started.
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, process_group=0)
    try:
        follow(process, Progress())
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGINT)
        process.wait()
        sys.exit(130)
with open(log_path, errors="replace") as log:
    lines = log.read().splitlines()
ends = [line for line in lines if LAST.search(line)]
if ends:
    with open(last_path, "w") as last:
        print(ends[-1], file=last)
else:
    print("\n".join(lines[-40:]))
sys.exit(process.returncode if process.returncode >= 0 else 128 - process.returncode)

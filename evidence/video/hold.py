#!/usr/bin/env python3
"""Drives for minutes of real time before a camera's picture, and tells each end of the drive and each gap of the camera.

`hold.py [--program COCKPIT] [--minutes N] [--record FILE]`: the release cockpit in a headless sway (in which a window is in use without a seat's
devices), a hand that holds a gamepad's
trigger and moves its stick, a consumer that reads each line, and a camera of 1280x720 at 30 pictures a second: pictures of FFmpeg with a
sensor's noise, encoded beforehand, sent in the form of MJPG-Streamer with the time of each. `video-stale` is a false alarm if the record has a picture that
arrived in the 0.4 s before it. The camera tells how late it was itself. The last line is JSON; the exit status is 1 after a false alarm.

Beside programs that use all processors, run it as docs/drive.md has it for the cockpit: `chrt --rr 1 evidence/video/hold.py`.
"""
import argparse
import glob
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from cockpit import child, used
from servers import here

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT = 0.4
"""The age in seconds that ends a drive, as the cockpit has it by default."""
PAD = """name Microsoft X-Box 360 pad
id 3 1118 654 276
key 304 305 307 308 310 311 314 315 316 317 318
""" + "".join(f"abs {axis} {low} {high} 0 0 0\n" for axis, low, high in [
    (0, -32768, 32767), (1, -32768, 32767), (2, 0, 255), (3, -32768, 32767), (4, -32768, 32767), (5, 0, 255)])


class Sway:
    """A headless sway, which does not run as root."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        folder = self.folder.name
        with open(f"{folder}/config", "w") as file:
            file.write("xwayland disable\ndefault_border none\noutput * resolution 1280x720\n")
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=folder, WLR_BACKENDS="headless", WLR_LIBINPUT_NO_DEVICES="1", WLR_RENDERER="pixman")
        self.environment.pop("WAYLAND_DISPLAY", None)
        user = []
        if os.geteuid() == 0:
            user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]
            shutil.chown(folder, "nobody", "nogroup")
        self.process = subprocess.Popen([*user, "sway", "--config", f"{folder}/config"], env=self.environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        while not glob.glob(f"{folder}/wayland-?"):
            time.sleep(0.02)
        self.environment["WAYLAND_DISPLAY"] = glob.glob(f"{folder}/wayland-?")[0]
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Hand:
    """A gamepad, played by the library of the tests (Tests/CInputDevices), and the hand that holds it."""

    def __init__(self, folder):
        self.folder, self.library = f"{folder}/input", f"{folder}/played-input.so"
        os.mkdir(self.folder)
        source = f"{ROOT}/Tests/CInputDevices"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", f"-I{source}/include", "-o", self.library, f"{source}/devices.c", "-ldl"], check=True)
        with open(f"{self.folder}/event0.txt", "w") as file:
            file.write(PAD)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder}/event0")
        self.listener.listen(4)
        os.chmod(f"{self.folder}/event0", 0o777)
        self.stream = None

    @property
    def environment(self):
        return {"LD_PRELOAD": self.library, "COCKPIT_INPUT_FOLDER": self.folder}

    def take(self):
        """Waits until the cockpit has opened the gamepad."""
        self.listener.settimeout(20)
        self.stream, _ = self.listener.accept()

    def give(self, kind, code, value):
        now = time.monotonic_ns() // 1000
        for event in [(kind, code, value), (0, 0, 0)]:
            self.stream.send(struct.pack("<qqHHi", now // 10**6, now % 10**6, *event))

    def hold(self):
        """The dead-man's button and the trigger, in the first gear."""
        self.give(1, 304, 1)
        self.give(3, 5, 200)
        for value in (1, 0):
            self.give(1, 311, value)

    def let_go(self):
        self.give(3, 5, 0)
        self.give(1, 304, 0)


class Consumer:
    """Reads the lines of the drive, and keeps the ends of it."""

    def __init__(self, path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        self.count = self.driving = 0
        self.longest = 0.0
        """The longest time between two lines while something is driven."""
        self.state, self.ends = "", []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream, _ = self.listener.accept()
        last = None
        for text in stream.makefile():
            line, now = json.loads(text), time.monotonic()
            self.count += 1
            if line["state"] == "driving":
                self.driving += 1
                if last is not None and self.state == "driving":
                    self.longest = max(self.longest, now - last)
            elif self.state == "driving":
                self.ends.append((now, line.get("reason")))
            self.state, last = line["state"], now


def arrivals(record):
    """When the pictures of a record arrived, by the steady clock, in seconds."""
    with open(record) as file:
        start = int(json.loads(file.readline())["start"])
        events = (json.loads(line) for line in file if '"videoFrame"' in line)
        return [(start + event["videoFrame"][1]) / 1e9 for event in events]


def memory(process):
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) // 1024


def drive(options):
    with tempfile.TemporaryDirectory() as folder, Sway() as sway:
        source = subprocess.Popen(here("camera", 0), stdout=subprocess.PIPE, text=True)
        port = int(source.stdout.readline())
        gaps = []

        def listen():
            for line in source.stdout:
                *name, at, length = line.split()
                gaps.append((" ".join(name), float(at), float(length)))

        threading.Thread(target=listen, daemon=True).start()
        hand, consumer = Hand(folder), Consumer(f"{folder}/drive")
        command = [options.program, "--config", "none", "--beacon", "off", "--gamepad", "auto", "--drive", f"unix:{folder}/drive",
                   "--latency", "--record", options.record, "--video", f"http://127.0.0.1:{port}/?action=stream"]
        with open(options.log, "w") as log:
            program = subprocess.Popen(command, env=sway.environment | hand.environment, stdout=subprocess.DEVNULL, stderr=log)
        hand.take()
        time.sleep(3)
        helper = child(program.pid, "cockpit-video")
        hand.hold()
        time.sleep(1)
        if consumer.state != "driving":
            sys.exit("nothing is driven")
        begin, load, turn, told = time.monotonic(), [], 0, 0
        before, at_first = (used(program.pid), used(helper)), (memory(program.pid), memory(helper))
        while time.monotonic() < begin + options.minutes * 60 and program.poll() is None:
            time.sleep(0.1)
            turn += 1
            hand.give(3, 0, (turn * 1500) % 40000 - 20000)
            if turn % 100 == 0:
                load.append(os.getloadavg()[0])
            while told < len(consumer.ends):
                at, reason = consumer.ends[told]
                told += 1
                near = max((length for name, end, length in gaps if at - 1 < end < at + 1), default=0.0)
                print(f"{at - begin:8.3f} s: {reason}; the camera's own longest gap within a second of it: {near * 1000:.0f} ms; load "
                      f"{os.getloadavg()[0]:.1f}", flush=True)
            if consumer.state != "driving":
                # Grips anew, as a driver does.
                hand.let_go()
                time.sleep(1.5)
                hand.hold()
                time.sleep(0.3)
        seconds = time.monotonic() - begin
        processor = (used(program.pid) - before[0], used(helper) - before[1]) if program.poll() is None else (0, 0)
        at_last = (memory(program.pid), memory(helper)) if program.poll() is None else (0, 0)
        hand.let_go()
        time.sleep(0.5)
        program.terminate()
        status = program.wait()
        source.kill()
        source.wait()
        stale = [at for at, reason in consumer.ends if reason == "video-stale"]
        came = arrivals(options.record)
        false = [at for at in stale if any(at - LIMIT < time < at for time in came)]
        longest = max((late - early for early, late in zip(came, came[1:]) if begin < early), default=0)
        own = [length for name, end, length in gaps if name == "gap" and begin < end]
        print(json.dumps(dict(
            seconds=round(seconds), status=status, lines=consumer.count, driving=consumer.driving, longest_gap_of_lines_ms=round(consumer.longest * 1000),
            ends=[[round(at - begin, 3), reason] for at, reason in consumer.ends], stale=len(stale), false=len(false),
            pictures=len(came), longest_gap_of_pictures_ms=round(longest * 1000),
            camera_gaps_over_100_ms=len(own), longest_gap_of_camera_ms=round(max(own, default=0) * 1000),
            load=dict(least=min(load, default=0), mean=round(sum(load) / max(len(load), 1), 1), most=max(load, default=0)),
            cockpit_percent=round(processor[0] / seconds * 100, 1), helper_percent=round(processor[1] / seconds * 100, 1),
            memory_mb=dict(cockpit=[at_first[0], at_last[0]], helper=[at_first[1], at_last[1]]))), flush=True)
        return 1 if false or status != 0 else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=".build/dist/release/cockpit")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--record", default="hold.jsonl", help="the cockpit's record: when each picture came")
    parser.add_argument("--log", default="/dev/null", help="what the cockpit said")
    sys.exit(drive(parser.parse_args()))

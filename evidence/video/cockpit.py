#!/usr/bin/env python3
"""Measures what a camera's picture costs the cockpit itself, and how long it takes to the screen, in a headless weston.

`cockpit.py [--program COCKPIT] [--seconds N] [SOURCE]`: without and with the picture in turns, three times each; prints the processor time, the
bytes that the process read and wrote, the maps of foreign pictures that it has (none), and the way of a picture to the screen. SOURCE is by
default the server `camera` of servers.py, 1280x720 at 30 a second. `--compare COMMAND` measures another player beside it, in the same turns; then each
is run once more to count the pictures that it gives to the compositor.
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TICK = os.sysconf("SC_CLK_TCK")


def used(process):
    """The processor time of a process in seconds, its threads' too."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def moved(process):
    """The bytes that a process has read and written by system calls."""
    with open(f"/proc/{process}/io") as file:
        numbers = dict(line.split(": ") for line in file.read().splitlines())
    return int(numbers["rchar"]) + int(numbers["wchar"])


def pictures(process):
    """The mappings of memory that another program named."""
    with open(f"/proc/{process}/maps") as file:
        return sum("/memfd:" in line and "/memfd:cockpit " not in line for line in file)


def child(process, name):
    with open(f"/proc/{process}/task/{process}/children") as file:
        for number in file.read().split():
            with open(f"/proc/{number}/comm") as comm:
                if comm.read().startswith(name):
                    return int(number)
    return None


class Weston:
    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o700)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder.name, WAYLAND_DISPLAY="wayland-video")
        with open(f"{self.folder.name}/weston.ini", "w") as file:
            file.write("[core]\nidle-time=0\nrequire-input=false\n[shell]\nlocking=false\npanel-position=none\n")
        self.process = subprocess.Popen(
            ["weston", "--backend=headless-backend.so", "--use-pixman", "--socket=wayland-video", "--width=1280", "--height=720",
             f"--config={self.folder.name}/weston.ini"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(f"{self.folder.name}/wayland-video"):
            time.sleep(0.02)
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Server:
    """The server `camera`, unless another source is given."""

    def __init__(self, source):
        self.source, self.process = source, None

    def __enter__(self):
        if self.source is None:
            self.process = subprocess.Popen([sys.executable, f"{HERE}/servers.py", "camera", "0"], start_new_session=True, stdout=subprocess.PIPE)
            self.port = int(self.process.stdout.readline())
        return self.source or f"http://127.0.0.1:{self.port}/?action=stream"

    def __exit__(self, *error):
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def measure(command, seconds, weston, settle=3.0):
    """Runs a client for so long; the parts of a core that it and its helper take, its bytes a second, its foreign maps, and its last words."""
    program = subprocess.Popen(command, env=weston.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(settle)
    helper = child(program.pid, "cockpit-video")
    before, server = (used(program.pid), moved(program.pid), helper and used(helper)), used(weston.process.pid)
    start = time.monotonic()
    time.sleep(seconds)
    passed = time.monotonic() - start
    own = (used(program.pid) - before[0]) / passed * 100
    bytes_ = (moved(program.pid) - before[1]) / passed
    its = helper and (used(helper) - before[2]) / passed * 100
    compositor = (used(weston.process.pid) - server) / passed * 100
    maps = pictures(program.pid)
    program.terminate()
    words = program.communicate()[1]
    return own, its, compositor, bytes_, maps, words


def shell(player, source):
    return ["sh", "-c", "exec " + player.replace("SOURCE", f"'{source}'")]


def shown(command, weston, seconds=6.0):
    """The pictures a second that a client gives to the compositor on its busiest surface, by what libwayland says that it sends."""
    with tempfile.TemporaryFile("w+") as words:
        environment = weston.environment | {"WAYLAND_DEBUG": "client"}
        program = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=words)
        time.sleep(3 + seconds)
        program.terminate()
        program.wait()
        words.seek(0)
        times = {}
        for line in words:
            if found := re.match(r"\[ *([0-9.]+)\] +-> (wl_surface@[0-9]+)\.attach\(wl_buffer@", line):
                times.setdefault(found[2], []).append(float(found[1]) / 1000)
    end = max((time for found in times.values() for time in found), default=0)
    return max((sum(time > end - seconds for time in found) for found in times.values()), default=0) / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=".build/dist/release/cockpit")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--compare", action="append", default=[], help="another player's command, with SOURCE where the address goes")
    parser.add_argument("source", nargs="?")
    options = parser.parse_args()
    for turn in range(3):
        for name, wants in [("without", False), ("with", True)]:
            with Weston() as weston, Server(options.source if wants else "-") as source:
                command = [options.program, "--config", "none", "--fullscreen", "--beacon", "off", "--latency"]
                own, its, compositor, bytes_, maps, words = measure(
                    command + (["--video", source] if wants else []), options.seconds, weston)
            way = "; ".join(re.findall(r"picture to screen.*", words))
            helper = "" if its is None else f", cockpit-video {its:.1f} %"
            print(f"{turn + 1} {name}: cockpit {own:.2f} % of a core{helper}, weston {compositor:.1f} %, {bytes_:.0f} bytes/s, "
                  f"{maps} foreign maps; {way}", flush=True)
        for player in options.compare:
            with Weston() as weston, Server(options.source) as source:
                own, _, compositor, _, _, _ = measure(shell(player, source), options.seconds, weston)
            print(f"{turn + 1} {player.split()[0]}: {own:.1f} % of a core, weston {compositor:.1f} %", flush=True)
    cockpit = f"{options.program} --config none --fullscreen --beacon off --video SOURCE"
    for player in [cockpit, *options.compare] if options.compare else []:
        with Weston() as weston, Server(options.source) as source:
            print(f"{player.split()[0]}: {shown(shell(player, source), weston):.1f} pictures a second", flush=True)


if __name__ == "__main__":
    main()

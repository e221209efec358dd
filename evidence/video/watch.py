#!/usr/bin/env python3
"""Runs cockpit-video as the cockpit does, prints what it reports, and measures it. `watch.py [OPTIONS] SOURCE`."""

import argparse
import json
import mmap
import os
import socket
import statistics
import struct
import subprocess
import sys
import time

STATES = {1: "connecting", 2: "receiving", 3: "undecodable", 4: "ended", 5: "refused"}
CLOCKS = {1: "wall", 2: "steady", 3: "strip"}


class Helper:
    """A running cockpit-video, and the memory that it shares."""

    def __init__(self, program, source, stdin=subprocess.DEVNULL):
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.start = time.monotonic_ns()
        number = other.fileno()

        def prepare():
            os.dup2(number, 3)

        self.process = subprocess.Popen(
            [program, source], stdin=stdin, preexec_fn=prepare, pass_fds=[3] if number == 3 else [3, number]
        )
        other.close()
        self.ring = None
        self.memory = None

    def reports(self, seconds):
        """Yields ("state", name, text), ("ring", id, slots, width, height) and ("frame", {...}) until the time is over."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            if left <= 0:
                return
            self.socket.settimeout(left)
            try:
                record, files, _, _ = socket.recv_fds(self.socket, 256, 4)
            except TimeoutError:
                return
            if not record:
                return
            if record[0] == 1:
                number, slots, width, height = struct.unpack("<IBII", record[1:])
                slot_bytes = (width * height * 4 + 4095) // 4096 * 4096
                self.ring = (number, slots, width, height, slot_bytes)
                self.memory = mmap.mmap(files[0], slot_bytes * slots)
                os.close(files[0])
                yield ("ring", number, slots, width, height)
            elif record[0] == 2:
                ring, slot, number, arrival, repeat, clock, stamp, encoded, decode = struct.unpack(
                    "<IBQqBBqqq", record[1:]
                )
                frame = dict(ring=ring, slot=None if slot == 255 else slot, number=number, arrival=arrival)
                frame.update(repeat=bool(repeat), clock=CLOCKS.get(clock), stamp=stamp, encoded=encoded, decode=decode)
                yield ("frame", frame)
            else:
                yield ("state", STATES[record[1]], record[3:].decode())

    def release(self, frame):
        self.socket.send(struct.pack("<BIB", 1, frame["ring"], frame["slot"]))

    def limit(self, width, height, rate):
        self.socket.send(struct.pack("<BIII", 2, width, height, rate))

    def picture(self, slot):
        """A slot as a PPM file's bytes."""
        _, _, width, height, slot_bytes = self.ring
        pixels = self.memory[slot * slot_bytes : slot * slot_bytes + width * height * 4]
        colors = bytearray(width * height * 3)
        colors[0::3], colors[1::3], colors[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
        return b"P6 %d %d 255\n" % (width, height) + bytes(colors)

    def cpu(self):
        """Seconds of the processor that it has used."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM")), 0)

    def end(self):
        self.socket.close()
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def watch(options):
    stdin = sys.stdin if options.source == "-" else subprocess.DEVNULL
    helper = Helper(options.program, options.source, stdin)
    result = dict(source=options.source, states=[], first_ms=None, frames=0, shown=0, repeats=0, dropped=0)
    if options.limit:
        helper.limit(*options.limit)
    decode, ages, gaps, encoded, last, held = [], [], [], [], None, None
    begin = None
    for report in helper.reports(options.seconds):
        if report[0] == "state":
            result["states"].append(list(report[1:]))
            if not options.json:
                print(f"{(time.monotonic_ns() - helper.start) / 1e9:8.3f} {report[1]}: {report[2]}", flush=True)
        elif report[0] == "ring":
            result["size"] = f"{report[3]} x {report[4]}"
        else:
            frame = report[1]
            result["frames"] += 1
            encoded.append(frame["encoded"])
            if last:
                gaps.append((frame["arrival"] - last) / 1e6)
            last = frame["arrival"]
            if frame["repeat"]:
                result["repeats"] += 1
            if frame["slot"] is None:
                result["dropped"] += not frame["repeat"]
            else:
                result["shown"] += 1
                decode.append(frame["decode"] / 1e6)
                if result["first_ms"] is None:
                    result["first_ms"] = round((time.monotonic_ns() - helper.start) / 1e6, 1)
                if frame["clock"]:
                    result["stamp"] = frame["clock"]
                    if frame["clock"] == "wall":
                        ages.append((time.time_ns() - frame["stamp"]) / 1e6)
                if held:
                    helper.release(held)
                held = frame
            # The first second is the start's.
            if begin is None and (time.monotonic_ns() - helper.start) > options.settle * 1e9:
                begin = (time.monotonic(), helper.cpu(), result["frames"], result["shown"])
    if begin:
        seconds = time.monotonic() - begin[0]
        result["rate"] = round((result["frames"] - begin[2]) / seconds, 1)
        result["shown_rate"] = round((result["shown"] - begin[3]) / seconds, 1)
        result["cpu_percent"] = round(100 * (helper.cpu() - begin[1]) / seconds, 1)
    result["peak_mb"] = round(helper.memory_kb() / 1024, 1)
    for name, values in dict(decode_ms=decode, age_ms=ages, gap_ms=gaps).items():
        if values:
            values = sorted(values)
            result[name] = dict(
                median=round(statistics.median(values), 2), p99=round(values[int(len(values) * 0.99)], 2)
            )
    if encoded:
        result["kb_per_frame"] = round(statistics.mean(encoded) / 1000, 1)
    if options.picture and held:
        with open(options.picture, "wb") as file:
            file.write(helper.picture(held["slot"]))
    helper.end()
    print(json.dumps(result, indent=None if options.json else 1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=".build/debug/cockpit-video")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--settle", type=float, default=1, help="seconds before the measurement begins")
    parser.add_argument("--picture", help="write the last picture into this file (PPM)")
    parser.add_argument("--limit", type=int, nargs=3, metavar=("WIDTH", "HEIGHT", "RATE"))
    parser.add_argument("--json", action="store_true", help="one line alone")
    parser.add_argument("source")
    watch(parser.parse_args())

#!/usr/bin/env python3
"""Reads the lines of `cockpit --drive` and drives something, with a watchdog of its own.

    cockpit --drive - | drive_consumer.py -
    drive_consumer.py unix:/run/car.sock     # then: cockpit --drive unix:/run/car.sock
    drive_consumer.py udp:5005               # then: cockpit --drive udp:THIS_HOST:5005

Other programs use `commands()`; see drive_ros2.py and drive_can.py beside this file.
"""

import argparse
import json
import os
import select
import socket
import sys
import time
from dataclasses import dataclass

WATCHDOG = 0.3  # Seconds without a line until the vehicle stops; 0.25 to 0.5 is sound.


@dataclass(frozen=True)
class Command:
    """What the vehicle is to do. `why` is for people."""

    throttle: float = 0.0  # -1 (reverse) ... 1
    steering: float = 0.0  # -1 (left) ... 1 (right)
    brake: bool = True
    horn: bool = False
    why: str = ""


def parse(line):
    """The sequence number and the command of a line. Raises ValueError for anything that is not one."""
    if len(line) > 1024:
        raise ValueError("too long")
    fields = json.loads(line)
    if not isinstance(fields, dict) or fields.get("v") != 1:
        raise ValueError("another version")
    try:
        throttle, steering = float(fields["throttle"]), float(fields["steering"])
        if not (abs(throttle) <= 1 and abs(steering) <= 1):
            raise ValueError("out of range")
        driving = fields["state"] == "driving"
        command = Command(
            throttle if driving else 0.0,
            steering if driving else 0.0,
            bool(fields["brake"]) or not driving,
            bool(fields["horn"]),
            f'{fields["state"]}, {fields["reason"]}',
        )
        return int(fields["seq"]), command
    except (KeyError, TypeError) as problem:
        raise ValueError(f"incomplete: {problem}") from problem


class Lines:
    """Lines from `-`, `unix:PATH` or `udp:PORT`, each with a limit to the time spent waiting."""

    def __init__(self, place):
        self.listener = self.stream = self.datagrams = None
        self.rest = b""
        if place == "-":
            self.stream = sys.stdin.fileno()
        elif place.startswith("unix:"):
            path = place[5:]
            if os.path.exists(path):
                os.unlink(path)
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(path)
            self.listener.listen(1)
        elif place.startswith("udp:"):
            self.datagrams = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            self.datagrams.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            self.datagrams.bind(("::", int(place[4:])))
        else:
            raise SystemExit(f"no place: {place}")

    def wait(self, seconds):
        """The newest lines there are; none when the time is over; None when the stream has ended."""
        source = next(s for s in (self.datagrams, self.stream, self.listener) if s is not None)
        if not select.select([source], [], [], max(seconds, 0))[0]:
            return []
        if self.datagrams:
            return [self.datagrams.recv(2048)]
        if self.stream is None:
            self.stream = self.listener.accept()[0].detach()
            return []
        data = os.read(self.stream, 65536)
        if not data:
            self.rest = b""
            if self.listener:
                os.close(self.stream)
                self.stream = None
            return None
        *lines, self.rest = (self.rest + data).split(b"\n")
        if len(self.rest) > 1024:
            self.rest = b""
        # What is older than the newest line is over: a consumer that slept must not act it out.
        return lines[-1:]


def commands(place, watchdog=WATCHDOG):
    """Yields a Command for each line, and a neutral one whenever lines stay away, end or can't be read."""
    lines = Lines(place)
    newest = None  # The sequence number of the newest line; None after a stop.
    deadline = time.monotonic() + watchdog
    while True:
        got = lines.wait(deadline - time.monotonic())
        if got is None:
            newest = None
            yield Command(why="the stream ended")
            if place == "-":
                return
        for line in got or []:
            try:
                sequence, command = parse(line)
            except ValueError as problem:
                newest = None
                yield Command(why=f"unreadable: {problem}")
                continue
            if newest is not None and sequence <= newest:
                continue  # A datagram that came late.
            newest = sequence
            deadline = time.monotonic() + watchdog
            yield command
        if time.monotonic() >= deadline:
            if newest is not None:
                newest = None
                yield Command(why="no line in time")
            deadline = time.monotonic() + watchdog


def main():
    options = argparse.ArgumentParser(description="Shows what cockpit --drive commands.")
    options.add_argument("place", help="-, unix:PATH or udp:PORT")
    options.add_argument("--watchdog", type=float, default=WATCHDOG, metavar="SECONDS")
    options = options.parse_args()
    last = None
    for command in commands(options.place, options.watchdog):
        # Your motors go here.
        if command != last:
            print(
                f"throttle {command.throttle:+.3f} steering {command.steering:+.4f}"
                f"{' brake' if command.brake else ''}{' horn' if command.horn else ''} ({command.why})",
                flush=True,
            )
        last = command


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        pass

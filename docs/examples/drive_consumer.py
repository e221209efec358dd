#!/usr/bin/env python3
"""Reads the lines of `cockpit --drive` and drives something, with a watchdog of its own.

    cockpit --drive - | drive_consumer.py -
    drive_consumer.py unix:/run/car.sock     # then: cockpit --drive unix:/run/car.sock
    drive_consumer.py udp:5005               # then: cockpit --drive udp:THIS_HOST:5005

Other programs use `carry_out()`; see drive_ros2.py and drive_can.py beside this file.
"""

import argparse
import json
import os
import select
import signal
import socket
import stat
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
    driving: bool = False
    why: str = ""


def number(value):
    """A JSON number from -1 to 1. Python counts true as 1, and reads NaN; the contract does neither."""
    if type(value) not in (int, float) or not abs(value) <= 1:
        raise ValueError("no number from -1 to 1")
    return float(value)


def truth(value):
    if type(value) is not bool:
        raise ValueError("neither true nor false")
    return value


def parse(line):
    """The sequence number and the command of a line. Raises ValueError for anything that is not one."""
    if len(line) > 1024:
        raise ValueError("too long")
    try:
        fields = json.loads(line)
    except RecursionError as problem:
        raise ValueError("too deep") from problem
    if not isinstance(fields, dict) or type(fields.get("v")) is not int or fields["v"] != 1:
        raise ValueError("another version")
    try:
        sequence, state = fields["seq"], fields["state"]
        throttle, steering = number(fields["throttle"]), number(fields["steering"])
        brake, horn = truth(fields["brake"]), truth(fields["horn"])
        reason = fields["reason"]
    except KeyError as problem:
        raise ValueError(f"incomplete: {problem}") from problem
    if type(sequence) is not int or sequence < 1:
        raise ValueError("no sequence number")
    driving = state == "driving"
    return sequence, Command(
        throttle if driving and not brake else 0.0,
        steering if driving else 0.0,
        brake or not driving,
        horn,
        driving,
        f"{state}, {reason}",
    )


class Lines:
    """Lines from `-`, `unix:PATH` or `udp:PORT`, each with a limit to the time spent waiting."""

    def __init__(self, place):
        self.listener = self.stream = self.datagrams = None
        self.rest = b""
        if place == "-":
            self.stream = sys.stdin.fileno()
        elif place.startswith("unix:"):
            path = place[5:]
            if os.path.lexists(path):
                # What an earlier run left; anything else is not ours to remove.
                if not stat.S_ISSOCK(os.lstat(path).st_mode):
                    raise SystemExit(f"{path} is there and is no socket")
                os.unlink(path)
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(path)
            self.listener.listen(1)
        elif place.startswith("udp:"):
            both = socket.has_dualstack_ipv6()
            self.datagrams = socket.socket(socket.AF_INET6 if both else socket.AF_INET, socket.SOCK_DGRAM)
            if both:
                self.datagrams.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            self.datagrams.bind(("::" if both else "", int(place[4:])))
            self.datagrams.setblocking(False)
        else:
            raise SystemExit(f"no place: {place}")

    def wait(self, seconds):
        """All lines there are; none when the time is over; None when the stream has ended."""
        source = next(s for s in (self.datagrams, self.stream, self.listener) if s is not None)
        if not select.select([source], [], [], max(seconds, 0))[0]:
            return []
        if self.datagrams:
            return self.drain()
        if self.stream is None:
            self.stream = self.listener.accept()[0].detach()
            return []
        try:
            data = os.read(self.stream, 65536)
        except ConnectionResetError:
            data = b""
        if not data:
            self.rest = b""
            if self.listener:
                os.close(self.stream)
                self.stream = None
            return None
        *lines, self.rest = (self.rest + data).split(b"\n")
        if len(self.rest) > 1024:
            self.rest = b""
        return lines

    def drain(self):
        """Every datagram that has arrived: one that is left would be read later, as if it were new."""
        lines = []
        while len(lines) < 1000:
            try:
                lines.append(self.datagrams.recv(2048))
            except BlockingIOError:
                break
        return lines


def commands(place, watchdog=WATCHDOG):
    """Yields a Command for the newest of the lines that have come, and a neutral one whenever they stay away, end or can't be read.

    The time between two commands belongs to the caller. Should it take longer than the watchdog, what has come meanwhile is of
    unknown age: it is dropped, and the vehicle stops until the next line.
    """
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
            continue
        if time.monotonic() >= deadline:
            if newest is not None:
                newest = None
                yield Command(why="no line in time")
            deadline = time.monotonic() + watchdog
            continue
        command = None
        for line in got:
            try:
                sequence, heard = parse(line)
            except ValueError as problem:
                newest, command = None, Command(why=f"unreadable: {problem}")
                continue
            if newest is not None and sequence <= newest:
                continue  # A datagram that came late.
            newest, command = sequence, heard
            deadline = time.monotonic() + watchdog
        # What is older than the newest line is over, and not acted out.
        if command is not None:
            yield command


def carry_out(place, act, watchdog=WATCHDOG):
    """Calls `act` with each command, and with a last stop, whatever ends the program: Ctrl+C, SIGTERM or a mistake."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        for command in commands(place, watchdog):
            act(command)
    except KeyboardInterrupt:
        pass
    finally:
        act(Command(why="the consumer ends"))


class Motors:
    """The place for your motors; this one prints what it is told, once."""

    last = None

    def act(self, command):
        if command != self.last:
            print(
                f"throttle {command.throttle:+.3f} steering {command.steering:+.4f}"
                f"{' brake' if command.brake else ''}{' horn' if command.horn else ''} ({command.why})",
                flush=True,
            )
        self.last = command


def main():
    options = argparse.ArgumentParser(description="Shows what cockpit --drive commands.")
    options.add_argument("place", help="-, unix:PATH or udp:PORT")
    options.add_argument("--watchdog", type=float, default=WATCHDOG, metavar="SECONDS")
    options = options.parse_args()
    carry_out(options.place, Motors().act, options.watchdog)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        pass

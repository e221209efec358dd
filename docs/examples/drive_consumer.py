#!/usr/bin/env python3
"""Reads the lines of `cockpit --drive` and drives something, by the rules of docs/drive.md: they are in drive_lease.py, beside this file.
An emergency stop outlives this program, and lines of before its start move nothing: drive_latch.py keeps what is needed in a file until
the machine is restarted.

    cockpit --drive - | drive_consumer.py -
    drive_consumer.py unix:/run/car.sock     # then: cockpit --drive unix:/run/car.sock
    drive_consumer.py udp:0.0.0.0:5005       # then: cockpit --drive udp:THIS_HOST:5005

`udp:PORT` alone listens to this machine only. Other programs use `carry_out()`; see drive_ros2.py and drive_can.py beside this file.
"""

import argparse
import os
import select
import signal
import socket
import stat
import sys
import time

from drive_latch import Latch
from drive_lease import LEAST, LONGEST, MOST, Command, Lease

LINES = 256  # Read in one go; no cockpit sends as many in that time.
STREAM = "stream"  # The address of a sender that has none.
TICK = 0.05  # Seconds after which it is noticed that this process stands still.
NOTHING = {}  # The memory of a consumer that has never run before.


class Lines:
    """Lines from `-`, `unix:PATH` or `udp:[HOST:]PORT` with their senders' addresses, and the way back to them."""

    def __init__(self, place):
        self.listener = self.stream = self.datagrams = None
        self.rest = b""
        self.is_file = False
        if place == "-":
            self.stream = sys.stdin.fileno()
            self.is_file = stat.S_ISREG(os.fstat(self.stream).st_mode)
        elif place.startswith("unix:"):
            self.listener = listen(place[5:])
        elif place.startswith("udp:"):
            self.datagrams = datagrams(place[4:])
        else:
            raise SystemExit(f"no place: {place}")

    def wait(self, seconds):
        """All lines there are, each with its address; none when the time is over; None when the stream has ended."""
        sources = [source for source in (self.datagrams, self.stream, self.listener) if source is not None]
        ready = select.select(sources, [], [], max(seconds, 0))[0]
        if self.listener in ready:
            self.accept()
            ready = select.select([self.stream], [], [], 0)[0] if self.stream is not None else []
        if self.datagrams in ready and self.datagrams is not None:
            return self.drain()
        return self.read() if self.stream in ready and self.stream is not None else []

    def accept(self):
        """A cockpit comes. A second one is sent away: what it says meanwhile would be read later, as if it were new."""
        try:
            connection = self.listener.accept()[0]
        except OSError:
            return
        if self.stream is not None:
            connection.close()
        else:
            self.stream = connection.detach()

    def read(self):
        try:
            data = os.read(self.stream, 65536)
        except OSError:
            data = b""
        if not data:
            self.rest = b""
            if self.listener:
                os.close(self.stream)
                self.stream = None
            return None
        *lines, self.rest = (self.rest + data).split(b"\n")
        if len(self.rest) > LONGEST:
            lines, self.rest = [*lines, self.rest], b""
        return [(line + b"\n", STREAM) for line in lines]

    def drain(self):
        """Every datagram that has arrived, one line in each: one that is left would be read later, as if it were new."""
        lines = []
        while len(lines) <= LINES:
            try:
                lines.append(self.datagrams.recvfrom(LONGEST + 1))
            except OSError:
                break
        return lines

    def answer(self, line, address):
        """Sends a line to a sender; one that finds no room is dropped."""
        try:
            if self.datagrams is not None:
                self.datagrams.sendto(line, address)
            elif self.listener is not None and self.stream is not None and select.select([], [self.stream], [], 0)[1]:
                os.write(self.stream, line)
        except OSError:
            pass  # The sender is gone.


def clock():
    """Seconds that go on while the machine is suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def newest(lines):
    """The newest lines, and the stops among the older ones. More than a cockpit sends is a line that nobody can read, too."""
    if len(lines) <= LINES:
        return lines
    return [each for each in lines[:-LINES] if b"emergency-stop" in each[0]] + lines[-LINES:] + [(b"a flood", STREAM)]


def listen(path):
    if os.path.lexists(path):
        # What an earlier run left; anything else is not ours to remove.
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise SystemExit(f"{path} is there and is no socket")
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    listener.setblocking(False)
    return listener


def datagrams(place):
    """A socket at [HOST:]PORT: this machine's alone without HOST, every address for `*`."""
    host, _, port = place.rpartition(":")
    host = {"": "127.0.0.1", "*": "::" if socket.has_dualstack_ipv6() else "0.0.0.0"}.get(host, host.strip("[]"))
    try:
        family, *_, address = socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)[0]
        made = socket.socket(family, socket.SOCK_DGRAM)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, host != "::")
        made.bind(address)
    except (OSError, ValueError, OverflowError) as problem:
        raise SystemExit(f"udp:{place}: {problem}") from problem
    made.setblocking(False)
    return made


class Rules:
    """What this program does with lines: the lease's rules, and how it finds out that it stood still itself. Pure, like the lease."""

    def __init__(self, now, hold=None, is_file=False, memory=NOTHING):
        # What cannot be read, None, is no memory of a lease, so it stops.
        self.lease = Lease(hold, "unreadable" if memory is None else memory, now)
        self.limit, self.is_file = hold or LEAST, is_file
        self.told = None
        self.returned = now
        self.is_behind = False  # It stood still, and what waited meanwhile is not all read yet.

    @property
    def deadline(self):
        """When to look again, if no line comes before."""
        if self.is_behind:
            return self.returned
        return min(self.lease.deadline or self.returned + TICK, self.returned + TICK)

    def take(self, got, now):
        """What to do at `now`, and whom to answer; None if nothing has changed.

        `got` are the lines that have come, each with its address; None is the end of the stream.
        """
        stood_still = now - self.deadline > self.limit
        self.is_behind = got != [] and (self.is_behind or stood_still)
        if got is None:
            self.lease.end(STREAM)
        heard = {}
        for line, address in newest(got or []):
            heard[self.lease.take(line, address, now)] = address
        if self.is_behind:
            self.lease.lose("no line in time")
        if self.is_file:
            self.lease.lose("a file has no driver")
        command = self.lease.command(now)
        # What is older than the newest line is over, and not acted out.
        if got or got is None or self.told is not None and (command, command.why) != self.told:
            self.told = command, command.why
            return command, heard
        return None, heard


def commands(place, hold=None, vehicle=""):
    """Yields a Command for the newest of the lines that have come, and a neutral one whenever they stay away, end or can't be read.

    The time between two commands belongs to the caller. Should it take too long, what has come meanwhile is of unknown age: it is dropped,
    and the vehicle stops until the driver has let go. `hold` fixes for how many seconds a line holds. `vehicle` tells vehicles apart whose
    places are the same, such as `-`: an emergency stop that was latched when this program ended is one for the next of the same vehicle.
    """
    lines = Lines(place)
    latch = Latch(place, vehicle, "drive-consumer")
    rules = Rules(clock(), hold, lines.is_file, latch.read())
    while True:
        got = lines.wait(rules.deadline - clock())
        command, heard = rules.take(got, clock())
        latch.write(rules.lease.memory)
        for key, address in heard.items():
            if answer := rules.lease.answer(key):
                lines.answer(answer, address)
        if command is not None:
            yield command
        if got is None and place == "-":
            return
        rules.returned = clock()


def endings():
    """The signals that end a program, but for those that say it is broken."""
    spared = "CHLD CONT URG WINCH KILL STOP ABRT BUS FPE ILL SEGV SYS TRAP TSTP TTIN TTOU PIPE XFSZ".split()
    return signal.valid_signals() - {getattr(signal, f"SIG{name}") for name in spared}


def ignore(numbers):
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)


def carry_out(place, act, hold=None, vehicle=""):
    """Calls `act` with each command, and with a last stop, whatever ends the program: Ctrl+C, another signal or a mistake."""
    ignore((signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGXFSZ))  # Ctrl+Z: who is stopped can stop nothing.
    caught = [number for number in endings() if signal.getsignal(number) != signal.SIG_IGN]

    def end(*_):
        ignore(caught)  # A second one must not end the end.
        raise SystemExit(0)

    try:
        for number in caught:
            signal.signal(number, end)
        for command in commands(place, hold, vehicle):
            act(command)
    finally:
        try:
            ignore(caught)
        finally:
            act(Command(why="the consumer ends"))


class Motors:
    """The place for your motors; this one prints what it is told, once."""

    last = None

    def act(self, command):
        if self.last is None or (command, command.why) != (self.last, self.last.why):
            print(
                f"throttle {command.throttle:+.3f} steering {command.steering:+.4f}"
                f"{' brake' if command.brake else ''}{' horn' if command.horn else ''} ({command.why})",
                flush=True,
            )
        self.last = command


def milliseconds(text):
    if not (text.isdigit() and LEAST <= int(text) / 1000 <= MOST):
        raise argparse.ArgumentTypeError("150 to 500")
    return int(text) / 1000


def main():
    options = argparse.ArgumentParser(description="Shows what cockpit --drive commands.")
    options.add_argument("place", help="-, unix:PATH or udp:[HOST:]PORT; without HOST from this machine only, * is any")
    options.add_argument(
        "--lease", type=milliseconds, metavar="MS",
        help="how long a line holds, 150 to 500; without it, three lines of the sender's rate")
    options.add_argument("--watchdog", type=float, metavar="SECONDS", help="the same in seconds, without limits: for tests")
    options = options.parse_args()
    carry_out(options.place, Motors().act, options.lease or options.watchdog)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        pass

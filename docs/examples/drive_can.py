#!/usr/bin/env python3
"""Sends what `cockpit --drive` commands over SocketCAN, a frame for each line.

    ip link set can0 up txqueuelen 3 type can bitrate 500000
    cockpit --drive - | drive_can.py - can0

Frame 0x120, eight bytes: counter, flags (1 brake, 2 horn, 4 driving), throttle and steering as big-endian thousandths,
two bytes that are 0. The controller on the bus needs a watchdog too: a bus that is cut takes no stop. The queue is short, so that
frames do not grow old in it.
"""

import errno
import itertools
import socket
import struct
import sys
import time

from drive_consumer import carry_out

IDENTIFIER = 0x120
BUSY = {errno.ENOBUFS, errno.EAGAIN, errno.ENETDOWN}  # The queue is full, or the bus restarts.


def frame(counter, command):
    """The eight bytes of a command."""
    flags = command.brake | command.horn << 1 | command.driving << 2
    return struct.pack(
        ">BBhhxx", counter & 0xFF, flags, round(command.throttle * 1000), round(command.steering * 1000)
    )


def opened(interface):
    """A socket that sends to a CAN interface, and never waits."""
    made = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
    made.bind((interface,))
    made.setblocking(False)
    return made


class Bus:
    """What is sent for each command, and what happens if it finds no room. `send` takes a frame, `wait` seconds."""

    def __init__(self, send, wait=time.sleep):
        self.send, self.wait = send, wait
        self.counter = itertools.count()
        self.is_busy = False

    def act(self, command):
        """Sends a command. One that finds no room is dropped, since the next line follows; a stop is tried for 0.1 s."""
        data = struct.pack("=IB3x8s", IDENTIFIER, 8, frame(next(self.counter), command))
        for _ in range(10 if command.brake else 1):
            try:
                self.send(data)
                self.is_busy = False
                return
            except OSError as problem:
                if problem.errno not in BUSY:
                    raise
                if command.brake:
                    self.wait(0.01)
        if not self.is_busy:
            print("the bus is busy: frames are left out", file=sys.stderr)
        self.is_busy = True


def main():
    place, interface = sys.argv[1:3]
    carry_out(place, Bus(opened(interface).send).act, vehicle=interface)


if __name__ == "__main__":
    main()

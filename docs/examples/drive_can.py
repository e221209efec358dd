#!/usr/bin/env python3
"""Sends what `cockpit --drive` commands over SocketCAN, a frame for each line.

    ip link set can0 up type can bitrate 500000
    cockpit --drive - | drive_can.py - can0

Frame 0x120, eight bytes: counter, flags (1 brake, 2 horn, 4 driving), throttle and steering as big-endian thousandths,
two bytes that are 0. The controller on the bus needs a watchdog too.
"""

import socket
import struct
import sys

from drive_consumer import commands

IDENTIFIER = 0x120


def frame(counter, command):
    """The eight bytes of a command."""
    driving = command.why.startswith("driving")
    flags = command.brake | command.horn << 1 | driving << 2
    return struct.pack(
        ">BBhhxx", counter & 0xFF, flags, round(command.throttle * 1000), round(command.steering * 1000)
    )


def main():
    place, interface = sys.argv[1:3]
    bus = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
    bus.bind((interface,))
    for counter, command in enumerate(commands(place)):
        bus.send(struct.pack("=IB3x8s", IDENTIFIER, 8, frame(counter, command)))


if __name__ == "__main__":
    main()

"""Betaflight 4.6 SITL, the program in $BETAFLIGHT: a flight controller's own firmware as a program of this machine."""

import contextlib
import ctypes
import os
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterable

from cockpit_bridge.adapters.msp import frame

PR_SET_TIMERSLACK = 29
# MSP_SET_CF_SERIAL_CONFIG: MSP on the second serial port too, from which it can be asked while the bridge has the first.
SECOND_PORT = (55, struct.pack("<BHBBBB", 52, 1, 5, 4, 0, 5))


def connected(port: int) -> socket.socket:
    """A connection to a port of this machine, as soon as something listens there."""
    for _ in range(1000):
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), 5)
        time.sleep(0.01)
    raise TimeoutError(f"nothing listens on {port}")


class Betaflight:
    """The running firmware, and a connection to one of its ports. It keeps its settings in a folder of its own."""

    process: "subprocess.Popen[bytes]"

    def __init__(self, settings: Iterable[tuple[int, bytes]] = ()) -> None:
        """Starts it with some settings, each a number and a payload of MSP, which it reads at its start. Its first port is then free for the bridge."""
        # SITL pauses for 50 us in each pass of a loop whose cycle is 125 us. The kernel may lengthen each pause by the timer slack, by default 50 us.
        # Then most cycles have no time left for the tasks that read commands. The program inherits the slack.
        if ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, ctypes.c_ulong(1), 0, 0, 0) != 0:
            raise OSError("the timer slack cannot be set")
        with tempfile.TemporaryDirectory(prefix="cockpit-betaflight.") as folder:
            self._start(folder, 5761)
            for number, payload in (SECOND_PORT, *settings, (250, b"")):  # MSP_EEPROM_WRITE
                self.ask(number, payload)
            self.end()
            self._start(folder, 5762)

    def _start(self, folder: str, port: int) -> None:
        # Two races at the start of SITL make another start necessary. If it is preempted in its first cycle, it answers but reads no commands: a firmware
        # that is late waits for the last microsecond before a cycle, which one that counts whole microseconds never sees. And it listens before its
        # buffers are ready, so a first request may get no answer.
        while True:
            self.process = subprocess.Popen(
                [os.environ["BETAFLIGHT"]], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self._port = connected(port)
            self._port.settimeout(1)
            with contextlib.suppress(TimeoutError):
                # MSP_STATUS begins with the time of a cycle.
                if any(self.ask(101)[:2] != bytes(2) for _ in range(20)):
                    return
            self.end()

    def ask(self, number: int, payload: bytes = b"") -> bytes:
        """The payload of its answer to a request of MSP."""
        self._port.sendall(frame(number, payload))
        answer = b""
        while len(answer) < 6 or len(answer) < 6 + answer[3]:
            if not (data := self._port.recv(4096)):
                raise ConnectionError("Betaflight ended the connection")
            answer += data
        return answer[5:-1]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._port.close()

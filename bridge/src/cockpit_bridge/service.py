"""What a service manager such as systemd is told, without a library: that the bridge has started, that it still works, that it ends."""

import contextlib
import os
import socket
from collections.abc import Mapping


class Service:
    """Datagrams to the socket that NOTIFY_SOCKET names; without one nothing is sent. A socket that is full or gone holds nothing up.

    `period` is the number of seconds between two signs of life, half of what WATCHDOG_USEC allows; None if nobody waits for them.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        place = environment.get("NOTIFY_SOCKET", "")
        # A name that begins with @ is in no folder (an abstract socket).
        self._address = "\0" + place[1:] if place.startswith("@") else place
        self._socket: socket.socket | None = None
        if len(place) > 1 and place[0] in "/@":
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        self.period = _period(environment) if self._socket is not None else None

    def ready(self) -> None:
        """The bridge listens."""
        self._say(b"READY=1")

    def alive(self) -> None:
        """The bridge works."""
        self._say(b"WATCHDOG=1")

    def stopping(self) -> None:
        """The vehicle has been stopped, and the bridge ends."""
        self._say(b"STOPPING=1")

    def _say(self, text: bytes) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError, ValueError):
                self._socket.sendto(text, self._address)


def _period(environment: Mapping[str, str]) -> float | None:
    text, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    # A program that was started by the one that is watched inherits its environment.
    if process not in ("", str(os.getpid())) or not (text.isascii() and text.isdigit() and len(text) < 16):
        return None
    return int(text) / 2e6 or None

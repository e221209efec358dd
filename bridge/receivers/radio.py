"""A radio between cockpits and a bridge on the robot: datagrams that can be lost, late, or kept until a pause is over. The kernel need not have netem."""

import heapq
import select
import socket
import threading
import time
from dataclasses import dataclass

WAY = tuple[socket.socket, tuple[str, int]]


@dataclass(frozen=True)
class Heard:
    """A line that a cockpit has sent, as it reached the radio."""

    at: float
    sender: tuple[str, int]
    line: bytes


class Radio:
    """Passes datagrams to `there` and the answers back, in order. Each cockpit keeps an address of its own beyond it.

    `delay` is how many seconds a datagram takes; while `is_cut` is true, none comes through in either direction; while `has_answers` is false,
    none comes back. `pauses`: so many seconds of silence in every so many, after which what waited comes at once, as when a Wi-Fi station looks
    for other networks.
    """

    def __init__(self, there: tuple[str, int]) -> None:
        self.delay = 0.0
        self.is_cut = False
        self.has_answers = True
        self.pauses: tuple[float, float] | None = None
        self.lines: list[Heard] = []
        self._there = there
        self._near = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._near.bind(("127.0.0.1", 0))
        self._beyond: dict[tuple[str, int], socket.socket] = {}
        self._senders: dict[socket.socket, tuple[str, int]] = {}
        self._waiting: list[tuple[float, int, bytes, WAY]] = []
        self._count = 0
        self._last: dict[tuple[str, int], float] = {}  # When the newest datagram to an address is due: none overtakes it.
        self._is_over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def place(self) -> str:
        """Where cockpits send to."""
        return f"127.0.0.1:{self._near.getsockname()[1]}"

    def end(self) -> None:
        """Loses all that is under way."""
        self._is_over = True
        self._thread.join()
        for each in (self._near, *self._senders):
            each.close()

    def _run(self) -> None:
        while not self._is_over:
            now = time.monotonic()
            until = self._waiting[0][0] if self._waiting else now + 0.05
            ready, _, _ = select.select([self._near, *self._senders], [], [], min(max(until - now, 0), 0.05))
            for each in ready:
                self._take(each)
            self._deliver()

    def _take(self, at: socket.socket) -> None:
        try:
            line, address = at.recvfrom(2048)
        except OSError:
            return  # An earlier one found no listener.
        now = time.monotonic()
        if at is self._near:
            self.lines.append(Heard(now, address, line))
            if not self.is_cut:
                self._send(line, (self._way_of(address), self._there), now)
        elif self.has_answers and not self.is_cut:
            self._send(line, (self._near, self._senders[at]), now)

    def _way_of(self, address: tuple[str, int]) -> socket.socket:
        if address not in self._beyond:
            self._beyond[address] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._senders[self._beyond[address]] = address
        return self._beyond[address]

    def _send(self, line: bytes, way: WAY, now: float) -> None:
        sender = way[1] if way[0] is self._near else self._senders[way[0]]
        due = max(now + self.delay + self._pause(now), self._last.get(sender, 0.0))
        if way[0] is not self._near:
            self._last[sender] = due
        self._count += 1
        heapq.heappush(self._waiting, (due, self._count, line, way))

    def _pause(self, now: float) -> float:
        if self.pauses is None:
            return 0.0
        length, every = self.pauses
        return max(length - now % every, 0.0)

    def _deliver(self) -> None:
        while self._waiting and self._waiting[0][0] <= time.monotonic():
            _, _, line, (at, to) = heapq.heappop(self._waiting)
            if not self.is_cut:
                try:
                    at.sendto(line, to)
                except OSError:
                    pass

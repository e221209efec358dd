"""The loop between a source and an adapter."""

import asyncio
import contextlib
import math
import sys
import time
from collections.abc import Awaitable

from .adapter import Adapter, LinkError
from .lease import Lease
from .source import Source

STALL = 0.3  # Seconds that a message may stay unsent.
FAREWELL = 0.5  # Seconds during which neutral is repeated at the end.
PATIENCE = 5.0  # Seconds at the end during which a receiver that may still drive is tried, if its link is down.
CONNECT = 5.0  # Seconds that connecting may take.
TICK = 0.05  # Seconds between two looks at whether this process stands still.
RETRY = 0.5  # Seconds between two attempts to connect.
PROBLEMS = (LinkError, OSError, TimeoutError)


class Bridge:
    """Passes the newest command on, one message under way at a time, and neutral whenever the lease is over."""

    def __init__(self, source: Source, adapter: Adapter, keeps_neutral: bool = False) -> None:
        self.source = source
        self.adapter = adapter
        self.keeps_neutral = keeps_neutral
        self.lease = Lease()
        self.is_over = False
        self._is_connected = False
        self._owes_stop = False  # The receiver has had a command, and not yet as much neutral as it needs.
        self._wake = asyncio.Event()
        self._problem: str | None = None
        self._last_arrival: float | None = None
        self._ticked = time.monotonic()
        adapter.on_status = self.report

    async def run(self) -> bool:
        """Runs until the source ends; then neutral is repeated for 500 ms and the connection closed.

        Returns false if the receiver has had a command and could not be told to stop.
        """
        self._watch()
        self._tick()
        while not self.is_over:
            try:
                await self._connect()
                await self._serve()
            except PROBLEMS as problem:
                self._lose(problem)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended(), RETRY)
        return await self._say_goodbye()

    async def _connect(self) -> None:
        await self._timed(self.adapter.connect(), CONNECT)
        self._is_connected = True
        self._note(None)

    def stop(self) -> None:
        """Ends as if the source had ended."""
        self.is_over = True
        self._wake.set()

    def _tick(self) -> None:
        self._ticked = time.monotonic()
        if not self.is_over:
            asyncio.get_running_loop().call_later(TICK, self._tick)

    async def _ended(self) -> None:
        while not self.is_over:
            self._wake.clear()
            await self._wake.wait()

    def _watch(self) -> None:
        """Calls `_readable` when something has arrived."""
        loop = asyncio.get_running_loop()
        try:
            loop.add_reader(self.source.fileno(), self._readable)
        except PermissionError:
            # Files and /dev/null cannot be polled: all their bytes are there already.
            loop.call_soon(self._readable)

    def _readable(self) -> None:
        before = self.source.fileno()
        batch = self.source.read()
        now = time.monotonic()
        for line in batch.lines:
            self.lease.take(line, None, now)
        if batch.lines:
            self._last_arrival = now
        if now - self._ticked > 0.15:
            # What waited meanwhile is of an unknown age; an emergency stop among it has latched all the same.
            self.lease.lose("the bridge stood still")
        if batch.is_over:
            self.lease.lose("the sender ended")
            self.is_over = not self.source.is_endless
        if self.is_over or self.source.fileno() != before:
            asyncio.get_running_loop().remove_reader(before)
        if not self.is_over and self.source.fileno() != before:
            self._watch()
        self._wake.set()

    async def _serve(self) -> None:
        """Sends until the source ends. The state when the connection was made counts as neutral: nothing moves before a new message."""
        period = 1 / self.adapter.rate
        quiet_at = time.monotonic() + self.adapter.neutral_time
        last = None
        while not self.is_over:
            self._wake.clear()
            now = time.monotonic()
            command = self.lease.command(now)
            if command.driving:
                quiet_at = now + self.adapter.neutral_time
                self._owes_stop = True
                await self._timed(self.adapter.send(command))
            elif self.keeps_neutral or now < quiet_at or last != command:
                await self._timed(self.adapter.neutral())
            else:
                await self._timed(self.adapter.idle())
            self._owes_stop = self._owes_stop and now < quiet_at
            await self._settle(command.driving)
            last = command
            self.report()
            await self._wait(now + period, last.driving)

    async def _wait(self, end: float, is_driving: bool) -> None:
        """Waits for the next message's time: at once for a change, at the end of the lease at the latest."""
        while not self.is_over and (now := time.monotonic()) < end:
            if is_driving != self.lease.command(now).driving:
                return
            until = min(end, self.lease.deadline or end)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), max(until - now, 0))
            self._wake.clear()

    async def _settle(self, is_command: bool) -> None:
        """Waits until the receiver's machine has the message: what waits for a radio that is away would arrive late, with all that came after it.

        A stop does not wait for the command before it: a kernel may put an acknowledgement off for more than 100 ms.
        """
        end = time.monotonic() + STALL
        while self.adapter.unacknowledged():
            now = time.monotonic()
            if is_command and (self.is_over or not self.lease.command(now).driving):
                return
            if now >= end:
                raise LinkError("the link stalled")
            await asyncio.sleep(0.001)

    async def _timed(self, work: Awaitable[None], limit: float = STALL) -> None:
        try:
            await asyncio.wait_for(work, limit)
        except TimeoutError as problem:
            raise LinkError("the link stalled") from problem

    def _lose(self, problem: Exception) -> None:
        # Nothing that is unsent may arrive later: it would drive the vehicle with old commands.
        self.adapter.abort()
        self._is_connected = False
        self.lease.lose_link()
        self._note(str(problem) or type(problem).__name__)

    async def _say_goodbye(self) -> bool:
        """Neutral, then the end of the connection; a receiver that may still drive is looked for if its link is down."""
        end = time.monotonic() + PATIENCE
        while self._is_connected or self._owes_stop:
            try:
                if not self._is_connected:
                    await self._connect()
                await self._repeat_neutral()
                self._owes_stop = False
                await self._timed(self.adapter.close())
                break
            except PROBLEMS as problem:
                self._lose(problem)
                if time.monotonic() >= end:
                    break
                await asyncio.sleep(RETRY)
        if self._owes_stop:
            print("cockpit-bridge: the receiver was not told to stop, and may drive on", file=sys.stderr, flush=True)
        return not self._owes_stop

    async def _repeat_neutral(self) -> None:
        end = time.monotonic() + FAREWELL
        while time.monotonic() < end:
            await self._timed(self.adapter.neutral())
            await self._settle(False)
            await asyncio.sleep(1 / self.adapter.rate)
        await asyncio.sleep(self.adapter.linger)

    def _note(self, problem: str | None) -> None:
        if problem != self._problem:
            print(f"cockpit-bridge: {problem or 'connected'}", file=sys.stderr, flush=True)
        self._problem = problem
        self.report()

    def report(self) -> None:
        """Sends the vehicle's status back as a telemetry message."""
        warnings = ["NO LINK"] if self._problem else []
        if self.adapter.drives_on:
            seconds = "FOREVER" if self.adapter.drives_on == math.inf else f"{self.adapter.drives_on:.1f} S"
            warnings.append(f"DRIVES ON {seconds} WITHOUT US")
        age = None if self._last_arrival is None else time.monotonic() - self._last_arrival
        self.source.write_back(self.adapter.status.line(age, warnings))

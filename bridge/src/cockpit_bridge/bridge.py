"""The loop between a source and an adapter."""

import asyncio
import contextlib
import json
import math
import time
from collections import deque
from collections.abc import Awaitable, Hashable

from .adapter import Adapter, LinkError, suspended
from .extras import Extras
from .latch import Latch
from .lease import LEAST, NEUTRAL, Command, Lease
from .service import Service
from .source import STREAM, Source
from .words import say

STALL = 0.3  # Seconds that a message may stay unsent.
FAREWELL = 0.5  # Seconds during which neutral is repeated at the end.
PATIENCE = 5.0  # Seconds at the end during which a receiver that may still drive is tried, if its link is down.
CONNECT = 5.0  # Seconds that connecting may take.
TICK = 0.05  # Seconds between two looks at whether this process stands still.
STILL = LEAST  # Seconds after which it has stood still.
OVERDUE = 0.5  # Seconds after which an adapter that was told to give up hangs.
RETRY = 0.5  # Seconds between two attempts to connect.
AT_ONCE = 0.05  # Seconds before the first one after a connection: the receiver may still drive.
REPORTS, PERIOD = 20, 0.5  # Reports in so many seconds that nobody has asked for: a flood of the vehicle's must not starve the commands.
ANSWERS = 16  # Senders that are answered at once.


class Bridge:
    """Passes the newest command on, one message under way at a time, and neutral whenever the lease is over.

    Whatever happens in `run`, the receiver is told to stop at its end; any exception of the adapter is a lost link.
    """

    def __init__(
            self, source: Source, adapter: Adapter, keeps_neutral: bool = False, hold: float | None = None,
            latch: Latch | None = None, service: Service | None = None, extras: Extras | None = None) -> None:
        self.source = source
        self.adapter = adapter
        self.extras = extras or Extras(None)
        self.keeps_neutral = keeps_neutral
        self.latch = latch
        self.service = service or Service({})
        # What cannot be read is no memory of a lease, so it stops.
        memory = latch.read() if latch is not None else {}
        self.lease = Lease(hold, "unreadable" if memory is None else memory, time.monotonic(), self.extras)
        self.is_over = False
        self._is_connected = False
        self._has_lost_link = False
        self._owes_stop = False  # The receiver has had a command, and not yet as much neutral as it needs.
        self._wake = asyncio.Event()
        self._problem: str | None = None
        self._last_arrival: float | None = None
        self._sender: Hashable | None = None  # Whose line was the newest.
        self._reports: deque[float] = deque([-math.inf] * REPORTS, REPORTS)  # When the last ones were made.
        self._ticked, self._suspended = time.monotonic(), suspended()
        self._due = math.inf  # When the adapter's present call must have ended.
        self._beat: asyncio.TimerHandle | None = None
        adapter.on_status = self.report

    async def run(self) -> bool:
        """Runs until the source ends; then neutral is repeated for 500 ms and the connection closed.

        Returns false if the receiver has had a command and could not be told to stop.
        """
        is_told = False
        try:
            self._ticked = time.monotonic()
            self._watch()
            self._tick()
            self.service.ready()
            self._show_life()
            await self._run()
        finally:
            self.is_over = True
            self._unwatch()
            is_told = await self._say_goodbye()
            if self._beat is not None:
                self._beat.cancel()
            self.service.stopping()
        return is_told

    def _show_life(self) -> None:
        """Tells the service manager that the loop turns and the adapter returns: another bridge can stop the vehicle if this one hangs."""
        if self.service.period is not None:
            if time.monotonic() <= self._due:
                self.service.alive()
            self._beat = asyncio.get_running_loop().call_later(self.service.period, self._show_life)

    async def _run(self) -> None:
        while not self.is_over:
            try:
                await self._connect()
                await self._serve()
            except (Exception, asyncio.CancelledError) as problem:
                if _is_for_us(problem):
                    raise
                pause = AT_ONCE if self._is_connected else RETRY
                self._lose(problem)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended(), pause)

    async def _connect(self) -> None:
        # On a new link nothing is armed that was armed on another, or while there was none.
        self.extras.lost("link")
        self.adapter.stop, self.adapter.farewell = self.extras.applied(NEUTRAL), self.extras.farewell()
        await self._timed(self.adapter.connect(), CONNECT)
        self._is_connected = True
        self.extras.lost("link")
        if self._has_lost_link:
            self.lease.lose_link()  # A touch that began while nothing could follow it counts for nothing.
        self._note(None)

    def stop(self) -> None:
        """Ends as if the source had ended."""
        self.is_over = True
        self._wake.set()

    # What arrives.

    def _tick(self) -> None:
        now = time.monotonic()
        try:
            if self._stood_still(now):
                self._wake_up()
        except Exception as problem:
            self._fail(problem)
        self._ticked, self._suspended = now, suspended()
        if not self.is_over:
            asyncio.get_running_loop().call_later(TICK, self._tick)

    def _fail(self, problem: Exception) -> None:
        """A sender that could not be read any more would be a drive without a driver."""
        self.lease.lose(f"{type(problem).__name__}: {problem}")
        say(f"reading failed: {problem!r}")

    def _stood_still(self, now: float) -> bool:
        """This process, or its machine, did not run for a while."""
        return now - self._ticked > STILL or suspended() - self._suspended > STILL

    def _wake_up(self) -> None:
        """This process stood still: what waited meanwhile is of an unknown age. An emergency stop among it latches all the same."""
        end = time.monotonic() + STILL
        is_driven = self.lease.driver is not None
        while not self.is_over and self._take() and time.monotonic() < end:
            is_driven = True
        if is_driven:
            self.lease.lose("the bridge stood still")

    async def _ended(self) -> None:
        while not self.is_over:
            self._wake.clear()
            await self._wake.wait()

    def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        if self.source.is_file:
            loop.call_soon(self._readable)
        else:
            loop.add_reader(self.source.fileno(), self._readable)

    def _unwatch(self) -> None:
        with contextlib.suppress(Exception):
            asyncio.get_running_loop().remove_reader(self.source.fileno())

    def _readable(self) -> None:
        try:
            self._take()
        except Exception as problem:
            self._fail(problem)
        if self.is_over:
            self._unwatch()
        elif self.source.is_file:
            asyncio.get_running_loop().call_soon(self._readable)
        self._wake.set()

    def _take(self) -> bool:
        """Takes what has arrived; returns whether anything had."""
        start = time.monotonic()
        batch = self.source.read()
        now = time.monotonic()
        heard: dict[Hashable, Hashable] = {}
        mark = self.extras.mark()
        for line, address in batch.lines:
            key = self.lease.take(line, address, now)
            if key is not None:
                heard[key] = address
        if heard:
            self._last_arrival, self._sender = now, list(heard)[-1]
        if batch.lines and (self._stood_still(start) or now - start > STILL):
            self.extras.undo(mark)
            self.lease.lose("the bridge stood still")
        if batch.is_flooded:
            self.extras.undo(mark)
            self.lease.lose("more lines than a cockpit sends")
        if self.source.is_file:
            self.lease.lose("a file has no driver", "gone")
        for address in batch.ended:
            self.lease.end(address)
        if batch.is_over:
            self.lease.lose("the sender ended", "gone")
            self.is_over = True
        if self.latch is not None:
            self.latch.write(self.lease.memory)
        self._answer(heard)
        return bool(batch.lines or batch.ended)

    def _answer(self, heard: dict[Hashable, Hashable]) -> None:
        if self.source.is_private:
            if heard:
                self._report()
            return
        status = self._status()
        for key, address in list(heard.items())[-ANSWERS:]:
            if answer := self.lease.answer(key, status):
                self.source.write_back(answer, address)

    # What is sent.

    async def _serve(self) -> None:
        """Sends until the source ends. The state when the connection was made counts as neutral: nothing moves before a new message."""
        period = 1 / self.adapter.rate
        quiet_at = time.monotonic() + self.adapter.neutral_time
        last = None
        while not self.is_over:
            self._wake.clear()
            now = time.monotonic()
            command = self._next(last, now)
            if command.driving or last is not None and _beside(command) != _beside(last):
                quiet_at = now + self.adapter.neutral_time
            if command.driving:
                self._owes_stop = True
                await self._timed(self.adapter.send(command))
            elif self.keeps_neutral or self._is_awaited() or now < quiet_at or last != command:
                await self._timed(self.adapter.neutral())
            else:
                await self._timed(self.adapter.idle())
            self._owes_stop = self._owes_stop and now < quiet_at
            await self._settle(command.driving)
            last = command
            self.report()
            await self._wait(now + period, last)

    def _is_awaited(self) -> bool:
        """Whether the receiver must go on hearing neutral although nobody drives."""
        return self.extras.is_held or self.adapter.waits_to_arm and self.extras.may_arm

    def _present(self, now: float) -> Command:
        """What the vehicle is told now; the adapter knows the stop that goes with it."""
        command = self.extras.applied(self.lease.command(now))
        self.adapter.stop = self.extras.applied(NEUTRAL)
        return command

    def _next(self, last: Command | None, now: float) -> Command:
        """What is sent after `last`. A vehicle is armed at rest: if a drive has begun already, a stop goes out in between."""
        command = self._present(now)
        is_step = bool(command.arm) and not (last is not None and last.arm)
        return self.adapter.stop if is_step and command.driving else command

    async def _wait(self, end: float, last: Command) -> None:
        """Waits for the next message's time: at once for a change, at the end of the lease at the latest."""
        while not self.is_over and (now := time.monotonic()) < end:
            present = self._present(now)
            if (last.driving, last.arm) != (present.driving, present.arm):
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
        # An adapter that does not give up is awaited all the same.
        self._due = time.monotonic() + limit + OVERDUE
        try:
            await asyncio.wait_for(work, limit)
        except TimeoutError as problem:
            raise LinkError("the link stalled") from problem
        finally:
            self._due = math.inf

    def _lose(self, problem: BaseException) -> None:
        # Nothing that is unsent may arrive later: it would drive the vehicle with old commands.
        self._abort()
        self._is_connected, self._has_lost_link = False, True
        self.lease.lose_link()
        known = isinstance(problem, LinkError | OSError)
        self._note((str(problem) if known else "") or f"{type(problem).__name__}: {problem}".removesuffix(": "))

    def _abort(self) -> None:
        self.adapter.stop = self.extras.applied(NEUTRAL)
        try:
            self.adapter.abort()
        except (Exception, asyncio.CancelledError) as problem:
            say(f"the link could not be reset: {problem!r}")

    # The end.

    async def _say_goodbye(self) -> bool:
        """Neutral, then the end of the connection; a receiver that may still drive is looked for if its link is down."""
        end = time.monotonic() + PATIENCE
        # A signal has ended this program: nobody is there who could disarm the vehicle.
        self.lease.lose("the bridge ends", "gone")
        while self._is_connected or self._owes_stop:
            try:
                if not self._is_connected:
                    await self._connect()
                await self._repeat_neutral()
                self._owes_stop = False
                await self._timed(self.adapter.close())
                break
            except (Exception, asyncio.CancelledError) as problem:
                pause = AT_ONCE if self._is_connected else RETRY
                self._lose(problem)
                if time.monotonic() >= end:
                    break
                await asyncio.sleep(pause)
        if self._owes_stop:
            say("the receiver was not told to stop, and may drive on")
        return not self._owes_stop

    async def _repeat_neutral(self) -> None:
        end = time.monotonic() + FAREWELL
        while (now := time.monotonic()) < end:
            self._present(now)
            await self._timed(self.adapter.neutral())
            await self._settle(False)
            await asyncio.sleep(1 / self.adapter.rate)
        await asyncio.sleep(self.adapter.linger)

    # What is said.

    def _note(self, problem: str | None) -> None:
        if problem != self._problem:
            say(problem or "connected")
        self._problem = problem
        self._report()

    def report(self) -> None:
        """Sends the vehicle's status to the program that started this one, as a telemetry message; others get it with their answers."""
        # What an adapter reports while it connects for the first time is no news of the link.
        if (self._is_connected or self._problem) and time.monotonic() - self._reports[0] >= PERIOD:
            self._report()

    def _report(self) -> None:
        if self.source.is_private:
            self._reports.append(time.monotonic())
            with contextlib.suppress(Exception):
                line = json.dumps(self._status() | self.lease.status_of(self._sender), allow_nan=False)
                self.source.write_back(line.encode() + b"\n", STREAM)

    def _status(self) -> dict[str, object]:
        """What the vehicle and the bridge say of themselves."""
        now = time.monotonic()
        warnings = ["NO LINK"] if self._problem or not self._is_connected else []
        if late := self.lease.late(now):
            warnings.append(f"LATE {late:.1f} S")
        if self.adapter.drives_on:
            seconds = "FOREVER" if self.adapter.drives_on == math.inf else f"{self.adapter.drives_on:.1f} S"
            warnings.append(f"DRIVES ON {seconds} WITHOUT US")
        if self.extras.is_refused:
            warnings.append("NOT ARMED")
        age = None if self._last_arrival is None else now - self._last_arrival
        try:
            status: dict[str, object] = json.loads(self.adapter.status.line(age, warnings))
        except Exception as problem:
            status = {"warnings": [*warnings, f"{type(problem).__name__}"]}
        return status


def _beside(command: Command) -> tuple[object, ...]:
    """What a command says beside the drive."""
    return command.channels, command.arm, command.mode


def _is_for_us(problem: BaseException) -> bool:
    """The task of the bridge itself was cancelled; an adapter's own task is the adapter's matter."""
    task = asyncio.current_task()
    return isinstance(problem, asyncio.CancelledError) and task is not None and task.cancelling() > 0

"""The loop, with an adapter that notes what it is asked."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from conftest import Driver, line, running, until

from cockpit_bridge import bridge
from cockpit_bridge.adapter import Adapter, LinkError, Options
from cockpit_bridge.message import Command
from cockpit_bridge.source import Source


class Noted(Adapter):
    """Notes each call with its time."""

    rate = 50.0

    def __init__(self) -> None:
        super().__init__("", Options())
        self.calls: list[tuple[str, float]] = []
        self.commands: list[Command] = []
        self.delay = 0.0
        self.fails = False
        self.is_away = False
        self.waiting = 0  # Bytes that the receiver has not acknowledged.
        self.under_way = 0
        self.most_under_way = 0

    def note(self, name: str) -> None:
        self.calls.append((name, time.monotonic()))

    async def connect(self) -> None:
        self.note("connect")
        if self.is_away:
            raise LinkError("away")

    def unacknowledged(self) -> int:
        return self.waiting

    async def send(self, command: Command) -> None:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await asyncio.sleep(self.delay)
        self.under_way -= 1
        if self.fails or self.is_away:
            raise LinkError("gone")
        self.commands.append(command)
        self.note("send")

    async def neutral(self) -> None:
        if self.is_away:
            raise LinkError("away")
        self.note("neutral")

    async def idle(self) -> None:
        self.note("idle")

    async def close(self) -> None:
        self.note("close")

    def abort(self) -> None:
        self.under_way = self.waiting = 0
        self.note("abort")

    def count(self, name: str) -> int:
        return sum(1 for call, _ in self.calls if call == name)

    def first(self, name: str, after: float = 0) -> float:
        return next(at for call, at in self.calls if call == name and at >= after)


@contextlib.asynccontextmanager
async def driven() -> AsyncIterator[tuple[Noted, Driver]]:
    """A bridge that drives, with its adapter."""
    adapter = Noted()
    async with running(adapter) as driver:
        await begun(driver, adapter)
        yield adapter, driver


async def begun(driver: Driver, adapter: Noted) -> None:
    await until(lambda: adapter.count("connect"))
    await driver.drive(0.2)
    assert adapter.commands[-1].throttle == 0.6


async def test_silence_of_the_sender_is_neutral_within_the_lease() -> None:
    async with driven() as (adapter, driver):
        driver.say()
        silent = time.monotonic()
        await asyncio.sleep(0.4)
        assert adapter.first("neutral", silent) - silent < 0.25


async def test_the_end_of_the_sender_is_neutral_for_500_ms_then_the_end() -> None:
    async with driven() as (adapter, driver):
        driver.end()
        ended = time.monotonic()
    assert adapter.first("neutral", ended) - ended < 0.1
    assert 0.5 <= adapter.first("close") - ended < 1
    assert sum(1 for call, at in adapter.calls if call == "neutral" and at >= ended) >= 10


async def test_a_receiver_whose_link_is_down_at_the_end_is_told_to_stop_when_it_is_back() -> None:
    async with driven() as (adapter, driver):
        adapter.is_away = True
        await until(lambda: adapter.count("abort"))
        driver.end()
        ended = time.monotonic()
        await asyncio.sleep(1.2)
        assert adapter.first("connect", ended)
        adapter.is_away = False
        back = time.monotonic()
    assert adapter.first("neutral", back) - back < 0.6
    assert sum(1 for call, at in adapter.calls if call == "neutral" and at >= back) >= 10
    assert adapter.count("close") == 1


async def test_a_receiver_that_stays_away_at_the_end_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "PATIENCE", 0.6)

    adapter, driver = Noted(), Driver()
    task = asyncio.create_task(bridge.Bridge(driver.source, adapter).run())
    await begun(driver, adapter)
    adapter.is_away = True
    await until(lambda: adapter.count("abort"))
    driver.end()
    assert await asyncio.wait_for(task, 3) is False
    assert "was not told to stop" in capsys.readouterr().err


async def test_a_receiver_that_was_never_driven_is_not_looked_for_at_the_end() -> None:
    adapter, driver = Noted(), Driver()
    adapter.is_away = True
    task = asyncio.create_task(bridge.Bridge(driver.source, adapter).run())
    await until(lambda: adapter.count("abort"))
    driver.end()
    assert await asyncio.wait_for(task, 1) is True


def test_a_file_as_input_moves_nothing_and_ends(tmp_path: Path) -> None:
    recorded = tmp_path / "drive.jsonl"
    recorded.write_bytes(b"\n".join(line(number) for number in range(1, 100)) + b"\n")

    async def run(path: str) -> None:
        adapter = Noted()
        with open(path, "rb") as file:
            assert await asyncio.wait_for(bridge.Bridge(Source(f"fd:{file.fileno()}"), adapter).run(), 3)
        assert adapter.commands == []

    for path in ("/dev/null", str(recorded)):
        asyncio.run(run(path))


async def test_neutral_is_repeated_for_a_second_then_silence() -> None:
    adapter = Noted()
    adapter.neutral_time = 0.3  # type: ignore[misc]
    async with running(adapter) as driver:
        await begun(driver, adapter)
        driver.let_go()
        await asyncio.sleep(0.6)
        count = adapter.count("neutral")
        await asyncio.sleep(0.2)
        assert adapter.count("neutral") == count and adapter.count("idle") > 3


async def test_only_one_message_is_under_way_and_the_newest_wins() -> None:
    adapter = Noted()
    adapter.delay = 0.1
    async with running(adapter) as driver:
        await until(lambda: adapter.count("connect"))
        for step in range(30):
            driver.say(step / 100)
            await asyncio.sleep(0.02)
        assert adapter.most_under_way == 1
        assert len(adapter.commands) < 9
        driver.say(0.9)
        await until(lambda: adapter.commands[-1].throttle == 0.9, 0.3)


async def test_a_message_that_stays_unsent_for_300_ms_resets_the_link() -> None:
    async with driven() as (adapter, driver):
        adapter.delay = 10
        driver.say()
        stalled = time.monotonic()
        await until(lambda: adapter.count("abort"))
        assert 0.25 < adapter.first("abort") - stalled < 0.6
        adapter.delay = 0


async def test_a_message_that_stays_unacknowledged_for_300_ms_resets_the_link_and_no_other_follows_it() -> None:
    async with driven() as (adapter, driver):
        adapter.waiting = 100
        stalled, sent = time.monotonic(), len(adapter.commands)
        await driver.drive(0.25)
        assert len(adapter.commands) <= sent + 1
        await driver.drive(0.2)
        assert 0.25 < adapter.first("abort") - stalled < 0.6


async def test_a_stop_does_not_wait_for_the_acknowledgement_of_the_command_before_it() -> None:
    async with driven() as (adapter, driver):
        for end in (driver.let_go, driver.end):
            adapter.waiting = 100
            driver.say()
            await asyncio.sleep(0.06)
            end()
            stopped = time.monotonic()
            await until(lambda at=stopped: any(call == "neutral" and when >= at for call, when in adapter.calls), 0.2)
            adapter.waiting = 0
            if end == driver.let_go:
                await driver.drive(0.2)
    assert not adapter.count("abort")


async def test_a_link_that_breaks_under_a_drive_is_tried_again_at_once_and_then_seldom() -> None:
    async with driven() as (adapter, driver):
        adapter.fails, broken = True, time.monotonic()
        driver.say()
        await until(lambda: adapter.count("abort"))
        adapter.fails = False
        await until(lambda: any(name == "neutral" and at > broken for name, at in adapter.calls))
        assert adapter.first("neutral", broken) - adapter.first("abort", broken) < 0.2
        # A receiver that is away is not asked without end.
        adapter.is_away, before = True, adapter.count("connect")
        await driver.drive(1.2)
        assert 2 <= adapter.count("connect") - before <= 4


async def test_a_link_that_comes_back_does_not_resume_by_itself() -> None:
    async with driven() as (adapter, driver):
        adapter.fails = True
        await driver.drive(0.1)
        adapter.fails = False
        sent = len(adapter.commands)
        await driver.drive(0.8)
        assert adapter.count("connect") == 2 and len(adapter.commands) == sent
        driver.let_go()
        await driver.drive(0.2)
        assert len(adapter.commands) > sent


async def test_the_status_comes_back_as_telemetry() -> None:
    adapter = Noted()
    adapter.drives_on = 3.0  # type: ignore[misc]
    adapter.status.speed, adapter.status.battery = 12.5, 0.71
    async with running(adapter) as driver:
        await begun(driver, adapter)
        newest = driver.telemetry()[-1]
        assert newest["speed"] == 12.5 and newest["battery"] == 0.71
        assert newest["warnings"] == ["DRIVES ON 3.0 S WITHOUT US"]
        assert isinstance(newest["linkAge"], float) and newest["linkAge"] < 0.2


async def test_what_waited_while_the_bridge_stood_still_moves_nothing() -> None:
    async with driven() as (adapter, driver):
        driver.let_go()
        await asyncio.sleep(0.2)
        sent = len(adapter.commands)
        for _ in range(4):
            driver.say(0.9)
        time.sleep(0.3)  # The whole loop stands still, as after SIGSTOP.
        await asyncio.sleep(0.2)
        await driver.drive(0.1)
        assert len(adapter.commands) == sent
        driver.let_go()
        await driver.drive(0.1)
        assert len(adapter.commands) > sent


async def test_an_emergency_stop_that_waited_while_the_bridge_stood_still_latches() -> None:
    async with driven() as (adapter, driver):
        driver.let_go("emergency-stop")
        time.sleep(0.3)
        await asyncio.sleep(0.1)
        sent = len(adapter.commands)
        await driver.drive(0.2)
        assert len(adapter.commands) == sent


async def test_a_bridge_that_is_cancelled_tells_the_receiver_to_stop() -> None:
    adapter, driver = Noted(), Driver()
    task = asyncio.create_task(bridge.Bridge(driver.source, adapter).run())
    await begun(driver, adapter)
    cancelled = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 3)
    assert adapter.first("neutral", cancelled) - cancelled < 0.1 and adapter.count("close") == 1


async def test_a_touch_while_the_link_was_down_moves_nothing_when_it_is_back() -> None:
    async with driven() as (adapter, driver):
        driver.let_go()
        adapter.is_away = True
        await until(lambda: adapter.count("abort"))
        await driver.drive(0.2)
        adapter.is_away, sent = False, len(adapter.commands)
        await driver.drive(1)
        assert adapter.count("connect") >= 2 and len(adapter.commands) == sent
        driver.let_go()
        await driver.drive(0.2)
        assert len(adapter.commands) > sent


async def test_a_pause_is_noticed_even_if_the_clock_of_the_loop_runs_first() -> None:
    adapter, driver = Noted(), Driver()
    made = bridge.Bridge(driver.source, adapter)
    task = asyncio.create_task(made.run())
    await begun(driver, adapter)
    for _ in range(4):
        driver.say(0.9)
    made._ticked -= 1
    made._tick()  # Before anything has been read.
    assert not made.lease.command(time.monotonic()).driving and made.lease.why == "the bridge stood still"
    await driver.drive(0.1)
    assert all(command.throttle != 0.9 for command in adapter.commands)
    driver.end()
    await asyncio.wait_for(task, 5)


async def test_a_machine_that_was_suspended_under_a_drive_does_not_drive_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async with driven() as (adapter, driver):
        slept = bridge.suspended() + 3600
        monkeypatch.setattr(bridge, "suspended", lambda: slept)
        driver.say(0.9)
        await asyncio.sleep(0.1)
        await driver.drive(0.2, 0.9)
        assert all(command.throttle != 0.9 for command in adapter.commands) and adapter.calls[-1][0] == "neutral"
        driver.let_go()
        await driver.drive(0.2)
        assert adapter.calls[-1][0] == "send"


async def test_a_program_that_started_the_bridge_gets_answers_in_its_reports() -> None:
    adapter = Noted()
    async with running(adapter) as driver:
        await begun(driver, adapter)
        newest = driver.telemetry()[-1]
        assert newest["ack"] == driver.sequence and newest["driver"] == "you" and "stop" not in newest
        driver.let_go("emergency-stop")
        await asyncio.sleep(0.05)
        assert driver.telemetry()[-1]["stop"] == "host"


async def test_a_flood_of_the_vehicles_reports_is_passed_on_in_part() -> None:
    async with driven() as (adapter, driver):
        driver.telemetry()
        for _ in range(10_000):
            adapter.on_status()
        assert len(driver.telemetry()) <= bridge.REPORTS


async def test_late_lines_are_told() -> None:
    adapter = Noted()
    async with running(adapter) as driver:
        await begun(driver, adapter)
        await asyncio.sleep(0.61)
        driver.sequence += 1
        driver.mine.send(line(driver.sequence, rate=30, t=time.monotonic() - 0.6) + b"\n")
        await asyncio.sleep(0.05)
        assert "LATE 0.6 S" in str(driver.telemetry()[-1]["warnings"])
        sent = len(adapter.commands)
        await driver.drive(0.2)
        assert len(adapter.commands) == sent


@pytest.mark.parametrize("problem", [OSError(28, "no room"), ValueError("closed"), BrokenPipeError()])
async def test_a_message_that_cannot_be_written_is_no_end(problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, text: str) -> int:
            raise problem

        flush = write

    monkeypatch.setattr("sys.stderr", Full())
    async with driven() as (adapter, driver):
        adapter.fails = True
        await driver.drive(0.1)
        adapter.fails = False
        await until(lambda: adapter.count("connect") == 2)


async def test_there_is_no_link_before_the_first_connection() -> None:
    class Slow(Noted):
        async def connect(self) -> None:
            await asyncio.sleep(0.3)
            await super().connect()

    adapter, driver = Slow(), Driver()
    task = asyncio.create_task(bridge.Bridge(driver.source, adapter).run())
    driver.let_go()
    await asyncio.sleep(0.1)
    assert driver.telemetry()[-1]["warnings"] == ["NO LINK"]
    await until(lambda: adapter.count("neutral"))
    await asyncio.sleep(0.05)
    assert driver.telemetry()[-1]["warnings"] == []
    driver.end()
    await asyncio.wait_for(task, 5)


async def test_the_first_message_is_neutral_also_if_somebody_drives_already() -> None:
    adapter, driver = Noted(), Driver()
    driver.sequence = 100
    for _ in range(3):
        driver.say()
    task = asyncio.create_task(bridge.Bridge(driver.source, adapter).run())
    await until(lambda: len(adapter.calls) > 1)
    assert [call for call, _ in adapter.calls[:2]] == ["connect", "neutral"] and not adapter.commands
    driver.end()
    await asyncio.wait_for(task, 5)


async def test_a_bridge_that_starts_slowly_has_not_stood_still() -> None:
    adapter, driver = Noted(), Driver()
    made = bridge.Bridge(driver.source, adapter)
    time.sleep(0.3)
    task = asyncio.create_task(made.run())
    await begun(driver, adapter)
    driver.end()
    await asyncio.wait_for(task, 5)

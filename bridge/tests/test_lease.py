"""The rules of docs/drive.md, one by one: what a line is, and what happens after which lines."""

import json
from collections.abc import Callable

import pytest
from conftest import line, ready, safe

from cockpit_bridge.lease import LAST, LATE, LONGEST, MOST, OWNERS, SENDERS, BadMessage, Lease, parse

A, B = "aaaaaaaa", "bbbbbbbb"
HERE, THERE = ("192.0.2.1", 5000), ("192.0.2.2", 5000)
Feed = Callable[[Lease, float], None]


class Drive:
    """Lines of one sender, 1/30 s apart in its own time, to a lease."""

    def __init__(
            self, lease: Lease, identifier: str | None = None, address: object = HERE, rate: float | None = 30, ahead: float = 100) -> None:
        self.lease, self.address, self.ahead, self.sequence = lease, address, ahead, 0
        self.fields: dict[str, object] = ({"id": identifier} if identifier else {}) | ({"rate": rate} if rate else {})

    def _take(self, made: Callable[..., bytes], now: float, fields: dict[str, object], delay: float = 0) -> bool:
        self.sequence += 1
        said = json.loads(made(self.sequence)) | {"t": round(now + self.ahead - delay, 6)} | self.fields | fields
        self.lease.take(json.dumps(said).encode() + b"\n", self.address, now)
        return self.lease.command(now).driving

    def on(self, now: float, seconds: float = 0, delay: float = 0, **fields: object) -> bool:
        """Drives; returns whether the vehicle does after the last line."""
        step = 0
        while step / 30 <= seconds + 1e-9:
            drives = self._take(line, now + step / 30, fields, delay)
            step += 1
        return drives

    def let_go(self, now: float, reason: str = "lift", delay: float = 0, **fields: object) -> None:
        self._take(lambda sequence: safe(sequence, reason), now, fields, delay)

    def ready(self, now: float, reason: str = "none", delay: float = 0, **fields: object) -> None:
        self._take(lambda sequence: ready(sequence, reason), now, fields, delay)

    def miss(self, lines: int) -> None:
        """So many lines are lost."""
        self.sequence += lines

    def stop(self, now: float, press: int | None = None, **fields: object) -> None:
        self.let_go(now, "emergency-stop", **({"press": press} if press else {}) | fields)


# What a line is.

@pytest.mark.parametrize("bad", [
    b"", b"\n", b"{}", b"nonsense", b"[1]", b"[" * 400, b"x" * 2000, line(2) + b"\n" + line(3), line(2) + b"\n\n", line(2) + b" " * LONGEST,
    line(2, v=2), line(2, v=0), line(2, v=True), line(2, v="1"), line(0), line(2**53), line(2.0), line(True),  # type: ignore[arg-type]
    line(2, t=-1), line(2, t=None), line(2, t=True), line(2, t=float("nan")), line(2, t=float("inf")), line(2)[:-1] + b',"t":1e999}',
    line(2, throttle=1.5), line(2, throttle=True), line(2, throttle="1"), line(2, steering=float("nan")), line(2, steering=-1.01),
    line(2, throttle=int("9" * 320)), line(2, brake=0), line(2, horn=None), line(2, held=None), line(2, held=1), line(2, reason=None),
    line(2, reason="lift"), line(2, reason="start"), line(2, reason="unheard-of"), line(2, state="unheard-of"), line(2, state=None),
    line(2, gear="N"), line(2, 0, gear="N"), line(2, brake=True), line(2, gear="0"), line(2, gear="100"), line(2, gear=6), line(2, gear=""),
    line(2, gear="R"), line(2, -0.5, gear="10"), line(2, -0.5, gear="1"), line(2, gear="6\n"),
    line(2, state="safe", reason="lift"), line(2, state="ready"), safe(2, "none"), safe(2, "start"), safe(2, "released"), ready(2, "lift"),
    line(2, 0, 0.1, gear="N", brake=True, held=False, state="ready"), line(2, 0, 0, gear="N", brake=True, held=True, state="ready"),
    safe(2, "No reason"), safe(2, ""), safe(2, "x" * 33),
    line(2, id="abc"), line(2, id="AAAAAAAA"), line(2, id=12345678), line(2, id=None), line(2, id="aaaaaaaa\n"),
    line(2, rate=4.9), line(2, rate=201), line(2, rate=True), line(2, rate=None), line(2, press=1), line(2, press=None),
    line(2, channels=[1]), line(2, channels={"a": 2}), line(2, channels={"a": True}), line(2, channels={"A": 0}), line(2, channels={"": 0}),
    line(2, channels={"x" * 17: 0}), line(2, channels={str(n): 0 for n in range(9)}), line(2, channels=None),
    line(2)[:-1] + b',"seq":3}', line(2, name="\u00e9").replace(b"\\u00e9", b"\xc3\xa9"), b"\xef\xbb\xbf" + line(2),
    line(2).decode().encode("utf-16"), line(2).decode().encode("utf-32"), b"\xff\x00"])
def test_what_is_no_line_of_the_contract_is_a_stop_and_needs_a_release(bad: bytes) -> None:
    with pytest.raises(BadMessage):
        parse(bad)
    lease = Lease()
    drive = Drive(lease)
    assert drive.on(0)
    assert lease.take(bad, HERE, 0.01) is None
    assert not lease.command(0.01).driving and lease.why.startswith("unreadable: ")
    assert not drive.on(0.02)
    drive.let_go(0.03)
    assert drive.on(0.04)


@pytest.mark.parametrize("good", [
    line(2), line(2) + b"\n", line(2**53 - 1), line(2, 1), line(2, -1, gear="R"), line(2, 0, gear="R"), line(2, 0, gear="1"),
    line(2, held=False), line(2, 0, 0.5, gear="N", brake=True), line(2, gear="10"), line(2, t=0),
    line(2, later="a property of a later cockpit"), safe(2, "a-later-reason"),
    ready(2, "released"), safe(2, "taken"), safe(2, "link-slow"), line(2, id=A, rate=30), line(2, rate=5), line(2, rate=200),
    line(2, channels={}), line(2, channels={"left-arm-2": -1, "b": 0.5}),
    json.dumps(json.loads(safe(2, "emergency-stop")) | {"press": 1}).encode()])
def test_a_line_of_the_contract_is_read(good: bytes) -> None:
    assert parse(good).sequence >= 2


def test_a_line_with_everything_fits_and_one_byte_more_does_not() -> None:
    full = line(2, id=A, rate=30, channels={}) + b"\n"
    longest = full[:-2] + b" " * (LONGEST - len(full)) + b"}\n"
    assert len(longest) == LONGEST and parse(longest).identifier == A
    with pytest.raises(BadMessage):
        parse(longest[:-2] + b" }\n")


# How long a command holds.

@pytest.mark.parametrize(("rate", "seconds"), [(5, 0.5), (6, 0.5), (10, 0.3), (15, 0.2), (20, 0.15), (30, 0.15), (200, 0.15)])
def test_a_command_holds_for_three_lines_of_the_rate_that_the_sender_says(rate: float, seconds: float) -> None:
    lease = Lease()
    assert Drive(lease, rate=rate).on(0)
    assert lease.deadline == pytest.approx(seconds)
    assert lease.command(seconds - 0.001).throttle == 0.6
    assert lease.command(seconds).brake and lease.command(seconds).throttle == 0 and lease.why == "no line in time"


@pytest.mark.parametrize(("every", "lines", "seconds"), [
    (1 / 30, 8, 0.5), (1 / 30, 9, 0.15), (0.1, 9, 0.3), (0.2, 9, 0.5), (0.06, 20, 0.18)])
def test_without_a_rate_it_is_learned_from_eight_lines_that_repeat_a_command(every: float, lines: int, seconds: float) -> None:
    lease = Lease()
    drive = Drive(lease, rate=None)
    for number in range(lines):
        assert drive.on(number * every)
    assert lease.deadline == pytest.approx((lines - 1) * every + seconds)


def test_a_moving_hand_does_not_shorten_what_is_learned() -> None:
    lease = Lease()
    drive = Drive(lease, rate=None)
    for number in range(100):
        drive.on(number / 125, throttle=0.1 + number / 200)
    assert lease.deadline == pytest.approx(99 / 125 + MOST)


def test_lost_lines_and_pauses_are_no_periods() -> None:
    lease = Lease()
    drive = Drive(lease, rate=None)
    for number in range(12):
        drive.on(number / 10)
        drive.sequence += 2
    assert lease.deadline == pytest.approx(1.1 + 0.15)
    assert drive.on(1.2)
    drive.let_go(1.3)
    drive.on(9)
    assert lease.deadline == pytest.approx(9.15)


def test_a_cockpit_that_hung_once_does_not_lengthen_what_is_learned() -> None:
    lease = Lease()
    drive = Drive(lease, rate=None)
    drive.on(0)
    drive.on(0.4, 0.4)
    assert lease.deadline == pytest.approx(0.95)


def test_the_option_fixes_the_lease() -> None:
    lease = Lease(0.4)
    Drive(lease, rate=200).on(0)
    assert lease.deadline == 0.4


# Nothing resumes.

@pytest.mark.parametrize("identifier", [None, A])
@pytest.mark.parametrize("gap", [0.15, 0.2, 1, 10, 3600])
def test_after_a_gap_nothing_moves_before_a_release(gap: float, identifier: str | None) -> None:
    lease = Lease()
    drive = Drive(lease, identifier)
    assert drive.on(0, 1)
    assert not drive.on(1 + gap, 2)
    drive.let_go(4 + gap)
    assert drive.on(4.1 + gap)


LOSSES: dict[str, Feed] = {
    "a lost link": lambda lease, now: lease.lose_link(),
    "a bridge that stood still": lambda lease, now: lease.lose("the bridge stood still"),
    "garbage of a stranger": lambda lease, now: lease.take(b"garbage", THERE, now) and None,
    "the end of the stream": lambda lease, now: lease.end(HERE),
    "an emergency stop that is lifted at once": lambda lease, now: stop_and_release(lease, now),
}


def stop_and_release(lease: Lease, now: float) -> None:
    other = Drive(lease, B, THERE)
    other.stop(now, 1)
    other.ready(now, "released")


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("identifier", [None, A])
def test_after_a_loss_a_held_finger_moves_nothing(loss: str, identifier: str | None) -> None:
    lease = Lease()
    drive = Drive(lease, identifier)
    assert drive.on(0, 1)
    LOSSES[loss](lease, 1.01)
    assert not lease.command(1.01).driving
    assert not drive.on(1.02, 1)
    drive.let_go(2.1)
    assert drive.on(2.2)


def test_a_lost_link_at_rest_needs_no_second_touch_unless_a_line_was_missed() -> None:
    for missed in (0, 1):
        lease = Lease()
        drive = Drive(lease, A)
        drive.ready(0, "start")
        lease.lose_link()
        drive.sequence += missed
        assert drive.on(3) == (not missed)


def test_a_touch_while_the_link_was_down_moves_nothing_when_it_is_back() -> None:
    lease = Lease()
    drive = Drive(lease, A)
    drive.ready(0, "start")
    lease.lose_link()
    drive.on(1, 1)
    lease.lose_link()
    assert not drive.on(2.1)


@pytest.mark.parametrize("identifier", [None, A])
def test_a_sender_that_is_met_in_mid_drive_needs_a_release(identifier: str | None) -> None:
    lease = Lease()
    drive = Drive(lease, identifier)
    drive.sequence = 500
    assert not drive.on(0, 1)
    drive.let_go(1.1)
    assert drive.on(1.2)


def test_a_sender_that_is_met_from_its_first_line_does_not() -> None:
    assert Drive(Lease(), A).on(0)


@pytest.mark.parametrize(("lost", "rate", "drives"), [
    (3, None, True), (4, None, False), (4, 30, True), (5, 30, False), (3, 5, True), (4, 5, False), (30, 200, True), (31, 200, False)])
def test_a_touch_at_rest_counts_unless_more_of_its_lines_were_lost_than_the_lease_lasts(
        lost: int, rate: float | None, drives: bool) -> None:
    lease = Lease()
    drive = Drive(lease, A, rate=rate)
    drive.ready(0, "start")
    drive.miss(lost)
    assert drive.on(10, 1) == drives
    drive.let_go(11.1)
    assert drive.on(11.2)


def test_a_release_of_a_stop_that_another_has_lifted_lifts_no_third_ones() -> None:
    lease = Lease()
    third, owner, other = Drive(lease, "cccccccc", THERE), Drive(lease, A), Drive(lease, B, THERE)
    owner.stop(0, 1)
    other.ready(1, "released")
    assert not lease.is_stopped
    third.stop(1.1, 1)
    owner.stop(1.2, 1)
    owner.ready(2.5, "released")
    assert lease.is_stopped


def test_a_refused_driver_sounds_no_horn() -> None:
    lease = Lease()
    drive = Drive(lease, A)
    drive.on(0, 1)
    drive.lease.lose("for a test")
    drive.let_go(1.1, horn=True)
    Drive(lease, B, THERE).stop(1.11, 1)
    drive.let_go(1.12, horn=True)
    assert lease.command(1.12).horn
    drive.on(1.13)
    assert not lease.command(1.13).horn


# Order.

@pytest.mark.parametrize("identifier", [None, A])
def test_an_old_line_counts_for_nothing_and_does_not_renew_the_lease(identifier: str | None) -> None:
    lease = Lease()
    drive = Drive(lease, identifier)
    drive.sequence = 3
    drive.let_go(-0.1)
    assert drive.on(0)
    drive.sequence = 3
    assert drive.on(0.1, throttle=1.0) and lease.command(0.1).throttle == 0.6
    assert not lease.command(0.15).driving


def test_after_a_gap_a_cockpit_without_an_id_may_count_from_one_and_needs_a_release() -> None:
    lease = Lease()
    drive = Drive(lease)
    drive.sequence = 500
    drive.let_go(0)
    drive.sequence = 0
    assert not drive.on(1, throttle=0.2)
    drive.let_go(1.1)
    assert drive.on(1.2, throttle=0.2)


def test_after_a_gap_old_lines_of_a_cockpit_without_an_id_stay_old_for_as_long_as_a_line_may_be_under_way() -> None:
    lease = Lease()
    drive = Drive(lease)
    drive.on(0)
    drive.let_go(0.1)
    last = json.loads(safe(2)) | {"t": 100.1}
    drive.on(0.2)
    lease.take(json.dumps(last).encode(), HERE, 5)
    drive.on(5.1)
    assert not lease.command(5.1).driving
    for age in (0.5, 29):
        lease = Lease()
        drive = Drive(lease)
        drive.sequence = 1000
        drive.let_go(0)
        drive.sequence = 500
        drive.let_go(age, delay=2 * age)
        assert not drive.on(age + 0.01, delay=2 * age)


def test_after_a_gap_old_lines_of_a_cockpit_with_an_id_stay_old() -> None:
    lease = Lease()
    drive = Drive(lease, A)
    assert drive.on(0, 1)
    drive.sequence = 0
    drive.let_go(60)
    assert not drive.on(60.1, 0.5)
    drive.sequence = 500
    drive.let_go(61)
    assert drive.on(61.1)


# One driver.

def test_a_second_sender_is_refused_and_needs_a_release_when_the_first_has_let_go() -> None:
    lease = Lease()
    first, second = Drive(lease, A), Drive(lease, B, THERE)
    assert first.on(0)
    second.on(0.01, throttle=-0.4, gear="R")
    assert lease.driver == A and lease.command(0.01).throttle == 0.6
    assert lease.status_of(A)["driver"] == "you" and lease.status_of(B)["driver"] == "other"
    first.let_go(0.1)
    assert lease.status_of(B)["driver"] == "none"
    assert not second.on(0.11, 1)
    second.let_go(1.2)
    assert second.on(1.3) and lease.driver == B
    assert lease.command(1.3).throttle == 0.6


def test_a_second_sender_neither_renews_nor_ends_the_first_ones_lease() -> None:
    lease = Lease()
    first, second = Drive(lease, A), Drive(lease, B, THERE)
    first.on(0)
    for number in range(1, 15):
        second.on(number / 100)
        second.let_go(number / 100)
        second.ready(number / 100)
    assert lease.command(0.149).driving and not lease.command(0.15).driving


def test_a_sender_without_an_id_is_known_by_its_address_and_one_with_an_id_wherever_it_is() -> None:
    lease = Lease()
    first = Drive(lease)
    assert first.on(0)
    first.address = THERE
    first.on(0.01, throttle=1.0)
    assert lease.command(0.01).throttle == 0.6
    lease = Lease()
    first = Drive(lease, A)
    first.on(0)
    first.address = THERE
    assert first.on(0.01, throttle=1.0) and lease.command(0.01).throttle == 1


def test_a_stream_without_an_address_has_one_driver_too() -> None:
    lease = Lease()
    assert Drive(lease, None, None).on(0) and lease.driver is not None
    Drive(lease, B).on(0.01, throttle=1)
    assert lease.command(0.01).throttle == 0.6


# The emergency stop.

def test_a_stop_counts_from_anybody_whatever_its_number_and_age() -> None:
    lease = Lease()
    first, second = Drive(lease, A), Drive(lease, B, THERE)
    for sender in (second, first):
        sender.sequence = 10_000
    second.let_go(-10)
    first.let_go(-9)
    assert first.on(0, 1)
    second.sequence = 5
    second.let_go(1.01, "emergency-stop", delay=60, press=1)
    assert lease.is_stopped and not lease.command(1.01).driving
    assert not first.on(1.02, 1)
    first.let_go(2.1)
    assert not first.on(2.2) and lease.status_of(A)["stop"] == B


RELEASES: dict[str, tuple[Callable[[Drive, Drive], None], bool]] = {
    "its own release": (lambda owner, other: owner.ready(2, "released"), True),
    "its own start": (lambda owner, other: owner.ready(2, "start"), False),
    "its own rest": (lambda owner, other: owner.ready(2), False),
    "its own lift": (lambda owner, other: owner.let_go(2), False),
    "its own touch": (lambda owner, other: owner.on(2) and None, False),
    "its own release that is late": (lambda owner, other: owner.ready(2, "released", delay=2), True),
    "another's release": (lambda owner, other: other.ready(2, "released"), True),
    "another's release that is late": (lambda owner, other: (other.let_go(1), other.ready(2, "released", delay=2)) and None, False),
    "another's start": (lambda owner, other: other.ready(2, "start"), False),
    "another's rest": (lambda owner, other: other.ready(2), False),
    "another's stop and release": (lambda owner, other: (other.stop(2, 1), other.ready(2.1, "released")) and None, False),
    "another's release that is repeated": (
        lambda owner, other: (other.stop(2, 1), [other.ready(2.1 + step / 30, "released") for step in range(31)]) and None, False),
    "another's two stops and releases in a second": (
        lambda owner, other: (
            other.stop(2, 1), other.ready(2.1, "released"), other.stop(2.2, 2),
            [other.ready(3 + step / 30, "released") for step in range(31)]) and None, False),
    "another's stop and a release of more than that": (
        lambda owner, other: (other.stop(2, 1), other.ready(2.1, "released"), other.ready(3.4, "released")) and None, True),
    "another's release of a stop that was lost": (lambda owner, other: other.miss(5) or other.ready(2, "released"), False),
    "another's release after few lost lines": (lambda owner, other: other.miss(4) or other.ready(2, "released"), True),
}


@pytest.mark.parametrize("event", RELEASES)
def test_a_latched_stop_is_lifted_by(event: str) -> None:
    lease = Lease()
    owner, other = Drive(lease, A), Drive(lease, B, THERE)
    other.ready(0, "start")
    owner.ready(0, "start")
    owner.stop(1, 1)
    happen, is_lifted = RELEASES[event]
    happen(owner, other)
    assert lease.is_stopped == (not is_lifted)
    other.let_go(3)
    assert other.on(3.1) == is_lifted


@pytest.mark.parametrize(("reason", "address", "identifier", "is_lifted"), [
    ("none", HERE, None, True), ("released", HERE, None, True), ("start", HERE, None, False), ("none", (HERE[0], 9), None, True),
    ("start", (HERE[0], 9), None, False), ("none", THERE, None, False), ("none", HERE, B, False), ("released", THERE, B, True)])
def test_a_stop_without_an_id_is_lifted_from_its_host(reason: str, address: object, identifier: str | None, is_lifted: bool) -> None:
    lease = Lease()
    Drive(lease).stop(0)
    assert lease.status_of(HERE)["stop"] == "host"
    sender = Drive(lease, identifier, address)
    sender.sequence = 0 if identifier else 100
    sender.ready(1, reason)
    assert lease.is_stopped == (not is_lifted)


def test_a_press_that_was_lifted_does_not_latch_again_and_the_next_one_does() -> None:
    lease = Lease()
    owner, other = Drive(lease, A), Drive(lease, B, THERE)
    owner.stop(0, 2)
    other.ready(1, "released")
    assert not lease.is_stopped and lease.status_of(A)["lifted"] == 2 and "lifted" not in lease.status_of(B)
    owner.stop(1.1, 2)
    owner.stop(1.2, 1)
    assert not lease.is_stopped
    owner.stop(1.3, 3)
    assert lease.is_stopped
    owner.ready(1.4, "released")
    assert not lease.is_stopped and lease.status_of(A)["lifted"] == 2


def test_a_stop_without_a_press_always_latches() -> None:
    lease = Lease()
    owner, other = Drive(lease, A), Drive(lease, B, THERE)
    owner.stop(0)
    other.ready(1, "released")
    owner.stop(1.1)
    assert lease.is_stopped


@pytest.mark.parametrize("identifier", [None, A])
def test_a_latched_stop_outlives_the_program(identifier: str | None) -> None:
    lease = Lease()
    Drive(lease, identifier).stop(0, 1 if identifier else None)
    memory = json.loads(json.dumps(lease.memory))
    for reason, is_lifted in (("start", False), ("released", True)):
        again = Lease(memory=memory)
        assert again.is_stopped and not Drive(again, B, THERE).on(0)
        Drive(again, identifier).ready(1, reason)
        assert again.is_stopped == (not is_lifted)


def test_pressing_again_after_a_restart_does_not_make_a_second_stop_of_one_host() -> None:
    lease = Lease()
    Drive(lease).stop(0)
    lease = Lease(memory=lease.memory)
    owner = Drive(lease)
    owner.stop(0)
    owner.ready(1)
    assert not lease.is_stopped


@pytest.mark.parametrize("memory", [
    None, {}, [], "", 0, "x", {"stops": 1}, {"stops": [{}], "lifted": {}}, {"stops": [], "lifted": []}, {"lifted": {}},
    {"stops": [{"id": 1, "host": None, "press": 0}], "lifted": {}}, {"stops": [], "lifted": {"a": 1}}])
def test_a_memory_that_cannot_be_read_is_a_stop_that_a_release_lifts(memory: object) -> None:
    lease = Lease(memory=memory)
    assert lease.is_stopped == (memory is not None and memory != {})
    drive = Drive(lease, A)
    drive.ready(0)
    assert drive.on(0.1) == (not lease.is_stopped)
    drive.ready(1, "released")
    assert drive.on(1.1)


# Late lines.

def test_a_queue_that_grows_is_noticed() -> None:
    lease = Lease()
    drive = Drive(lease, A)
    drive.ready(0, "start")
    assert drive.on(0.1, 1)
    last = max(step / 30 for step in range(33, 150) if drive.on(step / 30, delay=(step / 30 - 1.1) * 0.8))
    assert last - 1.1 < LATE / 0.8 + 0.05
    assert "s late" in lease.why and (lease.late(5) or 0) > 2
    drive.let_go(6, delay=2)
    assert not drive.on(6.1, 0.5, delay=2)
    assert not drive.on(7, 0.5)
    drive.let_go(8)
    assert drive.on(8.1) and lease.late(8.1) is None


@pytest.mark.parametrize(("late", "drives"), [(0.2, True), (0.3, False)])
def test_a_touch_whose_first_line_turns_out_to_have_been_late_is_as_good_as_none(late: float, drives: bool) -> None:
    """A consumer that was started while a queue was full knows no faster line before the queue has gone."""
    lease = Lease()
    drive = Drive(lease, A)
    drive.sequence = 500
    drive.let_go(0, delay=late)
    assert drive.on(0.05, delay=late)
    assert drive.on(0.1) == drives
    drive.let_go(1)
    assert drive.on(1.1, 3600 * 5 / 30)


def test_a_line_that_is_more_than_250_ms_late_moves_nothing() -> None:
    for delay, drives in ((0.249, True), (0.251, False)):
        lease = Lease()
        drive = Drive(lease, A)
        assert drive.on(0)
        assert drive.on(0.1, delay=delay) == drives


def test_clocks_that_drift_by_half_a_millisecond_a_second_are_followed() -> None:
    for drift, holds in ((0.0004, True), (-0.0004, True), (0.01, False)):
        lease = Lease()
        drive = Drive(lease, A)
        assert all(drive.on(second / 10, delay=second / 10 * drift) for second in range(10))
        drives = True
        for second in range(10, 36_000):
            drives = drives and drive.on(second / 10, delay=second / 10 * drift)
        assert drives == holds


def test_a_sender_without_a_clock_is_not_late() -> None:
    lease = Lease()
    drive = Drive(lease)
    assert all(drive.on(step / 30, t=1.0) for step in range(300))


def test_a_machine_that_was_started_again_has_a_new_clock_which_counts_when_no_line_of_the_old_one_can_come_any_more() -> None:
    lease = Lease()
    drive = Drive(lease)
    assert drive.on(0, 1)
    drive.let_go(1.1)
    drive.ahead, drive.sequence = -1.5, 0
    drive.ready(2, "start")
    assert not drive.on(2.5, 1) and lease.why == "another clock, not obeyed for 29 s"
    drive.let_go(31.9)
    assert not drive.on(32.1, 1)
    drive.let_go(33.2)
    assert drive.on(33.3, 1)


@pytest.mark.parametrize("is_restarted", [False, True])
def test_old_lines_of_a_machine_that_was_started_again_and_whose_sender_has_no_id_move_nothing(is_restarted: bool) -> None:
    lease = Lease(now=0)
    old = Drive(lease, ahead=84000)
    old.ready(0.1, "start")
    assert old.on(0.2, 0.3)
    old.let_go(0.6)
    new = Drive(lease, ahead=15)
    new.ready(4, "start")
    new.on(4.1, 0.2)
    old.let_go(4.4, delay=2)  # It comes from a queue.
    if is_restarted:
        lease = again(lease, 4.5)
        old.lease = new.lease = lease
    new.sequence = 0
    new.ready(6, "start", delay=2)  # It was doubled on its way.
    assert not new.on(6.1, 0.2, delay=2)
    old.ready(6.4, delay=2)
    assert not old.on(6.5, 0.2, delay=2)
    new.stop(6.8)
    old.ready(6.9, delay=2)
    assert lease.is_stopped


def test_a_stop_that_a_broker_says_for_a_sender_has_no_clock_and_the_next_run_need_not_wait() -> None:
    lease = Lease()
    drive = Drive(lease, ahead=4000)
    assert drive.on(0, 1)
    drive.sequence = LAST - 1
    drive.let_go(3, reason="terminated", t=0)
    assert lease.why == "safe, terminated" and not lease.is_stopped
    drive.sequence = 40
    drive.ready(3.1, "released", delay=0.2)  # Of the run that has ended: a queue had it.
    assert not drive.on(3.2, 0.2)
    drive.sequence = 0
    drive.ready(5, "start")
    drive.let_go(5.1)
    assert drive.on(5.2)


def test_a_stop_that_a_broker_says_for_a_sender_whom_nobody_heard_tells_no_clock() -> None:
    lease = Lease()
    drive = Drive(lease, ahead=4000)
    drive.sequence = LAST - 1
    drive.let_go(0, reason="terminated", t=0)
    drive.sequence = 0
    drive.ready(1, "start")
    assert drive.on(1.1)


def test_a_clock_that_leaps_ahead_is_another_one() -> None:
    for seconds, is_obeyed in ((29, True), (31, False)):
        lease = Lease()
        drive = Drive(lease)
        assert drive.on(0, 0.2)
        drive.let_go(0.3)
        drive.ahead += seconds
        drive.let_go(0.4)
        assert drive.on(0.5) == is_obeyed


def test_a_day_without_a_line_is_no_leap_of_a_clock() -> None:
    lease = Lease()
    drive = Drive(lease)
    assert drive.on(0, 0.2)
    drive.let_go(0.3)
    drive.ahead += 20  # Two quartzes drift by some seconds a day.
    drive.let_go(86400)
    assert drive.on(86400.1)


# What is remembered, and said back.

def test_strangers_without_number_push_out_neither_driver_nor_owner() -> None:
    lease = Lease()
    owner, driver = Drive(lease, A), Drive(lease, B, THERE)
    owner.stop(0, 1)
    owner.ready(0.1, "released")
    assert driver.on(0.2)
    for number in range(1000):
        Drive(lease, f"{number:08x}", ("192.0.2.3", number)).let_go(0.21)
    assert len(lease._senders) == SENDERS and driver.on(0.22, throttle=1) and lease.command(0.22).throttle == 1
    owner.sequence = 100
    owner.stop(0.23, 2)
    for number in range(1000):
        Drive(lease, f"{number:08x}", ("192.0.2.3", number)).let_go(0.23)
    owner.sequence = 50
    owner.ready(0.23, "released")  # It is old: the stop came after it.
    assert lease.is_stopped
    owner.sequence = 101
    owner.ready(0.23, "released")
    assert not lease.is_stopped
    for number in range(1000):
        Drive(lease, f"{number:08x}", ("192.0.2.3", number)).stop(0.23, 1)
    assert len(lease._senders) <= SENDERS and len(lease._stops) == OWNERS + 1
    for number in range(1000):
        Drive(lease, f"{number:08x}", ("192.0.2.3", number)).ready(0.24, "released")
    driver.let_go(0.3)
    driver.ready(0.4, "released")
    assert not lease.is_stopped and driver.on(0.5)


def test_an_answer_is_no_longer_than_its_line_and_tells_the_vehicle_in_order() -> None:
    lease = Lease()
    drive = Drive(lease, A)
    drive.on(5)
    report = {"speed": 12.5, "battery": 0.71, "linkAge": 0.01, "warnings": ["A" * 40, "B" * 40, "C" * 400]}
    longest = len(lease.answer(A, report, 10_000))
    seen = set()
    for room in range(longest + 1):
        answer = lease.answer(A, report, room)
        assert len(answer) <= room and answer.endswith(b"\n") == bool(answer)
        if answer:
            fields = json.loads(answer)
            assert fields["id"] == A and fields["ack"] == 1 and fields["arrived"] == 5 and fields["driver"] == "you"
            seen.add(tuple(fields)[4:] + (len(fields.get("warnings", [])),))
    assert seen >= {
        (0,), ("speed", 0), ("speed", "battery", 0), ("speed", "battery", "linkAge", 0), ("speed", "battery", "linkAge", "warnings", 3)}
    assert json.loads(lease.answer(A, report))["speed"] == 12.5
    assert lease.answer("nobody") == b""


def test_a_stop_and_the_horn() -> None:
    lease = Lease()
    drive, other = Drive(lease, A), Drive(lease, B, THERE)
    drive.ready(0, horn=True)
    assert lease.command(0.1).horn and lease.command(0.1).brake and not lease.command(0.15).horn
    drive.ready(1, horn=True)
    other.ready(1)
    assert lease.command(1.01).horn
    other.on(1.02)
    assert not lease.command(1.02).horn and lease.driver == B


# After a restart of the program.

def again(lease: Lease, now: float) -> Lease:
    """The lease of the next program, which starts at `now`."""
    return Lease(memory=json.loads(json.dumps(lease.memory)), now=now)


@pytest.mark.parametrize("identifier", [None, A])
@pytest.mark.parametrize("age", [0.1, 0.3, 2])
def test_lines_of_before_a_restart_move_nothing_and_sound_no_horn(identifier: str | None, age: float) -> None:
    lease = Lease()
    drive = Drive(lease, identifier)
    drive.ready(0)
    assert drive.on(0.1, 1)
    drive.lease = lease = again(lease, 10)
    # All lines of these seconds are late by as much, and arrive in their order.
    drive.ready(10 + age / 9, "none", age, horn=True)
    assert not lease.command(10 + age / 9).horn
    assert not any(drive.on(10 + age / 9 + step / 30, 0, age) for step in range(int(age * 8 / 9 * 30)))
    # What is said now counts.
    drive.let_go(11 + age)
    assert drive.on(11.1 + age, 1)


@pytest.mark.parametrize("identifier", [None, A])
def test_a_driver_who_holds_on_through_a_restart_must_let_go(identifier: str | None) -> None:
    lease = Lease()
    drive = Drive(lease, identifier)
    drive.ready(0)
    assert drive.on(0.1, 1)
    drive.lease = again(lease, 1.2)
    assert not drive.on(1.21, 1)
    drive.let_go(2.3)
    assert drive.on(2.4)


def test_how_fast_lines_were_outlives_the_program() -> None:
    lease = Lease()
    drive = Drive(lease, A)
    drive.ready(0)
    assert drive.on(0.1, 1)
    drive.lease = lease = again(lease, 2)
    drive.ready(3)
    assert not drive.on(3.1, 0, 0.3) and "late" in lease.why


def test_a_release_of_before_a_restart_lifts_nothing_and_a_stop_of_before_it_stops() -> None:
    lease = Lease()
    driver, other = Drive(lease, A), Drive(lease, B, THERE)
    driver.ready(0)
    other.ready(0)
    driver.lease = other.lease = lease = again(lease, 1)
    other.stop(1.2, 1, delay=0.5)
    assert lease.is_stopped
    driver.ready(1.3, "released", delay=0.5)
    assert lease.is_stopped
    # That of the same hand, said after it, is as good as one in time.
    other.ready(1.4, "released", delay=0.5)
    assert not lease.is_stopped


@pytest.mark.parametrize("identifier", [None, A])
def test_a_release_of_before_a_restart_does_not_lift_a_stop_that_the_same_hand_pressed_after_it(identifier: str | None) -> None:
    lease = Lease()
    owner = Drive(lease, identifier)
    owner.ready(0)
    owner.stop(0.1, 1 if identifier else None)
    owner.miss(1)
    owner.stop(1.5, 2 if identifier else None)
    owner.lease = lease = again(lease, 2)
    owner.sequence = 2
    owner.ready(2.1, "released", delay=1)
    assert lease.is_stopped


def test_who_slept_while_its_stop_was_pressed_lifts_it_after_a_restart() -> None:
    lease = Lease()
    owner = Drive(lease, A)
    owner.ready(0)
    owner.stop(0.1, 1)
    owner.lease = lease = again(lease, 1000)
    owner.ahead -= 5000
    owner.stop(5000.1, 1)
    owner.ready(5001, "released")
    assert not lease.is_stopped


def test_a_release_that_is_repeated_after_a_restart_lifts_no_stop_that_came_later() -> None:
    lease = Lease()
    driver, other = Drive(lease, A), Drive(lease, B, THERE)
    driver.ready(0, "start")
    driver.ready(0.1, "released")
    other.lease = driver.lease = lease = again(lease, 0.2)
    other.stop(0.3, 1)
    driver.ready(0.31, "released")
    assert lease.is_stopped


def test_what_outlives_the_program_is_seldom_written() -> None:
    lease = Lease()
    drive, memories = Drive(lease, A), []
    drive.ready(0)
    for step in range(30 * 600):
        drive.on(0.1 + step / 30, 0, 0.01 * (step % 7 == 0) + 0.1 * (step % 100 == 3))
        if not memories or lease.memory != memories[-1]:
            memories.append(lease.memory)
    # A delay that rises by 0.5 ms a second is 20 ms in 40 s.
    assert len(memories) <= 600 / 40 + 2
    assert len(json.dumps(memories[-1])) < 300


def test_a_stream_ends_with_the_program() -> None:
    lease = Lease()
    Drive(lease, None, "stream").ready(0)
    assert lease.memory == {}


def test_a_clock_that_began_again_tells_nothing_of_old_lines() -> None:
    lease = Lease()
    drive = Drive(lease, A)
    drive.ready(1000)
    drive.lease = again(lease, 20)
    drive.ready(21)
    drive.ready(22)
    assert drive.on(22.1)


@pytest.mark.parametrize("change", [
    {"id": 1}, {"id": None}, {"address": 7, "id": None}, {"address": [[]], "id": None}, {"seq": "x"}, {"seq": 1.5}, {"t": "now"}, {"t": None},
    {"arrived": None}, {"arrived": float("nan")}, {"floor": float("inf")}, {"floor": []}])
def test_a_sender_that_cannot_be_read_is_a_stop(change: dict[str, object]) -> None:
    lease = Lease()
    Drive(lease, A).ready(0)
    [sender] = lease.memory["senders"]  # type: ignore[misc, has-type]
    for fields, is_stopped in ((sender, False), (sender | change, True), ({}, True), ([], True)):
        assert Lease(memory={"stops": [], "lifted": {}, "senders": [fields]}, now=1).is_stopped == is_stopped


def test_no_more_senders_are_read_than_are_remembered() -> None:
    lease = Lease()
    Drive(lease, A).ready(0)
    memory = lease.memory
    [sender] = memory["senders"]  # type: ignore[misc, has-type]
    many = [sender | {"id": f"{number:08x}"} for number in range(100)]
    assert len(Lease(memory=memory | {"senders": many}, now=1).memory["senders"]) == SENDERS  # type: ignore[arg-type]

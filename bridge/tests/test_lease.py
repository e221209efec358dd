"""The lease as a table of events and times."""

import pytest
from conftest import line, ready, safe

from cockpit_bridge.lease import Lease


def driving(lease: Lease, now: float) -> bool:
    return lease.command(now).driving


def hear(lease: Lease, start: float, *lines: bytes) -> bool:
    """Takes lines 10 ms apart; returns whether the last one drives."""
    now = start
    for index, message in enumerate(lines):
        now = start + index / 100
        lease.take(message, now)
    return driving(lease, now)


def test_a_message_holds_for_150_ms() -> None:
    lease = Lease()
    lease.take(line(1), 0)
    assert lease.command(0.149).throttle == 0.6
    assert lease.command(0.150).brake and lease.command(0.150).throttle == 0


def test_after_a_gap_only_a_new_driving_message_moves() -> None:
    lease = Lease()
    lease.take(line(1), 0)
    assert not driving(lease, 1)
    lease.take(safe(2), 1.1)
    assert not driving(lease, 1.1)
    lease.take(line(3), 1.2)
    assert driving(lease, 1.2)


def test_an_old_datagram_counts_for_nothing_and_does_not_renew_the_lease() -> None:
    lease = Lease()
    lease.take(line(5, 0.6), 0)
    lease.take(line(4, 1.0), 0.1)
    assert lease.command(0.1).throttle == 0.6
    assert not driving(lease, 0.15)


def test_after_a_gap_a_new_cockpit_may_count_from_one() -> None:
    lease = Lease()
    lease.take(line(500), 0)
    lease.take(line(1, 0.2), 1)
    assert lease.command(1).throttle == 0.2


@pytest.mark.parametrize("bad", [
    b"", b"{}", b"nonsense", b"[1]", b"[" * 900, b"x" * 2000, line(2, v=2), line(2, v=0), line(2, v=True), line(0),
    line(2, throttle=1.5), line(2, throttle=True), line(2, throttle="1"), line(2, steering=float("nan")), line(2, brake=0),
    line(2, reason=None)])
def test_what_cannot_be_read_is_a_stop(bad: bytes) -> None:
    lease = Lease()
    lease.take(line(1), 0)
    lease.take(bad, 0.01)
    assert not driving(lease, 0.01)


def test_the_emergency_stop_latches_until_ready() -> None:
    lease = Lease()
    assert not hear(lease, 0, line(1), safe(2, "emergency-stop"), line(3))
    # A cockpit that was started again has not released it.
    assert not hear(lease, 1, line(1), safe(2), line(3))
    assert hear(lease, 1.03, ready(4), line(5))


def test_after_a_lost_link_the_driver_must_let_go_first() -> None:
    lease = Lease()
    assert hear(lease, 0, line(1))
    lease.lose_link()
    assert not hear(lease, 0.03, line(2))
    assert hear(lease, 0.06, safe(3), line(4))


def test_a_message_that_brakes_has_no_throttle() -> None:
    lease = Lease()
    lease.take(line(1, 0.6, brake=True), 0)
    assert lease.command(0).throttle == 0

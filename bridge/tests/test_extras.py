"""Channels, arm and mode: what holds after which lines, and after a loss, by a lease in virtual time."""

import json
from typing import Any

import pytest
from conftest import line, ready, safe

from cockpit_bridge.extras import UNHEARD, Arming, Extras
from cockpit_bridge.lease import NEUTRAL, Lease
from cockpit_bridge.vehicle import parse

FILE = {
    "version": 1, "name": "Crawler", "channels": {
        "lights": {"kind": "switch", "off": -1, "on": 1}, "pump": {"kind": "switch", "off": -1, "on": 1, "safe": "off"},
        "pan": {"kind": "axis"}, "crane": {"kind": "axis", "safe": "keep"},
        "gear": {"kind": "choice", "values": {"low": -1, "high": 1}, "start": "low"}, "winch": {"kind": "momentary", "off": 0, "on": 1}},
    "arm": {}, "mode": {"values": {"manual": 0, "auto": 10}, "start": "manual"}}
REST = {"lights": -1, "pump": -1, "pan": 0, "crane": 0, "gear": -1, "winch": 0}


class Seat:
    """A vehicle, a cockpit and a clock."""

    def __init__(self, arm: str = "keep", memory: object = None) -> None:
        self.told: list[str] = []
        self.extras = Extras(parse(json.dumps(FILE | {"arm": {"safe": arm}})), self.told.append)
        self.now = 100.0
        self.lease = Lease(None, memory, self.now, self.extras)
        self.sequence: dict[str, int] = {}

    def say(self, made: bytes, seconds: float = 0.03, identifier: str = "aaaaaaaa", skip: int = 0, **fields: Any) -> dict[str, Any]:
        """Says a line of conftest's with these fields, and returns what the vehicle gets then."""
        self.now += seconds
        self.sequence[identifier] = self.sequence.get(identifier, 0) + 1 + skip
        text = json.loads(made) | {"id": identifier, "seq": self.sequence[identifier], "t": self.now, "rate": 30} | fields
        self.lease.take(json.dumps(text).encode() + b"\n", (identifier, 1), self.now)
        return self.got()

    def wait(self, seconds: float) -> dict[str, Any]:
        self.now += seconds
        return self.got()

    def got(self) -> dict[str, Any]:
        command = self.extras.applied(self.lease.command(self.now))
        return dict(command.channels) | {"arm": command.arm, "mode": command.mode, "driving": command.driving}

    def armed(self, **fields: Any) -> "Seat":
        assert not self.say(ready(1), arm=False, **fields)["arm"]
        assert self.say(ready(1), arm=True, **fields)["arm"]
        return self


def test_only_a_step_from_false_to_true_at_rest_arms() -> None:
    seat = Seat()
    assert not seat.say(ready(1), arm=True)["arm"]
    assert not seat.say(ready(1), arm=True)["arm"]
    assert not seat.say(ready(1), arm=False)["arm"]
    assert not seat.say(line(1), arm=True)["arm"]
    assert not seat.say(safe(1), arm=True)["arm"]
    assert not seat.say(safe(1), arm=False)["arm"]
    assert seat.say(safe(1), arm=True)["arm"]
    assert seat.say(line(1), arm=True) == seat.got() and seat.got()["arm"] and seat.got()["driving"]
    assert not seat.say(line(1), arm=False)["arm"]
    assert not seat.say(line(1), arm=True)["arm"]


def test_a_line_without_arm_disarms() -> None:
    assert not Seat().armed().say(ready(1))["arm"]


def test_a_step_among_lines_that_were_lost_arms_nothing() -> None:
    seat = Seat()
    seat.say(ready(1), arm=False)
    assert not seat.say(ready(1), skip=30, arm=True)["arm"]
    seat.say(ready(1), arm=False)
    assert seat.say(ready(1), skip=2, arm=True)["arm"]


@pytest.mark.parametrize(("safe_word", "stays"), [("keep", True), ("disarm", False)])
def test_a_lease_that_ran_out_does_what_the_file_says_and_a_new_step_is_needed(safe_word: str, stays: bool) -> None:
    seat = Seat(safe_word).armed()
    # The lease runs at rest too while something is armed: who has died cannot disarm.
    assert seat.lease.deadline is not None and seat.extras.is_held
    assert seat.wait(0.14)["arm"] and seat.wait(0.02)["arm"] == stays and not seat.extras.is_held
    assert seat.say(ready(1), arm=True)["arm"] == stays
    assert not seat.say(ready(1), arm=False)["arm"]
    assert seat.say(ready(1), arm=True)["arm"]


@pytest.mark.parametrize("event", [
    lambda seat: seat.say(safe(1, "emergency-stop"), press=1, arm=True), lambda seat: seat.lease.end(("aaaaaaaa", 1)),
    lambda seat: seat.lease.lose("the sender ended", "gone"), lambda seat: seat.lease.lose_link(), lambda seat: seat.extras.lost("link"),
    lambda seat: seat.say(safe(1, "emergency-stop"), identifier="bbbbbbbb", press=1),
    lambda seat: seat.say(line(1), identifier="bbbbbbbb", arm=True)])
def test_stop_an_end_a_new_link_and_another_driver_disarm(event: Any) -> None:
    seat = Seat().armed()
    event(seat)
    assert not seat.got()["arm"]
    for _ in range(3):
        assert not seat.say(ready(1), arm=True)["arm"]


def test_garbage_does_what_a_lease_that_ran_out_does() -> None:
    for word, stays in (("keep", True), ("disarm", False)):
        seat = Seat(word).armed()
        seat.lease.take(b"garbage\n", "x", seat.now)
        assert seat.got()["arm"] == stays


def test_nothing_is_armed_while_a_stop_is_latched() -> None:
    seat = Seat()
    seat.say(ready(1), arm=False)
    seat.say(safe(1, "emergency-stop"), identifier="bbbbbbbb", press=1)
    assert not seat.say(ready(1), arm=False)["arm"]
    assert not seat.say(ready(1), arm=True)["arm"]
    seat.say(ready(1, "released"), identifier="bbbbbbbb")
    assert not seat.say(ready(1), arm=True)["arm"]
    seat.say(ready(1), arm=False)
    assert seat.say(ready(1), arm=True)["arm"]


def test_who_is_only_there_disarms_nobody() -> None:
    seat = Seat().armed()
    seat.say(ready(1), seconds=0.01, identifier="bbbbbbbb", arm=False, channels={"lights": 1})
    assert seat.got()["arm"] and seat.got()["lights"] == -1


def test_what_was_false_before_a_link_came_up_may_become_true_after_it() -> None:
    arming = Arming(False)
    arming.said(False, True, True)
    arming.lost("link")
    arming.said(True, False, True)
    assert arming.is_armed
    arming.lost("link")
    arming.said(True, False, True)
    assert not arming.is_armed


def test_channels_begin_at_rest_and_follow_the_line() -> None:
    seat = Seat()
    assert seat.got() == REST | {"arm": False, "mode": None, "driving": False}
    seat.say(ready(1), channels=REST)
    channels = {"lights": 1, "pump": 1, "pan": -0.25, "crane": 0.5, "gear": 1, "winch": 1}
    assert seat.say(ready(1), channels=channels) == channels | {"arm": False, "mode": None, "driving": False}
    # What is none of its values is not taken, nor what the file does not have.
    assert seat.say(ready(1), channels={"gear": 0.3, "winch": 0.5, "wipers": 1}) == seat.got() and seat.got()["gear"] == 1
    assert "wipers" not in seat.got()


def test_a_loss_gives_each_channel_what_is_safe_and_only_a_hand_takes_it_back() -> None:
    channels = {"lights": 1, "pump": 1, "pan": -0.25, "crane": 0.5, "gear": 1, "winch": 1}
    for loss in (
            lambda seat: seat.wait(0.2), lambda seat: seat.lease.take(b"?\n", "x", seat.now), lambda seat: seat.lease.lose_link(),
            lambda seat: seat.lease.end(("aaaaaaaa", 1)), lambda seat: seat.say(safe(1, "emergency-stop"), identifier="bbbbbbbb")):
        seat = Seat()
        seat.say(ready(1), channels=REST)
        seat.say(ready(1), channels=channels)
        loss(seat)
        after = {"lights": 1, "pump": -1, "pan": 0, "crane": 0.5, "gear": 1, "winch": 0}
        assert {name: seat.got()[name] for name in after} == after
        seat.say(ready(1, "released"), identifier="bbbbbbbb")
        for _ in range(3):
            found = seat.say(ready(1), channels=channels)
            assert {name: found[name] for name in after} == after
        # A hand: another value, or the safe one; a button must have been let go.
        moved = channels | {"pan": -0.3, "pump": -1}
        found = seat.say(ready(1), channels=moved)
        assert (found["pan"], found["pump"], found["winch"]) == (-0.3, -1, 0)
        found = seat.say(ready(1), channels=moved | {"pump": 1, "winch": 0})
        assert (found["pump"], found["winch"]) == (1, 0)
        assert seat.say(ready(1), channels=moved | {"winch": 1})["winch"] == 1


def test_a_new_sender_and_a_new_program_move_nothing_that_a_loss_would_stop() -> None:
    seat = Seat()
    found = seat.say(ready(1), channels=REST | {"pan": 0.5, "winch": 1, "lights": 1})
    assert (found["pan"], found["winch"], found["lights"]) == (0, 0, 1)
    assert seat.say(ready(1), channels=REST | {"pan": 0.6, "winch": 1})["pan"] == 0.6


def test_a_button_that_was_pressed_among_lost_lines_is_not_pressed() -> None:
    seat = Seat()
    seat.say(ready(1), channels=REST)
    assert seat.say(ready(1), skip=30, channels=REST | {"winch": 1})["winch"] == 0
    seat.say(ready(1), channels=REST)
    assert seat.say(ready(1), channels=REST | {"winch": 1})["winch"] == 1


def test_while_a_stop_is_latched_only_what_a_loss_keeps_can_change() -> None:
    seat = Seat()
    seat.say(ready(1), channels=REST)
    seat.say(safe(1, "emergency-stop"), identifier="bbbbbbbb")
    found = seat.say(ready(1), channels={"lights": 1, "pump": 1, "pan": 1, "winch": 1})
    assert (found["lights"], found["pump"], found["pan"], found["winch"]) == (1, -1, 0, 0)
    seat.say(ready(1, "released"), identifier="bbbbbbbb")
    found = seat.say(ready(1), channels={"lights": 1, "pump": 1, "pan": 1, "winch": 1})
    assert (found["pump"], found["pan"], found["winch"]) == (-1, 0, 0)


def test_what_a_loss_would_take_away_needs_a_lease_and_the_rest_does_not() -> None:
    seat = Seat()
    for channels, is_held in (
            ({"lights": 1, "crane": 1, "gear": 1}, False), ({"pan": 0.1}, True), ({"winch": 1}, True), ({"pump": 1}, True), (REST, False)):
        seat.say(ready(1), channels=channels)
        assert (seat.lease.deadline is not None) == seat.extras.is_held == is_held, channels


def test_a_stop_puts_the_mode_back_and_only_a_change_takes_another() -> None:
    seat = Seat()
    assert seat.say(ready(1), mode="manual")["mode"] == "manual" and seat.say(ready(1), mode="auto")["mode"] == "auto"
    assert seat.wait(2)["mode"] == "auto"
    assert seat.say(safe(1, "emergency-stop"), identifier="bbbbbbbb")["mode"] == "manual"
    assert seat.say(ready(1), mode="auto")["mode"] == "manual"
    seat.say(ready(1, "released"), identifier="bbbbbbbb")
    assert seat.say(ready(1), mode="auto")["mode"] == "manual"
    seat.say(ready(1), mode="manual")
    assert seat.say(ready(1), mode="auto")["mode"] == "auto"


def test_a_new_program_takes_no_mode_that_nobody_has_chosen_since() -> None:
    seat = Seat()
    assert seat.say(ready(1), mode="auto")["mode"] is None and seat.say(ready(1), mode="nonsense")["mode"] is None
    assert seat.say(ready(1), mode="manual")["mode"] == "manual" and seat.say(ready(1), mode="auto")["mode"] == "auto"
    # Nor does another driver bring one.
    assert seat.say(line(1), identifier="bbbbbbbb", mode="manual")["mode"] == "manual"


def test_without_a_file_it_says_once_that_channels_go_nowhere() -> None:
    told: list[str] = []
    extras = Extras(None, told.append)
    lease = Lease(None, None, 0, extras)
    for number in (1, 2, 3):
        lease.take(json.dumps(json.loads(ready(number)) | {"arm": number > 1, "channels": {"lights": 1}}).encode(), "x", 100 + number / 10)
    assert told == [UNHEARD] and extras.applied(NEUTRAL) is NEUTRAL and lease.deadline is None and not extras.is_armed


def test_what_others_say_for_a_program_that_is_gone_is_safe() -> None:
    seat = Seat().armed(channels=REST | {"lights": 1, "pan": 1})
    gone = seat.extras.farewell()
    assert dict(gone.channels) == {"pump": -1, "pan": 0, "winch": 0} and gone.arm is False and gone.mode is None


def test_lines_of_an_unknown_age_arm_nobody_and_choose_no_mode() -> None:
    seat = Seat()
    seat.say(ready(1), arm=False, mode="manual")
    mark = seat.extras.mark()
    assert seat.say(ready(1), arm=True, mode="auto")["arm"]
    seat.extras.undo(mark)
    seat.lease.lose("the bridge stood still")
    assert not seat.got()["arm"] and seat.got()["mode"] == "manual"
    assert not seat.say(ready(1), arm=True, mode="auto")["arm"] and seat.got()["mode"] == "manual"
    # Who was armed before, and has said nothing else, stays armed; a stop among the lines holds.
    seat = Seat().armed()
    seat.say(ready(1), arm=True, mode="manual")
    seat.say(ready(1), arm=True, mode="auto")
    mark = seat.extras.mark()
    seat.say(ready(1), arm=True, mode="auto")
    seat.extras.undo(mark)
    seat.lease.lose("the bridge stood still")
    assert seat.got()["arm"] and seat.got()["mode"] == "auto"
    seat.say(safe(1, "emergency-stop"), press=1)
    seat.extras.undo(mark)
    assert not seat.got()["arm"] and seat.got()["mode"] == "manual"


def test_a_late_line_still_disarms_and_arms_nothing() -> None:
    seat = Seat().armed()
    seat.say(ready(1), arm=False, t=seat.now - 2)
    assert not seat.got()["arm"]
    assert not seat.say(ready(1), arm=True)["arm"]
    seat.say(ready(1), arm=False)
    assert not seat.say(ready(1), arm=True, t=seat.now - 2)["arm"] and not seat.say(ready(1), arm=True)["arm"]


def test_another_driver_holds_no_button_of_the_one_before() -> None:
    seat = Seat()
    seat.say(ready(1), channels=REST)
    assert seat.say(ready(1), channels=REST | {"winch": 1, "pan": 1, "lights": 1})["winch"] == 1
    found = seat.say(line(1), identifier="bbbbbbbb")
    assert found["driving"] and (found["winch"], found["pan"], found["lights"]) == (0, 0, 1)
    # What the first lets go now is not even heard.
    assert seat.say(ready(1), channels=REST)["winch"] == 0


def test_a_step_that_was_first_said_by_a_drive_that_is_refused_arms_nothing() -> None:
    seat = Seat()
    seat.say(ready(1), arm=False)
    seat.say(line(1), arm=False)
    seat.lease.lose("garbage", "link")
    assert not seat.say(line(1), arm=True)["driving"]
    assert not seat.say(safe(1), arm=True)["arm"]

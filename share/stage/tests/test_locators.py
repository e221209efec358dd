"""Locators: a client of GTK 3 whose parts are found by role and name, over an accessibility bus of its own."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Iterator

import pytest

import wayland_stage
from wayland_stage import Client, LocatorFailed, Stage
from wayland_stage.locators import AccessibilityBus

GREETER = ["/usr/bin/python3", str(Path(__file__).parent / "greeter.py")]


@pytest.fixture
def app() -> Iterator[Client]:
    # GTK 3 asks for cursors that nobody has installed, and draws its own frame.
    stage = Stage(accessibility=True, output=[800, 600])
    client = stage.client(*GREETER, env={"GDK_BACKEND": "wayland", "GTK_THEME": "Adwaita"})
    client.window(title="greeter", within=20000)
    client.step("focus")
    yield client
    client.close()


def test_a_user_types_ticks_and_presses_by_name(app: Client) -> None:
    app.find("text", "Name").click()
    app.find("text", "Name").expect(states=["focused"], text="")
    app.find("button", "Greet").expect(without=["sensitive"])
    app.type("Ada")
    app.find("text", "Name").expect(text="Ada")
    app.find("check box", "Polite").tap()
    app.find("checkbox", "Polite").expect(states=["checked"])
    app.find("push button", "Greet").tap()
    app.find("label", "Good day, Ada").expect()
    assert app.find("label", re.compile("^Good")).name == "Good day, Ada"


@pytest.mark.stage(accessibility=True)
def test_the_fixture_finds_too(stage) -> None:  # type: ignore[no-untyped-def]
    app = stage.client(*GREETER, env={"GDK_BACKEND": "wayland"})
    app.window(title="greeter", within=20000)
    app.find("button", "Later").tap()
    app.find("label", "wait").expect()


def test_what_comes_and_goes_later_is_waited_for(app: Client) -> None:
    app.find("button", "Later").click()
    app.find("label", "done").expect()
    app.find("label", "done").expect_gone()


def test_a_number_is_read_and_set_by_the_keyboard(app: Client) -> None:
    volume = app.find("slider", "Volume")
    assert volume.value == 0
    app.find("text", "Name").click()
    app.key("tab")
    app.key("tab")
    app.key("right")
    volume.expect(value=1, states=["focused"])


def test_what_is_not_there_fails_with_what_is(app: Client) -> None:
    with pytest.raises(LocatorFailed) as failure:
        app.find("button", "Grete", within=100).tap()
    assert str(failure.value).startswith("nothing fits role=button name='Grete'. There is:\n")
    assert "push button 'Greet'" in str(failure.value)


def test_what_is_disabled_is_not_tapped(app: Client) -> None:
    with pytest.raises(LocatorFailed, match="role=button name='Greet' is not enabled and at rest"):
        app.find("button", "Greet", within=100).tap()


def test_of_several_one_must_be_chosen(app: Client) -> None:
    with pytest.raises(LocatorFailed, match="2 elements fit role=button name='Twin': choose one"):
        app.find("button", "Twin", within=100).tap()
    first, last = (app.find("button", "Twin", index=index).extents for index in (0, -1))
    assert first.y < last.y and first.x == last.x


def test_places_are_in_the_window_also_when_it_has_a_shadow(app: Client) -> None:
    floating = app.find("button", "Greet").extents
    shown = app.window()
    assert shown["x"] > 0, "GTK draws a shadow around a window that floats"
    app.configure(800, 600, states=["activated", "fullscreen"])
    filling = app.find("button", "Greet").extents
    assert 0 <= floating.x < shown["width"] and floating.y + floating.height <= shown["height"]
    # The margin of 16 points to the left, in both.
    assert floating.x == filling.x == 16


def test_a_state_that_nobody_has_is_a_mistake(app: Client) -> None:
    with pytest.raises(ValueError, match="no such state: ticked; there are invalid, active"):
        app.find("button", "Greet").expect(states=["ticked"])


def test_find_without_accessibility_is_a_mistake() -> None:
    with Stage().client("sleep", "10") as client:
        with pytest.raises(ValueError, match="accessibility=True"):
            client.find("button")


def test_the_buses_are_private_and_end_with_the_client() -> None:
    bus = AccessibilityBus()
    folder = bus.address.partition("=")[2].rpartition("/")[0]
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert bus.environment()["DBUS_SESSION_BUS_ADDRESS"] != os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    bus.close()
    assert not os.path.exists(folder)
    for process in Path("/proc").glob("[0-9]*"):
        try:
            assert folder.encode() not in (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:
            pass


def test_a_machine_without_the_programs_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wayland_stage.locators.shutil, "which", lambda name: None)
    with pytest.raises(RuntimeError, match="Debian's packages dbus-daemon and at-spi2-core"):
        Stage(accessibility=True).client("sleep", "10")

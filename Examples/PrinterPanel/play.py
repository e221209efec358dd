#!/usr/bin/env python3
"""Plays the panel with fingers on the stage, which judges the client: `play.py PROGRAM`, with the module wayland_stage of the stage.

It turns the pages, chooses a file of 100,000, prints it, answers the question whether to stop, and types a password on the panel's own
keyboard. Everything is found by its name, as a screen reader finds it.
"""

import re
import sys
import time
from pathlib import Path
from typing import Any, Callable

from wayland_stage import Client, Stage

PAGES = ["Heat", "Files", "Move", "Network"]
# The most that the panel may take, in MiB of memory of its own and its share of what others have too.
MOST_MEMORY = 48


def turn_to(panel: Client, page: str) -> None:
    index = PAGES.index(page)
    panel.find("combo box", "Page").tap(at=((index + 0.5) / len(PAGES), 0.5))
    panel.find("combo box", "Page").expect(value=index)


def wait_for_rest(panel: Client, look: Callable[[], Any]) -> None:
    """Until nothing has moved for a while: what a throw sets in motion follows the panel's own clock, not the stage's."""
    before = None
    while before != (before := look()):
        panel.advance(100)
        time.sleep(0.3)


def prints_and_stops(panel: Client) -> None:
    turn_to(panel, "Files")
    panel.find("button", "Print ...").expect(without=["sensitive"])
    # A finger throws the list far down: rows are made as they come, and those that leave are used again.
    for _ in range(3):
        panel.touch([(400, 330), (400, 80)], ms=60)
    rows = re.compile(r"^part-\d+\.gcode, \d+ min$")
    wait_for_rest(panel, lambda: (panel.find("button", rows, index=2).name, panel.find("button", rows, index=2).extents))
    file = panel.find("button", rows, index=2).name.partition(",")[0]
    chosen = panel.find("button", re.compile(re.escape(file) + ","))
    assert file not in [f"part-{number}.gcode" for number in range(7)], f"the list has not moved: {file}"
    chosen.tap()
    panel.find("button", "Print ...").tap()
    panel.find("button", "Print").tap()
    panel.find("label", file, index=0).expect()

    # Nothing moves by hand meanwhile.
    turn_to(panel, "Move")
    panel.find("button", "X +").expect(without=["sensitive"])

    # The question keeps all else away: what lies behind it is not found, and Escape goes on.
    panel.find("button", "Stop").tap()
    panel.find("dialog", "Stop the print?").expect()
    panel.find("combo box", "Page").expect_gone()
    panel.key("escape")
    panel.find("dialog").expect_gone()
    panel.find("button", "Stop").tap()
    panel.find("dialog").expect()
    panel.find("button", "Stop", index=-1).tap()
    panel.find("label", "Ready").expect()


def moves_by_hand(panel: Client) -> None:
    turn_to(panel, "Move")
    panel.find("button", "X +").tap()
    panel.find("button", "X +").tap()
    panel.find("button", "Z -").tap()
    panel.find("label", "X 2.0   Y 0.0   Z 9.0").expect()


def sets_the_bed_by_keys(panel: Client) -> None:
    turn_to(panel, "Heat")
    bed = panel.find("slider", "Bed")
    bed.tap()
    bed.expect(value=55)
    for _ in range(12):
        if "focused" in bed.states:
            break
        panel.key("tab")
    bed.expect(states=["focused"])
    panel.key("right")
    bed.expect(value=60)
    panel.find("label", "60°").expect()


def types_a_password(panel: Client) -> None:
    turn_to(panel, "Network")
    field = panel.find("password text", "Password of Workshop")
    field.tap()
    panel.find("panel", "keyboard").expect()
    # Shift holds for one letter; digits are the first row of a password's keyboard.
    for key in ["Shift", *"Passwort", "space", "1"]:
        panel.find("button", key.upper() if key == "P" else key).tap()
    assert not re.search("[a-zA-Z1]", field.text or ""), f"others read the password: {field.text}"
    keyboard, lies = panel.find("panel", "keyboard").extents, field.extents
    assert lies.y + lies.height <= keyboard.y or keyboard.y + keyboard.height <= lies.y, "the keyboard hides the field"
    panel.find("button", "Return").tap()
    panel.find("button", "hide the keyboard", within=0).expect_gone()
    panel.find("button", "Connect").tap()
    panel.find("label", "Connected to Workshop").expect()


def memory(program: str) -> float:
    """What the program takes, in MiB."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "exe").resolve(strict=True) == Path(program).resolve():
                rollup = (process / "smaps_rollup").read_text()
                return int(re.search(r"^Pss: +(\d+) kB$", rollup, re.MULTILINE)[1]) / 1024
        except OSError:
            continue
    raise SystemExit("the panel is gone")


def main() -> None:
    (program,) = sys.argv[1:]
    stage = Stage(accessibility=True, output=[800, 480])
    with stage.client(program) as panel:
        panel.window(title="Printer", within=20000)
        panel.configure(800, 480, states=["activated", "fullscreen"])
        panel.step("focus")
        for act in (moves_by_hand, prints_and_stops, sets_the_bed_by_keys, types_a_password):
            act(panel)
        size = memory(program)
        print(f"the panel was played and takes {size:.1f} MiB")
        assert size <= MOST_MEMORY, f"more than {MOST_MEMORY} MiB"


main()

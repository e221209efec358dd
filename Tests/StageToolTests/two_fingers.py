"""Two fingers, a freeze and a screenshot on a client that is not ours, written from docs/stage.md alone."""

import os
import sys
import tempfile

from stage import Stage, StepFailed

with tempfile.TemporaryDirectory() as folder:
    stage = Stage(sys.argv[1], out=folder)
    with stage.client("weston-simple-touch") as client:
        window = client.window()
        before = client.screenshot("before")
        client.touch([(50, 60), (200, 60)], [(60, 200), (200, 220)], ms=300)
        # It draws into the buffer that the compositor still reads.
        client.step("violation", rule="heldBufferWritten")
        client.step("violation", rule="damageLies")
        client.freeze(ms=100)
        client.advance(ms=100)
        after = client.screenshot("after")
        assert (window["width"], window["height"]) == (600, 500), window
        with open(before, "rb") as old, open(after, "rb") as new:
            assert old.read() != new.read(), "the fingers drew nothing"
        try:
            client.step("window", title="another", within=10)
        except StepFailed as failure:
            print(failure)
    assert client.death is None and os.listdir(folder)
print("two fingers, one freeze, two screenshots")

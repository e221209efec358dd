"""Two fingers, a freeze and a screenshot on a client of weston, written from docs/stage.md alone."""

import os
import sys
import tempfile

from stage import Stage

with tempfile.TemporaryDirectory() as folder:
    # weston-simple-touch draws into its only buffer while the compositor holds it.
    stage = Stage(sys.argv[1], out=folder, allow=["heldBufferWritten"])
    with stage.client("weston-simple-touch") as client:
        client.window(title="simple-touch")
        before = client.screenshot("before")
        client.touch([(50, 60), (200, 60)], [(60, 200), (200, 220)], ms=300)
        client.freeze(ms=500)  # the compositor hangs, and goes on
        client.step("idle", within=2000)  # the client answers a ping, and rests
        after = client.screenshot("after")
        with open(before, "rb") as old, open(after, "rb") as new:
            assert old.read() != new.read(), "the fingers drew nothing"
    # The end of the block raises Violations if the client broke another rule, after the freeze too.
    assert sorted(os.listdir(folder)) == ["after.png", "before.png"]
print("two fingers, one freeze, two screenshots")

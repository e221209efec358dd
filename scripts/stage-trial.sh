#!/bin/sh
# Runs in a Debian with nothing but what every Debian has and /tmp/package.deb: the stage is installed, judges a client by a script and by
# Debian's own pytest, and goes without a trace.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -print | sort; }
apt-get install -qq -y --no-install-recommends /tmp/package.deb >/dev/null
stage --version
stage help schema | grep -q touch-down
# Without Python, agents are told what is missing.
if ! command -v python3 >/dev/null; then ! stage mcp 2>/tmp/words || exit 1; grep -q "can't start python3" /tmp/words; fi
apt-get purge -qq -y wayland-stage >/dev/null
# shellcheck disable=SC2046 # several packages
apt-get install -qq -y --no-install-recommends weston python3-pytest $(dpkg-deb -f /tmp/package.deb Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g') >/dev/null
files >/tmp/before
apt-get install -qq -y --no-install-recommends /tmp/package.deb >/dev/null
mkdir /tmp/tests
cd /tmp/tests
cat >test_touch.py <<'END'
import pytest


@pytest.mark.stage(allow=["heldBufferWritten"])
def test_two_fingers(stage):
    app = stage.client("weston-simple-touch")
    app.window(title="simple-touch")
    app.touch([(50, 60), (200, 60)], [(60, 200), (200, 220)], ms=300)
    app.expect("after")
END
python3 -m pytest -q -p no:cacheprovider --stage-record
python3 -m pytest -q -p no:cacheprovider
stage check --setup '{allow: ["heldBufferWritten"]}' -- weston-simple-touch
! stage mcp 2>/tmp/words || exit 1
grep -q "needs the Python package mcp" /tmp/words
cd /
apt-get purge -qq -y wayland-stage >/dev/null
files >/tmp/after
diff /tmp/before /tmp/after
echo "installed, tested, and removed without a trace"

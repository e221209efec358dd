#!/bin/sh
# Runs in a Debian with nothing but what every Debian has and /tmp/package.deb: the bridge is installed, drives, and goes without a trace.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -print | sort; }
apt-get install -qq -y --no-install-recommends python3 >/dev/null
files >/tmp/before
apt-get install -qq -y --no-install-recommends /tmp/package.deb >/dev/null
cockpit-bridge --help >/dev/null
# A library that is missing is named.
! cockpit-bridge - donkey:localhost </dev/null 2>/tmp/words || exit 1
grep -q "donkey needs websockets" /tmp/words
apt-get purge -qq -y cockpit-wayland-bridge >/dev/null
files >/tmp/after
diff /tmp/before /tmp/after
apt-get install -qq -y --no-install-recommends python3-websockets python3-paho-mqtt python3-serial python3-can python3-evdev mosquitto /tmp/package.deb >/dev/null
python3 /tmp/bridge-trial.py
echo "installed, driven, and removed without a trace"

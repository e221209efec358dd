#!/bin/bash
# Runs in a Debian with nothing but what every Debian has, and Python: a user who has only the wheel and the page tests a client.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root PIP_NO_INDEX=1 PIP_FIND_LINKS=/tmp/index PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
sudo() { "$@"; }
mkdir -p ~/project
cd ~/project
mv /tmp/*.whl .
started=$EPOCHREALTIME
# The page's commands.
# shellcheck source=/dev/null
. /tmp/trial.sh
# The second line of `times` is what the commands have used: "0m1.234s 0m0.567s". (A pipe would have times of its own.)
ended=$EPOCHREALTIME
times >/tmp/times
echo "$ended $started $(python3 --version) $(tail -n 1 /tmp/times | tr 'ms' '  ')" |
  awk '{ printf "the commands of the page took %.1f s with %s %s; %.1f s of a processor\n", $1 - $2, $3, $4, $5 * 60 + $6 + $7 * 60 + $8 }'
stage --version
! ldd "$(python3 -c 'import wayland_stage; print(wayland_stage.__path__[0])')/bin/stage" | grep -E 'not found|cairo|systemd' || exit 1
# The library of a process that plays no part in this must not be taken.
LD_LIBRARY_PATH=/nowhere stage rules >/dev/null
python3 -c 'from stage import Stage; import wayland_stage; assert Stage is wayland_stage.Stage'
deactivate
# Nothing stays of it.
python3 -m venv ~/other
find ~/other | sort >/tmp/before
~/other/bin/pip install -q --no-deps ./wayland_stage-*.whl
gzip -t ~/other/lib/python3*/site-packages/wayland_stage/share/man/man1/stage.1.gz
~/other/bin/stage --version
~/other/bin/python -c 'import stage'
[[ $(~/other/bin/stage mcp 2>&1) == "stage mcp needs the Python package mcp"* ]]
~/other/bin/pip uninstall -q -y wayland-stage
find ~/other | sort >/tmp/after
diff /tmp/before /tmp/after
echo "installed, tested, and removed without a trace"

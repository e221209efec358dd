# shellcheck shell=bash
# The Debian package of cockpit-bridge, beside that of the cockpit: its making and its trial. install.sh has what both share.

bridge_program=$program-bridge

# Makes the package and prints its path.
make_bridge_package() {
  need "${packages_deb[@]}"
  staged=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-bridge.XXXXXX")
  trap 'rm -rf -- "$staged" "$staged.source"' EXIT
  chmod 755 "$staged"
  stage_bridge
  local documents=$staged/usr/share/doc/$bridge_program script
  write_copyright cockpit-bridge | install -Dm644 /dev/stdin "$documents/copyright"
  write_changelog "$bridge_program" | gzip -9n | install -Dm644 /dev/stdin "$documents/changelog.gz"
  mkdir -p "$staged/DEBIAN"
  # Compiled files are made where the package is installed, for that Python, and go with it.
  for script in postinst:py3compile prerm:py3clean; do
    printf '#!/bin/sh\nset -e\nif command -v %s >/dev/null 2>&1; then\n  %s -p %s\nfi\n' \
      "${script#*:}" "${script#*:}" "$bridge_program" | install -m755 /dev/stdin "$staged/DEBIAN/${script%:*}"
  done
  cat >"$staged/DEBIAN/control" <<END
Package: $bridge_program
Version: $(version)
Architecture: all
Maintainer: $(maintainer)
Installed-Size: $(du -ks --apparent-size "$staged/usr" | cut -f 1)
Depends: python3 (>= 3.11)
Recommends: python3-websockets, python3-paho-mqtt, python3-serial
Suggests: python3-can, python3-evdev, python3-pymavlink, $program
Section: misc
Priority: optional
Description: drive real receivers with the cockpit's drive messages
 Passes the messages of the cockpit on to Donkeycar, ROS 2 (foxglove_bridge
 and rosbridge), ArduPilot and PX4, MQTT, CAN, flight controllers and games,
 each in its own protocol.
 .
 Whatever dies, the vehicle stops: it has a watchdog of its own, and is best
 installed on the robot.
END
  pack "$root/.build/deb/${bridge_program}_$(version)_all.deb"
}

# Writes every file of the package below the staged folder, by Debian's own Python and without a network.
stage_bridge() {
  local library=$staged/usr/lib/python3/dist-packages
  cp -r -- "$root/bridge" "$staged.source"
  rm -rf -- "$staged.source/build"
  (cd -- "$staged.source" && /usr/bin/python3 -m pip --quiet --disable-pip-version-check wheel --no-deps --no-index --no-build-isolation \
    --wheel-dir wheel . >&2)
  umask 022
  mkdir -p "$library"
  /usr/bin/python3 -m zipfile -e "$staged.source"/wheel/*.whl "$library"
  # pip's list of what it installed: dpkg has its own.
  rm "$library"/*.dist-info/RECORD
  chmod -R u=rwX,go=rX "$library"
  printf '%s\n' '#!/usr/bin/python3' 'import sys' '' 'from cockpit_bridge.cli import main' '' 'sys.exit(main())' |
    install -Dm755 /dev/stdin "$staged/usr/bin/cockpit-bridge"
  gzip -9nc "$root/bridge/cockpit-bridge.1" | install -Dm644 /dev/stdin "$staged/usr/share/man/man1/cockpit-bridge.1.gz"
  install -Dm644 -t "$staged/usr/share/doc/$bridge_program" "$root/bridge/README.md" "$root/bridge/docs/adapter.md"
}

# The judges of Debian and man, and a bare Debian in which the package drives a WebSocket receiver and an MQTT broker with Debian's own libraries.
try_bridge_package() {
  need "${packages_deb[@]}" "${packages_judges[@]}"
  local package suite
  local -a suites=("${@:-bookworm}")
  package=$(make_bridge_package) || return
  judge_with_lintian "$package"
  judge_page "$root/bridge/cockpit-bridge.1"
  for suite in "${suites[@]}"; do
    bare_debian "$suite" ca-certificates \
      --customize-hook="copy-in $root/scripts/bridge-trial.sh $root/scripts/bridge-trial.py /tmp" \
      --customize-hook="upload $package /tmp/package.deb" \
      --customize-hook="chroot \"\$1\" sh /tmp/bridge-trial.sh" || die "the package of the bridge does not work in a bare Debian ($suite)"
  done
  say "the package is good: $package"
}

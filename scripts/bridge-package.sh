# shellcheck shell=bash
# The Debian package of cockpit-bridge, beside that of the cockpit: its making and its trial. package.sh has what both share.

bridge_program=$program-bridge

# Makes the package and prints its path.
make_bridge_package() {
  need "${packages_deb[@]}"
  staged=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-bridge.XXXXXX")
  trap 'rm -rf -- "$staged" "$staged.source"' EXIT
  chmod 755 "$staged"
  stage_bridge
  compile_where_installed "$bridge_program"
  pack "$bridge_program"
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
  install -Dm644 -t "$staged/usr/lib/systemd/system" "$root/share/systemd/system/cockpit-bridge.service"
  gzip -9nc "$root/bridge/cockpit-bridge.1" | install -Dm644 /dev/stdin "$staged/usr/share/man/man1/cockpit-bridge.1.gz"
  install -Dm644 -t "$staged/usr/share/doc/$bridge_program" "$root/bridge/README.md" "$root"/bridge/docs/{adapter,export}.md
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

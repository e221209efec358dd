# shellcheck shell=bash
# The Debian package of the stage, beside that of the cockpit: its making and its trial. package.sh has what all share.

stage_package=wayland-stage

# Makes the package and prints its path.
make_stage_package() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_scripts[@]}" "${packages_deb[@]}"
  enter_package
  staged=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-stage.XXXXXX")
  trap 'rm -rf -- "$staged"' EXIT
  chmod 755 "$staged"
  build_stage_tool || return
  mv "$staged/usr/share/doc/stage" "$staged/usr/share/doc/$stage_package"
  compile_where_installed "$stage_package"
  pack "$stage_package"
}

# Builds the program and writes its files below the staged folder.
build_stage_tool() {
  # shellcheck disable=SC2034 # for build.sh and install.sh
  local release_products=(stage) program=stage
  build_release >&2 && stage_tool_files "$staged" /usr
}

# The judges of Debian and man, and a bare Debian in which Debian's own pytest plays on a client, before the package goes without a trace.
try_stage_package() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_deb[@]}" "${packages_judges[@]}"
  local package suite work
  local -a suites=("${@:-bookworm}")
  package=$(make_stage_package) || return
  work=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-stage.XXXXXX")
  # shellcheck disable=SC2064 # the folder is a local
  trap "rm -rf -- '$work'" EXIT
  chmod 755 "$work"
  judge_with_lintian "$package"
  dpkg-deb -x "$package" "$work/files"
  judge_page "$work/files/usr/share/man/man1/stage.1.gz"
  for suite in "${suites[@]}"; do
    bare_debian "$suite" ca-certificates \
      --customize-hook="copy-in $root/scripts/stage-trial.sh /tmp" \
      --customize-hook="upload $package /tmp/package.deb" \
      --customize-hook="chroot \"\$1\" sh /tmp/stage-trial.sh" || die "the package of the stage does not work in a bare Debian ($suite)"
  done
  say "the package is good: $package"
}

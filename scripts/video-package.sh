# shellcheck shell=bash
# The Debian package of cockpit-video, beside that of the cockpit: package.sh has what both share.

# shellcheck disable=SC2154 # from install.sh
video_program=$program-video

# Makes the package and prints its path.
make_video_package() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_deb[@]}"
  enter_package
  build_release >&2
  staged=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-video.XXXXXX")
  trap 'rm -rf -- "$staged"' EXIT
  chmod 755 "$staged"
  stage_video "$staged" /usr
  pack "$video_program"
}

# The judge of Debian.
try_video_package() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_deb[@]}" "${packages_judges[@]}"
  local package
  package=$(make_video_package) || return
  judge_with_lintian "$package"
  say "the package is good: $package"
}

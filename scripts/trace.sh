# shellcheck shell=bash
# `./dev trace -- COMMAND`: the Wayland messages of any client in words, with the time since the start and a line for each frame.

trace() {
  [[ ${1:-} != -- ]] || shift
  [[ $# -gt 0 ]] || die "trace needs a command, such as ./dev trace -- weston-simple-shm"
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_scripts[@]}"
  cd -- "$here"
  WAYLAND_DEBUG=client "$@" 2> >("$root/scripts/trace.py" >&2)
}

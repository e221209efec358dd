# shellcheck shell=bash
# `./dev doctor`: what is missing on this machine, and the command that mends it. It changes nothing.

doctor() {
  troubles=0
  look_at_swift
  look_at_packages "to build and run" "${packages_build[@]}" "${packages_run[@]}"
  look_at_packages "to test and check" "${packages_test[@]}" "${packages_bridge[@]}" "${packages_check[@]}"
  absence=note look_at_packages "to show video of RTSP, RTP and cameras" "${packages_video[@]}"
  absence=note look_at_packages "to measure (./dev bench)" "${packages_bench[@]}"
  absence=note look_at_packages "to measure other toolkits (./dev bench --rivals)" "${packages_rivals[@]}"
  absence=note look_at_packages "to measure receivers (./dev receivers)" "${packages_receivers[@]}"
  absence=note look_at_packages "to judge the stage (./dev wlcs)" "${packages_wlcs[@]}"
  absence=note look_at_packages "to judge other clients (./dev strangers)" "${packages_strangers[@]}"
  absence=note look_at_packages "to boot a virtual machine (./dev boot)" "${packages_boot[@]}"
  absence=note look_at_packages "to run a build for 64-bit ARM (./dev arm64)" "${packages_arm64[@]}"
  absence=note look_at_packages "to build with Debian's own compiler (./dev sid)" "${packages_sid[@]}"
  absence=note look_at_packages "to make an archive (./dev tar)" "${packages_tar[@]}"
  absence=note look_at_packages "to make and judge a Debian package (./dev deb)" "${packages_deb[@]}" "${packages_judges[@]}"
  look_at_room
  look_at_session
  look_at_driving
  if [[ $troubles -eq 0 ]]; then
    printf '\nNothing is missing.\n'
  else
    printf '\n%d things are missing; each line with an arrow mends one.\n' "$troubles"
    return 1
  fi
}

look_at_swift() {
  local answer version
  (enter_package) >/dev/null 2>&1 || {
    bad "no Swift toolchain on the PATH" "install Swift 6.2 or newer, and put its usr/bin on the PATH"
    return 0
  }
  enter_package
  # A toolchain that is unpacked without the libraries that it needs says which.
  answer=$(swift --version 2>&1) || {
    bad "swift does not start: ${answer##*$'\n'}" "install what it names; the toolchain's own page lists what it needs"
    return 0
  }
  version=$(sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' <<<"$answer")
  if [[ $(printf '6.2\n%s\n' "$version" | sort -V | head -n 1) == 6.2 ]]; then
    good "Swift $version"
  else
    bad "Swift ${version:-of an unknown version}: 6.2 or newer is needed" "install a newer toolchain, such as with swiftly: swiftly install 6.2"
  fi
}

good() { printf '✔ %s\n' "$1"; }
bad() {
  troubles=$((troubles + 1))
  printf '✘ %s\n  -> %s\n' "$1" "$2"
}
# What does without, and what is lost by that.
note() { printf '– %s\n' "$1"; }

# `absence=note` is for packages that nothing but one command of few uses: they are named, and count as no trouble.
look_at_packages() {
  local purpose=$1
  shift
  local -a missing
  mapfile -t missing < <(missing_packages "$@")
  if [[ ${#missing[@]} -eq 0 ]]; then
    good "packages $purpose"
  else
    "${absence:-bad}" "packages $purpose: ${missing[*]}" "sudo apt-get install --no-install-recommends ${missing[*]}   (./dev does it by itself)"
  fi
}

look_at_room() {
  local free
  free=$(df --output=avail -BM "$root" | tail -n 1 | tr -dc 0-9)
  if [[ $free -ge 4000 ]]; then
    good "room for the build: $((free / 1000)) GB"
  else
    bad "room for the build: $free MB, it takes about 4 GB" "make room on the disk of $root"
  fi
}

look_at_session() {
  # shellcheck source=scripts/run.sh
  source "$root/scripts/run.sh"
  if [[ -z ${XDG_RUNTIME_DIR:-} ]]; then
    note "XDG_RUNTIME_DIR is not set: no Wayland session here; ./dev run plays a drive in a headless compositor"
  elif wayland_session; then
    good "a Wayland session (${WAYLAND_DISPLAY:-wayland-0})"
  elif [[ -n ${DISPLAY:-} ]]; then
    note "an X11 session: ./dev run opens a nested compositor in it"
  else
    note "no display: ./dev run plays a drive in a headless compositor, and saves a picture"
  fi
  if [[ -n ${DBUS_SESSION_BUS_ADDRESS:-} || -S ${XDG_RUNTIME_DIR:-/nowhere}/bus ]]; then
    good "a session bus: colours, contrast and motion follow the desktop where it has a portal"
  else
    note "no session bus: the desktop's colours, contrast and motion are not known"
  fi
}

look_at_driving() {
  local sensors=(/sys/bus/iio/devices/*/in_accel_x_raw)
  if ldconfig -p | grep -q 'libevdev\.so\.2'; then good "libevdev (--gamepad auto)"; else note "no libevdev: --gamepad auto needs the package libevdev2"; fi
  if [[ -e ${sensors[0]} ]]; then good "an accelerometer (--tilt on)"; else note "no accelerometer: --tilt on has nothing to steer by"; fi
}

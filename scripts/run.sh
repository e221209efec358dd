# shellcheck shell=bash
# `./dev run`: the cockpit where there is a display, else an image of it.

run() {
  need "${packages_build[@]}" "${packages_run[@]}"
  enter_package
  # The witness first: what the cockpit's build says comes last.
  build_debug --product cockpit-witness >&2
  ! asks_for --video -- "$@" || build_debug --product cockpit-video >&2
  build_debug --product cockpit >&2
  say "this is a development build, which takes about three times the processor of the one that ./dev install and ./dev deb make"
  local cockpit=$development_folder/cockpit
  cd -- "$here"
  if [[ -n ${WAYLAND_SOCKET:-} ]] || wayland_session || asks_for_no_window "$@"; then
    exec "$cockpit" "$@"
  fi
  need "${packages_nested[@]}"
  private_runtime_folder
  if [[ -n ${DISPLAY:-} ]]; then
    run_nested "$cockpit" "$@"
  else
    run_headless "$cockpit" "$@"
  fi
}

# Whether a compositor's socket is where libwayland would look for it.
wayland_session() {
  local display=${WAYLAND_DISPLAY:-wayland-0}
  [[ $display == /* ]] || display=${XDG_RUNTIME_DIR:-/nowhere}/$display
  [[ -S $display ]]
}

# Whether the options ask for something that needs no display at all.
asks_for_no_window() {
  asks_for --help --version --screenshot --dump-tree --check --save-config --no-window -- "$@" || [[ " $* " == *' -h '* ]]
}

# Whether a run without a display may add --demo: not beside options that send, play or answer something of their own, and never where a
# vehicle would be driven without a driver.
may_play_demo() {
  ! asks_for --demo --drive --dead-man --replay --info --strip --ivi-id --telemetry -- "$@"
}

# `asks_for NAME... -- OPTION...`: whether one of the names is among the options, alone or with a value after "=".
asks_for() {
  local -a names=()
  local option name
  while [[ $1 != -- ]]; do
    names+=("$1")
    shift
  done
  for option in "${@:2}"; do
    for name in "${names[@]}"; do
      [[ $option != "$name" && $option != "$name="* ]] || return 0
    done
  done
  return 1
}

# An XDG_RUNTIME_DIR (mktemp gives it mode 0700) for one compositor and one client. Whatever way the script ends, its children and it go too.
private_runtime_folder() {
  runtime=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-run.XXXXXX")
  children=()
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
}

clean_up() {
  trap '' INT TERM HUP
  kill -TERM "${children[@]}" 2>/dev/null || true
  # A child that doesn't end by itself isn't waited for longer than two seconds.
  # (`read` from a pipe that stays empty: a `sleep` would outlive the subshell.)
  (
    read -rt 2 <> <(:) || true
    kill -KILL "${children[@]}"
  ) >/dev/null 2>&1 &
  local patience=$!
  wait "${children[@]}" 2>/dev/null || true
  kill "$patience" 2>/dev/null || true
  rm -rf -- "$runtime"
}

# Waits until one of the processes ends or the seconds are over; sets `ended` to the process and `status` to its
# status, or `ended` to nothing. `wait` is what a signal interrupts at once.
wait_seconds() {
  local seconds=$1 timer
  shift
  sleep "$seconds" &
  timer=$!
  children+=("$timer")
  status=0
  wait -n -p ended "$timer" "$@" || status=$?
  [[ $ended != "$timer" ]] || ended=
}

# Starts weston with a backend and its options; returns once its socket takes clients.
start_weston() {
  cat >"$runtime/weston.ini" <<'END'
[core]
idle-time=0
require-input=false
[shell]
locking=false
panel-position=none
startup-animation=none
close-animation=none
background-color=0xff000000
END
  # Only weston gets this folder: the one of the session stays for what else it may need.
  XDG_RUNTIME_DIR=$runtime weston --socket=cockpit --config="$runtime/weston.ini" --width=1280 --height=720 "$@" \
    >"$runtime/weston.log" 2>&1 &
  weston=$!
  children+=("$weston")
  local attempt
  for ((attempt = 0; attempt < 1000; attempt++)); do
    [[ -S $runtime/cockpit ]] && return
    kill -0 "$weston" 2>/dev/null || break
    sleep 0.01
  done
  die "weston did not start:"$'\n'"$(tail -n 5 "$runtime/weston.log")"
}

# Starts the cockpit on that weston.
start_cockpit() {
  XDG_RUNTIME_DIR=$runtime WAYLAND_DISPLAY=cockpit "$@" &
  cockpit_process=$!
  children+=("$cockpit_process")
}

# A weston window on the X server: closing the window or the cockpit ends both.
run_nested() {
  say "no Wayland session here: showing the cockpit in a weston window on $DISPLAY"
  start_weston --backend=x11-backend.so --use-pixman --shell=kiosk-shell.so
  start_cockpit "$@"
  local ended='' status=0
  wait -n -p ended "$cockpit_process" "$weston" || status=$?
  [[ $ended == "$cockpit_process" ]] || status=0
  exit "$status"
}

# Ten seconds of a scripted drive in a headless weston, and a picture of its eighth; or what else the options ask for, to its end.
run_headless() {
  local cockpit=$1
  shift
  start_weston --backend=headless-backend.so --use-pixman --shell=desktop-shell.so --debug
  if ! may_play_demo "$@"; then
    say "no display here: running in a headless compositor, whose window nobody sees or touches"
    start_cockpit "$cockpit" "$@"
    local status=0
    wait "$cockpit_process" || status=$?
    exit "$status"
  fi
  say "no display here: playing ten seconds of a scripted drive in a headless compositor"
  start_cockpit "$cockpit" "$@" --demo --fullscreen
  wait_seconds 8 "$cockpit_process"
  if [[ -n $ended ]]; then
    say "the cockpit ended with status $status before its picture was taken"
    exit $((status == 0 ? 1 : status))
  fi
  take_picture "$here/cockpit.png"
  wait_seconds 5 "$cockpit_process"
  if [[ -z $ended ]]; then
    kill -TERM "$cockpit_process"
    wait "$cockpit_process" || status=$?
  fi
  exit "$status"
}

# weston-screenshooter names its file after the date, in the folder where it runs: so it runs in one of its own.
take_picture() {
  mkdir "$runtime/picture"
  if ! (cd "$runtime/picture" && XDG_RUNTIME_DIR=$runtime WAYLAND_DISPLAY=cockpit timeout 10 weston-screenshooter); then
    die "weston-screenshooter took no picture"
  fi
  mv -f -- "$runtime"/picture/*.png "$1"
  rmdir "$runtime/picture"
  printf 'A picture of the drive, taken from the compositor: %s\n' "$1"
}

# shellcheck shell=sh
# For a Debian with weston and nothing else: `in_weston PROGRAM` lets the cockpit draw 60 frames of a drive in a headless compositor.
in_weston() {
  export XDG_RUNTIME_DIR=/tmp/runtime
  mkdir -m 700 "$XDG_RUNTIME_DIR"
  weston --backend=headless-backend.so --socket=trial --width=1280 --height=720 >/tmp/weston.log 2>&1 &
  for _ in $(seq 100); do [ -S "$XDG_RUNTIME_DIR/trial" ] && break; sleep 0.1; done
  WAYLAND_DISPLAY=trial timeout 60 "$1" --frames 60 --demo
  kill $!
  wait || true
  rm -rf "$XDG_RUNTIME_DIR"
}

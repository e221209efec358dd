# shellcheck shell=bash
# Running the tests, real compositors included. The last line printed is always swift test's own.

# What swift test printed, and its event stream, which names each test that ran and how it ended.
test_log=.build/test.log
test_events=.build/test.events

# Builds the tests. Meanwhile what they need to run is installed, which takes minutes where nothing is there yet.
prepare_tests() {
  local -a laboratory=("${packages_test[@]}" "${packages_bridge[@]}")
  need "${packages_build[@]}"
  installs_unasked || need "${laboratory[@]}"
  enter_package
  # shellcheck source=scripts/bridge.sh
  source "$root/scripts/bridge.sh"
  (need "${laboratory[@]}" && prepare_bridge) &
  local installation=$!
  # On a terminal the build shows its progress in one line; elsewhere each step would be a line of its own.
  local -a quiet=(--quiet)
  [[ ! -t 1 ]] || quiet=()
  swift build "${quiet[@]}" --build-tests || {
    wait "$installation"
    return 1
  }
  wait "$installation"
}

# `./dev test [FILTER]`, `./dev test --deep [MINUTES]`, `./dev test --soak HOURS`
run_tests() {
  if [[ ${1:-} == --soak ]]; then
    shift
    # shellcheck source=scripts/soak.sh
    source "$root/scripts/soak.sh"
    soak "$@"
    return
  fi
  if [[ ${1:-} == --deep ]]; then
    shift
    # shellcheck source=scripts/deep.sh
    source "$root/scripts/deep.sh"
    deep_tests "$@"
    return
  fi
  local -a filter=()
  local status=0
  [[ $# -eq 0 ]] || filter=(--filter "$1")
  prepare_tests
  say "failures are shown as they happen; $root/$test_events names each test that begins or ends"
  rm -f "$test_events"
  # Left out are thousands of lines of a library that is fed with nonsense.
  swift test --skip-build --quiet "${filter[@]}" --event-stream-output-path "$test_events" --event-stream-version 0 2>&1 |
    grep --line-buffered -v '^xkbcommon: ' | tee "$test_log" || status=$?
  [[ $# -eq 0 ]] || return "$status"
  # A whole run is also asked which requirements its tests have shown; then swift test's last line comes again.
  "$root/scripts/requirements.py" "$test_events" "$root" requirements behaviours || status=1
  grep ' Test run with .* after ' "$test_log" | tail -n 1 || status=1
  return "$status"
}

# `./dev picture`: the test that compares two runs of the documents' pictures leaves them in docs/.
draw_pictures() {
  prepare_tests
  COCKPIT_DOCUMENTS=$root/docs swift test --skip-build --filter DocumentPictureTests
  git status --short -- docs
}

# `./dev golden [FILTER]`: the tests that compare with golden images write them instead.
record_goldens() {
  prepare_tests
  COCKPIT_GOLDEN=record swift test --skip-build --filter "${1:-Golden|ScreenshotTestingTests}"
  git status --short -- Tests
}

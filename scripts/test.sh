# shellcheck shell=bash
# Running the tests, real compositors included. The last line printed is always swift test's own.

# shellcheck source=scripts/requirements.sh
source "$root/scripts/requirements.sh"

# Where swift test's whole output goes, and its event stream, which names each test that ran and how it ended.
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
  swift build "${debug_flags[@]}" "${quiet[@]}" --build-tests || {
    wait "$installation"
    return 1
  }
  wait "$installation"
}

# `./dev test [FILTER]`, `./dev test --deep [MINUTES]`
run_tests() {
  if [[ ${1:-} == --deep ]]; then
    shift
    # shellcheck source=scripts/deep.sh
    source "$root/scripts/deep.sh"
    deep_tests "$@"
    return
  fi
  local -a filter=()
  local expected=0 status=0
  [[ $# -eq 0 ]] || filter=(--filter "$1")
  prepare_tests
  # About as many tests as the last time.
  [[ $# -gt 0 || ! -r $test_log ]] || expected=$(sed -n 's/.*Test run with \([0-9]*\) tests\? .*/\1/p' "$test_log" | tail -n 1)
  say "the whole output goes to $root/$test_log"
  rm -f "$test_events"
  swift test --skip-build "${filter[@]}" --event-stream-output-path "$test_events" --event-stream-version 0 2>&1 |
    scripts/progress.pl "$test_log" "${expected:-0}" || status=${PIPESTATUS[0]}
  # A whole run is also asked which requirements its tests have shown.
  if [[ $# -eq 0 ]]; then count_requirements "$test_events" || status=$((status == 0 ? 1 : status)); fi
  closing_lines "$test_log"
  return "$status"
}

# Prints swift test's own closing lines from its output: XCTest's, then Swift Testing's. A run that has none broke off:
# then the output's last lines are shown.
closing_lines() {
  if grep -q '^[^ ]* Test run with .* after ' "$1"; then
    { grep -A 1 "^Test Suite '\(All\|Selected\) tests' \(passed\|failed\)" "$1" || true; } | tail -n 2
    grep '^[^ ]* Test run with .* after ' "$1" | tail -n 1
  else
    tail -n 5 "$1"
  fi
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

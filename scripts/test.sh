# shellcheck shell=bash
# Running the tests, real compositors included. The last line printed is always swift test's own.

# What swift test printed, and its event stream, which names each test that ran and how it ended.
test_log=.build/test.log
test_events=.build/test.events
# Seconds without any test that begins or ends, after which a run hangs. The slowest tests take about a minute.
test_patience=300

# The tests that need the Python package in bridge/, with what it requires of PyPI.
bridge_suite=BridgeTests

# Builds the tests. Meanwhile what they need to run is installed, which takes minutes where nothing is there yet. A machine that reaches no PyPI
# is told so: it builds and runs everything else.
prepare_tests() {
  local -a laboratory=("${packages_test[@]}" "${packages_bridge[@]}")
  need "${packages_build[@]}"
  installs_unasked || need "${laboratory[@]}"
  enter_package
  # shellcheck source=scripts/bridge.sh
  source "$root/scripts/bridge.sh"
  (
    need "${packages_bridge[@]}"
    prepare_bridge || say "the tests of the bridge ($bridge_suite) are left out: what bridge/ requires could not be installed from PyPI"
    need "${laboratory[@]}"
  ) &
  local installation=$!
  build_debug --build-tests || {
    wait "$installation"
    return 1
  }
  wait "$installation"
}

# `./dev test --claims [WORD ...]`: each change of docs/data/claims.toml, in a copy of the tree, with the test that must fail for it.
run_claims() {
  need "${packages_build[@]}" "${packages_test[@]}" "${packages_bridge[@]}"
  enter_package
  # shellcheck source=scripts/bridge.sh
  source "$root/scripts/bridge.sh"
  prepare_bridge
  "$root/evidence/scripts/claims.py" run "$@"
}

# `./dev test [FILTER]`, `./dev test --deep [MINUTES]`, `./dev test --soak HOURS`
run_tests() {
  if [[ ${1:-} == --soak ]]; then
    shift
    # shellcheck source=evidence/scripts/soak.sh
    source "$root/evidence/scripts/soak.sh"
    soak "$@"
    return
  fi
  if [[ ${1:-} == --deep ]]; then
    shift
    # shellcheck source=evidence/scripts/deep.sh
    source "$root/evidence/scripts/deep.sh"
    deep_tests "$@"
    return
  fi
  if [[ ${1:-} == --claims ]]; then
    shift
    run_claims "$@"
    return
  fi
  local -a choice=()
  local status=0 last
  [[ $# -eq 0 ]] || choice=(--filter "$1")
  prepare_tests
  bridge_is_ready || choice+=(--skip "$bridge_suite")
  rm -f "$test_events"
  last=$(mktemp)
  "$root/scripts/show-tests.py" "$test_events" "$test_log" "$last" "$test_patience" -- swift test --skip-build --quiet "${choice[@]}" \
    --event-stream-output-path "$test_events" --event-stream-version 0 || status=$?
  # A whole run is also asked which requirements its tests have shown, and which promises of the pages.
  if [[ $# -eq 0 ]]; then
    "$root/scripts/requirements.py" "$test_events" "$root" requirements behaviours || status=1
    "$root/evidence/scripts/claims.py" ran "$test_events" || status=1
  fi
  bridge_is_ready || {
    say "the tests of the bridge ($bridge_suite) did not run, since what bridge/ requires could not be installed from PyPI"
    status=1
  }
  ((status == 0)) || say "$test_log has what the tests and their programs have printed, $test_events each test's beginning and end"
  cat -- "$last"
  rm -f -- "$last"
  return "$status"
}

# `./dev picture`: the test that compares two runs of the documents' pictures leaves them in docs/.
draw_pictures() {
  prepare_tests
  COCKPIT_DOCUMENTS=$root/docs swift test --skip-build --filter DocumentPictureTests
  git status --short -- docs
}

# `./dev reference`: the page of the types of scene files, which the tests compare with the declarations.
write_reference() {
  prepare_tests
  COCKPIT_DOCUMENTS=$root/docs swift test --skip-build --filter ControlPageTests
  git status --short -- docs
}

# `./dev golden [FILTER]`: the tests that compare with golden images write them instead.
record_goldens() {
  prepare_tests
  COCKPIT_GOLDEN=record swift test --skip-build --filter "${1:-Golden|ScreenshotTestingTests}"
  git status --short -- Tests
}

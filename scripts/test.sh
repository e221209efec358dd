# shellcheck shell=bash
# Running the tests, real compositors included. The last line printed is always swift test's own.

prepare_tests() {
  need "${packages_build[@]}" "${packages_test[@]}"
  enter_package
  export COCKPIT_EVERYTHING_INSTALLED=1 # so that a test fails where it would otherwise be skipped
  swift build --build-tests
}

# `./dev test [FILTER]`
run_tests() {
  local -a filter=()
  [[ $# -gt 0 ]] && filter=(--filter "$1")
  prepare_tests
  swift test --skip-build --parallel "${filter[@]}"
}

# shellcheck shell=bash
# Running the tests, real compositors included. The last line printed is always swift test's own.

prepare_tests() {
  need "${packages_build[@]}" "${packages_test[@]}"
  enter_package
  swift build --build-tests
}

# `./dev test [FILTER]`
run_tests() {
  local -a filter=()
  [[ $# -eq 0 ]] || filter=(--filter "$1")
  prepare_tests
  swift test --skip-build "${filter[@]}"
}

# `./dev golden [FILTER]`: the tests that compare with golden images write them instead.
record_goldens() {
  prepare_tests
  COCKPIT_GOLDEN=record swift test --skip-build --filter "${1:-Golden|ScreenshotTestingTests}"
  git status --short -- Tests
}

# shellcheck shell=bash
# `./dev examples`: builds the packages of Examples/ against this one, as a stranger would, and runs them.

# Programs run this long in a headless compositor.
example_seconds=2

examples() {
  need "${packages_build[@]}" "${packages_test[@]}"
  enter_package
  local scratch=$root/.build/examples example
  # shellcheck source=scripts/run.sh
  source "$root/scripts/run.sh"
  private_runtime_folder
  start_weston --backend=headless-backend.so --use-pixman --shell=desktop-shell.so
  for example in Thermostat Plasma; do
    swift build --quiet --package-path "Examples/$example" --scratch-path "$scratch/$example"
    run_example "$scratch/$example/debug/$example"
  done
  swift test --quiet --package-path Examples/GaugePictures --scratch-path "$scratch/GaugePictures" ||
    die "the pictures of Examples/GaugePictures differ"
}

# A program must show its window till it is told to end, and then end in order.
run_example() {
  start_cockpit "$1"
  wait_seconds "$example_seconds" "$cockpit_process"
  [[ -z $ended ]] || die "$1 ended by itself with status $status"
  kill -TERM "$cockpit_process"
  wait "$cockpit_process" || die "$1 ended with status $?"
  say "$(basename -- "$1") ran"
}

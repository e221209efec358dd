# shellcheck shell=bash
# `./dev examples`: builds the packages of Examples/, and those of docs/touch-panel.md and docs/touch-panel-controls.md, against this one,
# as a stranger would, and runs them.

# Programs run this long in a headless compositor.
example_seconds=2

examples() {
  need "${packages_build[@]}" "${packages_test[@]}" "${packages_scripts[@]}"
  enter_package
  local example
  # shellcheck source=scripts/run.sh
  source "$root/scripts/run.sh"
  private_runtime_folder
  trap 'clean_up; plan_for_this_package' EXIT
  start_weston --backend=headless-backend.so --use-pixman --shell=desktop-shell.so --debug --width=800 --height=480
  for example in Thermostat Plasma PrinterPanel; do
    swift_package build "Examples/$example"
    run_example "$scratch/debug/$example"
  done
  play_printer
  swift_package test Examples/Plasma || die "the tests of Examples/Plasma fail"
  # The one example of this package itself: it uses what only the package's own programs may.
  build_debug "$planned_anew" --product cockpit-catalogue
  run_example "$root/.build/debug/cockpit-catalogue"
  swift_package test Examples/GaugePictures || die "the pictures of Examples/GaugePictures differ"
  tutorial touch-panel 1 2 3 4
  template
  tutorial touch-panel-controls 1 2 3 4 5
}

# The development build's own folder: a package that depends on this one compiles its libraries by the same commands, so that only what is its
# own is compiled.
scratch=$root/.build
# SwiftPM would take the plan of the last build in this folder, whichever package that was of, while no file of that one changes.
planned_anew=--disable-build-manifest-caching

# `swift build` or `swift test` of the package in FOLDER: `swift_package build|test FOLDER [OPTIONS]`.
swift_package() {
  swift "$1" --quiet "$planned_anew" --package-path "$2" --scratch-path "$scratch" "${@:3}"
}

# Whatever is built next without that option is this package again.
plan_for_this_package() {
  build_debug "$planned_anew" --product cockpit-catalogue || say "the next build needs $planned_anew"
}

# Fingers play on the printer's panel: pages, a list, a question, a password on its own keyboard.
play_printer() {
  build_debug "$planned_anew" --product stage
  # Debian's own Python, which has the packages.
  PATH=$root/.build/debug:$PATH PYTHONPATH=$root/share/stage PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 Examples/PrinterPanel/play.py "$scratch/debug/PrinterPanel" || die "the printer's panel does not do what fingers ask"
}

# `./dev new` makes what the tutorial has just built, and under another name nothing is left of the first.
template() {
  local name
  rm -rf -- "$scratch/new"
  mkdir -p -- "$scratch/new"
  for name in Lamp Crane; do "$root/dev" new "$scratch/new/$name" >/dev/null; done
  diff -r --exclude Screenshots --exclude .gitignore "$scratch/tutorial/Lamp" "$scratch/new/Lamp" || die "./dev new makes something else than the page"
  ! grep -rn Lamp "$scratch/new/Crane" || die "./dev new leaves the name of the example"
}

# Follows docs/PAGE.md: writes the files of each step, builds, at the end tests, and photographs the window.
# Arguments: PAGE STEP... COCKPIT_DOCUMENTS names a folder that the picture is kept in, instead of being compared with the other page's.
tutorial() {
  local name=$1 package=$scratch/tutorial/Lamp picture=$scratch/tutorial/$1.png step
  shift
  rm -rf -- "$package"
  mkdir -p -- "$package"
  for step in "$@"; do
    write_step "docs/$name.md" "$step" "$package"
    # The text has readers clone the cockpit beside their package, and make a folder of pictures.
    sed -i "s#path: \"../cockpit\"#path: \"$root\"#" "$package/Package.swift"
    [[ ! -d $package/Tests ]] || mkdir -p "$package/Tests/LampTests/Screenshots"
    swift_package build "$package" || die "step $step of docs/$name.md does not build"
  done
  SCREENSHOT_RECORD=missing swift_package test "$package" || die "the test of docs/$name.md makes no pictures"
  swift_package test "$package" --skip-build || die "the test of docs/$name.md fails"
  run_example "$scratch/debug/Lamp" --fullscreen
  if [[ -n ${COCKPIT_DOCUMENTS:-} && $name == touch-panel ]]; then
    cp -- "$picture" "$COCKPIT_DOCUMENTS/$name.png"
  else
    cmp -- "$picture" docs/touch-panel.png || die "the panel looks different; to keep it: COCKPIT_DOCUMENTS=docs ./dev examples"
  fi
}

# Writes those blocks of Swift of a numbered step of PAGE whose first line names a file into FOLDER.
write_step() {
  "$root/scripts/pages.py" step "$1" "$2" "$3"
}

# A program must show its window until it gets SIGTERM, and then end in order. Where `picture` names a file, its window is photographed.
run_example() {
  start_cockpit "$@"
  wait_seconds "$example_seconds" "$cockpit_process"
  [[ -z $ended ]] || die "$1 ended by itself with status $status"
  [[ -z ${picture:-} ]] || take_picture "$picture" >/dev/null
  kill -TERM "$cockpit_process"
  wait "$cockpit_process" || die "$1 ended with status $?"
  say "$(basename -- "$1") ran"
}

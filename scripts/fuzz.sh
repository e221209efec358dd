# shellcheck shell=bash
# Fuzzing: `./dev fuzz [SECONDS [TARGET]]`, so many for each target (default 60). COCKPIT_SEED gives another seed.

# Where inputs that libFuzzer found interesting, and those that broke something, are kept.
fuzz_folder=.build/fuzz
# What libFuzzer explores, by the names that Fuzz/ReaderFuzz.swift knows.
fuzz_readers=(json line scene record keymap raster stream video)
# An optimised build that keeps its assertions, and what libFuzzer needs in the code that it explores.
fuzz_flags=(
  -c release --sanitize=address --scratch-path .build/asan -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug
  -Xswiftc "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"
)
# Leaks are looked for as well; not those of fontconfig and of what the libraries keep for ever.
export LSAN_OPTIONS=suppressions=$root/scripts/leaks.txt:print_suppressions=0
# A crash ends the run at once, with AddressSanitizer's own report.
export SWIFT_BACKTRACE=enable=no

fuzz() {
  local seconds=${1:-60} target=${2:-all}
  [[ $seconds =~ ^[0-9]+$ ]] || die "fuzz takes a number of seconds, not \"$seconds\""
  [[ " all tests ${fuzz_readers[*]} " == *" $target "* ]] ||
    die "fuzz knows the targets ${fuzz_readers[*]} and tests, not \"$target\""
  need "${packages_build[@]}" "${packages_test[@]}"
  enter_package
  build_instrumented
  if [[ $target == all || $target == tests ]]; then fuzz_tests "$seconds"; fi
  [[ $target != tests ]] || return 0
  link_readers
  local reader
  for reader in "${fuzz_readers[@]}"; do
    if [[ $target == all || $target == "$reader" ]]; then fuzz_reader "$reader" "$seconds"; fi
  done
}

# Optimising the other test targets for AddressSanitizer takes a quarter of an hour.
build_instrumented() { COCKPIT_TESTS=CockpitTests,CockpitVideoTests,ShellTests swift build "${fuzz_flags[@]}" --build-tests; }

# libFuzzer's program: the readers of the cockpit and its rasteriser, with an entry of their own.
link_readers() {
  local products=.build/asan/release
  local -a libraries=()
  read -ra libraries < <(pkg-config --libs pangocairo pangoft2 harfbuzz fontconfig libpng zlib xkbcommon wayland-cursor wayland-client)
  mkdir -p "$fuzz_folder"
  # Those of the program that fetches video too, but for its own.
  sort -u "$products/cockpit.product/Objects.LinkFileList" <(grep -v /cockpit_video.build/ "$products/cockpit-video.product/Objects.LinkFileList") \
    >"$fuzz_folder/objects"
  compile_readers "$products" -sanitize=fuzzer,address "@$fuzz_folder/objects" "${libraries[@]}" \
    -o "$fuzz_folder/readers"
}

# Compiles that entry against the modules of a build: `compile_readers BUILD OPTION...`.
compile_readers() {
  local products=$1 module flag
  local -a modules=() headers=()
  for module in Sources/{CWayland,CLibraries/*}/module.modulemap; do modules+=(-I "$(dirname "$module")"); done
  for module in JPEG Pango; do headers+=(-Xcc "-fmodule-map-file=$products/${module}Loader.build/module.modulemap"); done
  for flag in $(pkg-config --cflags-only-I pangocairo); do headers+=(-Xcc "$flag"); done
  swiftc -parse-as-library -swift-version 6 -warnings-as-errors -module-name ReaderFuzz -I "$products/Modules" \
    "${modules[@]}" "${headers[@]}" Fuzz/*.swift "${@:2}"
}

# Explores one reader, from its seeds and from what was found before.
fuzz_reader() {
  mkdir -p "$fuzz_folder/$1"
  echo "fuzz $1 by libFuzzer: seed ${COCKPIT_SEED:-1}"
  COCKPIT_READER=$1 "$fuzz_folder/readers" -seed="${COCKPIT_SEED:-1}" -max_total_time="$2" -max_len=8192 -timeout=20 \
    -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$fuzz_folder/$1-" "$fuzz_folder/$1" "Fuzz/Seeds/$1"
}

# The same readers with inputs changed at random, and hostile compositors; FILTER chooses.
fuzz_tests() {
  COCKPIT_FUZZ_SECONDS=$1 COCKPIT_HOSTILE=${COCKPIT_HOSTILE:-200000} instrumented_tests "${2:-FuzzTests|HostileTests}"
}

# Runs tests of the instrumented build; not by swift test, which lets one run at a time use a build folder.
instrumented_tests() {
  .build/asan/release/cockpitPackageTests.xctest --testing-library swift-testing --filter "$1"
}

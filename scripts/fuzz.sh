# shellcheck shell=bash
# Fuzzing: `./dev fuzz [SECONDS]`, so many for each target (60 unless told). COCKPIT_SEED gives another seed.

# Where inputs that libFuzzer found interesting, and those that broke something, are kept.
fuzz_folder=.build/fuzz

fuzz() {
  local seconds=${1:-60}
  [[ $seconds =~ ^[0-9]+$ ]] || die "fuzz takes a number of seconds, not \"$seconds\""
  need "${packages_build[@]}" "${packages_test[@]}"
  enter_package
  fuzz_lines "$seconds"
  fuzz_tests "$seconds"
}

# Lines that others write, by libFuzzer: their reader needs nothing else of the package.
fuzz_lines() {
  mkdir -p "$fuzz_folder/lines"
  swiftc -sanitize=fuzzer,address -parse-as-library -swift-version 6 -O -module-name LineFuzz Sources/DriveLink/Input/*.swift \
    Fuzz/LineFuzz.swift -o "$fuzz_folder/line-fuzz"
  "$fuzz_folder/line-fuzz" -max_total_time="$1" -max_len=4200 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$fuzz_folder/" "$fuzz_folder/lines"
}

# Scenes, telemetry, records, keymaps and hostile compositors, under AddressSanitizer.
fuzz_tests() {
  local -a flags=(--sanitize=address --scratch-path .build/asan)
  swift build "${flags[@]}" --build-tests
  COCKPIT_FUZZ_SECONDS=$1 COCKPIT_HOSTILE=${COCKPIT_HOSTILE:-200000} ASAN_OPTIONS=detect_leaks=0 \
    swift test "${flags[@]}" --skip-build --filter 'FuzzTests|HostileTests'
}

# shellcheck shell=bash
# `./dev test --deep [MINUTES [--continue]]`: the large numbers at full size, and one table of what came out.

# Each part's whole output, and the table.
deep_folder=.build/deep
# How many kills and freezes each compositor gets, how many hostile events there are in all, and how long the simulated drive is.
# The variables that make them smaller are for trying this script out: a table says what was run.
deep_kills=${COCKPIT_KILLS:-100}
deep_freezes=${COCKPIT_FREEZES:-20}
deep_events=${COCKPIT_HOSTILE:-1000000}
deep_soak=${COCKPIT_SOAK_MINUTES:-60}
deep_steps=${COCKPIT_ADVERSARY_STEPS:-10000000}
deep_lines=${COCKPIT_CHAIN_LINES:-5000000}
deep_recorded_steps=${COCKPIT_ADVERSARY_STEPS:-100000}
deep_points=${COCKPIT_TOUCH_POINTS:-1000000}
deep_stills=78
deep_edits=${COCKPIT_SCENE_EDITS:-100000}
deep_refreshes=${COCKPIT_REFRESHES:-10000000}
# Of each kind: nine of memory, three of the witness.
deep_faults=${COCKPIT_WITNESS_FAULTS:-84}
deep_frames=${COCKPIT_WITNESS_FRAMES:-100000}

# With --continue, the parts that an interrupted run of the same sources has passed are kept.
#
# MINUTES (60) are shared out among what is bounded by time: what libFuzzer explores, and the four kinds that tests fuzz. What is
# timed against real compositors has the machine to itself; after that the adversary, the hostile events and the fuzzers share it.
deep_tests() {
  local minutes=${1:-60} seconds kind reader lane
  local -a lanes=()
  [[ $minutes =~ ^[1-9][0-9]*$ ]] || die "--deep takes a number of minutes, not \"$minutes\""
  [[ ${2:---continue} == --continue ]] || die "--deep takes --continue after its minutes, not \"$2\""
  # shellcheck source=scripts/fuzz.sh
  source "$root/scripts/fuzz.sh"
  seconds=$(deep_share "$minutes")
  prepare_tests
  if [[ -z ${2:-} || $(cat "$deep_folder/inputs" 2>/dev/null) != "$(deep_inputs)" ]]; then rm -rf "$deep_folder"; fi
  mkdir -p "$deep_folder"
  deep_inputs >"$deep_folder/inputs"
  say "the output of each part goes to $root/$deep_folder"
  for kind in weston sway kwin; do
    part "kills of $kind" "killed under two fingers, started again" "$deep_kills" killed deep_kills_of "$kind"
  done
  for kind in weston sway kwin; do
    part "freezes of $kind" "stopped under two fingers, let go on" "$deep_freezes" frozen deep_freezes_of "$kind"
  done
  part "faults of the display" "put into the memory of frames and done to the witness" "$((12 * deep_faults))" witnessed deep_witness_faults
  part "soak" "a drive at 60 Hz, in simulated time" "$deep_soak min" soaked deep_soak_drive
  # From here on nothing is timed: the lanes share the processors.
  # These take turns, for swift test lets one run at a time use a build folder.
  {
    part "touch areas" "points in random trees of 30 controls" "$deep_points" touched deep_touch_points
    part "scene edits" "random edits with --watch, each compared with a fresh start" "$deep_edits" edited deep_scene_edits
    part "false alarms" "right frames, and 20 times as many instruments, called wrong by the display check: 0" "$deep_frames" unalarmed deep_right_frames
    part "stills" "pictures of 13 sizes, 2 themes and 3 scales, read by the display check's shapes" "$deep_stills" read_stills deep_read_stills
    part "frame clock" "refreshes, on slow and fast machines; frames that waited are judged" "$deep_refreshes" clocked deep_frame_clock
  } &
  lanes+=($!)
  {
    part "adversary" "random steps against a cockpit that drives, each judged" "$deep_steps" played deep_adversary
    part "chain of the adversary" "lines of such cockpits through radios to vehicles, from a fresh seed" "$deep_lines" linked deep_recorded_chain
  } &
  lanes+=($!)
  part "chain" "lines from hands to the vehicle in virtual time, from a fresh seed" "$deep_lines" linked deep_chain &
  lanes+=($!)
  part "instrumented build" "AddressSanitizer, libFuzzer's coverage" "1" built deep_fuzz_build
  part "hostile events" "what no compositor should send, AddressSanitizer" "$deep_events" struck deep_hostile &
  lanes+=($!)
  for reader in "${fuzz_readers[@]}"; do
    part "fuzz $reader" "libFuzzer, AddressSanitizer" "$seconds s" explored fuzz_reader "$reader" "$seconds"
  done &
  lanes+=($!)
  part "fuzz by tests" "changed at random, AddressSanitizer" "4 x $seconds s" mutated fuzz_tests "$seconds" FuzzTests &
  lanes+=($!)
  for lane in "${lanes[@]}"; do wait "$lane"; done
  deep_table | tee "$deep_folder/table.md"
  ! grep -qs '|FAILED|' "$deep_folder"/*.row || die "$(cat "$deep_folder"/*.row | grep -c '|FAILED|') of the parts failed"
}

# What a row of the table depends on: the sources as they are, committed or not.
deep_inputs() {
  git rev-parse HEAD:{Sources,Tests,Fuzz,Package.swift,bridge,docs/examples}
  git diff HEAD -- Sources Tests Fuzz Package.swift bridge docs/examples
}

# The seconds of each share of MINUTES.
# shellcheck disable=SC2154 # from fuzz.sh
deep_share() { printf '%d\n' $(($1 * 60 / (${#fuzz_readers[@]} + 4))); }

deep_kills_of() {
  COCKPIT_COMPOSITOR=$1 COCKPIT_KILLS=$deep_kills swift test --skip-build --filter 'RestartTests.*killed'
}

deep_freezes_of() {
  COCKPIT_COMPOSITOR=$1 COCKPIT_FREEZES=$deep_freezes swift test --skip-build --filter FreezeTests
}

deep_witness_faults() {
  COCKPIT_WITNESS_FAULTS=$deep_faults swift test --skip-build --filter 'WitnessFaultTests|ScreenWitnessTests'
}

deep_right_frames() {
  COCKPIT_WITNESS_FRAMES=$deep_frames swift test --skip-build --filter "ShownStateTests.*is called wrong"
}

deep_soak_drive() {
  COCKPIT_SOAK_MINUTES=$deep_soak swift test --skip-build --filter DriveSoakTests
}

deep_touch_points() {
  COCKPIT_TOUCH_POINTS=$deep_points swift test --skip-build --filter TouchAreaTests
}

deep_read_stills() {
  COCKPIT_SCREENSHOTS=all swift test --skip-build --filter ScreenshotReadingTests
}

deep_frame_clock() {
  COCKPIT_REFRESHES=$deep_refreshes swift test --skip-build --filter SlowMachineTests
}

deep_scene_edits() {
  COCKPIT_SCENE_EDITS=$deep_edits swift test --skip-build --filter SceneEditTests
}

# Its own build: without optimisation the steps would take hours. Two processes, whose seeds are far apart, play one half each.
deep_adversary() {
  local half=$((deep_steps / 2)) second=$deep_folder/adversary-second-half.txt status=0
  COCKPIT_TESTS=CockpitTests swift build -c release --scratch-path .build/adversary -Xswiftc -enable-testing --build-tests || return
  COCKPIT_SEED=1000000 COCKPIT_ADVERSARY_STEPS=$half deep_session >"$second" 2>&1 &
  COCKPIT_SEED=1 COCKPIT_ADVERSARY_STEPS=$((deep_steps - half)) deep_session || status=1
  wait $! || status=1
  cat "$second"
  return "$status"
}

# Not by swift test, which lets one run at a time use a build folder.
deep_session() {
  .build/adversary/release/cockpitPackageTests.xctest --testing-library swift-testing --filter AdversaryTests
}

deep_chain() {
  PYTHONPATH=bridge/src python3 bridge/tests/chain.py "$deep_lines" ${COCKPIT_CHAIN_SEED:+"$COCKPIT_CHAIN_SEED"}
}

# The cockpits of fresh sessions of the adversary, in the build of the adversary, which comes before; every radio plays them anew.
deep_recorded_chain() {
  local seed=${COCKPIT_CHAIN_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')} tape=$deep_folder/adversary-lines.txt
  COCKPIT_ADVERSARY_PLAYS=1 COCKPIT_SEED=$seed COCKPIT_ADVERSARY_STEPS=$deep_recorded_steps COCKPIT_ADVERSARY_LINES=$tape deep_session || return
  PYTHONPATH=bridge/src python3 bridge/tests/chain.py "$deep_lines" "$seed" --recorded "$tape"
}

deep_fuzz_build() {
  build_instrumented && link_readers
}

# The events are sent to five kinds of compositors, a fifth of them to each.
deep_hostile() {
  COCKPIT_HOSTILE=$((deep_events / 5)) instrumented_tests HostileTests
}

# Runs one part: its name, what it is, how many, the function that finds its figures in its log, the command. A part passes if its
# command does and its log has the figures for as many as were asked for: a filter that matches no test fails.
part() {
  local name=$1 what=$2 count=$3 figures=$4 log status=0 found=passed started=$SECONDS took text
  shift 4
  log=$deep_folder/${name// /-}.log
  if grep -qs '|passed|' "${log%.log}.row"; then
    printf '✔ %s (before)\n' "$name"
    return
  fi
  "$@" >"$log" 2>&1 || status=$?
  took=$((SECONDS - started))
  text=$("$figures" "$count" <"$log") || status=1
  [[ $status -eq 0 ]] || found=FAILED
  printf '%s\n' "$name|$what|$count|$found|${text:-none}|$((took / 60)):$(printf %02d $((took % 60)))" >"${log%.log}.row"
  printf '%s %s (%d s)\n' "$([[ $found == passed ]] && echo ✔ || echo ✘)" "$name" "$took"
  [[ $found == passed ]] || {
    grep -E '^✘ Test|^↳|: error: |^error: |Fatal error|ERROR: ' "$log" | head -n 20 | sed 's/^/    /' || true
    printf '    all of it: %s\n' "$log"
  }
}

# Each of these reads a part's log and prints the figures, or fails where the log has none for so many. They read to the end.

killed() { last_match "s/^$1 kills of [a-z]*: //p"; }
frozen() { last_match "s/^$1 freezes of [a-z]* with two fingers down, /and /p"; }
witnessed() {
  awk -v wanted="$1" '
    / faults of the kind | times a witness / { count += $1; time = $0; sub(/.*<= /, "", time) }
    / faults of the kind / && time + 0 > most { most = time + 0 }
    / times a witness / { kind = $5; sub(":", "", kind); last = last sprintf(", %s %s", kind, time) }
    END { printf "ended the drive within: in memory %.1f ms after the command%s\n", most * 1000, last; exit count != wanted }'
}
soaked() { last_match "s/^soak: ${1% min} minutes of 60 Hz driving, //p"; }
played() {
  awk -v wanted="$1" '
    /^adversary: seed [0-9]+, [0-9]+ steps in [0-9]+ sessions, [0-9]+ breaches, [0-9]+ steps a second$/ {
      steps += $4; sessions += $7; breaches += $9; speed += $11
    }
    END { printf "%d sessions, %d breaches, %d steps a second\n", sessions, breaches, speed; exit steps < wanted || breaches }'
}
linked() {
  awk -v wanted="$1" '
    /^chain: seed [0-9]+, [0-9]+ lines in [0-9]+ sessions, [0-9]+ violations, / {
      seed = $3 + 0; lines = $4; sessions = $7; violations = $9
    }
    END { printf "seed %d, %d sessions, %d violations\n", seed, sessions, violations; exit lines < wanted || violations }'
}
touched() {
  awk -v wanted="$1" '
    /^touch areas: [0-9]+ points in [0-9]+ trees, [0-9]+ of them in controls$/ { points += $3; trees += $6; inside += $8 }
    END { printf "%d trees, %d points in controls\n", trees, inside; exit points < wanted || !inside }'
}
unalarmed() {
  awk -v wanted="$1" '
    /^display: [0-9]+ frames in [0-9]+ settings, [0-9]+ cells, 0 called wrong/ { frames += $2 }
    /^display: [0-9]+ windows of any size, [0-9]+ cells, 0 called wrong$/ { windows += $2; cells += $7 }
    END { printf "%d frames of the listed windows, %d cells in %d other windows\n", frames, cells, windows
      exit frames < wanted || cells < 20 * wanted }'
}
read_stills() {
  awk -v wanted="$1" '
    /^stills: [0-9]+ read$/ { stills += $2 }
    END { printf "%d stills\n", stills; exit stills < wanted }'
}
clocked() {
  awk -v wanted="$1" '
    /^frame clock: [0-9]+ refreshes, [0-9]+ frames, [0-9]+ waited, [0-9]+ of them late for it$/ { refreshes = $3; held = $7; harmed = $9 }
    END { printf "%d frames waited, %d of them late for it\n", held, harmed; exit refreshes < wanted || !held || harmed }'
}
edited() {
  awk -v wanted="$1" '
    /^scene edits: [0-9]+ edits of [0-9]+ scenes, [0-9]+ differences$/ { edits += $3; scenes += $6; differences += $8 }
    END { printf "%d scenes, %d differences\n", scenes, differences; exit edits < wanted || differences }'
}
built() { last_match 's/^Build complete! *//p'; }

last_match() {
  local found
  found=$(sed -n "$1" | tail -n 1)
  [[ -n $found ]] && printf '%s\n' "$found"
}

struck() {
  awk -v wanted="$1" '
    /^hostile events: seed [0-9]+, [0-9]+ of them/ { events += $5 }
    /^hostile events: seed [0-9]+, [0-9]+ connections/ { connections += $5 }
    END { printf "%d events, %d connections\n", events, connections; exit events < wanted || !connections }'
}

explored() {
  awk '
    /^stat::number_of_executed_units:/ { units = $2 }
    / cov: [0-9]+ / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
    END { printf "%d inputs, %d edges\n", units, edges; exit !units || !edges }'
}

mutated() {
  awk '
    /^fuzz [a-z]+: seed [0-9]+, [0-9]+ (inputs|files)/ { kinds++; inputs += $5 }
    END { printf "%d inputs, %d kinds\n", inputs, kinds; exit kinds < 4 }'
}

# The parts' rows, in the order in which they were begun.
deep_rows() {
  local name
  for name in kills-of-{weston,sway,kwin} freezes-of-{weston,sway,kwin} faults-of-the-display soak \
    touch-areas scene-edits false-alarms stills frame-clock adversary chain chain-of-the-adversary instrumented-build hostile-events \
    "${fuzz_readers[@]/#/fuzz-}" fuzz-by-tests; do
    cat "$deep_folder/$name.row"
  done
}

# The table as Markdown, its columns aligned so that it can be read as it is.
deep_table() {
  printf 'At %s on %s, %s cores, Linux %s:\n\n' "$(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ' and changes')" \
    "$(date -u +%F)" "$(nproc)" "$(uname -r)"
  { printf '%s\n' 'part|what|how many|result|figures|time (min:s)'; deep_rows; } | awk -F '|' '
    { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) }; columns = NF }
    END {
      for (row = 1; row <= NR; row++) {
        line = "|"
        for (i = 1; i <= columns; i++) line = line sprintf(" %-" width[i] "s |", cell[row, i])
        print line
        if (row > 1) continue
        line = "|"
        for (i = 1; i <= columns; i++) { dashes = sprintf("%" width[i] + 2 "s", ""); gsub(/ /, "-", dashes); line = line dashes "|" }
        print line
      }
    }'
}

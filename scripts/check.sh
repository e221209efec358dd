# shellcheck shell=bash
# `./dev check [--release]`: what can be said about a change without running its tests. Every check runs; one failure fails all.

# shellcheck source=scripts/api.sh
source "$root/scripts/api.sh"
# shellcheck source=evidence/scripts/bench.sh
source "$root/evidence/scripts/bench.sh"
# shellcheck source=scripts/bindings.sh
source "$root/scripts/bindings.sh"

check() {
  case ${1:-} in
    '') check_change ;;
    --release) check_release ;;
    *) die "./dev check takes --release or nothing, not \"$1\"" ;;
  esac
}

# What every change is judged by: about a minute where the development build is up to date.
check_change() {
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_check[@]}" "${packages_bindings[@]}" "${packages_test[@]}"
  enter_package
  begin_checks
  # Half of the time of all where nothing is built, on one processor.
  attempt "scripts" check_scripts &
  attempt "format" check_format
  attempt "layering" check_layering
  attempt "descriptors are closed on exec" check_descriptors
  attempt "systemd units are confined" check_units
  attempt "short lines in the documents" check_lines
  attempt "links in the documents" check_links
  attempt "absolute sentences and their tests" evidence/scripts/claims.py check
  attempt "each description and modifier is in docs/controls-ui.md" check_descriptions
  attempt "environment variables are in docs/environment.md" check_environment
  attempt "tables name the commit that they were measured at" check_tables
  attempt "debug build without warnings" build_debug --build-tests
  attempt "the bindings are those of their protocols" bindings_are_current
  attempt "docs/controls.md is what the declarations say" swift test --skip-build --filter ControlPageTests
  attempt "files and tests that the map of the code names" check_map
  attempt "the fuzzers' entry compiles" check_fuzz_entry
  attempt "a docstring and no C types for each public symbol" check_symbols
  attempt "public declarations are those of Baselines/" compare_declarations
  wait
  note_long_files
  end_checks
}

# What a release is judged by as well, and CI every change: the checks themselves, and what has builds of its own. Those of the
# release build take turns, and the others theirs beside them.
check_release() {
  # The bench and the stage first: they keep one processor busy for a minute, and the examples the other.
  local -a release_products=(cockpit-bench stage "${release_products[@]}")
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_check[@]}" "${packages_bench[@]}" "${packages_test[@]}"
  enter_package
  begin_checks
  {
    attempt "each check fails where it should" scripts/check-the-checks.sh
    attempt "the examples" "$root/dev" examples
  } &
  attempt "release build without warnings" build_release
  attempt "nothing of Foundation in the program" check_no_foundation
  attempt "the program runs with Debian 12's C library" check_glibc
  [[ $(uname -m) != x86_64 ]] || attempt "counted figures at most 5 % above the baseline" check_counted
  attempt "docs/performance.md is generated from its records" check_report
  wait
  # Beside busy processors the cockpit rightly ends the drive whose frames are looked at.
  attempt "a frame of a drive allocates nothing" check_allocations
  # It needs the development build to itself, as the examples do.
  attempt "the stage of the release build passes its tests" check_release_stage
  note_old_tables
  end_checks
}

# The names of the checks that failed, a line each.
begin_checks() {
  failures=$(mktemp)
  trap 'rm -f -- "$failures"' EXIT
}

end_checks() {
  local -a failed
  mapfile -t failed <"$failures"
  [[ ${#failed[@]} -eq 0 ]] || die "${#failed[@]} of the checks failed: $(join_with ', ' "${failed[@]}")"
}

# Runs one check; what it prints is shown below its name where it failed. (A build that succeeds may still print what
# the linker thinks of the toolchain's own libraries.)
attempt() {
  local name=$1 output shown='' passed=true started=${EPOCHREALTIME/[.,]/} took
  shift
  output=$("$@" 2>&1) || {
    passed=false
    printf '%s\n' "$name" >>"$failures"
  }
  took=$(((${EPOCHREALTIME/[.,]/} - started) / 100000))
  [[ $passed == true ]] || shown="    ${output//$'\n'/$'\n    '}"$'\n'
  # In one piece: another check may end at the same moment.
  printf '%s %s (%d.%d s)\n%s' "$([[ $passed == true ]] && echo ✔ || echo ✘)" "$name" $((took / 10)) $((took % 10)) "$shown"
}

join_with() {
  local separator=$1 first=$2
  shift 2
  printf '%s' "$first" "${@/#/$separator}"
}

check_format() {
  # shellcheck disable=SC2154 # from build.sh
  swift format lint --strict --parallel --recursive "${swift_sources[@]}"
}

# Prints the imports of a target that match a pattern, as the compiler finds them, and fails if there are any.
forbid_imports() {
  local target=$1 pattern=$2 imports
  local -a files found
  mapfile -t files < <(find "Sources/$target" Sources/{Bindings,Bus,Macros,Testing}/"$target" -name '*.swift' 2>/dev/null)
  [[ ${#files[@]} -gt 0 ]] || return 0
  imports=$(swift-frontend -emit-imported-modules -module-name Any "${files[@]}" -o /dev/stdout) || return
  mapfile -t found < <(grep -xE "$pattern" <<<"$imports")
  [[ ${#found[@]} -eq 0 ]] || {
    printf '%s\n' "${found[@]/#/Sources/$target imports }"
    return 1
  }
}

# The pictures of one library know nothing of the windows of the other, and what both share knows nothing at all.
check_layering() {
  local status=0 folder
  for folder in Sources/* Sources/{Bindings,Bus,Macros,Testing}/* Sources/../Examples/{Catalogue,Viewing}; do
    case ${folder#Sources/} in
    # Rooms, and what is no part of the program: it needs processes, temporary files and XML.
    Bindings | Bus | Macros | Testing | Testing/ScreenshotTesting | Bindings/WaylandScanner) ;;
    *) forbid_imports "${folder#Sources/}" 'Foundation[A-Za-z]*' || status=1 ;;
    esac
  done
  local targets pattern
  while read -r targets pattern; do
    for folder in ${targets//,/ }; do forbid_imports "$folder" "$pattern" || status=1; done
  done <<'END'
UICore,JSON,Glyphs [A-Za-z_]+
Witnessing C[A-Z][A-Za-z]*|Glibc|UICore|Linux|JSON|Drawing|Controls|CockpitControls|Shell|Desktop|DriveLink|PangoLoader|JPEGLoader
cockpit-witness CCairo|C?Wayland[A-Za-z]*|UICore|JSON|Drawing|Controls|CockpitControls|Shell|Desktop|DriveLink|PangoLoader|JPEGLoader|cockpit
VideoLink C[A-Z][A-Za-z]*|Glibc|JSON|MainLoop|Wayland[A-Za-z]*|Shell|Drawing|Controls|Desktop|DriveLink|VideoReading|cockpit
VideoReading C[A-Z][A-Za-z]*|Glibc|Linux|JSON|MainLoop|Wayland[A-Za-z]*|Shell|Drawing|Controls|Desktop|DriveLink|cockpit
cockpit-video CCairo|C?Wayland[A-Za-z]*|CXkbcommon|JSON|MainLoop|Drawing|Controls|CockpitControls|Shell|Desktop|DriveLink|cockpit
Linux JSON|C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Drawing|Controls|ControlTools|Desktop|DriveLink|Tilt|Gamepad
DriveLink C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Drawing|Controls|ControlTools|Desktop|Tilt|Gamepad
Tilt C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Drawing|Controls|ControlTools|Desktop|DriveLink|JSON|Gamepad
Gamepad C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Drawing|Controls|ControlTools|Desktop|DriveLink|JSON|MainLoop|Tilt
ControlTools C?Wayland[A-Za-z]*|CCairo|CXkbcommon|CLinux|Shell|Desktop
Drawing C?Wayland[A-Za-z]*|CXkbcommon|CLinux|Shell|JSON|Controls
Controls C?Wayland[A-Za-z]*|CXkbcommon|CLinux|CCairo|PangoLoader|JPEGLoader|Shell
WindowDecoration,CockpitControls,ControlExercises,ControlsUI C?Wayland[A-Za-z]*|CCairo|CXkbcommon|CLinux|Shell|ControlTools
ScreenshotTesting C?Wayland[A-Za-z]*|CXkbcommon|CLinux|CCairo|Shell|Testing|XCTest
DebugOverlay C[A-Z][A-Za-z]*|Wayland[A-Za-z]*|Linux|Shell|Drawing|Controls
Shell CWayland|CCairo|Drawing|Controls|WindowDecoration|CockpitControls|ControlExercises|DBus|Desktop|C?WaylandServer
MainLoop C?Wayland[A-Za-z]*|CCairo|CXkbcommon|CSystemd|Shell|DBus|Desktop|JSON|Drawing|Controls
DBus CCairo|Shell|Drawing|Controls|Desktop|Accessibility|C?Wayland[A-Za-z]*
Desktop CCairo|CSystemd|Shell|Drawing|Controls|C?Wayland[A-Za-z]*
Accessibility CCairo|CSystemd|ControlTools|C?Wayland[A-Za-z]*
Wayland UICore|Shell|Drawing|Controls|CCairo
WaylandWire,WaylandServer UICore|Shell|Drawing|Controls|ControlTools|CCairo
Stage,StageScript,StageTool CCairo|PangoLoader|JPEGLoader|Drawing|Shell|Controls|ControlTools|DriveLink|Gamepad|Tilt|cockpit
PNGFiles C?Wayland[A-Za-z]*|CCairo|CXkbcommon|CLinux|Shell|JSON|Drawing|Controls
../Tests/ControlHarness C?Wayland[A-Za-z]*|CXkbcommon|Shell|Stage|cockpit
END
  # Whoever makes a Hand may drive a vehicle: only the devices do, and tests.
  local others
  others=$(grep -rns --include='*.swift' '_spi(Devices)' Sources Examples | grep -vE '^Sources/(Shell/Input|UICore/Events|Gamepad)/' || true)
  [[ -z $others ]] || {
    printf '%s\n' "$others"
    status=1
  }
  return "$status"
}

# The most that `systemd-analyze security` may find open in each unit, in tenths of its figure from 0 (confined) to 10. A user's own manager
# has no right to do more for the cockpit.
unit_limits=(share/systemd/system/cockpit-bridge.service:17 share/systemd/user/cockpit-wayland.service:65)

check_units() {
  local limit unit folder status=0
  folder=$(mktemp -d)
  for limit in "${unit_limits[@]}"; do
    unit=$folder/$(basename -- "${limit%:*}")
    sed 's|@PREFIX@|/usr|' "${limit%:*}" >"$unit"
    systemd-analyze security --offline=true --no-pager --threshold="${limit##*:}" "$unit" || status=1
  done
  rm -r -- "$folder"
  return "$status"
}

# A descriptor that is open on exec goes to any process that another thread starts at that moment, which then keeps the pipe or the connection
# open. So every call that makes one makes it closed on exec: a flag set later comes too late. (`kind` has the flag where it is made. Standard input and output are inherited.)
check_descriptors() {
  local calls='accept\([A-Za-z]+, nil|pipe\(&|dup\(|(socket|socketpair)\(AF_|(eventfd|signalfd|timerfd_create|inotify_init1)\(|open\("/'
  local found
  found=$(grep -rnE --include='*.swift' "(^|[^A-Za-z0-9_.])(Glibc\.)?($calls)" Sources Tests evidence Fuzz | grep -vE 'CLOEXEC|AF_UNIX, (kind|Int32\(kind\)),|STDIN_FILENO') || true
  [[ -z $found ]] || {
    printf '%s\n' "$found"
    return 1
  }
}

# Each declaration that an app can use says above itself what it is for, and has no type that comes from C.
check_symbols() (
  graphs=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-symbols.XXXXXX")
  trap 'rm -rf -- "$graphs"' EXIT
  symbol_graphs "$graphs" && "$root/scripts/symbols.py" "$graphs"/*/*.json
)

# Foundation costs start and memory; what is linked statically shows in the program's symbols, else in its libraries.
check_no_foundation() {
  # shellcheck disable=SC2154 # from build.sh
  local program=$release_folder/cockpit symbols found
  symbols=$(nm "$program") || return
  # Without the standard library's own symbols the look would find nothing whatever is there.
  grep -q ' [$]sSS' <<<"$symbols" || {
    printf '%s has no symbols to look at\n' "$program"
    return 1
  }
  found=$(grep -E ' [$]s[0-9]*Foundation|_CFString' <<<"$symbols" | head -n 5) || true
  found+=$(ldd "$program" | grep -i foundation) || true
  [[ -z $found ]] || {
    printf '%s\n' "$found"
    return 1
  }
}

# The package is for Debian 12 and newer, whatever it is built on: its program needs no symbol that is newer than Debian 12's C library.
glibc_of_debian_12=2.36
check_glibc() {
  local program=${1:-$release_folder/cockpit} symbols newest
  [[ $# -gt 0 ]] || { check_glibc "$release_folder/cockpit-witness" && check_glibc "$release_folder/cockpit-video"; } || return
  symbols=$(objdump -T "$program") || return
  newest=$(grep -oE 'GLIBC_[0-9.]+' <<<"$symbols" | sort -Vu | tail -n 1)
  [[ -n $newest ]] || {
    printf '%s needs no symbol of a C library\n' "$program"
    return 1
  }
  [[ $(printf '%s\n' "${newest#GLIBC_}" "$glibc_of_debian_12" | sort -V | tail -n 1) == "$glibc_of_debian_12" ]] || {
    printf '%s needs %s; Debian 12 has %s\n' "$program" "$newest" "$glibc_of_debian_12"
    return 1
  }
}

# Only the release build is held to it. Time passes four times as fast as usual.
check_allocations() {
  # shellcheck disable=SC2154 # from build.sh
  COCKPIT=$release_folder/cockpit evidence/run --size 1280x720 --allocations --refresh 240 --frames 1200 --patience 0 \
    --strict --aim 'allocations a frame by own code'
}

# Instructions, system calls, bytes, faults, allocations and wake-ups of the release build: the machine's load does not change them.
check_counted() { COCKPIT=$release_folder/cockpit counted; }

# shellcheck disable=SC2154 # from bench.sh
check_report() { "$release_folder/cockpit-bench" --fill "$report_page" --check; }

# Every script, in whatever language, at least parses.
check_scripts() {
  local status=0 file
  shellcheck --external-sources --check-sourced dev .ci/run evidence/run scripts/check-the-checks.sh || status=1
  while read -r file; do
    printf '%s: scripts are in bash, or in Python if they read texts\n' "$file"
    status=1
  done < <(git ls-files --cached --others --exclude-standard -- '*.pl')
  git ls-files -z --cached --others --exclude-standard -- '*.py' | xargs -0 python3 -c "$compile_scripts" || status=1
  return "$status"
}

# One interpreter for all files: starting one for each takes longer than reading them. Bytes of a compiled file stay in memory: nothing is
# written beside it.
compile_scripts='
import sys
failures = 0
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec")
    except (OSError, SyntaxError, ValueError) as error:
        failures += 1
        print(f"{path}: {error}")
sys.exit(failures > 0)
'

# The entry of libFuzzer, against the modules of the debug build.
check_fuzz_entry() {
  # shellcheck source=scripts/fuzz.sh
  source "$root/scripts/fuzz.sh"
  compile_readers .build/debug -typecheck
}

# The optimiser may break what the tests of the debug build cannot see.
check_release_stage() {
  local release_products=(stage)
  build_release && COCKPIT_STAGE=$release_folder/stage swift test --skip-build --filter StageToolTests
}

# No line of prose is longer than the pages are wide.
check_lines() {
  git ls-files --cached --others --exclude-standard -- '*.md' | xargs scripts/lines.py
}

# Every relative link of a document leads to a file, and to a heading in it where it names one.
check_links() {
  git ls-files --cached --others --exclude-standard -- '*.md' | xargs scripts/links.py
}

# Every file that the pages about the code name is there; one without a folder is beside the one named before it. A row of symptoms or
# events ends with tests that are there too, and the functions beside its files are words of one of them, as in the rows of steps.
check_map() {
  local pages
  mapfile -t pages < <(git ls-files --cached --others --exclude-standard -- ARCHITECTURE.md docs/architecture docs/where-to-look.md)
  list_tests | scripts/map.py "${pages[@]}"
}
list_tests() { swift test list --skip-build; }

# A variable of ours that anything names, or a quoted one of the sources, is in the page of all of them. (The stage sets variables for clients,
# and the kernel's names of a gamepad's parts are none.)
check_environment() {
  local name status=0
  while read -r name; do
    grep -q "\`$name\`" docs/environment.md || {
      printf 'docs/environment.md does not have %s, which is in %s\n' "$name" "$(git grep -lw "$name" -- ':!docs' ':!*.md' | head -n 3 | paste -sd ' ')"
      status=1
    }
  done < <({
    git grep -hoE '\b(COCKPIT|SCREENSHOT)_[A-Z_]+' -- ':!*.md' ':!scripts/check-the-checks.sh'
    git grep -hoE '"[A-Z]+(_[A-Z]+)+"' -- Sources ':!Sources/Testing/Stage' ':!Sources/Testing/StageScript' \
      ':!Sources/Gamepad/GamepadReading.swift' | tr -d '"'
  } | sort -u)
  return "$status"
}

# Who writes a panel finds by this page what there is, not by guessing; and its example is one that is built.
check_descriptions() {
  local name status=0
  while read -r name; do
    grep -qE "\`([^\`]*[^A-Za-z\`])?$name([^A-Za-z\`][^\`]*)?\`" docs/controls-ui.md || {
      printf 'docs/controls-ui.md does not have %s, which is in Baselines/ControlsUI.txt\n' "$name"
      status=1
    }
  done < <(sed -nE 's/^(\(extension in ControlsUI\):)?View\.([a-z][A-Za-z]*)[(<].*/\2/p; s/^([A-Z][A-Za-z]*); struct of .*\bView\b.*/\1/p' \
    Baselines/ControlsUI.txt | grep -vxE 'ConditionalView|OptionalView|TupleView' | sort -u)
  "$root/scripts/pages.py" quotes docs/controls-ui.md Examples/PrinterPanel/Sources/PrinterPanel/TemperatureChart.swift || status=1
  return "$status"
}

# The pages of measured tables: "At COMMIT ..." is above each of them.
measured_pages=(docs/reliability.md docs/performance.md docs/receivers.md docs/rivals.md)

# Each heading of a page of tables whose table has figures names the commit that they are of, as "At 0123abc"; a page may do it once, above its first heading
# of second level.
check_tables() {
  "$root/scripts/pages.py" tables "${measured_pages[@]}"
}

# Names tables whose commit is more than 2,000 changed lines of Sources ago: they are to be measured again before a release.
note_old_tables() {
  local page commit lines
  for page in "${measured_pages[@]}"; do
    while read -r commit; do
      if ! git cat-file -e "$commit^{commit}" 2>/dev/null; then
        printf 'note: %s: the history has no commit %s\n' "$page" "$commit"
        continue
      fi
      lines=$(git diff --numstat "$commit" -- Sources | awk '{ lines += $1 + $2 } END { print lines + 0 }')
      [[ $lines -le 2000 ]] || printf 'note: %s: what was measured at %s is %s changed lines of Sources ago (%s commits)\n' \
        "$page" "$commit" "$lines" "$(git rev-list --count "$commit..HEAD")"
    done < <(grep -oE '\bAt [0-9a-f]{7,40}\b' "$page" | cut -d ' ' -f 2 | sort -u)
  done
}

# Names the files of more than 600 lines; fails for none.
note_long_files() {
  git ls-files --cached --others --exclude-standard -- '*.swift' '*.c' '*.h' '*.sh' dev ':!*/Generated/*' | while read -r file; do
    [[ ! -f $file || $(wc -l <"$file") -le 600 ]] || printf 'note: %s has %s lines\n' "$file" "$(wc -l <"$file")"
  done
}

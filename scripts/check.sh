# shellcheck shell=bash
# `./dev check`: what can be said about a change without running it. Every check runs; one failure fails all.

# shellcheck source=scripts/api.sh
source "$root/scripts/api.sh"

check() {
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_check[@]}" "${packages_bench[@]}" "${packages_test[@]}"
  enter_package
  failed=()
  attempt "each check fails where it should" scripts/check-the-checks.sh
  attempt "format" check_format
  attempt "layering" check_layering
  attempt "no C types in the public interfaces" check_public_interfaces
  attempt "a docstring for each public symbol" check_docstrings
  attempt "scripts" check_scripts
  attempt "what is read from the tests' output" scripts/progress-check.sh
  attempt "plain words in comments and documents" scripts/words.pl
  attempt "links in the documents" check_links
  attempt "files and tests that ARCHITECTURE.md names" check_map
  attempt "environment variables are in docs/environment.md" check_environment
  attempt "tables name the commit that they were measured at" check_tables
  attempt "debug build without warnings" swift build --quiet --build-tests
  attempt "the fuzzers' entry compiles" check_fuzz_entry
  attempt "public declarations are those of Baselines/" compare_declarations
  attempt "release build without warnings" build_release
  attempt "nothing of Foundation in the program" check_no_foundation
  attempt "a frame of a drive allocates nothing" check_allocations
  attempt "the examples" "$root/dev" examples
  attempt "the Debian package, in a bare Debian too" "$root/dev" deb --try
  note_long_files
  note_old_tables
  [[ ${#failed[@]} -eq 0 ]] || die "${#failed[@]} of the checks failed: $(join_with ', ' "${failed[@]}")"
}

# Runs one check; what it prints is shown below its name where it failed. (A build that succeeds may still print what
# the linker thinks of the toolchain's own libraries.)
attempt() {
  local name=$1 output passed=true started=${EPOCHREALTIME/[.,]/} took
  shift
  output=$("$@" 2>&1) || {
    passed=false
    failed+=("$name")
  }
  took=$(((${EPOCHREALTIME/[.,]/} - started) / 100000))
  printf '%s %s (%d.%d s)\n' "$([[ $passed == true ]] && echo ✔ || echo ✘)" "$name" $((took / 10)) $((took % 10))
  [[ $passed == true ]] || printf '%s\n' "$output" | sed 's/^/    /'
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

# Prints the imports of a target that match a pattern, and fails if there are any.
forbid_imports() {
  local target=$1 pattern=$2
  [[ -d Sources/$target ]] || return 0
  ! grep -rnE --include='*.swift' \
    "^[[:space:]]*(@[A-Za-z_]+(\([A-Za-z]+\))?[[:space:]]+)*((public|package|internal|private|fileprivate)[[:space:]]+)?import[[:space:]]+((class|struct|enum|protocol|actor|typealias|func|var|let)[[:space:]]+)?($pattern)\b" \
    "Sources/$target"
}

# The pictures of one library know nothing of the windows of the other, and what both share knows nothing at all.
check_layering() {
  local status=0
  local folder
  for folder in Sources/* Sources/../Examples/Catalogue; do
    case ${folder#Sources/} in
    # No part of the program: they need processes, temporary files and XML.
    ScreenshotTesting | WaylandScanner) ;;
    *) forbid_imports "${folder#Sources/}" 'Foundation[A-Za-z]*' || status=1 ;;
    esac
  done
  forbid_imports UICore '[A-Za-z_]+' || status=1
  forbid_imports JSON '[A-Za-z_]+' || status=1
  forbid_imports Linux 'JSON|C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Drawing|Controls|ControlTools|Desktop|DriveLink|Tilt' || status=1
  forbid_imports DriveLink 'C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Drawing|Controls|ControlTools|Desktop|Tilt' || status=1
  forbid_imports Tilt 'C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Drawing|Controls|ControlTools|Desktop|DriveLink|JSON' || status=1
  forbid_imports ControlTools 'C?Wayland[A-Za-z]*|CCairo|CXkbcommon|CLinux|Shell|Desktop' || status=1
  forbid_imports Drawing 'C?Wayland[A-Za-z]*|CXkbcommon|CLinux|Shell|JSON|Controls' || status=1
  forbid_imports Controls 'C?Wayland[A-Za-z]*|CXkbcommon|CLinux|CCairo|PangoLoader|Shell' || status=1
  for folder in WindowDecoration CockpitControls ControlExercises; do
    forbid_imports "$folder" 'C?Wayland[A-Za-z]*|CCairo|CXkbcommon|CLinux|Shell|ControlTools' || status=1
  done
  forbid_imports ScreenshotTesting 'C?Wayland[A-Za-z]*|CXkbcommon|CLinux|CCairo|Shell|Testing|XCTest' || status=1
  forbid_imports DebugOverlay 'C[A-Z][A-Za-z]*|Wayland[A-Za-z]*|Linux|Shell|Drawing|Controls' || status=1
  forbid_imports Shell 'CWayland|CCairo|Drawing|Controls|WindowDecoration|CockpitControls|ControlExercises|DBus|Desktop|C?WaylandServer' || status=1
  forbid_imports DBus 'CCairo|Drawing|Controls|Desktop|Accessibility|C?Wayland[A-Za-z]*' || status=1
  forbid_imports Desktop 'CCairo|CSystemd|Drawing|Controls|C?Wayland[A-Za-z]*' || status=1
  forbid_imports Accessibility 'CCairo|CSystemd|ControlTools|C?Wayland[A-Za-z]*' || status=1
  forbid_imports Wayland 'UICore|Shell|Drawing|Controls|CCairo' || status=1
  forbid_imports WaylandWire 'UICore|Shell|Drawing|Controls|ControlTools|CCairo' || status=1
  forbid_imports WaylandServer 'UICore|Shell|Drawing|Controls|ControlTools|CCairo' || status=1
  forbid_imports Stage 'CCairo|ControlTools|DriveLink|Tilt|cockpit' || status=1
  forbid_imports ../Tests/ControlHarness 'C?Wayland[A-Za-z]*|CXkbcommon|Shell|Stage|cockpit' || status=1
  # Whoever makes a Hand may drive a vehicle: only the devices do, and tests.
  local others
  others=$(grep -rns --include='*.swift' '_spi(Devices)' Sources Examples Plugins | grep -vE '^Sources/(Shell/Input|UICore/Events)/' || true)
  [[ -z $others ]] || {
    printf '%s\n' "$others"
    status=1
  }
  return "$status"
}

# An app that uses the libraries meets no type of theirs that comes from C.
check_public_interfaces() {
  local file found
  found=$(
    find Sources/{Shell,Desktop,Accessibility,Drawing,Controls,WindowDecoration,CockpitControls,ControlExercises,ScreenshotTesting} -name '*.swift' 2>/dev/null | sort | while read -r file; do
      # A declaration reaches from `public` or `open` to its body, or to the end of a line with all brackets closed.
      perl -0777 -ne '
        while (/^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\b(?:\([^)]*\)|[^({\n])*/mg) {
          my ($declaration, $line) = ($&, 1 + (substr($_, 0, $-[0]) =~ tr/\n//));
          print "$ARGV:$line: $1\n"
            if $declaration =~ /\b((?:wl|xdg|zxdg|wp|zwp|xkb|cairo|pango)_\w+|Pango\w+|OpaquePointer)\b/;
        }' "$file"
    done
  )
  [[ -z $found ]] || {
    printf '%s\n' "$found"
    return 1
  }
}

# Each declaration that an app can use says above itself what it is for. An override may inherit that.
check_docstrings() {
  local found
  found=$(
    # shellcheck disable=SC2016 # the variables are perl's
    find Sources/{Shell,Desktop,Accessibility,Drawing,Controls,WindowDecoration,CockpitControls,ControlExercises,ControlTools,ScreenshotTesting,UICore} -name '*.swift' | sort | xargs perl -ne '
      if (/^\s*(?:\@[\w.]+(?:\([^)]*\))?\s+)*(?:nonisolated\s+)?(?:public|open)\s+\w/ && !/\b(?:extension|import|override)\b/) {
        my ($above) = grep { !/^\s*\@/ } reverse @before;
        print "$ARGV:$.: $_" unless ($above // "") =~ m{^\s*///};
      }
      push @before, $_;
      @before = @before[-6 .. -1] if @before > 6;
      if (eof) { close ARGV; @before = () }'
  )
  [[ -z $found ]] || {
    printf '%s\n' "$found"
    return 1
  }
}

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

# Only the release build is held to it. Time passes four times as fast as usual.
check_allocations() {
  # shellcheck disable=SC2154 # from build.sh
  # Counts need no quiet machine.
  COCKPIT=$release_folder/cockpit Benchmarks/run --size 1280x720 --allocations --refresh 240 --frames 1200 --patience 0 \
    --strict --aim 'allocations a frame by own code'
}

# Every script, in whatever language, at least parses.
check_scripts() {
  local status=0 file
  shellcheck --external-sources --check-sourced dev .ci/run Benchmarks/run scripts/progress-check.sh scripts/check-the-checks.sh || status=1
  while read -r file; do
    perl -c "$file" >/dev/null 2>"$script_errors" || { cat "$script_errors" && status=1; }
  done < <(git ls-files --cached --others --exclude-standard -- '*.pl')
  while read -r file; do
    # Bytes of a compiled file stay in memory: nothing is written beside it.
    python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$file" 2>"$script_errors" || { tail -n 4 "$script_errors" && status=1; }
  done < <(git ls-files --cached --others --exclude-standard -- '*.py')
  return "$status"
}
script_errors=${TMPDIR:-/tmp}/cockpit-script-errors.$$
trap 'rm -f -- "$script_errors"' EXIT

# The entry of libFuzzer, against the modules of the debug build.
check_fuzz_entry() {
  # shellcheck source=scripts/fuzz.sh
  source "$root/scripts/fuzz.sh"
  compile_readers .build/debug -typecheck
}

# Every relative link of a document leads to a file, and to a heading in it where it names one.
check_links() {
  git ls-files --cached --others --exclude-standard -- '*.md' | xargs scripts/links.pl
}

# Every file that the map of the code names is there; one without a folder is beside the one named before it. A row of symptoms ends with
# tests that are there too, and the functions beside its files are in one of them.
check_map() {
  scripts/map.pl ARCHITECTURE.md
}

# A variable of ours that anything reads is in the page of all of them.
check_environment() {
  local name status=0
  while read -r name; do
    grep -q "\`$name\`" docs/environment.md || {
      printf 'docs/environment.md does not have %s, which is read in %s\n' "$name" "$(git grep -lw "$name" -- ':!docs' ':!*.md' | head -n 3 | paste -sd ' ')"
      status=1
    }
  done < <(git grep -hoE '(getenv\("|\$\{?|Environment\.[a-z]+\(")(COCKPIT|SCREENSHOT)_[A-Z_]+' -- Sources Tests Fuzz scripts dev Benchmarks Package.swift ':!scripts/check-the-checks.sh' |
    grep -oE '(COCKPIT|SCREENSHOT)_[A-Z_]+' | sort -u)
  return "$status"
}

# The pages of measured tables: "At COMMIT ..." is above each of them.
measured_pages=(docs/reliability.md docs/performance.md docs/receivers.md)

# Each heading of a page of tables whose table has figures names the commit that they are of, as "At 0123abc"; a page may do it once, above its first heading
# of second level.
check_tables() {
  perl -e '
    my $status = 0;
    for my $page (@ARGV) {
      open my $in, "<", $page or die "$page: $!\n";
      local $/;
      my ($head, @parts) = split /^(?=## )/m, <$in>;
      next if $head =~ /\bAt [0-9a-f]{7,40}\b/;
      for my $part (@parts) {
        next unless $part =~ /^\|.*\d\.\d/m;
        next if $part =~ /\bAt [0-9a-f]{7,40}\b/;
        my ($title) = $part =~ /^## (.*)/;
        print "$page: the table below \"$title\" names no commit (At 0123abc ...)\n";
        $status = 1;
      }
    }
    exit $status' "${measured_pages[@]}"
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

# Long files are only named: what two things do they hold?
note_long_files() {
  git ls-files --cached --others --exclude-standard -- '*.swift' '*.c' '*.h' '*.sh' dev | while read -r file; do
    [[ ! -f $file || $(wc -l <"$file") -le 600 ]] || printf 'note: %s has %s lines\n' "$file" "$(wc -l <"$file")"
  done
}

# shellcheck shell=bash
# `./dev check`: what can be said about a change without running it. Every check runs; one failure fails all.

# shellcheck source=scripts/api.sh
source "$root/scripts/api.sh"

check() {
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_check[@]}" "${packages_bench[@]}" "${packages_test[@]}"
  enter_package
  failed=()
  attempt "format" check_format
  attempt "layering" check_layering
  attempt "no C types in the public interfaces" check_public_interfaces
  attempt "a docstring for each public symbol" check_docstrings
  attempt "scripts" check_scripts
  attempt "what is read from the tests' output" scripts/progress-check.sh
  attempt "links in the documents" check_links
  attempt "files that ARCHITECTURE.md names" check_map
  attempt "debug build without warnings" swift build --quiet --build-tests
  attempt "public declarations are those of Baselines/" compare_declarations
  attempt "release build without warnings" build_release
  attempt "nothing of Foundation in the program" check_no_foundation
  attempt "a frame of a drive allocates nothing" check_allocations
  attempt "the examples" "$root/dev" examples
  attempt "the Debian package, in a bare Debian too" "$root/dev" deb --try
  note_long_files
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
  swift format lint --strict --parallel --recursive Sources Tests Examples Plugins Package.swift
}

# Prints the imports of a target that match a pattern, and fails if there are any.
forbid_imports() {
  local target=$1 pattern=$2
  [[ -d Sources/$target ]] || return 0
  ! grep -rnE --include='*.swift' \
    "^[[:space:]]*(@[A-Za-z_]+(\([a-z]+\))?[[:space:]]+)*((public|package|internal|private|fileprivate)[[:space:]]+)?import[[:space:]]+($pattern)\b" \
    "Sources/$target"
}

# The pictures of one library know nothing of the windows of the other, and what both share knows nothing at all.
check_layering() {
  local status=0
  local folder
  for folder in Sources/*; do
    case ${folder#Sources/} in
    # No part of the program: they need processes, temporary files and XML.
    CockpitBench | ScreenshotTesting | WaylandScanner) ;;
    *) forbid_imports "${folder#Sources/}" 'Foundation[A-Za-z]*' || status=1 ;;
    esac
  done
  forbid_imports UICore '[A-Za-z_]+' || status=1
  forbid_imports JSON '[A-Za-z_]+' || status=1
  forbid_imports Linux 'JSON|C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Controls|ControlTools|Desktop|DriveLink|Tilt' || status=1
  forbid_imports DriveLink 'C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Controls|ControlTools|Desktop|Tilt' || status=1
  forbid_imports Tilt 'C?Wayland[A-Za-z]*|CCairo|CXkbcommon|Shell|Controls|ControlTools|Desktop|DriveLink|JSON' || status=1
  forbid_imports ControlTools 'C?Wayland[A-Za-z]*|CCairo|CXkbcommon|CLinux|Shell|Desktop' || status=1
  forbid_imports Controls 'C?Wayland[A-Za-z]*|CXkbcommon|CLinux|Shell' || status=1
  forbid_imports ScreenshotTesting 'C?Wayland[A-Za-z]*|CXkbcommon|CLinux|CCairo|Shell|Testing|XCTest' || status=1
  forbid_imports Shell 'CCairo|Controls|Desktop|C?WaylandServer' || status=1
  forbid_imports Desktop 'CCairo|Controls|C?Wayland[A-Za-z]*' || status=1
  forbid_imports Accessibility 'CCairo|ControlTools|C?Wayland[A-Za-z]*' || status=1
  forbid_imports Wayland 'UICore|Shell|Controls|CCairo' || status=1
  return "$status"
}

# An app that uses the libraries meets no type of theirs that comes from C.
check_public_interfaces() {
  local file found
  found=$(
    find Sources/Shell Sources/Desktop Sources/Accessibility Sources/Controls Sources/ScreenshotTesting -name '*.swift' 2>/dev/null | sort | while read -r file; do
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

# Each declaration that an app can use, overrides too, says above itself what it is for.
check_docstrings() {
  local found
  found=$(
    # shellcheck disable=SC2016 # the variables are perl's
    find Sources/{Shell,Desktop,Accessibility,Controls,ControlTools,ScreenshotTesting,UICore} -name '*.swift' | sort | xargs perl -ne '
      if (/^\s*(?:\@[\w.]+(?:\([^)]*\))?\s+)*(?:nonisolated\s+)?(?:public|open)\s+\w/ && !/\b(?:extension|import)\b/) {
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

check_scripts() {
  shellcheck --external-sources --check-sourced dev .ci/run scripts/progress-check.sh
}

# Every relative link of a document leads to a file.
check_links() {
  local document link status=0
  while read -r document; do
    while read -r link; do
      link=${link%%#*}
      [[ -z $link || -e $(dirname -- "$document")/$link ]] || {
        printf '%s: %s leads nowhere\n' "$document" "$link"
        status=1
      }
    done < <(grep -oE '\]\([^) ]+\)' "$document" | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:' || true)
  done < <(git ls-files --cached --others --exclude-standard -- '*.md')
  return "$status"
}

# Every file that the map of the code names is there; one without a folder is beside the one named before it.
check_map() {
  local path folder=. status=0
  # shellcheck disable=SC2016 # the backticks are Markdown's
  while read -r path; do
    case $path in
      ../*) path=${path#../} ;;
      */*) path=Sources/$path ;;
      *) path=$folder/$path ;;
    esac
    if [[ $path == */ ]]; then folder=${path%/}; else folder=$(dirname -- "$path"); fi
    [[ -e $path ]] || {
      printf 'ARCHITECTURE.md: there is no %s\n' "$path"
      status=1
    }
  done < <(grep '^|' ARCHITECTURE.md | grep -oE '`[^` ]+(\.(swift|list|sh)|/)`' | tr -d '`' | grep -v '[A-Z]\{4,\}')
  return "$status"
}

# Long files are only named: what two things do they hold?
note_long_files() {
  git ls-files --cached --others --exclude-standard -- '*.swift' '*.c' '*.h' '*.sh' dev | while read -r file; do
    [[ ! -f $file || $(wc -l <"$file") -le 600 ]] || printf 'note: %s has %s lines\n' "$file" "$(wc -l <"$file")"
  done
}

#!/usr/bin/env bash
# Shows that each check of check.sh fails where it should: each gets a small project that breaks its rule, and one that keeps it. Run by
# `./dev check --release`. Those that only start a build or a measurement of their own (a debug and a release build, the
# examples, the allocations of a drag) are not here: they fail with what they start.
# Literal backticks and dollar signs, names of the sourced parts, and functions that those call:
# shellcheck disable=SC2016,SC2034,SC2154,SC2317
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
folder=$(mktemp -d)
# shellcheck source=/dev/null
for part in scripts/{packages,build,check,run,doctor,fuzz,test} evidence/scripts/deep; do source "$root/$part.sh"; done
trap 'rm -rf -- "$folder"' EXIT
trials=0
status=0

# An empty project that git knows, to stand in.
begin() {
  rm -rf -- "$folder/project"
  mkdir -p "$folder/project/scripts" "$folder/project/evidence/scripts" && cd "$folder/project"
  ln -s "$root/scripts/"{links,lines,map}.py scripts/
  ln -s "$root/evidence/scripts/claims.py" evidence/scripts/
  git init -q
}

# put FILE: writes its standard input there.
put() {
  mkdir -p -- "$(dirname -- "$1")"
  cat >"$1"
}

# passes NAME COMMAND..., fails NAME WORDS COMMAND...: what a check must do, and what it must say.
passes() {
  local name=$1 output
  shift
  trials=$((trials + 1))
  output=$("$@" 2>&1) || wrong "$name: fails, and should pass" "$output"
}
fails() {
  local name=$1 words=$2 output
  shift 2
  trials=$((trials + 1))
  if output=$("$@" 2>&1); then
    wrong "$name: passes, and should fail" "$output"
  else
    [[ $output == *"$words"* ]] || wrong "$name: does not say \"$words\"" "$output"
  fi
}
wrong() {
  printf '%s\n%s\n' "$1" "$2"
  status=1
}

# --- Format

begin
for name in Tests evidence Examples Sources Fuzz; do printf 'let a = 1\n' | put "$name/A.swift"; done
printf 'let a = 1\n' | put Package.swift
passes "format" check_format
for name in Tests evidence Examples Sources Fuzz; do
  printf 'let a   = 1\n' | put "$name/A.swift"
  fails "format of $name" "$name/A.swift" check_format
  printf 'let a = 1\n' | put "$name/A.swift"
done

# --- Layering: each module with a rule. The compiler finds the imports; two of their forms show that it is asked.

begin
printf 'import UICore\nimport Glibc\n' | put Sources/Controls/A.swift
passes "layering" check_layering
for form in '@testable import Shell' 'public import struct Shell.Window'; do
  printf '%s\n' "$form" | put Sources/Controls/A.swift
  fails "layering: $form" "Sources/Controls imports Shell" check_layering
done
printf '// import Shell\nimport ShellLike\nlet a = """\n  import Shell\n  """\n' | put Sources/Controls/A.swift
passes "layering: words alike" check_layering
pairs=(UICore:Glibc JSON:Glibc Glyphs:UICore Witnessing:Drawing cockpit-witness:Drawing VideoLink:Shell VideoReading:Linux cockpit-video:JSON Linux:JSON DriveLink:Shell Tilt:JSON Gamepad:DriveLink Drawing:Controls Controls:CCairo ControlTools:Shell WindowDecoration:Shell CockpitControls:ControlTools ControlExercises:CCairo ControlsUI:Shell
  ScreenshotTesting:Testing Shell:CCairo Shell:CWayland Shell:WindowDecoration DebugOverlay:Shell MainLoop:Shell DBus:Shell DBus:Controls Desktop:Shell Desktop:Controls
  Accessibility:ControlTools Wayland:Shell WaylandWire:Controls WaylandServer:Shell Stage:CCairo StageScript:Drawing PNGFiles:CCairo ../Tests/ControlHarness:Shell
  cockpit:Foundation ../Examples/Catalogue:Foundation Shell:FoundationEssentials)
# All in one project: each is a module of its own, or a file of it.
begin
for pair in "${pairs[@]}"; do printf 'import %s\n' "${pair#*:}" | put "Sources/${pair%:*}/${pair#*:}.swift"; done
layers=$(check_layering 2>&1) && wrong "layering: passes, and should fail" "$layers"
for pair in "${pairs[@]}"; do passes "layering: ${pair/:/ imports }" grep -xF "Sources/${pair/:/ imports }" <<<"$layers"; done

begin
printf '@_spi(Devices) import UICore\n' | put Sources/Shell/Input/A.swift
passes "hands: the devices" check_layering
for place in Sources/Shell/Window Sources/cockpit/Drive Examples/One; do
  printf '@testable @_spi(Devices) import UICore\n' | put "$place/A.swift"
  fails "hands: $place" "$place/A.swift" check_layering
  rm "$place/A.swift"
done


# --- Descriptors: each call that makes one.

begin
mkdir -p Sources Tests evidence Fuzz
printf '%s\n' 'let a = open("/dev/null", O_RDONLY | O_CLOEXEC)' 'let b = cockpit_pipe(&ends)' 'let c = try listener.accept()' \
  'let d = Descriptor.socket(connectedTo: path)' | put Tests/A.swift
passes "descriptors" check_descriptors
for call in 'accept(listener, nil, nil)' 'Glibc.accept(listener, nil, nil)' 'pipe(&ends)' 'dup(2)' 'socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)' \
  'socketpair(AF_UNIX, type, 0, &ends)' 'eventfd(0, 0)' 'open("/dev/null", O_RDONLY)'; do
  printf 'let a = %s\n' "$call" | put Tests/A.swift
  fails "descriptors: $call" "Tests/A.swift" check_descriptors
done

# --- Lines

begin
long=$(printf 'word %.0s' {1..29})
printf '%s\n' "${long:0:140}" "| $long |" "    $long" "![$long](a.png)" '```' "$long" '```' | put README.md
passes "lines" check_lines
printf '%s\n' "${long:0:140}" "${long:0:141}" | put README.md
fails "lines: a long one" "README.md:2: 141 characters" check_lines

# --- Public declarations

begin
modules_folder=$folder/project
read_libraries() { libraries=(A); }
declares() {
  printf 'import Glibc\n%s\n' "$1" >A.swift
  swiftc -emit-module -parse-as-library -module-name A A.swift && check_symbols
}
passes "symbols" declares '/// Draws.
@discardableResult public func draw(_ size: Double) -> Int { let raw: OpaquePointer? = nil; return raw == nil ? 1 : 0 }
func helper(_ time: timespec) {}'
for declaration in 'public func draw(on raw: OpaquePointer) {}' 'public var time: timespec? { nil }' 'public func draw(
    _ size: Double,
    _ time: timespec) {}'; do
  fails "symbols: $declaration" " comes from C: " declares "/// Draws.
$declaration"
done
for declaration in 'public func draw() {}' 'open class Draw {}' '/// A.
public enum A {
case draw
}'; do
  fails "symbols: $declaration" "no docstring: " declares "$declaration"
done

# --- Scripts

begin
for name in dev .ci/run evidence/run scripts/check-the-checks.sh; do printf '#!/bin/sh\necho a\n' | put "$name"; done
printf 'print(1)\n' | put docs/a.py
passes "scripts" check_scripts
printf '#!/bin/sh\nrm $1\n' | put evidence/run
fails "scripts: shell" "SC2086" check_scripts
printf '#!/bin/sh\necho a\n' | put evidence/run
printf 'print 1;\n' | put a.pl
fails "scripts: a third language" "a.pl: scripts are in bash" check_scripts
rm a.pl
printf 'print(1\n' | put docs/a.py
fails "scripts: python" "docs/a.py" check_scripts

# --- Documents

begin
printf '# One page: `a`\n## Two\n## Two\n```\n# no heading\n```\n' | put docs/a.md
good='[a](docs/a.md) [b](docs/a.md#one-page-a) [c](docs/a.md#two-1) [d](https://example.org/x#y) `[e](f.md)` [g](#here)'
printf '# Here\n%s\n' "$good" | put README.md
passes "links" check_links
for link in docs/b.md docs/a.md#three docs/a.md#two-2 docs/a.md#no-heading '#there'; do
  printf '# Here\n[a](%s)\n' "$link" | put README.md
  fails "links: $link" "README.md:2: $link leads nowhere" check_links
done

# Each entry of the table of claims, and each way in which it and the pages differ.
begin
printf 'It never\nstops. It runs.\n\n| a | b |\n|---|---|\n| always | at once. Never |\n' | put README.md
printf 'def test_go():\n    pass\n' | put bridge/tests/test_go.py
printf 'let go = true\nlet on = go\n' | put Sources/A/A.swift
printf '@Suite struct GoTests {\n  @Test func `it goes`() {}\n}\n' | put Tests/ATests/GoTests.swift
claims() {
  printf '[[promise]]\nsays = ["README.md: It never stops."]\ntest = "%s"\nfile = "Sources/A/A.swift"\nold = "%s"\nnew = "%s"\n' "$@"
  printf '[[%s]]\nsays = ["README.md: always | at once.", "README.md: always | Never"]\n%s = "others"\n' "${kind:-statement}" "${key:-why}"
}
good=("ATests.GoTests/it goes" 'let on = ⟦go⟧' 'let on = ⟦false⟧')
claims "${good[@]}" | put docs/data/claims.toml
passes "claims" evidence/scripts/claims.py check
claims bridge/tests/test_go.py::test_go "${good[@]:1}" | put docs/data/claims.toml
passes "claims: a test of the bridge" evidence/scripts/claims.py check
for change in "no such test: ATests.GoTests/it stops|ATests.GoTests/it stops|let on = go|let on = false" \
  "no such test: bridge/tests/test_go.py::test_stop|bridge/tests/test_go.py::test_stop|let on = go|let on = false" \
  "has 2 times, and should have once: go|ATests.GoTests/it goes|go|false" \
  "has 0 times, and should have once: stop|ATests.GoTests/it goes|stop|false" \
  "no change: let on = go|ATests.GoTests/it goes|let on = ⟦go⟧|let on = ⟦go⟧"; do
  IFS='|' read -r words test old new <<<"$change"
  claims "$test" "$old" "$new" | put docs/data/claims.toml
  fails "claims: $words" "$words" evidence/scripts/claims.py check
done
kind=open key=missing claims "${good[@]}" | put docs/data/claims.toml
fails "claims: too many are open" "2 sentences are open; most_open allows 0" evidence/scripts/claims.py check
claims "${good[@]}" | sed 's/"others"/"x"/' | put docs/data/claims.toml
fails "claims: a reason" "no such reason: x" evidence/scripts/claims.py check
claims "${good[@]}" | put docs/data/claims.toml
printf 'It never stops. Nothing does.\n\n| a | b |\n|---|---|\n| always | at once. Never |\n' | put README.md
fails "claims: a sentence" "no entry: README.md: Nothing does." evidence/scripts/claims.py check
printf 'It stops.\n\n| a | b |\n|---|---|\n| always | at once. Never |\n' | put README.md
fails "claims: an entry" "an entry, and no such sentence: README.md: It never stops." evidence/scripts/claims.py check

begin
touch Package.swift
printf 'func go() {}\n' | put Sources/JSON/JSONReader.swift
list_tests() { printf 'ATests.GoTests/`it goes`()\n'; }
map() { printf '| `JSON/JSONReader.swift`, `%s` | x |\n\n| symptom | file | test |\n|---|---|---|\n| It goes | `JSON/JSONReader.swift`, `%s` | %s |\n' "$@"; }
map JSONReader.swift go GoTests | put ARCHITECTURE.md
passes "map" check_map
map JSONWriter.swift go GoTests | put ARCHITECTURE.md
fails "map: a file in capitals" "there is no Sources/JSON/JSONWriter.swift" check_map
map JSONReader.swift stop GoTests | put ARCHITECTURE.md
fails "map: a function" "there is no stop" check_map
map JSONReader.swift go StopTests | put ARCHITECTURE.md
fails "map: a test" "there is no test StopTests" check_map
map JSONReader.swift go GoTests | put ARCHITECTURE.md
for page in docs/architecture/a.md docs/where-to-look.md; do
  printf '| `JSON/JSONWriter.swift` | x |\n' | put "$page"
  fails "map: a file of $page" "$page:1: there is no Sources/JSON/JSONWriter.swift" check_map
  rm "$page"
done
printf 'func stop() {}\n' | put Sources/JSON/JSONWriter.swift
step() { printf '| step | file |\n|---|---|\n| It goes | `JSON/JSONWriter.swift`; `JSONReader.swift`, `%s` |\n' "$1"; }
step go | put ARCHITECTURE.md
passes "map: a step" check_map
step stop | put ARCHITECTURE.md
fails "map: a step's function in a file before the last one" "there is no stop" check_map

begin
printf 'View.grow(Double) -> some\n(extension in ControlsUI):View.id<A where A1: Hashable>(A1) -> some\nText; struct of Sendable, View\nTheme\n' |
  put Baselines/ControlsUI.txt
printf 'let a = 1\n' | put Examples/PrinterPanel/Sources/PrinterPanel/TemperatureChart.swift
descriptions() { printf '`Text("...")`, `%s`, `x.id(a)`\n```swift\n%s\n```\n' "$1" "$2" | put docs/controls-ui.md; }
descriptions grow 'let a = 1'
passes "descriptions" check_descriptions
descriptions growth 'let a = 1'
fails "descriptions: a modifier" "does not have grow" check_descriptions
descriptions 'Text().grow(1)' 'let a = 2'
fails "descriptions: the example" "has another Examples/PrinterPanel" check_descriptions

begin
printf 'let a = getenv("COCKPIT_A")\n' | put Sources/A.swift
printf '| `COCKPIT_A` | x |\n' | put docs/environment.md
touch dev Package.swift && mkdir -p Tests Fuzz evidence && git add -A
passes "environment" check_environment
printf 'echo "${COCKPIT_B:-}"\n' | put dev
fails "environment" "COCKPIT_B" check_environment

begin
git config user.email a@example.org && git config user.name A
printf 'let a = 1\n' | put Sources/A.swift
git add -A && git commit -qm 'one'
commit=$(git rev-parse --short=8 HEAD)
table() { printf '# Page\n## First\n%s\n| a |\n|---|\n| 1.5 |\n' "$1"; }
table "At $commit on a day" | tee docs.md | put docs/performance.md
# shellcheck disable=SC2154 # from check.sh
for page in "${measured_pages[@]}"; do [[ $page == docs/performance.md ]] || cp docs/performance.md "$page"; done
passes "tables" check_tables
[[ -z $(note_old_tables) ]] || wrong "a new table is called old" "$(note_old_tables)"
seq 2001 >Sources/A.swift
[[ $(note_old_tables) == *"docs/performance.md"*"$commit"*"2002 changed lines"* ]] || wrong "an old table is not named" "$(note_old_tables)"
table "On a day" | put docs/performance.md
fails "tables" 'below "First" names no commit' check_tables
table "At 0000000 on a day" | put docs/performance.md
[[ $(note_old_tables) == *"no commit 0000000"* ]] || wrong "a commit that is not there is not named" "$(note_old_tables)"

begin
seq 601 | put A.swift
[[ $(note_long_files) == *"A.swift has 601 lines"* ]] || wrong "a long file is not named" "$(note_long_files)"

# --- Units that are confined

begin
for limit in "${unit_limits[@]}"; do
  put "${limit%:*}" <"$root/${limit%:*}"
done
passes "units" check_units
for limit in "${unit_limits[@]}"; do
  sed '/^RestrictNamespaces/d' "$root/${limit%:*}" | put "${limit%:*}"
  fails "a unit that may do more" "RestrictNamespaces=~user" check_units
  put "${limit%:*}" <"$root/${limit%:*}"
done

# --- The release build's symbols

begin
symbols() {
  printf '.globl "%s"\n"%s": .byte 0\n' "${@:1:1}" "${@:1:1}" "$2" "$2" | sed '/^.globl ""$/d; /^"": /d' >a.s
  cc -shared -nostdlib -x assembler a.s -o cockpit
}
release_folder=$folder/project
symbols '$sSS' '$s7cockpit'
passes "no Foundation" check_no_foundation
symbols '$sSS' '$s10Foundation4DataV'
fails "no Foundation" "Foundation4DataV" check_no_foundation
symbols 'other' 'another'
fails "no Foundation in a stripped program" "no symbols to look at" check_no_foundation

# --- The C library of Debian 12

needs() { eval "objdump() { printf '0000 DF *UND* 0000 (%s) a\\n' $*; }"; }
needs GLIBC_2.2.5 GLIBC_2.36
passes "symbols of Debian 12's C library" check_glibc program
needs GLIBC_2.4 GLIBC_2.38
fails "symbols of a newer C library" "needs GLIBC_2.38" check_glibc program
needs LIB_1
fails "no symbols of a C library" "needs no symbol" check_glibc program
unset -f objdump

# --- Public declarations that changed

begin
mkdir Baselines && printf 'A.draw()\n' >Baselines/A.txt
list_declarations() { printf '%s\n' "$declared" >"$1/A.txt"; }
declared='A.draw()' passes "declarations" compare_declarations
declared='A.erase()' fails "declarations" "-A.draw()" compare_declarations

# --- Counted figures: up to 5 % more than the baseline, nothing where that is 0.

begin
ln -s "$root/evidence/scripts/counted.py" evidence/scripts/
counts() { printf '{"figures":{"all":[{"name":"calls","client":"cockpit","scene":"one","samples":[%s]},{"name":"calls","client":"floor","scene":"one","samples":[9]}]}}\n' "$1"; }
counted_as() { counts "$1" >record && evidence/scripts/counted.py compare baseline record; }
counts 100 >record && evidence/scripts/counted.py record baseline record
passes "counted figures" counted_as 105
fails "a counted figure" "worse: calls at one: 100 -> 106 (+6.0 %)" counted_as 106
fails "a counted figure that is to be kept" "./dev bench --counted --record" counted_as 106
fails "a figure that could not be counted" "worse: calls at one: 100 -> inf" counted_as '"inf"'
[[ $(counted_as 90) == *"better: calls at one: 100 -> 90 (-10.0 %)"* ]] || wrong "a better figure is not named" "$(counted_as 90)"
sed -i 's/^# libc6 .*/# libc6 0.1/' baseline
fails "a counted figure with another library" "recorded with libc6 0.1; here is libc6" counted_as 106
counts 0 >record && evidence/scripts/counted.py record baseline record
passes "a counted figure of 0" counted_as 0
fails "a counted figure that was 0" "worse: calls at one: 0 -> 0.01" counted_as 0.01
printf 'waits at one\t1\n' >>baseline
fails "a figure that is counted no more" "worse: waits at one: only in baseline" counted_as 0

# --- Requirements and behaviours: what ran, passed and expects something.

begin
printf -- '- **G1** a\n- **G2** b\n' | put docs/requirements.md
printf '1. a\n2. b\n3. c\n' | put docs/behaviours.md
printf '@Test func `G1, G2: a`() {\n  #expect(true)\n}\n' | put Tests/A.swift
printf '@Test func `behaviours 1 and 3: a`() {\n  keeps { }\n}\nfunc keeps() { #expect(true) }\n' | put Tests/B.swift
b() { printf '@Test func `behaviour 2: b`() {\n  %s\n}\nfunc run() { keeps { } }\n' "$1" | put Tests/C.swift; }
b 'run(); keeps { }'
event() {
  local id=$1 name=$2 file=$3 symbol=$4
  printf '{"kind":"test","payload":{"displayName":"%s","id":"%s","isParameterized":false,"kind":"function","name":"`%s`()","sourceLocation":{"_filePath":"%s"}},"version":0}\n' \
    "$name" "$id" "$name" "$PWD/Tests/$file"
  printf '{"kind":"event","payload":{"kind":"testEnded","messages":[{"symbol":"%s","text":"x"}],"testID":"%s"},"version":0}\n' "$symbol" "$id"
}
events() {
  event a 'G1, G2: a' A.swift "${1:-pass}"
  event b 'behaviours 1 and 3: a' B.swift pass
  event c 'behaviour 2: b' C.swift pass
  printf '{"kind":"event","payload":{"kind":"runEnded"},"version":0}\n'
}
pages() {
  "$root/scripts/requirements.py" run "$PWD" requirements behaviours
}
events >run
passes "requirements" pages
events fail >run
fails "a requirement whose test fails" 'G1: "G1, G2: a" fails' pages
events >run
b 'run() // #expect(true)'
fails "a behaviour whose test expects nothing" 'behaviour 2: "behaviour 2: b" expects nothing' pages
events | grep -v runEnded >run
fails "a run that broke off" "no whole run" pages

# --- Claims: a whole run has their tests, of Swift and of the bridge.

begin
claims "${good[@]}" | put docs/data/claims.toml
claims bridge/tests/test_go.py::test_go "${good[@]:1}" | sed '/^.*statement/,$d' >>docs/data/claims.toml
ran() {
  event "ATests.GoTests/\`it goes\`()/GoTests.swift:2:4" "$1" GoTests.swift pass
}
ran 'it goes' | put run
passes "claims that ran" evidence/scripts/claims.py ran run
ran 'it stops' | put run
fails "a claim that did not run" "ATests.GoTests/it goes did not run" evidence/scripts/claims.py ran run
ran 'it goes' | sed 's/testEnded/testSkipped/' | put run
fails "a claim that was skipped" "ATests.GoTests/it goes did not run" evidence/scripts/claims.py ran run
printf '<testsuite><testcase classname="tests.test_go" name="test_go[1]"/></testsuite>' | put run.xml
passes "claims of the bridge that ran" evidence/scripts/claims.py ran run.xml
printf '<testsuite><testcase classname="tests.test_go" name="test_go"><skipped/></testcase></testsuite>' | put run.xml
fails "a claim of the bridge that was skipped" "test_go.py::test_go did not run" evidence/scripts/claims.py ran run.xml

# --- Tests: failures are shown and nothing else that is printed, the last line is swift test's own, the status is its status. Where the bridge
# could not be installed its tests are left out, and the run fails for that.

begin
mkdir .build bin
rm evidence/scripts/claims.py
for name in scripts/requirements evidence/scripts/claims; do printf '#!/bin/sh\necho each has one\n' >"$name.py" && chmod +x "$name.py"; done
ln -s "$root/scripts/show-tests.py" scripts/
put bin/swift <<'END'
#!/bin/bash
echo "$*" >arguments
while [[ $1 != --event-stream-output-path ]]; do shift; done
printf '%s\n' '{"kind":"test","payload":{"kind":"function","id":"A.B/b()","name":"b()","displayName":"bad"}}' >"$2"
[[ $ENDING == passed ]] || printf '%s\n' '{"kind":"event","payload":{"kind":"issueRecorded","testID":"A.B/b()","issue":{},"messages":[{"symbol":"fail","text":"words"}]}}' >>"$2"
printf '%s\n' '{"kind":"event","payload":{"kind":"testEnded","testID":"A.B/b()"}}' >>"$2"
echo noise
[[ $ENDING == crashed ]] && exit 139
echo "✘ Test run with 1 test in 1 suite $ENDING after 0.3 seconds."
echo late noise
[[ $ENDING == passed ]]
END
chmod +x bin/swift
run_tests_here() {
  local root=$PWD PATH=$PWD/bin:$PATH
  ENDING=$1 run_tests
}
prepare_tests() { :; }
bridge_is_ready() { [[ $has_bridge == true ]]; }
has_bridge=true
for ending in passed failed; do
  state=passed
  run_tests_here "$ending" >out 2>&1 || state=failed
  [[ $state == "$ending" && $(tail -n 1 out) == *"Test run with 1 test in 1 suite $ending"* ]] || wrong "tests that $ending" "$state: $(<out)"
  ! grep -q noise out || wrong "tests that $ending" "noise: $(<out)"
  if [[ $ending == failed && $(<out) != *"A.B: bad"*words* ]]; then wrong "tests that $ending" "no failure: $(<out)"; fi
done
put bin/hang <<'END'
#!/bin/bash
printf '%s\n' '{"kind":"test","payload":{"kind":"function","id":"A.B/b()","name":"b()","displayName":"stuck"}}' \
  '{"kind":"event","payload":{"kind":"testStarted","testID":"A.B/b()"}}' >events
sleep 60
END
chmod +x bin/hang
if timeout 20 scripts/show-tests.py events log last 1 -- bin/hang >out 2>&1 || [[ $? -eq 124 ]] || ! grep -q "A.B: stuck" out; then
  wrong "tests that hang" "$(<out)"
fi
if run_tests_here crashed >out 2>&1 || ! grep -q noise out; then wrong "tests that crash" "$(<out)"; fi
has_bridge=false
if run_tests_here passed >out 2>&1; then wrong "tests without PyPI" "pass"; fi
[[ $(<arguments) == *"--skip BridgeTests"* && $(<out) == *PyPI*"1 suite passed"* ]] || wrong "tests without PyPI" "$(<out)"

# --- attempt: what fails is counted and shown.

failures=$folder/failures
: >"$failures"
attempt "good" true >"$folder/out"
attempt "bad" bash -c 'echo words; exit 3' >>"$folder/out"
[[ $(<"$failures") == bad && $(<"$folder/out") == *"✔ good"*"✘ bad"*"    words"* ]] || wrong "attempt" "$(<"$folder/out")"

# --- run.sh: no demo beside what drives, plays or is saved.

for options in "" "--theme light" "--size 800x480" "--record a.jsonl" "--scene a.json"; do
  # shellcheck disable=SC2086 # words
  may_play_demo $options || wrong "run $options" "plays no demo"
done
for options in "--drive udp:car:1" "--drive=-" "--replay a.jsonl" "--info" "--strip top" "--ivi-id 3" "--demo" "--telemetry -"; do
  # shellcheck disable=SC2086 # words
  ! may_play_demo $options || wrong "run $options" "plays a demo"
done
for options in "--help" "-h" "--version" "--screenshot a.png" "--screenshot=a.png" "--dump-tree" "--check a.json" "--save-config --drive -" \
  "--replay a.jsonl --no-window"; do
  # shellcheck disable=SC2086 # words
  asks_for_no_window $options || wrong "run $options" "wants a window"
done
for options in "" "--drive -" "--replay a.jsonl" "--screenshots"; do
  # shellcheck disable=SC2086 # words
  ! asks_for_no_window $options || wrong "run $options" "wants no window"
done

# --- dev: `help` is short, and `help all` has every command.

mapfile -t commands < <(sed -n '/^case \$command in/,/^esac/p' "$root/dev" | sed -nE 's/^  ([a-z][a-z |]*)\) .*/\1/p' | tr -d ' ' | tr '|' '\n')
all=$("$root/dev" help all)
[[ ${#commands[@]} -gt 20 ]] || wrong "dev" "the commands: ${commands[*]}"
for command in "${commands[@]}"; do grep -qE "^  $command( |\$)" <<<"$all" || wrong "dev help all" "does not have $command"; done
[[ $("$root/dev" help | grep -c '^  [a-z]') -le 8 ]] || wrong "dev help" "more than eight commands"

# --- need, doctor

apt-get() { wrong "--no-install" "calls apt-get"; }
COCKPIT_INSTALL=no fails "need after --no-install" "missing packages: no-such-package" need no-such-package
passes "need of what is there" env true
troubles=0
look_at_packages "for all" no-such-package >"$folder/out"
[[ $troubles -eq 1 && $(<"$folder/out") == "✘ packages for all: no-such-package"* ]] || wrong "doctor" "$troubles: $(<"$folder/out")"
absence=note look_at_packages "for few" no-such-package >"$folder/out"
[[ $troubles -eq 1 && $(<"$folder/out") == "– packages for few: no-such-package" ]] || wrong "doctor: what few need" "$troubles: $(<"$folder/out")"

# A toolchain that does not start is named, with what it says itself.
(
  enter_package() { :; }
  swift() { printf 'swift: libncurses.so.6: cannot open shared object file\n' && return 127; }
  troubles=0
  look_at_swift
  [[ $troubles -eq 1 ]]
) >"$folder/out" || wrong "doctor: a swift that does not start" "is no trouble: $(<"$folder/out")"
[[ $(<"$folder/out") == "✘ swift does not start: swift: libncurses.so.6"* ]] || wrong "doctor: a swift that does not start" "$(<"$folder/out")"

# --- manual.py: a help becomes a manual page and completions; a line of another form ends it.

begin
help() {
  printf '%s\n' 'Usage: a' '' 'Options for one:' '  --a               draws - well' "                    'a' line" '  --b FILE          reads' '' \
    'Options for two:' '  --c on|off' '                    turns' '  --d N|R|1..3      shifts' '  --e               e' '  --f NUMBER        f' \
    "${1:-}" 'Keys:' '  Up, Down          shift'
}
printf '.TH @VERSION@ @DATE@ @PREFIX@\n@OPTIONS@\n@KEYS@\n' | put a.1
manual() { help | "$root/scripts/manual.py" "$@"; }
for words in '.SS Options for one' '\fB\-\-a\fR' "draws \- well 'a' line" '\fB\-\-b\fR \fIFILE\fR' '.SS Options for two' '.B Up, Down' '.TH 1 2 3'; do
  [[ $(manual man a.1 1 2 3) == *"$words"* ]] || wrong "manual page: $words" "$(manual man a.1 1 2 3)"
done
[[ $(manual bash a) == *"--c) COMPREPLY=(\$(compgen -W 'on off' -- "*"--d) COMPREPLY=(\$(compgen -W 'N R 1 2 3'"* ]] || wrong "bash" "$(manual bash a)"
[[ $(manual zsh a) == *"'--a[draws - well '\\''a'\\'' line]'"*"'--b[reads]:file:_files'"* ]] || wrong "zsh" "$(manual zsh a)"
[[ $(manual fish a) == *"complete -c a -l f -x -d 'f'"* ]] || wrong "fish" "$(manual fish a)"
manual_of_odd_help() { help ' --g odd' | "$root/scripts/manual.py" bash a; }
fails "manual: an odd line" "a line of another form:  --g odd" manual_of_odd_help
printf '@NONE@\n' | put a.1
fails "manual: a part" "a.1: no such part: NONE" manual man a.1 1 2 3

# --- wlcs.py: a failed case needs a reason, and one that passes has none.

begin
log() { printf '[ RUN      ] S.a\n[  %s ] S.a (1 ms)\n[       OK ] S/T.b, where GetParam() = 1 (2 ms)\n[==========] 2 tests ran. (3 ms total)\n' "$1"; }
wlcs() { "$root/evidence/scripts/wlcs.py" . reasons.tsv page.md; }
log "FAILED" | put stage.log
log "     OK" | put mir.log
printf '# words\nS.*\tThe case waits.\n' | put reasons.tsv
passes "wlcs" wlcs
[[ $(<page.md) == *"| S | 0 | 1 | 0 | 1 | 0 | 0 |"*"| \`S.a\` | passed | The case waits. |"* ]] || wrong "wlcs: the page" "$(<page.md)"
: >reasons.tsv
fails "wlcs: no reason" "S.a failed, and reasons.tsv has no reason" wlcs
printf 'S.a\tx\nS/*\tx\nT.*\tx\n' | put reasons.tsv
fails "wlcs: a reason for one that passes" "S/T.b passed, but reasons.tsv explains why it fails" wlcs
fails "wlcs: a reason for none" "no case is called T.*" wlcs

# --- trace

traced=$(printf '%s\n' 'words of the program' '[1000.500]  -> wl_display@1.get_registry(new id wl_registry@2)' '[1001.000] {queue} wl_registry@2.global(1, "a", 3)' \
  '[1002.000]  -> wl_surface#3.commit()' '[1012.500]  -> wl_surface#3.commit()' '[1012.750]  -> wl_surface#3.attach(wl_buffer#9, 0, 0)' '[1013.000] discarded wl_buffer@9.release()' | "$root/scripts/trace.py")
wanted='words of the program
     0.000 ms -> wl_display@1.get_registry(new wl_registry@2)
     0.500 ms <- wl_registry@2.global(1, "a", 3)
     1.500 ms -> wl_surface@3.commit()
    12.000 ms -> wl_surface@3.commit()   frame after 10.500 ms
    12.250 ms -> wl_surface@3.attach(wl_buffer@9, 0, 0)
    12.500 ms <- wl_buffer@9.release()   (of an object that has ended)'
[[ $traced == "$wanted" ]] || wrong "trace" "$traced"

# --- deep: twelve shares of the minutes; a row for every reader.

[[ $(deep_share 60) == 300 ]] || wrong "deep" "a share of 60 minutes is $(deep_share 60) s"
for reader in "${fuzz_readers[@]}"; do
  grep -q "case $reader\$" "$root/Fuzz/ReaderFuzz.swift" || wrong "fuzz" "ReaderFuzz.swift does not know $reader"
  [[ -n $(ls "$root/Fuzz/Seeds/$reader") ]] || wrong "fuzz" "no seeds of $reader"
done
expect() { [[ $2 == "$3" ]] || wrong "$1" "wanted"$'\n'"$2"$'\n'"found"$'\n'"$3"; }
# A part of --deep passes only with the figures of as many as were asked for.
expect "kills" "safe line at most 2 ms" "$(killed 100 <<<"100 kills of sway: safe line at most 2 ms")"
if killed 100 <<<"5 kills of sway: safe line at most 2 ms" >/dev/null; then expect "fewer kills" fails passes; fi
expect "hostile events" "10 events, 3 connections" "$(struck 10 <<<"hostile events: seed 5, 4 of them
hostile events: seed 5, 1 connections
hostile events: seed 6, 6 of them
hostile events: seed 6, 2 connections")"
if struck 11 <<<"hostile events: seed 5, 10 of them" >/dev/null; then expect "fewer events" fails passes; fi
halves="adversary: seed 1, 2000 steps in 1 sessions, 0 breaches, 20 steps a second
adversary: seed 9, 4000 steps in 2 sessions, 0 breaches, 30 steps a second"
expect "the adversary's halves" "3 sessions, 0 breaches, 50 steps a second" "$(played 6000 <<<"$halves")"
if played 6001 <<<"$halves" >/dev/null; then expect "fewer steps" fails passes; fi
expect "touch areas" "3 trees, 70 points in controls" \
  "$(touched 100 <<<"touch areas: 100 points in 3 trees, 70 of them in controls")"
if touched 101 <<<"touch areas: 100 points in 3 trees, 70 of them in controls" >/dev/null; then
  expect "fewer points" fails passes
fi
expect "scene edits" "3 scenes, 0 differences" "$(edited 100 <<<"scene edits: 100 edits of 3 scenes, 0 differences")"
if edited 101 <<<"scene edits: 100 edits of 3 scenes, 0 differences" >/dev/null; then expect "fewer edits" fails passes; fi
if edited 100 <<<"scene edits: 100 edits of 3 scenes, 1 differences" >/dev/null; then expect "a difference" fails passes; fi
clocks="frame clock: 100 refreshes, 90 frames, 7 waited, 0 of them late for it"
expect "frame clock" "7 frames waited, 0 of them late for it" "$(clocked 100 <<<"$clocks")"
if clocked 101 <<<"$clocks" >/dev/null; then expect "fewer refreshes" fails passes; fi
if clocked 100 <<<"${clocks/ 0 of/ 1 of}" >/dev/null; then expect "a frame that was late because it waited" fails passes; fi
if played 1 <<<"adversary: seed 1, 9 steps in 1 sessions, 1 breaches, 9 steps a second" >/dev/null; then
  expect "a breach" fails passes
fi
expect "libFuzzer" "9 inputs, 70 edges" "$(explored 1 <<<"#9	DONE   cov: 70 ft: 80 corp: 3/9b
stat::number_of_executed_units: 9")"
if explored 1 <<<"nothing" >/dev/null; then expect "no inputs" fails passes; fi

[[ $status -ne 0 ]] || printf '%d trials\n' "$trials"
exit "$status"

#!/usr/bin/env bash
# Checks progress.pl and what test.sh and deep.sh read from logs, by logs that are written here. Run by `./dev check`.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
# shellcheck source=/dev/null
source "$root/scripts/test.sh"
# shellcheck source=/dev/null
source "$root/scripts/deep.sh"
status=0

# expect NAME WANTED FOUND
expect() {
  [[ $2 == "$3" ]] || {
    printf '%s: wanted\n%s\nfound\n%s\n' "$1" "$2" "$3"
    status=1
  }
}

cat >"$folder/failed" <<'END'
Test Suite 'All tests' started at 2026-01-01 00:00:00.000
Test Case 'Old.testOld' passed (0.04 seconds)
/src/Old.swift:7: error: Old.testNew : XCTAssertEqual failed
Test Case 'Old.testNew' failed (0.04 seconds)
Test Suite 'All tests' failed at 2026-01-01 00:00:01.000
	 Executed 2 tests, with 1 failure (0 unexpected) in 0.083 (0.083) seconds
◇ Test run started.
◇ Test "good" started.
a word that a test printed
✔ Test "good" passed after 0.1 seconds.
➜ Test "later" skipped: "not here"
✘ Test "bad" recorded an issue at Bad.swift:1:2: Expectation failed: a == b
xkbcommon: ERROR: noise
↳ a is 1,
  b is 2
◇ Test "next" started.
another word
✘ Test "bad" failed after 0.2 seconds with 1 issue.
✘ Suite Bads failed after 0.2 seconds with 1 issue.
✘ Test run with 3 tests in 1 suite failed after 0.3 seconds with 1 issue.
END
shown=$("$root/scripts/progress.pl" "$folder/log" 5 <"$folder/failed" | sed 's/, [0-9]* s\b/, 0 s/')
expect "failures and their details are shown, and nothing else" "/src/Old.swift:7: error: Old.testNew : XCTAssertEqual failed
✘ Test \"bad\" recorded an issue at Bad.swift:1:2: Expectation failed: a == b
↳ a is 1,
  b is 2
✘ Test \"bad\" failed after 0.2 seconds with 1 issue.
4 of about 5 tests, 2 failed, 0 s, 1 skipped" "$shown"
cmp "$folder/failed" "$folder/log" || status=1
expect "the closing lines are swift test's own" "$(tail -n 1 "$folder/failed")" "$(closing_lines "$folder/log" | tail -n 1)"
expect "XCTest's come too" 3 "$(closing_lines "$folder/log" | wc -l)"
head -n 12 "$folder/failed" >"$folder/broken"
expect "a run that broke off shows its end" "$(tail -n 5 "$folder/broken")" "$(closing_lines "$folder/broken")"

(
  printf '✔ Test "a" passed after 0.1 seconds.\n'
  sleep 1.3
  printf '✔ Test "b" passed'
  sleep 1.3
  printf ' after 0.1 seconds.\n'
) | "$root/scripts/progress.pl" "$folder/log" 0 1 >"$folder/slow"
expect "progress is a line now and then, and a line may come in pieces" "1 1 2" \
  "$(sed 's/ .*//' "$folder/slow" | tr '\n' ' ' | sed 's/ $//')"

# A part of --deep passes only with the figures of as many as were asked for.
expect "kills" "safe line at most 2 ms" "$(killed 100 <<<"100 kills of sway: safe line at most 2 ms")"
if killed 100 <<<"5 kills of sway: safe line at most 2 ms" >"$folder/out"; then expect "fewer kills" fails passes; fi
expect "hostile events" "10 events, 3 connections" "$(struck 10 <<<"hostile events: seed 5, 4 of them
hostile events: seed 5, 1 connections
hostile events: seed 6, 6 of them
hostile events: seed 6, 2 connections")"
if struck 11 <<<"hostile events: seed 5, 10 of them" >"$folder/out"; then expect "fewer events" fails passes; fi
halves="adversary: seed 1, 2000 steps in 1 sessions, 0 breaches, 20 steps a second
adversary: seed 9, 4000 steps in 2 sessions, 0 breaches, 30 steps a second"
expect "the adversary's halves" "3 sessions, 0 breaches, 50 steps a second" "$(played 6000 <<<"$halves")"
if played 6001 <<<"$halves" >"$folder/out"; then expect "fewer steps" fails passes; fi
if played 1 <<<"adversary: seed 1, 9 steps in 1 sessions, 1 breaches, 9 steps a second" >"$folder/out"; then
  expect "a breach" fails passes
fi
expect "libFuzzer" "9 inputs, 70 edges" "$(explored 1 <<<"#9	DONE   cov: 70 ft: 80 corp: 3/9b
stat::number_of_executed_units: 9")"
if explored 1 <<<"nothing" >"$folder/out"; then expect "no inputs" fails passes; fi
exit "$status"

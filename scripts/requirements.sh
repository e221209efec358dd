# shellcheck shell=bash
# Counts what the tests of a run say of docs/requirements.md and docs/behaviours.md. It reads results, not names alone: see requirements.pl.

# Prints a line on the requirements, and one on the behaviours, whose tests ran and passed, by the event stream that a whole `swift test` wrote
# (`--event-stream-output-path FILE --event-stream-version 0`). Fails, and says why for each, when a requirement is without. `count_requirements
# FILE PAGE` looks at one page alone.
count_requirements() {
  local page status=0
  for page in ${2:-requirements behaviours}; do
    # shellcheck disable=SC2154 # from dev
    perl "$root/scripts/requirements.pl" "$1" "$root/docs/$page.md" "$root" || status=1
  done
  return "$status"
}

# shellcheck shell=bash
# Counts what the tests of a run say of docs/requirements.md. It reads results, not names alone: see requirements.pl.

# Prints one line on the requirements whose tests ran and passed, by the event stream that a whole `swift test` wrote
# (`--event-stream-output-path FILE --event-stream-version 0`). Fails, and says why for each, when a requirement is without.
count_requirements() {
  perl "$root/scripts/requirements.pl" "$1" "$root/docs/requirements.md" "$root"
}

# shellcheck shell=bash
# `./dev test --soak HOURS`: the release build is driven for hours in real time, and what grows meanwhile is measured.

# A line of JSON each minute, after one that says what ran where; the table; the cockpit's log is beside them.
soak_record=.build/soak.json
soak_table=.build/soak.md

soak() {
  local hours=${1:-} commit machine status=0
  local -a priority=()
  [[ $# -eq 1 && $hours =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "--soak takes a number of hours, such as 2 or 0.05"
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_test[@]}"
  enter_package
  commit=$(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ' and changes')
  # shellcheck disable=SC2034 # for build.sh
  release_products=(cockpit cockpit-witness cockpit-bench)
  build_release >&2
  # Beside other programs a message is otherwise as late as the scheduler makes it (docs/drive.md, "Priority").
  ! chrt --rr 1 true 2>/dev/null || priority=(chrt --rr 1)
  machine="$(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, Linux $(uname -r)"
  printf '{"commit":"%s","date":"%s","hours":%s,"priority":"%s","machine":"%s"}\n' "$commit" "$(date -u +%FT%TZ)" "$hours" \
    "${priority[*]:-none}" "$machine" >"$soak_record"
  rm -f "$soak_record.log"
  # shellcheck disable=SC2154 # from dev
  say "the samples go to $root/$soak_record, the cockpit's log to $root/$soak_record.log"
  # shellcheck disable=SC2154 # from build.sh
  "${priority[@]}" "$release_folder/cockpit-bench" --cockpit "$release_folder/cockpit" --soak "$hours" --scene docs/cockpit.json \
    --record "$soak_record" >"$soak_table.new" || status=1
  {
    printf 'At %s on %s, for %s h, priority: %s; %s:\n\n' "$commit" "$(date -u +%F)" "$hours" "${priority[*]:-none}" "$machine"
    cat "$soak_table.new"
  } | tee "$soak_table"
  rm -f "$soak_table.new"
  return "$status"
}

# shellcheck shell=bash
# `./dev bench`: the measurements, which stand in evidence/, against the release build.

bench() {
  if [[ ${1:-} == --rivals ]]; then
    shift
    # shellcheck source=evidence/scripts/rivals.sh
    source "$root/evidence/scripts/rivals.sh"
    rivals "$@"
    return
  fi
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_bench[@]}"
  [[ -x $root/evidence/run ]] || die "this checkout has no evidence/run"
  enter_package
  build_release >&2
  # shellcheck disable=SC2154 # from build.sh
  export COCKPIT=$release_folder/cockpit
  case ${1:-} in
  --counted) shift && counted "$@" ;;
  --scenes) shift && scenes "$@" ;;
  --report) shift && report "$@" ;;
  *) exec "$root/evidence/run" "$@" ;;
  esac
}

counted_baseline=evidence/counted/baseline.txt

# Takes the counted figures and compares them with the baseline; with --record, writes them to the baseline instead. The uses are counted
# beside each other, because what is counted does not depend on what else runs.
counted() {
  local action=compare folder use run status=0
  local -a benches=() records=()
  [[ $(uname -m) == x86_64 ]] || die "counted figures are for x86-64, and this machine is $(uname -m)"
  [[ ${1:-} != --record ]] || { action=record && shift; }
  # shellcheck source=evidence/scripts/yardstick.sh
  source "$root/evidence/scripts/yardstick.sh"
  "$root/evidence/run" --build || return
  folder=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-counted.XXXXXX")
  for use in wheel lever; do
    records+=("$folder/$use.json")
    # shellcheck disable=SC2154 # from yardstick.sh and build.sh
    "$release_folder/cockpit-bench" "${bench_clients[@]}" --cockpit "$COCKPIT" --counted --use "$use" --size 1280x720 \
      --record "$folder/$use.json" "$@" >"$folder/$use.log" 2>&1 &
    benches+=($!)
  done
  for run in "${benches[@]}"; do wait "$run" || status=$?; done
  cat -- "$folder"/*.log
  [[ $status -ne 0 ]] || evidence/scripts/counted.py "$action" "$counted_baseline" "${records[@]}" || status=$?
  rm -rf -- "$folder"
  return "$status"
}

# Counts and times the scenes of LVGL's benchmark, and puts them into the page; with --no-report, only prints them.
scenes() {
  [[ $(uname -m) == x86_64 ]] || die "counted figures are for x86-64, and this machine is $(uname -m)"
  # shellcheck disable=SC2154 # from build.sh
  swift build "${release_flags[@]}" --product bench-scenes >&2
  if [[ ${1:-} == --no-report ]]; then
    "$root/evidence/run" --scenes "$release_folder/bench-scenes"
  else
    report scenes
  fi
}

# The parts of docs/performance.md, and the bench's options for each.
report_page=docs/performance.md
report_data=docs/data/performance
declare -A report_parts=(
  [bench]="--patience 120"
  [counted]="--counted --size 1280x720 --size 3840x2160"
  [goals]="--goals"
  [scenes]="--scenes .build/dist/release/bench-scenes"
  [sweep]="--sweep docs/performance.svg"
  [consumers]="--consumers"
  [priority]="--priority"
  [assistive]="--assistive 600"
)

# Measures the parts named, or all of them, writes a record for each, and generates the page from the records. The part "fill"
# measures nothing.
report() {
  local part options
  local -a parts=("$@")
  [[ $# -gt 0 ]] || parts=("${!report_parts[@]}")
  mkdir -p "$report_data"
  for part in "${parts[@]}"; do
    [[ $part != fill ]] || continue
    [[ -n ${report_parts[$part]:-} ]] || die "$report_page has no part $part; there are ${!report_parts[*]}"
    read -ra options <<<"${report_parts[$part]}"
    "$root/evidence/run" "${options[@]}" --record "$report_data/$part.json" || return
  done
  "$root/evidence/run" --fill "$report_page"
}

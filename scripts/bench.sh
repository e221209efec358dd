# shellcheck shell=bash
# `./dev bench`: the measurements, which stand in Benchmarks/, against the release build.

bench() {
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_bench[@]}"
  [[ -x $root/Benchmarks/run ]] || die "this checkout has no Benchmarks/run"
  enter_package
  build_release >&2
  # shellcheck disable=SC2154 # from build.sh
  export COCKPIT=$release_folder/cockpit
  case ${1:-} in
  --counted) shift && counted "$@" ;;
  *) exec "$root/Benchmarks/run" "$@" ;;
  esac
}

counted_baseline=Benchmarks/counted/baseline.txt

# Takes the counted figures, and compares them with the baseline or, after --record, keeps them there.
counted() {
  local action=compare record status=0
  [[ ${1:-} != --record ]] || { action=record && shift; }
  record=$(mktemp "${TMPDIR:-/tmp}/cockpit-counted.XXXXXX")
  { "$root/Benchmarks/run" --counted --size 1280x720 --record "$record" "$@" && scripts/counted.py "$action" "$counted_baseline" "$record"; } || status=$?
  rm -f -- "$record"
  return "$status"
}

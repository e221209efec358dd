# shellcheck shell=bash
# `./dev bench`: the measurements, which stand in Benchmarks/, against the release build.

bench() {
  if [[ ${1:-} == --rivals ]]; then
    shift
    # shellcheck source=scripts/rivals.sh
    source "$root/scripts/rivals.sh"
    rivals "$@"
    return
  fi
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_bench[@]}"
  [[ -x $root/Benchmarks/run ]] || die "this checkout has no Benchmarks/run"
  enter_package
  build_release >&2
  COCKPIT=$release_folder/cockpit exec "$root/Benchmarks/run" "$@"
}

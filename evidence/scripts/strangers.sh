# shellcheck shell=bash
# `./dev strangers [NAME...]`: the stage judges clients that are not ours, and the results are written into docs/clients.md. Debian's clients run
# in a Debian of their own, in a folder that is made once; nothing of theirs is installed on this machine.

# shellcheck disable=SC2154 # from dev
strangers_folder=$root/.build/strangers

strangers_command() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_strangers[@]}"
  enter_package
  # shellcheck disable=SC2154 # from packages.sh
  strangers_debian bookworm "${strangers_bookworm[@]}"
  # shellcheck disable=SC2154 # from packages.sh
  strangers_debian trixie "${strangers_trixie[@]}"
  strangers_pypi
  # shellcheck disable=SC2034 # for build.sh
  release_products=(stage)
  build_release >&2
  # shellcheck disable=SC2154 # from build.sh
  evidence/scripts/strangers.py "$release_folder/stage" docs/clients.md "$@"
}

# `strangers_debian SUITE PACKAGE...`: a Debian of that suite in a folder, made anew where the packages are others.
strangers_debian() {
  local suite=$1 checks=true packages
  local -a sudo=()
  shift
  packages=$(IFS=, && printf '%s' "$*")
  [[ $(cat "$strangers_folder/$suite.packages" 2>/dev/null) != "$packages" ]] || return 0
  [[ $EUID -eq 0 ]] || sudo=(sudo)
  mkdir -p "$strangers_folder"
  eval "$(apt-config shell checks Acquire::Check-Valid-Until)"
  say "fetching a Debian ($suite) with clients"
  "${sudo[@]}" rm -rf -- "${strangers_folder:?}/$suite"
  "${sudo[@]}" mmdebstrap --quiet --mode=root --variant=minbase --include="$packages" --aptopt="Acquire::Check-Valid-Until \"$checks\"" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$suite" "$strangers_folder/$suite" "deb $(debian_mirror) $suite main" >&2 || die "$suite cannot be installed"
  printf '%s' "$packages" >"$strangers_folder/$suite.packages"
}

# Those of PyPI, for the Python of Debian 13, where they run.
strangers_pypi() {
  local -a projects
  mapfile -t projects < <(sed -n 's/^[^\t]*\t[^\t]*\tpypi:\([^\t]*\)\t.*/\1/p' evidence/strangers/clients.tsv)
  [[ $(cat "$strangers_folder/pypi.packages" 2>/dev/null) != "${projects[*]}" ]] || return 0
  [[ -x $strangers_folder/pip/bin/python ]] || python3 -m venv "$strangers_folder/pip"
  rm -rf -- "$strangers_folder/pypi"
  # pip compares what a package requires with its own Python, which need not be that of Debian 13.
  "$strangers_folder/pip/bin/python" -m pip install --quiet --disable-pip-version-check --python-version 3.13 --ignore-requires-python \
    --only-binary :all: --target "$strangers_folder/pypi" "${projects[@]}"
  printf '%s' "${projects[*]}" >"$strangers_folder/pypi.packages"
}

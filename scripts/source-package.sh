# shellcheck shell=bash
# `./dev deb --source [--try]`: the Debian source package in .build/deb. `--try` judges it, builds it in a copy as a stranger would, and compares what
# comes out with the packages of `./dev deb`.

source_package_command() {
  local description
  case ${1:-} in
    '' | --try) ;;
    *) die "no such option: $1 (there is --try)" ;;
  esac
  description=$(make_source_package) || return
  printf '%s\n' "$description"
  [[ -z ${1:-} ]] || try_source_package "$description"
}

# Makes the source package of what git knows and does not ignore, and prints the path of its description.
make_source_package() (
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_deb[@]}"
  cd -- "$root"
  version=$(version)
  work=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-source.XXXXXX")
  trap 'rm -rf -- "$work"' EXIT
  mkdir -p "$work/$program-$version" .build/deb
  git ls-files -z --cached --others --exclude-standard --deduplicate | while IFS= read -r -d '' file; do
    [[ ! -e $file && ! -L $file ]] || printf '%s\0' "$file"
  done |
    tar --create --null --files-from=- | tar --extract --directory="$work/$program-$version"
  write_debian "$work/$program-$version/debian"
  cd -- "$work"
  SOURCE_DATE_EPOCH=$(source_epoch) dpkg-source --build "$program-$version" >&2
  mv "${program}_$version.dsc" "${program}_$version.tar.xz" "$root/.build/deb/"
  printf '%s\n' "$root/.build/deb/${program}_$version.dsc"
)

# The build has no git to look at, and installs nothing.
try_source_package() (
  # shellcheck source=scripts/package-trial.sh
  source "$root/scripts/package-trial.sh"
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_judges[@]}"
  judge_with_lintian "$1"
  work=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-source.XXXXXX")
  trap 'rm -rf -- "$work"' EXIT
  dpkg-source --extract "$1" "$work/tree" >&2
  (cd -- "$work/tree" && dpkg-buildpackage --no-sign --build=binary >&2) || die "dpkg-buildpackage fails"
  status=0
  while read -r package; do
    name=${package##*/}
    diff <(listed "$package") <(listed "$work/$name") >&2 || die "$name has other contents if it is built from the source package"
    say "$name has the same contents if it is built from the source package$(cmp -s "$package" "$work/$name" && echo ", byte for byte")"
  done < <((make_package) && (make_video_package) && (make_bridge_package) && (make_stage_package)) || status=1
  return "$status"
)

# Everything in a package: modes, owners, names, targets of links, and what it says of itself but for its size.
listed() {
  dpkg-deb -c "$1" | awk '{ $3 = $4 = $5 = ""; print }'
  dpkg-deb -f "$1" | grep -v '^Installed-Size:'
}

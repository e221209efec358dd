# shellcheck shell=bash
# `./dev install`, `./dev uninstall`, `./dev deb`: the same files for all three, under a name that Debian's own package `cockpit` does not use.

program="cockpit-wayland"
application_id=io.github.cockpit.Cockpit

# The one place of the version is the program's source.
version() {
  sed -n 's/.*static let version = "\(.*\)"$/\1/p' "$root/Sources/cockpit/Cockpit.swift"
}

# The day of the newest commit, so that the same source gives the same files.
source_date() {
  git -C "$root" log -1 --date=format:"${1:-%Y-%m-%d}" --format=%cd
}

# Writes every file of an installation below a folder: `stage_files FOLDER PREFIX`.
stage_files() {
  local folder=$1 prefix=$2 page shell file
  local to=$folder$prefix help
  help=$("$release_folder/cockpit" --help)
  umask 022

  install -D "$release_folder/cockpit" "$to/bin/$program"
  strip --strip-all --remove-section=.comment --remove-section=.note "$to/bin/$program"
  install -Dm644 -t "$to/share/applications" "$root/share/applications/$application_id.desktop"
  for file in scalable/apps/$application_id.svg symbolic/apps/$application_id-symbolic.svg; do
    install -Dm644 "$root/share/icons/hicolor/$file" "$to/share/icons/hicolor/$file"
  done
  sed "s/@VERSION@/$(version)/; s/@DATE@/$(source_date)/" "$root/share/metainfo/$application_id.metainfo.xml" |
    install -Dm644 /dev/stdin "$to/share/metainfo/$application_id.metainfo.xml"
  # A prefix other than /usr is none that systemd looks into; the unit then serves as an example.
  sed "s|@PREFIX@|$prefix|" "$root/share/systemd/user/$program.service" |
    install -Dm644 /dev/stdin "$to/lib/systemd/user/$program.service"
  for page in "$root"/share/man/*.[0-9]; do
    "$root/scripts/manual.pl" man "$page" "$(version)" "$(source_date)" "$prefix" <<<"$help" | gzip -9n |
      install -Dm644 /dev/stdin "$to/share/man/man${page##*.}/${page##*/}.gz"
  done
  for shell in bash zsh fish; do
    case $shell in
      bash) file=bash-completion/completions/$program ;;
      zsh) file=zsh/vendor-completions/_$program ;;
      fish) file=fish/vendor_completions.d/$program.fish ;;
    esac
    "$root/scripts/manual.pl" "$shell" "$program" <<<"$help" | install -Dm644 /dev/stdin "$to/share/$file"
  done
  install -Dm644 "$root/docs/cockpit.json" "$to/share/$program/scenes/cockpit.json"
  for file in drive.md drive.schema.json telemetry.schema.json hazards.md kiosk.md; do
    install -Dm644 -t "$to/share/doc/$program" "$root/docs/$file"
  done
  for file in "$root"/docs/examples/*.py; do
    install -Dm755 -t "$to/share/doc/$program/examples" "$file"
  done
}

# Builds and stages into a folder that goes with the shell.
stage_release() {
  need "${packages_build[@]}"
  enter_package
  build_release >&2
  staged=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-install.XXXXXX")
  trap 'rm -rf -- "$staged"' EXIT
  chmod 755 "$staged"
  stage_files "$staged" "$1"
}

# Reads `--prefix P` and `--destdir D` into variables of these names.
read_places() {
  prefix=/usr/local destdir=
  while [[ $# -gt 0 ]]; do
    case $1 in
      --prefix | --destdir)
        [[ $# -gt 1 ]] || die "$1 needs a folder"
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
      --prefix=* | --destdir=*)
        local name=${1%%=*}
        printf -v "${name#--}" %s "${1#*=}"
        shift
        ;;
      *) die "no such option: $1 (there are --prefix FOLDER and --destdir FOLDER)" ;;
    esac
  done
  [[ $prefix == /* ]] || die "--prefix needs a folder from the root on, such as /usr/local; \"$prefix\" isn't"
  [[ -z $destdir || $destdir == /* ]] || destdir=$here/$destdir
  prefix=${prefix%/} destdir=${destdir%/}
}

# The files of an installation, one a line, without the leading folder.
staged_names() { (cd -- "$staged" && find . ! -type d -printf '%P\n' | LC_ALL=C sort); }

# `./dev install [--prefix P] [--destdir D]`
install_command() {
  local prefix destdir name
  read_places "$@"
  stage_release "$prefix"
  while read -r name; do
    install -D -m "$(stat -c %a "$staged/$name")" "$staged/$name" "$destdir/$name" || die "could not write $destdir/$name"
    printf '%s\n' "$destdir/$name"
  done < <(staged_names)
}

# `./dev uninstall [--prefix P] [--destdir D]`: the files of an installation, and the folders that they leave empty.
uninstall_command() {
  local prefix destdir name folder
  read_places "$@"
  stage_release "$prefix"
  while read -r name; do
    rm -f -- "$destdir/$name"
    folder=$(dirname -- "$name")
    while [[ $folder != . && /$folder != "$prefix" ]]; do
      rmdir -- "$destdir/$folder" 2>/dev/null || break
      folder=$(dirname -- "$folder")
    done
  done < <(staged_names)
}

# `./dev deb [--try]`: a package for this Debian in .build/deb; `--try` judges it, and installs it into a bare Debian.
deb_command() {
  case ${1:-} in
    '') make_package ;;
    --try) source "$root/scripts/package-trial.sh" && try_package ;;
    *) die "no such option: $1 (there is --try)" ;;
  esac
}

# Makes the package and prints its path.
make_package() {
  need "${packages_deb[@]}"
  stage_release /usr
  local name output=$root/.build/deb documents=$staged/usr/share/doc/$program depends
  name=${program}_$(version)_$(dpkg --print-architecture).deb
  write_copyright >"$documents/copyright"
  write_changelog | gzip -9n >"$documents/changelog.gz"
  depends=$(shared_library_dependencies)
  mkdir -p "$staged/DEBIAN" "$output"
  (cd -- "$staged" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$staged/DEBIAN/md5sums"
  cat >"$staged/DEBIAN/control" <<END
Package: $program
Version: $(version)
Architecture: $(dpkg --print-architecture)
Maintainer: $(cat "$root/share/maintainer")
Installed-Size: $(du -ks --apparent-size "$staged/usr" | cut -f 1)
Depends: $depends, libpangocairo-1.0-0, fonts-inter | fonts-dejavu-core
Recommends: fonts-droid-fallback
Suggests: cage | weston
Section: misc
Priority: optional
Description: car cockpit for touchscreens, to drive a vehicle with
 A throttle gearbox for the left thumb, a steering wheel for the right hand,
 and the instruments between them, as a Wayland client. It drives RC cars,
 robots and simulators by lines of JSON over a socket or the network, or a
 built-in car.
 .
 Every loss of the driver's hands commands neutral within milliseconds, and
 nothing resumes without a new touch.
END
  find "$staged" -exec touch --no-dereference --date="@$(git -C "$root" log -1 --format=%ct)" {} +
  SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct) dpkg-deb --root-owner-group --build -Zxz "$staged" "$output/$name" >&2
  printf '%s\n' "$output/$name"
}

# What the program is linked with, as packages with versions.
shared_library_dependencies() {
  local work=$staged.control
  mkdir -p "$work/debian"
  printf 'Source: %s\n\nPackage: %s\nArchitecture: any\n' "$program" "$program" >"$work/debian/control"
  (cd -- "$work" && dpkg-shlibdeps -O "$staged/usr/bin/$program") | sed -n 's/^shlibs:Depends=//p'
  rm -rf -- "$work"
}

write_copyright() {
  cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: cockpit
Upstream-Contact: $(cat "$root/share/maintainer")

Files: *
Copyright: $(source_date %Y) the cockpit maintainers
License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
Comment:
 The program contains the runtime of the Swift language, which the Swift
 project's authors licensed under the same licence with an exception for such
 use, and of GCC's C++ library, whose licence (GPL-3) has such an exception too.

Files: usr/share/metainfo/*
Copyright: $(source_date %Y) the cockpit maintainers
License: CC0-1.0
 On Debian systems the text of CC0 1.0 is in
 /usr/share/common-licenses/CC0-1.0.
END
}

write_changelog() {
  cat <<END
$program ($(version)) unstable; urgency=medium

  * CHANGELOG.md of the source has what is new.

 -- $(cat "$root/share/maintainer")  $(source_date '%a, %d %b %Y %H:%M:%S %z')
END
}

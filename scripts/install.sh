# shellcheck shell=bash
# `./dev install`, `./dev uninstall`, `./dev deb`: the same files for all three, under a name that Debian's own package `cockpit` does not use.
# With --stage the first two install the stage, a tool for other projects, in place of the cockpit.

program="cockpit-wayland"
application_id=io.github.cockpit.Cockpit

# The list of its files that an installation keeps below its prefix, for its end.
manifest="share/$program/installed"

# The one place of the version is the program's source.
version() {
  sed -n 's/.*static let version = "\(.*\)"$/\1/p' "$root/Sources/cockpit/Cockpit.swift"
}

# The time of the source, so that the same source gives the same files: that of the newest commit, or of the changelog of an unpacked source
# package, which dpkg-buildpackage sets.
source_epoch() { printf '%s\n' "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}"; }
source_date() { LC_ALL=C date -u -d "@$(source_epoch)" "+${1:-%Y-%m-%d}"; }

# Writes every file of an installation below a folder: `stage_files FOLDER PREFIX`.
stage_files() {
  local folder=$1 prefix=$2 file mode
  local to=$folder$prefix help
  help=$("$release_folder/cockpit" --help)
  umask 022

  install -D "$release_folder/cockpit" "$to/bin/$program"
  # No command for users: the cockpit starts it.
  install -D "$release_folder/cockpit-witness" "$to/lib/$program/cockpit-witness"
  strip --strip-all --remove-section=.comment --remove-section=.note "$to/bin/$program" "$to/lib/$program/cockpit-witness"
  install -Dm644 -t "$to/share/applications" "$root/share/applications/$application_id.desktop"
  for file in scalable/apps/$application_id.svg symbolic/apps/$application_id-symbolic.svg; do
    install -Dm644 "$root/share/icons/hicolor/$file" "$to/share/icons/hicolor/$file"
  done
  sed "s/@VERSION@/$(version)/; s/@DATE@/$(source_date)/" "$root/share/metainfo/$application_id.metainfo.xml" |
    install -Dm644 /dev/stdin "$to/share/metainfo/$application_id.metainfo.xml"
  # systemd looks only into /usr; with a different prefix the unit serves as an example.
  sed "s|@PREFIX@|$prefix|" "$root/share/systemd/user/$program.service" |
    install -Dm644 /dev/stdin "$to/lib/systemd/user/$program.service"
  stage_help "$to" "$prefix" "$help" "$root"/share/man/"$program"*.[0-9]
  install -Dm644 "$root/docs/cockpit.json" "$to/share/$program/scenes/cockpit.json"
  for file in "${installed_documents[@]}"; do
    without_absent_links "$root/docs/$file" | install -Dm644 /dev/stdin "$to/share/doc/$program/$file"
  done
  for file in "$root"/docs/examples/*.py; do
    # A library is no program; a link becomes the file that it names.
    if [[ -x $file ]]; then mode=755; else mode=644; fi
    install -Dm"$mode" -t "$to/share/doc/$program/examples" "$file"
  done
}

# Writes the program that fetches video below a folder: `stage_video FOLDER PREFIX`. It has a package of its own, as GStreamer is large.
stage_video() {
  local to=$1$2/lib/$program/cockpit-video
  umask 022
  install -D "$release_folder/cockpit-video" "$to"
  strip --strip-all --remove-section=.comment --remove-section=.note "$to"
}

# Writes manual pages and completions below a folder: `stage_help FOLDER PREFIX HELP PAGES`.
stage_help() {
  local to=$1 prefix=$2 help=$3 page shell file
  shift 3
  for page in "$@"; do
    "$root/scripts/manual.py" man "$page" "$(version)" "$(source_date)" "$prefix" <<<"$help" | gzip -9n |
      install -Dm644 /dev/stdin "$to/share/man/man${page##*.}/${page##*/}.gz"
  done
  for shell in bash zsh fish; do
    case $shell in
      bash) file=bash-completion/completions/$program ;;
      zsh) file=zsh/vendor-completions/_$program ;;
      fish) file=fish/vendor_completions.d/$program.fish ;;
    esac
    "$root/scripts/manual.py" "$shell" "$program" <<<"$help" | install -Dm644 /dev/stdin "$to/share/$file"
  done
}

# Writes every file of the stage below a folder: `stage_tool_files FOLDER PREFIX`.
stage_tool_files() {
  local to=$1$2
  umask 022
  install -D "$release_folder/stage" "$to/bin/stage"
  strip --strip-all --remove-section=.comment --remove-section=.note "$to/bin/stage"
  stage_help "$to" "$2" "$("$release_folder/stage" help)" "$root/share/man/stage.1"
  without_absent_links "$root/docs/stage.md" | install -Dm644 /dev/stdin "$to/share/doc/stage/stage.md"
  "$root/scripts/wheel.py" tree "$to/lib/python3/dist-packages" "$(version)" "$to/share/doc/stage/stage.md" ""
}

# The documents that are installed, and a document with its links to others as plain words.
installed_documents=(drive.md drive.schema.json telemetry.schema.json hazards.md kiosk.md configuration.md)
without_absent_links() {
  "$root/scripts/pages.py" links "${installed_documents[*]} examples" <"$1"
}

# Prints the paths of the libraries that programs and libraries are linked with, but for glibc's: those belong to the kernel and to the loader.
needed_libraries() {
  local name
  ldd "$@" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libanl)\.so\.|/ld-linux' |
    xargs -n 1 basename -a | sort -u |
    while read -r name; do ldconfig -p | sed -n "s|^\s*${name//./\\.} .* => ||p" | head -n 1; done
}

# Prints the licence of each library in a folder: that of the Debian package that it comes from.
write_library_copyrights() {
  local library package
  for library in "$1"/*.so*; do
    package=$(dpkg-query -S "*/${library##*/}" | head -n 1 | cut -d : -f 1)
    printf '\n==== %s: Debian package %s\n\n' "${library##*/}" "$package"
    cat "/usr/share/doc/$package/copyright"
  done
}

# Builds and stages into a folder that goes with the shell.
stage_release() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_scripts[@]}"
  enter_package
  build_release >&2
  staged=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-install.XXXXXX")
  trap 'rm -rf -- "$staged"' EXIT
  chmod 755 "$staged"
  if [[ $program == stage ]]; then stage_tool_files "$staged" "$1"; else stage_files "$staged" "$1"; fi
}

# Reads `--prefix P` and `--destdir D` into variables of these names, and `--stage`.
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
      --stage)
        # shellcheck disable=SC2034 # for build.sh
        program=stage release_products=(stage)
        shift
        ;;
      *) die "no such option: $1 (there are --prefix FOLDER, --destdir FOLDER and --stage)" ;;
    esac
  done
  [[ $prefix == /* ]] || die "--prefix needs a folder from the root on, such as /usr/local; \"$prefix\" isn't"
  [[ -z $destdir || $destdir == /* ]] || destdir=$here/$destdir
  prefix=${prefix%/} destdir=${destdir%/}
  manifest="share/$program/installed"
}

# The files of an installation, one a line, without the leading folder.
staged_names() { (cd -- "$staged" && find . ! -type d -printf '%P\n' | LC_ALL=C sort); }

# `./dev install [--prefix P] [--destdir D]`: builds as who calls it, and writes as root where its places want that.
install_command() {
  local prefix destdir name list
  local -a by=()
  [[ $EUID -ne 0 || -z ${SUDO_USER:-} ]] || die "run it without sudo: the build is yours, and what is root's is written by sudo"
  read_places "$@"
  stage_release "$prefix"
  [[ $program == stage ]] || stage_video "$staged" "$prefix"
  list=$destdir$prefix/$manifest
  write_by "$list"
  # What an older version wrote, and this one does not.
  [[ ! -r $list ]] || remove_files < <(LC_ALL=C comm -23 "$list" <(staged_names))
  while read -r name; do
    "${by[@]}" install -D -m "$(stat -c %a "$staged/$name")" "$staged/$name" "$destdir/$name" || die "could not write $destdir/$name"
    printf '%s\n' "$destdir/$name"
  done < <(staged_names)
  staged_names | "${by[@]}" install -Dm644 /dev/stdin "$list"
}

# `./dev uninstall [--prefix P] [--destdir D]`: the files that the installation listed, and the folders that they leave empty.
uninstall_command() {
  local prefix destdir list
  local -a by=()
  read_places "$@"
  list=$destdir$prefix/$manifest
  [[ -r $list ]] || die "nothing is installed there: $list is missing"
  write_by "$list"
  remove_files < <(cat -- "$list" && printf '%s\n' "${list#"$destdir/"}")
}

# Sets `by` to what writes below the nearest folder of a path that is there.
write_by() {
  local folder
  folder=$(dirname -- "$1")
  while [[ ! -e $folder ]]; do folder=$(dirname -- "$folder"); done
  [[ -w $folder ]] || by=(sudo)
}

# Removes files named one a line below `destdir`, and the folders up to `prefix` that they leave empty.
remove_files() {
  local name folder
  while read -r name; do
    "${by[@]}" rm -f -- "$destdir/$name"
    folder=$(dirname -- "$name")
    while [[ $folder != . && /$folder != "$prefix" ]]; do
      "${by[@]}" rmdir -- "$destdir/$folder" 2>/dev/null || break
      folder=$(dirname -- "$folder")
    done
  done
}

# `./dev deb [--try [SUITE...]]`: packages for this Debian in .build/deb, the cockpit's, that of its video, the bridge's and the stage's; `--try` judges them, and installs them
# into a bare Debian of each suite (bookworm). `./dev deb --source [--try]`: the source package. `--one NAME` makes one package.
deb_command() {
  # shellcheck source=scripts/package.sh
  source "$root/scripts/package.sh"
  # shellcheck source=scripts/video-package.sh
  source "$root/scripts/video-package.sh"
  # shellcheck source=scripts/bridge-package.sh
  source "$root/scripts/bridge-package.sh"
  # shellcheck source=scripts/stage-package.sh
  source "$root/scripts/stage-package.sh"
  # Each in a shell of its own, with which its files go.
  case ${1:-} in
    '') (make_package) && (make_video_package) && (make_bridge_package) && (make_stage_package) ;;
    --one)
      case ${2:-} in
        "$program") make_package ;;
        "$video_program") make_video_package ;;
        "$bridge_program") make_bridge_package ;;
        "$stage_package") make_stage_package ;;
        *) die "no package is called \"${2:-}\"" ;;
      esac
      ;;
    --try)
      source "$root/scripts/package-trial.sh"
      shift
      (try_package "$@") && (try_video_package) && (try_bridge_package "$@") && (try_stage_package "$@")
      ;;
    --source)
      source "$root/scripts/source-package.sh"
      shift
      source_package_command "$@"
      ;;
    *) die "no such option: $1 (there are --try and --source)" ;;
  esac
}

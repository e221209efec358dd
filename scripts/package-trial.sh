# shellcheck shell=bash
# `./dev deb --try [SUITE...]`: the package before those who judge packages, beside Debian's own `cockpit`, and in a bare Debian of each suite.

try_package() {
  local suite
  local -a suites=("${@:-bookworm}")
  need "${packages_deb[@]}" "${packages_judges[@]}"
  local package work
  package=$(make_package) || return
  work=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-trial.XXXXXX")
  # The folder is on its way into a trap, where locals are gone.
  # shellcheck disable=SC2064
  trap "rm -rf -- '$work'" EXIT
  chmod 755 "$work"
  judge_package "$package" "$work/files"
  compare_with_install "$work"
  compare_with_debians_cockpit "$package" "$work"
  for suite in "${suites[@]}"; do install_into_bare_debian "$package" "$work" "$suite"; done
  say "the package is good: $package"
}

# The maintainer is who makes the package: whether mail reaches them is theirs.
judge_with_lintian() {
  lintian --fail-on error,warning --allow-root --suppress-tags bogus-mail-host "$1" || die "lintian is not content"
}

judge_page() {
  [[ -z $(MANROFFSEQ='' MANWIDTH=80 man --warnings --encoding=UTF-8 --local-file --troff-device=utf8 --ditroff "$1" 2>&1 >/dev/null) ]] ||
    die "man warns of ${1##*/}"
}

# The judges of Debian, freedesktop and man.
judge_package() {
  local package=$1 files=$2 page
  dpkg-deb -x "$package" "$files"
  judge_with_lintian "$package"
  desktop-file-validate "$files/usr/share/applications/$application_id.desktop"
  appstreamcli validate --no-net "$files/usr/share/metainfo/$application_id.metainfo.xml" >&2
  for page in "$files"/usr/share/man/man*/*.gz; do
    judge_page "$page"
  done
  bash -n "$files/usr/share/bash-completion/completions/$program"
}

# `./dev install` writes the same files, but for those that only packages have; `./dev uninstall` leaves none.
compare_with_install() {
  local work=$1
  "$root/dev" install --prefix /usr --destdir "$work/installed" >/dev/null
  rm "$work/files/usr/share/doc/$program/"{copyright,changelog.gz}
  # Which has the program that fetches video too, of another package.
  diff -r --exclude="${manifest##*/}" --exclude=cockpit-video "$work/files" "$work/installed" || die "./dev install gives other files than the package"
  # A file of an older version goes with the next installation.
  touch "$work/installed/usr/bin/of-old"
  printf 'usr/bin/of-old\n' >>"$work/installed/usr/$manifest"
  sort -o "$work/installed/usr/$manifest" "$work/installed/usr/$manifest"
  "$root/dev" install --prefix /usr --destdir "$work/installed" >/dev/null
  [[ ! -e $work/installed/usr/bin/of-old ]] || die "./dev install leaves a file of an older version"
  "$root/dev" uninstall --prefix /usr --destdir "$work/installed"
  [[ -z $(find "$work/installed" -mindepth 2) ]] || die "./dev uninstall leaves something"
}

# Debian has another program of that name: both can be installed.
compare_with_debians_cockpit() {
  local package=$1 folder=$2/theirs both
  local -a theirs
  mkdir "$folder"
  mapfile -t theirs < <(apt-cache search --names-only '^cockpit' | cut -d ' ' -f 1 | grep -vx "$program")
  [[ ${#theirs[@]} -gt 0 ]] || die "apt knows no package called cockpit"
  (cd -- "$folder" && apt-get -qq download "${theirs[@]}")
  both=$(comm -12 <(files_of "$package") <(find "$folder" -name '*.deb' | while read -r file; do files_of "$file"; done | sort -u))
  [[ -z $both ]] || die "files that a package of Debian has too: $both"
  say "no file in common with ${#theirs[@]} packages of Debian called cockpit"
}

files_of() { dpkg-deb --fsys-tarfile "$1" | tar t | grep -v '/$' | LC_ALL=C sort; }

# `same_image FOLDER NAME`: compares picture.png in the folder with the image that the build draws here.
same_image() {
  "$release_folder/cockpit" --screenshot "$1/own.png"
  cmp -s "$1/picture.png" "$1/own.png" || die "$2 differs from that of the build"
}

# `bare_debian SUITE PACKAGES OPTION...`: a Debian with nothing but what every Debian has, and PACKAGES; the options are mmdebstrap's. Its apt accepts lists
# as old as this machine's does.
bare_debian() {
  local suite=$1 packages=$2 checks=true
  shift 2
  eval "$(apt-config shell checks Acquire::Check-Valid-Until)"
  mmdebstrap --quiet --variant=minbase --include="$packages" --aptopt="Acquire::Check-Valid-Until \"$checks\"" "$@" "$suite" /dev/null >&2
}

# A Debian with nothing but what every Debian has: the package with what it depends on, then weston, whose own packages would hide what the
# package forgets.
install_into_bare_debian() {
  local package=$1 work=$2 suite=$3
  cat >"$work/inside" <<'END'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
# The picture shows words, so a font was found too.
headless() {
  cockpit-wayland --version
  cockpit-wayland --check /usr/share/cockpit-wayland/scenes/cockpit.json
  cockpit-wayland --screenshot "$1"
  cockpit-wayland --dump-tree >/dev/null
  # Without a compositor it says so.
  ! cockpit-wayland --info 2>/tmp/words || exit 1
  grep -q 'no Wayland compositor answers' /tmp/words
}
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -print | sort; }
apt-get install -qq -y --no-install-recommends /tmp/package.deb >/dev/null
cd /tmp
headless /tmp/alone.png
# Debian 13 has another version of the font. With this machine's the program draws the same bytes, whatever the libraries are.
mv /usr/share/fonts/opentype/inter /tmp/own-inter
cp -r /tmp/inter /usr/share/fonts/opentype/inter
cockpit-wayland --screenshot /tmp/picture.png
rm -r /usr/share/fonts/opentype/inter
mv /tmp/own-inter /usr/share/fonts/opentype/inter
apt-get purge -qq -y cockpit-wayland >/dev/null
apt-get install -qq -y --no-install-recommends weston >/dev/null
# What the package depends on stays when it goes, so it comes first.
apt-get install -qq -y --no-install-recommends $(dpkg-deb -f /tmp/package.deb Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g') >/dev/null
files >/tmp/before
apt-get install -qq -y --no-install-recommends /tmp/package.deb >/dev/null
headless /tmp/beside.png
cmp /tmp/alone.png /tmp/beside.png
rm /tmp/words
. /tmp/weston-trial.sh
in_weston cockpit-wayland
apt-get purge -qq -y cockpit-wayland >/dev/null
files >/tmp/after
diff /tmp/before /tmp/after
echo "installed, drawn, run and removed without a trace"
END
  bare_debian "$suite" ca-certificates \
    --customize-hook="copy-in $work/inside $root/scripts/weston-trial.sh /usr/share/fonts/opentype/inter /tmp" \
    --customize-hook="upload $package /tmp/package.deb" \
    --customize-hook="chroot \"\$1\" sh /tmp/inside" \
    --customize-hook="download /tmp/picture.png $work/picture.png" || die "the package does not work in a bare Debian ($suite)"
  same_image "$work" "its image in $suite"
}

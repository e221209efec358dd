# shellcheck shell=bash
# `./dev sid [--fresh] [SUITE]`: the cockpit built by Debian's own Swift compiler with nothing but Debian's packages, in a Debian of that suite
# (sid), and its images beside those of this machine's build.

# shellcheck disable=SC2154 # from dev
sid_folder=$root/.build/sid
# The compiler, what it links with, and what Package.swift needs; what these packages depend on comes along. (Of several versions of the C++
# library the compiler takes that of the newest gcc, which g++ brings.)
sid_packages=(swiftlang g++ libwayland-dev libxkbcommon-dev libcairo2-dev libpango1.0-dev libsystemd-dev libevdev-dev libturbojpeg0-dev pkg-config)
# What images depend on, for the result.
sid_libraries=(libcairo2 libpango-1.0-0 libharfbuzz0b libfreetype6 libfontconfig1 libpixman-1-0 libwayland-client0 libxkbcommon0 libc6)
sid_products=(cockpit cockpit-catalogue)
# As in build.sh, but for the C++ library, which is whatever the compiler finds.
sid_flags=(-c release --static-swift-stdlib --pkg-config-path "$root/scripts/pkgconfig" -Xswiftc -use-ld=lld
  -Xswiftc -cross-module-optimization -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -disable-dynamic-actor-isolation)

sid_command() {
  local fresh='' suite product
  if [[ ${1:-} == --fresh ]]; then
    fresh=yes
    shift
  fi
  suite=${1:-sid}
  [[ $suite =~ ^[a-z][a-z-]*$ ]] || die "no such option or suite: $suite (there is --fresh)"
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_sid[@]}"
  enter_package
  sid_suite=$sid_folder/$suite
  [[ -z $fresh ]] || as_root rm -rf -- "$sid_suite"
  mkdir -p "$sid_suite"/{build,compare}
  if [[ ! -e $sid_suite/complete ]]; then
    sid_has_compiler "$suite" || return 0
    sid_install "$suite" || return
  fi
  say "building with swiftlang $(in_sid dpkg-query -W -f "\${Version}" swiftlang) ($suite)"
  for product in "${sid_products[@]}"; do
    in_sid swift build "${sid_flags[@]}" --scratch-path "$sid_suite/build" --product "$product" 2>&1 | show_build >&2 || return
  done
  # shellcheck disable=SC2034 # for build.sh
  release_products=("${sid_products[@]}")
  build_release >&2 || return
  sid_compare
}

# Only root may make a system in a folder and enter it.
as_root() { if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi; }

# Whether this machine's mirror has the suite with a compiler that is new enough; if not, one line says so.
sid_has_compiler() {
  local version words
  if ! words=$(suite_apt "$sid_suite" "$(dpkg --print-architecture)" "$1" true 2>&1); then
    say "skipped: apt reaches no $1: $(grep -m 1 '^[EW]:' <<<"$words")"
    return 1
  fi
  version=$(suite_apt "$sid_suite" "$(dpkg --print-architecture)" "$1" apt-cache policy swiftlang | sed -n 's/^ *Candidate: //p')
  dpkg --compare-versions "${version:-0}" ge 6.2 2>/dev/null && return
  say "skipped: $1 has no swiftlang of 6.2 or newer, but ${version:-none}"
  return 1
}

# Installs the packages into a folder, without pages that nobody reads there.
sid_install() {
  local suite=$1 checks=true packages
  eval "$(apt-config shell checks Acquire::Check-Valid-Until)"
  packages=$(IFS=, && printf '%s' "${sid_packages[*]}")
  say "fetching a Debian ($suite) with its Swift compiler: 0.8 GB, and 3.5 GB on the disk"
  as_root rm -rf -- "$sid_suite/root"
  as_root mmdebstrap --quiet --mode=root --variant=minbase --include="$packages" --aptopt="Acquire::Check-Valid-Until \"$checks\"" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --skip=essential/unlink --customize-hook="du -cB1000000 \"\$1\"/var/cache/apt/archives/*.deb | tail -n 1 | cut -f 1 >'$sid_suite/fetched'" \
    "$suite" "$sid_suite/root" "deb $(debian_mirror) $suite main" >&2 || die "$suite cannot be installed"
  as_root du -sB1000000 "$sid_suite/root" | cut -f 1 >"$sid_suite/installed"
  say "fetched $(<"$sid_suite/fetched") MB, installed $(<"$sid_suite/installed") MB"
  touch "$sid_suite/complete"
}

# `in_sid COMMAND...`: runs it there, in this folder. It sees the sources under their own path, and can write only what is its own. It has no
# network, so that nothing comes from elsewhere than Debian's packages.
in_sid() {
  # shellcheck disable=SC2016 # for the inner shell
  as_root unshare --mount --net sh -euc '
    system=$1 sources=$2 own=$3 folder=$4
    shift 4
    mount --rbind /dev "$system/dev"
    mount --rbind /proc "$system/proc"
    mkdir -p "$system$sources"
    mount --bind "$sources" "$system$sources"
    mount -o remount,bind,ro "$system$sources"
    for part in build compare; do mount --bind "$own/$part" "$system$own/$part"; done
    exec chroot "$system" env -i --chdir="$folder" PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
  ' - "$sid_suite/root" "$root" "$sid_suite" "$PWD" COCKPIT_STRICT="$COCKPIT_STRICT" "$@"
}

# Draws each picture three times with the fonts of this machine: by this machine's build here, by the same build with the suite's libraries, and
# by the suite's build. In what the first two differ is the libraries' doing, and in what the last two differ the compiler's.
sid_compare() (
  folder=$sid_suite/compare
  count=0
  as_root rm -rf -- "$folder"
  mkdir -p "$folder/fonts"
  # Below a path that both systems see.
  cp -rL /usr/share/fonts/. "$folder/fonts/"
  printf '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>\n' \
    "$folder/fonts" "$folder/cache" >"$folder/fonts.conf"
  cd -- "$folder" || return
  while read -r name locale options; do
    count=$((count + 1))
    draw=(env FONTCONFIG_FILE="$folder/fonts.conf" LC_ALL="$locale")
    # shellcheck disable=SC2154,SC2086 # from build.sh; several options
    {
      "${draw[@]}" "$release_folder/$name" $options --screenshot "$count.host.png" || return
      in_sid "${draw[@]}" "$release_folder/$name" $options --screenshot "$count.libraries.png" || return
      in_sid "${draw[@]}" "$sid_suite/build/release/$name" $options --screenshot "$count.sid.png" || return
    } </dev/null >&2
    printf '%s\t%s %s%s\n' "$count" "$name" "$options" "$([[ $locale == C.UTF-8 ]] || printf ' (%s)' "${locale%%.*}")"
  done < <(sid_pictures) >pictures.tsv
  dpkg-query -W -f "\${Package} \${Version}\n" "${sid_libraries[@]}" >versions.host
  in_sid dpkg-query -W -f "\${Package} \${Version}\n" "${sid_libraries[@]}" >versions.sid
  "$root/evidence/scripts/sid.py" "$folder"
)

# The sizes and scales of the reference images (Tests/CockpitTests), in both themes; Chinese, for which Pango is loaded; every control.
sid_pictures() {
  local theme size
  for theme in dark light; do
    for size in 480x320 '480x320 --scale 1.5' 400x640 800x480 1280x720 1280x800 800x1280 '1920x1080 --scale 2' 3440x1440; do
      printf 'cockpit C.UTF-8 --config none --theme %s --size %s\n' "$theme" "$size"
    done
    printf 'cockpit zh_CN.UTF-8 --config none --theme %s --size 1024x600\n' "$theme"
  done
  printf 'cockpit-catalogue C.UTF-8 --size 1280x2400\ncockpit-catalogue C.UTF-8 --size 1280x2400 --scale 2\n'
}

# shellcheck shell=bash
# `./dev tar`: the cockpit in one folder that runs where it lies, with the libraries it needs. install.sh has the files that it holds.

# `./dev tar [--try [SUITE...]]`: makes the archive in .build/tar; `--try` unpacks it in a bare Debian of each suite (bookworm), where it draws the image
# of the build and runs.
tar_command() {
  local archive suite
  case ${1:-} in
    '' | --try) ;;
    *) die "no such option: $1 (there is --try)" ;;
  esac
  archive=$(make_tar) || return
  printf '%s\n' "$archive"
  [[ ${1:-} == --try ]] || return 0
  shift
  need "${packages_judges[@]}"
  # shellcheck source=scripts/package-trial.sh
  source "$root/scripts/package-trial.sh"
  for suite in "${@:-bookworm}"; do (try_tar "$archive" "$suite") || return; done
}

# Makes the archive and prints its path; the same source and libraries give the same bytes.
make_tar() (
  local name library time
  need "${packages_deb[@]}" "${packages_tar[@]}"
  stage_release "" >&2
  stage_video "$staged" ""
  name=${program}_$(version)_$(dpkg --print-architecture)
  mkdir -p "$staged/lib/$program" "$root/.build/tar"
  while read -r library; do
    install -m644 "$library" "$staged/lib/$program/"
    patchelf --force-rpath --set-rpath "\$ORIGIN" "$staged/lib/$program/${library##*/}"
  done < <(bundled_libraries)
  patchelf --force-rpath --set-rpath "\$ORIGIN/../lib/$program" "$staged/bin/$program"
  patchelf --force-rpath --set-rpath "\$ORIGIN" "$staged/lib/$program/cockpit-video"
  write_library_copyrights "$staged/lib/$program" >"$staged/lib/$program/COPYRIGHT"
  install -m644 "$root/LICENSE" "$staged/LICENSE"
  time=$(source_epoch)
  tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" --transform="s|^\.|$name|" -C "$staged" . |
    xz -6 >"$root/.build/tar/$name.tar.xz"
  printf '%s\n' "$root/.build/tar/$name.tar.xz"
)

# Prints the paths of the libraries that the programs are linked with, and of Pango, which the cockpit loads. glibc stays the machine's own: it belongs
# to the kernel and to the loader. So does sd-bus, which serves only where systemd runs, and so do GStreamer's plugins: those of another version are refused.
bundled_libraries() {
  local pango
  pango=$(ldconfig -p | sed -n 's/.*libpangocairo-1\.0\.so\.0 .*x86-64.* => //p; s/.*libpangocairo-1\.0\.so\.0 .*AArch64.* => //p' | head -n 1)
  {
    printf '%s\n' "$pango"
    needed_libraries "$staged/bin/$program" "$staged/lib/$program/cockpit-video" "$pango"
  } | sort -u
}

# The machine gets a font and weston, and none of the libraries through the program.
try_tar() {
  local archive=$1 suite=$2 work
  work=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-tar.XXXXXX")
  # shellcheck disable=SC2064 # the folder is a local
  trap "rm -rf -- '$work'" EXIT
  chmod 755 "$work"
  cat >"$work/inside" <<'END_OF_TRIAL'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
mkdir -p /opt/any/where
tar xJf /tmp/archive.tar.xz -C /opt/any/where
set -- /opt/any/where/*/bin/cockpit-wayland
"$1" --version
"$1" --check "${1%/bin/*}/share/cockpit-wayland/scenes/cockpit.json"
"$1" --screenshot /tmp/picture.png
apt-get install -qq -y --no-install-recommends weston >/dev/null
. /tmp/weston-trial.sh
in_weston "$1"
# It starts with the libraries of the archive: without a cockpit it says nothing and ends.
"${1%/bin/*}/lib/cockpit-wayland/cockpit-video" || test $? = 64
END_OF_TRIAL
  mkdir -p "$work/fonts"
  cp -r "$(dirname "$(fc-match -f '%{file}' Inter)")" "$work/fonts/"
  bare_debian "$suite" ca-certificates,xz-utils \
    --customize-hook="copy-in $work/inside $root/scripts/weston-trial.sh /tmp" \
    --customize-hook="copy-in $work/fonts /usr/share" \
    --customize-hook="upload $archive /tmp/archive.tar.xz" \
    --customize-hook="chroot \"\$1\" sh /tmp/inside" \
    --customize-hook="download /tmp/picture.png $work/picture.png" || die "the archive does not work in a bare Debian ($suite)"
  same_image "$work" "the archive's image in $suite"
  say "the archive is good in $suite: $archive"
}

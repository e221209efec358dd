# shellcheck shell=bash
# Making the Debian packages, from a checkout or from an unpacked source package: share/debian has what they say of themselves.

# Makes the cockpit's package and prints its path.
make_package() {
  need "${packages_deb[@]}"
  stage_release /usr
  pack "$program"
}

# Makes a package of the staged files and prints its path; the same source gives the same bytes.
pack() {
  local name=$1 documents=$staged/usr/share/doc/$1 control=$staged.control debian
  local -a programs
  debian=$root/debian
  # A checkout has no such folder.
  if [[ ! -d $debian ]]; then
    debian=$control/debian
    write_debian "$debian"
  fi
  install -Dm644 "$debian/copyright" "$documents/copyright"
  gzip -9nc "$debian/changelog" | install -Dm644 /dev/stdin "$documents/changelog.gz"
  mkdir -p "$staged/DEBIAN" "$control" "$root/.build/deb"
  : >"$control/substvars"
  # The bridge has none.
  mapfile -t programs < <(find "$staged/usr/bin" "$staged/usr/lib" -type f -exec grep -q '^.ELF' {} \; -print 2>/dev/null)
  [[ ${#programs[@]} -eq 0 ]] || (cd -- "$debian/.." && dpkg-shlibdeps -T"$control/substvars" "${programs[@]}")
  (cd -- "$debian/.." && dpkg-gencontrol -p"$name" -P"$staged" -T"$control/substvars" -f"$control/files")
  (cd -- "$staged" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$staged/DEBIAN/md5sums"
  find "$staged" -exec touch --no-dereference --date="@$(source_epoch)" {} +
  read -r name _ <"$control/files"
  SOURCE_DATE_EPOCH=$(source_epoch) dpkg-deb --root-owner-group --build -Zxz "$staged" "$root/.build/deb/$name" >&2
  rm -rf -- "$control"
  printf '%s\n' "$root/.build/deb/$name"
}

# Has the Python files of a staged package compiled where it is installed, for that Python, and their compiled files go with it.
compile_where_installed() {
  local script
  mkdir -p "$staged/DEBIAN"
  for script in postinst:py3compile prerm:py3clean; do
    printf '#!/bin/sh\nset -e\nif command -v %s >/dev/null 2>&1; then\n  %s -p %s\nfi\n' \
      "${script#*:}" "${script#*:}" "$1" | install -m755 /dev/stdin "$staged/DEBIAN/${script%:*}"
  done
}

# Writes the folder debian/ of a source package.
write_debian() {
  mkdir -p "$1/source"
  sed "s/@MAINTAINER@/$(maintainer)/; s/@BUILD_DEPENDS@/$(build_dependencies)/" "$root/share/debian/control" >"$1/control"
  install -m755 "$root/share/debian/rules" "$1/rules"
  install -m644 "$root/share/debian/README.source" "$1/README.source"
  write_copyright >"$1/copyright"
  write_changelog >"$1/changelog"
  printf '3.0 (native)\n' >"$1/source/format"
}

# The packages to build with, but for those that every build has.
build_dependencies() {
  # shellcheck disable=SC2154 # from packages.sh
  printf '%s\n' "${packages_build[@]}" "${packages_deb[@]}" | grep -vxE 'libc6-dev|binutils|dpkg-dev' | paste -sd , | sed 's/,/, /g'
}

# The maintainer from the variables of Debian's tools; else the author of the newest commit.
maintainer() {
  if [[ -n ${DEBFULLNAME:-} && -n ${DEBEMAIL:-} ]]; then
    printf '%s <%s>\n' "$DEBFULLNAME" "$DEBEMAIL"
  else
    git -C "$root" log -1 --format='%an <%ae>'
  fi
}

write_copyright() {
  cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: cockpit
Upstream-Contact: $(git -C "$root" log -1 --format='%an <%ae>')
Comment:
 The program contains the runtime of the Swift language, which the Swift
 project's authors licensed under the same licence with an exception for such
 use, and of GCC's C++ library, whose licence (GPL-3) has such an exception too.
 The folders Generated hold bindings made from descriptions of the Wayland
 protocols (licensed as MIT); each file names the authors of its description.

Files: *
Copyright: $(source_date %Y) the cockpit maintainers
License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.

Files: share/metainfo/*
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

 -- $(maintainer)  $(source_date '%a, %d %b %Y %H:%M:%S +0000')
END
}

# shellcheck shell=bash
# Building with SwiftPM: the flags that every command shares, so that none rebuilds what another has built.

# The release build carries the Swift runtime in itself: it starts faster and runs where no toolchain is.
release_flags=(-c release --static-swift-stdlib)

# Puts the toolchain on the PATH and goes to the package's folder.
enter_package() {
  local folder
  if ! command -v swift >/dev/null; then
    for folder in /opt/swift/usr/bin "$HOME/.local/share/swiftly/bin" /usr/local/swift/usr/bin; do
      [[ -x $folder/swift ]] && PATH=$folder:$PATH && break
    done
  fi
  command -v swift >/dev/null || die "no Swift toolchain on the PATH: install Swift 6.2 or newer first"
  cd -- "$root"
}

build_release() {
  need "${packages_build[@]}"
  enter_package
  swift build "${release_flags[@]}" "$@" >&2
}

# `./dev build [OPTIONS]`
build_command() {
  need "${packages_build[@]}"
  enter_package
  swift build "$@"
}

# `./dev format`
format_command() {
  enter_package
  swift format --in-place --parallel --recursive Sources Tests Package.swift
}

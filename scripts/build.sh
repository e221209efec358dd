# shellcheck shell=bash
# Building with SwiftPM: the flags that every command shares, so that none rebuilds what another has built.

# The release build carries the Swift runtime in itself: it starts faster and runs where no toolchain is. It has a
# build folder of its own: in a shared one the two ways of linking make SwiftPM generate the bindings, and build all
# that stands on them, anew at every change between the two.
release_flags=(-c release --static-swift-stdlib --scratch-path .build/dist)
# Smaller and faster (docs/performance.md says by how much): relocations in their short form, nothing exported, what is alike
# kept once; modules optimised across each other; and no checks at run time of what every test checks in a debug build.
release_flags+=(
  -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic -Xlinker --icf=safe
  -Xswiftc -cross-module-optimization -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -disable-dynamic-actor-isolation)
release_folder=$root/.build/dist/release
# Pango is loaded when a text needs it, not linked.
release_flags+=(--pkg-config-path "$root/scripts/pkgconfig")
# The C++ library that Swift's runtime needs is linked in: the linker finds only this one in the folder.
release_libraries=$root/.build/static
release_flags+=(-Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -Xclang-linker -Xswiftc "-L$release_libraries")
# What is released. (Not everything: the scanner of the bindings would need libxml2-dev to be linked this way.)
release_products=(cockpit)

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

# Builds what is released. (The toolchain's own compiler finds the library: a machine need have no other.)
build_release() {
  local product
  mkdir -p -- "$release_libraries"
  ln -sf -- "$(clang -print-file-name=libstdc++.a)" "$release_libraries/libstdc++.a"
  for product in "${release_products[@]}"; do
    swift build "${release_flags[@]}" --product "$product" || return
  done
}

# `./dev build [OPTIONS]`
# shellcheck disable=SC2154 # from packages.sh
build_command() {
  need "${packages_build[@]}"
  enter_package
  swift build "$@"
}

# What is formatted, and what `./dev check` lints.
swift_sources=(Sources Tests Benchmarks Examples Fuzz Package.swift)

# `./dev format`
format_command() {
  enter_package
  swift format --in-place --parallel --recursive "${swift_sources[@]}"
}

# Sets `libraries` to the names of the public ones.
# shellcheck disable=SC2034 # for its caller
read_libraries() {
  IFS=', ' read -ra libraries < <(sed -n 's/^ *documentation_targets: \[\(.*\)\]$/\1/p' "$root/.spi.yml")
}

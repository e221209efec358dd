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
# What is released: the cockpit, and what it starts beside itself: the witness, and the program that fetches video.
release_products=(cockpit cockpit-witness cockpit-video)

# Everything else shares the folder .build: what `./dev run` has compiled, `./dev test` does not compile again.
build_debug() {
  local -a quiet=(--quiet)
  [[ ! -t 1 ]] || quiet=()
  swift build "${quiet[@]}" "$@" 2>&1 | show_build
}
# shellcheck disable=SC2034 # for run.sh
development_folder=$root/.build/debug

# Shows what a build prints: on a terminal its steps in one line that stays in place, elsewhere none of them; and all the rest but what the
# compiler remarks about modules that are compiled as a whole, and SwiftPM about a flag of pkg-config that it does not need.
show_build() {
  local line clear=''
  [[ ! -t 1 ]] || clear=$'\r\033[K'
  while IFS= read -r line; do
    case $line in
      'remark: Incremental compilation has been disabled'* | 'warning: prohibited flag(s): -pthread'*) ;;
      '['*/*'] '*) [[ ! -t 1 ]] || printf '%s%s' "$clear" "${line:0:${COLUMNS:-80}}" ;;
      *) printf '%s%s\n' "$clear" "$line" ;;
    esac
  done
}

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
  build_debug "$@"
}

# What is formatted, and what `./dev check` lints.
swift_sources=(Sources Tests evidence Examples Fuzz Package.swift)

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

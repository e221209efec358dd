# shellcheck shell=bash
# The Swift bindings of the Wayland protocols, which are in git: a build needs neither protocol XML nor the program that reads it.

# The targets with bindings of their own, each with a protocols.list and a folder Generated.
bindings_targets=(Sources/Bindings/Wayland Sources/Bindings/WaylandServer Tests/ClientProtocols Tests/CompositorInput)

# Writes the bindings of every target below a folder: as `TARGET/Generated`.
# shellcheck disable=SC2154 # from packages.sh
write_bindings() {
  local folder=$1 target side
  build_debug --product WaylandScanner
  for target in "${bindings_targets[@]}"; do
    side=client
    [[ $target != *Server ]] || side=server
    mkdir -p -- "$folder/$target/Generated"
    .build/debug/WaylandScanner "$target/protocols.list" "$side" "$root" "$folder/$target/Generated"
  done
}

# `./dev bindings`: writes them anew, after a change of a protocols.list or of a file in Protocols/.
bindings_command() {
  need "${packages_build[@]}" "${packages_bindings[@]}"
  enter_package
  local target
  for target in "${bindings_targets[@]}"; do rm -rf -- "$target/Generated"; done
  write_bindings "$root"
  git status --short -- "${bindings_targets[@]}"
}

# Fails, and shows the difference, unless the bindings in git are what their protocols give today.
bindings_are_current() {
  local folder target status=0
  folder=$(mktemp -d)
  write_bindings "$folder" || status=1
  for target in "${bindings_targets[@]}"; do
    diff -r "$target/Generated" "$folder/$target/Generated" | head -n 20
    ((PIPESTATUS[0] == 0)) || status=1
  done
  rm -rf -- "$folder"
  ((status == 0)) || say "the bindings are not those of their protocols (of this machine's libwayland-dev and wayland-protocols): ./dev bindings"
  return "$status"
}

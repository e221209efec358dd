# shellcheck shell=bash
# `./dev arm64`: the cockpit for 64-bit ARM, built on this machine and run by an emulator, and its images and messages beside those of
# this machine's build.
#
# The toolchain has no Swift runtime for other processors. Debian's unstable suite has a compiler for arm64, and in its packages that
# runtime. All other libraries are Debian 13's. The tests themselves are not built: they need Foundation, which these packages do
# not offer to another compiler.

# shellcheck disable=SC2154 # from dev
arm64_folder=$root/.build/arm64
arm64_root=$arm64_folder/sdks/cockpit-arm64.artifactbundle/aarch64/root
arm64_products=(cockpit cockpit-witness cockpit-catalogue)
# What the program is linked with; what these packages depend on comes along.
arm64_packages=(libc6-dev libgcc-14-dev libstdc++-14-dev linux-libc-dev libwayland-dev libxkbcommon-dev libcairo2-dev libpango1.0-dev
  libsystemd-dev libevdev-dev libturbojpeg0-dev fontconfig-config xkb-data)

# `./dev arm64 [SUITE [RUNTIME_SUITE]]`
arm64_command() {
  local suite=${1:-trixie} runtime=${2:-sid} product
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_arm64[@]}"
  enter_package
  mkdir -p "$arm64_folder"
  arm64_system "$suite" "$runtime" || return
  for product in "${arm64_products[@]}"; do arm64_build "$product" || return; done
  arm64_wrap "$arm64_folder/build/aarch64-unknown-linux-gnu/release/cockpit-witness"
  # shellcheck disable=SC2034 # for build.sh
  release_products=("${arm64_products[@]}" stage)
  build_release >&2 || return
  arm64_compare
}

# `arm64_apt SUITE COMMAND...`: apt for arm64 and that suite alone.
arm64_apt() { suite_apt "$arm64_folder" arm64 "$@"; }

# Unpacks the system and the runtime, and describes them to SwiftPM; once, as 3 GB are read for it.
arm64_system() {
  local suite=$1 runtime=$2 version folder package resources
  [[ -e $arm64_folder/complete ]] && return
  version=$(arm64_apt "$runtime" apt-cache policy swiftlang | sed -n 's/^ *Candidate: //p')
  dpkg --compare-versions "${version:-0}" ge 6.2 || die "$runtime has no swiftlang 6.2 or newer for arm64, but ${version:-none}"
  say "fetching Debian's swiftlang $version and its $suite for arm64"
  arm64_apt "$suite" apt-get -qq -y --no-install-recommends --download-only install "${arm64_packages[@]}" >&2 || return
  (cd -- "$arm64_folder/apt-$runtime/cache/archives" && arm64_apt "$runtime" apt-get -qq download swiftlang libswiftlang >&2) || return
  rm -rf -- "$arm64_root"
  mkdir -p "$arm64_root/usr"/{bin,lib,sbin}
  for folder in bin lib sbin; do ln -s "usr/$folder" "$arm64_root/$folder"; done
  for package in "$arm64_folder/apt-$suite/cache/archives"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$arm64_root" --keep-directory-symlink || return
  done
  for package in "$arm64_folder/apt-$runtime/cache/archives"/*swiftlang*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -x -C "$arm64_root/usr/lib" --strip-components=5 --wildcards --no-wildcards-match-slash --exclude='*/host' --exclude='*/clang' \
        './usr/libexec/swift/lib/swift' './usr/libexec/swift/lib/swift_static' 2>/dev/null || true
  done
  [[ -e $arm64_root/usr/lib/swift_static/linux/libswiftCore.a ]] || die "swiftlang $version has no libswiftCore.a where it was before"
  # The compiler reads no module that another version has compiled: it compiles the interfaces anew.
  find "$arm64_root/usr/lib/swift" "$arm64_root/usr/lib/swift_static" -type f -name '*.swiftmodule' -delete
  resources=$(dirname -- "$(readlink -f -- "$(command -v swift)")")/../lib/swift/clang
  for folder in swift swift_static; do ln -sfn "$(readlink -f -- "$resources")" "$arm64_root/usr/lib/$folder/clang"; done
  arm64_describe
  touch "$arm64_folder/complete"
}

# The description that makes the folder a Swift SDK.
arm64_describe() {
  local bundle=$arm64_folder/sdks/cockpit-arm64.artifactbundle
  cat >"$bundle/info.json" <<'END'
{"schemaVersion": "1.0", "artifacts": {"cockpit-arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "aarch64"}]}}}
END
  cat >"$bundle/aarch64/swift-sdk.json" <<'END'
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {"sdkRootPath": "root",
  "swiftResourcesPath": "root/usr/lib/swift", "swiftStaticResourcesPath": "root/usr/lib/swift_static",
  "toolsetPaths": ["toolset.json"]}}}
END
  printf '%s\n' '{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}' >"$bundle/aarch64/toolset.json"
}

# Builds a product; the macros and the scanner of the bindings are built for this machine. The packages' own options name folders of
# this machine, which SwiftPM puts below the variable.
arm64_build() {
  PKG_CONFIG_SYSROOT_DIR=$arm64_root swift build --swift-sdks-path "$arm64_folder/sdks" --swift-sdk cockpit-arm64 --static-swift-stdlib \
    -c release --scratch-path "$arm64_folder/build" --pkg-config-path "$root/scripts/pkgconfig" \
    --pkg-config-path "$arm64_root/usr/lib/aarch64-linux-gnu/pkgconfig" --pkg-config-path "$arm64_root/usr/share/pkgconfig" \
    -Xswiftc -cross-module-optimization -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -disable-dynamic-actor-isolation \
    --product "$1" >&2
}

# Puts a script in a program's place that runs it under the emulator, as the emulated cockpit starts it like any other.
arm64_wrap() {
  mv -- "$1" "$1.arm64"
  printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" "%s"\n' "$(realpath -- "$arm64_root")" "$(realpath -- "$1.arm64")" >"$1"
  chmod 755 "$1"
}

# Compares what both builds draw and send, byte by byte, with the fonts of this machine.
arm64_compare() (
  local folder=$arm64_folder/compare failed=0 count=0 options scene
  local -a arm=(qemu-aarch64-static -L "$arm64_root" "$arm64_folder/build/aarch64-unknown-linux-gnu/release/cockpit")
  local -a native=("$release_folder/cockpit")
  rm -rf -- "$folder"
  mkdir -p "$folder/fonts"
  # Below a path that the emulator does not look for among the files of arm64.
  cp -rL /usr/share/fonts/. "$folder/fonts/"
  printf '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>\n' \
    "$folder/fonts" "$folder/cache" >"$folder/fonts.conf"
  export FONTCONFIG_FILE=$folder/fonts.conf LC_ALL=C.UTF-8
  cd -- "$folder" || return

  arm64_same() {
    count=$((count + 1))
    cmp -s "$1" "$2" && return
    failed=$((failed + 1))
    say "$3 differs: $folder/$1, $folder/$2"
  }
  while read -r options; do
    # shellcheck disable=SC2086 # several options
    LC_ALL=${options%% *} "${native[@]}" --config none --screenshot native.png ${options#* }
    # shellcheck disable=SC2086
    LC_ALL=${options%% *} "${arm[@]}" --config none --screenshot arm.png ${options#* }
    cp native.png "$count.native.png" && mv arm.png "$count.arm.png"
    arm64_same "$count.native.png" "$count.arm.png" "cockpit $options"
  done <<'END'
C.UTF-8 --size 1280x720
C.UTF-8 --size 1280x720 --theme light
C.UTF-8 --size 800x480 --scale 1.5 --gear 7 --steer 90
C.UTF-8 --size 480x320 --gear R --steer -450
C.UTF-8 --size 480x800 --gear 10
C.UTF-8 --size 3840x2160 --scale 2
zh_CN.UTF-8 --size 1024x600
END
  # Every control in every state, as many as a window shows.
  for options in '--size 1280x2400' '--size 1280x2400 --scale 2'; do
    # shellcheck disable=SC2086
    "${native[0]}-catalogue" $options --screenshot "$count.native.png"
    # shellcheck disable=SC2086
    "${arm[@]:0:3}" "${arm[3]}-catalogue" $options --screenshot "$count.arm.png"
    arm64_same "$count.native.png" "$count.arm.png" "cockpit-catalogue $options"
  done
  # A recorded session of two fingers: all messages, and the last image.
  for scene in native arm; do
    local -n program=$scene
    "${program[@]}" --config none --replay "$root/docs/examples/two-fingers.jsonl" --drive - --screenshot "replay.$scene.png" >"replay.$scene.jsonl"
  done
  arm64_same replay.native.jsonl replay.arm.jsonl "the messages of a recorded session"
  arm64_same replay.native.png replay.arm.png "the last image of a recorded session"
  arm64_drive || failed=$((failed + 1))
  printf 'arm64 (%s): %d of %d images and messages have the same bytes as on this machine\n' "$(cd "$root" && git rev-parse --short HEAD)" \
    $((count - failed)) "$count"
  return $((failed > 0))
)

# Drives both builds live, by two fingers on the stage, and compares the image under the fingers and what was commanded. How often a
# message is repeated depends on real time, in which the emulator is slower. `freeze` lets real time pass: after two touches in the
# rhythm of the refreshes the cockpit holds a frame for a third one, for less than a refresh of real time.
arm64_drive() {
  local name
  cat >drive.json <<'END'
[
  {do: "window", width: 1280, height: 720},
  {do: "advance", ms: 2500},
  {do: "touch-down", id: 0, x: 116, y: 613},
  {do: "touch-down", id: 1, x: 1007, y: 165},
  {do: "advance", ms: 100},
  {do: "touch-move", id: 0, x: 116, y: 332},
  {do: "touch-move", id: 1, x: 1150, y: 220},
  {do: "freeze", ms: 50},
  {do: "advance", ms: 3000},
  {do: "screenshot", name: "driving"},
  {do: "touch-up", id: 0},
  {do: "touch-up", id: 1},
  {do: "advance", ms: 100},
]
END
  for name in native arm; do
    local -n program=$name
    "$release_folder/stage" run drive.json --out "$name" -- "${program[@]}" --config none --drive - >"drive.$name.txt" 2>&1 ||
      say "$PWD/drive.$name.txt: the drive failed"
    grep '"state":"\(driving\|ready\)"\|"reason":"lift"' "drive.$name.txt" | sed 's/"seq":[0-9]*,"t":[0-9.]*,//' | uniq >"drive.$name.jsonl"
  done
  grep -q '"gear":"4","throttle":0.400,"steering":0.0875,.*"driving"' drive.arm.jsonl || say 'no command of the drive in arm64'"'"'s messages'
  arm64_same native/driving.png arm/driving.png "the image under two fingers"
  arm64_same drive.native.jsonl drive.arm.jsonl "the commands of a live drive"
  grep -q '"driving"' drive.arm.jsonl
}

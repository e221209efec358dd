# shellcheck shell=bash
# The Debian packages that each command uses, all in this place, and the installing of those that are missing.

# What the Swift toolchain itself runs with, compiles and links against, then what Package.swift links, and the headers of sd-bus and libevdev.
packages_build=(libcurl4 libncurses6 libsqlite3-0 libuuid1 libxml2 zlib1g tzdata binutils libc6-dev libstdc++-12-dev git
  libwayland-dev libxkbcommon-dev libcairo2-dev libpango1.0-dev libpng-dev zlib1g-dev libsystemd-dev libevdev-dev libturbojpeg0-dev
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev pkg-config)
# What the cockpit finds at run time: its face and one that stands in, and a compositor where there is no session to show it in.
packages_run=(fonts-inter fonts-dejavu-core)
packages_nested=(weston)
# What `cockpit-video` finds at run time: GStreamer's elements for RTSP, RTP, cameras, pixels and H.264.
packages_video=(gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad)
# What the tests need: fonts that stand in for one another, and what they start: six compositors, their clients and, for
# KWin and mutter, a session bus and software OpenGL; PipeWire, without which mutter takes no touches from a test; an
# accessibility bus with what a screen reader is made of, and what asks it from Python alone; an input method for Chinese, an on-screen keyboard, and a toolkit from whose window
# things are dragged; and a judge of HTML.
packages_test=(fonts-inter fonts-dejavu-core fonts-droid-fallback fonts-noto-color-emoji weston wayland-utils sway grim
  kwin-wayland dbus libgl1-mesa-dri libegl-mesa0 at-spi2-core python3-pyatspi python3-jeepney fcitx5 fcitx5-chewing squeekboard phoc mutter pipewire cage gir1.2-gtk-3.0 tidy)
# What the scripts that read texts are written in, for the commands that need one.
packages_scripts=(python3)
packages_check=(shellcheck python3 systemd)
# The protocols that the bindings are made from, beside those of libwayland-dev.
packages_bindings=(wayland-protocols)
# Debian packages of the cockpit and the bridge: their making, and the judges of what they hold.
packages_deb=(dpkg-dev python3-pip python3-setuptools python3-wheel)
packages_judges=(lintian desktop-file-utils appstream man-db groff mmdebstrap)
# A virtual machine, and what is put into it.
packages_boot=(qemu-system-x86 busybox-static cpio kmod udev dpkg-dev python3)
# An emulator of 64-bit ARM.
packages_arm64=(qemu-user-static)
# A Debian in a folder, and a face with Chinese letters.
packages_sid=(mmdebstrap fonts-droid-fallback)
# The archive with libraries of its own.
packages_tar=(patchelf xz-utils)
# The bare client in C that the cockpit is measured against, and what counts both.
packages_bench=(gcc libwayland-bin wayland-protocols valgrind)
# The toolkits that `./dev bench --rivals` compares with, what builds their panels, and what shrinks their screenshots. (Slint comes by pip.)
packages_rivals=(gcc g++ cmake libgtk-4-dev qt6-declarative-dev qt6-wayland qml6-module-qtquick qml6-module-qtquick-controls
  qml6-module-qtquick-layouts qml6-module-qtquick-templates qml6-module-qtquick-window qml6-module-qtqml-workerscript
  python3-venv python3-pil)
# The Python package in bridge/, and a broker for its tests.
packages_bridge=(python3-venv mosquitto mosquitto-clients procps)
# What ./dev receivers measures besides: a cable to cut, a debugger that stops the cockpit, and a flight controller that is compiled for this
# machine.
packages_receivers=(iproute2 gdb gcc make)
# The conformance suite for compositors, and Mir as another compositor to compare with.
packages_wlcs=(wlcs mir-wlcs-integration gcc)
# Two Debians in folders, and what makes them.
packages_strangers=(mmdebstrap python3 python3-venv)
# Clients that are not ours, for the stage to judge, in a Debian 12 and a Debian 13; software OpenGL and Vulkan for those that draw with it.
strangers_both=(weston foot imv mpv kitty alacritty terminology xwayland kcalc gtk-4-examples libsdl2-tests qt6-wayland qml-qt6
  qml6-module-qtquick qml6-module-qtquick-controls qml6-module-qtquick-layouts qml6-module-qtquick-templates qml6-module-qtquick-window
  qml6-module-qtqml-workerscript dbus-daemon fonts-dejavu-core adwaita-icon-theme libdecor-0-plugin-1-cairo libgl1-mesa-dri libegl-mesa0 libgles2)
strangers_bookworm=("${strangers_both[@]}" gtk-3-examples mousepad zathura qtwayland5 qtbase5-examples featherpad qterminal
  qemu-system-gui qemu-system-x86 retroarch wev firefox-esr gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-bad mesa-utils-bin
  vulkan-tools mesa-vulkan-drivers)
strangers_trixie=("${strangers_both[@]}" python3 emacs-pgtk gnome-calculator gnome-text-editor kate libsdl3-tests libelementary-bin fluid
  fltk1.4-games libdecor-tests swayimg cage labwc kwin-wayland chromium wine cog)

say() { printf './dev: %s\n' "$*" >&2; }
die() {
  say "$@"
  exit 1
}

# Prints those of the packages named that aren't installed.
missing_packages() {
  local package installed
  # dpkg-query fails for a package that it has never heard of, and that is no failure here.
  installed=$'\n'$( (dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null || true) | sed -n 's/^[hi]i *//p')$'\n'
  for package in "$@"; do
    [[ $installed == *$'\n'"$package"$'\n'* ]] || printf '%s\n' "$package"
  done
}

# Installs those of the packages named that aren't, and says so first; after `./dev --no-install` it only names them.
need() {
  command -v dpkg-query >/dev/null || die "this machine has no dpkg: install by hand what provides $*"
  local -a missing apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300)
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  [[ ${COCKPIT_INSTALL:-} != no ]] || die "missing packages: ${missing[*]}"
  command -v apt-get >/dev/null || die "no apt-get here; missing packages: ${missing[*]}"
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || die "no sudo here; as root run: apt-get install ${missing[*]}"
    apt=(sudo "${apt[@]}")
  fi
  say "installing ${missing[*]}"
  local -a install=("${apt[@]}" install -y --no-install-recommends "${missing[@]}")
  local output
  # The lists of packages are fetched only where they are absent, or too old to install from.
  if ! output=$("${install[@]}" 2>&1 </dev/null); then
    say "fetching the lists of packages first"
    "${apt[@]}" update >&2 </dev/null || die "could not fetch the lists of packages"
    output=$("${install[@]}" 2>&1 </dev/null) || die "could not install ${missing[*]}:"$'\n'"$output"
  fi
}

# The mirror that this machine's own packages come from.
debian_mirror() {
  apt-get indextargets --format "\$(SITE)" 'Created-By: Packages' "Codename: $(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" | head -n 1
}

# `suite_apt FOLDER ARCHITECTURE SUITE COMMAND...`: apt for that architecture and suite alone, from this machine's mirror, with lists and files of its
# own in FOLDER/apt-SUITE.
suite_apt() {
  local folder=$1/apt-$3 architecture=$2 suite=$3 checks=true
  shift 3
  if [[ ! -e $folder/complete ]]; then
    mkdir -p "$folder"/{state/lists,cache/archives}/partial
    : >"$folder/status"
    printf 'deb [arch=%s signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$architecture" "$(debian_mirror)" "$suite" \
      >"$folder/sources.list"
    eval "$(apt-config shell checks Acquire::Check-Valid-Until)"
    cat >"$folder/apt.conf" <<END
Dir::State "$folder/state";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
Dir::Etc::sourcelist "$folder/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
Acquire::Languages "none";
APT::Update::Error-Mode "any";
Acquire::Check-Valid-Until "$checks";
END
    APT_CONFIG=$folder/apt.conf apt-get -qq update >&2 || return
    touch "$folder/complete"
  fi
  APT_CONFIG=$folder/apt.conf "$@"
}

# Whether packages can be installed without asking a person.
installs_unasked() { [[ ${COCKPIT_INSTALL:-} != no ]] && { [[ $EUID -eq 0 ]] || sudo -n true 2>/dev/null; }; }

# `./dev packages [SET]`
list_packages() {
  local -a sets=("$@")
  [[ ${#sets[@]} -gt 0 ]] || sets=(build run nested test check bindings deb judges bench rivals bridge receivers wlcs strangers)
  local set package absent
  for set in "${sets[@]}"; do
    [[ $set =~ ^(build|run|nested|test|check|bindings|deb|judges|bench|rivals|bridge|receivers|wlcs|strangers)$ ]] || die "no set of packages is called \"$set\""
    local -n names="packages_$set"
    absent=$'\n'$(missing_packages "${names[@]}")$'\n'
    for package in "${names[@]}"; do
      if [[ $absent == *$'\n'"$package"$'\n'* ]]; then
        printf '%-8s%s (missing)\n' "$set" "$package"
      else
        printf '%-8s%s\n' "$set" "$package"
      fi
    done
  done
}

# shellcheck shell=bash
# `./dev boot`: from the start of a kernel to the first message that drives, in a virtual machine.

# `./dev boot [--emulated]`: Debian's kernel, weston and the release build on a virtual machine with a screen and a touchscreen. Prints the milliseconds
# from the kernel's start, and leaves the image of the screen in .build/boot/screen.png. Without a usable /dev/kvm it is skipped: an emulated
# machine (--emulated) shows that it works, and its times mean nothing.
boot() {
  local folder=.build/boot kernel mode=kvm
  case ${1:-} in
    '') ;;
    --emulated) mode=tcg ;;
    *) die "no such option: $1 (there is --emulated)" ;;
  esac
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_nested[@]}" "${packages_bench[@]}" "${packages_boot[@]}"
  enter_package
  build_release >&2
  mkdir -p "$folder"
  fetch_kernel "$folder"
  kernel=$(echo "$folder"/kernel/boot/vmlinuz-*)
  make_initramfs "$folder"
  if [[ $mode == kvm ]] && ! kvm_works "$folder" "$kernel"; then
    say "no usable /dev/kvm here: skipped (./dev boot --emulated shows that it works, without times that mean anything)"
    return 0
  fi
  run_guest "$folder" "$kernel" "$mode"
}

# Debian's kernel and its modules, not installed.
fetch_kernel() {
  local folder=$1 name
  name=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | head -n 1)
  [[ -n $name ]] || die "apt knows no linux-image-amd64"
  [[ -e $folder/$name ]] && return
  rm -rf -- "$folder"/kernel "$folder"/linux-image-*
  (cd -- "$folder" && apt-get -qq download "$name" 2>/dev/null && dpkg-deb -x "$name"_*.deb kernel && rm "$name"_*.deb) || die "the kernel $name could not be had"
  depmod -b "$folder/kernel" "$(basename "$folder"/kernel/lib/modules/*)"
  touch "$folder/$name"
}

# The programs with their libraries, the modules in their order, keymaps, fonts and the rules of udev that name a touchscreen.
make_initramfs() {
  local folder=$1 root=$1/root libraries file module version
  libraries=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
  rm -rf -- "$root"
  mkdir -p "$root"/{bin,dev,proc,sys,run,tmp,lib/modules,usr/share/fonts,usr/lib/udev/rules.d}
  cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -static evidence/boot/finger.c -o "$root/bin/finger"
  install -m755 evidence/boot/init "$root/init"
  install "$(command -v busybox)" "$root/bin/busybox"
  install --strip "$release_folder/cockpit" "$release_folder/cockpit-witness" "$root/bin/"
  for file in "$release_folder/cockpit" "$release_folder/cockpit-witness" /usr/bin/weston /usr/lib/systemd/systemd-udevd /usr/bin/udevadm "$libraries"/libweston-*/drm-backend.so \
    "$libraries/weston/kiosk-shell.so" "$libraries/libpangocairo-1.0.so.0"; do
    [[ $file == "$release_folder/"* ]] || put_into "$root" "$file"
    while read -r module; do put_into "$root" "$module"; done < <(ldd "$file" | grep -oE '/[^ ]+')
  done
  cp -r --parents /usr/share/X11/xkb /usr/share/libinput /usr/share/fontconfig /etc/fonts "$root"
  cp "$(dirname "$(fc-match -f '%{file}' Inter)")"/Inter-{Regular,Medium,SemiBold,Bold}.otf "$root/usr/share/fonts"
  cp /usr/lib/udev/rules.d/{50-udev-default,60-input-id,60-drm}.rules "$root/usr/lib/udev/rules.d"
  version=$(basename "$folder"/kernel/lib/modules/*)
  for module in bochs uinput evdev; do
    modprobe --dirname "$folder/kernel" --set-version "$version" --show-depends "$module"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
    cp "$file" "$root/lib/modules/"
    basename "$file" >>"$root/lib/modules/order"
  done
  (cd -- "$root" && find . | cpio --create --format=newc --quiet) >"$folder/initramfs"
}
put_into() { [[ -e $1$2 ]] || install -D "$2" "$1$2"; }

# guest FOLDER KERNEL MODE SECONDS: the virtual machine, whose console is in FOLDER/console.
guest() {
  local folder=$1 kernel=$2 mode=$3 seconds=$4 cpu=max
  [[ $mode == tcg ]] || cpu=host,-arch-capabilities
  timeout "$seconds" qemu-system-x86_64 -accel "$mode" -cpu "$cpu" -m 512 -nodefaults -no-reboot -vga std -display none \
    -serial "file:$folder/console" -qmp "unix:$folder/monitor,server,nowait" -kernel "$kernel" -initrd "$folder/initramfs" \
    -append "console=ttyS0 quiet loglevel=3 rdinit=/init" </dev/null >"$folder/qemu" 2>&1
}

# A guest's first program runs within ten seconds. (A virtual machine's own /dev/kvm may be there and take minutes.)
kvm_works() {
  [[ -w /dev/kvm ]] || return 1
  guest "$1" "$2" kvm 10 || true
  grep -q '^boot:' "$1/console" 2>/dev/null
}

run_guest() {
  local folder=$1 kernel=$2 mode=$3
  rm -f -- "$folder"/{console,monitor,screen.png}
  guest "$folder" "$kernel" "$mode" 120 &
  until grep -q 'the image\|failed' "$folder/console" 2>/dev/null; do
    sleep 0.2
    kill -0 $! 2>/dev/null || break
  done
  python3 - "$folder" <<'END'
import json
import socket
import sys

with socket.socket(socket.AF_UNIX) as monitor:
    monitor.connect(f"{sys.argv[1]}/monitor")
    lines = monitor.makefile("rw")
    for command in ({"execute": "qmp_capabilities"}, {"execute": "screendump", "arguments": {
            "filename": f"{sys.argv[1]}/screen.png", "format": "png"}}):
        lines.write(json.dumps(command) + "\n")
        lines.flush()
        while "return" not in (answer := json.loads(lines.readline())):
            if "error" in answer:
                sys.exit(answer["error"]["desc"])
END
  wait
  printf '%s, %s\n' "$(basename "$kernel")" "$([[ $mode == kvm ]] && echo KVM || echo 'emulated: the times mean nothing')"
  tr -d '\r' <"$folder/console" | sed -nE 's/^boot: ([0-9]+)\.([0-9]+) (.*)/\1\20 ms  \3/p'
  grep -q 'message that drives' "$folder/console" || die "nothing drove: $folder/console"
  say "the screen: $folder/screen.png"
}

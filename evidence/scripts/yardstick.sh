# shellcheck shell=bash
# What the bench measures the cockpit with and beside: sourced by evidence/run, which builds it, and by ./dev bench.

yardstick_folder=.build/bare
# The bench's options that name it all.
# shellcheck disable=SC2034,SC2154 # for those who source this; from them
bench_clients=(--bare "$root/$yardstick_folder/bare-text" --bare-without-text "$root/$yardstick_folder/bare"
  --floor "$root/$yardstick_folder/floor" --counter "$root/$yardstick_folder/allocations.so"
  --assistant "$root/evidence/assistive/assistant.py")
# What counts a client in lockstep is for x86-64 only.
[[ $(uname -m) != x86_64 ]] || bench_clients+=(--tools "$root/$yardstick_folder/counted")

# Builds the bench, the yardstick, and what counts clients.
build_yardstick() {
  # The yardstick, a bare client in C.
  local folder=$yardstick_folder counted shell parts
  mkdir -p "$folder"
  shell=$(pkg-config --variable=pkgdatadir wayland-protocols)/stable/xdg-shell/xdg-shell.xml
  wayland-scanner client-header "$shell" "$folder/xdg-shell-client-protocol.h"
  wayland-scanner private-code "$shell" "$folder/xdg-shell.c"
  bare_client bare bare cairo
  bare_client bare-text bare pangocairo -DWITH_TEXT
  # It sends what another client sends, and draws nothing.
  bare_client floor floor wayland-client

  # The library that is preloaded into the cockpit to count its allocations.
  cc -std=c11 -O2 -Wall -Wextra -fPIC -shared evidence/allocations/allocations.c -o "$folder/allocations.so"

  # A clock that is preloaded, and a tool for valgrind, which needs two of valgrind's own files beside it.
  if [[ $(uname -m) == x86_64 ]]; then
    counted=$folder/counted
    parts=/usr/lib/x86_64-linux-gnu/valgrind
    mkdir -p "$counted"
    cc -std=c11 -O2 -Wall -Wextra -fPIC -shared evidence/counted/clock.c -o "$counted/clock.so"
    cc -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -fno-stack-protector -fno-strict-aliasing -fno-builtin -fno-pie -no-pie \
      -static -nostdlib -u _start -Wl,-Ttext-segment=0x58000000 -Wl,--build-id=none -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 \
      -DVGPV_amd64_linux_vanilla=1 -I/usr/include/valgrind evidence/counted/counter.c -o "$counted/counter-amd64-linux" \
      "$parts"/lib{coregrind,vex,gcc-sup}-amd64-linux.a -lgcc
    ln -sf /usr/libexec/valgrind/{default.supp,vgpreload_core-amd64-linux.so} "$counted/"
  fi

  # shellcheck disable=SC2154 # from build.sh
  swift build "${release_flags[@]}" --product cockpit-bench >&2
}

# bare_client NAME SOURCE PACKAGE [FLAG...]: builds a bare client under that name, linked with a package's libraries.
bare_client() {
  local -a flags
  read -ra flags < <(pkg-config --cflags --libs wayland-client "$3")
  cc -std=gnu11 -O2 -Wall -Wextra -I"$yardstick_folder" "${@:4}" "evidence/bare/$2.c" evidence/bare/window.c \
    "$yardstick_folder/xdg-shell.c" -o "$yardstick_folder/$1" "${flags[@]}" -lm
}

# shellcheck shell=bash
# `./dev wlcs`: the stage is judged by wlcs, Debian's conformance suite for compositors, and Mir's results stand beside it.

wlcs_folder=.build/wlcs

wlcs_command() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_wlcs[@]}" "${packages_scripts[@]}"
  enter_package
  mkdir -p "$wlcs_folder"
  build_debug --product stage
  local -a flags
  read -ra flags <<<"$(pkg-config --cflags --libs wlcs wayland-client)"
  cc -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC -o "$wlcs_folder/module.so" evidence/wlcs/module.c "${flags[@]}"
  run_wlcs stage "$wlcs_folder/module.so" "$root/.build/debug/stage"
  run_wlcs mir "$(dpkg-query -L mir-wlcs-integration | grep 'miral_wlcs_integration\.so$')"
  evidence/scripts/wlcs.py "$wlcs_folder" evidence/wlcs/reasons.tsv docs/wlcs.md
}

# Runs wlcs on a module; the log is all that is kept. Cases that fail make wlcs fail, but that is not this function's business.
run_wlcs() {
  local name=$1 module=$2
  shift 2
  XDG_RUNTIME_DIR=$(mktemp -d)
  export XDG_RUNTIME_DIR
  timeout 1800 "$(pkg-config --variable=test_runner wlcs)" "$module" --gtest_color=no "$@" >"$wlcs_folder/$name.log" 2>&1 || true
  rm -rf -- "$XDG_RUNTIME_DIR"
}

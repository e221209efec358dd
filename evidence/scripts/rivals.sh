# shellcheck shell=bash
# `./dev bench --rivals`: builds the panels of evidence/rivals, measures them beside each other, and writes docs/rivals.md.

# The newest one that installs on Debian 12's Python 3.11; from 1.10 on the wheels need 3.12.
slint_version=1.9.2a1

# shellcheck disable=SC2154 # from packages.sh and build.sh
rivals() {
  need "${packages_build[@]}" "${packages_run[@]}" "${packages_rivals[@]}"
  enter_package
  local out=$root/docs folder=$root/.build/rivals source=$root/evidence/rivals flags
  local -a options=(--seconds 3)
  while [[ $# -gt 0 ]]; do
    if [[ $1 == --quick ]]; then
      options+=(--rounds 1 --seconds 1 --rest 10 --minutes 0.5 --patience 0)
      shift
      continue
    fi
    [[ $# -gt 1 ]] || die "bench --rivals: $1 needs a value"
    case $1 in
    --out) out=$2 ;;
    --hours) options+=(--minutes "$(awk -v hours="$2" 'BEGIN { print hours * 60 }')") ;;
    --minutes | --rounds | --seconds | --rest | --patience) options+=("$1" "$2") ;;
    *) die "bench --rivals: no option is called \"$1\"" ;;
    esac
    shift 2
  done
  mkdir -p -- "$folder" "$out"

  say "building the panels"
  release_products=(rival-panel cockpit-bench stage)
  build_release >&2
  read -ra flags < <(pkg-config --cflags --libs gtk4)
  cc -std=c11 -O2 -Wall "$source/gtk/panel.c" -o "$folder/panel-gtk" "${flags[@]}" -lm
  cmake -S "$source/qtquick" -B "$folder/qtquick" -DCMAKE_BUILD_TYPE=Release >"$folder/qtquick.log" 2>&1 &&
    cmake --build "$folder/qtquick" >>"$folder/qtquick.log" 2>&1 || die "the Qt panel does not build; see $folder/qtquick.log"
  [[ -x $folder/venv/bin/python ]] || /usr/bin/python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet "slint==$slint_version" >&2 || die "pip can't install Slint's wheel"

  # No session bus: each machine has another one, or none.
  unset DBUS_SESSION_BUS_ADDRESS
  # Each is named, then started by a line of variables and words.
  local -a clients=(
    "cockpit" "$release_folder/rival-panel"
    "Qt Quick" "QT_QPA_PLATFORM=wayland QT_WAYLAND_CLIENT_BUFFER_INTEGRATION=none $folder/qtquick/panel"
    "GTK" "GDK_BACKEND=wayland GSK_RENDERER=cairo $folder/panel-gtk"
    "Slint" "SLINT_BACKEND=winit-software $folder/venv/bin/python $source/slint/panel.py"
  )
  local -a arguments=()
  local index
  for ((index = 0; index < ${#clients[@]}; index += 2)); do
    arguments+=(--rival "${clients[index]}" "${clients[index + 1]}")
  done

  say "taking their screenshots"
  rm -rf -- "$folder/screenshots"
  mkdir -p -- "$folder/screenshots"
  for ((index = 0; index < ${#clients[@]}; index += 2)); do
    # shellcheck disable=SC2086 # variables and words
    "$release_folder/stage" run "$source/screenshot.json" --out "$folder/screenshots/${clients[index]}" -- env ${clients[index + 1]} \
      >"$folder/stage.log" 2>&1 || true
    [[ -e "$folder/screenshots/${clients[index]}/panel.png" ]] || die "no screenshot of ${clients[index]}; see $folder/stage.log"
  done

  say "measuring; by default this takes about 16 minutes"
  "$release_folder/cockpit-bench" "${arguments[@]}" "${options[@]}" --record "$folder/raw.json" 2>"$folder/clients.log" ||
    die "the bench failed: $(tail -n 3 "$folder/clients.log")"
  /usr/bin/python3 "$source/page.py" "$folder" "$out"
  say "wrote $out/rivals.md, rivals.svg, rivals.png and data/rivals.json, and the table of README.md if that is their place"
}

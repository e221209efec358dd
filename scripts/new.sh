# shellcheck shell=bash
# `./dev new FOLDER`: a panel of one's own, made of the files of docs/touch-panel.md.

# Names of what a panel's package uses: a module of the same name would hide it.
names_in_use='Controls|ControlsUI|Shell|ScreenshotTesting|Testing|Swift|Glibc|Main|Light|Text|Slider|Button|View|Size|Theme'

new_panel() {
  local folder=${1:-} name
  [[ $# -eq 1 && -n $folder ]] || die "./dev new takes one folder, whose name becomes the panel's: ./dev new ../Crane"
  # shellcheck disable=SC2154 # from dev
  [[ $folder == /* ]] || folder=$here/$folder
  name=$(basename -- "$folder")
  [[ $name =~ ^[A-Z][A-Za-z0-9]{0,39}$ ]] || die "a panel's name has a capital letter, and then at most 39 letters and digits, not \"$name\""
  [[ ! $name =~ ^($names_in_use)$ ]] || die "the name $name is in use: choose another one"
  [[ ! -e $folder || (-d $folder && -z $(ls -A -- "$folder")) ]] || die "$folder is there already, and not empty"
  "$root/scripts/pages.py" panel "$root/docs/touch-panel.md" "$name" "$folder" "$root" &&
    mkdir -p -- "$folder/Tests/${name}Tests/Screenshots" && printf '/.build/\n' >"$folder/.gitignore" || return
  cat <<END
$folder has a panel with a slider and a button, and a test of its pictures. Next:

  cd $(printf '%q' "$folder")
  swift run $name                              # needs a Wayland session
  SCREENSHOT_RECORD=missing swift test         # draws the pictures that are missing; look at them
  swift test                                   # compares with them

What each file is for: $root/docs/touch-panel.md
END
}

# shellcheck shell=bash
# `./dev docs`: the libraries' documentation as a static site in .build/docs/site. A warning, a link that leads nowhere or a public symbol without a
# docstring fails it.

# shellcheck source=scripts/api.sh
source "$root/scripts/api.sh"

docs() {
  need "${packages_build[@]}" "${packages_check[@]}"
  enter_package
  local work=$root/.build/docs libraries module status=0
  read_libraries
  local -a archives=() dependencies=()
  rm -rf -- "$work"
  mkdir -p "$work"
  build_debug || die "the libraries do not build"
  symbol_graphs "$work"
  "$root/scripts/symbols.py" "$work"/*.symbols/*.json || status=1
  for module in "${libraries[@]}"; do
    write_catalogue "$module" "$work/$module.docc"
    docc convert "$work/$module.docc" --additional-symbol-graph-dir "$work/$module.symbols" --output-path "$work/$module.doccarchive" \
      --fallback-display-name "$module" --fallback-bundle-identifier "io.github.cockpit.$module" \
      --enable-experimental-external-link-support "${dependencies[@]}" --warnings-as-errors || status=1
    archives+=("$work/$module.doccarchive")
    dependencies+=(--dependency "$work/$module.doccarchive")
  done
  [[ $status -eq 0 ]] || die "the documentation has the faults above"
  docc merge "${archives[@]}" --synthesized-landing-page-name cockpit --output-path "$work/site" >/dev/null
  say "$work/site: open it with a web server, such as python3 -m http.server -d $work/site"
}

# A module's catalogue: its own pages, and those of docs/ whose code is compiled and run.
write_catalogue() {
  local module=$1 catalogue=$2
  cp -r -- "$(find "$root/Sources" -maxdepth 3 -type d -name "$module.docc")" "$catalogue"
  case $module in
    Controls) article touch-panel-controls write-your-own-control range-slider ;;
    ControlsUI) article controls-ui touch-panel ;;
    ScreenshotTesting) article screenshot-tests ;;
  esac
}

# Copies pages of docs/ into the catalogue, with links to other files as their names.
article() {
  local page
  for page in "$@"; do
    "$root/scripts/pages.py" links "" <"$root/docs/$page.md" >"$catalogue/$page.md"
  done
}

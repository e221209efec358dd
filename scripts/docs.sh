# shellcheck shell=bash
# `./dev docs`: the libraries' documentation as a static site in .build/docs/site. A warning, a link that leads nowhere or a public symbol without a
# docstring fails it.

docs() {
  need "${packages_build[@]}"
  enter_package
  local work=$root/.build/docs graphs libraries module output status=0
  read_libraries
  local -a archives=() dependencies=()
  rm -rf -- "$work"
  mkdir -p "$work"
  output=$(swift package "${debug_flags[@]}" dump-symbol-graph --minimum-access-level public --skip-synthesized-members 2>&1) || die "no symbols:"$'\n'"$output"
  graphs=${output##*Files written to }
  for module in "${libraries[@]}"; do
    mkdir "$work/$module.symbols"
    cp -- "$graphs/$module".symbols.json "$work/$module.symbols"
    find "$graphs" -name "$module@*.symbols.json" -exec cp -t "$work/$module.symbols" {} +
    undocumented_symbols "$work/$module.symbols" || status=1
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

# Names the public symbols of a module that have no docstring. (What a protocol of the standard library asks for has that protocol's.)
undocumented_symbols() {
  local folder=$1 found
  found=$(
    perl -MJSON::PP -e '
      for my $path (@ARGV) {
        open my $file, "<", $path or die "$path: $!\n";
        local $/;
        for my $symbol (@{ decode_json(<$file>)->{symbols} }) {
          next if $symbol->{docComment};
          my $place = $symbol->{location};
          printf "%s:%d: no docstring: %s\n", $place->{uri} =~ s{^file://}{}r, $place->{position}{line} + 1, join ".", @{ $symbol->{pathComponents} };
        }
      }' "$folder"/*.json
  )
  [[ -z $found ]] || {
    printf '%s\n' "$found"
    return 1
  }
}

# A module's catalogue: its own pages, and those of docs/ whose code is compiled and run.
write_catalogue() {
  local module=$1 catalogue=$2
  cp -r -- "$root/Sources/$module/$module.docc" "$catalogue"
  case $module in
    Controls) article touch-panel write-your-own-control range-slider ;;
    ScreenshotTesting) article screenshot-tests ;;
  esac
}

# Copies pages of docs/ into the catalogue, with links to other files as their names.
article() {
  local page
  for page in "$@"; do
    perl -pe 's/!?\[([^\]]*)\]\((?!https?:)[^)]*\)/$1/g' "$root/docs/$page.md" >"$catalogue/$page.md"
  done
}

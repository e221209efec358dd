# shellcheck shell=bash
# `./dev wheel`: the stage as a Python wheel, for people without Swift. wheel.py has its modules, install.sh the rest of its files.

wheel_glibc=2.36

# `./dev wheel [--try [SUITE...]]`: makes the wheel in .build/wheel; `--try` installs it in a bare Debian of each suite (bookworm), where it tests
# gtk4-demo as docs/stage.md begins, and goes without a trace. `./dev wheel test [PYTEST OPTIONS]`: the tests of what is in Python.
wheel_command() {
  local wheel suite command=${1:-}
  case $command in
    '' | --try | test) ;;
    *) die "no such option: $1 (there are --try and test)" ;;
  esac
  wheel=$(make_wheel) || return
  printf '%s\n' "$wheel"
  [[ -n $command ]] || return 0
  shift
  [[ $command == --try ]] || {
    test_wheel "$wheel" "$@"
    return
  }
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_judges[@]}"
  # shellcheck source=scripts/package-trial.sh
  source "$root/scripts/package-trial.sh"
  for suite in "${@:-bookworm}"; do (try_wheel "$wheel" "$suite") || return; done
}

# Makes the wheel and prints its path; the same source and libraries give the same bytes.
make_wheel() (
  local tag name tree beside page file
  # shellcheck disable=SC2034 # for build.sh
  local program=stage release_products=(stage)
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_deb[@]}" "${packages_tar[@]}"
  stage_release "" >&2
  tag=py3-none-manylinux_${wheel_glibc/./_}_$(uname -m)
  name=wayland_stage-$(version)
  tree=$staged.wheel beside=$tree/wayland_stage.libs
  trap 'rm -rf -- "$staged" "$staged.wheel"' EXIT
  page=$staged/share/doc/stage/stage.md
  "$root/scripts/wheel.py" tree "$tree" "$(version)" "$page" "$tag"
  install -D "$staged/bin/stage" "$tree/wayland_stage/bin/stage"
  # Nothing of it is used: it is linked for its headers.
  patchelf --remove-needed libwayland-client.so.0 "$tree/wayland_stage/bin/stage"
  mkdir "$beside"
  needed_libraries "$tree/wayland_stage/bin/stage" | while read -r file; do
    install -m644 "$file" "$beside/"
    patchelf --force-rpath --set-rpath "\$ORIGIN" "$beside/${file##*/}"
  done
  patchelf --force-rpath --set-rpath "\$ORIGIN/../../wayland_stage.libs" "$tree/wayland_stage/bin/stage"
  judge_linking "$tree" || return
  write_library_copyrights "$beside" >"$tree/$name.dist-info/licenses/LIBRARIES"
  write_copyright >"$tree/$name.dist-info/licenses/COPYRIGHT"
  # In the package's own folder: of folders beside it, pip would leave empty ones.
  install -Dm644 "$page" "$tree/wayland_stage/share/doc/stage/stage.md"
  install -Dm644 -t "$tree/wayland_stage/share/man/man1" "$staged/share/man/man1/stage.1.gz"
  mkdir -p "$root/.build/wheel"
  "$root/scripts/wheel.py" pack "$tree" "$root/.build/wheel/$name-$tag.whl" "$(source_epoch)"
  printf '%s\n' "$root/.build/wheel/$name-$tag.whl"
)

# The types and the tests of the modules, in an environment with the wheel.
test_wheel() {
  local wheel=$1 environment=$root/.build/wheel/environment
  shift
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_bridge[@]}" "${packages_nested[@]}" foot at-spi2-core dbus python3-gi gir1.2-gtk-3.0
  [[ -x $environment/bin/pip ]] || python3 -m venv "$environment"
  # Its number stays the same while its content changes.
  "$environment/bin/pip" install --quiet --disable-pip-version-check "${wheel}[pytest,mcp,locators]" 'mypy>=1.10' &&
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheel" || return
  (cd -- "$root/share/stage" && "$environment/bin/python" -m mypy --strict --cache-dir "$root/.build/wheel/mypy" wayland_stage) || return
  # Elsewhere than beside the sources, so that what is tested is what is installed.
  (cd -- "$root/.build/wheel" && "$environment/bin/python" -m pytest -q --rootdir "$root/share/stage/tests" -p no:cacheprovider "$@" "$root/share/stage/tests")
}

# A library is loaded from the package's own folder, or it is glibc's; the program and each of them run with the glibc that the wheel's name
# promises, and find every symbol.
judge_linking() {
  local tree=$1 file newest strange
  for file in "$tree/wayland_stage/bin/stage" "$tree"/wayland_stage.libs/*; do
    strange=$(ldd -r "$file" 2>&1 | grep -vE "linux-vdso|/ld-linux|/wayland_stage\.libs/|/lib(c|m|pthread|dl|rt)\.so\.") || true
    [[ -z $strange ]] || die "${file##*/} needs more than glibc and what is beside it: $strange"
    newest=$(objdump -T "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
    [[ $(printf '%s\n' "${newest#GLIBC_}" "$wheel_glibc" | sort -V | tail -n 1) == "$wheel_glibc" ]] || die "${file##*/} needs $newest"
  done
  [[ $(stat -c %s "$tree/wayland_stage/bin/stage") -le 10485760 ]] || die "the program has more than 10 MiB"
}

# In the Debian is nothing but Python and a client. The page's own commands run, in a folder of a user who has nothing.
try_wheel() {
  local wheel=$1 suite=$2 work
  work=$(mktemp -d "${TMPDIR:-/tmp}/cockpit-wheel.XXXXXX")
  # shellcheck disable=SC2064 # the folder is a local
  trap "rm -rf -- '$work'" EXIT
  chmod 755 "$work"
  cp "$wheel" "$work/"
  # The commands are the page's own: its first block of the shell.
  awk '/^```/ { if (inside) exit; inside = $0 == "```sh"; next } inside' "$root/docs/stage.md" >"$work/trial.sh"
  # What pip would fetch: this machine may reach an index in a way that the Debian does not know.
  python3 -m pip --quiet --disable-pip-version-check download --only-binary :all: --dest "$work/index" pytest || return
  bare_debian "$suite" ca-certificates,python3 \
    --customize-hook="copy-in $work/${wheel##*/} $work/index $work/trial.sh $root/scripts/wheel-trial.sh /tmp" \
    --customize-hook="chroot \"\$1\" bash /tmp/wheel-trial.sh" || die "the wheel does not work in a bare Debian ($suite)"
  say "the wheel is good in $suite: $wheel"
}

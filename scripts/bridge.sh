# shellcheck shell=bash
# `./dev bridge test`: the tests of the Python package in bridge/, in a virtual environment of its own.

bridge_environment=.build/bridge
bridge_results=.build/bridge.xml

bridge_command() {
  [[ ${1:-} == test ]] || die "./dev bridge test [PYTEST OPTIONS]"
  shift
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_bridge[@]}"
  cd -- "$root"
  prepare_bridge
  say "types of bridge/"
  (cd bridge && "../$bridge_environment/bin/python" -m mypy)
  say "tests of bridge/"
  # Most of them wait for times to pass; more of them at once than processors would make them late.
  (cd bridge && "../$bridge_environment/bin/python" -m pytest -q -n 2 --junitxml "../$bridge_results" "$@")
  # A whole run is also asked which promises of the pages its tests have held.
  [[ $# -gt 0 ]] || "$root/evidence/scripts/claims.py" ran "$bridge_results"
}

# Whether the environment has what the package requires today.
bridge_is_ready() { [[ -e $bridge_environment/ready && ! bridge/pyproject.toml -nt $bridge_environment/ready ]]; }

# Makes the environment again whenever the package's requirements change.
prepare_bridge() {
  ! bridge_is_ready || return 0
  rm -rf -- "$bridge_environment"
  python3 -m venv "$bridge_environment" &&
    "$bridge_environment/bin/pip" install --quiet --disable-pip-version-check -e 'bridge[test]' &&
    touch "$bridge_environment/ready"
}

# shellcheck shell=bash
# `./dev strangers`: the stage judges clients that are not ours, and the results are written into docs/clients.md.

strangers_command() {
  # shellcheck disable=SC2154 # from packages.sh
  need "${packages_build[@]}" "${packages_strangers[@]}"
  enter_package
  release_products=(stage)
  [[ -x .build/strangers/bin/python ]] || python3 -m venv .build/strangers
  # Those of PyPI, in the second column.
  sed -n 's/^[^\t]*\tpypi:\([^\t]*\)\t.*/\1/p' evidence/strangers/clients.tsv |
    xargs .build/strangers/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all:
  build_release >&2
  # shellcheck disable=SC2154 # from build.sh
  evidence/scripts/strangers.py "$release_folder/stage" evidence/strangers/clients.tsv docs/clients.md
}

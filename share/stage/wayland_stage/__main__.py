"""The program `stage` of this package."""

import os
import sys

from wayland_stage import _own_program


def main() -> None:
    """Becomes the program, or the server for agents, which is in Python."""
    program = _own_program()
    if sys.argv[1:] == ["mcp"]:
        from wayland_stage.agent import serve

        sys.exit(serve(program))
    try:
        os.execvp(program, ["stage", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"stage: can't start {program}: {error.strerror}")


if __name__ == "__main__":
    main()

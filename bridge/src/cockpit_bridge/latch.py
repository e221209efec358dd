"""A latched emergency stop, and what the lease must know to tell old lines, outlive the program at the vehicle: a file for each pair of
source and receiver.

It needs nothing but Python, and is the same file as docs/examples/drive_latch.py: copy it beside a program of your own.
"""

import contextlib
import hashlib
import json
import os
import stat
import sys
from pathlib import Path

PROGRAM = "cockpit-bridge"
LONGEST = 65536  # Bytes that are read.


def folder(program: str = PROGRAM) -> Path:
    """Where the files of a program are: memory that a restart of the machine clears."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and os.path.isdir(runtime):
        return Path(runtime) / program
    if os.access("/run", os.W_OK) or os.access(f"/run/{program}", os.W_OK):
        return Path(f"/run/{program}")
    return Path(f"/tmp/{program}-{os.getuid()}")


class Latch:
    """The file of one source and receiver. Without a place to keep it, the drive goes on: that is said once."""

    def __init__(self, source: str, receiver: str, program: str = PROGRAM) -> None:
        self.program = program
        # A number of a descriptor changes from start to start.
        source = "fd" if source.startswith("fd:") else source
        self.path = folder(program) / (hashlib.sha256(f"{source}\n{receiver}".encode("utf-8", "surrogateescape")).hexdigest()[:24] + ".json")
        self._written: object = {}
        self._has_failed = False

    def read(self) -> object:
        """What was written last, {} if there is nothing; None for a file that cannot be read."""
        try:
            self._written = self._load()
        except (OSError, ValueError, RecursionError) as problem:
            self._say(f"{self.path} cannot be read, so the emergency stop counts as pressed: {problem}")
            self._written = None
        return self._written

    def _load(self) -> object:
        self._check_folder()
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return {}
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("no file")
            return json.loads(file.read(LONGEST))

    def _check_folder(self) -> None:
        """A folder of somebody else may say what it likes."""
        with contextlib.suppress(FileNotFoundError):
            found = os.lstat(self.path.parent)
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
                raise OSError(f"{self.path.parent} is no private folder of this user")

    def write(self, memory: object) -> None:
        """Keeps `memory`, if it has changed."""
        if memory == self._written:
            return
        try:
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            self._check_folder()
            if memory:
                part = self.path.with_suffix(f".{os.getpid()}")
                part.unlink(missing_ok=True)
                descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
                with open(descriptor, "wb") as file:
                    file.write(json.dumps(memory).encode())
                part.rename(self.path)
            else:
                self.path.unlink(missing_ok=True)
        except (OSError, ValueError) as problem:
            if not self._has_failed:
                self._say(f"an emergency stop would not outlive this program: {problem}")
            self._has_failed = True
        self._written = memory

    def _say(self, text: str) -> None:
        """Standard error may take nothing: that must end no drive."""
        with contextlib.suppress(Exception):
            print(f"{self.program}: {text}", file=sys.stderr, flush=True)

"""What the program says, to people who may not be there: nothing that is said may end a drive, or hold it up."""

import contextlib
import io
import logging
import os
import select
import sys


def say(text: str) -> None:
    """A line on standard error, if it takes one at once: the disk may be full, the reader gone or asleep, the terminal closed."""
    with contextlib.suppress(Exception):
        print(f"cockpit-bridge: {text}", file=sys.stderr, flush=True)


class Patient(io.TextIOBase):
    """Standard error that never throws and never waits: what finds no room is dropped."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError):
            data = text.encode("utf-8", "backslashreplace")
            poll = select.poll()
            poll.register(self._descriptor, select.POLLOUT)
            # A pipe that can be written takes 4096 bytes.
            if poll.poll(0):
                os.write(self._descriptor, data[:4096])
        return len(text)


def be_patient() -> None:
    """Makes standard error patient, for libraries and tracebacks too. Closed descriptors are filled: no other file gets their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = Patient(-1)
    elif sys.stderr is sys.__stderr__:
        sys.stderr = Patient(2)
    logging.raiseExceptions = False

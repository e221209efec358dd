"""`cockpit-bridge export RECORD.jsonl OUT.mcap`: a session record (`cockpit --record`) as MCAP, which robotics tools open."""

import argparse
import contextlib
import heapq
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from .channels import schema
from .record import Message, NoRecord, Record, parsed, readable
from .words import say

if TYPE_CHECKING:
    from mcap.writer import Writer

NAMES = ("cockpit-wayland", "cockpit")  # Of the cockpit's program: that of the package, and that of a build.
MAGIC = b"\x89MCAP"
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CLOCKS = {False: "nanoseconds since the record's start", True: "nanoseconds since 1970"}


class Stopped(BaseException):
    """A signal asks to end."""


class CannotWrite(Exception):
    """The output cannot be what it should."""


def main(words: list[str]) -> int:
    """Runs `export`; returns its exit code: 0 if something was exported, 1 if nothing could be, or 2 for a file that is no record."""
    parser = argparse.ArgumentParser(prog="cockpit-bridge export", description="exports a record of cockpit --record as MCAP")
    parser.add_argument("record", metavar="RECORD.jsonl", help="what cockpit --record wrote")
    parser.add_argument("output", metavar="OUT.mcap", help="the file to write; another MCAP file of this name is replaced")
    parser.add_argument(
        "--cockpit", metavar="PATH",
        help="the cockpit that computes the lines of /drive again (default: cockpit-wayland or cockpit in PATH); none leaves them out")
    options = parser.parse_args(words)
    try:
        from mcap.writer import Writer
    except ImportError:
        say('export needs the Python package mcap: pip install "cockpit-bridge[mcap]"')
        return 1
    try:
        with _signals(), contextlib.closing(Record(options.record)) as record:
            return _export(record, options.output, options.cockpit, Writer)
    except (Stopped, KeyboardInterrupt) as end:
        say("interrupted: nothing was written")
        return 128 + (end.args[0] if end.args else signal.SIGINT)
    except NoRecord as problem:
        say(str(problem))
        return 2
    except CannotWrite as problem:
        say(str(problem))
        return 1
    except OSError as problem:
        # What stands behind the record's own name: all else is a `CannotWrite`.
        say(f"cannot read {options.record}: {problem.strerror}")
        return 2


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """Ends in order by signals, so that no half file stays. What was ignored when the program started stays ignored: nohup."""
    def end(number: int, _: FrameType | None) -> NoReturn:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    before = {number: handler for number in ENDING if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _export(record: Record, output: str, cockpit: str | None, writer: "type[Writer]") -> int:
    target = _target(output, record)
    program = _program(cockpit)
    record.look()
    if record.damage and record.lines == 1:
        say(f"{record.path}:{record.damage.line}: {record.damage.reason}; nothing before it can be exported")
        return 1
    counts: dict[str, int] = {}
    try:
        with _replacing(target) as file:
            counts = _write(record, file, os.path.dirname(target), program, writer)
    except OSError as problem:
        raise CannotWrite(f"cannot write {output}: {problem.strerror}") from problem
    if record.damage:
        say(f"{record.path}:{record.damage.line}: {record.damage.reason}; only what stands before it is exported")
    if record.skipped:
        say(f"{record.skipped} lines are of kinds that this version does not know, and are left out")
    # The file is written, whether or not anybody can be told.
    with contextlib.suppress(OSError, ValueError):
        made = ", ".join(f"{topic} {count}" for topic, count in sorted(counts.items())) or "no messages"
        print(f"{readable(output)}: {record.span / 1e9:.3f} s of {record.name}: {made}", flush=True)
    return 0


def _target(output: str, record: Record) -> str:
    """The file that is written. Nothing is replaced but an older export: what else stands there may be the only record of a crash."""
    target = os.path.realpath(output)
    try:
        found = os.stat(target)
        if not stat.S_ISREG(found.st_mode):
            raise CannotWrite(f"cannot write {output}: it is no regular file")
        with open(target, "rb") as file:
            if found.st_size and file.read(len(MAGIC)) != MAGIC:
                raise CannotWrite(f"{output} is kept: it is no MCAP file")
    except FileNotFoundError:
        pass
    except OSError as problem:
        raise CannotWrite(f"cannot write {output}: {problem.strerror}") from problem
    return target


@contextlib.contextmanager
def _replacing(target: str) -> Iterator[BinaryIO]:
    """A file that takes the name `target` once all of it is written, and goes if it cannot be. Only the user may read it, as a record."""
    descriptor, name = tempfile.mkstemp(prefix=".cockpit-export-", suffix=".mcap", dir=os.path.dirname(target))
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _program(path: str | None) -> tuple[str, str] | None:
    """The cockpit's program and what it says of its version; None if there is none, which is said."""
    if path == "none":
        return None
    for name in (path,) if path else NAMES:
        found = shutil.which(name)
        version = found and _version(found)
        if found and version:
            return found, version
    if path:
        say(f"{path} is no cockpit that can be run: /drive is left out")
    else:
        say("no cockpit was found, whose replay computes the lines that were sent: /drive is left out (--cockpit PATH names one)")
    return None


def _version(program: str) -> str | None:
    """What a cockpit says of its version; None of any other program."""
    try:
        said = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False).stdout[:100]
    except (OSError, subprocess.SubprocessError):
        return None
    words = said.decode("utf-8", "replace").split()
    return " ".join(words) if words[:1] == ["cockpit"] else None


class Replay:
    """The lines that were sent to the vehicle, which the cockpit computes again from the record. A replay drives nothing."""

    def __init__(self, program: str, record: str, start: int) -> None:
        self._start = start
        self._errors = tempfile.TemporaryFile()
        self.failure: str | None = None
        self._process = subprocess.Popen(
            [program, "--config", "none", "--replay", os.path.abspath(record), "--no-window", "--drive", "-"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors)

    def messages(self) -> Iterator[Message]:
        assert self._process.stdout
        for number, line in enumerate(self._process.stdout, 1):
            try:
                said = parsed(line)
                time = round(said["t"] * 1e6) * 1000 - self._start
            except (ValueError, LookupError, TypeError, OverflowError):
                self.failure = f"its line {number} is no drive message"
                return
            yield Message(max(time, 0), "/drive", said, number)
        if self._process.wait() != 0:
            self.failure = self._said() or f"it ended with status {self._process.returncode}"

    def _said(self) -> str:
        """The last line on its standard error."""
        self._errors.seek(max(self._errors.seek(0, os.SEEK_END) - 1000, 0))
        lines = self._errors.read().decode("utf-8", "replace").splitlines()
        return "".join(letter if letter.isprintable() else "?" for letter in lines[-1].removeprefix("cockpit: ")) if lines else ""

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._errors.close()


def _write(
    record: Record, file: BinaryIO, folder: str, program: tuple[str, str] | None, writer: "type[Writer]"
) -> dict[str, int]:
    """Writes the messages in the order of their times; returns their number by channel."""
    with contextlib.ExitStack() as stack:
        replay = None
        if program:
            # The cockpit plays nothing of a damaged record, so it gets the whole part. A last line without end it leaves out itself.
            path = record.path if not record.damage or record.is_cut else stack.enter_context(_copy(record, folder))
            try:
                replay = Replay(program[0], path, record.start)
                stack.callback(replay.end)
            except OSError as problem:
                say(f"{program[0]} cannot be run: {problem.strerror}: /drive is left out")
        output = writer(file)
        output.start(profile="", library="cockpit-bridge")
        counts = _add(output, record, heapq.merge(record.messages(), replay.messages() if replay else (), key=lambda each: each.time))
        if replay and replay.failure:
            number = counts.get("/drive")
            left = f"/drive ends after {number} lines" if number else "/drive is left out"
            say(f"the cockpit cannot replay the record: {replay.failure}: {left}")
        output.add_metadata("cockpit", _facts(record, program[1] if replay and program and not replay.failure else ""))
        output.finish()  # type: ignore[no-untyped-call]
        return counts


def _add(output: "Writer", record: Record, messages: Iterator[Message]) -> dict[str, int]:
    base = record.wall or 0
    channels: dict[str, int] = {}
    counts: dict[str, int] = {}
    encode: Callable[[object], str] = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
    for message in messages:
        topic = message.topic
        if topic not in channels:
            name, form = schema(topic)
            channels[topic] = output.register_channel(topic, "json", output.register_schema(name, "jsonschema", encode(form).encode()))
        counts[topic] = counts.get(topic, 0) + 1
        published = message.time if message.published is None else message.published
        output.add_message(
            channels[topic], log_time=base + message.time, data=encode(message.fields).encode(),
            publish_time=max(base + published, 0), sequence=counts[topic])
    return counts


@contextlib.contextmanager
def _copy(record: Record, folder: str) -> Iterator[str]:
    """The whole part of a damaged record, in a file beside the output."""
    with tempfile.NamedTemporaryFile(prefix=".cockpit-export-", suffix=".jsonl", dir=folder) as copy:
        with open(record.path, "rb") as whole:
            rest = record.whole
            while rest > 0 and (part := whole.read(min(rest, 1 << 20))):
                copy.write(part)
                rest -= len(part)
        copy.flush()
        yield copy.name


def _facts(record: Record, replayed: str) -> dict[str, str]:
    """What is known of the record as a whole, for the file's metadata."""
    header = record.header
    facts = {
        "record": record.name, "logTime": CLOCKS[record.wall is not None], "start": str(record.start), "lines": str(record.lines),
        "endsProperly": "true" if record.has_end else "false", "drive": f"computed again by {replayed}" if replayed else "left out",
        "options": json.dumps(header.get("options", {}), sort_keys=True)}
    if isinstance(header.get("id"), str):
        facts["id"] = header["id"]
    if record.wall is not None:
        facts["wall"] = str(record.wall)
    if record.damage:
        facts["damage"] = f"line {record.damage.line}: {record.damage.reason}"
    return {name: readable(value) for name, value in facts.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

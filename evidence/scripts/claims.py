#!/usr/bin/env python3
"""claims.py check | list | ran FILE | run [WORD ...]

Keeps docs/data/claims.toml and the absolute sentences of the pages below in step. A sentence is a candidate if it has one of the words of WORDS
outside of code. In tables each sentence of a cell counts, headed by its row's first cell ("the row | the sentence"); first cells, headings, code blocks
and what a program writes between "begin" and "end" do not. Each candidate has one entry:

    [[promise]]    a test holds it: `test`, and a small change of `file`, from `old` to `new`, that this test fails for
    [[open]]       a promise that no named test holds yet: `missing` says what is missing. There may be at most `most_open` of them
    [[statement]]  no promise about what the code does: `why` is a word of WHY

`ran` fails for a promise whose test a whole run (Swift Testing's lines of JSON, or pytest's XML) does not have. `run` makes each change in a copy of the
tree, or those whose number or test's name is a WORD, and shows how the test ends without and with it. Swift is built once: each change is behind a
switch that COCKPIT_CLAIM turns on. Python is not built, so it is changed as it stands. After 30 minutes nothing more is begun.

`old` is in its file exactly once. In a promise `old` and `new` are whole statements; where only an expression changes it stands in ⟦ ⟧ in both.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from xml.etree import ElementTree

PAGES = ["README.md", "docs/drive.md", "docs/gamepads.md", "docs/hazards.md", "docs/receivers.md", "docs/reliability.md", "docs/video.md",
         "SECURITY.md", "bridge/README.md", "bridge/docs/export.md"]
TABLE = "docs/data/claims.toml"
WORDS = re.compile(
    r"\b(never|always|only|nothing|nobody|none|cannot|at once|immediately|every|verified|byte[ -]for[ -]byte|within [0-9.]+ m?s)\b", re.I)
WHY = {
    "advice": "what the reader should do, or may expect from somebody else's part",
    "others": "what other programs, devices, people or standards do",
    "limit": "what the program is not, cannot do or does not know",
    "measured": "what a measurement found, or how it was made",
    "pages": "what a page, a table or a word of it is",
}


def sentences(text, ends=".!?"):
    parts = re.split(rf"(?<=[{ends}])[)*]*\s+(?=[A-Z`*\"(\[0-9]|[a-z]+\b)" if ";" in ends else rf"(?<=[{ends}])\**\s+(?=[A-Z`*\"(\[])", text)
    return [part.replace("**", "").strip() for part in parts if part.strip()]


def candidates(text):
    """The absolute sentences of a page, in order, each once."""
    found, paragraph, is_code, is_written, rows = {}, [], False, False, 0

    def note(sentence, head=""):
        if WORDS.search(re.sub(r"`[^`]*`", "", sentence)):
            found[head + sentence] = None

    def finish():
        for sentence in sentences(" ".join(" ".join(paragraph).split())):
            note(sentence)
        paragraph.clear()

    for line in text.splitlines():
        is_code ^= line.startswith("```")
        is_written = (is_written or bool(re.match("<!--.*(begin| writes)", line))) and not re.match("<!--.*end", line)
        is_row = line.startswith("|")
        rows = rows + 1 if is_row else 0
        if is_written and not is_row and not line.strip():
            is_written = "begin" in text and is_written
        if is_code or is_written or is_row or line.startswith(("#", "    ", "<!--", "```")) or not line.strip():
            finish()
            if is_row and rows > 2 and not is_written:
                head, *cells = (" ".join(cell.split()) for cell in line.strip("|").split("|"))
                for cell in cells:
                    for sentence in sentences(cell, ".!?;"):
                        note(sentence, f"{head} | ")
            continue
        if re.match(r"\s*(-|\d+\.) ", line):
            finish()
            line = re.sub(r"^\s*(-|\d+\.) ", "", line)
        paragraph.append(line)
    finish()
    return list(found)


class Table:
    """docs/data/claims.toml of the tree at `root`, and what is wrong with it."""

    def __init__(self, root):
        self.root, self.mistakes = root, []
        made = tomllib.loads((root / TABLE).read_text())
        self.promises, self.open, self.statements = (made.get(kind, []) for kind in ("promise", "open", "statement"))
        self.most_open = made.get("most_open", 0)

    def text(self, file):
        path = self.root / file
        return path.read_text() if path.is_file() else None

    def check(self):
        """The mistakes, in words."""
        said = {}
        for kind, entries in (("promise", self.promises), ("open", self.open), ("statement", self.statements)):
            for entry in entries:
                for sentence in entry["says"]:
                    said.setdefault(sentence, set()).add(kind)
        known = {f"{page}: {sentence}" for page in PAGES for sentence in candidates(self.text(page) or "")}
        self.mistakes += [f"no entry: {sentence}" for sentence in sorted(known - said.keys())]
        self.mistakes += [f"an entry, and no such sentence: {sentence}" for sentence in said.keys() - known]
        self.mistakes += [f"a promise and no promise: {sentence}" for sentence, kinds in said.items() if len(kinds) > 1 and "statement" in kinds]
        self.mistakes += [f'no such reason: {each["why"]}' for each in self.statements if each["why"] not in WHY]
        count = len({sentence for sentence, kinds in said.items() if "open" in kinds})
        if count > self.most_open:
            self.mistakes.append(f"{count} sentences are open; most_open allows {self.most_open}")
        for entry in self.promises:
            self._check_promise(entry)
        return self.mistakes

    def _check_promise(self, entry):
        test, file, old = entry["test"], entry["file"], bare(entry["old"])
        if not self._has_test(test):
            self.mistakes.append(f"no such test: {test}")
        count = (self.text(file) or "").count(old)
        if count != 1:
            self.mistakes.append(f"{file} has {count} times, and should have once: {old}")
        if (("⟦" in entry["old"]) != ("⟦" in entry["new"])) or bare(entry["new"]) == old:
            self.mistakes.append(f"{file}: no change: {old}")

    def _has_test(self, test):
        if "::" in test:
            file, function = test.split("::")
            return re.search(rf"^(async )?def {re.escape(function)}\(", self.text(file) or "", re.M) is not None
        module, suite, name = parts_of(test)
        form = re.compile(rf"\bfunc (`{re.escape(name)}`|{re.escape(name)})\s*\(")
        texts = (file.read_text() for file in (self.root / "Tests" / module).rglob("*.swift"))
        return any(re.search(rf"\b(struct|class|extension) {re.escape(suite)}\b", text) and form.search(text) for text in texts)


def bare(text):
    return text.replace("⟦", "").replace("⟧", "")


def parts_of(test):
    """Module, suite and name of a Swift test ("CockpitTests.HandsTests/a scripted drive commands nothing")."""
    suite, name = test.split("/", 1)
    return (*suite.split(".", 1), name)


def summary(table):
    sentences_of = lambda entries: len({sentence for entry in entries for sentence in entry["says"]})  # noqa: E731
    return (f"{sentences_of(table.promises)} sentences are held by {len(table.promises)} changes, {sentences_of(table.open)} are open, "
            f"{sentences_of(table.statements)} promise nothing")


# A whole run.

def ran_in(file):
    """The tests that ended without being skipped: by Swift Testing's JSON lines, or by pytest's XML."""
    if file.suffix == ".xml":
        cases = ElementTree.parse(file).iter("testcase")
        return {(case.get("classname").rpartition(".")[2], case.get("name").partition("[")[0]) for case in cases if case.find("skipped") is None}
    tests, ended, skipped = {}, set(), set()
    for line in open(file):
        payload = json.loads(line)["payload"]
        kind = payload["kind"]
        if kind == "function":
            name = payload.get("displayName", payload["name"])
            tests[payload["id"]] = {name, payload["name"].rpartition("(")[0].strip("`")}
        elif kind == "testEnded":
            ended.add(payload["testID"])
        elif kind in ("testSkipped", "testCancelled"):
            skipped.add(payload["testID"])
    return {(suite, name) for test in ended - skipped if test in tests for name in tests[test]
            for suite in re.findall(r"[A-Za-z0-9]+", test.partition("/`")[0])}


def not_run(table, file):
    """The tests of promises that should have run there, and did not; each with the first sentence that it holds."""
    found, is_python = ran_in(file), file.suffix == ".xml"
    said = set()
    for entry in table.promises:
        test = entry["test"]
        if ("::" in test) == is_python:
            key = (Path(test.split("::")[0]).stem, test.split("::")[1]) if is_python else parts_of(test)[1:]
            if key not in found and key not in said:
                said.add(key)
                yield f"{test} did not run; it holds: {entry['says'][0]}"


# Each change.

SWITCH = "COCKPIT_CLAIM"
LIMIT = 30 * 60  # Seconds.
# Programs that tests start in an environment of their own have none of these variables: there the switch is that of who has started them.
SWIFT = """import Glibc
nonisolated enum ClaimSwitch {
  nonisolated static let number: Int = unsafe getenv("NAME").flatMap { unsafe Int(String(cString: $0)) } ?? inheritedNumber
  nonisolated static func isOn(_ number: Int) -> Bool { number == ClaimSwitch.number }
  nonisolated private static func parts(of file: String, between separator: UInt8) -> [String] {
    guard let file = unsafe fopen(file, "r") else { return [] }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return bytes.prefix(count).split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }
  nonisolated private static var inheritedNumber: Int {
    var process = "self"
    for _ in 0..<16 {
      let parent = parts(of: "/proc/\\(process)/status", between: 10).first { $0.hasPrefix("PPid:") }
      process = String(parent?.split(separator: "\\t").last ?? "0")
      let said = parts(of: "/proc/\\(process)/environ", between: 0).first { $0.hasPrefix("NAME=") }
      if let number = said.flatMap({ Int($0.split(separator: "=")[1]) }) { return number }
    }
    return -1
  }
}
""".replace("NAME", SWITCH)


def wrapped(changes):
    """An old text of a Swift file with the new ones beside it, each of which its number turns on."""
    before, made, after = changes[0][1]["old"], None, ""
    for number, entry in changes:
        is_on, new = f"ClaimSwitch.isOn({number})", entry["new"]
        if "⟦" in entry["old"]:
            before, middle, after = re.fullmatch("(.*)⟦(.*)⟧(.*)", entry["old"], re.S).groups()
            made = f"({is_on} ? ({re.fullmatch('.*⟦(.*)⟧.*', new, re.S).group(1)}) : {made or f'({middle})'})"
        else:
            made, before = f"if {is_on} {{ {new} }} else {{ {made or entry['old']} }}", ""
    return before + made + after


def copied(root, target):
    """A copy of the tree, without what git ignores. Files that are the same keep their times; those that an older copy has more are removed."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    kept = {target / name for name in names}
    for folder, folders, files in os.walk(target):
        folders[:] = [name for name in folders if name != ".build"]
        for file in files:
            if Path(folder) / file not in kept:
                (Path(folder) / file).unlink()
    for name in names:
        source, to = root / name, target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            to.unlink(missing_ok=True)
            to.symlink_to(os.readlink(source))
        elif source.is_file() and (not to.is_file() or to.read_bytes() != source.read_bytes()):
            shutil.copy2(source, to)
    return target


def run_python(root, entry, is_changed):
    """Whether the test passes in a copy of what Python needs; None if it did not run."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("bridge", "docs", "share"):
            shutil.copytree(root / name, Path(folder) / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        if is_changed:
            file = Path(folder) / entry["file"]
            file.write_text(file.read_text().replace(bare(entry["old"]), bare(entry["new"])))
        environment = os.environ | {"PYTHONPATH": f"{folder}/bridge/src", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [root / ".build/bridge/bin/python", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", entry["test"].removeprefix("bridge/")]
        try:
            status = subprocess.run(command, cwd=f"{folder}/bridge", env=environment, stdout=subprocess.DEVNULL, timeout=300).returncode
        except subprocess.TimeoutExpired:
            return False
        # Others than these are no test's: no such test, or a file that cannot be read.
        return {0: True, 1: False}.get(status)


def build_swift(root, modules, entries):
    """A copy in which a switch turns each Swift change on; returns its folder."""
    tree = copied(root, root / ".build/claims")
    files = {}
    for number, entry in entries:
        files.setdefault(entry["file"], {}).setdefault(bare(entry["old"]), []).append((number, entry))
    for file, changes in files.items():
        text = (root / file).read_text()
        for old, found in changes.items():
            text = text.replace(old, wrapped(found))
        (tree / file).write_text(text)
        (tree / "/".join(file.split("/")[:2]) / "ClaimSwitch.swift").write_text(SWIFT)
    subprocess.run(["swift", "build", "--build-tests"], cwd=tree, env=os.environ | {"COCKPIT_TESTS": modules}, check=True)
    return tree


def run_swift(tree, entry, number):
    """Whether the test passes, None if it did not run; `number` is the change that is on. One that takes five minutes does not pass."""
    module, suite, name = parts_of(entry["test"])
    program = (tree / ".build/debug/cockpitPackageTests.xctest").resolve()
    command = [program, "--testing-library", "swift-testing", "--filter", rf"^{module}\.(.*/)?{suite}/`?{re.escape(name)}`?\("]
    environment = os.environ | {SWITCH: str(number)}
    with open(tree / ".build/claims.log", "w") as log:
        test = subprocess.Popen(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        try:
            status = test.wait(timeout=300)
        except subprocess.TimeoutExpired:
            status = 1
        try:
            os.killpg(test.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        test.wait()
    if status == os.EX_UNAVAILABLE:
        return None
    return status == 0


def run(table, words):
    """Runs the test of each promise without and with its change; `words` are numbers of promises, or a part of their tests' names."""
    end = time.monotonic() + LIMIT
    chosen = [(number, entry) for number, entry in enumerate(table.promises)
              if not words or any(word == str(number) or (not word.isdigit() and word in entry["test"]) for word in words)]
    swift = [each for each in chosen if "::" not in each[1]["test"]]
    modules = ",".join(sorted({parts_of(entry["test"])[0] for _, entry in swift}))
    tree = build_swift(table.root, modules, swift) if swift else None

    def outcome(entry, number):
        """What the test does; `number` is the change that is made, -1 for none."""
        if time.monotonic() >= end:
            return "not run"
        is_python = "::" in entry["test"]
        passes = run_python(table.root, entry, number >= 0) if is_python else run_swift(tree, entry, number)
        return {True: "passes", False: "fails", None: "not run"}[passes]

    whole, red, green = {}, 0, 0
    print("| change | without | with | test | file |\n|---|---|---|---|---|")
    for number, entry in chosen:
        test = entry["test"]
        whole[test] = whole.get(test) or outcome(entry, -1)
        changed = outcome(entry, number)
        red += (whole[test], changed) == ("passes", "fails")
        green += changed == "passes"
        print(f"| {number} | {whole[test]} | {changed} | {test} | {entry['file']} |", flush=True)
    print(f"{len(chosen)} changes: {red} red (the test fails with it, and passes without), {green} green, {len(chosen) - red - green} not run or "
          "with a test that fails without it")
    return red == len(chosen)


def main(words):
    table = Table(Path.cwd())
    if words[:1] == ["list"]:
        print("\n".join(f"{page}: {sentence}" for page in PAGES for sentence in candidates(table.text(page) or "")))
        return 0
    if words[:1] == ["run"]:
        return 0 if run(table, words[1:]) else 1
    mistakes = list(not_run(table, Path(words[1]))) if words[:1] == ["ran"] else table.check()
    print("\n".join([f"{TABLE}: {mistake}" for mistake in mistakes] or [summary(table)]))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

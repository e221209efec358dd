#!/usr/bin/env python3
"""wlcs.py FOLDER REASONS PAGE: counts what FOLDER/stage.log and FOLDER/mir.log say, prints the stage's counts for each suite, and writes
PAGE. Each failed case needs a reason in REASONS (a pattern, a tab, a sentence), and no case that passes may have one."""
import re
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass

OUTCOMES = ["passed", "failed", "skipped"]


class Log:
    """The cases of a log: their outcomes, the reasons of skipped ones, and how often the compositor crashed."""

    def __init__(self, path):
        self.outcomes, self.skips, self.crashes = {}, {}, 0
        note = None
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if found := re.match(r"\[          \] (.*)", line):
                    note = found[1]
                self.crashes += line.startswith("[ CRASHED  ]")
                if re.match(r"\[==========\] .* (?:ran|run\.)", line):
                    break
                found = re.match(r"\[ +(OK|FAILED|SKIP) +\] ([^\s,]+)(?:, .*)? \(\d+ ?ms\)$", line)
                if not found:
                    continue
                word, name = found.groups()
                self.outcomes[name] = {"OK": "passed", "FAILED": "failed", "SKIP": "skipped"}[word]
                if word == "SKIP":
                    if note is not None:
                        self.skips[name] = note.removeprefix("Missing extension: ")
                    note = None
        if not self.outcomes:
            sys.exit(f"{path}: no case ran")


@dataclass
class Reason:
    pattern: str
    text: str
    is_used: bool = False

    def explains(self, name):
        return re.fullmatch(".*".join(map(re.escape, self.pattern.split("*"))), name)


def read_reasons(path):
    with open(path, encoding="utf-8") as lines:
        return [Reason(*line.rstrip("\n").split("\t")[:2]) for line in lines if line.strip() and not line.startswith("#")]


def judge(log, reasons, path):
    """The reasons of the failed cases, and what is wrong with cases and reasons."""
    explained, problems = {}, []
    for name, outcome in sorted(log.outcomes.items()):
        known = next((reason for reason in reasons if reason.explains(name)), None)
        if known:
            known.is_used = True
        if outcome == "failed":
            if not known:
                problems.append(f"{name} failed, and {path} has no reason")
            explained[name] = known.text if known else "unexplained"
        elif known and outcome == "passed":
            problems.append(f"{name} passed, but {path} explains why it fails")
    problems += [f"{path}: no case is called {reason.pattern}" for reason in reasons if not reason.is_used]
    if log.crashes:
        problems.append(f"the stage crashed in {log.crashes} cases")
    return explained, problems


def version(package):
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], stdout=subprocess.PIPE, text=True).stdout


def page(ours, mir, explained, suites, total, mir_total):
    missing = Counter(note.removesuffix(">= 1") for name, note in ours.skips.items() if not name.startswith("SelfTest."))

    def row(name, counts):
        return f"| {name} | " + " | ".join(str(count) for count in counts) + " |\n"

    yield f"""# The stage, judged by wlcs

`./dev wlcs` writes this page. wlcs is a suite of test cases for compositors; its version here is
Debian's {version("wlcs")}. It loads `evidence/wlcs/module.c`, which passes its calls on to `stage --wlcs`: the
[stage](architecture/tests.md) with a desktop, in real time. Mir {version("mir-wlcs-integration")}, the compositor that wlcs was
written for, runs the same cases on the same machine.

| | passed | failed | skipped |
|---|---|---|---|
"""
    yield row("stage", (total[outcome] for outcome in OUTCOMES))
    yield row("Mir", (mir_total[outcome] for outcome in OUTCOMES))
    yield """
wlcs skips four cases of its own, and those of protocols that a compositor does not have. The stage leaves out these, all of which
newer protocols have replaced:

"""
    for extension, count in sorted(missing.items()):
        yield f"- `{extension}`: {count} cases\n"
    yield "\n## Suites\n\n| suite | passed | failed | skipped | Mir: passed | failed | skipped |\n|---|---|---|---|---|---|---|\n"
    for suite, (own, other) in sorted(suites.items()):
        yield row(suite, [counts[outcome] for counts in (own, other) for outcome in OUTCOMES])
    yield "\n## Cases that fail\n\n| case | Mir | reason |\n|---|---|---|\n"
    for name, reason in sorted(explained.items()):
        yield f"| `{name}` | {mir.outcomes.get(name, 'not run')} | {reason} |\n"
    yield "\n## Cases that pass here and fail with Mir\n\n"
    for name, outcome in sorted(ours.outcomes.items()):
        if outcome == "passed" and mir.outcomes.get(name) == "failed":
            yield f"- `{name}`\n"


def main():
    folder, reasons_path, page_path = sys.argv[1:]
    ours, mir = Log(f"{folder}/stage.log"), Log(f"{folder}/mir.log")
    explained, problems = judge(ours, read_reasons(reasons_path), reasons_path)
    suites = defaultdict(lambda: (Counter(), Counter()))
    for name, outcome in ours.outcomes.items():
        own, other = suites[name.rpartition(".")[0]]
        own[outcome] += 1
        other[mir.outcomes.get(name)] += 1
    total, mir_total = (sum((pair[side] for pair in suites.values()), Counter()) for side in (0, 1))

    width = max(map(len, suites))
    print(f"{'suite':<{width}} {'passed':>6} {'failed':>6} {'skipped':>7}")
    for suite, (own, _) in sorted(suites.items()):
        print(f"{suite:<{width}} {own['passed']:6} {own['failed']:6} {own['skipped']:7}")
    for name, reason in sorted(explained.items()):
        print(f"{name}: {reason}")
    with open(page_path, "w", encoding="utf-8") as out:
        out.writelines(page(ours, mir, explained, suites, total, mir_total))
    for problem in problems:
        print(f"problem: {problem}")
    print(", ".join(f"{total[outcome]} {outcome}" for outcome in OUTCOMES))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

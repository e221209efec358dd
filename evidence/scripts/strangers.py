#!/usr/bin/env python3
"""Judges the clients of a list by `stage check`, finds a short script for each finding, and writes a page about all.

    strangers.py STAGE CLIENTS PAGE
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

stage, clients, page = sys.argv[1:]
finding = re.compile(r"^(?P<place>.*): (?P<kind>violation|advice|failed|died): (?P<text>.*)$")


def command(line):
    """The variables and the words of a client's command."""
    words = shlex.split(line)
    count = next(i for i, word in enumerate(words) if not re.match(r"[A-Z_0-9]+=", word))
    return dict(word.split("=", 1) for word in words[:count]), words[count:]


def run(arguments, line):
    """What the stage prints about a client, and its exit code."""
    variables, words = command(line)
    environment = {**os.environ, **variables}
    for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"):
        environment.pop(name, None)
    result = subprocess.run(
        ["timeout", "60", stage, *arguments, "--", *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    return result.stdout, result.returncode


def rule_of(match):
    """The rule that a line is about."""
    return match["text"].split()[0].rstrip(":")


def play(steps, line):
    """The rules that a script finds broken, with the lines that say so."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(steps))
        file.flush()
        output, _ = run(["run", file.name], line)
    matches = filter(None, map(finding.match, output.splitlines()))
    return {rule_of(match): match["text"] for match in matches if match["kind"] == "violation"}


def shortest(steps, index, rule, line):
    """A script as short as leaving out steps makes it, that still finds the rule broken; None if it is not found again."""
    steps = steps[: index + 1] + ([{"do": "advance", "ms": 100}] if steps[index]["do"] != "advance" else [])
    found = play(steps, line).get(rule)
    if not found:
        return None
    size = len(steps) // 2
    while size:
        # The first step waits for the window.
        start = 1
        while start < len(steps):
            fewer = steps[:start] + steps[start + size :]
            again = play(fewer, line).get(rule)
            if again:
                steps, found = fewer, again
            else:
                start += size
        size //= 2
    return steps, found


def step_text(step):
    """A step in the form of scripts."""
    return "{" + ", ".join(f"{key}: {json.dumps(value)}" for key, value in step.items()) + "}"


# What `stage check` plays, as a file: findings then have its lines, and there is one step on each.
built_in = os.path.join(os.path.dirname(__file__), "../../Sources/Testing/StageScript/check.json")
with open(built_in) as file:
    source = file.read()
    starts = [number for number, row in enumerate(source.splitlines(), 1) if row.lstrip().startswith("{do:")]
    text = re.sub(r"//.*", "", source)
    text = re.sub(r"([{,]\s*)(\w+):", r'\1"\2":', text)
    gauntlet = json.loads(re.sub(r",(\s*)\]\s*$", r"\1]", text))

rows, sections = [], []
with open(clients) as file:
    entries = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
for name, package, line in entries:
    if package.startswith("pypi:"):
        query = [".build/strangers/bin/python", "-c", "import sys, importlib.metadata; print(importlib.metadata.version(sys.argv[1]))", package[5:]]
    else:
        query = ["dpkg-query", "-W", "-f=${Version}", package]
    version = subprocess.run(query, stdout=subprocess.PIPE, text=True).stdout.strip()
    output, code = run(["run", built_in], line)
    matches = [match for match in map(finding.match, output.splitlines()) if match]
    rules = {kind: [] for kind in ("violation", "advice", "failed", "died")}
    parts = []
    for match in matches:
        kind, rule = match["kind"], rule_of(match)
        if kind in ("failed", "died"):
            rules[kind].append(match["text"])
        elif rule not in rules[kind]:
            rules[kind].append(rule)
        else:
            continue
        number = re.search(r":(\d+)$", match["place"])
        print(f"{name}: {kind}: {match['text']}", file=sys.stderr, flush=True)
        if kind != "violation" or not number:
            continue
        short = shortest(gauntlet, starts.index(int(number[1])), rule, line)
        if short:
            steps, found = short
            script = ",\n  ".join(map(step_text, steps))
            parts.append(f"{found}\n\n```json5\n[\n  {script}\n]\n```\n")
        else:
            parts.append(f"{match['text']} (once; not found again)\n")

    def codes(kind):
        return ", ".join(f"`{rule}`" for rule in rules[kind])

    result = {0: "passed", 1: "failed", 2: "died"}.get(code, f"ended with {code}")
    notes = "; ".join(rules["failed"] + rules["died"])
    rows.append(f"| {name} | {version} | {result} | {codes('violation')} | {codes('advice')} | {notes} |")
    if parts:
        sections.append(f"## {name} {version}\n\n`stage check -- {line}`\n\n" + "\n".join(parts))

with open(page, "w") as file:
    file.write(
        "# Third-party clients on the stage\n\n"
        "`./dev strangers` writes this page: it plays the script of `stage check` ([stage.md](stage.md)) on clients of Debian 12 and PyPI, without\n"
        "a graphics device, and shortens it for each broken rule. [rules.md](rules.md) explains the rules. Advice is what the specification\n"
        "permits. A script here is played by `stage run script.json -- CLIENT`.\n\n"
        "| client | version | result | rules broken | advice | other |\n|---|---|---|---|---|---|\n"
    )
    file.write("\n".join(rows) + "\n\n" + "\n".join(sections))

#!/usr/bin/env python3
"""Judges the clients of a list by `stage check`, finds a short script for each finding, and writes a page about all.

    strangers.py STAGE PAGE [NAME...]

Each client runs in the Debian of its line, as strangers.sh installed it. With names, only those clients are judged anew; the
others keep the results of the last run.
"""

import concurrent.futures
import difflib
import glob
import json
import os
import random
import re
import shlex
import subprocess
import sys
import textwrap

root = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
own = os.path.join(root, ".build/strangers")
lists = os.path.join(root, "evidence/strangers")
finding = re.compile(r"^(?P<place>.*): (?P<kind>violation|advice|failed|died): (?P<text>.*)$")
SUITES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
# Python and its packages are those of one Debian.
PYTHON_SUITE = "trixie"
RUNS = 20
ARGUED = 10

# A client sees the checkout under its own path, cannot write there, and leaves nothing behind: no process, no file. It has no network.
ENTER = """
system=$1 checkout=$2
shift 2
mount --make-rprivate /
for folder in dev sys; do mount --rbind /$folder "$system/$folder"; done
mount -t proc proc "$system/proc"
for folder in tmp run root; do mount -t tmpfs tmpfs "$system/$folder"; done
mkdir -p "$system$checkout"
mount --bind "$checkout" "$system$checkout"
mount -o remount,bind,ro "$system$checkout"
exec chroot "$system" env -i --chdir="$checkout" HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/games \
  PYTHONPATH="$checkout/.build/strangers/pypi" "$@"
"""


class Client:
    """A line of the list."""

    def __init__(self, name, toolkit, source, line):
        self.name, self.toolkit, self.line = name, toolkit, line
        self.suite, self.package = source.split(":", 1)
        self.key = f"{self.name}, {SUITES.get(self.suite, 'PyPI')}"
        self.debian = self.suite if self.suite in SUITES else PYTHON_SUITE

    def version(self):
        """What is installed."""
        if self.suite not in SUITES:
            project = self.package.split("==")[0].replace("-", "[-_]")
            (folder,) = glob.glob(f"{own}/pypi/{project}-*.dist-info", include_hidden=False) or glob.glob(
                f"{own}/pypi/{project.lower()}-*.dist-info"
            )
            return os.path.basename(folder).removesuffix(".dist-info").rsplit("-", 1)[1]
        query = ["dpkg-query", f"--admindir={own}/{self.suite}/var/lib/dpkg", "-W", "-f=${Version}\n", self.package]
        return subprocess.run(query, stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]

    def run(self, *arguments):
        """What the stage prints about it, and the exit code."""
        sudo = [] if os.geteuid() == 0 else ["sudo"]
        enter = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-euc", ENTER, "-", f"{own}/{self.debian}", root]
        words = ["timeout", "60", stage, *arguments, "--", "env", *shlex.split(self.line)]
        result = subprocess.run([*sudo, *enter, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return result.stdout, result.returncode

    def play(self, steps):
        """The rules that a script finds broken, with the lines that say so."""
        path = f"{own}/scripts/{re.sub(r'[^a-z0-9]', '-', self.key.lower())}.json"
        with open(path, "w") as file:
            json.dump(steps, file)
        output, _ = self.run("run", path)
        matches = filter(None, map(finding.match, output.splitlines()))
        return {rule_of(match): match["text"] for match in matches if match["kind"] == "violation"}

    def shortest(self, steps, rule):
        """A script as short as leaving out steps makes it, that still finds the rule broken; None if it is not found in three runs."""
        if steps[-1]["do"] != "advance":
            steps = [*steps, {"do": "advance", "ms": 100}]
        if not any(rule in self.play(steps) for _ in range(3)):
            return None
        size = len(steps) // 2
        while size:
            count = len(steps)
            # The first step waits for the window.
            start = 1
            while start < len(steps):
                fewer = steps[:start] + steps[start + size :]
                if rule in self.play(fewer):
                    steps = fewer
                else:
                    start += size
            # A step that could not go before may be able to once others have.
            if size > 1 or len(steps) == count:
                size //= 2
        return steps

    def judge(self):
        """All that the page says about it."""
        twice = [self.run("check")[0] for _ in range(2)]
        output, code = self.run("run", built_in)
        rules = {kind: [] for kind in ("violation", "advice", "failed", "died")}
        proofs = []
        for match in filter(None, map(finding.match, output.splitlines())):
            kind, rule = match["kind"], rule_of(match)
            if kind in ("failed", "died"):
                rules[kind].append(match["text"])
            elif rule not in rules[kind]:
                rules[kind].append(rule)
            else:
                continue
            print(f"{self.key}: {kind}: {match['text']}", file=sys.stderr, flush=True)
            if kind == "violation":
                proofs.append(self.prove(match, rule))
        difference = [line for line in difflib.ndiff(*(text.splitlines() for text in twice)) if line[0] in "+-"]
        return {"version": self.version(), "code": code, "rules": rules, "proofs": proofs, "difference": difference}

    def prove(self, match, rule):
        """The shortest script for a broken rule, and in how many runs it finds it."""
        number = re.search(r":(\d+)$", match["place"])
        # What is only known at the end needs every step.
        end = starts.index(int(number[1])) + 1 if number else len(gauntlet)
        steps = self.shortest(gauntlet[:end], rule)
        best = {"rule": rule, "text": match["text"], "steps": steps, "seen": 0}
        # What a client animates by the clock may need time to show.
        for ms in (0, 100, 1000):
            if not steps or best["seen"] == RUNS:
                break
            longer = steps + [{"do": "advance", "ms": ms}] * (ms > 0)
            seen = [text for text in (self.play(longer).get(rule) for _ in range(RUNS)) if text]
            if len(seen) > best["seen"]:
                best |= {"text": seen[0], "steps": longer, "seen": len(seen)}
        return best


def rows_of(name):
    """The lines of a list, without its comments."""
    with open(f"{lists}/{name}") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def rule_of(match):
    """The rule that a line is about."""
    return match["text"].split()[0].rstrip(":")


def step_text(step):
    """A step in the form of scripts."""
    return "{" + ", ".join(f"{key}: {json.dumps(value)}" for key, value in step.items()) + "}"


def wrapped(text):
    """A paragraph of the page."""
    return textwrap.fill(text, 138, break_long_words=False, break_on_hyphens=False) + "\n"


def section(client, result):
    """What the authors of a client could be sent."""
    line = f"env {client.line}" if re.match(r"[A-Z_0-9]+=", client.line) else client.line
    parts = [f"## {client.key} ({result['version']})\n", f"```sh\nstage run script.json -- {line}\n```\n"]
    for proof in result["proofs"]:
        says, right = words[proof["rule"]]
        detail = proof["text"].removeprefix(proof["rule"]).lstrip(": ")
        parts.append(f"### `{proof['rule']}`: {client.key}\n")
        judgement = f"The specification: {says} Right: {right}"
        if (client.key, proof["rule"]) in false_alarms:
            judgement = f"**A false alarm of the stage**, which no author needs to be told: {false_alarms[client.key, proof['rule']]}"
        parts.append(wrapped(f"Seen: {detail}.") + "\n" + wrapped(judgement))
        if proof["steps"]:
            script = ",\n  ".join(map(step_text, proof["steps"]))
            parts.append(f"In {proof['seen']} of {RUNS} runs of this script:\n\n```json5\n[\n  {script}\n]\n```\n")
        else:
            parts.append("Found once by the script of `stage check`, and not again in three runs.\n")
    return "\n".join(parts)


def row(client, result):
    """A client's line of the table."""

    def codes(kind):
        return ", ".join(f"`{rule}`" for rule in result["rules"][kind])

    judgement = {0: "passed", 1: "failed", 2: "died"}.get(result["code"], f"ended with {result['code']}")
    notes = "; ".join(result["rules"]["failed"] + result["rules"]["died"])
    origin = SUITES.get(client.suite, "PyPI")
    cells = [client.name, client.toolkit, origin, result["version"], judgement, codes("violation"), codes("advice"), notes]
    return "| " + " | ".join(cells) + " |"


def write(page, entries):
    """The page, from what is known of each client and what people wrote about them."""
    results = []
    for client in entries:
        with open(result_path(client)) as file:
            results.append((client, json.load(file)))
    proofs = [(client.key, proof) for client, result in results for proof in result["proofs"]]
    differing = [client.key for client, result in results if result["difference"]]
    toolkits = {client.toolkit for client in entries if not client.toolkit.startswith("none")}
    passed = sum(result["code"] == 0 for _, result in results)
    short = sum(bool(proof["steps"]) and len(proof["steps"]) <= 8 for _, proof in proofs)
    every = sum(proof["seen"] == RUNS for _, proof in proofs)
    drawn = random.Random(10).sample(sorted((key, proof["rule"]) for key, proof in proofs), min(ARGUED, len(proofs)))
    with open(f"{lists}/remarks.md") as file:
        remarks = file.read()
    for key, rule in drawn:
        if f"`{rule}`: {key}" not in remarks:
            print(f"remarks.md does not argue about {key}: {rule}", file=sys.stderr)
    alarms = sum((key, proof["rule"]) in false_alarms for key, proof in proofs)
    summary = [
        "`./dev strangers` writes this page: it plays the script of `stage check` ([stage.md](stage.md)) on clients of Debian 12 (bookworm), Debian"
        " 13 (trixie) and PyPI, each in a Debian of its own in a folder, without a graphics device, a network or a session, and"
        " shortens the script for each broken rule. [rules.md](rules.md) explains the rules. Advice is what the specification permits.",
        f"There are {len(results)} clients of {len(toolkits)} toolkits, at most five of one; \"none\" draws and speaks Wayland by itself."
        f" {passed} passed. {len({key for key, _ in proofs})} broke rules: {len(proofs)} violations, counting each rule once for each client."
        f" {short} of them have a script of at most eight steps, and {every} were seen in {RUNS} of {RUNS} runs of it."
        + (f" {alarms} are false alarms of the stage, and say so." if alarms else ""),
        f"`stage check` ran twice on each client: {len(results) - len(differing)} of {len(results)} times it printed the same bytes."
        + (f" It did not for {'; '.join(differing)}." if differing else ""),
    ]
    table = "| client | toolkit | from | version | result | rules broken | advice | other |\n|---|---|---|---|---|---|---|---|\n"
    chosen = "\n".join(f"{number}. `{rule}`: {key}" for number, (key, rule) in enumerate(drawn, 1))
    with open(page, "w") as file:
        file.write("# Third-party clients on the stage\n\n" + "\n".join(map(wrapped, summary)))
        file.write("\n" + table + "\n".join(row(*each) for each in results) + "\n\n")
        file.write(remarks.replace("<!-- drawn -->", chosen) + "\n")
        file.write("\n".join(section(*each) for each in results if each[1]["proofs"]))


def result_path(client):
    """Where a client's result is kept."""
    return f"{own}/results/{client.key.replace('/', '-')}.json"


def judge(client):
    """Keeps a client's result."""
    result = client.judge()
    with open(result_path(client), "w") as file:
        json.dump(result, file, indent=1)


stage, page, *names = sys.argv[1:]
for folder in ("results", "scripts"):
    os.makedirs(f"{own}/{folder}", exist_ok=True)

# What `stage check` plays, as a file: findings then have its lines, and there is one step on each.
built_in = os.path.join(root, "Sources/Testing/StageScript/check.json")
with open(built_in) as file:
    text = file.read()
starts = [number for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("{do:")]
text = re.sub(r"([{,]\s*)(\w+):", r'\1"\2":', re.sub(r"//.*", "", text))
gauntlet = json.loads(re.sub(r",(\s*)\]\s*$", r"\1]", text))

entries = [Client(*cells) for cells in rows_of("clients.tsv")]
words = {rule: (says, right) for rule, says, right in rows_of("words.tsv")}
false_alarms = {(key, rule): why for key, rule, why in rows_of("false-alarms.tsv")}
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for _ in pool.map(judge, [client for client in entries if not names or client.name in names or not os.path.exists(result_path(client))]):
        pass
write(page, entries)

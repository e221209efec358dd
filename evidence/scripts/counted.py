#!/usr/bin/env python3
"""Compares the counted figures of the bench's records with a baseline, or keeps them there.

counted.py compare BASELINE RECORD...   fails if a figure is more than 5 % greater than in BASELINE, or only in one of both
counted.py record BASELINE RECORD...    writes the figures of the records into BASELINE

A baseline has one figure a line. Its comments name the packages that the figures depend on.
"""

import json
import subprocess
import sys

TOLERANCE = 0.05
# What the counted code is made by and links, and the fonts that it draws.
PACKAGES = [
    "libc6", "libcairo2", "libfreetype6", "libharfbuzz0b", "libpixman-1-0", "libwayland-client0", "libxkbcommon0",
    "fonts-dejavu-core", "fonts-inter", "valgrind",
]


def versions():
    """The lines that say what the figures depend on, as it is installed here."""
    words = ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *PACKAGES]
    lines = subprocess.run(words, capture_output=True, text=True, check=False).stdout.split("\n")
    compiler = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False).stdout
    lines += [line.strip() for line in compiler.split("\n") if "Swift version" in line]
    return sorted(line for line in lines if line)


def read_records(paths):
    figures = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            figures += json.load(file)["figures"]["all"]
    return {f"{figure['name']} at {figure['scene']}": float(figure["samples"][0]) for figure in figures
            if figure["client"] == "cockpit"}


def read_baseline(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    figures = {}
    for line in lines:
        if line and not line.startswith("#"):
            name, value = line.rsplit("\t", 1)
            figures[name] = float(value)
    return figures, [line[2:] for line in lines if line.startswith("# ")]


def short(number):
    return f"{number:.0f}" if number >= 1000 else f"{number:.3g}"


def compare(baseline, *records):
    old, made_by = read_baseline(baseline)
    new = read_records(records)
    worse, better = [], []
    scenes = {name.rsplit(" at ", 1)[1] for name in old}
    for name in sorted(old.keys() | {name for name in new if name.rsplit(" at ", 1)[1] in scenes}):
        if name not in old or name not in new:
            worse.append(f"{name}: only in {baseline if name in old else 'this run'}")
            continue
        before, now = old[name], new[name]
        change = f"{name}: {short(before)} -> {short(now)}"
        if before > 0:
            change += f" ({100 * (now / before - 1):+.1f} %)"
        # An infinite figure could not be counted.
        if not now <= before * (1 + TOLERANCE):
            worse.append(change)
        elif now < before * (1 - TOLERANCE):
            better.append(change)
    for line in better:
        print(f"better: {line}")
    for line in worse:
        print(f"worse: {line}")
    if worse:
        here = versions()
        for line in made_by:
            if line not in here:
                print(f"{baseline} was recorded with {line}; here is "
                      + ", ".join(other for other in here if other.split(" ")[0] == line.split(" ")[0]))
    print(f"{len(old) - len(worse)} of {len(old)} counted figures are at most {100 * TOLERANCE:.0f} % above {baseline}")
    if worse or better:
        print(f"to keep the new figures: ./dev bench --counted --record (writes {baseline}; say in the commit why)")
    return 1 if worse else 0


def keep(baseline, *records):
    with open(baseline, "w", encoding="utf-8") as file:
        for line in versions():
            file.write(f"# {line}\n")
        for name, value in read_records(records).items():
            file.write(f"{name}\t{value:.{0 if value >= 1000 else 4}f}\n")
    return 0


if __name__ == "__main__":
    action, *paths = sys.argv[1:]
    sys.exit({"compare": compare, "record": keep}[action](*paths))

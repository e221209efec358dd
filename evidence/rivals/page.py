#!/usr/bin/env python3
"""Writes the page about the rivals, its plots, image and samples.

    page.py FOLDER OUT

FOLDER has raw.json (the bench's record) and screenshots/CLIENT/panel.png.
"""

import json
import math
import os
import re
import statistics
import subprocess
import sys
import textwrap

from PIL import Image

folder, out = map(os.path.abspath, sys.argv[1:])
here = os.path.dirname(os.path.abspath(__file__))
with open(f"{folder}/raw.json") as file:
    report = json.load(file)
rivals = report["rivals"]
samples = {}
for figure in report["figures"]["all"]:
    samples.setdefault(figure["client"], {})[figure["name"]] = [float(value) for value in figure["samples"]]
clients = [name for name in samples if name != "machine"]
own, others = clients[0], clients[1:]
colors = dict(zip(clients, ["#1d6fd1", "#3a8f3a", "#d1641d", "#8d3ab8"]))
steady = rivals["steady"]
limited = "25 % of a processor"


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd=here).stdout.strip()


def number(value):
    """A number with about three digits."""
    if value is None or not math.isfinite(value):
        return "-"
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 or value == int(value) else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


minutes = steady[own]["samples"][-1]["time"] / 60
duration = f"{number(round(minutes / 60, 1))} h" if minutes >= 60 else f"{number(round(minutes, 1))} min"

# Rows: title, unit, kind and name. Kinds: a figure of rounds, where less or more is better; one of the long run; a plain fact.
rows = [
    ("**1** wake-ups an hour at rest", "", "wakes", "wakeUps"),
    ("**2** PSS after the start", "MB", "less", "PSS after the start"),
    ("PSS after a drive", "MB", "less", "PSS after a drive"),
    ("private dirty after the start", "MB", "less", "private dirty after the start"),
    ("private dirty after a drive", "MB", "less", "private dirty after a drive"),
    (f"**3** slope of PSS over {duration}", "kB/h", "slope", "slope"),
    (f"slope of private dirty over {duration}", "kB/h", "slope", "privateSlope"),
    ("**4** frames on time, 25 % of a processor", "%", "more", f"frames on time with {limited}"),
    ("frames on time, all of it", "%", "more", "frames on time"),
    ("**5** start, cold", "ms", "less", "start, nothing in memory"),
    ("start, warm", "ms", "less", "start"),
    ("**6** input to commit, p50", "ms", "less", "input to commit, p50"),
    ("input to commit, p99", "ms", "less", "input to commit, p99"),
    ("the same with 25 %, p50", "ms", "less", f"input to commit with {limited}, p50"),
    ("the same with 25 %, p99", "ms", "less", f"input to commit with {limited}, p99"),
    ("processor time a motion", "ms", "less", "CPU a motion"),
    ("commits a motion", "", "fact", "commits a motion"),
    ("sliders that follow the second finger", "", "fact", "sliders that follow a second finger"),
    ("lines of the program", "", "fact", "lines"),
]
sources = {"cockpit": "cockpit", "Qt Quick": "qtquick", "GTK": "gtk", "Slint": "slint"}


def line_count(client):
    total = 0
    for place, _, names in os.walk(f"{here}/{sources[client]}"):
        for name in names:
            if name.endswith((".swift", ".cpp", ".qml", ".c", ".slint", ".py")):
                with open(f"{place}/{name}") as file:
                    total += sum(1 for _ in file)
    return total


def value(client, kind, name):
    """A row's number for a client, or its slope with the standard error; None if it was not measured."""
    if kind == "wakes":
        return steady[client][name] * 3600 / steady[client]["restSeconds"]
    if kind == "slope":
        return [part / 1000 for part in steady[client][name]] or None
    if name == "lines":
        return line_count(client)
    return statistics.median_low(samples[client][name]) if name in samples[client] else None


def is_better(first, second, kind, name):
    """Whether one client's figure is better than another's beyond noise."""
    mine, its = value(first, kind, name), value(second, kind, name)
    if mine is None or its is None or kind == "fact":
        return False
    if kind == "slope":
        # A memory that shrinks is no better than one that stays.
        mine, its = ([max(pair[0], 0), pair[1]] for pair in (mine, its))
        return its[0] - mine[0] > 2 * math.hypot(mine[1], its[1])
    if kind == "wakes":
        # The standard deviation of a count is at least its root.
        mine, its = (steady[client][name] for client in (first, second))
        return its - mine > 2 * math.sqrt(mine + its)
    sign = 1 if kind == "less" else -1
    pairs = [(sign * a, sign * b) for a in samples[first][name] for b in samples[second][name]]
    wrong = sum(1 if a > b else 0.5 if a == b else 0 for a, b in pairs)
    return len(samples[first][name]) >= 4 and wrong <= 0.04 * len(pairs) and abs(mine - its) >= 0.01 * abs(its)


def cell(client, kind, name):
    shown = value(client, kind, name)
    if shown is None:
        return "-"
    text = f"{number(shown[0])} ± {number(shown[1])}" if kind == "slope" else number(shown)
    is_beaten = any(is_better(other, client, kind, name) for other in clients)
    beats = any(is_better(client, other, kind, name) for other in clients)
    return f"**{text}**" if beats and not is_beaten else text


def table():
    lines = ["| | | " + " | ".join(clients) + " |", "|---|---|" + "---:|" * len(clients)]
    for title, unit, kind, name in rows:
        lines.append(f"| {title} | {unit} | " + " | ".join(cell(client, kind, name) for client in clients) + " |")
    return "\n".join(lines)


# The six figures of the front page: a title, and the rows of which each cell has the values.
front_rows = [
    ("wake-ups an hour at rest", [("wakes", "wakeUps")]),
    ("memory after a drive (PSS), MB", [("less", "PSS after a drive")]),
    (f"growth of private memory, kB an hour, over {duration}", [("slope", "privateSlope")]),
    ("frames on time with a quarter of a core, %", [("more", f"frames on time with {limited}")]),
    ("start to first frame, cold / warm, ms", [("less", "start, nothing in memory"), ("less", "start")]),
    ("input to commit, p50 / p99, ms", [("less", "input to commit, p50"), ("less", "input to commit, p99")]),
]


def write_front_page(path):
    """Replaces the table below a mark in a page by one of the six figures."""
    lines = [f"| at {commit_name()} on {fields['date']} | " + " | ".join(clients) + " |", "|---|" + "---:|" * len(clients)]
    for title, parts in front_rows:
        lines.append(f"| {title} | " + " | ".join(" / ".join(cell(client, *part) for part in parts) for client in clients) + " |")
    with open(path) as file:
        text = file.read()
    mark = "<!-- ./dev bench --rivals writes this table. -->\n"
    before, after = text.split(mark)
    with open(path, "w") as file:
        file.write(before + mark + "\n".join(lines) + "\n" + re.sub(r"\A(\|.*\n)*", "", after))


def wins():
    """For each rival, the rows in which it is better, and how many the other way."""
    lines = []
    compared = [row for row in rows if row[2] != "fact"]
    for client in others:
        better = [row for row in compared if is_better(client, own, *row[2:])]
        worse = [row for row in compared if is_better(own, client, *row[2:])]
        lines.append(
            f"- **{client}** is better in {len(better)} of {len(compared)} rows, ours in {len(worse)}, and {len(compared) - len(better) - len(worse)} do"
            " not differ beyond noise." + (" It is better in:" if better else "")
        )
        for title, unit, kind, name in better:
            mine, its = value(own, kind, name), value(client, kind, name)
            if kind == "slope":
                mine, its = mine[0], its[0]
            title = title.split("** ")[-1]
            lines.append(f"  - {title}: {number(its)} for {number(mine)}{unit and ' ' + unit}")
    return "\n".join(lines)


def package_version(name):
    return run("dpkg-query", "-W", "-f=${Version}", name)


def versions():
    lines = []
    slint = run(f"{folder}/venv/bin/python", "-c", "from importlib.metadata import version; print(version('slint'))")
    known = {
        own: f"commit {commit_name()}",
        "Qt Quick": f"Qt {package_version('libqt6quick6')} (Debian)",
        "GTK": f"GTK {package_version('libgtk-4-1')} (Debian)",
        "Slint": f"{slint} (PyPI)",
    }
    root = os.path.dirname(os.path.dirname(here)) + "/"
    for client in clients:
        command = " ".join(word.replace(root, "") for word in rivals["commands"][client].split())
        lines.append(f"| {client} | {known[client]} | `{command}` |")
    return "\n".join(lines)


def commit_name():
    return run("git", "rev-parse", "--short=8", "HEAD")


def is_changed():
    """Whether files differ from the commit, apart from this command's own results."""
    changed = run("git", "status", "--porcelain").splitlines()
    return not all(re.search(r"docs/(data/)?rivals\.|README\.md", line) for line in changed)


# The plots.

width, height, left, right = 320, 200, 62, 84


def bars(index, title, unit, names, is_logarithmic):
    """A panel with a row for each client: a dot for each sample and a bar at the median. Several names are several marks."""
    origin = (index % 3 * width, index // 3 * height)
    every = [sample for client in clients for name in names for sample in values_of(client, name)]
    text = f'<g transform="translate({origin[0]} {origin[1]})"><text x="8" y="18" font-weight="bold">{title}</text>\n'
    if not every:
        return text + '<text x="8" y="40">not measured</text></g>\n'
    low, high = min(every), max(every)
    if is_logarithmic:
        low, high = math.log10(max(low, 0.01)), math.log10(max(high, 0.011))
    else:
        low, high = 0, 100 if unit == "%" else high
    span = (high - low) or 1

    def x(sample):
        place = math.log10(max(sample, 0.01)) if is_logarithmic else sample
        return round(left + (place - low) / span * (width - left - right), 1)

    for row, client in enumerate(clients):
        y = 42 + row * 36
        text += f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{client}</text>'
        text += f'<path d="M{left} {y}H{width - right}" stroke="#ddd"/>'
        medians = []
        for part, name in enumerate(names):
            found = values_of(client, name)
            if not found:
                continue
            middle = statistics.median_low(found)
            medians.append(number(middle))
            mark = y - 7 if part == 0 else y + 1
            text += f'<rect x="{x(middle) - 1.5}" y="{mark}" width="3" height="{14 if len(names) == 1 else 6}" fill="{colors[client]}"/>'
            for sample in found:
                text += f'<circle cx="{x(sample)}" cy="{y if len(names) == 1 else mark + 3}" r="2.5" fill="{colors[client]}" fill-opacity=".4"/>'
        text += f'<text x="{width - right + 6}" y="{y + 4}">{" / ".join(medians) or "-"}</text>\n'
    ends = [10**end if is_logarithmic else end for end in (low, low + span)]
    text += f'<g fill="#777"><text x="{left}" y="176" text-anchor="middle">{number(ends[0])}</text>'
    text += f'<text x="{width - right}" y="176" text-anchor="middle">{number(ends[1])}</text>'
    scale = ", logarithmic" if is_logarithmic else ""
    return text + f'<text x="{(left + width - right) / 2}" y="176" text-anchor="middle">{unit}{scale}</text></g></g>\n'


def values_of(client, name):
    if name == "wakeUps":
        return [value(client, "wakes", name)]
    return samples[client].get(name, [])


def lines(index, title):
    """The panel of memory over time."""
    origin = (index % 3 * width, index // 3 * height)
    text = f'<g transform="translate({origin[0]} {origin[1]})"><text x="8" y="18" font-weight="bold">{title}</text>\n'
    most = max(sample["privateDirty"] for client in clients for sample in steady[client]["samples"]) / 1e6
    end = max(sample["time"] for client in clients for sample in steady[client]["samples"])
    bottom, top = height - 40, 34
    lowest = height
    for client in sorted(clients, key=lambda client: steady[client]["samples"][-1]["privateDirty"]):
        points = []
        for sample in steady[client]["samples"]:
            points.append((8 + sample["time"] / end * (width - 110), bottom - sample["privateDirty"] / 1e6 / most * (bottom - top)))
        path = " ".join(f"{a:.0f},{b:.1f}" for a, b in points)
        text += f'<polyline points="{path}" fill="none" stroke="{colors[client]}" stroke-width="2"/>'
        last = number(steady[client]["samples"][-1]["privateDirty"] / 1e6)
        # The name of a lower line must stay readable.
        lowest = min(points[-1][1] + 4, lowest - 12)
        text += f'<text x="{width - 96}" y="{lowest:.0f}" fill="{colors[client]}">{client} {last}</text>\n'
    text += f'<path d="M8 {bottom}H{width - 102}" stroke="#ddd"/>'
    return text + f'<text x="8" y="{height - 10}" fill="#777">MB, over {duration}</text></g>\n'


def plot():
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{3 * width}" height="{2 * height}" viewBox="0 0 {3 * width} {2 * height}"'
        ' font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>\n'
    )
    text += bars(0, "1 wake-ups an hour at rest", "an hour", ["wakeUps"], False)
    text += bars(1, "2 PSS after a drive", "MB", ["PSS after a drive"], False)
    text += lines(2, "3 private dirty over time")
    text += bars(3, "4 frames on time, 25 % of a processor", "%", [f"frames on time with {limited}"], False)
    text += bars(4, "5 start: warm and, below, cold", "ms", ["start", "start, nothing in memory"], True)
    text += bars(5, "6 input to commit: p50 and, below, p99", "ms", ["input to commit, p50", "input to commit, p99"], True)
    return text + "</svg>\n"


def save_image():
    """Saves all panels in one image, small."""
    side = (320, 180)
    image = Image.new("RGB", (2 * side[0] + 4, 2 * side[1] + 4), "#888888")
    for index, client in enumerate(clients):
        panel = Image.open(f"{folder}/screenshots/{client}/panel.png").convert("RGB")
        image.paste(panel.resize(side, Image.LANCZOS), (index % 2 * (side[0] + 4), index // 2 * (side[1] + 4)))
    image.quantize(64).save(f"{out}/rivals.png", optimize=True)


def rounded(node):
    """The same with numbers of five digits."""
    if isinstance(node, float):
        return float(f"{node:.5g}")
    if isinstance(node, list):
        return [rounded(part) for part in node]
    return {key: rounded(part) for key, part in node.items()} if isinstance(node, dict) else node


def wrapped(text):
    """The same with paragraphs and list entries in lines of at most 138 characters."""
    result, blocks = [], []
    for line in text.splitlines():
        entry = re.match(r" *(?:- |[0-9]+\. )", line)
        if not line or line[0] in "|!#" or entry or not blocks:
            blocks.append([line, " " * len(entry[0]) if entry else ""])
        elif blocks[-1][0] and blocks[-1][0][0] not in "|!#":
            blocks[-1][0] += " " + line.strip()
        else:
            blocks.append([line, ""])
    for line, indent in blocks:
        is_fixed = not line or line[0] in "|!#"
        result.append(line if is_fixed else textwrap.fill(line, 138, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))
    return "\n".join(result) + "\n"


def write(name, text):
    with open(f"{out}/{name}", "w") as file:
        file.write(text)


first = steady[own]
rounds = len(samples[own]["start"])
load, late = (samples["machine"].get(name) for name in ("other programs' share of the processors", "a fixed integer loop"))
fields = {
    "commit": f"At {commit_name()}" + (", with changes that are not committed," if is_changed() else ""),
    "date": run("date", "-u", "+%Y-%m-%d"),
    "machine": f"{report['machine']}. Linux {os.uname().release}. Other programs used {number(statistics.median_low(load))} % of the processors"
    f" (median of the rounds) and at most {number(max(load))} %.",
    "size": "1280 x 720 pixels",
    "table": table(),
    "rounds": f"{rounds} rounds" if rounds > 1 else "one round",
    "rest": number(first["restSeconds"]),
    "one": number(3600 / first["restSeconds"]),
    "duration": duration,
    "warm": number(first["warmUp"]),
    "page": number(4.096 * 3600 / (minutes * 60 - first["warmUp"])),
    "quota": " (a control group: 25 ms in each 100 ms)" if rivals["limitsProcessor"] else ". **Not measured**: this machine has no control group that may be written",
    "cold": "with all of the kernel's caches dropped before" if rivals["dropsCaches"] else "with the files that the program maps dropped from memory before",
    "wins": wins(),
    "versions": versions(),
    "python": run(f"{folder}/venv/bin/python", "--version"),
    "packages": "Debian's packages: " + ", ".join(f"{name} {package_version(name)}" for name in ("libcairo2", "libpango-1.0-0", "qt6-wayland")) + ".",
}
with open(f"{here}/page.md.in") as file:
    text = file.read()
for name, field in fields.items():
    text = text.replace("{" + name + "}", str(field))
write("rivals.md", wrapped(text))
write("rivals.svg", plot())
os.makedirs(f"{out}/data", exist_ok=True)
write("data/rivals.json", json.dumps(rounded({"commit": commit_name(), "machine": report["machine"], "figures": report["figures"]["all"], "rivals": rivals}), separators=(",", ":")) + "\n")
save_image()
if out == os.path.join(os.path.dirname(os.path.dirname(here)), "docs"):
    write_front_page(os.path.join(os.path.dirname(out), "README.md"))

#!/usr/bin/env python3
"""pages.py COMMAND ARGUMENTS: what the scripts do with the text of Markdown pages.

    links NAMES <PAGE            the page with its links as plain words, but for those to the web, into the page, and to a name of NAMES
    step PAGE NUMBER FOLDER      writes those blocks of Swift of a numbered step whose first line names a file into FOLDER
    panel PAGE NAME FOLDER ROOT  writes the files that all steps leave into FOLDER, for a panel called NAME instead of Lamp that uses the
                                 package in ROOT
    quotes PAGE FILE             fails unless a block of Swift of PAGE is FILE
    tables PAGE ...              names the tables with figures that name no commit (At 0123abc ...)
"""
import re
import sys
from pathlib import Path

COMMIT = re.compile(r"\bAt [0-9a-f]{7,40}\b", re.ASCII)


def links(names):
    """NAMES are words apart; without any, all links but those to the web become words, and pictures their captions."""
    there, text = set(names.split()), sys.stdin.read()
    if not there:
        sys.stdout.write(re.sub(r"!?\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", text))
        return

    def kept(found):
        file = re.match(r"[^/#]*", found[2])[0]
        return found[0] if re.match(r"https?:", found[2]) or not file or file in there else found[1]

    sys.stdout.write(re.sub(r"\[([^]]*)\]\(([^)]*)\)", kept, text))


def files_of(text):
    """The blocks of Swift whose first line names a file: the file's place, and what is in it."""
    return re.findall(r"^```swift\n// (\S+)\n(.*?)^```", text, re.M | re.S)


def write(folder, place, content):
    path = Path(folder, place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def step(page, number, folder):
    text = Path(page).read_text(encoding="utf-8")
    found = re.search(rf"^## {number}\. (.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"{page} has no step {number}")
    files = files_of(found[1])
    for place, content in files:
        write(folder, place, content)
    if not files:
        sys.exit(f"step {number} of {page} has no file")


def panel(page, name, folder, root):
    quoted = root.replace("\\", "\\\\").replace('"', '\\"')
    # A file of a later step takes the place of that of an earlier one.
    for place, content in dict(files_of(Path(page).read_text(encoding="utf-8"))).items():
        content = content.replace('path: "../cockpit"', f'path: "{quoted}"').replace('of: "lamp"', f'of: "{name.lower()}"')
        write(folder, place.replace("Lamp", name), content.replace("Lamp", name))


def quotes(page, file):
    if f"```swift\n{Path(file).read_text(encoding='utf-8')}```" not in Path(page).read_text(encoding="utf-8"):
        sys.exit(f"{page} has another {file} than there is")


def tables(*pages):
    status = 0
    for page in pages:
        head, *parts = re.split(r"^(?=## )", Path(page).read_text(encoding="utf-8"), flags=re.M)
        for part in [] if COMMIT.search(head) else parts:
            if re.search(r"^\|.*\d\.\d", part, re.M) and not COMMIT.search(part):
                title = re.match(r"## (.*)", part)[1]
                print(f'{page}: the table below "{title}" names no commit (At 0123abc ...)')
                status = 1
    sys.exit(status)


def main():
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")
    command, *arguments = sys.argv[1:]
    {"links": links, "step": step, "panel": panel, "quotes": quotes, "tables": tables}[command](*arguments)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""pages.py COMMAND ARGUMENTS: what the scripts do with the text of Markdown pages.

    links NAMES <PAGE            the page with its links as plain words, but for those to the web, into the page, and to a name of NAMES
    step PAGE NUMBER FOLDER      writes those blocks of Swift of a numbered step whose first line names a file into FOLDER
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


def step(page, number, folder):
    text = Path(page).read_text(encoding="utf-8")
    found = re.search(rf"^## {number}\. (.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"{page} has no step {number}")
    files = re.findall(r"^```swift\n// (\S+/)?(\S+)\n(.*?)^```", found[1], re.M | re.S)
    for place, name, content in files:
        path = Path(folder, place, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    if not files:
        sys.exit(f"step {number} of {page} has no file")


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
    {"links": links, "step": step, "tables": tables}[command](*arguments)


if __name__ == "__main__":
    main()

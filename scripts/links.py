#!/usr/bin/env python3
"""links.py DOCUMENT...: names the relative links that lead to no file, or to no heading of a document. Anchors are made as GitHub makes them."""
import os
import re
import sys
from functools import cache


def lines(path):
    """The numbered lines of a document outside of its blocks of code."""
    is_fenced = False
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            is_fenced ^= bool(re.match(r"\s*```", line))
            if not is_fenced:
                yield number, line


@cache
def anchors(path):
    found, count = set(), {}
    for _, line in lines(path):
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*\s*$", line)
        if not heading:
            continue
        title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = count.get(anchor, 0)
        count[anchor] = number + 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def leads(document, link):
    path, _, anchor = link.partition("#")
    target = os.path.join(os.path.dirname(document) or ".", path) if path else document
    return os.path.exists(target) and ("#" not in link or not target.endswith(".md") or anchor in anchors(target))


def main():
    status = 0
    for document in sys.argv[1:]:
        for number, line in lines(document):
            for link in re.findall(r"\]\(([^) ]+)\)", re.sub(r"`[^`]*`", "", line)):
                if not re.match(r"[a-z]+:", link) and not leads(document, link):
                    print(f"{document}:{number}: {link} leads nowhere")
                    status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

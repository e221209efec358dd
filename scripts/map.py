#!/usr/bin/env python3
"""map.py PAGE ... <TESTS: names the files, tests and functions of the pages' tables that are not there; TESTS is the list of `swift test list`.

Paths begin at Sources/, so `../` is the folder beside it; a name without a folder is beside the one before it in its row. In a table of
symptoms or events a row's other names are words of the files before them, and its last column has tests; in one of steps they are words of the
file before them.
"""
import os
import re
import sys

FILE = re.compile(r"\.(?:swift|list|sh)$|/.*\.(?:py|json|toml|1)$|/$")
# NAME and MODULE stand for any name.
ANY_NAME = re.compile(r"(?:^|/)(?:NAME|MODULE)")


def missing_of(page, tests):
    """The complaints about one page, in the order of its lines."""
    subject, folder = "", "."
    with open(page, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.startswith("|"):
                subject = ""
                continue
            subject = subject or line.split("|")[1].strip()
            has_functions = subject in ("symptom", "event", "step")
            text = ""
            for name in re.findall(r"`([^` ]+)`", line):
                if FILE.search(name):
                    if ANY_NAME.search(name):
                        continue
                    path = name[3:] if name.startswith("../") else f"Sources/{name}" if "/" in name else f"{folder}/{name}"
                    folder = path[:-1] if path.endswith("/") else os.path.dirname(path)
                    if not os.path.exists(path):
                        yield f"{page}:{number}: there is no {path}"
                    elif has_functions and os.path.isfile(path):
                        with open(path, encoding="utf-8") as source:
                            text = ("" if subject == "step" else text) + source.read()
                elif has_functions and text and re.fullmatch(r"\w+", name) and not re.search(rf"\b{name}\b", text):
                    yield f"{page}:{number}: there is no {name} in the files named before it"
            named = subject in ("symptom", "event") and re.search(r"\|\s*([^|]*?)\s*\|\s*$", line)
            for test in re.findall(r"\b([A-Z]\w*Tests)\b", named[1]) if named else []:
                if test not in tests:
                    yield f"{page}:{number}: there is no test {test}"


def main():
    # "ControlsTests.ButtonTests/`a name`()"
    tests = set(re.findall(r"(\w+)/", sys.stdin.read()))
    complaints = [complaint for page in sys.argv[1:] for complaint in missing_of(page, tests)]
    print("".join(f"{complaint}\n" for complaint in complaints), end="")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""map.py PAGE ... <TESTS: names the files, tests and functions of the pages' tables that are not there; TESTS is the list of `swift test list`.

Paths begin at Sources/, so `../` is the folder beside it; a name without a folder is beside the one before it in its row.
"""
import os
import re
import sys

# NAME and MODULE stand for any name.
ANY_NAME = re.compile(r"(?:^|/)(?:NAME|MODULE)")


def missing_of(page, tests):
    """The complaints about one page, in the order of its lines."""
    is_of_symptoms, folder = False, "."
    with open(page, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                is_of_symptoms = False
            if line.startswith("| symptom |"):
                is_of_symptoms = True
            if not line.startswith("|"):
                continue
            text = ""
            for name in re.findall(r"`([^` ]+)`", line):
                if re.search(r"\.(?:swift|list|sh|pl)$|/$", name):
                    if ANY_NAME.search(name):
                        continue
                    path = name[3:] if name.startswith("../") else f"Sources/{name}" if "/" in name else f"{folder}/{name}"
                    folder = path[:-1] if path.endswith("/") else os.path.dirname(path)
                    if not os.path.exists(path):
                        yield f"{page}:{number}: there is no {path}"
                    elif is_of_symptoms and os.path.isfile(path):
                        with open(path, encoding="utf-8") as source:
                            text += source.read()
                elif is_of_symptoms and text and re.fullmatch(r"\w+", name) and not re.search(rf"\b{name}\b", text):
                    yield f"{page}:{number}: there is no {name} in the files named before it"
            named = is_of_symptoms and re.search(r"\|\s*([^|]*?)\s*\|\s*$", line)
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

#!/usr/bin/env python3
"""lines.py PAGE...: names the lines of prose that are longer than 140 characters. Tables, code, pictures, links and HTML may be."""
import re
import sys

LONGEST = 140


def main():
    status = 0
    for page in sys.argv[1:]:
        is_code = False
        with open(page, encoding="utf-8") as text:
            for number, line in enumerate(text, 1):
                line = line.rstrip("\n")
                is_fence = bool(re.match(r"\s*```", line))
                is_code ^= is_fence
                if is_code or is_fence or re.match(r"    |\s*(?:\||!?\[|<)", line) or len(line) <= LONGEST:
                    continue
                print(f"{page}:{number}: {len(line)} characters, and at most {LONGEST} are allowed")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

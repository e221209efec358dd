#!/usr/bin/env python3
"""requirements.py EVENTS ROOT PAGE...

Counts the lines of ROOT/docs/PAGE.md ("- **G1** ...", or "1. ..." for behaviours) that are the subject of a test that counts. The ids that a test's
name begins with are its subjects: "G1: ...", "O15, O16: ...", "G14 to G16, G-D11: ...", "behaviours 8 and 11: ...". A test counts if
 - by EVENTS, Swift Testing's JSON lines of a whole run, it ended, with at least one case, without a skipped one and without any issue,
   also a known one;
 - by the compiler's parse of the sources, its body expects something: itself, or by a function that does and is named for it: changes, keeps,
   expect..., verify..., check.... The events do not contain expectations that hold.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

events, root, pages = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
sys.setrecursionlimit(100_000)


def subjects(name):
    head = name.partition(":")[0]
    if re.fullmatch(r"behaviours? \d+((, | and )\d+)*", head):
        return [f"behaviour {number}" for number in re.findall(r"\d+", head)]
    parts = [re.fullmatch(r"([GROLK](?:-D)?)(\d+)(?: to \1(\d+))?", part.strip()) for part in head.split(",")]
    if ":" not in name or None in parts:
        return []
    return [f"{kind}{n}" for kind, first, last in map(re.Match.groups, parts) for n in range(int(first), int(last or first) + 1)]


# The run.
tests, is_over = {}, False
for line in open(events):
    record = json.loads(line)
    payload = record["payload"]
    kind, test = payload["kind"], tests.get(payload.get("testID"))
    if record["kind"] == "test" and kind == "function":
        name, place = payload["name"], payload["sourceLocation"]["_filePath"]
        # The events contain only the cases that have arguments.
        tests[payload["id"]] = {"name": payload.get("displayName", name), "ended": False, "cases": not payload["isParameterized"],
                                "function": (place, name.rpartition("(")[0].strip("`"))}
    elif kind == "runEnded":
        is_over = True
    elif test and kind == "testCaseEnded":
        test["cases"] += 1
    elif test and kind == "testEnded":
        test["ended"] = True
        if any(message["symbol"] == "fail" for message in payload["messages"]):
            test["why"] = "fails"
    elif test and kind == "issueRecorded" and payload.get("issue", {}).get("severity") != "warning":
        test["why"] = "fails"
    elif test and kind in ("testSkipped", "testCancelled", "testCaseCancelled"):
        test["why"] = "is skipped or disabled"
if not is_over:
    sys.exit(f"requirements: {events} has no whole run")

# The sources: the names of the functions that each function calls, and of the macros that it expands.
called = {}


def calls(node, file):
    if isinstance(node, list):
        return set().union(*(calls(child, file) for child in node))
    if not isinstance(node, dict):
        return set()
    found, kind = calls(list(node.values()), file), node.get("_kind", "")
    if kind.startswith("macro_expansion"):
        found.add(f"#{node['name']}")
    elif kind == "call_expr":
        called_as = node["fn"].get("field") or node["fn"].get("name")
        base = node["fn"].get("base", {}).get("name")
        found.add("Issue.record" if (base, called_as) == ("Issue", "record") else str(called_as))
    elif kind == "func_decl":
        called.setdefault((file, node["name"]["base_name"]["name"]), set()).update(found)
    return found


for folder in ("Tests", "Sources/Testing/ScreenshotTesting"):
    for file in map(str, (root / folder).rglob("*.swift")):
        parse = ["swift-frontend", "-dump-parse", "-dump-ast-format", "json", file]
        calls(json.loads(subprocess.run(parse, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout), file)

expecting, grew = {"#expect", "#require", "Issue.record", "ScreenshotFailure"}, True
while grew:
    new = {name for (_, name), names in called.items() if names & expecting} - expecting
    expecting |= new
    grew = bool(new)
expecting = {name for name in expecting if re.match(r"#|Issue\.|Screenshot|(changes|keeps)$|expect|verify|check", name)}

# The count.
for test in tests.values():
    if "why" not in test:
        if not (test["ended"] and test["cases"]):
            test["why"] = "did not run"
        elif not called.get(test["function"], set()) & expecting:
            test["why"] = "expects nothing"
status, known = 0, set()
for page in pages:
    lines = re.findall(r"^(?:- \*\*([GROLK](?:-D)?\d+)\*\*|(\d+)\. )", (root / f"docs/{page}.md").read_text(), re.MULTILINE)
    ids = [requirement or f"behaviour {number}" for requirement, number in lines]
    known.update(ids)
    about = {id: [test for test in tests.values() if id in subjects(test["name"])] for id in ids}
    missing = {id: found for id, found in about.items() if all("why" in test for test in found)}
    count = len({test["function"] for found in about.values() for test in found if "why" not in test})
    print(f"{page}: {len(ids)} lines, {count} tests,", "missing: " + ", ".join(missing) if missing else "none missing")
    for id, found in missing.items():
        reasons = [f'"{test["name"]}" {test["why"]}' for test in found]
        print(f"  {id}:", "; ".join(reasons) or "no test is about it")
    status |= bool(missing) or not ids
for test in tests.values():
    if strange := set(subjects(test["name"])) - known:
        print(f'"{test["name"]}": no page has {", ".join(sorted(strange))}')
        status = 1
sys.exit(status)

#!/usr/bin/env python3
"""symbols.py GRAPH...: names the public symbols of symbol graphs that have no docstring, or whose declarations have a type that comes from C."""
import json
import sys

status = 0
for path in sys.argv[1:]:
    for symbol in json.load(open(path))["symbols"]:
        faults = [] if "docComment" in symbol else ["no docstring"]
        for fragment in symbol["declarationFragments"]:
            if fragment.get("preciseIdentifier", "").startswith("c:") or fragment["spelling"] == "OpaquePointer":
                faults.append(f"{fragment['spelling']} comes from C")
        place, name = symbol.get("location"), ".".join(symbol["pathComponents"])
        where = f"{place['uri'].removeprefix('file://')}:{place['position']['line'] + 1}" if place else path
        for fault in faults:
            print(f"{where}: {fault}: {name}")
            status = 1
sys.exit(status)

#!/usr/bin/env python3
"""declarations.py <DUMP: from what the API digester dumps, each public declaration as a line: its module, a tab, its mangled name, its type, then
what else a caller or a subclass relies on."""
import json
import sys

ROOT = json.load(sys.stdin)["ABIRoot"]["children"]
HIDDEN = {"Copyable", "Escapable", "SendableMetatype"} | {node["name"] for node in ROOT if node.get("isInternal")}


def lines(node):
    kind = node.get("declKind")
    # The digester calls "internal" what only the package sees. Overrides are listed where they are declared first.
    if not kind or node.get("isInternal") or node.get("overriding") or not node.get("mangledName"):
        return
    if node.get("implicit") and kind != "Constructor":
        return
    is_type, has, children, more = node["kind"] == "TypeDecl", node.get("declAttributes", []), node.get("children", []), []
    if is_type:
        parents = sorted(parent["name"] for parent in node.get("conformances", []) if parent["name"] not in HIDDEN)
        parents = node.get("superclassNames", [])[:1] + parents
        more.append(kind.lower() + (f" of {', '.join(parents)}" if parents else ""))
    traits = {
        "open": node.get("isOpen"),
        "static": node.get("static"),
        "nonisolated": "Nonisolated" in has,
        "result may be ignored": "DiscardableResult" in has,
        "required": node.get("protocolReq") or "Required" in has,
    }
    more += [name for name, is_so in traits.items() if is_so]
    accessors = [one["accessorKind"] for one in node.get("accessors", []) if not one.get("isInternal")]
    if shown := sorted(kind for kind in accessors if kind in ("get", "set")):
        more.append(" and ".join(shown))
    defaults = [str(place) for place, child in enumerate(children) if place > 0 and child.get("hasDefaultArg")]
    if defaults and not is_type:
        more.append(f"default for {', '.join(defaults)}")
    yield f"{node['moduleName']}\t" + "; ".join([node["mangledName"], *more])
    for child in children:
        yield from lines(child)


def main():
    for node in ROOT:
        for line in lines(node):
            print(line)


if __name__ == "__main__":
    main()

"""docs/drive.schema.json and `parse` agree; every answer keeps to docs/telemetry.schema.json."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import line, ready, safe

from cockpit_bridge.adapter import Status
from cockpit_bridge.lease import BadMessage, Lease, parse

DOCS = Path(__file__).resolve().parents[2] / "docs"
DRIVE = json.loads((DOCS / "drive.schema.json").read_text())
TELEMETRY = json.loads((DOCS / "telemetry.schema.json").read_text())
KINDS: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float), "null": type(None)}


def is_good(value: Any, schema: Any) -> bool:
    """Whether `value` keeps to a schema, as far as those two go."""
    if isinstance(schema, bool):
        return schema
    return all(_keeps(value, word, argument, schema) for word, argument in schema.items())


def _keeps(value: Any, word: str, argument: Any, schema: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fields = value if isinstance(value, dict) else {}
    match word:
        case "type":
            return any(
                isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))
                for kind in ([argument] if isinstance(argument, str) else argument))
        case "const":
            return type(value) is type(argument) and value == argument or is_number and not isinstance(argument, bool) and value == argument
        case "enum":
            return value in argument
        case "minimum":
            return not is_number or value >= argument
        case "maximum":
            return not is_number or value <= argument
        case "pattern":
            return not isinstance(value, str) or bool(re.search(argument.replace("$", r"\Z"), value))
        case "items":
            return not isinstance(value, list) or all(is_good(item, argument) for item in value)
        case "required":
            return all(name in fields for name in argument)
        case "properties":
            return all(is_good(fields[name], inner) for name, inner in argument.items() if name in fields)
        case "propertyNames":
            return all(is_good(name, argument) for name in fields)
        case "maxProperties":
            return len(fields) <= argument
        case "additionalProperties":
            return all(is_good(item, argument) for name, item in fields.items() if name not in schema.get("properties", {}))
        case "allOf":
            return all(is_good(value, inner) for inner in argument)
        case "not":
            return not is_good(value, argument)
        case "if":
            return is_good(value, schema.get("then" if is_good(value, argument) else "else", True))
        case "$schema" | "title" | "description" | "then" | "else":
            return True
    raise AssertionError(f"the schema says {word}, which is not understood here")


VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 0.5, -0.5, 5, 4.9, 200, 201, 2**53, 2**53 - 1, "", "N", "R", "1", "10", "0", "driving",
    "ready", "safe", "none", "start", "lift", "released", "taken", "link-slow", "emergency-stop", "aaaaaaaa", "AAAAAAAA", [], {}, {"a": 1},
    {"a": 2}, {"B": 0}, {"a": "x"},
    {str(number): 0 for number in range(8)}, {str(number): 0 for number in range(9)}]


def test_the_schema_is_the_judge_of_lines() -> None:
    dice = random.Random(7)
    known = list(DRIVE["properties"])
    starts = [json.loads(made) for made in (line(3), line(3, -0.5), safe(3), safe(3, "emergency-stop"), ready(3), ready(3, "released"))]
    counts = {True: 0, False: 0}
    for _ in range(30_000):
        fields = dict(dice.choice(starts))
        for _ in range(dice.randint(1, 3)):
            name = dice.choice(known)
            if dice.random() < 0.15:
                fields.pop(name, None)
            else:
                fields[name] = dice.choice(VALUES)
        if fields.get("reason") not in DRIVE["properties"]["reason"]["enum"]:
            continue  # Another version's: see parse.
        try:
            parse(json.dumps(fields).encode())
            is_read = True
        except BadMessage:
            is_read = False
        assert is_read == is_good(fields, DRIVE), fields
        counts[is_read] += 1
    assert min(counts.values()) > 500


@pytest.mark.parametrize("identifier", [None, "aaaaaaaa"])
def test_answers_keep_to_the_schema_of_telemetry(identifier: str | None) -> None:
    lease, status = Lease(), Status()
    status.speed, status.battery, status.warnings = 12.5, 0.5, ["HOT"]
    extra = {"id": identifier} if identifier else {}
    for made in (line(1, **extra), safe(2, "emergency-stop")):
        fields = json.loads(made) | extra | ({"press": 1} if b"emergency" in made and identifier else {})
        key = lease.take(json.dumps(fields).encode(), ("192.0.2.1", 1), 5)
        for room in (None, 10_000):
            answer = json.loads(lease.answer(key, json.loads(status.line(0.1, ["NO LINK"])), room))
            assert is_good(answer, TELEMETRY) and ("stop" in answer) == (b"emergency" in made)

"""JSON with comments and commas before a closing bracket, as the cockpit's own files have it; each mistake has its place."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

Path = tuple[str | int, ...]

DEEPEST = 16  # Levels. No file of this project needs half of them.
_BLANK = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"[A-Za-z0-9+.-]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class BadJSON(ValueError):
    """A text that is no such JSON, or says what its reader does not take; the message begins with line and column."""


@dataclass
class Document:
    """What a text says, and where: `places` has the offset of each property's name and of each element of a list, by its path."""

    text: str
    value: Any = None
    places: dict[Path, int] = field(default_factory=dict)

    def bad(self, at: int | Path, sentence: str) -> BadJSON:
        """The exception for a mistake at an offset or a path. A path that does not exist stands for what encloses it."""
        sentence = "".join(sign if sign.isprintable() else "?" for sign in sentence[:400])
        return BadJSON(f"{self.place(at)}: {sentence}")

    def place(self, at: int | Path) -> str:
        """The line and the column of an offset or a path, from 1."""
        while isinstance(at, tuple) and at and at not in self.places:
            at = at[:-1]
        offset = self.places.get(at, 0) if isinstance(at, tuple) else min(at, len(self.text))
        before = self.text[:offset]
        return f"{before.count(chr(10)) + 1}:{offset - before.rfind(chr(10))}"


def read(text: str) -> Document:
    """Reads a text. Throws BadJSON; a property that stands twice is a mistake."""
    made = Document(text)
    reader = _Reader(made)
    made.value = reader.value(())
    if (end := reader.skip()) < len(text):
        raise made.bad(end, "something follows the end")
    return made


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document, self.text, self.at = document, document.text, 0

    def skip(self) -> int:
        """Goes to the next sign that counts."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        if self.text.startswith("/*", self.at):
            raise self.document.bad(self.at, "a comment has no end")
        return self.at

    def takes(self, sign: str) -> bool:
        is_there = self.text.startswith(sign, self.skip())
        self.at += is_there
        return is_there

    def value(self, path: Path) -> Any:
        start = self.skip()
        if len(path) >= DEEPEST:
            raise self.document.bad(start, "too deep")
        if self.takes("{"):
            return self._object(path)
        if self.takes("["):
            return self._list(path)
        if self.text.startswith('"', start):
            return self._string()
        found = _WORD.match(self.text, start)
        word = found.group() if found else ""
        self.at += len(word)
        if word in ("true", "false", "null"):
            return json.loads(word)
        if not _NUMBER.fullmatch(word):
            raise self.document.bad(start, f'"{word[:20]}" is no value' if word else "a value is missing")
        return float(word) if len(word) > 15 or set(word) & set(".eE") else int(word)

    def _object(self, path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        while not self.takes("}"):
            if not self.text.startswith('"', self.skip()):
                raise self.document.bad(self.at, "the name of a property is missing, or a }")
            start, name = self.at, self._string()
            if name in made:
                raise self.document.bad(start, f'"{name}" stands twice')
            self.document.places[*path, name] = start
            if not self.takes(":"):
                raise self.document.bad(self.at, "a : is missing")
            made[name] = self.value((*path, name))
            self._comma("}")
        return made

    def _list(self, path: Path) -> list[Any]:
        made: list[Any] = []
        while not self.takes("]"):
            self.document.places[*path, len(made)] = self.at
            made.append(self.value((*path, len(made))))
            self._comma("]")
        return made

    def _comma(self, closing: str) -> None:
        if not self.takes(",") and not self.text.startswith(closing, self.skip()):
            raise self.document.bad(self.at, f"a comma or a {closing} is missing")

    def _string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self.document.bad(self.at, "a text has no end in its line")
        try:
            made = str(json.loads(found.group()))
        except ValueError:
            raise self.document.bad(self.at, "a text has an unknown escape") from None
        self.at = found.end()
        return made

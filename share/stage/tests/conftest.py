"""What the tests of the Python package share: clients to play on."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path
from typing import Callable, List

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def raw() -> Callable[[str], List[str]]:
    """The command of a client of a few requests, which behaves as its mode says."""

    def command(mode: str) -> List[str]:
        return [sys.executable, str(ROOT / "Tests/StageToolTests/raw_client.py"), mode]

    return command


@pytest.fixture
def plain_picture() -> Callable[[int, int], bytes]:
    """A PNG file of one colour."""

    def make(width: int, height: int) -> bytes:
        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        rows = (b"\0" + b"\x10\x20\x30" * width) * height
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")

    return make

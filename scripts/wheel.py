#!/usr/bin/env python3
"""Writes the Python package of the stage: `tree FOLDER VERSION PAGE TAG` its modules with what pip knows of it, and `pack FOLDER WHEEL TIME` a
wheel of such a folder. The same files and the same time give the same bytes."""

import base64
import hashlib
import shutil
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "wayland_stage"

METADATA = """\
Metadata-Version: 2.1
Name: wayland-stage
Version: {version}
Summary: A compositor for tests of Wayland clients: input, screenshots and the protocol's rules, without a session or devices
License: Apache-2.0
License-File: LICENSE
Keywords: wayland,compositor,testing,pytest,screenshot
Classifier: Framework :: Pytest
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Testing
Requires-Python: >=3.9
Provides-Extra: pytest
Requires-Dist: pytest>=7; extra == "pytest"
Provides-Extra: mcp
Requires-Dist: mcp>=2,<3; extra == "mcp"
Provides-Extra: locators
Requires-Dist: jeepney>=0.8; extra == "locators"
Description-Content-Type: text/markdown

"""

ENTRY_POINTS = """\
{scripts}[pytest11]
stage = wayland_stage.pytest_plugin
"""

SCRIPTS = """\
[console_scripts]
stage = wayland_stage.__main__:main

"""


def tree(folder: Path, version: str, page: str, tag: str) -> None:
    """Writes the modules and the folder with the metadata. With the tag "" it is for a package that has the program itself elsewhere."""
    sources = ROOT / "share/stage"
    for source in [sources / "stage.py", *sorted((sources / NAME).iterdir())]:
        if source.suffix in (".py", ".typed"):
            target = folder / source.relative_to(sources)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    info = folder / f"{NAME}-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(METADATA.format(version=version) + Path(page).read_text())
    (info / "entry_points.txt").write_text(ENTRY_POINTS.format(scripts=SCRIPTS if tag else ""))
    if tag:
        (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: cockpit\nRoot-Is-Purelib: false\nTag: {tag}\n")
        (info / "licenses").mkdir()
        shutil.copyfile(ROOT / "LICENSE", info / "licenses/LICENSE")


def pack(folder: Path, wheel: Path, epoch: int) -> None:
    """Writes the wheel, with the list of its files last."""
    stamp = time.gmtime(max(epoch, 315532800))[:6]
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    record = next(folder.glob("*.dist-info")).name + "/RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w") as archive:

        def add(name: str, data: bytes, mode: int) -> None:
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, on whatever it is made.
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, compresslevel=9)

        for path in files:
            name = path.relative_to(folder).as_posix()
            data = path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(data)}\n")
            add(name, data, 0o755 if path.stat().st_mode & 0o100 else 0o644)
        add(record, ("".join(lines) + f"{record},,\n").encode(), 0o644)


def main() -> None:
    if sys.argv[1] == "tree":
        folder, version, page, tag = sys.argv[2:]
        tree(Path(folder), version, page, tag)
    else:
        folder, wheel, epoch = sys.argv[2:]
        pack(Path(folder), Path(wheel), int(epoch))


if __name__ == "__main__":
    main()

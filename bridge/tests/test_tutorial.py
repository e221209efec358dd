"""The adapter of docs/adapter.md, installed as a package of its own."""

import re
import subprocess
import venv
from pathlib import Path

from conftest import line

ROOT = Path(__file__).resolve().parents[1]


def test_an_adapter_of_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "adapter.md").read_text()
    (code, project) = (re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "toml"))
    assert code and project and code[1].count("\n") <= 30
    package = tmp_path / "package"
    package.mkdir()
    (package / "cockpit_print.py").write_text(code[1])
    (package / "pyproject.toml").write_text(project[1])
    venv.create(tmp_path / "venv", with_pip=True, system_site_packages=False)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT), str(package)], check=True)
    out = tmp_path / "car.txt"
    messages = b"".join(line(number) + b"\n" for number in (1, 2, 3))
    subprocess.run(
        [tmp_path / "venv" / "bin" / "cockpit-bridge", "-", f"print:{out}"], input=messages, check=True, timeout=20)
    words = out.read_text().splitlines()
    assert words[-1] == "stop" and words.count("stop") >= 5

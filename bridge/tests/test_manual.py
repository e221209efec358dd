"""The manual page keeps up with the program."""

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from cockpit_bridge.channels import CHANNELS, schema
from cockpit_bridge.cli import main

PAGE = (Path(__file__).resolve().parents[1] / "cockpit-bridge.1").read_text().replace("\\-", "-")


def test_the_manual_page_has_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert len(options) >= 7
    assert [option for option in sorted(options) if option not in PAGE] == []


def test_the_manual_page_has_every_option_of_export(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help", "--record"}
    assert options == {"--cockpit"} and "--cockpit" in PAGE


def test_the_manual_page_has_every_channel() -> None:
    assert [topic for topic in CHANNELS if topic not in PAGE] == []


def test_the_page_of_the_export_has_every_channel_and_property() -> None:
    text = (Path(__file__).resolve().parents[1] / "docs" / "export.md").read_text()
    rows = {row.split("|")[1].strip(" `"): row for row in text.splitlines() if row.startswith("| `/")}
    assert set(rows) == set(CHANNELS)
    for topic, row in rows.items():
        name, form = schema(topic)
        assert f"`{name}`" in row
        assert [word for word in form["properties"] if topic != "/drive" and f"`{word}`" not in row] == [], topic


def test_the_manual_page_has_every_adapter() -> None:
    ours = [found.name for found in entry_points(group="cockpit_bridge.adapters") if found.value.startswith("cockpit_bridge.")]
    assert len(ours) >= 9
    assert [name for name in ours if name not in PAGE] == []

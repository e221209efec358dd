"""The fixture `stage`, in sessions of pytest of its own."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Callable, List

import pytest

Raw = Callable[[str], List[str]]


@pytest.fixture
def play(pytester: pytest.Pytester, raw: Raw) -> Callable[..., pytest.RunResult]:
    """Runs a test whose body plays on the client `app` of a mode, with options of pytest."""

    def run(mode: str, body: str, *options: str, mark: str = "") -> pytest.RunResult:
        lines = [
            "import pytest, wayland_stage",
            mark,
            "def test_app(stage):",
            f"    app = stage.client(*{raw(mode)!r})",
            "    app.window(title='raw')",
            *(f"    {line}" for line in body.splitlines()),
        ]
        pytester.makepyfile(test_raw="\n".join(lines))
        return pytester.runpytest_subprocess("--junitxml=report.xml", *options)

    return run


def properties(folder: Path) -> List[str]:
    """The properties of JUnit's report: its name, and the first word of its value."""
    tree = ElementTree.parse(folder / "report.xml")
    return [f"{found.get('name')} {found.get('value', '').split()[0].rstrip(':')}" for found in tree.iter("property")]


def test_a_picture_is_recorded_once_and_then_compared(play, pytester: pytest.Pytester, plain_picture) -> None:
    reference = pytester.path / "test_raw" / "test_app-first.png"
    missing = play("polite", "app.expect('first')")
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*PictureDiffers: there is no *test_raw/test_app-first.png yet*pytest --stage-record*"])
    assert not reference.exists()
    recorded = play("polite", "app.expect('first')", "--stage-record")
    recorded.assert_outcomes(passed=1)
    recorded.stdout.fnmatch_lines(["*1 recorded by --stage-record*", str(reference)])
    play("polite", "app.expect('first')").assert_outcomes(passed=1)
    # What is right is not written again.
    before = reference.stat().st_mtime_ns
    assert "recorded by" not in play("polite", "app.expect('first')", "--stage-record").stdout.str()
    assert reference.stat().st_mtime_ns == before
    reference.write_bytes(plain_picture(120, 100))
    changed = play("polite", "app.expect('first')", "--stage-out=shots")
    changed.assert_outcomes(failed=1)
    shots = pytester.path / "shots"
    changed.stdout.fnmatch_lines(
        [
            f"*12000 of 12000 pixels differ from {reference}, the first at (0, 0)",
            f"E*expected    {reference}",
            f"E*got         {shots}/test_app-first.png",
            f"E*difference  {shots}/test_app-first.difference.png",
        ]
    )
    assert (shots / "test_app-first.difference.png").exists()
    # The traceback ends at the test's own line.
    changed.stdout.fnmatch_lines([">*app.expect('first')"])
    assert "pytest_plugin.py:" not in changed.stdout.str() and "__init__.py:" not in changed.stdout.str()
    assert f"picture {shots}/test_app-first.png" in properties(pytester.path)
    reference.write_bytes(plain_picture(120, 100))
    play("polite", "app.expect('first')", "--stage-record", "--stage-out=shots").assert_outcomes(passed=1)
    assert not (shots / "test_app-first.difference.png").exists()
    reference.write_bytes(plain_picture(90, 100))
    smaller = play("polite", "app.expect('first')")
    smaller.stdout.fnmatch_lines(["*120 x 100 pixels, not 90 x 100 as in *"])


def test_a_broken_rule_fails_the_test_and_is_a_property(play, pytester: pytest.Pytester) -> None:
    result = play("undamaged", "app.configure(200, 100)\napp.advance(50)")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["violation: * in request *"])
    assert any(found.startswith("violation ") for found in properties(pytester.path))
    rule = next(found.split()[1] for found in properties(pytester.path) if found.startswith("violation "))
    body = "app.configure(200, 100)\napp.advance(50)"
    play("undamaged", body, mark=f"@pytest.mark.stage(allow=['{rule}'])").assert_outcomes(passed=1)
    play("undamaged", f"{body}\napp.step('violation', rule='{rule}')").assert_outcomes(passed=1)


def test_a_rule_that_is_broken_before_a_failure_is_shown_with_it(play, pytester: pytest.Pytester) -> None:
    result = play("undamaged", "app.configure(200, 100)\napp.advance(50)\nassert 1 == 2")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 1 == 2", "*Captured stage call*", "violation: *"])
    assert any(found.startswith("violation ") for found in properties(pytester.path))


def test_strict_tests_fail_by_advice(play) -> None:
    body = "app.configure(200, 100)\napp.advance(50)"
    play("polite", body).assert_outcomes(passed=1)
    play("polite", body, mark="@pytest.mark.stage(strict=True)").assert_outcomes(failed=1)


def test_a_client_that_dies_fails_the_test(play, pytester: pytest.Pytester) -> None:
    crash = play("crash", "app.step('close')")
    crash.assert_outcomes(failed=1)
    crash.stdout.fnmatch_lines(["died: the client was ended by the signal 11"])
    assert "death the" in properties(pytester.path)
    play("crash", "app.step('close')\napp.step('exit', signal=11)").assert_outcomes(passed=1)
    play("fails", "app.step('close')\nstage.finish()").assert_outcomes(failed=1)
    play("fails", "app.step('close')\nassert app.step('exit', code=3) == {'code': 3}").assert_outcomes(passed=1)
    gone = play("polite", "app.step('close')\napp.step('exit')\nwith pytest.raises(wayland_stage.ClientDied):\n    app.advance(20)")
    gone.assert_outcomes(passed=1)


def test_parameters_and_classes_have_pictures_of_their_own(pytester: pytest.Pytester, raw: Raw) -> None:
    pytester.makepyfile(
        test_raw=f"""
        import pytest

        class TestRaw:
            @pytest.mark.parametrize("size", ["small/wide", "large"])
            def test_size(self, stage, size):
                app = stage.client(*{raw("polite")!r})
                app.window()
                app.expect()
        """
    )
    pytester.runpytest_subprocess("--stage-record").assert_outcomes(passed=2)
    found = sorted(path.name for path in (pytester.path / "test_raw").iterdir())
    assert found == ["TestRaw.test_size-large.png", "TestRaw.test_size-small-wide.png"]


def test_fingers_keys_and_outputs_reach_the_client(play) -> None:
    body = "\n".join(
        [
            "app.touch([(10, 10), (50, 10)], [(20, 20)], ms=40)",
            "app.click(4, 4)",
            "app.step('popup')",
            "app.step('dismiss')",
            "app.key('shift', 'a')",
            "app.add_output('second', scale=2, hertz=75)",
            "app.change_output(name='second', width=640)",
            "app.remove_output('second')",
            "assert app.window(count=1)['appID'] == 'test.raw'",
        ]
    )
    play("text", body).assert_outcomes(passed=1)


def test_a_text_is_typed_with_shift_where_the_layout_wants_it(pytester: pytest.Pytester, tmp_path: Path) -> None:
    text = "Fox_9! \\o/ {'~'}"
    pytester.makepyfile(
        f"""
        import pathlib

        def test_type(stage):
            app = stage.client("foot", "sh", "-c", 'IFS= read -r line; printf %s "$line" >typed')
            app.window()
            app.type({text!r} + "\\n")
            app.step("exit", code=0)
            assert pathlib.Path("typed").read_text() == {text!r}
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_test_that_fails_leaves_a_page_and_a_film(play, pytester: pytest.Pytester) -> None:
    folder = pytester.path / "seen"
    failed = play("polite", "app.advance(40)\nassert 1 == 2", "--stage-report=seen")
    failed.assert_outcomes(failed=1)
    files = [folder / "test_raw.test_app.html", folder / "test_raw.test_app.png"]
    failed.stdout.fnmatch_lines(["*assert 1 == 2", "*Captured stage report call*", *map(str, files)])
    page = files[0].read_text()
    assert "<h1>" in page and "advance ms 40" in page and page.endswith("</html>\n")
    assert files[1].read_bytes()[:4] == b"\x89PNG" and b"acTL" in files[1].read_bytes()
    assert f"page {files[0]}" in properties(pytester.path) and f"film {files[1]}" in properties(pytester.path)


def test_a_client_that_dies_or_breaks_a_rule_leaves_a_page(play, pytester: pytest.Pytester) -> None:
    play("crash", "app.step('close')", "--stage-report=seen").assert_outcomes(failed=1)
    page = (pytester.path / "seen" / "test_raw.test_app.html").read_text()
    assert "the client was ended by the signal 11" in page and "the last picture" in page
    play("serial", "", "--stage-report=seen").assert_outcomes(failed=1)
    assert "violation: unknownSerial" in (pytester.path / "seen" / "test_raw.test_app.html").read_text()


def test_a_test_that_passes_leaves_neither_page_nor_film(play, pytester: pytest.Pytester) -> None:
    play("polite", "app.advance(40)", "--stage-report=seen").assert_outcomes(passed=1)
    assert list((pytester.path / "seen").iterdir()) == []
    two = f"other = stage.client(*{['true']!r})\nother.step('exit', code=0)\nassert 1 == 2"
    play("polite", two, "--stage-report=seen").assert_outcomes(failed=1)
    found = sorted(path.name for path in (pytester.path / "seen").iterdir())
    assert found == ["test_raw.test_app-2.html", "test_raw.test_app.html", "test_raw.test_app.png"]


def test_a_client_that_a_fixture_starts_in_vain_leaves_a_page(pytester: pytest.Pytester, raw: Raw) -> None:
    pytester.makepyfile(
        test_raw=f"""
        import pytest

        @pytest.fixture
        def app(stage):
            client = stage.client(*{raw("polite")!r})
            client.window(title="other", within=50)
            return client

        def test_app(app):
            pass
        """
    )
    result = pytester.runpytest_subprocess("--stage-report=seen")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*Captured stage report setup*", "*test_raw.test_app.html"])
    assert "no such window" in (pytester.path / "seen" / "test_raw.test_app.html").read_text()


def test_what_a_client_prints_is_captured(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_loud(stage):\n    stage.client('sh', '-c', 'echo so; echo to >&2').window(within=200)")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the client ended with 0*", "*Captured stderr call*", "so", "to"])


def test_a_client_that_is_missing_is_named(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_absent(stage):\n    stage.client('/nowhere/app').window()")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["stage: can't start /nowhere/app: No such file or directory"])

"""The plugin for pytest: the fixture `stage`, on which tests play with Wayland clients.

    def test_escape_closes_the_menu(stage):
        app = stage.client("./app")
        app.window(title="My app")
        app.click(20, 12)
        app.expect("menu")
        app.key("escape")
        app.expect("closed")

A client that breaks a rule or dies fails its test. The pictures that `expect` compares with are beside the test's file, in a folder of its
name; `pytest --stage-record` writes them.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

from wayland_stage import Client, ClientDied, Stage, StepFailed, Violation, Violations

__all__ = ["PictureDiffers", "StageFixture", "TestedClient"]


class PictureDiffers(AssertionError):
    """A picture of a window is not the one beside the test."""


class TestedClient(Client):
    """A client in a test: `Client` with pictures to compare."""

    __test__ = False  # It is no test for pytest to collect.

    _fixture: StageFixture

    def expect(self, name: str = "", **parameters: Any) -> None:
        """Compares the window's picture with the file beside the test, in every pixel; `pytest --stage-record` writes that file.

        `name` tells the pictures of a test apart. `window` or `popup` chooses what is pictured, as in the step `screenshot`.
        """
        __tracebackhide__ = True
        self._fixture._expect(self, name, parameters)


class StageFixture:
    """What the fixture `stage` is: it starts clients, which the end of the test ends and judges."""

    def __init__(self, request: pytest.FixtureRequest, out: Path) -> None:
        self._request = request
        self._out = out
        self._clients: List[TestedClient] = []
        #: What people can look at if the test fails: the page and the film of each client.
        self._seen: List[Path] = []
        self._setup: Dict[str, Any] = {}
        # The nearest mark comes first.
        for mark in reversed(list(request.node.iter_markers("stage"))):
            self._setup.update(mark.kwargs)

    def client(self, *command: str, env: Optional[Dict[str, str]] = None, **setup: Any) -> TestedClient:
        """Starts a client with a compositor of its own.

        `env` adds to its environment; `setup` has the arguments of `wayland_stage.Stage`, such as `allow`, `output` and `strict`, and
        comes before those of the mark `stage`.
        """
        stage = _TestStage(out=str(self._out), **{**self._setup, **self._watched(), **setup})
        client = stage.client(*command, env=env)
        assert isinstance(client, TestedClient)
        client._fixture = self
        self._clients.append(client)
        return client

    def _watched(self) -> Dict[str, str]:
        """The files of the page and the film of the next client, with `pytest --stage-report`."""
        option = self._request.config.getoption("stage_report")
        if not option:
            return {}
        folder = Path(option).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        # "tests/test_app.py::TestMenus::test_opens[large]" is test_app.TestMenus.test_opens-large.html.
        module, _, test = self._request.node.nodeid.partition("::")
        name = _file_name(f"{Path(module).stem}.{test.replace('::', '.')}")
        count = len(self._seen) // 2 + 1
        base = name if count == 1 else f"{name}-{count}"
        page, film = folder / f"{base}.html", folder / f"{base}.png"
        self._seen += [page, film]
        return {"report": str(page), "film": str(film)}

    def keep(self, has_failed: bool, when: str = "call") -> None:
        """Names the pages and films in the report of a test that failed, and removes those of one that passed."""
        for path in self._seen:
            if not has_failed:
                path.unlink(missing_ok=True)
            elif path.exists():
                self._request.node.user_properties.append(("page" if path.suffix == ".html" else "film", str(path)))
        words = "\n".join(str(path) for path in self._seen if has_failed and path.exists())
        if words:
            self._request.node.add_report_section(when, "stage report", words)
        self._seen = []

    def finish(self) -> None:
        """Ends every client, as the end of the test does. The test fails if one broke a rule or died."""
        clients, self._clients = self._clients, []
        complaints = []
        for client in clients:
            try:
                client.finish()
            except Violations:
                complaints += [f"violation: {violation}" for violation in _once(client.violations)]
                if client.death:
                    complaints.append(f"died: {client.death}")
            except ClientDied as error:
                complaints.append(f"died: {error}")
            finally:
                client.close()
                self._note(client)
        if complaints:
            pytest.fail("\n".join(complaints), pytrace=False)

    def close(self, when: str = "call") -> None:
        """Ends every client that still plays, as after a test that failed; what they did is shown with the failure."""
        for client in self._clients:
            client.close()
            self._note(client)
            words = "\n".join(f"violation: {violation}" for violation in _once(client.violations))
            if words:
                self._request.node.add_report_section(when, "stage", words)
        self._clients = []

    def _note(self, client: Client) -> None:
        """Adds what the client did to the report, as JUnit's properties."""
        for name, found in (("violation", client.violations), ("advice", client.advice)):
            for violation in _once(found):
                self._request.node.user_properties.append((name, str(violation)))
        if client.death:
            self._request.node.user_properties.append(("death", client.death))

    def _expect(self, client: TestedClient, name: str, parameters: Dict[str, Any]) -> None:
        __tracebackhide__ = True
        # "TestMenus.test_opens[large]" of tests/test_app.py is tests/test_app/TestMenus.test_opens-large.png.
        test = self._request.node.nodeid.split("::", 1)[-1].replace("::", ".")
        file = _file_name(f"{test}-{name}") + ".png"
        path: Path = self._request.path
        reference = path.parent / path.stem / file
        config = self._request.config
        is_recording = config.getoption("stage_record")
        shot = {"name": file[: -len(".png")], **parameters}
        if reference.exists():
            difference = self._out / f"{file[:-len('.png')]}.difference.png"
            difference.unlink() if difference.exists() else None
            try:
                client.step("screenshot", against=str(reference), **shot)
                return
            except ClientDied:
                raise
            except StepFailed as error:
                new = self._out / file
                if not new.exists():
                    raise
                if not is_recording:
                    lines = [str(error).split("; ")[0], f"expected    {reference}", f"got         {new}"]
                    lines += [f"difference  {difference}"] if difference.exists() else []
                    self._request.node.user_properties += [("picture", str(new)), ("expected", str(reference))]
                    lines.append("If the new picture is right: pytest --stage-record")
                    raise PictureDiffers("\n".join(lines)) from None
                difference.unlink() if difference.exists() else None
        elif not is_recording:
            client.step("screenshot", **shot)
            raise PictureDiffers(f"there is no {reference} yet: look at {self._out / file}, and run pytest --stage-record")
        else:
            client.step("screenshot", **shot)
        reference.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self._out / file, reference)
        config.stash[_recorded].append(str(reference))


class _TestStage(Stage):
    """Starts clients of the tests' kind."""

    def _made(self, control: socket.socket, process: subprocess.Popen[bytes]) -> Client:
        return TestedClient(control, process)


def _file_name(words: str) -> str:
    """A name for a file."""
    return re.sub(r"[^\w.]+", "-", words).strip("-")[:200]


def _once(violations: List[Violation]) -> List[Violation]:
    """The first violation of each rule."""
    return list({violation.rule: violation for violation in reversed(violations)}.values())[::-1]


_recorded = pytest.StashKey[List[str]]()
_played = pytest.StashKey[StageFixture]()


@pytest.fixture
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StageFixture]:
    """A compositor for the Wayland clients that the test starts."""
    folder = request.config.getoption("stage_out")
    # pytest keeps the folders of its last runs.
    out = Path(folder).absolute() if folder else tmp_path_factory.mktemp("stage")
    out.mkdir(parents=True, exist_ok=True)
    fixture = StageFixture(request, out)
    request.node.stash[_played] = fixture
    yield fixture
    fixture.close()
    fixture.keep(False)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Judges the clients once the test's own function has passed, so that a broken rule is a failure of the test."""
    fixture = item.stash.get(_played, None)
    if fixture is not None:
        fixture.finish()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Ends the clients of a test that failed before its report is made, which names the rules that they broke."""
    fixture = item.stash.get(_played, None)
    # Fixtures of the test's own start clients, too.
    if fixture is not None and call.when != "teardown" and call.excinfo is not None:
        fixture.close(call.when)
        fixture.keep(not call.excinfo.errisinstance(pytest.skip.Exception), call.when)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("stage", "Wayland clients on the stage")
    group.addoption(
        "--stage-record", action="store_true", help="write the pictures that tests expect, in place of comparing with them"
    )
    group.addoption(
        "--stage-out", metavar="FOLDER", help="write new pictures and differences there, by default into pytest's temporary folder"
    )
    group.addoption(
        "--stage-report", metavar="FOLDER", help="write a page in HTML and a film for each client of a test that fails there"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark."""
    config.stash[_recorded] = []
    config.addinivalue_line(
        "markers", "stage(allow=, output=, devices=, globals=, strict=, seed=): how the stage is set up for the test's clients"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Names the pictures that were recorded."""
    recorded = sorted({*config.stash[_recorded]})
    if recorded:
        terminalreporter.write_sep("-", f"{len(recorded)} recorded by --stage-record")
        for path in recorded:
            terminalreporter.write_line(path)

"""Plays a Wayland compositor for a client, step by step, and judges the client.

    from wayland_stage import Stage

    with Stage().client("weston-simple-touch") as client:
        client.step("window")
        client.step("touch-down", id=0, x=40, y=60)

Every step that a script of `stage run` has is a call of `step`: the name, then its parameters (`stage help steps` lists them).
The end of the `with` block ends the client, and raises `Violations` if it broke a rule that no step expected, or `ClientDied` if it
died by itself.

pytest finds the fixture `stage` by itself: see `wayland_stage.pytest_plugin`.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
from types import TracebackType
from typing import Any, Dict, List, NamedTuple, Optional, Pattern, Sequence, Tuple, Type, Union

from wayland_stage.locators import AccessibilityBus, Extents, Locator, LocatorFailed, outline

# pytest shows the test's own lines, not those of this module.
__tracebackhide__ = True

__all__ = [
    "Client",
    "ClientDied",
    "Extents",
    "Locator",
    "LocatorFailed",
    "Stage",
    "StepFailed",
    "Violation",
    "Violations",
]


def _own_program() -> str:
    """The path of the program `stage`: the one that was installed with this module, else the one on the PATH."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "stage")
    return own if os.path.exists(own) else "stage"


#: The characters of the US layout with Shift, and the keys that have them.
_SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./"))


class Violation(NamedTuple):
    """A rule that the client broke: its name, the circumstances, the specification's sentence, and the request."""

    rule: str
    message: str
    sentence: str
    #: The object and the request, such as "wl_surface@7.commit"; None if no single request broke the rule.
    request: Optional[str]
    #: The request's number among all of the client, from 1.
    number: Optional[int]

    def __str__(self) -> str:
        where = f" in request {self.number}, {self.request}" if self.request else ""
        return f"{self.rule}{where}: {self.message}. {self.sentence}"


class StepFailed(Exception):
    """A step could not be carried out, or what it expects did not happen."""


class ClientDied(StepFailed):
    """The client has left before the step."""


class Violations(Exception):
    """The client broke rules."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("\n".join(str(violation) for violation in violations))
        self.violations = list(violations)


class Stage:
    """How clients are started.

    `program` is the path of `stage`; by default it is the one that belongs to this module. Screenshots are written into the folder `out` and compared with those in `against`.
    The file `film` becomes an animated PNG of what the windows show, and `report` a page in HTML about the run, once the client has ended.
    `seed` is that of random sizes; with `strict`, advice counts as violations. With `accessibility`, each client has a session bus and an
    accessibility bus of its own, and `find` works. All other arguments are how the stage is set up, as in a script: `allow` (rules that
    clients may break), `globals`, `output` (a size in pixels), `devices`.
    """

    def __init__(
        self,
        program: Optional[str] = None,
        *,
        out: Optional[str] = None,
        against: Optional[str] = None,
        film: Optional[str] = None,
        report: Optional[str] = None,
        seed: int = 1,
        strict: bool = False,
        accessibility: bool = False,
        **setup: Any,
    ) -> None:
        self._accessibility = accessibility
        self._command = [program or _own_program(), "serve", "SOCKET", f"--seed={seed}", f"--setup={json.dumps(setup)}"]
        files = {"out": out, "against": against, "film": film, "report": report}
        self._command += [f"--{name}={path}" for name, path in files.items() if path]
        self._command += ["--strict"] if strict else []

    def client(self, *command: str, env: Optional[Dict[str, str]] = None, output: Optional[int] = None) -> Client:
        """Starts a client with a compositor of its own; use it in a `with` statement.

        `env` adds to its environment. What it prints goes to the descriptor `output`, by default to the standard error.
        """
        bus = AccessibilityBus() if self._accessibility else None
        added = {**(bus.environment() if bus else {}), **(env or {})}
        own, theirs = socket.socketpair()
        try:
            with theirs:
                number = theirs.fileno()
                arguments = [str(number) if word == "SOCKET" else word for word in self._command]
                process = subprocess.Popen(
                    [*arguments, "--", *map(os.fspath, command)],
                    pass_fds=[number],
                    stdin=subprocess.DEVNULL,
                    stdout=2 if output is None else output,
                    stderr=output,
                    env={**os.environ, **added} if added else None,
                )
        except BaseException:
            own.close()
            if bus:
                bus.close()
            raise
        client = self._made(own, process)
        client._bus = bus
        return client

    def _made(self, control: socket.socket, process: subprocess.Popen[bytes]) -> Client:
        return Client(control, process)


class Client:
    """A client that plays on a stage."""

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes]) -> None:
        self._control = control
        self._lines = control.makefile("rwb")
        self._process = process
        #: The rules that the client broke and no step expected.
        self.violations: List[Violation] = []
        #: What the specification permits, and still is a waste or looks bad.
        self.advice: List[Violation] = []
        #: How the client died by itself; None if it did not.
        self.death: Optional[str] = None
        self._bus: Optional[AccessibilityBus] = None

    def step(self, name: str, /, **parameters: Any) -> Dict[str, Any]:
        """Carries out a step and returns what it returns. Raises `StepFailed`, or `ClientDied` if the client has left."""
        answer = self._ask({"do": name, **parameters})
        if not answer.pop("ok"):
            raise (ClientDied if answer.get("died") else StepFailed)(answer["error"])
        if name == "violation":
            for found in (self.violations, self.advice):
                found[:] = [violation for violation in found if violation.rule != parameters["rule"]]
        return answer

    # The steps that tests use most.

    def window(self, **properties: Any) -> Dict[str, Any]:
        """Waits for a window with these properties, such as `title` and `width`; returns all of them."""
        return self.step("window", **properties)

    def advance(self, ms: float) -> None:
        """Moves virtual time on by milliseconds."""
        self.step("advance", ms=ms)

    def touch(self, *paths: Sequence[Tuple[float, float]], ms: float = 200, window: int = 0) -> None:
        """Moves one finger along each path, all at the same time; a path of one point is a tap."""
        fingers = [{"path": [list(point) for point in path]} for path in paths]
        self.step("touch", ms=ms, fingers=fingers, window=window)

    def click(self, x: float, y: float, button: str = "left", window: int = 0) -> None:
        """Moves the pointer to a point of the window, and clicks there."""
        self.step("pointer-move", x=x, y=y, window=window)
        self.step("pointer-button", button=button)

    def key(self, *keys: str) -> None:
        """Presses keys one after the other and releases them in the opposite order: `key("control", "q")`."""
        for name in keys[:-1]:
            self.step("key", key=name, action="press")
        for name in keys[-1:]:
            self.step("key", key=name)
        try:
            for name in reversed(keys[:-1]):
                self.step("key", key=name, action="release")
        except ClientDied:
            pass  # It has closed on the last key: the next step says so.

    def type(self, text: str) -> None:
        """Types a text of the US layout by its keys, with Shift where that is needed; a line break is Enter."""
        for letter in text:
            plain = _SHIFTED.get(letter) or (letter.lower() if letter.isupper() else None)
            if plain:
                self.key("shift", plain)
            else:
                self.key({"\n": "enter", "\t": "tab", " ": "space"}.get(letter, letter))

    def find(
        self,
        role: Optional[str] = None,
        name: Union[str, Pattern[str], None] = None,
        *,
        index: Optional[int] = None,
        within: float = 2000,
        window: int = 0,
    ) -> Locator:
        """What shows with this role and name, of a stage with `accessibility`; looked up when it is used.

        `role` is one of AT-SPI, such as "button", "check box", "label", "text", with or without spaces; `name` the whole name, or a
        pattern of `re`. Where several fit, `index` chooses one, from 0 in the tree's order, or from -1 at its end. Each use waits up to
        `within` milliseconds of the stage's time, and then of real time. Coordinates are those of `window`.
        """
        if self._bus is None:
            raise ValueError("find needs a stage with accessibility: Stage(accessibility=True), or that member of the mark")
        return Locator(self, self._bus, role, name, index, within, window)

    def outline(self) -> str:
        """What the client shows to a screen reader, a line for each element: what `find` can find."""
        if self._bus is None:
            raise ValueError("outline needs a stage with accessibility")
        return outline(self._bus)

    def configure(self, width: int = 0, height: int = 0, **parameters: Any) -> None:
        """Gives the window a size in logical points, and states; 0 leaves a side to the client."""
        self.step("configure", width=width, height=height, **parameters)

    def add_output(self, name: str, **mode: Any) -> None:
        """Plugs in an output, by default of 1280 x 720 pixels; `mode` may have `width`, `height`, `scale` and `hertz`."""
        self.step("add-output", name=name, **mode)

    def change_output(self, **mode: Any) -> None:
        """Changes the mode of an output, by default the first one's; `name` names another."""
        self.step("change-output", **mode)

    def remove_output(self, name: str) -> None:
        """Unplugs an output."""
        self.step("remove-output", name=name)

    def freeze(self, ms: float) -> None:
        """Answers nothing and sends nothing for milliseconds, as a compositor that hangs, and then goes on."""
        self.step("freeze", ms=ms)

    def screenshot(self, name: str, **parameters: Any) -> str:
        """Writes NAME.png and compares it if the stage has something to compare with; returns its path."""
        return str(self.step("screenshot", name=name, **parameters)["path"])

    def finish(self) -> None:
        """Ends the client, as the end of the `with` block does.

        Raises `Violations` if it broke a rule that no step expected, and `ClientDied` if it has died by itself.
        """
        if self._control.fileno() >= 0:
            self.death = self._ask({"do": "finish"}).get("death")
            self.close()
        if self.violations:
            raise Violations(self.violations)
        if self.death:
            raise ClientDied(self.death)

    def close(self) -> None:
        """Ends the client without a word about rules."""
        self._lines.close()
        self._control.close()
        self._process.wait()
        if self._bus:
            self._bus.close()
            self._bus = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if error is None:
            self.finish()
        else:
            self.close()

    def _ask(self, step: Dict[str, Any]) -> Dict[str, Any]:
        try:
            self._lines.write(json.dumps(step).encode() + b"\n")
            self._lines.flush()
            line = self._lines.readline()
        except OSError:
            line = b""
        if not line:
            raise ClientDied("the stage has ended")
        answer: Dict[str, Any] = json.loads(line)
        for name, found in (("violations", self.violations), ("advice", self.advice)):
            for item in answer.pop(name, []):
                found.append(
                    Violation(item["rule"], item["message"], item["sentence"], item.get("request"), item.get("number"))
                )
        return answer

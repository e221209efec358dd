"""Finds what a client shows by role and name, as a screen reader does, and waits until it is there.

    from wayland_stage import Stage

    with Stage(accessibility=True).client("./app") as client:
        client.find("text", "Name").click()
        client.type("Ada")
        client.find("button", "OK").tap()
        client.find("label", "Hello, Ada").expect()

A private session bus and accessibility bus (AT-SPI) are started for each client, so that nothing of the desktop is asked or disturbed. This
needs the Python package jeepney (`wayland_stage-*.whl[locators]`) and the programs of Debian's dbus-daemon and at-spi2-core.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Pattern, Tuple, Union

if TYPE_CHECKING:
    from wayland_stage import Client

# pytest shows the test's own lines, not those of this module.
__tracebackhide__ = True

__all__ = ["AccessibilityBus", "Extents", "Locator", "LocatorFailed"]

_ACCESSIBLE = "org.a11y.atspi.Accessible"
#: The states by their bits, AtspiStateType.
_STATES = (
    "invalid active armed busy checked collapsed defunct editable enabled expandable expanded focusable focused has-tooltip horizontal "
    "iconified modal multi-line multiselectable opaque pressed resizable selectable selected sensitive showing single-line stale transient "
    "vertical visible manages-descendants indeterminate required truncated animated invalid-entry supports-autocompletion selectable-text "
    "is-default visited checkable has-popup read-only"
).split()
#: Names of roles that mean the same; newer versions of AT-SPI say "button".
_SAME_ROLES = {"pushbutton": "button"}
#: So many elements are looked at; a table of a million cells has more.
_MOST_ELEMENTS = 5000
#: The time after which a client that does not answer a question is given up, in seconds.
_ANSWER = 5.0
_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher", "/usr/lib/at-spi-bus-launcher")

_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <servicedir>{folder}/services</servicedir>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
  </policy>
</busconfig>
"""


class LocatorFailed(AssertionError):
    """What was looked for is not there, or not as expected, after the wait; the message lists what is there."""


class Extents(NamedTuple):
    """A place in logical points, from the upper left corner of the window's geometry."""

    x: float
    y: float
    width: float
    height: float

    def point(self, at: Tuple[float, float] = (0.5, 0.5)) -> Tuple[float, float]:
        """The point that is these shares of the width and the height away from the upper left corner; by default the middle."""
        return (self.x + self.width * at[0], self.y + self.height * at[1])


class AccessibilityBus:
    """A session bus of its own, with the accessibility bus that it starts, in a private folder. `close` ends both."""

    def __init__(self) -> None:
        try:
            import jeepney  # type: ignore[import-untyped] # noqa: F401
        except ImportError:
            raise RuntimeError("locators need the Python package jeepney: pip install jeepney (the wheel's extra [locators])") from None
        daemon = shutil.which("dbus-daemon")
        launcher = next((path for path in _LAUNCHERS if os.access(path, os.X_OK)), None)
        if not daemon or not launcher:
            raise RuntimeError(
                "locators need the programs dbus-daemon and at-spi-bus-launcher: Debian's packages dbus-daemon and at-spi2-core"
            )
        self._folder = tempfile.mkdtemp(prefix="stage-bus-")
        os.mkdir(f"{self._folder}/services")
        with open(f"{self._folder}/services/org.a11y.Bus.service", "w") as file:
            file.write(f"[D-BUS Service]\nName=org.a11y.Bus\nExec={launcher}\n")
        with open(f"{self._folder}/bus.conf", "w") as file:
            file.write(_BUS.format(folder=self._folder))
        #: The address of the session bus, for DBUS_SESSION_BUS_ADDRESS.
        self.address = f"unix:path={self._folder}/bus"
        # It says its address once it listens. In a process group of its own: the launcher and its daemon end with it.
        hidden = ("DISPLAY", "WAYLAND_DISPLAY", "AT_SPI_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "DBUS_STARTER_ADDRESS")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        environment.update(XDG_RUNTIME_DIR=self._folder, GSETTINGS_BACKEND="memory")
        self._process = subprocess.Popen(
            [daemon, f"--config-file={self._folder}/bus.conf", "--nofork", "--nopidfile", "--print-address=1"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            assert self._process.stdout
            with self._process.stdout as printed:
                if not printed.readline():
                    raise RuntimeError("dbus-daemon did not start")
            session = _Connection(self.address)
            try:
                # Toolkits show their trees only to those who say that they read them.
                session.set("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status", "IsEnabled", ("b", True))
                self._address = str(session.call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")[0])
            finally:
                session.close()
            self._connection = _Connection(self._address)
        except BaseException:
            self.close()
            raise

    def environment(self) -> Dict[str, str]:
        """What a client needs to find the buses, and to show its tree."""
        return {
            "DBUS_SESSION_BUS_ADDRESS": self.address,
            "AT_SPI_BUS_ADDRESS": self._address,
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "GTK_A11Y": "atspi",
            "NO_AT_BRIDGE": "0",
            "ACCESSIBILITY_ENABLED": "1",
        }

    def close(self) -> None:
        """Ends the buses and removes their folder."""
        connection = getattr(self, "_connection", None)
        if connection:
            connection.close()
        try:
            os.killpg(self._process.pid, 15)
        except ProcessLookupError:
            pass
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def elements(self) -> Iterator[_Element]:
        """Every element that clients show, each before those inside it."""
        root = _Element(self._connection, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root", 0, None)
        waiting = list(reversed(root.children()))
        for _ in range(_MOST_ELEMENTS):
            if not waiting:
                return
            element = waiting.pop()
            yield element
            waiting += reversed(element.children())


class _Connection:
    """Calls over a bus that wait for their answers."""

    def __init__(self, address: str) -> None:
        from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

        self._connection = open_dbus_connection(address)

    def close(self) -> None:
        self._connection.close()

    def call(self, name: str, path: str, interface: str, method: str, signature: str = "", *arguments: Any) -> Tuple[Any, ...]:
        """The values of the answer. Raises `_Gone` if there is none, or an error."""
        from jeepney import DBusAddress, MessageType, new_method_call

        address = DBusAddress(path, bus_name=name, interface=interface)
        try:
            message = new_method_call(address, method, signature or None, arguments)
            answer = self._connection.send_and_get_reply(message, timeout=_ANSWER)
        except (OSError, TimeoutError) as error:
            raise _Gone(str(error) or "no answer") from None
        if answer.header.message_type is MessageType.error:
            raise _Gone(str(answer.body[0]) if answer.body else "an error")
        return tuple(answer.body)

    def get(self, name: str, path: str, interface: str, member: str) -> Any:
        return self.call(name, path, "org.freedesktop.DBus.Properties", "Get", "ss", interface, member)[0][1]

    def set(self, name: str, path: str, interface: str, member: str, value: Tuple[str, Any]) -> None:
        self.call(name, path, "org.freedesktop.DBus.Properties", "Set", "ssv", interface, member, value)


class _Gone(Exception):
    """The element is no more, has no such interface, or its client does not answer."""


class _Element:
    """One element of a tree, asked anew each time."""

    def __init__(self, connection: _Connection, name: str, path: str, depth: int, window: Optional[_Element]) -> None:
        self._connection, self._name, self._path, self.depth = connection, name, path, depth
        #: The element of the window that it is in, which is the child of an application.
        self.window = window

    def _call(self, method: str, signature: str = "", *arguments: Any, interface: str = _ACCESSIBLE) -> Tuple[Any, ...]:
        return self._connection.call(self._name, self._path, interface, method, signature, *arguments)

    def children(self) -> List[_Element]:
        """Those inside; none if it is no more."""
        if "manages-descendants" in self.states:
            return []  # A table makes each cell when it is asked for it.
        try:
            places = self._call("GetChildren")[0]
        except _Gone:
            return []
        window = self if self.depth == 2 else self.window
        return [_Element(self._connection, name, path, self.depth + 1, window) for name, path in places if not path.endswith("/null")]

    @property
    def name(self) -> str:
        try:
            return str(self._connection.get(self._name, self._path, _ACCESSIBLE, "Name"))
        except _Gone:
            return ""

    @property
    def role(self) -> str:
        try:
            return str(self._call("GetRoleName")[0])
        except _Gone:
            return ""

    @property
    def states(self) -> List[str]:
        try:
            words = self._call("GetState")[0]
        except _Gone:
            return []
        bits = sum(word << 32 * index for index, word in enumerate(words))
        return [state for index, state in enumerate(_STATES) if bits >> index & 1]

    def _has(self, interface: str) -> bool:
        """Asked first, because some toolkits complain of questions about an interface that they have not."""
        try:
            return interface in self._call("GetInterfaces")[0]
        except _Gone:
            return False

    @property
    def value(self) -> Optional[float]:
        if not self._has("org.a11y.atspi.Value"):
            return None
        try:
            return float(self._connection.get(self._name, self._path, "org.a11y.atspi.Value", "CurrentValue"))
        except _Gone:
            return None

    @property
    def text(self) -> Optional[str]:
        if not self._has("org.a11y.atspi.Text"):
            return None
        try:
            return str(self._call("GetText", "ii", 0, -1, interface="org.a11y.atspi.Text")[0])
        except _Gone:
            return None

    @property
    def extents(self) -> Extents:
        """The place in the coordinates of the window that the toolkit has: with the shadow around it or without."""
        try:
            return Extents(*self._call("GetExtents", "u", 1, interface="org.a11y.atspi.Component")[0])
        except _Gone:
            return Extents(0, 0, 0, 0)

    def perform(self) -> None:
        if not self._has("org.a11y.atspi.Action"):
            raise _Gone("it has no such interface")
        self._call("DoAction", "i", 0, interface="org.a11y.atspi.Action")

    def __str__(self) -> str:
        parts = [self.role, repr(self.name)]
        value, text = self.value, self.text
        parts += [f"value={value:g}"] if value is not None else []
        parts += [f"text={text!r}"] if text and text != self.name else []
        shown = [state for state in self.states if state in ("checked", "disabled", "expanded", "focused", "pressed", "selected")]
        return " ".join(parts + shown + ([] if "showing" in self.states else ["(not showing)"]))


class Locator:
    """A description of an element, which is looked up anew whenever it is used: a client may replace what it shows.

    Each action and question waits until exactly one element that shows fits. Meanwhile the stage's time goes on by 50 milliseconds at a
    time, so that animations run, up to `within` milliseconds, and then as long in real time, for clients that are busy with something else.
    """

    def __init__(
        self,
        client: Client,
        bus: AccessibilityBus,
        role: Optional[str],
        name: Union[str, Pattern[str], None],
        index: Optional[int],
        within: float,
        window: int,
    ) -> None:
        self._client, self._bus = client, bus
        self._role, self._name, self._index = role, name, index
        self._within, self._window = within, window

    def __str__(self) -> str:
        name = self._name.pattern if isinstance(self._name, re.Pattern) else self._name
        words = [f"role={self._role}" if self._role else "", f"name={name!r}" if name is not None else ""]
        return " ".join(word for word in words + [f"index={self._index}" if self._index is not None else ""] if word) or "anything"

    # What users do.

    def tap(self, ms: float = 60, at: Tuple[float, float] = (0.5, 0.5)) -> None:
        """Puts a finger on the element for `ms` milliseconds of the stage's time, once it is enabled and at rest.

        `at` is the place in it, in shares of its width and height from its upper left corner.
        """
        self._client.touch([self._place(at)], ms=ms, window=self._window)

    def click(self, button: str = "left", at: Tuple[float, float] = (0.5, 0.5)) -> None:
        """Clicks on the element, at the place that `tap` has, once it is enabled and at rest."""
        x, y = self._place(at)
        self._client.click(x, y, button, window=self._window)

    def perform(self) -> None:
        """Has the client perform the element's first action, as a screen reader does: for what lies in a popup, or has no place."""
        try:
            self._one(lambda element: _is_enabled(element.states)).perform()
        except _Gone as error:
            raise LocatorFailed(f"{self} has no action: {error}") from None

    # What they see.

    @property
    def extents(self) -> Extents:
        """Where the element is in the window."""
        element = self._one()
        place, frame = element.extents, element.window.extents if element.window else None
        window = self._client.window()
        # Some toolkits count from the corner of the shadow, which is part of the surface and not of the geometry.
        if frame and frame.width > window["width"]:
            return place._replace(x=place.x - window.get("x", 0), y=place.y - window.get("y", 0))
        return place

    @property
    def name(self) -> str:
        """What the element is called."""
        return self._one().name

    @property
    def role(self) -> str:
        """The name of its role in AT-SPI."""
        return self._one().role

    @property
    def value(self) -> Optional[float]:
        """The number that it shows; None if it shows none."""
        return self._one().value

    @property
    def text(self) -> Optional[str]:
        """The text in it; None if it has none. Toolkits show no password."""
        return self._one().text

    @property
    def states(self) -> List[str]:
        """Its states in AT-SPI's words, such as "focused", "checked", "selected", "enabled"."""
        return self._one().states

    # What tests demand.

    def expect(
        self,
        *,
        value: Optional[float] = None,
        text: Optional[str] = None,
        states: Iterable[str] = (),
        without: Iterable[str] = (),
    ) -> None:
        """Waits until the element shows, with this value and text, with all of `states` and none of those in `without`."""
        states, without = list(states), list(without)
        unknown = [state for state in states + without if state not in _STATES]
        if unknown:
            raise ValueError(f"no such state: {', '.join(unknown)}; there are {', '.join(_STATES)}")

        def fits(element: _Element) -> bool:
            has = element.states if states or without else []
            return (
                (value is None or element.value == value)
                and (text is None or element.text == text)
                and all(state in has for state in states)
                and not any(state in has for state in without)
            )

        wanted = [f"value={value:g}" if value is not None else "", f"text={text!r}" if text is not None else ""]
        wanted += states + [f"not {state}" for state in without]
        self._one(fits, ", ".join(word for word in wanted if word))

    def expect_gone(self) -> None:
        """Waits until no such element shows any more."""
        self._wait(lambda: None if self._all() else True, lambda: f"{self} still shows")

    # How.

    def _place(self, at: Tuple[float, float]) -> Tuple[float, float]:
        last: List[Extents] = []

        def rests(element: _Element) -> bool:
            extents = element.extents
            is_still = last == [extents] and extents.width > 0 and extents.height > 0
            last[:] = [extents]
            return is_still and _is_enabled(element.states)

        self._one(rests, "enabled and at rest")
        return self.extents.point(at)

    def _all(self) -> List[_Element]:
        found = []
        for element in self._bus.elements():
            if self._role is not None and _plain(element.role) != _plain(self._role):
                continue
            name = element.name if self._name is not None else ""
            if isinstance(self._name, re.Pattern) and not self._name.search(name):
                continue
            if isinstance(self._name, str) and name != self._name:
                continue
            if "showing" in element.states:
                found.append(element)
        return found

    def _one(self, fits: Any = lambda element: True, wanted: str = "") -> _Element:
        found: List[_Element] = []

        def look() -> Optional[_Element]:
            found[:] = self._all()
            if self._index is not None:
                one = found[self._index] if -len(found) <= self._index < len(found) else None
            else:
                one = found[0] if len(found) == 1 else None
            return one if one is not None and fits(one) else None

        def problem() -> str:
            if not found:
                return f"nothing fits {self}"
            if self._index is None and len(found) > 1:
                return f"{len(found)} elements fit {self}: choose one with index=0, 1, ..."
            return f"{self} is not {wanted}" if wanted else f"{self} is not there"

        element: _Element = self._wait(look, problem)
        return element

    def _wait(self, look: Any, problem: Any) -> Any:
        """What `look` returns as soon as that is not None."""
        passed, end = 0.0, None
        while True:
            result = look()
            if result is not None:
                return result
            if passed < self._within:
                self._client.advance(50)
                passed += 50
                continue
            end = end if end is not None else time.monotonic() + self._within / 1000
            if time.monotonic() > end:
                raise LocatorFailed(f"{problem()}. There is:\n{outline(self._bus)}")
            time.sleep(0.01)


def outline(bus: AccessibilityBus, most: int = 60) -> str:
    """What clients show, a line for each element, indented by depth; at most `most` lines."""
    lines: List[str] = []
    for element in bus.elements():
        if len(lines) == most:
            lines.append("...")
            break
        lines.append("  " * element.depth + str(element))
    return "\n".join(lines) or "  nothing: no client has shown an accessible tree"


def _plain(role: str) -> str:
    word = re.sub("[ _-]", "", role).lower()
    return _SAME_ROLES.get(word, word)


def _is_enabled(states: Iterable[str]) -> bool:
    return "enabled" in states or "sensitive" in states

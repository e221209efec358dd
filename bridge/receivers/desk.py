"""A real cockpit, driven by a finger: KWin without a screen, the repository's own hands, and the cockpit that they hold."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

SIZE = (640, 360)
GEAR = 6  # Of ten: throttle 0.6.
BUS = """<busconfig><type>session</type><listen>unix:path={0}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>"""


class Desk:
    """A compositor with a touchscreen and a hand. `start` gives a cockpit whose lines go to a pipe."""

    def __init__(self, cockpit: Path, hands: Path) -> None:
        self.cockpit = cockpit
        self.folder = Path(tempfile.mkdtemp(prefix="cockpit-receivers."))
        # KWin draws without OpenGL, which costs half as much where it is emulated.
        self.environment = os.environ | {
            "XDG_RUNTIME_DIR": str(self.folder), "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/bus", "KWIN_COMPOSE": "Q",
            "KWIN_WAYLAND_NO_PERMISSION_CHECKS": "1", "WAYLAND_DISPLAY": "desk"}
        (self.folder / "bus.conf").write_text(BUS.format(self.folder))
        (self.folder / "kdeglobals").write_text("[KDE]\nAnimationDurationFactor=0\n")
        self.processes: list[subprocess.Popen[bytes]] = []
        self._begin(["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile"], "bus")
        # Debian's file has a capability, and where that cannot be granted exec fails: a copy has none.
        found = shutil.which("kwin_wayland")
        if found is None:
            raise FileNotFoundError("kwin_wayland is not installed")
        shutil.copyfile(found, self.folder / "kwin_wayland")
        (self.folder / "kwin_wayland").chmod(0o755)
        self._begin([
            str(self.folder / "kwin_wayland"), "--virtual", "--no-lockscreen", "--no-global-shortcuts", "--socket", "desk",
            "--width", str(SIZE[0]), "--height", str(SIZE[1])], "desk")
        self.hands = subprocess.Popen(
            [hands, f"{SIZE[0]}x{SIZE[1]}"], env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.processes.append(self.hands)
        assert self.hands.stdout is not None
        if self.hands.stdout.readline() != b"ready\n":
            raise RuntimeError("the hands did not come")
        tree = subprocess.run(
            [cockpit, "--dump-tree", "--size", f"{SIZE[0]}x{SIZE[1]}"], env=self.environment, check=True,
            capture_output=True).stdout
        frame = _frame(json.loads(tree), "gearbox")
        assert frame is not None
        across = frame["x"] + frame["width"] / 2
        # The gate has 300 units: N is at 240, gear n at (11 - n) * 20.
        self.neutral, self.gear = (f"{across} {frame['y'] + frame['height'] * units / 300}" for units in (240, (11 - GEAR) * 20))

    def _begin(self, command: list[str], socket: str) -> None:
        log = open(self.folder / f"{socket}.log", "wb")
        process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, cwd=self.folder)
        self.processes.append(process)
        end = time.monotonic() + 15
        while not (self.folder / socket).exists():
            if time.monotonic() > end or process.poll() is not None:
                raise RuntimeError(f"{command[0]} does not start: {(self.folder / f'{socket}.log').read_text()}")
            time.sleep(0.02)

    def give(self, *commands: str) -> None:
        """Gives input, and returns when the compositor has taken it."""
        assert self.hands.stdin is not None and self.hands.stdout is not None
        for command in commands:
            self.hands.stdin.write(command.encode() + b"\n")
            self.hands.stdin.flush()
            if self.hands.stdout.readline() != b"ok\n":
                raise RuntimeError(f"the compositor did not take {command}")

    def start(self, place: str, output: int | None = None, options: tuple[str, ...] = ()) -> "subprocess.Popen[bytes]":
        """A cockpit that sends its lines to `place`; `output` is its standard output. What it logs of them is in `log`."""
        with open(self.log, "wb") as log:
            return subprocess.Popen(
                [self.cockpit, "--fullscreen", "--drive", place, "--log", "drive:debug", *options], env=self.environment,
                stdout=output if output is not None else subprocess.DEVNULL, stderr=log)

    @property
    def log(self) -> Path:
        """The log of the cockpit that was started last."""
        return self.folder / "cockpit.log"

    def hold(self) -> None:
        """A finger takes the lever to gear 6 and rests there."""
        self.give(f"touch down 0 {self.neutral}", "touch frame", f"touch motion 0 {self.gear}", "touch frame")

    def let_go(self) -> None:
        """The finger leaves."""
        self.give("touch up 0", "touch frame")

    def end(self) -> None:
        """Ends all of it."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)


def _frame(view: dict[str, Any], name: str) -> dict[str, float] | None:
    if view["name"] == name:
        return view["frame"]  # type: ignore[no-any-return]
    return next((found for child in view["subviews"] if (found := _frame(child, name)) is not None), None)

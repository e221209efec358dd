"""uinput, with a device that notes its events: a kernel module is not to be had everywhere."""

import sys
import types
from typing import Any

import pytest
from conftest import running, until

CODES = {"EV_KEY": 1, "EV_ABS": 3, "ABS_WHEEL": 8, "ABS_GAS": 9, "ABS_BRAKE": 10, "BTN_0": 0x100, "BTN_GEAR_DOWN": 0x150, "BTN_GEAR_UP": 0x151}


class Device:
    """Stands for /dev/uinput."""

    made: "list[Device]" = []

    def __init__(self, events: Any, name: str) -> None:
        self.state: dict[tuple[int, int], int] = {}
        self.frames: list[dict[tuple[int, int], int]] = []
        self.is_closed = False
        Device.made.append(self)

    def write(self, kind: int, code: int, value: int) -> None:
        self.state[kind, code] = value

    def syn(self) -> None:
        assert not self.is_closed
        self.frames.append(dict(self.state))

    def close(self) -> None:
        self.is_closed = True


async def test_axes_follow_and_are_zero_before_the_device_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("evdev")
    vars(module).update(
        AbsInfo=lambda *numbers: numbers, UInput=Device, UInputError=OSError, ecodes=types.SimpleNamespace(**CODES))
    monkeypatch.setitem(sys.modules, "evdev", module)
    monkeypatch.delitem(sys.modules, "cockpit_bridge.adapters.uinput", raising=False)
    from cockpit_bridge.adapter import Options
    from cockpit_bridge.adapters.uinput import Uinput

    adapter = Uinput("wheel", Options())
    async with running(adapter) as driver:
        await until(lambda: hasattr(adapter, "device"))
        await driver.drive(0.2, -0.5)
        assert adapter.device.frames[-1] == {(3, 8): -8192, (3, 9): 0, (3, 10): 16384, (1, 0x100): 0}
    assert set(adapter.device.frames[-1].values()) == {0} and adapter.device.is_closed

"""A wheel and pedals for games, by uinput. Needs write access to /dev/uinput: the group `input`, or a udev rule."""

import asyncio
from typing import Any, ClassVar

from evdev import AbsInfo, UInput, UInputError, ecodes

from ..adapter import Adapter, LinkError
from ..message import Command

FULL = 32767


class Uinput(Adapter):
    """PLACE is the device's name. Steering is ABS_WHEEL, throttle ABS_GAS, reverse ABS_BRAKE, the horn BTN_0."""

    rate: ClassVar[float] = 50.0
    neutral_time: ClassVar[float] = 0.1  # A game keeps an axis as it is: repeating says nothing.
    linger: ClassVar[float] = 0.1  # A device that goes at once takes its last events with it.
    drives_on = None

    async def connect(self) -> None:
        wheel, pedal = AbsInfo(0, -FULL, FULL, 0, 0, 0), AbsInfo(0, 0, FULL, 0, 0, 0)
        axes = [(ecodes.ABS_WHEEL, wheel), (ecodes.ABS_GAS, pedal), (ecodes.ABS_BRAKE, pedal)]
        try:
            events = {ecodes.EV_ABS: axes, ecodes.EV_KEY: [ecodes.BTN_0, ecodes.BTN_GEAR_DOWN, ecodes.BTN_GEAR_UP]}
            self.device: Any = await asyncio.to_thread(UInput, events, name=self.place or "cockpit")
        except UInputError as problem:
            raise LinkError(f"uinput: {problem}") from problem

    async def send(self, command: Command) -> None:
        self.device.write(ecodes.EV_ABS, ecodes.ABS_WHEEL, round(command.steering * FULL))
        self.device.write(ecodes.EV_ABS, ecodes.ABS_GAS, round(max(command.throttle, 0) * FULL))
        self.device.write(ecodes.EV_ABS, ecodes.ABS_BRAKE, round(max(-command.throttle, 0) * FULL))
        self.device.write(ecodes.EV_KEY, ecodes.BTN_0, int(command.horn))
        self.device.syn()

    def abort(self) -> None:
        if (device := getattr(self, "device", None)) is not None:
            device.close()

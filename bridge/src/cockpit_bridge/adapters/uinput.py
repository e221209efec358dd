"""A wheel and pedals for games, by uinput. Needs write access to /dev/uinput: the group `input`, or a udev rule."""

import contextlib
from typing import Any, ClassVar

from evdev import AbsInfo, UInput, ecodes

from ..adapter import Adapter, Options, link_errors, on_thread
from ..message import Command
from ..outputs import Output, bad_output, named
from ..place import bad_place

FULL = 32767
AXES = ["ABS_X", "ABS_Y", "ABS_Z", "ABS_RX", "ABS_RY", "ABS_RZ", "ABS_THROTTLE", "ABS_RUDDER"]
BUTTONS = [f"BTN_{number}" for number in range(1, 10)]


class Uinput(Adapter):
    """PLACE is the device's name. Steering is ABS_WHEEL, throttle ABS_GAS, reverse ABS_BRAKE, the horn BTN_0."""

    rate: ClassVar[float] = 50.0
    neutral_time: ClassVar[float] = 0.1  # A game keeps an axis as it is: repeating says nothing.
    linger: ClassVar[float] = 0.1  # A device that goes at once takes its last events with it.
    drives_on = None

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place or "cockpit", options)
        if len(self.place.encode(errors="replace")) > 79 or not self.place.isprintable():
            raise bad_place("the name of the device has 79 bytes at most, and only signs that can be printed")

    def placed(self, outputs: list[Output]) -> list[Output]:
        made = named(
            outputs, "|".join(AXES + BUTTONS), f"the outputs of uinput are {', '.join(AXES)} and {BUTTONS[0]} to {BUTTONS[-1]}; the drive has "
            "ABS_WHEEL, ABS_GAS, ABS_BRAKE and BTN_0")
        for place, each in made.items():
            if place in BUTTONS and not each.is_two_way:
                raise bad_output(each, ": a button takes a switch, a momentary channel or arm")
            if each.mode is not None and any(not -1 <= value <= 1 for value in each.mode.values.values()):
                raise bad_output(each, ": the values of a mode are positions here, -1 to 1")
        return list(made.values())

    async def connect(self) -> None:
        wheel, pedal = AbsInfo(0, -FULL, FULL, 0, 0, 0), AbsInfo(0, 0, FULL, 0, 0, 0)
        axes = [(ecodes.ABS_WHEEL, wheel), (ecodes.ABS_GAS, pedal), (ecodes.ABS_BRAKE, pedal)]
        axes += [(getattr(ecodes, str(each.place)), wheel) for each in self.outputs if each.place in AXES]
        buttons = [ecodes.BTN_0, ecodes.BTN_GEAR_DOWN, ecodes.BTN_GEAR_UP]
        buttons += [getattr(ecodes, str(each.place)) for each in self.outputs if each.place in BUTTONS]
        events: Any = {ecodes.EV_ABS: axes, ecodes.EV_KEY: buttons}
        with link_errors("uinput"):
            self.device: Any = await on_thread(lambda: UInput(events, name=self.place), lambda device: device.close())

    async def send(self, command: Command) -> None:
        with link_errors("uinput"):
            self.device.write(ecodes.EV_ABS, ecodes.ABS_WHEEL, round(command.steering * FULL))
            self.device.write(ecodes.EV_ABS, ecodes.ABS_GAS, round(max(command.throttle, 0) * FULL))
            self.device.write(ecodes.EV_ABS, ecodes.ABS_BRAKE, round(max(-command.throttle, 0) * FULL))
            self.device.write(ecodes.EV_KEY, ecodes.BTN_0, int(command.horn))
            for each in self.outputs:
                code = getattr(ecodes, str(each.place))
                if each.place in BUTTONS:
                    self.device.write(ecodes.EV_KEY, code, int(each.is_on(command)))
                else:
                    self.device.write(ecodes.EV_ABS, code, round(each.value(command) * FULL))
            self.device.syn()

    def abort(self) -> None:
        if (device := getattr(self, "device", None)) is not None:
            with contextlib.suppress(Exception):
                device.close()

"""Where a vehicle file's channels, arm and mode go: an output of the receiver's for each, and what it gets."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .message import Command
from .source import BadPlace
from .vehicle import Channel, Mode, Vehicle


@dataclass(frozen=True)
class Output:
    """One value of a vehicle file, and its place at the receiver: a number or a name, None if the file has none."""

    name: str  # The channel's, or arm, or mode.
    group: str  # channels, arm or mode.
    place: int | str | None
    channel: Channel | None = None
    mode: Mode | None = None
    origin: str = "the vehicle file"  # Where it stands, for messages.

    def __str__(self) -> str:
        what = f'the channel "{self.name}"' if self.group == "channels" else f'"{self.name}"'
        return what if self.place is None else f"{what}: output {self.place}"

    @property
    def is_two_way(self) -> bool:
        """Whether it is on or off."""
        return self.group == "arm" or self.channel is not None and self.channel.kind in ("switch", "momentary")

    def value(self, command: Command) -> float:
        """What it gets: of a channel its value, of arm -1 or 1, of the mode its number."""
        if self.mode is not None:
            return self.mode.values[command.mode or self.mode.start]
        if self.channel is not None:
            # A command of the adapter's own, such as NEUTRAL, names no channels.
            return dict(command.channels).get(self.name, self.channel.start if self.channel.safe is None else self.channel.safe)
        return 1.0 if command.arm else -1.0

    def is_on(self, command: Command) -> bool:
        """Whether a value of two ways is on."""
        value = self.value(command)
        return self.channel.is_on(value) if self.channel is not None else value > 0


def outputs_of(vehicle: Vehicle) -> list[Output]:
    """Arm and mode first, then the channels in the order of the file."""
    made = [Output("arm", "arm", vehicle.arm.output, origin=vehicle.place("arm"))] if vehicle.arm is not None else []
    if vehicle.mode is not None:
        made.append(Output("mode", "mode", vehicle.mode.output, mode=vehicle.mode, origin=vehicle.place("mode")))
    return made + [
        Output(name, "channels", each.output, channel=each, origin=vehicle.place("channels", name)) for name, each in vehicle.channels.items()]


def bad_output(each: Output, sentence: str) -> BadPlace:
    """The exception for an output that cannot be: where it stands, what it is, and why."""
    return BadPlace(f"{each.origin}: {each}{sentence}")


def numbered(outputs: Iterable[Output], least: int, most: int, what: str, arms_on: int | None = None) -> dict[int, Output]:
    """The outputs by their numbers. Throws BadPlace for one out of the range, one that is taken, and a mode that is no position, -1 to 1.

    `arms_on` is kept for arm.
    """
    made: dict[int, Output] = {}
    for each in outputs:
        first = least if arms_on is None or each.group == "arm" else max(least, arms_on + 1)
        if isinstance(each.place, str):
            raise bad_output(each, f" is a text: {what} are numbers, {first} to {most}, without quotes")
        if each.place == arms_on and each.group != "arm":
            raise bad_output(each, ": that is where radios and receivers have the arm switch, so it is for arm only")
        if not isinstance(each.place, int) or not least <= each.place <= most:
            is_drives = isinstance(each.place, int) and 0 < each.place < least
            raise bad_output(each, f": {what} are {first} to {most}" + ("; steering and throttle have those below" if is_drives else ""))
        if each.place in made:
            raise bad_output(each, f" is taken by {made[each.place].name}")
        if each.mode is not None and any(not -1 <= value <= 1 for value in each.mode.values.values()):
            raise bad_output(each, ": the values of a mode are positions here, -1 to 1")
        made[each.place] = each
    return made


def named(outputs: Iterable[Output], form: str, what: str, taken: Iterable[str | None] = ()) -> dict[str, Output]:
    """The outputs by their names. Throws BadPlace for one that does not have the form, and one that is taken."""
    made: dict[str, Output] = {}
    for each in outputs:
        if not isinstance(each.place, str) or not re.fullmatch(form, each.place):
            raise bad_output(each, f": {what}")
        if each.place in made or each.place in taken:
            by = made[each.place].name if each.place in made else "the drive itself"
            raise bad_output(each, f" is taken by {by}")
        made[each.place] = each
    return made

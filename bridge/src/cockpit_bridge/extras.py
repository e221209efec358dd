"""A vehicle's values beside throttle and steering: its channels, whether it is armed, its mode. And the one place where the numbers of the
hardware are applied, between the lease and the adapter.

Like the lease, this reads no clock, no socket and no file.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace

from .lease import NEUTRAL, Command, Follower, Message
from .vehicle import Channel, Vehicle

UNHEARD = "the lines have channels, arm or mode, and there is no vehicle file: they go nowhere (--vehicle FILE.json)"


class Arming:
    """Whether the vehicle is armed.

    Only the driver's own step from false to true arms, in a line at rest, with every line between the two heard; and only once: what disarms
    needs a new step afterwards.
    """

    def __init__(self, disarms: bool) -> None:
        self._disarms = disarms  # A lease that ran out disarms too.
        self.is_armed = False
        self.steps = 0  # That have armed.
        self.may_step = False  # The newest line said false, and nothing was lost since.

    def said(self, is_on: bool, is_new: bool, may_arm: bool) -> None:
        """A line of the driver's. `is_new`: the first of another sender; `may_arm`: at rest, no STOP, no lines lost."""
        if is_new:
            self.is_armed = self.may_step = False
        if is_on:
            is_step = not self.is_armed and self.may_step and may_arm
            self.is_armed, self.may_step = self.is_armed or is_step, False
            self.steps += is_step
        else:
            self.is_armed, self.may_step = False, True

    def lost(self, cause: str) -> None:
        """As Follower has it. If the file says `keep`, a lease that ran out leaves an armed vehicle armed, at rest.

        A lost link to the vehicle breaks no lease: what was false before may become true after it.
        """
        self.may_step = self.may_step and cause == "link"
        self.is_armed = self.is_armed and cause == "time" and not self._disarms


class Switchboard:
    """What each channel has.

    After a loss, and from a new sender, a channel with a safe value keeps that until the sender says it too, or something else than before:
    until a hand was there. A momentary channel must have been off first.
    """

    def __init__(self, channels: dict[str, Channel]) -> None:
        self._channels = channels
        self.values = {name: each.start if each.safe is None else each.safe for name, each in channels.items()}
        self._said: dict[str, float] = {}
        self._held: dict[str, float | None] = {}  # Channels that keep the safe value, with what was said of them; None if that is unknown.

    def holds(self, said: dict[str, float]) -> bool:
        """Whether a channel is to have something that a loss would take away."""
        return any(
            name in said and each.safe is not None and each.taken(said[name]) not in (None, each.safe)
            for name, each in self._channels.items())

    def said(self, said: dict[str, float], is_new: bool, is_sure: bool, is_stopped: bool) -> None:
        """What a line of the driver's says."""
        for name, channel in self._channels.items():
            value = channel.taken(said[name]) if name in said else None
            if value is None:
                # Who does not speak of it does not hold it.
                self.values[name] = self.values[name] if channel.safe is None or name in said else channel.safe
                continue
            self._said[name] = value
            if channel.safe is not None and not self._is_free(name, channel, value, is_new or is_stopped, is_sure):
                value = channel.safe
            self.values[name] = value

    def _is_free(self, name: str, channel: Channel, value: float, is_caught: bool, is_sure: bool) -> bool:
        is_momentary = channel.kind == "momentary"
        # A touch that began among lines that were lost began at an unknown time.
        if is_caught or is_momentary and not is_sure and self.values[name] == channel.safe:
            self._held[name] = value
        if name not in self._held:
            return True
        before = self._held[name]
        if value != channel.safe and (is_caught or is_momentary or before is None or value == before):
            self._held[name] = value
            return False
        del self._held[name]
        return True

    def lost(self) -> None:
        """All that has a safe value gets it."""
        for name, channel in self._channels.items():
            if channel.safe is None:
                continue
            self.values[name] = channel.safe
            if channel.kind == "momentary" or self._said.get(name, channel.safe) != channel.safe:
                self._held.setdefault(name, self._said.get(name))


class Selector:
    """The mode. One that is not the start's counts only when the driver has changed to it: after a STOP and a restart, nothing goes on."""

    def __init__(self, names: list[str], start: str) -> None:
        self._names, self._start = names, start
        self.name: str | None = None  # Nobody has said one.
        self._held: str | None = None

    def said(self, name: str | None, is_new: bool, is_stopped: bool) -> None:
        """What a line of the driver's says."""
        if name not in self._names:
            return
        if is_new or is_stopped:
            self._held = name
        if not is_stopped and not name == self._held != self._start:
            self._held, self.name = None, name

    def undo(self, before: str | None) -> None:
        """What was chosen since `before` held is of an unknown age. A stop among it stays."""
        if self.name not in (self._start, before):
            self._held, self.name = self.name, before

    def stop(self) -> None:
        """An emergency stop: a vehicle that drives by itself would go on."""
        if self.name is not None and self.name != self._start:
            self._held = self._held or self.name
            self.name = self._start


class Extras(Follower):
    """The values of one vehicle. Without a vehicle file a command stays what it is."""

    def __init__(self, vehicle: Vehicle | None, say: Callable[[str], None] = lambda text: None) -> None:
        self._vehicle, self._say = vehicle, say
        known = vehicle or Vehicle()
        self._channels = Switchboard(known.channels)
        self._arming = Arming(known.arm.disarms) if known.arm is not None else None
        self._mode = Selector(list(known.mode.values), known.mode.start) if known.mode is not None else None
        self._owner: Hashable | None = None  # Whose line was the newest that counted.
        self.is_held = False  # The newest line says what its sender must go on saying: an armed vehicle, a pressed button.
        self.is_refused = False  # The newest line says armed, and that was no step: the driver should know.
        self._has_told = False

    # What the lease tells.

    def holds(self, message: Message) -> bool:
        return self._arming is not None and bool(message.arm) or self._channels.holds(message.channels)

    def obeyed(self, key: Hashable, message: Message, is_sure: bool, is_stopped: bool) -> None:
        is_new, self._owner = key != self._owner, key
        if self._vehicle is None and (message.channels or message.arm is not None or message.mode is not None) and not self._has_told:
            self._has_told = True
            self._say(UNHEARD)
        self.is_held = self.holds(message)
        self._channels.said(message.channels, is_new, is_sure, is_stopped)
        if self._arming is not None:
            is_at_rest = not message.command.driving and message.command.throttle == 0
            self._arming.said(bool(message.arm), is_new, is_at_rest and is_sure and not is_stopped)
            self.is_refused = bool(message.arm) and not self._arming.is_armed
        if self._mode is not None:
            self._mode.said(message.mode, is_new, is_stopped)

    def refused(self, key: Hashable, message: Message) -> None:
        if key == self._owner and self._arming is not None:
            self._arming.said(bool(message.arm), False, False)

    def late(self, key: Hashable, message: Message) -> None:
        if key == self._owner:
            self.refused(key, message)
            self.lost("time")

    def lost(self, cause: str) -> None:
        self.is_held = False
        if cause == "gone":
            self._owner = None  # Who comes back from there is a new one.
        self._channels.lost()
        if self._arming is not None:
            self._arming.lost(cause)
        if self._mode is not None and cause == "stop":
            self._mode.stop()

    def mark(self) -> tuple[int, str | None]:
        """What holds before lines that may turn out to be of an unknown age, for `undo`."""
        return (0 if self._arming is None else self._arming.steps), (None if self._mode is None else self._mode.name)

    def undo(self, mark: tuple[int, str | None]) -> None:
        """The lines since `mark` were of an unknown age: nobody is armed by them, and no mode is chosen. What is off after a loss is for `lost`."""
        if self._arming is not None and self._arming.steps != mark[0]:
            self._arming.lost("gone")
        if self._mode is not None:
            self._mode.undo(mark[1])

    # What the vehicle gets.

    @property
    def is_armed(self) -> bool:
        """Whether the vehicle is to be armed."""
        return self._arming is not None and self._arming.is_armed

    @property
    def may_arm(self) -> bool:
        """Whether the driver's next line may arm the vehicle. Not after a loss, until somebody is heard again."""
        return self._arming is not None and self._arming.may_step

    def applied(self, command: Command) -> Command:
        """The command for the adapter: with the numbers of the hardware, the channels, arm and mode. NEUTRAL becomes the vehicle's own stop."""
        if self._vehicle is None:
            return command
        return replace(
            self._vehicle.driven(command), channels=tuple(self._channels.values.items()),
            arm=None if self._arming is None else self._arming.is_armed, mode=None if self._mode is None else self._mode.name)

    def farewell(self) -> Command:
        """What somebody else may say when this program cannot: a stop with what is safe, and nothing of channels that keep what they have."""
        if self._vehicle is None:
            return NEUTRAL
        safe = tuple((name, each.safe) for name, each in self._vehicle.channels.items() if each.safe is not None)
        return replace(self._vehicle.driven(NEUTRAL), channels=safe, arm=None if self._arming is None else False)

"""The vehicle's programs in virtual time: the bridge and each example, from the files that run on vehicles, perhaps with a mutation."""

import asyncio
import errno
import json
import math
import random
import struct
import sys
import types
from collections.abc import Callable, Coroutine, Hashable
from pathlib import Path
from typing import Any

from cockpit_bridge import latch
from cockpit_bridge.source import Batch
from cockpit_bridge.vehicle import Vehicle, parse
from chain_cockpit import Clock, Said, Violation
from chain_judge import EXACT, LEAST, Judge

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
BRIDGE = ROOT / "bridge" / "src" / "cockpit_bridge"
FILES = {
    "lease": BRIDGE / "lease.py", "bridge": BRIDGE / "bridge.py", "extras": BRIDGE / "extras.py", "consumer": EXAMPLES / "drive_consumer.py",
    "can": EXAMPLES / "drive_can.py", "ros": EXAMPLES / "drive_ros2.py"}
STREAM = "stream"
BATCH = 256  # Lines of one reading.
Mutation = tuple[str, str, str]  # The file, what stands there once, and what stands there instead.
Arrival = tuple[Said | bytes, Hashable]


class Motion:
    """geometry_msgs/Twist."""

    def __init__(self) -> None:
        self.linear, self.angular = (types.SimpleNamespace(x=0.0, y=0.0, z=0.0) for _ in range(2))


class Programs:
    """The modules of the vehicle, with one mutation at most."""

    def __init__(self, mutation: Mutation | None = None) -> None:
        self.mutation = mutation
        self.lease = self._load("lease", "cockpit_bridge.lease")
        with _standing_in({"cockpit_bridge.lease": self.lease}):
            self.extras = self._load("extras", "cockpit_bridge.extras")
            with _standing_in({"cockpit_bridge.extras": self.extras}):
                self.bridge = self._load("bridge", "cockpit_bridge.bridge")
        ros = types.ModuleType("rclpy.signals")
        ros.SignalHandlerOptions = None  # type: ignore[attr-defined]
        messages = types.ModuleType("geometry_msgs.msg")
        messages.Twist = Motion  # type: ignore[attr-defined]
        with _standing_in({"drive_lease": self.lease, "drive_latch": latch, "rclpy": types.ModuleType("rclpy"), "rclpy.signals": ros,
                           "geometry_msgs": types.ModuleType("geometry_msgs"), "geometry_msgs.msg": messages}):
            self.consumer = self._load("consumer", "drive_consumer")
            with _standing_in({"drive_consumer": self.consumer}):
                self.can, self.ros = self._load("can", "drive_can"), self._load("ros", "drive_ros2")
        self.bridge.say = lambda text: None

    def _load(self, file: str, name: str) -> Any:
        text = FILES[file].read_text()
        if self.mutation is not None and self.mutation[0] == file:
            _, old, new = self.mutation
            assert text.count(old) == 1 and old != new, f"{file} has {text.count(old)} times: {old}"
            text = text.replace(old, new)
        module = types.ModuleType(name)
        module.__file__, module.__package__ = str(FILES[file]), name.rpartition(".")[0]
        with _standing_in({name: module}):
            exec(compile(text, FILES[file], "exec"), module.__dict__)
        return module


class _standing_in:
    """Modules under other modules' names, for a while."""

    def __init__(self, modules: dict[str, Any]) -> None:
        self.modules = modules

    def __enter__(self) -> None:
        self.before = {name: sys.modules.get(name) for name in self.modules}
        sys.modules.update(self.modules)

    def __exit__(self, *_: object) -> None:
        for name, module in self.before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


class Host:
    """A program at the vehicle: takes what has arrived, and tells the vehicle what to do; is stopped, killed and started again."""

    room = 40  # Datagrams that wait for it; no more find room.

    def __init__(
            self, clock: Clock, dice: random.Random, judge: Judge, programs: Programs, hold: float | None, is_file: bool,
            vehicle: Vehicle | None = None) -> None:
        self.vehicle, self.told = vehicle, None
        self.clock, self.dice, self.judge, self.programs, self.hold, self.is_file = clock, dice, judge, programs, hold, is_file
        self.waiting: list[Arrival] = []
        self.is_running, self.was_driven, self.life = False, False, 0
        self.is_due = False
        self.stood_still: bool | None = None  # After a pause: whether it was surely a long one.
        self._begin()

    # What happens to it.

    def deliver(self, said: Said | bytes, address: Hashable) -> None:
        if len(self.waiting) < self.room or self.is_running:
            self.waiting.append((said, address))
        if self.is_running and not self.is_due:
            # What arrives at the same time is read at once.
            self.is_due = True
            self._later(0, self._read)

    def end_stream(self) -> None:
        """The only sender has gone."""
        self.waiting.append((b"end", None))
        if self.is_running:
            self._later(0, self._read)

    def pause(self, seconds: float) -> None:
        if not self.is_running:
            return
        self.life += 1
        self.is_running, self.was_driven = False, self.judge.moves is not None
        self.judge.stands(self.clock.now)
        life, started = self.life, self.clock.now
        self.clock.at(started + seconds, lambda: self._go_on(seconds) if self.life == life else None)

    def kill(self, seconds: float) -> None:
        self.life += 1
        self.is_running = False
        self.judge.stands(self.clock.now)
        self.waiting.clear()
        life = self.life
        self.clock.at(self.clock.now + seconds, lambda: self._restart() if self.life == life else None)

    def lose_link(self, seconds: float) -> None:
        """The link between program and vehicle."""

    def _restart(self) -> None:
        self.waiting.clear()  # It has a new socket.
        self.judge.restarted(self.clock.now)
        self._begin()

    def _begin(self) -> None:
        self.life += 1
        self.is_running, self.is_due = True, False
        self._start()

    def _later(self, seconds: float, action: Callable[[], None]) -> None:
        life = self.life
        self.clock.at(self.clock.now + seconds, lambda: action() if self.life == life else None)

    def _judged(self, batch: list[Arrival]) -> None:
        """Tells the judge what the program is about to take."""
        now = self.clock.now
        old = batch[:-BATCH] if len(batch) > BATCH else []
        for said, address in old:
            if isinstance(said, Said) and said.reason == "emergency-stop":
                self.judge.arrived(said, address, now)
        for said, address in batch[len(old):]:
            if isinstance(said, Said):
                self.judge.arrived(said, address, now)
            elif said == b"end":
                self.judge.ended(STREAM, now)
            else:
                self.judge.reset(now, "a line was none of the contract's")
        if old:
            self.judge.reset(now, "there were too many lines")
        if self.stood_still and (batch or self.was_driven):
            self.judge.reset(now, "its program stood still")
        elif self.stood_still is not None:
            self.judge.excuse()
        self.stood_still = None

    def _start(self) -> None:
        raise NotImplementedError

    def _read(self) -> None:
        raise NotImplementedError

    def _go_on(self, seconds: float) -> None:
        raise NotImplementedError


class Consumer(Host):
    """docs/examples/drive_consumer.py."""

    room = 250

    def _start(self) -> None:
        self.latch: _Latch = getattr(self, "latch", _Latch())
        self.rules = self.programs.consumer.Rules(self.clock.now, self.hold, self.is_file, self.latch.read())
        self.token = 0
        self._look_later()

    def _look_later(self) -> None:
        self.token += 1
        token = self.token
        self._later(self.rules.deadline - self.clock.now, lambda: self._take([]) if self.token == token else None)

    def _read(self) -> None:
        self.is_due = False
        batch, self.waiting = self.waiting, []
        if batch:
            self._take_all(batch)

    def _take_all(self, batch: list[Arrival]) -> None:
        ended = [number for number, each in enumerate(batch) if each[0] == b"end"]
        # What waited while it stood still is judged as one; otherwise the end of a stream comes behind its lines.
        is_told = bool(self.stood_still) or len(batch) > BATCH
        if is_told:
            self._judged(batch)
        for first, last in zip([-1, *ended], [*ended, len(batch)], strict=True):
            part = batch[first + 1:last]
            if part and not is_told:
                self._judged(part)
            if lines := [(each.text if isinstance(each, Said) else each, address) for each, address in part]:
                self._take(lines)
            if last < len(batch):
                if not is_told:
                    self._judged(batch[last:last + 1])
                self._take(None)

    def _take(self, got: list[tuple[bytes, Hashable]] | None) -> None:
        now = self.clock.now
        command, heard = self.rules.take(got, now)
        self.latch.write(self.rules.lease.memory)
        for key in heard:
            self.rules.lease.answer(key)
        took = self._act(command) if command is not None else 0.0
        self.rules.returned = now + took
        if took:
            self.pause(took)
            return
        self._look_later()

    def _act(self, command: Any) -> float:
        """Carries out a command; returns the seconds that it takes."""
        self.judge.acts(command, self.clock.now)
        return 0.0

    def _go_on(self, seconds: float) -> None:
        self.is_running, self.is_due = True, False
        # It looks every 50 ms, so that it cannot tell a pause exactly. Only what it finds then is of unknown age.
        self.stood_still, self.was_driven = seconds > (self.hold or LEAST) + 0.05 + EXACT, False
        batch, self.waiting = self.waiting, []
        self._take_all(batch)
        if self.is_running:
            self._take([])


class CanConsumer(Consumer):
    """docs/examples/drive_can.py, and a controller at the other end of a bus that is busy now and then."""

    def _start(self) -> None:
        self.waited, self.busy_until, self.count = 0.0, 0.0, 0
        self.got: tuple[int, bool, bool, bool, float, float] | None = None
        self.programs.can.print = lambda *words, file: None
        self.bus = self.programs.can.Bus(self._send, self._wait)
        super()._start()

    def _send(self, data: bytes) -> None:
        if self.clock.now + self.waited < self.busy_until:
            raise OSError(self.dice.choice([errno.ENOBUFS, errno.EAGAIN, errno.ENETDOWN]), "busy")
        identifier, length, payload = struct.unpack("=IB3x8s", data)
        counter, flags, throttle, steering, rest = struct.unpack(">BBhhH", payload)
        if (identifier, length, rest) != (0x120, 8, 0) or flags > 7:
            raise Violation(f"no frame of the vehicle's: {data.hex()}")
        self.got = counter, bool(flags & 1), bool(flags & 2), bool(flags & 4), throttle / 1000, steering / 1000

    def _wait(self, seconds: float) -> None:
        self.waited += seconds

    def _act(self, command: Any) -> float:
        now = self.clock.now
        if now >= self.busy_until and self.dice.random() < 0.03:
            self.busy_until = now + self.dice.uniform(0.001, 0.2)
        self.waited, self.got = 0.0, None
        busy = self.busy_until - now
        self.bus.act(command)
        self.count += 1
        self.judge.acts(command, now)
        if command.driving and not command.brake and self.waited:
            raise Violation(f"{now:.3f}: a command waited for the bus")
        if self.got is None:
            if busy <= 0 or command.brake and busy < 0.085:
                raise Violation(f"{now:.3f}: the controller has not got {command}")
            if command.brake:
                self.judge.stands(now)  # No frame: its own watchdog.
        else:
            counter, brake, horn, driving, throttle, steering = self.got
            if (counter, brake, horn, driving) != ((self.count - 1) % 256, command.brake, command.horn, command.driving) or max(
                    abs(throttle - command.throttle), abs(steering - command.steering)) > 0.0005 + 1e-9:
                raise Violation(f"{now:.3f}: the controller has got {self.got} for {command}")
        return self.waited


class RosConsumer(Consumer):
    """docs/examples/drive_ros2.py: the motion of its base."""

    def _start(self) -> None:
        self.speed, self.turn = self.dice.uniform(0.2, 3), self.dice.uniform(0.2, 3)
        super()._start()

    def _act(self, command: Any) -> float:
        self.judge.acts(command, self.clock.now)
        motion = self.programs.ros.twist(command, self.speed, self.turn)
        forward, left = motion.linear.x / self.speed, motion.angular.z / self.turn
        others = motion.linear.y, motion.linear.z, motion.angular.x, motion.angular.y
        # A wheel that is turned to the right turns to the right what goes forward, and to the left what goes back.
        is_right = math.isclose(forward, command.throttle, abs_tol=1e-9) and math.isclose(
            left, -command.steering * command.throttle, abs_tol=1e-9)
        if any(others) or not is_right or not command.driving and (forward or left):
            raise Violation(f"{self.clock.now:.3f}: the base goes {forward:+.3f} and turns {left:+.3f} for {command}")
        return 0.0


class _Time:
    """The module `time` for the bridge."""

    CLOCK_BOOTTIME = 7

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def monotonic(self) -> float:
        return self.clock.now

    def clock_gettime(self, _: int) -> float:
        return self.clock.now


class _Latch:
    """The file of latched stops."""

    def __init__(self) -> None:
        self.text = "{}"

    def read(self) -> object:
        return json.loads(self.text)

    def write(self, memory: object) -> None:
        self.text = json.dumps(memory)


class Bridge(Host):
    """cockpit-bridge: its own loop's parts, called in virtual time. What it sends is the lease's command while its link is up."""

    def _start(self) -> None:
        module = self.programs.bridge
        self.latch: _Latch = getattr(self, "latch", _Latch())
        module.time = _Time(self.clock)
        module.asyncio = types.SimpleNamespace(get_running_loop=lambda: self, CancelledError=asyncio.CancelledError)
        status = types.SimpleNamespace(line=lambda age, warnings: "{}")
        adapter = types.SimpleNamespace(
            rate=30, neutral_time=1, drives_on=0, status=status, abort=lambda: None, connect=_nothing, on_status=None)
        self.is_private = False
        module.asyncio.Event = lambda: types.SimpleNamespace(set=lambda: None, clear=lambda: None)
        self.told: Any = None  # What the vehicle was told last.
        self.bridge = module.Bridge(self, adapter, False, self.hold, self.latch, None, self.programs.extras.Extras(self.vehicle))
        self.bridge._timed = _untimed
        self.is_connected, self.token = True, 0
        _run(self.bridge._connect())
        self.bridge._tick()
        self._act()

    # What the bridge sees of its loop and its source.

    def call_later(self, seconds: float, action: Callable[[], None]) -> None:
        def tick() -> None:
            action()
            self._act()

        self._later(seconds, tick)

    def call_soon(self, _: Callable[[], None]) -> None:
        """A file is read again at once; here when something arrives."""

    def read(self) -> Any:
        ends = [number for number, each in enumerate(self.waiting) if each[0] == b"end"]
        end = ends[0] + 1 if ends else len(self.waiting)
        batch, self.waiting = self.waiting[:end], self.waiting[end:]
        if self.waiting:
            self._later(0, self._read)
        self._judged(batch)
        made = Batch()
        for said, address in batch:
            if said == b"end":
                made.ended.append(STREAM)
                break
            made.lines.append((said.text if isinstance(said, Said) else said, address))
        made.trim()
        return made

    def write_back(self, line: bytes, address: Hashable) -> None:
        pass

    # What happens to it.

    def _read(self) -> None:
        self.is_due = False
        if self.waiting:
            self.bridge._readable()
            self._act()

    def _go_on(self, seconds: float) -> None:
        self.is_running, self.is_due = True, False
        self.stood_still = seconds > LEAST + EXACT
        actions = [self.bridge._tick] + ([self.bridge._readable] if self.waiting else [])
        self.dice.shuffle(actions)
        for action in actions:
            action()
        if self.stood_still is not None:
            self._judged([])
        self._act()

    def lose_link(self, seconds: float) -> None:
        if not self.is_connected or not self.is_running:
            return
        self.is_connected, bridge = False, self.bridge
        self.judge.stands(self.clock.now)
        self.judge.reset(self.clock.now, "the link was lost")
        bridge._lose(OSError("lost"))

        def back() -> None:
            if self.bridge is not bridge:
                return
            if not self.is_running:
                self.clock.at(self.clock.now + 0.1, back)
                return
            self.is_connected = True
            _run(self.bridge._connect())
            self.judge.reset(self.clock.now, "the link was lost until then")
            self._act()

        self.clock.at(self.clock.now + seconds, back)

    def _act(self) -> None:
        if not self.is_connected:
            return
        now, lease = self.clock.now, self.bridge.lease
        command = self.told = self.bridge._next(self.told, now)
        is_between = command.driving != self.bridge._present(now).driving  # The stop that arms; the drive follows.
        self.judge.acts(command, now, not is_between)
        if self.vehicle is not None:
            self.judge.acts_beside(command, now)
            if is_between:
                self._later(0, self._act)
        self.token += 1
        if lease.deadline is not None:
            token = self.token
            self._later(lease.deadline - now, lambda: self._act() if self.token == token else None)


async def _nothing() -> None:
    pass


async def _untimed(work: Coroutine[Any, Any, None], limit: float = 0) -> None:
    await work


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Runs what never waits."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("it waits")


def vehicle(disarms: bool) -> Vehicle:
    """A vehicle with a winch, a camera that pans, and arm."""
    return parse(json.dumps({
        "version": 1, "name": "Crawler", "arm": {"safe": "disarm" if disarms else "keep"},
        "channels": {"winch": {"kind": "momentary", "off": 0, "on": 1}, "pan": {"kind": "axis"}}}))


HOSTS: dict[str, type[Host]] = {"bridge": Bridge, "consumer": Consumer, "can": CanConsumer, "ros": RosConsumer}

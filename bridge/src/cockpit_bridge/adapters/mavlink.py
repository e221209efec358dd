"""MAVLink 2 over UDP: ArduPilot rovers and boats, ArduSub, PX4 rovers, by MANUAL_CONTROL.

z means something else on each kind of vehicle, so one table says what is sent. After a second of neutral only heartbeats go out: the autopilot's
own failsafe must be able to notice that nobody drives.

A vehicle file's channels go with each of them: by RC_CHANNELS_OVERRIDE, to PX4 by the aux fields of MANUAL_CONTROL. Arm and mode are commands.
"""

import asyncio
import contextlib
import math
import socket
import time
from collections.abc import Callable
from typing import Any

from pymavlink.dialects.v20 import ardupilotmega

from ..adapter import Adapter, LinkError, Options, link_errors, number, on_thread
from ..message import Command
from ..outputs import Output, bad_output, numbered
from ..place import address
from ..reports import note_mavlink
from .mavlink_orders import Order, Orders

mavlink: Any = ardupilotmega  # The generated module has no types.

# x, y, z and r for throttle t and steering s, from -1 to 1, in thousandths.
AXES: dict[str, Callable[[int, int], tuple[int, int, int, int]]] = {
    "rover": lambda t, s: (0, s, t, 0),
    "sub": lambda t, s: (t, 0, 500, s),
    "px4": lambda t, s: (t, s, 500 + t // 2, 0),
}

# The outputs of a vehicle file. ArduPilot's steering and throttle are among channels 1 to 4. ArduSub makes 1 to 11 of MANUAL_CONTROL: forward is 5,
# lateral 6, then the camera, lights and video. PX4 would take an override for a radio with all its sticks, so it gets aux 1 to 6.
OUTPUTS = {
    "rover": (5, 16, "the channels of a rover"), "sub": (12, 16, "the channels of a sub that MANUAL_CONTROL leaves free"),
    "px4": (1, 6, "the aux fields of px4")}
IGNORED = 65535  # A field of RC_CHANNELS_OVERRIDE; from channel 9 on also 0.
RELEASED = 65534  # From channel 9 on; up to 8 it is 0.

AUTOPILOT = 1  # The component that drives. A companion computer has a heartbeat too.
NO_AUTOPILOT = 8  # MAV_AUTOPILOT_INVALID
# Ground stations, onboard controllers, gimbals, ADS-B, cameras, chargers, FLARM, servos, and what is a part of a vehicle.
NO_VEHICLES = {6, 18, 26, 27, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40, 41, 42}
ARMED = 128  # MAV_MODE_FLAG_SAFETY_ARMED
ARM = "WAITS FOR ARM"
SILENCE = 3.0  # Seconds without a heartbeat, of which there is one each second.
DATAGRAMS, TURN = 64, 0.01  # What is read at once, at most: a flood must not hold up the commands.

Peer = tuple[Any, ...]


def is_vehicle(message: Any) -> bool:
    """Whether a heartbeat is that of an autopilot."""
    return (message.get_srcComponent() == AUTOPILOT and message.get_srcSystem() != 0
            and message.autopilot != NO_AUTOPILOT and message.type not in NO_VEHICLES)


class Mavlink(Adapter):
    """PLACE is [HOST:]PORT to listen on (QGroundControl's is 14550): the vehicle's heartbeat says where to answer.

    The first vehicle is kept until it has been silent for three seconds.
    """

    rate = 25.0
    no_steering_centre = "a vehicle that steers by its wheels' speeds would turn at rest; the autopilot has a trim of its own (SERVOn_TRIM)"
    no_throttle_centre = "a vehicle at rest would be told to drive; the autopilot has a trim of its own (SERVOn_TRIM)"
    unplaced = frozenset({"arm", "mode"})

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self._address = address(place, host="127.0.0.1")
        self._socket: socket.socket | None = None
        self._peer: Peer | None = None
        self._vehicle = 0
        self._beat = self._own_beat = -math.inf  # When the vehicle's newest heartbeat came, and ours went.
        self._codec = mavlink.MAVLink(None, srcSystem=options.own_id, srcComponent=190)
        self._parsers: dict[Peer, Any] = {}
        self._is_armed = False  # By its heartbeats.
        self._orders = Orders(options.vehicle_file.mode if options.vehicle_file is not None else None)

    def placed(self, outputs: list[Output]) -> list[Output]:
        for each in outputs:
            if each.group != "channels":
                raise bad_output(each, f": {each.group} is a command of MAVLink; leave the output out")
        return list(numbered(outputs, *OUTPUTS[self.options.vehicle]).values())

    async def connect(self) -> None:
        with link_errors(str(self._address)):
            if self._socket is None:
                self._socket = await on_thread(self._bind, socket.socket.close)
        end = time.monotonic() + 0.5
        while self._peer is None:
            self._read()
            if self._peer is None and time.monotonic() >= end:
                wanted = f"vehicle {self.options.system}" if self.options.system else "vehicle"
                raise LinkError(f"no {wanted} has spoken to {self._address} yet{self._hint()}")
            await asyncio.sleep(0.01)
        self._orders.begin(self.stop)

    def _bind(self) -> socket.socket:
        host, port = self._address.host, self._address.port
        family, kind, number, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM, flags=socket.AI_PASSIVE)[0]
        made = socket.socket(family, kind, number)
        try:
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            made.setblocking(False)
            made.bind(where)
        except OSError:
            made.close()
            raise
        return made

    def _hint(self) -> str:
        if not self._address.host.startswith("127."):
            return ""
        return f"; it must be on this machine: mavlink:0.0.0.0:{self._address.port} hears others too"

    async def send(self, command: Command) -> None:
        self._exchange()
        for message in self._controls(command):
            self._put(message)
        self._order(command)

    def _controls(self, command: Command) -> list[Any]:
        """The messages of a command: the drive first."""
        x, y, z, r = AXES[self.options.vehicle](round(command.throttle * 1000), round(command.steering * 1000))
        places = {each.place: each.value(command) for each in self.outputs}
        if self.options.vehicle == "px4" and places:
            aux = {f"aux{number}": round(value * 1000) for number, value in places.items()}
            # The lowest two bits are for two more axes.
            bits = sum(1 << 1 + number for number in places if isinstance(number, int))
            return [self._codec.manual_control_encode(self._vehicle, x, y, z, r, 0, enabled_extensions=bits, **aux)]
        made = [self._codec.manual_control_encode(self._vehicle, x, y, z, r, 0)]
        return made + ([self._override({place: round(1500 + 500 * value) for place, value in places.items()})] if places else [])

    def _override(self, pulses: dict[int | str | None, int]) -> Any:
        values = [pulses.get(number, IGNORED if number <= 8 else 0) for number in range(1, 19)]
        return self._codec.rc_channels_override_encode(self._vehicle, AUTOPILOT, *values)

    def _order(self, command: Command) -> None:
        for order in self._orders.due(command, self._is_armed, self._beat, time.monotonic()):
            self._put(self._command(order))

    def _command(self, order: Order) -> Any:
        return self._codec.command_long_encode(
            self._vehicle, AUTOPILOT, order.number, order.count - 1, *order.parameters, 0, 0, 0, 0, 0)

    async def idle(self) -> None:
        self._exchange()
        self._order(self.stop)

    def _put(self, message: Any) -> None:
        with link_errors(str(self._address)):
            if self._socket is None or self._peer is None:
                raise LinkError("not connected")
            self._socket.sendto(message.pack(self._codec), self._peer)

    def _exchange(self) -> None:
        """Reads what has arrived, and sends a heartbeat a second. Throws LinkError if the vehicle is gone."""
        self._read()
        now = time.monotonic()
        if self._peer is None or now - self._beat >= SILENCE:
            raise LinkError(f"vehicle {self._vehicle} has been silent for {SILENCE:.0f} s")
        if now - self._own_beat >= 1:
            self._own_beat = now
            self._put(self._codec.heartbeat_encode(6, 8, 0, 0, 4))
            for name in (b"RC_OVERRIDE_TIME", b"SYSID_MYGCS", b"MAV_GCS_SYSID"):
                self._put(self._codec.param_request_read_encode(self._vehicle, AUTOPILOT, name, -1))

    def _read(self) -> None:
        end = time.monotonic() + TURN
        for _ in range(DATAGRAMS):
            with link_errors(str(self._address)):
                try:
                    if self._socket is None:
                        raise LinkError("not connected")
                    data, peer = self._socket.recvfrom(2048)
                except (BlockingIOError, ConnectionError):
                    break
            for message in self._parsed(data, peer):
                # What a library made of odd bytes tells nothing, and ends nothing.
                with contextlib.suppress(AttributeError, TypeError, ValueError, OverflowError):
                    self._take(message, peer)
            if time.monotonic() >= end:
                break

    def _parsed(self, data: bytes, peer: Peer) -> list[Any]:
        """The messages in `data`. Each sender has a parser: the beginning of one's message must not swallow another's."""
        parser = self._parsers.pop(peer, None)
        if parser is None:
            parser = mavlink.MAVLink(None)
            parser.robust_parsing = True
        for old in [each for each in self._parsers if each != self._peer][:-15]:
            del self._parsers[old]
        try:
            found = parser.parse_buffer(data) or []
        except Exception:
            return []
        self._parsers[peer] = parser
        return list(found)

    def _take(self, message: Any, peer: Peer) -> None:
        system, now = message.get_srcSystem(), time.monotonic()
        is_heartbeat = message.get_type() == "HEARTBEAT" and is_vehicle(message)
        is_ours = system == self._vehicle or now - self._beat >= SILENCE
        if is_heartbeat and self._peer is None and is_ours and self.options.system in (None, system):
            self._peer, self._vehicle = peer, system
            self.drives_on = None
        if (system, peer) != (self._vehicle, self._peer):
            if is_heartbeat and self._peer is not None:
                self.warn_once(f"VEHICLE {system} IGNORED" if system != self._vehicle else f"VEHICLE {system} SPEAKS TWICE")
            return
        if message.get_srcComponent() != AUTOPILOT:
            return
        if is_heartbeat:
            self._beat = now
            self._is_armed = bool(message.base_mode & ARMED)
            if self._is_armed:
                self.status.withdraw(ARM)
            else:
                self.status.warn(ARM, SILENCE, is_hint=True)
        if message.get_type() == "COMMAND_ACK" and (refusal := self._orders.answered(message.command, message.result)):
            self.warn(refusal)
        if message.get_type() == "PARAM_VALUE" and message.param_id in ("SYSID_MYGCS", "MAV_GCS_SYSID"):
            wanted = number(message.param_value)
            if wanted is not None and 1 <= wanted <= 255 and wanted != self.options.own_id:
                self.warn(f"OBEYS --own-id {wanted:.0f} ONLY")
        self.drives_on = note_mavlink(message, self.status, self.drives_on)
        self.tell()

    def abort(self) -> None:
        """Leaves the vehicle. The socket stays: the next heartbeat may come at any time."""
        if self._peer is not None:
            with contextlib.suppress(LinkError):
                for _ in range(3):
                    for message in self._controls(self.stop):
                        self._put(message)
                self._order(self.stop)
                if self.outputs and self.options.vehicle != "px4":
                    self._put(self._override({each.place: 0 if int(each.place or 0) <= 8 else RELEASED for each in self.outputs}))
        self._peer = None
        self.status.withdraw(ARM)

    async def close(self) -> None:
        self.abort()
        made, self._socket = self._socket, None
        if made is not None:
            made.close()

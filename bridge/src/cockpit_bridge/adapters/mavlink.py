"""MAVLink 2 over UDP: ArduPilot rovers and boats, ArduSub, PX4 rovers, by MANUAL_CONTROL.

z means something else on each kind of vehicle, so one table says what is sent. After a second of neutral only heartbeats go out: the autopilot's
own failsafe must be able to notice that nobody drives.
"""

import socket
import time
from collections.abc import Callable
from typing import Any

from pymavlink.dialects.v20 import ardupilotmega

from ..adapter import Adapter, LinkError, Options
from ..message import Command
from ..reports import note_mavlink

mavlink: Any = ardupilotmega  # The generated module has no types.

# x, y, z and r for throttle t and steering s, from -1 to 1, in thousandths.
AXES: dict[str, Callable[[int, int], tuple[int, int, int, int]]] = {
    "rover": lambda t, s: (0, s, t, 0),
    "sub": lambda t, s: (t, 0, 500, s),
    "px4": lambda t, s: (t, s, 500 + t // 2, 0),
}


class Mavlink(Adapter):
    """PLACE is [HOST:]PORT to listen on (QGroundControl's is 14550): the vehicle's heartbeat says where to answer."""

    rate = 25.0

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        host, _, port = place.rpartition(":")
        self._address = (host or "0.0.0.0", int(port))
        self._socket: socket.socket | None = None
        self._peer: tuple[str, int] | None = None
        self._vehicle = 1
        self._codec = mavlink.MAVLink(None, srcSystem=255, srcComponent=190)
        self._codec.robust_parsing = True
        self._heartbeat = 0.0

    async def connect(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(self._address)

    async def send(self, command: Command) -> None:
        self._exchange()
        x, y, z, r = AXES[self.options.vehicle](round(command.throttle * 1000), round(command.steering * 1000))
        self._put(self._codec.manual_control_encode(self._vehicle, x, y, z, r, 0))

    async def idle(self) -> None:
        self._exchange()

    def _put(self, message: Any) -> None:
        if self._socket is not None and self._peer is not None:
            self._socket.sendto(message.pack(self._codec), self._peer)

    def _exchange(self) -> None:
        """Reads what has arrived, and sends a heartbeat a second."""
        if self._socket is None:
            raise LinkError("not connected")
        while True:
            try:
                data, peer = self._socket.recvfrom(2048)
            except BlockingIOError:
                break
            for message in self._codec.parse_buffer(data) or []:
                self._take(message, peer)
        if time.monotonic() - self._heartbeat >= 1:
            self._heartbeat = time.monotonic()
            self._put(self._codec.heartbeat_encode(6, 8, 0, 0, 4))
            self._put(self._codec.param_request_read_encode(self._vehicle, 1, b"RC_OVERRIDE_TIME", -1))

    def _take(self, message: Any, peer: tuple[str, int]) -> None:
        # A companion computer has a heartbeat too; the autopilot's component is 1.
        if message.get_srcComponent() == 1:
            if message.get_type() == "HEARTBEAT":
                self._peer, self._vehicle = peer, message.get_srcSystem()
            self.drives_on = note_mavlink(message, self.status, self.drives_on)
            self.on_status()

    def abort(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None

"""MSP: INAV rovers and boats, Betaflight, by MSP_SET_RAW_RC over a serial port or TCP.

The receiver type of the flight controller must be MSP. It holds the last command for 300 ms, then its failsafe takes over.
"""

import struct
import time
from functools import reduce
from operator import xor

from ..adapter import STALL, LinkError, Options
from ..message import Command
from ..outputs import Output, numbered
from .serial import SerialAdapter

STATUS = 101
SET_RAW_RC = 200
ARM = "WAITS FOR ARM"


def frame(command: int, payload: bytes, sign: bytes = b"<") -> bytes:
    """A request of MSP version 1; an answer has the sign >."""
    body = bytes([len(payload), command]) + payload
    return b"$M" + sign + body + bytes([reduce(xor, body)])


def pulse(value: float) -> int:
    """Microseconds for a value from -1 to 1."""
    return round(1500 + 500 * value)


class Answers:
    """Finds the payloads of answers in what the flight controller says."""

    def __init__(self) -> None:
        self._data = b""

    def take(self, data: bytes) -> list[tuple[int, bytes]]:
        """The answers, each with the command that it answers; the rest is kept or dropped."""
        self._data = (self._data + data)[-4096:]
        found: list[tuple[int, bytes]] = []
        while (at := self._data.find(b"$M>")) >= 0:
            self._data = self._data[at:]
            if len(self._data) < 6 or len(self._data) < (size := 6 + self._data[3]):
                return found
            payload = self._data[5:size - 1]
            if self._data[:size] != frame(self._data[4], payload, b">"):
                self._data = self._data[1:]
                continue
            found.append((self._data[4], payload))
            self._data = self._data[size:]
        self._data = self._data[-2:]
        return found


class Msp(SerialAdapter):
    """PLACE is a serial device, or socket://HOST:PORT.

    Channels in the order AETR: roll steers, throttle is forward and reverse, AUX2 is the horn. A frame has eight channels, or as many as the
    vehicle file needs: Betaflight takes 18, and reads ten of them unless its max_aux_channels says more.
    """

    baud = 115_200
    rate = 50.0
    horn_place = 6
    arms_by_switch = True
    drives_on = 0.3
    # What a servo or a speed controller takes for its middle is no matter of the protocol's.
    no_throttle_centre = ""

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self._answers = Answers()
        self._asked = 0.0
        self._answers_commands = False  # Then one without an answer is under way.
        self._since = self._newest = 0.0  # When the first and the last command without an answer were sent; 0 for none.

    def placed(self, outputs: list[Output]) -> list[Output]:
        return list(numbered(outputs, 5, 18, "the channels of msp", arms_on=5).values())

    async def connect(self) -> None:
        self._answers, self._answers_commands, self._since = Answers(), False, 0.0
        await super().connect()

    def message(self, command: Command) -> bytes:
        self._newest = time.monotonic()
        self._since = self._since or self._newest
        horn = 2000 if command.horn else 1000
        values = [pulse(command.steering), 1500, pulse(command.throttle), 1500, 1000, horn, 1000, 1000]
        placed = {each.place: pulse(each.value(command)) for each in self.outputs if isinstance(each.place, int)}
        values += [1000] * (max(placed, default=8) - len(values))
        for number, value in placed.items():
            values[number - 1] = value
        return self._question() + frame(SET_RAW_RC, struct.pack(f"<{len(values)}H", *values))

    def _question(self) -> bytes:
        """Once a second: is it armed?"""
        if time.monotonic() - self._asked < 1:
            return b""
        self._asked = time.monotonic()
        return frame(STATUS, b"")

    async def idle(self) -> None:
        await super().idle()
        if not self.unacknowledged():
            self.port.write(self._question())

    def unacknowledged(self) -> int:
        """What the line has not taken, or what the flight controller has not answered: its kernel takes messages for one that stands still."""
        self.heard(self.port.read())
        unsent, now = super().unacknowledged(), time.monotonic()
        if not self._answers_commands or not self._since:
            return unsent
        if now - self._since >= STALL:
            raise LinkError("the flight controller does not answer")
        # An answer may get lost: so another message may go, but no third stays without one.
        return unsent or int(now - self._newest <= STALL / 2)

    def heard(self, data: bytes) -> None:
        for command, payload in self._answers.take(data):
            if command == SET_RAW_RC:
                self._answers_commands, self._since = True, 0.0
            # After cycle time, errors and sensors, the flags of the modes; that of ARM is the first.
            if command == STATUS and len(payload) >= 10:
                if payload[6] & 1:
                    self.status.withdraw(ARM)
                else:
                    self.status.warn(ARM, 3.0, is_hint=True)
                self.tell()

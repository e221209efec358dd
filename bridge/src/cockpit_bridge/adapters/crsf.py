"""CRSF: the serial protocol of ELRS and Crossfire transmitter modules and of receivers, 420,000 baud.

Channel 1 steers, channel 2 is the throttle, channel 6 the horn. Channel 3 stays in the middle: it is the throttle of receivers in the
order AETR. Channel 5, where radios have the arm switch, stays off, unless a vehicle file has arm there. After 300 ms of middle positions the
line is silent: the receiver's own failsafe is the better judge of a link that is gone.
"""

from ..message import Command
from ..outputs import Output, numbered
from .serial import SerialAdapter

LEAST, MIDDLE, MOST = 172, 992, 1811


def checksum(data: bytes) -> int:
    """CRC-8 with the polynomial D5."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0xD5 if crc & 0x80 else crc << 1) & 0xFF
    return crc


def channels(values: list[int]) -> bytes:
    """The frame RC_CHANNELS_PACKED: 16 channels of 11 bits, the least significant bit first. Channels left out are in the middle."""
    packed = sum(value << 11 * index for index, value in enumerate((values + [MIDDLE] * 16)[:16]))
    body = b"\x16" + packed.to_bytes(22, "little")
    return bytes([0xC8, len(body) + 1]) + body + bytes([checksum(body)])


def position(value: float) -> int:
    """A channel's number for a value from -1 to 1."""
    return round(MIDDLE + value * (MOST - MIDDLE if value > 0 else MIDDLE - LEAST))


class Crsf(SerialAdapter):
    """PLACE is a serial device, such as /dev/ttyUSB0."""

    baud = 420_000
    rate = 100.0
    neutral_time = 0.3
    horn_place = 6
    arms_by_switch = True
    # What a servo or a speed controller takes for its middle is no matter of the protocol's.
    no_throttle_centre = ""

    def placed(self, outputs: list[Output]) -> list[Output]:
        return list(numbered(outputs, 5, 16, "the channels of crsf", arms_on=5).values())

    def message(self, command: Command) -> bytes:
        horn = MOST if command.horn else LEAST
        values = [position(command.steering), position(command.throttle), MIDDLE, MIDDLE, LEAST, horn] + [MIDDLE] * 10
        for each in self.outputs:
            assert isinstance(each.place, int)
            values[each.place - 1] = position(each.value(command))
        return channels(values)

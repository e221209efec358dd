"""OutGauge: what driving games tell of the car, in datagrams of 92 or 96 bytes."""

import asyncio
import struct

from .adapter import Status, number

FORM = struct.Struct("<I4sHBBfffffffIIfff16s16s")  # 92 bytes; 96 with an identifier.


def note_outgauge(data: bytes, status: Status) -> bool:
    """Takes a datagram into `status`; false for one that is none. Fuel stands for the battery; gear 0 is reverse."""
    if len(data) not in (FORM.size, FORM.size + 4):
        return False
    fields = FORM.unpack_from(data)
    gear, speed, fuel = fields[3], number(fields[5]), fields[9]
    # A value that is no number makes the old one unknown, and no other.
    status.speed = None if speed is None else (-speed if gear == 0 else speed) * 3.6
    status.battery = fuel
    return True


class OutGauge(asyncio.DatagramProtocol):
    """Listens for datagrams."""

    def __init__(self, status: Status) -> None:
        self.status = status

    def datagram_received(self, data: bytes, address: object) -> None:
        note_outgauge(data, self.status)

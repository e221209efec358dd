"""can, with a model of an interface: its queue, the bus that acknowledges or not, and python-can's own exceptions."""

import asyncio
import errno
import struct
from typing import Any

import can
import pytest
from conftest import line, running, until

from cockpit_bridge.adapter import LinkError, Options
from cockpit_bridge.adapters.can import Can
from cockpit_bridge.adapters.can_frame import frame_data
from cockpit_bridge.message import NEUTRAL


class Interface:
    """Its queue survives the sockets. A frame goes out when somebody acknowledges it; then the sockets that want it get it back."""

    length = 10

    def __init__(self) -> None:
        self.is_alive, self.is_down = True, False
        self.queue: list[tuple[Any, bytes]] = []
        self.out: list[tuple[int, int]] = []  # Flags and throttle.
        self.most = 0
        self.sockets: list[Socket] = []

    def put(self, sender: Any, data: bytes) -> None:
        if self.is_down:
            raise can.CanOperationError("Failed to transmit: Network is down", errno.ENETDOWN)
        if len(self.queue) >= self.length:
            raise can.CanOperationError("Failed to transmit: No buffer space available", errno.ENOBUFS)
        self.queue.append((sender, data))
        self.most = max(self.most, len(self.queue))
        self.turn()

    def turn(self) -> None:
        while self.is_alive and self.queue:
            sender, data = self.queue.pop(0)
            self.out.append(struct.unpack(">xBhxxxx", data))
            for each in self.sockets:
                if each is not sender or each.receives_own:
                    each.inbox.append(can.Message(arbitration_id=0x120, data=data, is_extended_id=False))

    def bus(self, **options: Any) -> "Socket":
        assert options["interface"] == "socketcan" and options["channel"] == "can0"
        made = Socket(self, options["receive_own_messages"])
        self.sockets.append(made)
        return made


class Socket:
    """What can.Bus returns."""

    def __init__(self, interface: Interface, receives_own: bool) -> None:
        self.interface, self.receives_own = interface, receives_own
        self.inbox: list[can.Message] = []

    def send(self, message: can.Message, timeout: float) -> None:
        assert timeout == 0
        self.interface.put(self, bytes(message.data))

    def recv(self, timeout: float) -> can.Message | None:
        assert timeout == 0
        return self.inbox.pop(0) if self.inbox else None

    def shutdown(self) -> None:
        self.interface.sockets.remove(self)


@pytest.fixture
def interface(monkeypatch: pytest.MonkeyPatch) -> Interface:
    made = Interface()
    monkeypatch.setattr(can, "Bus", made.bus)
    return made


@pytest.mark.parametrize("length", [10, 1000])
async def test_a_bus_that_acknowledges_nothing_keeps_no_old_commands(interface: Interface, length: int) -> None:
    interface.length = length
    async with running(Can("can0", Options())) as driver:
        await until(lambda: interface.out)
        await driver.drive(0.5)
        assert interface.out[-1] == (4, 600)
        driver.telemetry()
        interface.is_alive = False
        await driver.drive(1.2)
        assert any("NO LINK" in told["warnings"] for told in driver.telemetry())  # type: ignore[operator]
        driver.let_go()
        await asyncio.sleep(1.5)
        assert all("NO LINK" in told["warnings"] for told in driver.telemetry()[1:])  # type: ignore[operator]
        before = len(interface.out)
        interface.is_alive = True
        interface.turn()
        await asyncio.sleep(0.7)
        late = interface.out[before:]
        assert [each for each in late if each[0] & 4] in ([], [(4, 600)]) and late[-1] == (1, 0) and late[1] == (1, 0)
        await asyncio.sleep(0.5)
        driver.let_go()
        await driver.drive(0.3)
        assert interface.out[-1] == (4, 600)


async def test_one_frame_is_under_way_at_most(interface: Interface) -> None:
    async with running(Can("can0", Options())) as driver:
        await until(lambda: interface.out)
        await driver.drive(0.5)
        assert interface.most == 1


async def test_a_bus_that_is_dead_when_the_drive_begins_gets_no_command_for_later(interface: Interface) -> None:
    adapter = Can("can0", Options())
    adapter.neutral_time = 0.1  # type: ignore[misc]
    async with running(adapter) as driver:
        await until(lambda: interface.out)
        await asyncio.sleep(1.2)
        interface.is_alive = False
        await driver.drive(1)
        assert interface.queue and all(frame[1:] == frame_data(NEUTRAL, 0)[1:] for _, frame in interface.queue)


async def test_a_full_queue_and_an_interface_that_is_down_are_a_lost_link(interface: Interface) -> None:
    for length, is_down, words in ((0, False, "No buffer space"), (10, True, "Network is down")):
        interface.length, interface.is_down = length, is_down
        with pytest.raises(LinkError, match=words):
            await Can("can0", Options()).connect()


async def test_frames_of_others_are_no_acknowledgement(interface: Interface) -> None:
    adapter = Can("can0", Options())
    await adapter.connect()
    interface.is_alive = False
    await adapter.send(NEUTRAL)
    for data in (bytes(8), b"", frame_data(NEUTRAL, 77)):
        interface.sockets[0].inbox.append(can.Message(arbitration_id=0x120, data=data, is_extended_id=False))
    assert adapter.unacknowledged() == 8


async def test_frames_of_others_do_not_pile_up_at_rest(interface: Interface) -> None:
    adapter = Can("can0", Options())
    adapter.neutral_time = 0.1  # type: ignore[misc]
    async with running(adapter):
        await until(lambda: interface.out)
        await asyncio.sleep(0.3)
        for _ in range(100):
            interface.sockets[0].inbox.append(can.Message(arbitration_id=0x120, data=bytes(8), is_extended_id=False))
        await until(lambda: not interface.sockets[0].inbox)


async def test_a_socket_that_fails_while_receiving_is_a_lost_link(interface: Interface, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: Socket, timeout: float) -> None:
        raise can.CanOperationError("Error receiving: Network is down", errno.ENETDOWN)

    async with running(Can("can0", Options())) as driver:
        await until(lambda: interface.out)
        await driver.drive(0.2)
        driver.telemetry()
        monkeypatch.setattr(Socket, "recv", fail)
        await driver.drive(0.3)
        assert any("NO LINK" in told["warnings"] for told in driver.telemetry())  # type: ignore[operator]
        monkeypatch.undo()


async def test_python_cans_own_bus_gives_frames_back(monkeypatch: pytest.MonkeyPatch) -> None:
    own = can.Bus
    monkeypatch.setattr(can, "Bus", lambda **options: own(**(options | {"interface": "virtual"})))
    with own(interface="virtual", channel="can0") as controller:
        async with running(Can("can0", Options())) as driver:
            for _ in range(9):
                driver.sequence += 1
                driver.mine.send(line(driver.sequence, horn=True) + b"\n")
                await asyncio.sleep(1 / 30)
        got = []
        while (message := controller.recv(timeout=0)) is not None:
            got.append(struct.unpack(">xBhhxx", bytes(message.data)))
        assert (6, 600, -250) in got and got[-1] == (1, 0, 0)


async def test_socketcan_without_an_interface_is_an_error_in_words() -> None:
    with pytest.raises(LinkError, match="nocan7"):
        await Can("nocan7", Options()).connect()

"""rosbridge and foxglove: the type of the command, refusals in words, and servers that say odd things."""

import asyncio
import contextlib
import http
import json
import struct
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from conftest import Driver, running, until
from peers import DonkeyCar, FoxgloveServer, RosbridgeServer, server
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

from cockpit_bridge.adapter import Adapter, LinkError, Options
from cockpit_bridge.adapters.donkey import Donkey
from cockpit_bridge.adapters.foxglove import Foxglove
from cockpit_bridge.adapters.rosbridge import Rosbridge
from cockpit_bridge.adapters.twist import TwistType, twist_plain, twist_stamped
from cockpit_bridge.message import Command

INFO = {"op": "serverInfo", "name": "test", "capabilities": ["clientPublish"], "supportedEncodings": ["cdr", "json"]}


def moved(throttle: float, steering: float, options: Options) -> tuple[float, float]:
    return options.twist(Command(throttle, steering, brake=False, driving=True))


@pytest.mark.parametrize(("throttle", "steering", "car", "skid"), [
    (0.6, -0.5, (1.2, 0.9), (1.2, 1.5)),
    (-0.3, -0.5, (-0.6, -0.45), (-0.6, 1.5)), (0.1, 0.5, (0.2, -0.15), (0.2, -1.5)), (0, 1, (0, 0), (0, 0))])
def test_a_car_turns_as_fast_as_it_goes_and_the_other_way_in_reverse(
    throttle: float, steering: float, car: tuple[float, float], skid: tuple[float, float]
) -> None:
    assert moved(throttle, steering, Options(2, 3)) == pytest.approx(car)
    assert moved(throttle, steering, Options(2, 3, steering="skid")) == pytest.approx(skid)
    assert Options(2, 3).twist(Command(throttle, steering, brake=True)) == (0, 0)


def test_the_bytes_of_a_twist() -> None:
    assert twist_plain(1.5, 0.25) == bytes.fromhex("00010000 000000000000f83f" + "00" * 32 + "000000000000d03f")
    plain, stamped = TwistType(Options(twist_type="plain")), TwistType(Options())
    assert plain.ros1(1.5, 0.25, (1, 2)) == struct.pack("<6d", 1.5, 0, 0, 0, 0, 0.25)
    assert stamped.ros1(1.5, 0.25, (1, 2)) == struct.pack("<IIII6d", 0, 1, 2, 0, 1.5, 0, 0, 0, 0, 0.25)
    assert "header" not in plain.json(1, 0) and "header" in stamped.json(1, 0)


def test_a_type_is_learned_once_and_only_if_it_is_asked() -> None:
    told: list[tuple[object, bool | None]] = [
        ("geometry_msgs/msg/Twist", True), ("geometry_msgs/Twist", True), ("geometry_msgs/msg/TwistStamped", False),
        ("geometry_msgs/TwistStamped", True), ("std_msgs/msg/String", None), (5, None), ([], False), ("", False), (None, False)]
    for name, wanted in told:
        assert TwistType(Options()).learn(name) is wanted
        assert TwistType(Options(twist_type="stamped")).learn(name) is False
    kind = TwistType(Options())
    kind.learn("geometry_msgs/msg/Twist")
    assert kind.learn("geometry_msgs/msg/TwistStamped") is False and kind.name == "geometry_msgs/msg/Twist"


class TypedRos(RosbridgeServer):
    """Has rosapi, which knows the type of every topic; and says `extra` at each message."""

    def __init__(self, kind: Any, extra: Any = None, delay: float = 0.0) -> None:
        super().__init__()
        self.kind, self.extra, self.wait = kind, extra, delay

    async def __call__(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                message = json.loads(text)
                self.operations.append(message)
                if message["op"] == "call_service":
                    await asyncio.sleep(self.wait)
                    values = {"type": self.kind}
                    await connection.send(json.dumps({"op": "service_response", "id": message["id"], "values": values, "result": True}))
                if message["op"] == "publish":
                    self.published.append(message)
                    if self.extra is not None:
                        await connection.send(self.extra)


@pytest.mark.parametrize(("kind", "option", "wanted", "is_stamped"), [
    ("geometry_msgs/msg/Twist", "auto", "geometry_msgs/msg/Twist", False), ("geometry_msgs/Twist", "auto", "geometry_msgs/Twist", False),
    ("geometry_msgs/TwistStamped", "auto", "geometry_msgs/TwistStamped", True), ("", "auto", "geometry_msgs/msg/TwistStamped", True),
    (None, "auto", "geometry_msgs/msg/TwistStamped", True), ("geometry_msgs/msg/Twist", "stamped", "geometry_msgs/msg/TwistStamped", True),
    ("", "plain", "geometry_msgs/msg/Twist", False)])
async def test_rosbridge_publishes_the_type_that_the_topic_has(kind: Any, option: str, wanted: str, is_stamped: bool) -> None:
    ros = TypedRos(kind)
    async with server(ros) as port, running(Rosbridge(f"127.0.0.1:{port}", Options(twist_type=option))) as driver:
        await until(lambda: ros.published)
        await driver.drive(0.2)
        assert [told["type"] for told in ros.operations if told["op"] == "advertise"] == [wanted]
        message = ros.published[-1]["msg"]
        assert ("header" in message) == is_stamped
        assert (message["twist"] if is_stamped else message)["linear"]["x"] == pytest.approx(0.6)


async def test_rosbridge_changes_the_type_when_the_answer_is_late() -> None:
    ros = TypedRos("geometry_msgs/msg/Twist", delay=0.6)
    async with server(ros) as port, running(Rosbridge(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: ros.published)
        await driver.drive(0.8)
        told = [(each["op"], each.get("type", "").rpartition("/")[2]) for each in ros.operations if "advertise" in each["op"]]
        assert told == [("advertise", "TwistStamped"), ("unadvertise", ""), ("advertise", "Twist")]
        assert ros.published[-1]["msg"]["linear"]["x"] == pytest.approx(0.6)


async def test_a_topic_of_another_type_is_a_warning() -> None:
    ros = TypedRos("ackermann_msgs/msg/AckermannDrive")
    async with server(ros) as port, running(Rosbridge(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: ros.published)
        await driver.drive(0.1)
        assert "/cmd_vel has the type ackermann_msgs/msg/AckermannDrive" in warnings(driver)


def warnings(driver: Driver) -> list[str]:
    """All warnings that came back."""
    return [text for told in driver.telemetry() for text in told["warnings"]]  # type: ignore[attr-defined]


async def test_the_errors_of_rosbridge_are_shown_once_and_do_not_cut_the_link(capsys: pytest.CaptureFixture[str]) -> None:
    ros = TypedRos(None, json.dumps({"op": "status", "level": "error", "msg": "no such type"}))
    async with server(ros) as port, running(Rosbridge(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: ros.published)
        await driver.drive(4)
        assert len(ros.published) > 70
        told = warnings(driver)
        assert "no such type" in told and "NO LINK" not in told
    assert capsys.readouterr().err.count("no such type") == 1


ODD = [
    "hello", b"\x00\x01", "[1]", "null", "5", "{}", '{"op":5}', '{"op":"status"}', '{"op":"status","level":[],"msg":{}}',
    '{"op":"advertise","channels":null}',
    '{"op":"advertise","channels":[5,{"topic":[]},{"id":"x","topic":"/odom"}]}', '{"op":"publish","topic":[],"msg":null}', "[" * 50_000,
    '{"op":"publish","topic":"/odom","msg":{"twist":{"twist":{"linear":{"x":' + "9" * 400 + "}}}}}",
    '{"op":"service_response","id":[],"values":5}',
    '{"op":"publish","topic":"/odom","msg":{"twist":{"twist":{"linear":{"x":NaN}}}}}', "x" * 3_000_000, bytes(3_000_000),
    b"\x01\x01\x00\x00\x00", b"\x01", b"", '{"op":"serverInfo","capabilities":null}',
    '{"op":"service_response","id":"cockpit-topic-type","values":[]}',
]


class OddRos(TypedRos):
    """Says everything odd first, on both connections, and again at each message; then the speed."""

    async def __call__(self, connection: ServerConnection) -> None:
        for each in ODD:
            await connection.send(each)
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                message = json.loads(text)
                if message["op"] == "publish":
                    self.published.append(message)
                    await connection.send(ODD[len(self.published) % len(ODD)])
                if message["op"] == "subscribe":
                    odometry = {"twist": {"twist": {"linear": {"x": 2.0}}}}
                    await connection.send(json.dumps({"op": "publish", "topic": message["topic"], "msg": odometry}))


async def test_odd_messages_of_rosbridge_end_nothing() -> None:
    ros = OddRos(None)
    async with server(ros) as port:
        adapter = Rosbridge(f"127.0.0.1:{port}", Options(speed_topic="/odom"))
        async with running(adapter) as driver:
            await until(lambda: adapter.status.speed == 7.2)
            await driver.drive(1.5)
            assert ros.published[-1]["msg"]["twist"]["linear"]["x"] == pytest.approx(0.6)
            assert "NO LINK" not in warnings(driver)


async def test_odd_messages_of_donkeycar_end_nothing() -> None:
    car = DonkeyCar()

    async def odd(connection: ServerConnection) -> None:
        for each in ODD:
            await connection.send(each)
        await car(connection)

    async with server(odd) as port, running(Donkey(f"127.0.0.1:{port}", Options())) as driver:
        await until(lambda: car.texts)
        await driver.drive(0.5)
        assert car.throttle == 0.6 and "NO LINK" not in warnings(driver)


class OddFoxglove(FoxgloveServer):
    """Says `first`, then introduces itself and offers its channels."""

    def __init__(self, first: list[Any], info: dict[str, Any] | None = None, offered: list[dict[str, Any]] | None = None) -> None:
        super().__init__()
        self.first, self.info, self.offered = first, info or INFO, offered or []
        self.texts: list[dict[str, Any]] = []

    async def __call__(self, connection: ServerConnection) -> None:
        for each in self.first:
            await connection.send(each)
        await connection.send(json.dumps(self.info))
        if self.offered:
            await connection.send(json.dumps({"op": "advertise", "channels": self.offered}))
        with contextlib.suppress(ConnectionClosed):
            async for message in connection:
                if isinstance(message, bytes):
                    self.messages.append(message[5:])
                else:
                    self.texts.append(json.loads(message))
                    self.operations.append(self.texts[-1]["op"])


async def driven(ros: OddFoxglove, seconds: float, **options: Any) -> Driver:
    async with server(ros, ["foxglove.sdk.v1"]) as port, running(Foxglove(f"127.0.0.1:{port}", Options(**options))) as driver:
        await until(lambda: ros.messages)
        await driver.drive(seconds)
        driver.last = ros.messages[-1]  # type: ignore[attr-defined]
        driver.warned = warnings(driver)  # type: ignore[attr-defined]
    return driver


async def test_odd_messages_of_foxglove_end_nothing_before_and_after_its_introduction() -> None:
    odd = [each for each in ODD if "serverInfo" not in str(each)]
    driver: Any = await driven(OddFoxglove(odd), 0.3, speed_topic="/odom")
    assert driver.last == twist_stamped(0.6, 0.15) and "NO LINK" not in driver.warned


@pytest.mark.parametrize(("encodings", "kind", "option", "encoding", "name", "last"), [
    (["cdr"], "geometry_msgs/msg/Twist", "auto", "cdr", "geometry_msgs/msg/Twist", twist_plain(0.6, 0.15)),
    (["cdr"], "geometry_msgs/msg/TwistStamped", "auto", "cdr", "geometry_msgs/msg/TwistStamped", twist_stamped(0.6, 0.15)),
    (None, None, "plain", "cdr", "geometry_msgs/msg/Twist", twist_plain(0.6, 0.15)),
    (["cdr"], "geometry_msgs/msg/Twist", "stamped", "cdr", "geometry_msgs/msg/TwistStamped", twist_stamped(0.6, 0.15)),
    (["ros1"], "geometry_msgs/Twist", "auto", "ros1", "geometry_msgs/Twist", struct.pack("<6d", 0.6, 0, 0, 0, 0, 0.15)),
    (["ros1"], None, "plain", "ros1", "geometry_msgs/Twist", struct.pack("<6d", 0.6, 0, 0, 0, 0, 0.15)),
])
async def test_foxglove_publishes_the_type_that_the_topic_has(
    encodings: Any, kind: Any, option: str, encoding: str, name: str, last: bytes
) -> None:
    offered = [{"id": 7, "topic": "/cmd_vel", "encoding": encoding, "schemaName": kind}] if kind else []
    ros = OddFoxglove([], INFO | {"supportedEncodings": encodings}, offered)
    driver: Any = await driven(ros, 0.3, twist_type=option)
    advertised = [channel for text in ros.texts if text["op"] == "advertise" for channel in text["channels"]]
    assert [(each["encoding"], each["schemaName"]) for each in advertised] == [(encoding, name)]
    assert driver.last == last


async def test_a_robot_with_hundreds_of_topics_can_be_driven() -> None:
    kind = {"encoding": "cdr", "schemaName": "x/msg/X", "schema": "x" * 8000}
    many: list[dict[str, Any]] = [kind | {"id": number, "topic": f"/t{number}"} for number in range(600)]
    many.append({"id": 999, "topic": "/cmd_vel", "encoding": "cdr", "schemaName": "geometry_msgs/msg/Twist"})
    driver: Any = await driven(OddFoxglove([], None, many), 0.5, speed_topic="/t5")
    assert driver.last == twist_plain(0.6, 0.15) and "NO LINK" not in driver.warned


async def test_the_errors_of_a_foxglove_server_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    driver: Any = await driven(OddFoxglove([json.dumps({"op": "status", "level": 2, "message": "unknown schema"})] * 3), 0.3)
    assert "unknown schema" in driver.warned
    assert capsys.readouterr().err.count("unknown schema") == 1


@pytest.mark.parametrize(("info", "words"), [
    ({"capabilities": None}, "clientPublish"), ({"capabilities": 5}, "clientPublish"), ({"supportedEncodings": ["json"]}, "CDR")])
async def test_a_foxglove_server_that_cannot_be_driven_says_why(info: dict[str, Any], words: str) -> None:
    async with server(OddFoxglove([], INFO | info), ["foxglove.sdk.v1"]) as port:
        with pytest.raises(LinkError, match=words):
            await Foxglove(f"127.0.0.1:{port}", Options()).connect()


async def test_a_server_that_never_introduces_itself_is_no_link() -> None:
    async with server(OddFoxglove([], {"op": "hello"}), ["foxglove.sdk.v1"]) as port:
        with pytest.raises(LinkError, match="serverInfo"):
            await Foxglove(f"127.0.0.1:{port}", Options()).connect()


KINDS: list[type[Adapter]] = [Donkey, Rosbridge, Foxglove]


def answers() -> list[Callable[..., Awaitable[Any]]]:
    """Servers that are none of a WebSocket."""

    def http_status(status: http.HTTPStatus) -> Callable[..., Awaitable[Any]]:
        async def refuse(_connection: Any, _request: Any) -> Response:
            return Response(status.value, status.phrase, Headers([("Location", "http://127.0.0.1:1/")]), b"<html>")

        return refuse

    return [http_status(http.HTTPStatus(number)) for number in (302, 200, 401, 502)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answer", answers())
async def test_an_answer_that_is_no_websocket_is_a_lost_link(kind: type[Adapter], answer: Any) -> None:
    async with serve(DonkeyCar(), "127.0.0.1", 0, process_request=answer) as made:
        with pytest.raises(LinkError):
            await kind(f"127.0.0.1:{made.sockets[0].getsockname()[1]}", Options()).connect()


@pytest.mark.parametrize("kind", KINDS)
async def test_junk_instead_of_a_websocket_is_a_lost_link(kind: type[Adapter]) -> None:
    async def junk(_reader: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\xff\x00SSH-2.0\r\n" * 100)
        writer.close()

    made = await asyncio.start_server(junk, "127.0.0.1", 0)
    with pytest.raises(LinkError):
        await kind(f"127.0.0.1:{made.sockets[0].getsockname()[1]}", Options()).connect()
    made.close()


async def test_a_receiver_at_an_ipv6_address_is_driven() -> None:
    car = DonkeyCar()
    async with serve(car, "::1", 0) as made:
        async with running(Donkey(f"[::1]:{made.sockets[0].getsockname()[1]}", Options())) as driver:
            await until(lambda: car.texts)
            await driver.drive(0.2)
            assert car.throttle == 0.6


async def test_a_report_connection_that_ends_is_opened_again() -> None:
    count = 0

    async def short(connection: ServerConnection) -> None:
        nonlocal count
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                if json.loads(text)["op"] == "subscribe":
                    count += 1
                    odometry = {"twist": {"twist": {"linear": {"x": count}}}}
                    await connection.send(json.dumps({"op": "publish", "topic": "/odom", "msg": odometry}))
                    await connection.close()

    async with server(short) as port:
        adapter = Rosbridge(f"127.0.0.1:{port}", Options(speed_topic="/odom"))
        async with running(adapter):
            await until(lambda: adapter.status.speed == pytest.approx(3 * 3.6))


async def test_a_link_that_is_closed_at_rest_is_no_link() -> None:
    car = DonkeyCar()
    connections: list[ServerConnection] = []

    async def kept(connection: ServerConnection) -> None:
        connections.append(connection)
        await car(connection)

    async with server(kept) as port:
        adapter = Donkey(f"127.0.0.1:{port}", Options())
        adapter.neutral_time = 0.1  # type: ignore[misc]
        async with running(adapter) as driver:
            await until(lambda: car.texts)
            await asyncio.sleep(0.3)
            driver.telemetry()
            connections[0].transport.abort()
            await asyncio.sleep(0.3)
            assert "NO LINK" in warnings(driver)


async def test_a_flood_of_reports_does_not_hold_up_the_commands() -> None:
    ros = RosbridgeServer()

    async def flood(connection: ServerConnection) -> None:
        async def reports() -> None:
            text = json.dumps({"op": "publish", "topic": "/odom", "msg": {"twist": {"twist": {"linear": {"x": 1}}}}})
            with contextlib.suppress(ConnectionClosed):
                while True:
                    for _ in range(20):
                        await connection.send(text)
                    await asyncio.sleep(0.004)

        first = json.loads(await connection.recv())
        if first["op"] == "subscribe":
            await reports()
        else:
            await ros(connection)

    async with server(flood) as port:
        adapter = Rosbridge(f"127.0.0.1:{port}", Options(speed_topic="/odom", twist_type="stamped"))
        async with running(adapter) as driver:
            await until(lambda: ros.published and adapter.status.speed)
            ros.published.clear()
            await driver.drive(2)
            assert len([each for each in ros.published if each["msg"]["twist"]["linear"]["x"]]) > 25
            assert "NO LINK" not in warnings(driver)


async def test_a_name_that_is_never_found_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = threading.Event()
    monkeypatch.setattr("socket.create_connection", lambda *_: ends.wait())
    monkeypatch.setattr("cockpit_bridge.bridge.CONNECT", 0.05)
    monkeypatch.setattr("cockpit_bridge.bridge.RETRY", 0.01)
    before = threading.active_count()
    async with running(Donkey("robot", Options())) as driver:
        await driver.drive(1.5)
        assert "NO LINK" in warnings(driver)
        assert threading.active_count() - before <= 8
    ends.set()
    await until(lambda: threading.active_count() <= before)

"""mqtt, with Debian's mosquitto as the broker and paho as the vehicle."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from conftest import Driver, line, ready, running, safe, until
from paho.mqtt.enums import CallbackAPIVersion

from cockpit_bridge.adapter import LinkError, Options
from cockpit_bridge.adapters import mqtt
from cockpit_bridge.adapters.mqtt import Mqtt, payload
from cockpit_bridge.bridge import Bridge
from cockpit_bridge.cli import main
from cockpit_bridge.lease import Lease
from cockpit_bridge.message import NEUTRAL, Command, parse
from cockpit_bridge.source import BadPlace


@contextlib.contextmanager
def mosquitto(folder: Path, settings: str = "allow_anonymous true\n") -> Iterator[int]:
    """A broker on a free port."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port = made.getsockname()[1]
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
    assert program, "this test needs mosquitto"
    file = folder / "broker.conf"
    file.write_text(f"user root\nlistener {port} 127.0.0.1\n{settings}")
    process = subprocess.Popen([program, "-c", str(file)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(500):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.01)
        yield port
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[int]:
    with mosquitto(tmp_path) as port:
        yield port


class Subscriber:
    """The vehicle: notes every message."""

    def __init__(self, port: int, user: str | None = None, ca: Path | None = None) -> None:
        self.got: list[dict[str, Any]] = []
        self.is_ready = False
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = lambda _client, _data, message: self.got.append(json.loads(message.payload))
        self.client.on_connect = lambda *_: self.client.subscribe("car/drive")
        self.client.on_subscribe = lambda *_: setattr(self, "is_ready", True)
        if user:
            self.client.username_pw_set(user, "secret ü")
        if ca:
            self.client.tls_set(str(ca))
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def end(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def obeys(self, lease: Lease) -> None:
        """From now on `lease` takes each message, as a subscriber should. What is no JSON is not noted."""
        def take(_client: object, _data: object, message: paho.MQTTMessage) -> None:
            lease.take(message.payload, message.topic, time.monotonic())
            with contextlib.suppress(ValueError):
                self.got.append(json.loads(message.payload))
        self.client.on_message = take


async def test_the_stop_is_published_before_the_disconnect(broker: int) -> None:
    car = Subscriber(broker)
    await until(lambda: car.is_ready)
    async with running(Mqtt(f"127.0.0.1:{broker}", Options())) as driver:
        await until(lambda: car.got)
        await driver.drive(0.3)
        await until(lambda: car.got[-1]["throttle"] == 0.6)
        assert car.got[-1]["state"] == "driving" and car.got[-1]["v"] == 1
    await until(lambda: car.got[-1]["state"] == "safe")
    # The will stays away after a DISCONNECT.
    assert car.got[-1]["reason"] == "lift"
    car.end()


async def test_the_broker_publishes_the_will_when_the_bridge_dies(broker: int) -> None:
    car = Subscriber(broker)
    await until(lambda: car.is_ready)
    adapter = Mqtt(f"127.0.0.1:{broker}", Options())
    async with running(adapter) as driver:
        await until(lambda: car.got)
        await driver.drive(0.3)
        await until(lambda: car.got[-1]["throttle"] == 0.6)
        adapter.abort()
        await until(lambda: car.got[-1]["reason"] == "link-lost")
        assert car.got[-1]["seq"] == 2**53 - 1 and car.got[-1]["brake"] is True
    car.end()


async def answer_pings(peer: socket.socket) -> None:
    while True:
        peer.sendall(b"\xd0\x00")
        await asyncio.sleep(0.001)


async def test_a_broker_that_stands_still_after_its_greeting_gets_no_command() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        adapter = Mqtt(f"127.0.0.1:{listener.getsockname()[1]}", Options())
        connecting = asyncio.create_task(adapter.connect())
        with (await asyncio.to_thread(listener.accept))[0] as peer:
            peer.sendall(b"\x20\x02\x00\x00")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(connecting, 0.5)
            adapter.abort()


async def test_a_broker_that_takes_nothing_acknowledges_nothing() -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        adapter = Mqtt(f"127.0.0.1:{listener.getsockname()[1]}", Options())
        connecting = asyncio.create_task(adapter.connect())
        with (await asyncio.to_thread(listener.accept))[0] as peer:
            peer.sendall(b"\x20\x02\x00\x00")  # CONNACK; after it, nothing is read, though each ping has its answer.
            pongs = asyncio.create_task(answer_pings(peer))
            await connecting
            raw: Any = adapter._client.socket()
            assert raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
            with pytest.raises(TimeoutError):
                for _ in range(10_000):
                    await adapter.neutral()
                    async with asyncio.timeout(0.3):
                        while adapter.unacknowledged():
                            await asyncio.sleep(0.001)
            assert 0 < adapter.unacknowledged() < 400
            pongs.cancel()
            # What waits is thrown away, not delivered when the broker reads again.
            adapter.abort()
            with contextlib.suppress(ConnectionResetError):
                while await asyncio.to_thread(peer.recv, 65536):
                    pass
                raise AssertionError("the connection ended in good order")


def warnings(driver: Driver) -> list[str]:
    return [text for told in driver.telemetry() for text in told["warnings"]]  # type: ignore[attr-defined]


async def test_horn_and_gear_are_passed_on(broker: int) -> None:
    car = Subscriber(broker)
    await until(lambda: car.is_ready)
    async with running(Mqtt(f"127.0.0.1:{broker}", Options())) as driver:
        await until(lambda: car.got)
        for throttle, gear, horn in ((0.6, "6", True), (-0.2, "R", False), (0.1, "1", True)):
            driver.sequence += 1
            driver.mine.send(line(driver.sequence, throttle, gear=gear, horn=horn) + b"\n")
            await until(lambda: car.got[-1]["throttle"] == throttle, 1)
            assert (car.got[-1]["gear"], car.got[-1]["horn"], car.got[-1]["state"]) == (gear, horn, "driving")
        times = [message["t"] for message in car.got]
        assert times == sorted(times) and times[-1] > times[0] > 0
    car.end()


@pytest.mark.parametrize(("command", "wanted"), [
    (Command(0.6, -0.5, False, True, True, gear="6"), ("6", 0.6, False, True, True, "driving", "none")),
    (Command(0.6, 0, False, False, True), ("1", 0.6, False, False, True, "driving", "none")),
    (Command(-0.3, 0, False, False, True), ("R", -0.3, False, False, True, "driving", "none")),
    (Command(0, 0.5, True, True, True), ("N", 0, True, True, True, "driving", "none")),
    (Command(0, 0, False, False, True, gear="3"), ("N", 0, True, False, True, "driving", "none")),
    (NEUTRAL, ("N", 0, True, False, False, "safe", "lift")),
])
def test_what_is_published_agrees_with_itself(command: Command, wanted: tuple[Any, ...]) -> None:
    told = json.loads(payload(command, "0123abcd", 5, wanted[-1]))
    assert tuple(told[name] for name in ("gear", "throttle", "brake", "horn", "held", "state", "reason")) == wanted
    assert told["v"] == 1 and told["seq"] == 5
    parsed = parse(payload(command, "0123abcd", 5, wanted[-1]))
    assert (parsed.identifier, parsed.rate) == ("0123abcd", Mqtt.rate)


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[int]:
    """A broker that wants a password."""
    passwords = tmp_path / "passwords"
    passwords.touch(0o600)
    subprocess.run(["mosquitto_passwd", "-b", str(passwords), "car", "secret ü"], check=True)
    with mosquitto(tmp_path, f"allow_anonymous false\npassword_file {passwords}\n") as port:
        yield port


async def test_a_refusal_is_said_once_and_is_no_link_all_the_time(guarded: int, capsys: pytest.CaptureFixture[str]) -> None:
    async with running(Mqtt(f"127.0.0.1:{guarded}", Options())) as driver:
        await driver.drive(2.5)
        told = driver.telemetry()
        assert len(told) >= 3 and all("NO LINK" in each["warnings"] for each in told)  # type: ignore[operator]
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "not authorised" in said


async def test_a_wrong_password_is_refused(guarded: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COCKPIT_MQTT_PASSWORD", "guess")
    with pytest.raises(LinkError, match="not authorised|password is wrong"):
        await Mqtt(f"127.0.0.1:{guarded}", Options(user="car")).connect()


@pytest.mark.parametrize("way", ["environment", "file"])
async def test_a_user_and_a_password(guarded: int, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = None
    if way == "file":
        (tmp_path / "secret").write_text("secret ü\n")
        file = str(tmp_path / "secret")
    else:
        monkeypatch.setenv("COCKPIT_MQTT_PASSWORD", "secret ü")
    car = Subscriber(guarded, "car")
    await until(lambda: car.is_ready)
    async with running(Mqtt(f"127.0.0.1:{guarded}", Options(user="car", password_file=file))) as driver:
        await until(lambda: car.got)
        await driver.drive(0.3)
        await until(lambda: car.got[-1]["throttle"] == 0.6)
    car.end()


def test_a_password_without_a_user_is_a_slip(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    with pytest.raises(BadPlace, match="--user"):
        Mqtt("broker", Options(password_file=str(tmp_path / "secret")))


def test_no_option_takes_a_password(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert set(re.findall(r"--[a-z-]*password[a-z-]*", capsys.readouterr().out)) == {"--password-file"}


def certificates(folder: Path) -> None:
    """A certificate for 127.0.0.1 and its key."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "ca.pem", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], cwd=folder, check=True, capture_output=True)


async def test_tls_with_a_file_of_certificates(tmp_path: Path) -> None:
    certificates(tmp_path)
    with mosquitto(tmp_path, f"allow_anonymous true\ncertfile {tmp_path}/ca.pem\nkeyfile {tmp_path}/key.pem\n") as port:
        car = Subscriber(port, ca=tmp_path / "ca.pem")
        await until(lambda: car.is_ready)
        adapter = Mqtt(f"127.0.0.1:{port}", Options(tls=str(tmp_path / "ca.pem")))
        async with running(adapter) as driver:
            await until(lambda: car.got)
            await driver.drive(0.5)
            await until(lambda: car.got[-1]["throttle"] == 0.6)
            assert "NO LINK" not in warnings(driver)
            adapter.abort()
            await until(lambda: any(told["reason"] == "link-lost" for told in car.got))
        car.end()
        # The system knows nobody who vouches for this broker.
        with pytest.raises(LinkError, match="certificate"):
            await Mqtt(f"127.0.0.1:{port}", Options(tls="")).connect()
    assert Mqtt("broker", Options(tls=""))._address.port == 8883


async def test_a_broker_that_is_killed_and_comes_back_needs_a_new_touch(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as port:
        adapter = Mqtt(f"127.0.0.1:{port}", Options())
        driver = Driver()
        task = asyncio.create_task(Bridge(driver.source, adapter).run())
        await until(lambda: driver.telemetry())
        await driver.drive(0.3)
        assert "NO LINK" not in warnings(driver)
    await driver.drive(0.7)
    assert "NO LINK" in warnings(driver)
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
    assert program
    process = subprocess.Popen([program, "-c", str(tmp_path / "broker.conf")], stderr=subprocess.DEVNULL)
    await asyncio.sleep(0.5)
    car = Subscriber(port)
    await until(lambda: car.is_ready)
    await driver.drive(1.5)
    assert car.got and all(message["throttle"] == 0 for message in car.got)
    driver.let_go()
    await driver.drive(0.3)
    assert car.got[-1]["throttle"] == 0.6
    driver.end()
    await asyncio.wait_for(task, 10)
    car.end()
    process.kill()
    process.wait()


async def test_a_broker_that_goes_at_rest_is_no_link(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as port:
        adapter = Mqtt(f"127.0.0.1:{port}", Options())
        adapter.neutral_time = 0.1  # type: ignore[misc]
        driver = Driver()
        task = asyncio.create_task(Bridge(driver.source, adapter).run())
        await until(lambda: driver.telemetry())
        await asyncio.sleep(0.4)
        assert "NO LINK" not in warnings(driver)
    await until(lambda: "NO LINK" in warnings(driver), 1)
    driver.end()
    await asyncio.wait_for(task, 10)


@pytest.mark.parametrize("answer", [b"", b"\x20\x02\x00\x03", b"HTTP/1.1 400 Bad Request\r\n\r\n", bytes(100), b"\xff" * 100])
async def test_what_is_no_broker_is_a_lost_link(answer: bytes) -> None:
    async def serve(_reader: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        writer.close()

    made = await asyncio.start_server(serve, "127.0.0.1", 0)
    with pytest.raises(LinkError):
        await asyncio.wait_for(Mqtt(f"127.0.0.1:{made.sockets[0].getsockname()[1]}", Options()).connect(), 4)
    made.close()


def test_sigterm_ends_the_bridge_while_the_broker_does_not_answer() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        with socket.create_connection(listener.getsockname()):  # The backlog is full: the next connection waits.
            driver = Driver()
            place = f"mqtt:127.0.0.1:{listener.getsockname()[1]}"
            program = [sys.executable, "-m", "cockpit_bridge", f"fd:{driver.source.fileno()}", place]
            process = subprocess.Popen(program, pass_fds=[driver.source.fileno()], stderr=subprocess.DEVNULL)
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            assert process.wait(7) == 0


async def test_a_broker_that_stands_still_keeps_no_old_commands(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as port:
        found = subprocess.run(["pgrep", "-f", str(tmp_path / "broker.conf")], capture_output=True, text=True, check=True)
        process = int(found.stdout.split()[0])
        car, driver = Subscriber(port), Driver()
        await until(lambda: car.is_ready)
        task = asyncio.create_task(Bridge(driver.source, Mqtt(f"127.0.0.1:{port}", Options())).run())
        await until(lambda: car.got)
        await driver.drive(0.5)
        assert car.got[-1]["throttle"] == 0.6
        os.kill(process, signal.SIGSTOP)
        await asyncio.sleep(0.1)
        before = len(car.got)
        await driver.drive(1)
        assert "NO LINK" in warnings(driver)
        driver.let_go()
        await asyncio.sleep(0.5)
        os.kill(process, signal.SIGCONT)
        await until(lambda: len(car.got) > before + 5, 7)
        late = [message["throttle"] for message in car.got[before:]]
        assert sum(throttle > 0 for throttle in late) <= 3 and late[-1] == 0
        driver.end()
        await asyncio.wait_for(task, 10)
        car.end()


async def test_a_subscriber_that_keeps_the_rules_stops_at_the_will_and_obeys_the_next_connection(broker: int) -> None:
    car, lease = Subscriber(broker), Lease(hold=0.5)
    car.obeys(lease)
    await until(lambda: car.is_ready)
    adapter = Mqtt(f"127.0.0.1:{broker}", Options())
    async with running(adapter) as driver:
        await until(lambda: car.got)
        for _ in range(2):
            driver.let_go()
            await driver.drive(0.3)
            assert lease.command(time.monotonic()).throttle == 0.6
            # Longer than a command may be late: the will was written when the connection was made.
            await driver.drive(0.3)
            adapter.abort()
            await until(lambda: car.got[-1]["reason"] == "link-lost", 0.4)
            assert not lease.command(time.monotonic()).driving
            await driver.drive(1.2)
            assert not lease.command(time.monotonic()).driving, "the same touch drove on"
        wills = [told["id"] for told in car.got if told["reason"] == "link-lost"]
        assert len(set(wills)) == 2, "the second connection has the number of the first"
    car.end()


async def test_a_machine_that_was_suspended_is_another_sender(broker: int, monkeypatch: pytest.MonkeyPatch) -> None:
    car = Subscriber(broker)
    await until(lambda: car.is_ready)
    async with running(Mqtt(f"127.0.0.1:{broker}", Options()), keeps_neutral=True):
        await until(lambda: car.got)
        slept = mqtt.suspended() + 60
        monkeypatch.setattr(mqtt, "suspended", lambda: slept)
        await until(lambda: any(told["reason"] == "link-lost" for told in car.got), 1)
        will = next(told for told in car.got if told["reason"] == "link-lost")
        await until(lambda: car.got[-1]["id"] != will["id"], 2)
        assert will["id"] == car.got[0]["id"] and car.got[-1]["reason"] == "lift"
    car.end()


async def test_a_slow_broker_gets_the_newest_command_and_one_at_a_time() -> None:
    """A broker that needs 100 ms for each message: commands come seldom, none of them old."""
    got: list[tuple[float, dict[str, Any]]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            while True:
                kind, size = await reader.readexactly(2)
                if size & 128:
                    size = (size & 127) + 128 * (await reader.readexactly(1))[0]
                body = await reader.readexactly(size)
                if kind == 0x10:
                    writer.write(b"\x20\x02\x00\x00")
                elif kind == 0xC0:
                    await asyncio.sleep(0.1)
                    writer.write(b"\xd0\x00")
                elif kind == 0x30:
                    got.append((time.monotonic(), json.loads(body[2 + int.from_bytes(body[:2], "big"):])))
        writer.close()

    made = await asyncio.start_server(serve, "127.0.0.1", 0)
    adapter = Mqtt(f"127.0.0.1:{made.sockets[0].getsockname()[1]}", Options())
    async with running(adapter) as driver:
        await until(lambda: got)
        spoken: list[tuple[float, float]] = []
        for step in range(45):
            driver.say(step / 50)
            spoken.append((time.monotonic(), step / 50))
            await asyncio.sleep(1 / 30)
        assert "NO LINK" not in warnings(driver)
    made.close()
    driven = [(at, told["throttle"]) for at, told in got if told["state"] == "driving"]
    assert len(driven) >= 5 and all(after[0] - before[0] > 0.09 for before, after in zip(driven, driven[1:])), driven
    for at, throttle in driven:
        newest = max(said for when, said in spoken if when <= at)
        assert newest - throttle <= 2 / 50, f"{throttle} was passed on when {newest} had been said"


FEEDER = """
import json, sys, time
torn = int(sys.argv[1])
for text in sys.stdin:
    fields = json.loads(text) | {"t": time.monotonic()}
    is_torn = fields["seq"] == torn
    # One write for each line, as the cockpit does it: print() makes two where Python does not buffer, and may be killed between them.
    sys.stdout.write(json.dumps(fields, separators=(",", ":")) + ("" if is_torn else "\\n"))
    sys.stdout.flush()
    time.sleep(99 if is_torn else 1 / 30)
"""


async def stop_after_a_kill(broker: int, folder: Path, torn: int) -> None:
    """Runs the page's example and kills its cockpit, which leaves the line with the number `torn` without an end; with 0 none."""
    page = (Path(__file__).parents[2] / "docs/drive.md").read_text()
    (example,) = re.findall(r"(?m)^ *(stop='.*\n.*cockpit --drive -.*\n.*--will-payload.*)$", page)
    (folder / "feeder.py").write_text(FEEDER)
    # A new touch once a second, should this machine have been too busy for the one before.
    touches = (line(number, id="0123abcd", rate=30) if number % 30 else safe(number, "lift") for number in range(2, 300))
    (folder / "lines").write_bytes(b"\n".join([ready(1, "start"), *touches]))
    cockpit = f"cockpit() {{ {sys.executable} {folder}/feeder.py {torn} <{folder}/lines & echo $! >&2; wait; }}\n"
    car, lease = Subscriber(broker), Lease(hold=0.5)
    car.obeys(lease)
    await until(lambda: car.is_ready)
    script = cockpit + example.replace("-h broker", f"-h 127.0.0.1 -p {broker}")
    with subprocess.Popen(["bash", "-c", script], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as shell:
        assert shell.stderr
        feeder = int(shell.stderr.readline())
        if torn:
            await until(lambda: car.got and car.got[-1]["seq"] == torn - 1)
            await asyncio.sleep(0.2)  # For the torn line, which nobody sees before its end.
        else:
            await until(lambda: lease.command(time.monotonic()).throttle == 0.6)
        os.kill(feeder, signal.SIGKILL)
        await until(lambda: car.got and car.got[-1]["reason"] == "terminated")
        assert lease.why == "safe, terminated" and not lease.command(time.monotonic()).driving
        assert await asyncio.to_thread(shell.wait, 10) == 0
    car.end()


async def test_the_example_for_mosquitto_pub_stops_a_subscriber_that_keeps_the_rules(broker: int, tmp_path: Path) -> None:
    await stop_after_a_kill(broker, tmp_path, torn=0)


async def test_the_example_for_mosquitto_pub_stops_a_subscriber_though_the_last_line_is_torn(broker: int, tmp_path: Path) -> None:
    await stop_after_a_kill(broker, tmp_path, torn=20)

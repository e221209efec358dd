"""mqtt, with Debian's mosquitto as the broker and paho as the vehicle."""

import asyncio
import contextlib
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from conftest import running, until
from paho.mqtt.enums import CallbackAPIVersion

from cockpit_bridge.adapter import Options
from cockpit_bridge.adapters.mqtt import Mqtt


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[int]:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port = made.getsockname()[1]
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
    assert program, "this test needs mosquitto"
    file = tmp_path / "broker.conf"
    file.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = subprocess.Popen([program, "-c", str(file)], stderr=subprocess.DEVNULL)
    for _ in range(500):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            break
        time.sleep(0.01)
    yield port
    process.kill()
    process.wait()


class Subscriber:
    """The vehicle: notes every message."""

    def __init__(self, port: int) -> None:
        self.got: list[dict[str, Any]] = []
        self.is_ready = False
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = lambda _client, _data, message: self.got.append(json.loads(message.payload))
        self.client.on_connect = lambda *_: self.client.subscribe("car/drive")
        self.client.on_subscribe = lambda *_: setattr(self, "is_ready", True)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def end(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


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


async def test_a_broker_that_takes_nothing_acknowledges_nothing() -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        adapter = Mqtt(f"127.0.0.1:{listener.getsockname()[1]}", Options())
        connecting = asyncio.create_task(adapter.connect())
        with (await asyncio.to_thread(listener.accept))[0] as peer:
            peer.sendall(b"\x20\x02\x00\x00")  # CONNACK; after it, nothing is read.
            await connecting
            assert adapter._client is not None
            raw: Any = adapter._client.socket()
            assert raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
            with pytest.raises(TimeoutError):
                for _ in range(10_000):
                    await adapter.neutral()
                    async with asyncio.timeout(0.3):
                        while adapter.unacknowledged():
                            await asyncio.sleep(0.001)
            assert 0 < adapter.unacknowledged() < 400
            # What waits is thrown away, not delivered when the broker reads again.
            adapter.abort()
            with contextlib.suppress(ConnectionResetError):
                while await asyncio.to_thread(peer.recv, 65536):
                    pass
                raise AssertionError("the connection ended in good order")

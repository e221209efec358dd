"""Runs in a bare Debian, with Debian's own libraries: the installed bridge drives a WebSocket receiver, a broker and a serial line, and stops them."""

import asyncio
import json
import os
import pty
import subprocess
import sys
import threading
import time
import tty

import paho.mqtt.client as paho
import websockets

LINE = ('{"v":1,"seq":%d,"t":1.0,"gear":"6","throttle":0.600,"steering":-0.2500,"brake":false,"horn":false,"held":true,"state":"driving",'
        '"reason":"none"}\n')


async def drive(receiver: str, seconds: float = 2.0) -> None:
    """Drives for a while and ends, as a cockpit does."""
    bridge = await asyncio.create_subprocess_exec("cockpit-bridge", "-", receiver, stdin=asyncio.subprocess.PIPE)
    assert bridge.stdin is not None
    for number in range(1, int(seconds * 30)):
        bridge.stdin.write((LINE % number).encode())
        await asyncio.sleep(1 / 30)
    bridge.stdin.close()
    assert await bridge.wait() == 0, f"the bridge to {receiver} ended with {bridge.returncode}"


def judge(what: str, throttles: list[float]) -> None:
    """The receiver drove, and was stopped at last."""
    assert 0.6 in throttles, f"{what} never drove: {throttles[:5]}"
    assert throttles[-1] == 0, f"{what} drives on"
    print(f"{what}: driven and stopped", file=sys.stderr)


async def websocket() -> None:
    seen: list[float] = []

    async def take(connection: "websockets.WebSocketServerProtocol", *_: object) -> None:
        async for text in connection:
            seen.append(json.loads(text)["throttle"])

    async with websockets.serve(take, "127.0.0.1", 8887):
        await drive("donkey:127.0.0.1")
    judge("a WebSocket", seen)


def mqtt() -> None:
    broker = subprocess.Popen(["/usr/sbin/mosquitto", "-p", "1883"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    seen: list[float] = []
    client = paho.Client()
    client.on_message = lambda _client, _data, message: seen.append(json.loads(message.payload)["throttle"])
    client.connect("127.0.0.1", 1883)
    client.subscribe("car/drive")
    client.loop_start()
    time.sleep(0.5)
    asyncio.run(drive("mqtt:127.0.0.1"))
    time.sleep(0.5)
    client.loop_stop()
    broker.kill()
    judge("a broker", seen)


def slcan() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    data: list[bytes] = []

    def read() -> None:
        while True:
            data.append(os.read(master, 4096))

    # A stick takes each frame at once; one that takes nothing would be a lost link.
    threading.Thread(target=read, daemon=True).start()
    asyncio.run(drive(f"slcan:{os.ttyname(slave)}"))
    time.sleep(0.2)
    words = [word for word in b"".join(data).split(b"\r") if word.startswith(b"t1208")]
    judge("a CAN stick", [int.from_bytes(bytes.fromhex(word[9:13].decode()), "big", signed=True) / 1000 for word in words])


asyncio.run(websocket())
mqtt()
slcan()

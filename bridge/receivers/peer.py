"""The receiving end: a program that runs one real receiver and prints what it would do with the motor, sampled every 5 ms.

`python -m receivers.peer NAME ADDRESS` waits for a line, prints "ready PLACE", then a line `SECONDS THROTTLE TOLD` for each change: the monotonic time, the throttle
that the receiver acts on, and 1 once it has noticed that the sender is gone. It ends with its standard input. ADDRESS is that of the bridge's machine.
"""

import asyncio
import contextlib
import json
import os
import pty
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from .betaflight import Betaflight, connected

SAMPLE = 0.005  # Seconds.
STARTED: list[subprocess.Popen[bytes]] = []


class State:
    """What the receiver acts on now."""

    def __init__(self) -> None:
        self.throttle = 0.0
        self.is_told = False
        self.sender: object = None  # The newest: one that was cut off may be found out much later.


def end() -> NoReturn:
    """Ends at once, with the programs that were started."""
    for process in STARTED:
        process.kill()
    os._exit(0)


def serve(place: str, read: Callable[[], tuple[float, bool]]) -> NoReturn:
    """Prints what `read` says, every 5 ms, if it has changed; ends with standard input."""
    threading.Thread(target=lambda: (sys.stdin.read(), end()), daemon=True).start()
    print(f"ready {place}", flush=True)
    last, due = None, time.monotonic()
    while True:
        now = read()
        if now != last:
            print(f"{time.monotonic():.4f} {now[0]:.3f} {int(now[1])}", flush=True)
            last = now
        due = max(due + SAMPLE, time.monotonic())
        time.sleep(max(due - time.monotonic(), 0))


def beside(work: Callable[[], object]) -> None:
    """Runs `work` on a thread."""
    threading.Thread(target=work, daemon=True).start()


def wait_for(port: int) -> None:
    """Returns when something listens on a port of this machine."""
    connected(port).close()


def donkey(_: str) -> None:
    """Donkeycar: its Vehicle at 20 Hz, its web controller, and a part in the motor's place."""
    with contextlib.redirect_stdout(sys.stderr):
        from donkeycar.parts.web_controller.web import LocalWebController
        from donkeycar.vehicle import Vehicle

    state = State()

    class Motor:
        def run(self, throttle: float) -> None:
            state.throttle = throttle

    vehicle, controller = Vehicle(), LocalWebController(port=8887)
    vehicle.add(controller, outputs=["angle", "throttle", "mode", "recording", "buttons"], threaded=True)
    vehicle.add(Motor(), inputs=["throttle"])

    seen: list[object] = []

    def read() -> tuple[float, bool]:
        # A connection that was cut off may stay in the list for long: the newest counts.
        seen.extend(client for client in list(controller.wsclients) if client not in seen)
        return float(state.throttle), bool(seen) and seen[-1] not in controller.wsclients

    def report() -> None:
        wait_for(8887)
        serve(":8887", read)

    # The vehicle's loop wants the main thread, for its signals.
    beside(report)
    vehicle.start(rate_hz=20)


def foxglove(_: str) -> None:
    """The Foxglove SDK's server: the newest message on /cmd_vel."""
    import foxglove as sdk
    from foxglove.websocket import Capability, Client, ClientChannel, ServerListener

    state = State()

    class Listener(ServerListener):
        def on_client_advertise(self, client: Client, channel: ClientChannel) -> None:
            state.is_told, state.sender = False, client.id

        def on_client_unadvertise(self, client: Client, client_channel_id: int) -> None:
            state.is_told = state.is_told or client.id == state.sender

        def on_message_data(self, client: Client, client_channel_id: int, data: bytes) -> None:
            (state.throttle,) = struct.unpack_from("<d", data, 20)

    server = sdk.start_server(
        host="0.0.0.0", port=8765, capabilities=[Capability.ClientPublish], supported_encodings=["cdr"], server_listener=Listener())
    wait_for(8765)
    serve(":8765", lambda: (state.throttle, state.is_told and server is not None))


def mqtt(_: str) -> None:
    """mosquitto, and a subscriber that obeys the newest message on car/drive."""
    import paho.mqtt.client as paho
    from paho.mqtt.enums import CallbackAPIVersion

    state = State()
    folder = Path(tempfile.mkdtemp(prefix="cockpit-broker."))
    configuration = folder / "broker.conf"
    configuration.write_text("listener 1883\nallow_anonymous true\nuser root\nset_tcp_nodelay true\n")
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin") or "mosquitto"
    STARTED.append(subprocess.Popen([program, "-c", configuration], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    wait_for(1883)
    shutil.rmtree(folder)
    client = paho.Client(CallbackAPIVersion.VERSION2)
    subscribed = threading.Event()

    def take(_client: object, _data: object, message: Any) -> None:
        told = json.loads(message.payload)
        state.throttle, state.is_told = float(told["throttle"]), told["reason"] == "link-lost"

    @client.subscribe_callback()
    def note(*_: object) -> None:
        subscribed.set()

    client.on_message = take
    client.connect("127.0.0.1", 1883)
    client.loop_start()
    client.subscribe("car/drive")
    subscribed.wait(10)
    serve(":1883", lambda: (state.throttle, state.is_told))


def mavlink(address: str) -> None:
    """A model of an ArduPilot rover, by pymavlink: it keeps a command of MANUAL_CONTROL for 3.0 s (RC_OVERRIDE_TIME)."""
    from pymavlink.dialects.v20 import ardupilotmega as dialect

    state, codec = State(), dialect.MAVLink(None, srcSystem=1, srcComponent=1)
    codec.robust_parsing = True
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind(("0.0.0.0", 0))
    link.settimeout(0.2)
    heard = 0.0

    def send(message: Any) -> None:
        data = message.pack(codec)
        for host in {address, "127.0.0.1"}:
            with contextlib.suppress(OSError):
                link.sendto(data, (host, 14550))

    def live() -> None:
        nonlocal heard
        told = 0.0
        while True:
            if time.monotonic() - told > 0.2:
                told = time.monotonic()
                send(codec.heartbeat_encode(10, 3, 0, 0, 4))
                send(codec.param_value_encode(b"RC_OVERRIDE_TIME", 3.0, 9, 1, 0))
            try:
                data = link.recv(2048)
            except OSError:
                continue
            for message in codec.parse_buffer(data) or []:
                if message.get_type() == "MANUAL_CONTROL":
                    heard, state.throttle = time.monotonic(), message.z / 1000

    def read() -> tuple[float, bool]:
        is_told = time.monotonic() - heard > 3.0
        return 0.0 if is_told else state.throttle, is_told

    beside(live)
    serve(":14550", read)


def slcan(_: str) -> None:
    """python-can at the other end of a serial line: the newest frame 0x120."""
    import can

    state = State()
    ends = [pty.openpty() for _ in range(2)]
    for end_of_line in ends:
        tty.setraw(end_of_line[1])

    def pump(source: int, target: int) -> None:
        while True:
            os.write(target, os.read(source, 4096))

    beside(lambda: pump(ends[0][0], ends[1][0]))
    beside(lambda: pump(ends[1][0], ends[0][0]))
    bus = can.Bus(interface="slcan", channel=os.ttyname(ends[1][1]), bitrate=500_000, sleep_after_open=0.05)

    def receive() -> None:
        while True:
            frame = bus.recv()
            if frame is not None and frame.arbitration_id == 0x120:
                state.throttle = struct.unpack(">xxhxxxx", bytes(frame.data))[0] / 1000

    beside(receive)
    serve(os.ttyname(ends[0][1]), lambda: (state.throttle, state.is_told))


def rosbridge(_: str) -> None:
    """A model of rosbridge_suite: an inbox that a thread reads, and that is cleared when the connection closes."""
    from websockets.asyncio.server import ServerConnection
    from websockets.asyncio.server import serve as listen
    from websockets.exceptions import ConnectionClosed

    state = State()

    async def work(inbox: list[str | bytes]) -> None:
        while True:
            await asyncio.sleep(0.001)
            while inbox:
                message = json.loads(inbox.pop(0))
                if message["op"] == "publish":
                    state.throttle = message["msg"]["twist"]["linear"]["x"]

    async def take(connection: ServerConnection) -> None:
        inbox: list[str | bytes] = []
        worker = asyncio.create_task(work(inbox))
        state.is_told, state.sender = False, connection
        with contextlib.suppress(ConnectionClosed):
            async for text in connection:
                inbox.append(text)
        worker.cancel()
        state.is_told = state.is_told or state.sender is connection

    async def run() -> None:
        # rosbridge has no pings unless asked.
        async with listen(take, "0.0.0.0", 9090, ping_interval=None):
            await asyncio.Event().wait()

    beside(lambda: asyncio.run(run()))
    wait_for(9090)
    serve(":9090", lambda: (float(state.throttle), state.is_told))


def betaflight(_: str) -> None:
    """Betaflight 4.6 SITL: the throttle channel that its mixer gets, read by a second MSP port.

    It answers at 100 Hz, so the throttle is sampled every 10 ms. No simulated vehicle is connected: SITL sets the rate of its clock by the gap between
    two packets of the vehicle. If two packets come at once, the clock runs many times too fast until the next one.
    """
    firmware, state = Betaflight(), State()
    STARTED.append(firmware.process)

    def read() -> tuple[float, bool]:
        (throttle,) = struct.unpack_from("<6xH", firmware.ask(105))  # MSP_RC
        # No sender goes below 1000 us: that is the throttle of Betaflight's own failsafe.
        state.is_told = throttle < 1000
        return 0.0 if state.is_told else (throttle - 1500) / 500, state.is_told

    serve("socket://:5761", read)


PEERS = {made.__name__: made for made in (donkey, foxglove, mqtt, mavlink, slcan, rosbridge, betaflight)}

if __name__ == "__main__":
    sys.stdin.readline()  # The network is there now.
    try:
        PEERS[sys.argv[1]](sys.argv[2])
    finally:
        for process in STARTED:
            process.kill()

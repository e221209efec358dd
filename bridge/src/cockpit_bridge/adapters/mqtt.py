"""MQTT 3.1.1: the drive message itself on a topic, with a stop as the last will.

The broker publishes the will when the connection breaks, and never after a DISCONNECT: so the stop is published before that. libmosquitto and
paho take a keepalive of 5 s at least; the broker notices a cut link after one and a half times that.

A vehicle file's channels, arm and mode are properties of the message too; the will has what is safe.

Each connection is a sender of its own, with an `id` that its will has too: after the will no lower number of the same sender would count,
and a will of another sender would not stop the vehicle.
"""

import asyncio
import contextlib
import json
import os
import secrets
import ssl
import time
from typing import Any

import paho.mqtt.client as paho

from ..adapter import Adapter, LinkError, Options, link_errors, on_thread, suspended
from ..message import Command
from ..outputs import Output, bad_output
from ..place import address, bad_place
from . import tcp

KEEPALIVE = 5  # Seconds.
SUSPENDED = 0.1  # Seconds of suspend after which a sender needs a new id.
PASSWORD = "COCKPIT_MQTT_PASSWORD"
# By the number in the broker's answer: that of MQTT 3.1.1, and the one that paho 2 makes of it.
REFUSALS = {
    1: "it does not speak MQTT 3.1.1", 2: "the client's name is refused", 3: "it is not available",
    4: "the user's name or the password is wrong", 5: "not authorised; --user and a password may be needed",
}
REFUSALS |= {132: REFUSALS[1], 133: REFUSALS[2], 134: REFUSALS[4], 135: REFUSALS[5], 136: REFUSALS[3]}


def payload(command: Command, identifier: str, sequence: int, reason: str) -> bytes:
    """A drive message: what subscribers of docs/drive.md read. `identifier` is that of the connection, `sequence` counts its messages."""
    stands = command.brake or command.throttle == 0
    gear = "N" if stands else "R" if command.throttle < 0 else command.gear if command.gear not in ("N", "R") else "1"
    fields: dict[str, object] = {
        "v": 1, "id": identifier, "seq": sequence, "t": round(time.monotonic(), 6), "gear": gear, "throttle": 0 if stands else command.throttle,
        "steering": command.steering, "brake": stands, "horn": command.horn, "held": command.driving,
        "state": "driving" if command.driving else "safe", "reason": reason,
        "rate": Mqtt.rate,
    }
    if command.channels:
        fields["channels"] = {name: round(value, 3) for name, value in command.channels}
    fields |= {name: value for name, value in (("arm", command.arm), ("mode", command.mode)) if value is not None}
    return json.dumps(fields, separators=(",", ":")).encode()


class Mqtt(Adapter):
    """PLACE is HOST or HOST:PORT; --topic is car/drive unless set."""

    drives_on = 1.5 * KEEPALIVE
    no_steering_centre = "its messages are drive messages, which are straight at rest; the consumer has the middle"
    no_throttle_centre = "its messages are drive messages, whose throttle is 0 at rest; the consumer has the middle"
    unplaced = frozenset({"channels", "arm", "mode"})

    def __init__(self, place: str, options: Options) -> None:
        super().__init__(place, options)
        self._address = address(place, 1883 if options.tls is None else 8883)
        self._topic = _topic(options.topic)
        self._password = _password(options)
        self._context = _context(options.tls)
        self._client: Any = None
        self._answer: int | None = None  # To our CONNECT.
        self._identifier, self._sequence = "", 0
        self._suspended = 0.0

    def placed(self, outputs: list[Output]) -> list[Output]:
        if outputs:
            raise bad_output(outputs[0], ": a message of mqtt names every channel, arm and mode; leave the output out")
        return []

    async def connect(self) -> None:
        self._answer = None
        self._identifier, self._sequence = secrets.token_hex(4), 0
        self._suspended = suspended()
        what = f"the broker {self._address}"
        with link_errors(what):
            client = self._new_client()
            host, port = self._address.host, self._address.port
            # On a thread: looking the name up, connecting and TLS wait.
            await on_thread(lambda: client.connect(host, port, keepalive=KEEPALIVE), lambda _: _drop(client))
            self._client = client
            # paho leaves Nagle's algorithm on: a stop would wait for the broker's acknowledgement of the command before.
            tcp.prepare(client.socket())
        while self._answer is None:
            self._turn()
            await asyncio.sleep(0.002)
        if self._answer:
            reason = REFUSALS.get(self._answer, f"code {self._answer}")
            raise LinkError(f"{what} refuses: {reason}")
        # It must answer before anything moves: messages for a broker that stands still would wait in its kernel, and drive later.
        self._ping()
        while self.unacknowledged():
            await asyncio.sleep(0.002)

    def _new_client(self) -> Any:
        # Version 2 needs the version of the callbacks; version 1, such as Debian 12's, does not know the word.
        version = getattr(paho, "CallbackAPIVersion", None)
        client: Any = paho.Client(version.VERSION2) if version else paho.Client()
        if self._password is not None or self.options.user:
            client.username_pw_set(self.options.user, self._password)
        if self._context is not None:
            client.tls_set_context(self._context)
        # The highest number that every reader of JSON holds: no subscriber takes it for old.
        client.will_set(self._topic, payload(self.farewell, self._identifier, 2**53 - 1, "link-lost"), qos=0)
        client.on_connect = lambda *words: self._answered(words[3])
        return client

    def _answered(self, code: Any) -> None:
        self._answer = int(getattr(code, "value", code))

    def _turn(self) -> None:
        """Reads what has arrived, and writes what was left. No thread of paho's does: it could not be ended in time."""
        with link_errors(f"the broker {self._address}"):
            client = self._client
            raw = client.socket() if client is not None else None
            if raw is None:
                raise LinkError("the broker is gone")
            for _ in range(16):
                before = self._answer
                if client.loop_read():
                    if self._answer:
                        return  # It has said why.
                    raise LinkError("the broker is gone")
                pending = getattr(raw, "pending", None)
                if self._answer == before and not (pending is not None and client.socket() is not None and pending()):
                    break
            if client.want_write() and client.loop_write() or client.loop_misc():
                raise LinkError("the broker is gone")

    def unacknowledged(self) -> int:
        if self._client is None:
            return 0
        self._turn()
        with link_errors(f"the broker {self._address}"):
            unsent = tcp.unacknowledged(self._client.socket()) + int(self._client.want_write())
            return unsent + int(getattr(self._client, "_ping_t", 0) > 0)

    def _ping(self) -> None:
        """Asks whether the broker has come so far: its kernel takes messages for it also while it stands still.

        paho has no public word for that.
        """
        if hasattr(self._client, "_send_pingreq") and hasattr(self._client, "_ping_t"):
            self._client._send_pingreq()

    async def send(self, command: Command) -> None:
        await self._publish(command, "none")

    async def neutral(self) -> None:
        await self._publish(self.stop, "lift")

    async def idle(self) -> None:
        self._turn()

    async def _publish(self, command: Command, reason: str) -> None:
        if suspended() - self._suspended > SUSPENDED:
            # Our clock stood still, so a subscriber would take all that this sender says for late; a new connection is a new sender.
            raise LinkError("the machine was suspended")
        self._turn()
        with link_errors(f"the broker {self._address}"):
            self._sequence += 1
            info = self._client.publish(self._topic, payload(command, self._identifier, self._sequence, reason), qos=0)
            while not info.is_published():
                self._turn()
                await asyncio.sleep(0.001)
            self._ping()

    async def close(self) -> None:
        # The bridge has said the stop: the broker keeps the will to itself after a DISCONNECT.
        if self._client is not None:
            with contextlib.suppress(Exception):
                self._client.disconnect()
                await self.taken("the link stalled")
        self.abort()

    def abort(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            _drop(client)


def _drop(client: Any) -> None:
    """Resets the connection, without a DISCONNECT: the broker publishes the will."""
    raw = client.socket()
    if raw is not None:
        with contextlib.suppress(OSError, ValueError):
            tcp.reset_at_close(raw)
            raw.close()


def _topic(name: str | None) -> str:
    topic = "car/drive" if name is None else name
    size = len(topic.encode(errors="replace"))
    if not 0 < size <= 1000 or any(sign in topic for sign in "+#\0") or not topic.isprintable():
        raise bad_place(f'"{topic}" is no topic to publish on: without + and #, 1000 bytes at most')
    return topic


def _password(options: Options) -> str | None:
    """From --password-file or the environment: the command line is for all to read."""
    password = os.environ.get(PASSWORD)
    if options.password_file is not None:
        try:
            with open(options.password_file, encoding="utf-8") as file:
                password = file.read(65536).rstrip("\r\n")
        except (OSError, ValueError) as problem:
            raise bad_place(f"{options.password_file}: {getattr(problem, 'strerror', None) or 'no text'}") from problem
        if not options.user:
            raise bad_place("a password needs --user")
    return password if options.user else None


def _context(tls: str | None) -> ssl.SSLContext | None:
    if tls is None:
        return None
    try:
        return ssl.create_default_context(cafile=tls or None)
    except ssl.SSLError as problem:
        raise bad_place(f"{tls}: no certificates") from problem
    except OSError as problem:
        raise bad_place(f"{tls}: {problem.strerror}") from problem

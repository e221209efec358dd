"""The command line."""

import argparse
import asyncio
import contextlib
import signal
import sys

from .adapter import Options, adapter_named, add_options, added_options
from .bridge import Bridge
from .extras import Extras
from .latch import Latch
from .lease import LEAST, MOST
from .outgauge import OutGauge
from .service import Service
from .source import BadPlace, Source, port_of
from .vehicle import BadVehicle, Vehicle, read
from .words import be_patient, say

# A bridge that was stopped could stop nothing, and one that is in the background must go on; a write that fails is noticed where it fails.
IGNORED = [signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGPIPE, signal.SIGXFSZ]
# Signals that end nothing, that cannot be caught, or that say that the process itself is broken.
OTHERS = {
    signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH, signal.SIGKILL, signal.SIGSTOP, signal.SIGABRT, signal.SIGBUS,
    signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS, signal.SIGTRAP}
AUTOPILOTS = ["rover", "sub", "px4"]
ENDING = sorted(signal.valid_signals() - set(IGNORED) - OTHERS)


def main(words: list[str] | None = None) -> int:
    """Runs the program; returns its exit code: 0, 1 if a receiver could not be told to stop, or 2 for options that cannot be used."""
    words = sys.argv[1:] if words is None else words
    if words[:1] == ["check"]:
        from .check import main as check

        return check(words[1:])
    if words[:1] == ["export"]:
        from .export import main as export

        return export(words[1:])
    parser = argparse.ArgumentParser(prog="cockpit-bridge", description=__doc__)
    parser.add_argument(
        "source", help="-, fd:N, unix:PATH or udp:[HOST:]PORT: where drive messages come from; udp:PORT is this machine only, * any HOST")
    parser.add_argument("receiver", help="NAME:PLACE, such as donkey:192.168.4.1")
    parser.add_argument("--max-speed", type=float, default=1.0, metavar="M/S", help="at full throttle (ROS; default 1)")
    parser.add_argument("--max-turn", type=float, default=1.0, metavar="RAD", help="a second, at full steering (ROS; default 1)")
    parser.add_argument("--topic", help="the topic to publish on (ROS: /cmd_vel, MQTT: car/drive)")
    parser.add_argument("--speed-topic", help="the topic that has the vehicle's speed (ROS: Odometry or TwistStamped)")
    parser.add_argument("--battery-topic", help="the topic that has the battery's charge (ROS: BatteryState)")
    parser.add_argument(
        "--vehicle", metavar="FILE", help="a vehicle file: end points, channels, arm and mode (an old use: what --autopilot takes)")
    parser.add_argument("--check", action="store_true", help="say what the receiver can do with the vehicle file, send nothing, and end")
    parser.add_argument("--autopilot", choices=AUTOPILOTS, help="what a MAVLink receiver is (default rover)")
    parser.add_argument("--stamp", choices=["zero", "clock"], default="zero", help="time stamps of ROS messages (default zero)")
    parser.add_argument(
        "--lease", type=milliseconds, metavar="MS", help="how long a message holds, 150 to 500 (default three lines of the sender's rate)")
    add_options(parser)
    parser.add_argument("--keep-neutral", action="store_true", help="go on sending neutral while nobody drives")
    parser.add_argument("--outgauge", type=port, metavar="PORT", help="take speed and fuel from a game's OutGauge datagrams")
    options = parser.parse_args(words)
    be_patient()
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    name, _, place = options.receiver.partition(":")
    try:
        vehicle, autopilot = _vehicle(options.vehicle, options.autopilot)
        adapter = adapter_named(name)(place, Options(
            options.max_speed, options.max_turn, options.topic, autopilot, options.speed_topic, options.battery_topic,
            options.stamp == "clock", **added_options(options), vehicle_file=vehicle))
        if vehicle is not None:
            say(": ".join(part for part in (vehicle.name, adapter.passed_on()) if part))
        if options.check:
            return 0
        source = Source(options.source)
    except ImportError as problem:
        say(f"{name} needs {problem.name}: pip install 'cockpit-bridge[{name}]'")
        return 2
    except Exception as problem:
        # What a library says of a name or a number is no help.
        is_sentence = isinstance(problem, BadPlace | BadVehicle | OSError) or type(problem) is LookupError
        say(str(problem) if is_sentence else f'"{options.receiver}" is no NAME:PLACE of a receiver')
        return 2
    # The service of a cockpit that started this program is the cockpit's own.
    service = None if source.is_private else Service()
    keeps_neutral = options.keep_neutral or vehicle is not None and vehicle.keeps_neutral
    bridge = Bridge(
        source, adapter, keeps_neutral, options.lease, Latch(options.source, options.receiver), service, Extras(vehicle, say))
    try:
        return 0 if asyncio.run(_run(bridge, options.outgauge)) else 1
    except BadPlace as problem:
        say(str(problem))
        return 2


def _vehicle(text: str | None, autopilot: str | None) -> tuple[Vehicle | None, str]:
    """The vehicle of --vehicle, and the autopilot. Before there were vehicle files, --vehicle had the words of --autopilot."""
    if text is None or text in AUTOPILOTS and autopilot is None:
        return None, autopilot or text or "rover"
    return read(text), autopilot or "rover"


def milliseconds(text: str) -> float:
    """The seconds of --lease."""
    if not (text.isascii() and text.isdigit() and len(text) < 5 and LEAST <= int(text) / 1000 <= MOST):
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of milliseconds from {LEAST * 1000:.0f} to {MOST * 1000:.0f}')
    return int(text) / 1000


def port(text: str) -> int:
    """The port of --outgauge."""
    try:
        return port_of(text)
    except BadPlace as problem:
        raise argparse.ArgumentTypeError(str(problem)) from problem


async def _run(bridge: Bridge, outgauge: int | None) -> bool:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: say(f"{context.get('message')}: {context.get('exception')!r}"))
    if outgauge is not None:
        try:
            await loop.create_datagram_endpoint(lambda: OutGauge(bridge.adapter.status), local_addr=("0.0.0.0", outgauge))
        except OSError as problem:
            raise BadPlace(f"--outgauge {outgauge}: {problem.strerror}") from problem
    for number in ENDING:
        # What was ignored when the program started stays ignored: nohup.
        if signal.getsignal(number) != signal.SIG_IGN:
            with contextlib.suppress(OSError, RuntimeError, ValueError):
                loop.add_signal_handler(number, bridge.stop)
    return await bridge.run()


if __name__ == "__main__":
    sys.exit(main())

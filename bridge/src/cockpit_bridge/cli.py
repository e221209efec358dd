"""The command line."""

import argparse
import asyncio
import signal
import sys

from .adapter import Options, adapter_named, add_options, added_options
from .bridge import Bridge
from .outgauge import OutGauge
from .source import BadPlace, Source


def main(words: list[str] | None = None) -> int:
    """Runs the program; returns its exit code: 0, 1 if a receiver could not be told to stop, or 2 for options that cannot be used."""
    words = sys.argv[1:] if words is None else words
    if words[:1] == ["check"]:
        from .check import main as check

        return check(words[1:])
    parser = argparse.ArgumentParser(prog="cockpit-bridge", description=__doc__)
    parser.add_argument("source", help="-, fd:N, unix:PATH or udp:[HOST:]PORT: where drive messages come from")
    parser.add_argument("receiver", help="NAME:PLACE, such as donkey:192.168.4.1")
    parser.add_argument("--max-speed", type=float, default=1.0, metavar="M/S", help="at full throttle (ROS; default 1)")
    parser.add_argument("--max-turn", type=float, default=1.0, metavar="RAD", help="a second, at full steering (ROS; default 1)")
    parser.add_argument("--topic", help="the topic to publish on (ROS: /cmd_vel, MQTT: car/drive)")
    parser.add_argument("--speed-topic", help="the topic that has the vehicle's speed (ROS: Odometry or TwistStamped)")
    parser.add_argument("--battery-topic", help="the topic that has the battery's charge (ROS: BatteryState)")
    parser.add_argument("--vehicle", choices=["rover", "sub", "px4"], default="rover", help="what a MAVLink receiver is")
    parser.add_argument("--stamp", choices=["zero", "clock"], default="zero", help="time stamps of ROS messages (default zero)")
    add_options(parser)
    parser.add_argument("--keep-neutral", action="store_true", help="go on sending neutral while nobody drives")
    parser.add_argument("--outgauge", type=int, metavar="PORT", help="take speed and fuel from a game's OutGauge datagrams")
    options = parser.parse_args(words)
    name, _, place = options.receiver.partition(":")
    try:
        adapter = adapter_named(name)(place, Options(
            options.max_speed, options.max_turn, options.topic, options.vehicle, options.speed_topic, options.battery_topic,
            options.stamp == "clock", **added_options(options)))
        source = Source(options.source)
    except (LookupError, BadPlace, ValueError, OSError) as problem:
        print(f"cockpit-bridge: {problem}", file=sys.stderr)
        return 2
    except ImportError as problem:
        print(f"cockpit-bridge: {name} needs {problem.name}: pip install 'cockpit-bridge[{name}]'", file=sys.stderr)
        return 2
    try:
        told = asyncio.run(_run(Bridge(source, adapter, options.keep_neutral), options.outgauge))
    except (OSError, OverflowError) as problem:
        print(f"cockpit-bridge: {problem}", file=sys.stderr)
        return 2
    return 0 if told else 1


async def _run(bridge: Bridge, outgauge: int | None) -> bool:
    if outgauge is not None:
        loop = asyncio.get_running_loop()
        await loop.create_datagram_endpoint(lambda: OutGauge(bridge.adapter.status), local_addr=("0.0.0.0", outgauge))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, bridge.stop)
    return await bridge.run()


if __name__ == "__main__":
    sys.exit(main())

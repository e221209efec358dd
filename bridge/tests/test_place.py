"""What stands after NAME: of a receiver."""

from pathlib import Path

import pytest

from cockpit_bridge.cli import main
from cockpit_bridge.place import Address, address, interface, serial_device
from cockpit_bridge.source import BadPlace


@pytest.mark.parametrize(("place", "host", "port"), [
    ("robot", "robot", 80), ("robot:81", "robot", 81), ("robot.local.:81", "robot.local.", 81), ("192.0.2.1", "192.0.2.1", 80),
    ("192.0.2.1:81", "192.0.2.1", 81), ("::1", "::1", 80), ("[::1]", "::1", 80), ("[::1]:81", "::1", 81),
    ("fe80::1%eth0", "fe80::1%eth0", 80), ("[fe80::1%eth0]:81", "fe80::1%eth0", 81), ("car_2-a", "car_2-a", 80),
    ("bücher.local", "xn--bcher-kva.local", 80),
])
def test_hosts_and_ports(place: str, host: str, port: int) -> None:
    assert address(place, 80) == Address(host, port)


@pytest.mark.parametrize(("place", "host", "port"), [
    ("14550", "127.0.0.1", 14550), (":14550", "127.0.0.1", 14550), ("0.0.0.0:14550", "0.0.0.0", 14550), ("[::]:14550", "::", 14550)])
def test_a_port_to_listen_on(place: str, host: str, port: int) -> None:
    assert address(place, host="127.0.0.1") == Address(host, port)


def test_an_address_in_a_url_and_in_a_sentence() -> None:
    assert Address("fe80::1%eth0", 81).in_url == "[fe80::1]:81" and str(Address("fe80::1%eth0", 81)) == "[fe80::1%eth0]:81"
    assert str(Address("robot", 81)) == "robot:81"


HOSTS = [
    "", ":", ":81", "robot:", "robot:0", "robot:65536", "robot:x", "robot:1e3", "robot:٣", "robot:-1", "robot: 81", "http://robot",
    "ws://192.0.2.1",
    "robot..local", ".local", "robot local", "robot/path", "user@robot", "robot?x", "-robot", "a" * 64, "a." * 140,
    "8887", "1.2.3", "999.1.1.1",
    "[::1", "::1]", "[::1]x", "[::1]:", "[::1]:x", "[robot]:81", "::x", "1:2:3", "robot\n", "robot\0", "[]", "[]:81", "\udcff",
]


@pytest.mark.parametrize("name", ["donkey", "rosbridge", "foxglove", "mqtt"])
@pytest.mark.parametrize("place", HOSTS)
def test_a_slip_in_a_host_is_a_sentence_and_exit_code_2(name: str, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(f"{name}:{place}", capsys)


@pytest.mark.parametrize("receiver", [
    "mavlink:", "mavlink:x", "mavlink:robot", "mavlink:0.0.0.0", "mavlink:[::1]", "mavlink:::1", "mavlink:udp://0.0.0.0:14550",
    "mavlink:99999",
    "mavlink:1.2.3:14550", "crsf:", "crsf:ttyUSB0", "crsf:/tmp", "crsf:/etc/passwd", "crsf:http://x", "crsf:rfc2217://x:1", "slcan:\0",
    "slcan:socket://", "msp:socket://robot", "msp:socket://robot:x", "msp:socket://:5761", "msp:socket://::1:5761", "can:", "can:can0/1",
    "can:a b", "can:..", "can:" + "c" * 16, "can:cän0", "can:can0:1", "uinput:" + "x" * 80, "uinput:a\nb", "mqtt:robot --topic a/+",
    "mqtt:robot --topic #", "mqtt:robot --user x --password-file /nowhere", "mqtt:robot --password-file /etc/passwd",
    "mqtt:robot --tls /nowhere", "mqtt:robot --tls /etc/passwd", "rosbridge:robot --max-speed nan", "rosbridge:robot --max-turn inf",
])
def test_other_slips_are_sentences_and_exit_code_2(receiver: str, capsys: pytest.CaptureFixture[str]) -> None:
    if receiver.startswith("uinput:"):
        pytest.importorskip("evdev")
    word, *options = receiver.split(" --")
    refused(word, capsys, *(part for option in options for part in f"--{option}".split(" ")))


def refused(receiver: str, capsys: pytest.CaptureFixture[str], *options: str) -> None:
    assert main(["fd:0", receiver, *options]) == 2
    said = capsys.readouterr().err
    assert said.startswith("cockpit-bridge: ") and said.count("\n") == 1
    assert not any(word in said for word in ("Traceback", "literal", "codec", "Errno", "object", "int()", "Error"))


def test_a_device_or_an_interface_may_come_later(tmp_path: Path) -> None:
    assert serial_device(f"{tmp_path}/ttyUSB0") and serial_device("/dev/null")
    assert interface("can0") == "can0"
    with pytest.raises(BadPlace, match="/dev/ttyUSB0"):
        serial_device("ttyUSB0")

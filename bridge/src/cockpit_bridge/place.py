"""What stands after NAME: of a receiver: a host, a serial device, an interface. A slip is a sentence, and no exception in mid-drive."""

import ipaddress
import os
import re
import stat
from dataclasses import dataclass

from .adapter import plain
from .source import BadPlace


@dataclass(frozen=True)
class Address:
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def in_url(self) -> str:
        """As a URL has it: without the interface of a link-local address."""
        return str(Address(self.host.partition("%")[0], self.port))


def bad_place(sentence: str) -> BadPlace:
    """The exception for a slip. What the user wrote may be unprintable."""
    return BadPlace(plain(sentence))


def address(place: str, port: int | None = None, host: str | None = None) -> Address:
    """Reads HOST, HOST:PORT, [IPV6], [IPV6]:PORT or an IPv6 address alone; `port` and `host` stand for what is left out.

    Throws BadPlace with a sentence.
    """
    form = "HOST:PORT" if port is None else "HOST or HOST:PORT"
    if host is not None:
        form = "PORT or HOST:PORT"
        if ":" not in place:
            return Address(host, _port(place, place, form))
    if not place:
        raise bad_place(f"the address is missing: {form}")
    if "://" in place:
        raise bad_place(f'"{place}": leave out "{place.partition("://")[0]}://": {form}')
    if place.startswith("["):
        inside, closing, rest = place[1:].partition("]")
        if not closing or rest[:1] not in ("", ":"):
            raise bad_place(f'"{place}" is no address: an IPv6 address with a port is [ADDRESS]:PORT')
        return Address(_ipv6(inside, place), _port(rest[1:], place, form) if rest else _default(port, place, form))
    if place.count(":") > 1:
        return Address(_ipv6(place, place), _default(port, place, form))
    name, colon, rest = place.partition(":")
    if not name and host is not None:
        name = host
    return Address(_host(name, place, form), _port(rest, place, form) if colon else _default(port, place, form))


def _default(port: int | None, place: str, form: str) -> int:
    if port is None:
        raise bad_place(f'"{place}" has no port: {form}')
    return port


def _port(text: str, place: str, form: str) -> int:
    if re.fullmatch("[0-9]{1,5}", text) and 0 < int(text) < 65536:
        return int(text)
    if not text:
        raise bad_place(f'"{place}" has no port: {form}')
    raise bad_place(f'"{place}": "{text}" is no port: 1 to 65535')


def _ipv6(text: str, place: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text))
    except ValueError:
        raise bad_place(f'"{place}": "{text}" is no IPv6 address; with a port it is [ADDRESS]:PORT') from None


def _host(text: str, place: str, form: str) -> str:
    if re.fullmatch("[0-9.]+", text):
        try:
            return str(ipaddress.IPv4Address(text))
        except ValueError:
            raise bad_place(f'"{place}": "{text}" is no IPv4 address, and the form is {form}') from None
    try:
        name = text.encode("idna").decode("ascii")
    except ValueError:
        name = ""
    labels = name.removesuffix(".").split(".")
    if len(name) > 253 or not all(re.fullmatch("[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?", label) for label in labels):
        raise bad_place(f'"{place}": "{text}" is no name of a host: {form}')
    return name


def serial_device(place: str) -> str:
    """The path of a serial device, which may be plugged in later. Throws BadPlace with a sentence."""
    if not place or "\0" in place:
        raise bad_place("the device is missing: a path such as /dev/ttyUSB0")
    if "://" in place:
        raise bad_place(f'"{place}" is no device: a path such as /dev/ttyUSB0')
    try:
        kind = os.stat(place).st_mode
    except FileNotFoundError:
        if "/" not in place:
            raise bad_place(f'"{place}" is no device: a path such as /dev/{place}') from None
        return place
    except OSError as problem:
        raise bad_place(f'"{place}": {problem.strerror}') from None
    if not stat.S_ISCHR(kind):
        raise bad_place(f'"{place}" is no serial device')
    return place


def interface(place: str) -> str:
    """The name of a network interface, which may come later. Throws BadPlace with a sentence."""
    if not place:
        raise bad_place("the interface is missing: a name such as can0")
    if len(place.encode(errors="replace")) > 15 or place in (".", "..") or not re.fullmatch("[!-.0-9;-~]+", place):
        raise bad_place(f'"{place}" is no name of an interface: a name such as can0')
    return place

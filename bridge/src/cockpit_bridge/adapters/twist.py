"""Twist and TwistStamped: which of them a robot takes, and their bytes."""

import struct
from typing import Any

from ..adapter import Options

STAMPED = "geometry_msgs/msg/TwistStamped"
PLAIN = "geometry_msgs/msg/Twist"


class TwistType:
    """The type to publish: that of --twist, else what the server says of the topic, else TwistStamped."""

    def __init__(self, options: Options) -> None:
        self.name = PLAIN if options.twist_type == "plain" else STAMPED
        self._is_open = options.twist_type == "auto"

    @property
    def is_asked(self) -> bool:
        """Whether the server should be asked."""
        return self._is_open

    @property
    def is_ros1(self) -> bool:
        """Whether the server has shown that it counts as ROS 1."""
        return "/msg/" not in self.name

    def learn(self, name: object) -> bool | None:
        """Takes the type that the server says; true if ours changes by that, None if it is neither of the two."""
        if not self._is_open or not name:
            return False
        if not isinstance(name, str) or name.replace("/msg/", "/") not in ("geometry_msgs/Twist", "geometry_msgs/TwistStamped"):
            return None
        # Once: our own advertisement may come back as what the topic has.
        self._is_open = False
        changes, self.name = name != self.name, name
        return changes

    def json(self, linear: float, angular: float) -> dict[str, Any]:
        """The message as JSON; a header without a stamp gets rosbridge's time."""
        twist = {"linear": {"x": linear, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": angular}}
        return {"header": {"frame_id": ""}, "twist": twist} if self.name.endswith("Stamped") else twist

    def cdr(self, linear: float, angular: float, stamp: tuple[int, int]) -> bytes:
        """The message in CDR."""
        return twist_stamped(linear, angular, stamp) if self.name.endswith("Stamped") else twist_plain(linear, angular)

    def ros1(self, linear: float, angular: float, stamp: tuple[int, int]) -> bytes:
        """The message as ROS 1 writes it: without alignment; a header has a number, the stamp and the frame."""
        header = struct.pack("<IIII", 0, *stamp, 0) if self.name.endswith("Stamped") else b""
        return header + struct.pack("<6d", linear, 0, 0, 0, 0, angular)


def twist_plain(linear: float, angular: float) -> bytes:
    """Twist in CDR, little endian: 52 bytes."""
    return b"\x00\x01\x00\x00" + struct.pack("<6d", linear, 0, 0, 0, 0, angular)


def twist_stamped(linear: float, angular: float, stamp: tuple[int, int] = (0, 0)) -> bytes:
    """TwistStamped in CDR, little endian, with an empty frame_id: 68 bytes."""
    head = b"\x00\x01\x00\x00" + struct.pack("<iII", stamp[0], stamp[1], 1) + b"\x00" + b"\x00" * 3
    return head + struct.pack("<6d", linear, 0, 0, 0, 0, angular)

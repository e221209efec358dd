"""Whether a flight controller's own firmware arms and disarms by what the bridge sends: Betaflight's SITL.

    BETAFLIGHT=FILE python -m receivers.arms

The bridge is a process of its own that reads a vehicle file and a cockpit's lines; what the firmware says of itself is read by a second MSP
port. A simulated vehicle stands level and still. Prints a row for each step: what the cockpit said, what the firmware did, and after how many
milliseconds.
"""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from .betaflight import Betaflight

VEHICLE = {"version": 1, "name": "Flight controller", "arm": {"output": 5}}
# The firmware's flags that keep it from arming, by their numbers; others are shown as numbers.
FLAGS = {2: "rx failsafe", 7: "throttle", 8: "angle", 9: "start", 12: "calibrating", 28: "arm switch"}
# RX_MSP, and 3D: without that Betaflight arms only at the lowest throttle, and a cockpit's rests in the middle.
FEATURES = 1 << 14 | 1 << 12
NEVER = float("inf")


class Firmware(Betaflight):
    """The firmware, set up for a vehicle whose throttle rests in the middle, with a simulated body that stands level."""

    def __init__(self) -> None:
        super().__init__([
            (35, bytes([0, 0, 0, 32, 48])),  # MSP_SET_MODE_RANGE: ARM by AUX1 from 1700 to 2100 us.
            (37, struct.pack("<I", FEATURES)),  # MSP_SET_FEATURE_CONFIG
        ])
        self._is_over = threading.Event()
        threading.Thread(target=self._stand, daemon=True).start()

    def _stand(self) -> None:
        """The packets of a vehicle that stands level, at rest with gravity. Fewer than 50 a second: from more the firmware would take the rate of its
        clock."""
        link, count = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0
        while not self._is_over.wait(0.025):
            count += 1
            state = struct.pack("<18d", count * 0.025, 0, 0, 0, 0, 0, -9.80665, 1, 0, 0, 0, *[0] * 6, 101_325)
            link.sendto(state, ("127.0.0.1", 9003))

    def state(self) -> tuple[bool, set[str]]:
        """Whether it is armed, and what keeps it from that: MSP_STATUS_EX."""
        told = self.ask(150)
        (flags,) = struct.unpack_from("<I", told, 17 + (told[15] & 15))
        return bool(told[6] & 1), {FLAGS.get(bit, str(bit)) for bit in range(32) if flags >> bit & 1}

    def switch(self) -> int:
        """What AUX1 gets, in microseconds: MSP_RC."""
        return int(struct.unpack_from("<8xH", self.ask(105))[0])

    def motor(self) -> int:
        """What the first motor gets, in microseconds: MSP_MOTOR."""
        return int(struct.unpack_from("<H", self.ask(104))[0])


class Cockpit:
    """The bridge, and the lines that a cockpit writes to it: 30 a second, from a thread of its own."""

    def __init__(self, folder: Path) -> None:
        file = folder / "vehicle.json"
        file.write_text(json.dumps(VEHICLE))
        self.bridge = subprocess.Popen(
            [sys.executable, "-m", "cockpit_bridge", "--vehicle", str(file), "-", "msp:socket://127.0.0.1:5761"],
            # What another bridge remembers of its cockpits is no matter of this one's.
            stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ | {"XDG_RUNTIME_DIR": str(folder)})
        self.says: dict[str, object] = {"state": "ready", "reason": "none", "throttle": 0, "arm": False}
        self._is_over = threading.Event()
        self._said = 0
        threading.Thread(target=self._write, daemon=True).start()

    def _write(self) -> None:
        assert self.bridge.stdin is not None
        while not self._is_over.wait(1 / 30):
            self._said += 1
            says = self.says
            is_driven = bool(says["throttle"])
            line = {
                "v": 1, "id": "0badcafe", "seq": self._said, "t": round(time.monotonic(), 6), "gear": "6" if is_driven else "N", "steering": 0,
                "brake": not is_driven, "horn": False, "held": is_driven, "rate": 30} | says
            try:
                self.bridge.stdin.write(json.dumps(line).encode() + b"\n")
                self.bridge.stdin.flush()
            except OSError:
                return

    def end(self) -> None:
        self._is_over.set()
        self.bridge.kill()
        self.bridge.wait()


def run() -> int:
    firmware = Firmware()
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        cockpit = Cockpit(Path(name))

        def after(is_wanted: bool, limit: float = 3) -> float:
            began = time.monotonic()
            while time.monotonic() - began < limit:
                if firmware.state()[0] is is_wanted:
                    return (time.monotonic() - began) * 1000
                time.sleep(0.002)
            return NEVER

        def step(words: str, is_wanted: bool, **says: object) -> None:
            nonlocal failures
            cockpit.says = cockpit.says | says
            took = after(is_wanted)
            is_armed, flags = firmware.state()
            failures += is_armed is not is_wanted
            print(f"{words}: {'armed' if is_armed else 'not armed'} after {took:.0f} ms, AUX1 {firmware.switch()} us, motor {firmware.motor()} us"
                  + (f" ({', '.join(sorted(flags))})" if flags else ""), flush=True)

        try:
            time.sleep(8)  # Its time of grace after the start, and the calibration of its gyro.
            step("at the start", False)
            step("arm", True, arm=True)
            time.sleep(1)
            step("throttle 0.3 for 2 s", True, state="driving", throttle=0.3)
            time.sleep(2)
            print(f"then the motor gets {firmware.motor()} us", flush=True)
            step("STOP", False, state="safe", reason="emergency-stop", throttle=0, arm=False)
            step("STOP is released", False, state="ready", reason="released", arm=False)
            time.sleep(1.5)
            step("arm again", True, state="ready", reason="none", arm=True)
            cockpit.bridge.send_signal(signal.SIGKILL)
            step("the bridge is killed", False)
        finally:
            cockpit.end()
            firmware.end()
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(run() if "BETAFLIGHT" in os.environ else "BETAFLIGHT is not set: the program of Betaflight's SITL, which ./dev receivers builds")

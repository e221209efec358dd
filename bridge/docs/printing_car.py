"""A Donkeycar without a motor: its web controller in its vehicle loop, which prints the throttle that a motor would get."""

from donkeycar.parts.web_controller.web import LocalWebController
from donkeycar.vehicle import Vehicle


class Motor:
    """Prints the throttle when it changes."""

    throttle = 0.0

    def run(self, throttle: float) -> None:
        if throttle != self.throttle:
            print(f"throttle {throttle:+.2f}", flush=True)
        self.throttle = throttle


car = Vehicle()
car.add(LocalWebController(), outputs=["angle", "throttle", "mode", "recording", "buttons"], threaded=True)
car.add(Motor(), inputs=["throttle"])
car.start(rate_hz=20)

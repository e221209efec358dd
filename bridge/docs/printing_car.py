"""A Donkeycar without a motor: its web controller in its vehicle loop, which prints the throttle that a motor would get and shows a picture."""

import numpy
from donkeycar.parts.web_controller.web import LocalWebController
from donkeycar.vehicle import Vehicle


class Camera:
    """A bar that wanders across noise, as a sensor has it: no two pictures are the same."""

    generator = numpy.random.default_rng()
    turn = 0

    def run(self) -> numpy.ndarray:
        picture = self.generator.integers(40, 90, (240, 320, 3), dtype=numpy.uint8)
        self.turn = (self.turn + 4) % 300
        picture[:, self.turn : self.turn + 20] = (255, 160, 0)
        return picture


class Motor:
    """Prints the throttle when it changes."""

    throttle = 0.0

    def run(self, throttle: float) -> None:
        if throttle != self.throttle:
            print(f"throttle {throttle:+.2f}", flush=True)
        self.throttle = throttle


car = Vehicle()
car.add(Camera(), outputs=["image"])
car.add(LocalWebController(), inputs=["image"], outputs=["angle", "throttle", "mode", "recording", "buttons"], threaded=True)
car.add(Motor(), inputs=["throttle"])
car.start(rate_hz=20)

"""Shows controls.slint in a window."""

import os

import slint

slint.load_file(os.path.join(os.path.dirname(__file__), "controls.slint")).Controls().run()

"""The panel in Slint."""

import os

import slint

components = slint.load_file(os.path.join(os.path.dirname(os.path.abspath(__file__)), "panel.slint"))
components.Panel().run()

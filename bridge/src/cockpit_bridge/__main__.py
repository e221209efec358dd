"""python3 -m cockpit_bridge."""

import sys

from .cli import main

sys.exit(main())

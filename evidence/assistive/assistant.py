#!/usr/bin/python3
"""A screen reader for the bench: it announces itself to the session, hears what changes, and asks by pyatspi.

It prints "ready" when a program shows a control with a value. A number as a line has it make so many requests, one after
the other, each across the bus to the program; the answer is their count, and the 50th and 99th percentile and the most of
their times in milliseconds.
"""
import sys
import time

from gi.repository import Gio, GLib

session = Gio.bus_get_sync(Gio.BusType.SESSION)
session.call_sync(
    "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set",
    GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True))), None, 0, 10000, None)

import pyatspi  # Must come after the accessibility bus has started.

heard = 0


def hear(event):
    global heard
    heard += 1


def find():
    for program in pyatspi.Registry.getDesktop(0):
        found = program and pyatspi.findDescendant(program, lambda one: one.getRole() == pyatspi.ROLE_DIAL)
        if found:
            return found.queryValue()
    return None


def ask(value, count):
    times = []
    for _ in range(count):
        begun = time.monotonic()
        value.currentValue
        times.append((time.monotonic() - begun) * 1000)
    times.sort()
    return "%d %.3f %.3f %.3f" % (len(times), times[len(times) // 2], times[len(times) * 99 // 100], times[-1])


def read(channel, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    print(ask(value, int(line)), flush=True)
    return True


pyatspi.Registry.registerEventListener(
    hear, "object:property-change:accessible-value", "object:state-changed:focused", "object:announcement")
while not (value := find()):
    GLib.MainContext.default().iteration(False)
    time.sleep(0.1)
print("ready", flush=True)
GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, read)
loop = GLib.MainLoop()
loop.run()

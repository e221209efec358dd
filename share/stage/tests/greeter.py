"""A client for the tests of locators: a window of GTK 3 with a field, a check box, a slider, and buttons that do something."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

window = Gtk.Window(title="greeter", default_width=400, default_height=300)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin=16)
window.add(box)
field = Gtk.Entry()
field.get_accessible().set_name("Name")
polite = Gtk.CheckButton(label="Polite")
volume = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 10, 1)
volume.get_accessible().set_name("Volume")
greet = Gtk.Button(label="Greet", sensitive=False)
later = Gtk.Button(label="Later")
answer = Gtk.Label(label="-")
for widget in (field, polite, volume, greet, later, answer, Gtk.Button(label="Twin"), Gtk.Button(label="Twin")):
    box.add(widget)

field.connect("changed", lambda field: greet.set_sensitive(bool(field.get_text())))
greet.connect("clicked", lambda _: answer.set_label(f"{'Good day' if polite.get_active() else 'Hi'}, {field.get_text()}"))


def wait(_: Gtk.Button) -> None:
    answer.set_label("wait")
    GLib.timeout_add(300, answer.set_label, "done")
    GLib.timeout_add(600, answer.hide)


later.connect("clicked", wait)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()

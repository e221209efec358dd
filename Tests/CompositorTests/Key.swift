/// Numbers of linux/input-event-codes.h.
enum Key: Int {
  /// Leaves fullscreen.
  case escape = 1
  /// With Control, quits.
  case q = 16
  /// The left Control key.
  case control = 29
  /// Sounds the horn; with the Super key, minimises a window in GNOME.
  case h = 35
  /// Brakes.
  case space = 57
  /// Changes between window and fullscreen.
  case f11 = 87
  /// Shifts up.
  case up = 103
  /// Steers right.
  case right = 106
  /// With the Super key, shows the next workspace in GNOME.
  case pageDown = 109
  /// The left Super key.
  case leftMeta = 125
}

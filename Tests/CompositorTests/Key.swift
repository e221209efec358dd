// The keys that the tests press.

/// Numbers of linux/input-event-codes.h.
enum Key: Int {
  case escape = 1
  case q = 16
  case control = 29
  case h = 35
  case space = 57
  case f11 = 87
  case up = 103
  case right = 106
}

import DriveLink
import UICore

/// Something that reached the scene. A session is nothing but these with their times, so that playing them again gives the same
/// picture and the same lines.
enum SessionEvent: Hashable, Sendable {
  case resize(Size, Scale, isFullscreen: Bool)
  case input(InputEvent)
  case life(LifecycleEvent)
  /// The time came that the scene had asked for.
  case wake
  /// A frame was prepared, to be seen at this time.
  case frame(MonotonicTime)
  /// A good line of telemetry.
  case telemetry(String)
  /// Telemetry stayed away.
  case stale
  /// Tilting steers to so many degrees, or no longer; whether the sensor is gone.
  case tilt(Double?, isLost: Bool)
  /// The desktop, or who uses it, wants another look.
  case look(SceneLook)
  /// The watched layout file has this text now.
  case scene(String)
  /// Input was lost for a reason that is no event of the window.
  case lose(DriveReason)
  /// The loop hung: since when lines were safe, and the number of the newest one when it came back.
  case hang(MonotonicTime, sequence: UInt64)
  /// The session's end.
  case end
}

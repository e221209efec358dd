import DriveLink
import UICore

/// Notices a hold that gives no sign of life: a kernel or compositor that delivers frames and answers but no input would never
/// report a lifted finger.
///
/// A sign is an event of a finger, button or key that holds the lever or the wheel. A key's repeats do not count, since they
/// are generated here.
final class Vigilance {
  private let limit: Duration
  private let output: DriveOutput
  private var newest: InputEvent?
  private var lastSign: MonotonicTime

  init(limit: Duration, output: DriveOutput, at time: MonotonicTime) {
    self.limit = limit
    self.output = output
    lastSign = time
  }

  /// Records an event; runs before the controls.
  func note(_ event: InputEvent) { newest = event }

  /// Judges the event, after the controls had it.
  func evaluate(at time: MonotonicTime) {
    if let newest, output.isSign(newest) { lastSign = time }
    newest = nil
  }

  /// True if `line` was commanded by a hold, and there was no sign for the limit.
  func isSilent(at time: MonotonicTime, _ line: DriveStream.Line) -> Bool {
    line.command.isHeld && time - lastSign >= limit
  }
}

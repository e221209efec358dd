import DriveLink
import Glibc
import UICore

@testable import cockpit

/// Writes the lines of the adversary's sessions as their consumer hears them, and what hands truly do meanwhile: a file for the simulation of the chain
/// (bridge/tests/chain_recorded.py), which passes it through radios to the programs of vehicles.
///
/// Each line has a time in microseconds. `session NUMBER dead-man` or `session NUMBER free` begins a session, `hand 1` and `hand 0` say
/// whether a hand is on lever or wheel, anything else is a line of the drive.
@MainActor final class LineTape {
  private let file: Int32
  private let writer = DriveLineWriter()
  private var text: [UInt8] = []
  private var isHeld = false

  init?(path: String) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
  }

  deinit { close(file) }

  func begin(_ session: Int, isDeadMan: Bool) {
    isHeld = false
    append("session \(session) \(isDeadMan ? "dead-man" : "free")\n", at: .zero)
  }

  /// The hands at the devices hold lever or wheel now, or do not.
  func note(_ isHeld: Bool, at time: MonotonicTime) {
    guard isHeld != self.isHeld else { return }
    self.isHeld = isHeld
    append("hand \(isHeld ? 1 : 0)\n", at: time)
  }

  /// `line` goes out.
  func note(_ line: DriveStream.Line, at time: MonotonicTime) {
    writer.write(line)
    append(String(decoding: writer.bytes, as: UTF8.self), at: time)
  }

  private func append(_ entry: String, at time: MonotonicTime) {
    text += Array("\(time.nanoseconds / 1000) \(entry)".utf8)
  }

  /// Writes what was noted. Returns false if there is no room for it.
  func flush() -> Bool {
    defer { text.removeAll(keepingCapacity: true) }
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

import Glibc
import Linux

/// One input action. Positions are logical points of the desktop.
nonisolated enum Command: Equatable {
  /// `touch down ID X Y`
  case touchDown(UInt32, x: Double, y: Double)
  /// `touch motion ID X Y`
  case touchMotion(UInt32, x: Double, y: Double)
  /// `touch up ID`
  case touchUp(UInt32)
  /// `touch frame`
  case touchFrame
  /// `touch cancel`
  case touchCancel
  /// `pointer motion X Y`
  case pointerMotion(x: Double, y: Double)
  /// `pointer press`, `pointer release`: the primary button.
  case pointerButton(isPressed: Bool)
  /// `output scale N S`: sets the scale of the Nth output, counted from 0; KWin only.
  case outputScale(Int, Double)
  /// `output on N`, `output off N`: KWin only.
  case output(Int, isOn: Bool)
  /// `key press CODE`, `key release CODE`, with a code from linux/input-event-codes.h.
  case key(UInt32, isPressed: Bool)

  /// Reads a line.
  init(_ line: String) throws(InputError) {
    let words = line.split(separator: " ").map(String.init)
    let numbers = words.dropFirst(2).compactMap(Double.init).filter(\.isFinite)
    let whole = numbers.first.flatMap { UInt32(exactly: $0) }
    let mistake = InputError("\"\(line)\" is no command; see Command.swift")
    guard words.count >= 2, numbers.count == words.count - 2 else { throw mistake }
    switch (words[0], words[1], numbers.count, whole) {
    case ("touch", "down", 3, let id?): self = .touchDown(id, x: numbers[1], y: numbers[2])
    case ("touch", "motion", 3, let id?): self = .touchMotion(id, x: numbers[1], y: numbers[2])
    case ("touch", "up", 1, let id?): self = .touchUp(id)
    case ("touch", "frame", 0, _): self = .touchFrame
    case ("touch", "cancel", 0, _): self = .touchCancel
    case ("pointer", "motion", 2, _): self = .pointerMotion(x: numbers[0], y: numbers[1])
    case ("pointer", "press", 0, _): self = .pointerButton(isPressed: true)
    case ("pointer", "release", 0, _): self = .pointerButton(isPressed: false)
    case ("output", "scale", 2, let index?): self = .outputScale(Int(index), numbers[1])
    case ("output", "on", 1, let index?): self = .output(Int(index), isOn: true)
    case ("output", "off", 1, let index?): self = .output(Int(index), isOn: false)
    case ("key", "press", 1, let code?): self = .key(code, isPressed: true)
    case ("key", "release", 1, let code?): self = .key(code, isPressed: false)
    default: throw mistake
    }
  }
}

/// The reason why input cannot be sent, in words for standard error.
nonisolated struct InputError: Error {
  let description: String

  init(_ description: String) { self.description = description }

  /// The error for input that this compositor does not accept.
  static func unsupported(_ what: String) -> InputError { .init("the compositor can't be given \"\(what)\"") }

  /// The error for the system call that failed just now.
  static func system(_ operation: String) -> InputError { .init("\(operation) failed: \(systemMessage(errno))") }
}

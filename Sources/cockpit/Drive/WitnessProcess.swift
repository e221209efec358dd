import Glibc
import Linux
import Shell
import Witnessing

/// What a witness answers.
nonisolated enum WitnessAnswer {
  /// So many cells were asked about, and all are right.
  case right(cells: Int)
  /// What each of the cells shows.
  case readings([Reading])
}

/// Whoever reads the pixels of frames for `DisplayWatch`.
protocol DisplayWitness: AnyObject {
  /// Receives the number of a question and the answer.
  var onAnswer: ((UInt64, WitnessAnswer) -> Void)? { get set }
  /// Called when it has ended by itself.
  var onEnd: (() -> Void)? { get set }
  /// Asks what `cells` of `frame` show, whose picture has `shape` in its memory. The memory must stay as it is until the answer. Returns false
  /// if it cannot be asked.
  func ask(_ number: UInt64, _ frame: CommittedFrame, _ shape: FrameShape, _ cells: [Cell]) -> Bool
  /// Ends it; nothing is called any more.
  func end()
}

/// A running `cockpit-witness`, which shares the frames' memory and nothing else.
final class WitnessProcess: DisplayWitness {
  var onAnswer: ((UInt64, WitnessAnswer) -> Void)?
  var onEnd: (() -> Void)?
  private let program: Companion
  /// The process, for tests that stop or end it.
  var process: pid_t { program.process }
  /// The numbers and lengths of the memories that it keeps, by the same rule as its own.
  private var known: [(number: UInt64, count: Int)] = []
  private var question: [UInt8] = []

  /// Starts the program at `path`; nil if that fails, for the reason in `errno`.
  init?(_ path: String, loop: EventLoop) {
    // It needs no variables, and should not obey those that change how programs are loaded.
    guard let program = Companion(path, environment: [], mostBytes: WitnessMessage.mostBytes, loop: loop) else {
      return nil
    }
    self.program = program
    program.onMessage = { [unowned self] bytes, _ in take(bytes) }
    program.onEnd = { [unowned self] in onEnd?() }
  }

  /// The path of the program; nil if it is missing.
  static var path: String? { Companion.path("cockpit-witness") }

  func ask(_ number: UInt64, _ frame: CommittedFrame, _ shape: FrameShape, _ cells: [Cell]) -> Bool {
    if !known.contains(where: { $0.number == frame.memory }) {
      guard give(frame) else { return false }
      known.removeAll { $0.count != frame.byteCount }
      if known.count >= WitnessMessage.mostMemories { known.removeFirst() }
      known.append((frame.memory, frame.byteCount))
    }
    WitnessMessage.write(question: number, memory: frame.memory, shape, cells, to: &question)
    return program.send(question)
  }

  /// Sends a descriptor that allows reading alone: the witness could not even by mistake draw into the frame. Returns false if there is none.
  private func give(_ frame: CommittedFrame) -> Bool {
    guard let reading = Descriptor(open("/proc/self/fd/\(frame.file)", O_RDONLY | O_CLOEXEC)) else { return false }
    return program.send(WitnessMessage.memory(frame.memory, count: frame.byteCount).bytes, reading.number)
  }

  private func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    if let right = WitnessMessage.allRight(bytes) {
      onAnswer?(right.number, .right(cells: right.cells))
      return true
    }
    guard case .answer(let number, let readings) = WitnessMessage(bytes) else { return false }
    onAnswer?(number, .readings(readings))
    return true
  }

  func end() { program.end() }
}

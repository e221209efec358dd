import Shell
import UICore
import Witnessing

@testable import cockpit

/// A witness on the test's own thread, with the reader of the real one. It answers in the loop's next turn, unless a test makes it silent or
/// ends it.
final class PlayedWitness: DisplayWitness {
  var onAnswer: ((UInt64, WitnessAnswer) -> Void)?
  var onEnd: (() -> Void)?
  var isSilent = false
  /// True if it cannot be asked, as when this process has no descriptor left for a frame's memory.
  var refuses = false
  /// The frames that it was asked about.
  private(set) var asked: [CommittedFrame] = []
  /// What it has read so far.
  private(set) var readings: [[Reading]] = []
  private var isAlive = true
  private var reader = Reader()
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func ask(_ number: UInt64, _ frame: CommittedFrame, _ shape: FrameShape, _ cells: [Cell]) -> Bool {
    guard isAlive, !refuses else { return false }
    asked.append(frame)
    guard !isSilent else { return true }
    // As the bytes arrive in the process: the message is written and read.
    let message = WitnessMessage.question(number, memory: frame.memory, shape, cells)
    guard case .question(_, _, let shape, let cells) = WitnessMessage(message.bytes[...]) else { return false }
    loop.schedule(at: loop.clock.now) { [weak self] in self?.read(number, frame, shape, cells) }
    return true
  }

  private func read(_ number: UInt64, _ frame: CommittedFrame, _ shape: FrameShape, _ cells: [Cell]) {
    guard isAlive, !isSilent else { return }
    let pixels = UnsafeBufferPointer(
      start: UnsafePointer<UInt32>(bitPattern: frame.address), count: frame.byteCount / 4)
    let read = cells.map { reader.read($0, in: pixels.span, shape) }
    readings.append(read)
    let isRight = read.allSatisfy { $0 == .right }
    onAnswer?(number, isRight ? .right(cells: read.count) : .readings(read))
  }

  func end() { isAlive = false }

  /// It dies, as if it were killed.
  func die() {
    isAlive = false
    loop.schedule(at: loop.clock.now) { [weak self] in self?.onEnd?() }
  }
}

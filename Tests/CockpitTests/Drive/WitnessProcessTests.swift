import CLinux
import ControlHarness
import Controls
import Glibc
import Linux
import Shell
import TestSupport
import Testing
import UICore
import Witnessing

@testable import cockpit

/// The real `cockpit-witness`, with frames in sealed memory.
@MainActor @Suite(.serialized) final class WitnessProcessTests {
  private let loop = EventLoop(clock: SystemClock())
  private let harness: ControlHarness
  private let scene = CockpitScene()
  private let file: Int32
  private let memory: MappedMemory
  private let size = PixelSize(width: 800, height: 480)

  init() throws {
    scene.drivesVehicle = true
    harness = ControlHarness(size: Size(width: 800, height: 480), root: scene, fonts: ControlHarness.screenFonts)
    scene.gearbox.gear = .forward(6)
    scene.cluster.beacon.status = .driving
    scene.car.showControls()
    harness.frame()
    let count = size.area * 4
    file = cockpit_memfd("frame")
    try #require(ftruncate(file, count) == 0 && cockpit_seal_size(file) == 0)
    memory = try #require(MappedMemory(count: count, file: file))
    harness.shown.pixels.withUnsafeBytes { memory.bytes.copyMemory(from: $0) }
  }

  deinit { close(file) }

  private var frame: CommittedFrame {
    CommittedFrame(
      memory: 7, file: file, byteCount: size.area * 4, address: Int(bitPattern: memory.bytes.baseAddress))
  }
  private var shape: FrameShape { FrameShape(width: size.width, height: size.height, stride: size.width) }

  private func cells(_ gear: Int) -> [Cell] {
    scene.cluster.cells(showing: ShownState(gear: .forward(gear), lamp: .driving), factor: 1, in: scene.content)
  }

  private static func readings(_ answer: WitnessAnswer) -> [Reading] {
    switch answer {
    case .right(let count): Array(repeating: .right, count: count)
    case .readings(let readings): readings
    }
  }

  /// Turns the loop until `isOver`, for two seconds at most.
  private func wait(_ isOver: () -> Bool) {
    let end = MonotonicTime.system + .seconds(2)
    while !isOver(), MonotonicTime.system < end {
      loop.turn(waits: false)
      usleep(1000)
    }
  }

  @Test func `it reads what memory shows, answers in order, and ends with its socket`() throws {
    let witness = try #require(WitnessProcess(Product.witness.path, loop: loop))
    var answers: [(UInt64, [Reading])] = []
    witness.onAnswer = { answers.append(($0, Self.readings($1))) }
    #expect(witness.ask(1, frame, shape, cells(6)) && witness.ask(2, frame, shape, cells(5)))
    wait { answers.count == 2 }
    #expect(answers.map(\.0) == [1, 2])
    #expect(answers.first?.1 == [.right, .right, .right, .right])
    #expect(answers.last?.1.first == .other("6"))
    // Memory that it does not have, and a picture beyond its end.
    #expect(witness.ask(3, frame, FrameShape(width: 800, height: 481, stride: 800), cells(6)))
    wait { answers.count == 3 }
    #expect(answers.last?.1 == [.unreadable, .unreadable, .unreadable, .unreadable])
    let process = witness.process
    witness.end()
    #expect(!witness.ask(4, frame, shape, cells(6)))
    // It is collected with nobody's further call: a process that is left would hide the ends of others.
    wait { kill(process, 0) < 0 }
    #expect(kill(process, 0) < 0)
  }

  @Test func `it gets memory for reading alone`() throws {
    let witness = try #require(WitnessProcess(Product.witness.path, loop: loop))
    var isAnswered = false
    witness.onAnswer = { _, _ in isAnswered = true }
    #expect(witness.ask(1, frame, shape, cells(6)))
    wait { isAnswered }
    let file = try #require(fopen("/proc/\(witness.process)/smaps", "r"))
    defer { fclose(file) }
    var (maps, buffer) = ("", [CChar](repeating: 0, count: 4096))
    while let line = fgets(&buffer, 4096, file) { maps += String(cString: line) }
    let mapping = try #require(maps.firstRange(of: "memfd:"))
    let flags = try #require(maps[mapping.upperBound...].split(separator: "\n").first { $0.hasPrefix("VmFlags:") })
    // "mw": it may be made writable.
    #expect(flags.contains(" rd ") && !flags.contains(" wr ") && !flags.contains(" mw "), "\(flags)")
    witness.end()
  }

  @Test func `its end is noticed at once`() throws {
    let witness = try #require(WitnessProcess(Product.witness.path, loop: loop))
    var ends = 0
    witness.onEnd = { ends += 1 }
    kill(witness.process, SIGKILL)
    wait { ends > 0 }
    #expect(ends == 1 && !witness.ask(1, frame, shape, cells(6)))
  }

  @Test func `memory that could shrink is not mapped`() throws {
    let witness = try #require(WitnessProcess(Product.witness.path, loop: loop))
    let loose = cockpit_memfd("loose")
    defer { close(loose) }
    #expect(ftruncate(loose, size.area * 4) == 0)
    // What is right there must not be read.
    let copy = try #require(MappedMemory(count: size.area * 4, file: loose))
    copy.bytes.copyMemory(from: UnsafeRawBufferPointer(memory.bytes))
    var answer: [Reading]?
    witness.onAnswer = { answer = Self.readings($1) }
    let other = CommittedFrame(memory: 8, file: loose, byteCount: size.area * 4, address: 0)
    #expect(witness.ask(1, other, shape, cells(6)))
    wait { answer != nil }
    #expect(answer == [.unreadable, .unreadable, .unreadable, .unreadable])
    witness.end()
  }
}

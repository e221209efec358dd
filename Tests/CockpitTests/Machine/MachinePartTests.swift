import ControlHarness
import DriveLink
import Glibc
import Shell
import Synchronization
import Testing
import UICore

@testable import cockpit

/// A machine that a test plays: it answers when the test wants.
@MainActor private final class PlayedMachine: MachineSource {
  var onState: ((MachineState) -> Void)?
  private(set) var questions = 0
  var answer: MachineState?

  func ask() {
    questions += 1
    if let answer { onState?(answer) }
  }
}

/// When the machine is asked, and what becomes of its answers.
@MainActor @Suite(.serialized) struct MachinePartTests {
  private let clock = ManualClock()
  private let loop: EventLoop
  private let scene = CockpitScene()
  private let machine = PlayedMachine()
  private let display: TelemetryDisplay
  private let relay: ContentRelay
  private let part: MachinePart

  init() {
    FontLibrary.shared = ControlHarness.fonts
    loop = EventLoop(clock: clock)
    relay = ContentRelay(scene: scene)
    display = TelemetryDisplay(scene: scene, isInSight: false)
    part = MachinePart(machine, to: display, usesNetwork: true, relay: relay, loop: loop)
  }

  private func show(_ isShown: Bool) {
    for event in isShown
      ? [LifecycleEvent.willEnterForeground, .didBecomeActive] : [.willResignActive, .didEnterBackground]
    {
      scene.handle(event)
    }
  }

  private func pass(_ seconds: Int) {
    for _ in 0..<seconds {
      clock.advance(by: .seconds(1))
      loop.turn(waits: false)
    }
  }

  private nonisolated static let low = MachineState(battery: MachineBattery(percent: 15, isDischarging: true))

  @Test func `a machine with a battery is asked each ten seconds, while the window is in sight`() {
    machine.answer = Self.low
    pass(60)
    #expect(machine.questions == 0, "nobody sees it")
    show(true)
    #expect(machine.questions == 1 && display.machine?.battery == 15)
    pass(9)
    #expect(machine.questions == 1)
    pass(51)
    #expect(machine.questions == 7)
    show(false)
    pass(60)
    #expect(machine.questions == 7 && part.nextTime == nil)
    show(true)
    #expect(machine.questions == 8)
  }

  @Test func `a machine without battery and Wi-Fi is asked once, and then nothing wakes the program`() {
    machine.answer = MachineState()
    show(true)
    #expect(machine.questions == 1 && part.nextTime == nil && scene.cluster.telemetry == nil)
    pass(600)
    #expect(machine.questions == 1)
  }

  @Test func `what is told of a machine that no longer answers is taken back, and nobody waits for it`() {
    machine.answer = Self.low
    show(true)
    machine.answer = nil
    pass(29)
    #expect(display.machine != nil && machine.questions == 2)
    pass(1)
    #expect(display.machine == nil && part.nextTime == nil)
    pass(600)
    #expect(machine.questions == 2, "one question is enough for a machine that hangs")
    machine.onState?(Self.low)
    #expect(display.machine?.battery == 15)
    pass(10)
    #expect(machine.questions == 3)
  }

  @Test func `the panel has the most urgent message first`() throws {
    machine.answer = MachineState(battery: MachineBattery(percent: 62, isDischarging: true))
    show(true)
    let panel = try #require(scene.cluster.telemetry)
    #expect(panel.accessibilityTitle == "DEVICE 62 %")
    display.show(try #require(Telemetry(line: Array(#"{"battery":0.5,"warnings":["MOTOR HOT"]}"#.utf8))))
    #expect(panel.accessibilityTitle == "MOTOR HOT, Battery 50 %, DEVICE 62 %")
    machine.answer = Self.low
    pass(10)
    #expect(panel.accessibilityTitle == "MOTOR HOT, DEVICE BATTERY 15 %, Battery 50 %")
    machine.answer = MachineState(battery: MachineBattery(percent: 9, isDischarging: true))
    pass(10)
    #expect(panel.accessibilityTitle == "DEVICE 9 %: CHARGE, MOTOR HOT, Battery 50 %")
  }

  @Test func `a vehicle that says nothing is not missed because this machine has a battery`() throws {
    scene.drivesVehicle = true
    machine.answer = Self.low
    show(true)
    let content = try #require(scene.cluster.telemetry?.content)
    #expect(!content.hasVehicle && content.machine?.battery == 15)
  }

  @Test func `a severe warning is announced once`() {
    var said: [String] = []
    let watching = scene.observeActivity { if case .announcement(let text) = $0 { said.append(text) } }
    machine.answer = Self.low
    show(true)
    machine.answer = MachineState(battery: MachineBattery(percent: 10, isDischarging: true))
    pass(10)
    machine.answer = MachineState(battery: MachineBattery(percent: 9, isDischarging: true))
    pass(20)
    #expect(said == ["DEVICE 10 %: CHARGE"])
    watching.remove()
  }

  @Test func `a chip that hangs delays nobody, and its late answer is told`() throws {
    let gate = Gate()
    let reader = try #require(
      MachineReader(loop: loop) {
        gate.pass()
        return Self.low
      })
    var states: [MachineState] = []
    reader.onState = { states.append($0) }
    reader.ask()
    loop.turn(waits: false)
    #expect(states.isEmpty)
    gate.open()
    while states.isEmpty { loop.turn(waits: true) }
    #expect(states == [Self.low])
  }

  /// Holds a thread up until it is opened.
  private nonisolated final class Gate: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func pass() { while !isOpen.withLock({ $0 }) { sched_yield() } }
  }
}

import CockpitControls
import Controls
import TestSupport
import Testing
import UICore

/// Tests of the rule of R: no way leads from a forward gear to reverse without a stay in neutral.
@Suite struct ReverseRuleTests {
  /// A step of a script and the gear that has to follow it.
  nonisolated enum Step: Sendable {
    case grab(Double), drag(Double), lift, down, repeated, set(Gear)
  }

  nonisolated struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let start: Gear
    /// Milliseconds, what happens, and the gear's name after it.
    let steps: [(Int64, Step, String)]

    init(_ name: String, from start: Gear, _ steps: [(Int64, Step, String)]) {
      testDescription = name
      self.start = start
      self.steps = steps
    }
  }

  nonisolated static let scripts: [Script] = [
    Script("a tap on R from rest engages it", from: .neutral, [(0, .grab(290), "R"), (9, .lift, "R")]),
    Script("a tap on R from a forward gear brakes", from: .forward(10), [(0, .grab(290), "N"), (9, .lift, "N")]),
    Script(
      "a finger that rests on R after that tap stays without effect", from: .forward(10),
      [(0, .grab(290), "N"), (500, .drag(291), "N"), (2000, .drag(285), "N"), (3000, .drag(600), "N")]),
    Script(
      "a bounce of the finger doesn't count as rest", from: .forward(3),
      [(0, .grab(290), "N"), (20, .lift, "N"), (40, .grab(290), "N"), (60, .lift, "N"), (200, .grab(290), "R")]),
    Script(
      "events that jump over N brake, and R stays shut", from: .forward(6),
      [(0, .grab(100), "6"), (8, .drag(290), "N"), (500, .drag(290), "N"), (900, .drag(280), "N")]),
    Script(
      "a sweep that is seen in N but doesn't stay brakes", from: .forward(10),
      [
        (0, .grab(20), "10"), (8, .drag(150), "4"), (16, .drag(240), "N"), (24, .drag(290), "N"),
        (900, .drag(292), "N"),
      ]),
    Script(
      "a drag that stays in N goes on to R", from: .forward(6),
      [(0, .grab(100), "6"), (50, .drag(225), "N"), (100, .drag(240), "N"), (170, .drag(271), "R")]),
    Script(
      "one event in N is enough when the next comes late", from: .forward(6),
      [(0, .grab(100), "6"), (50, .drag(240), "N"), (400, .drag(290), "R")]),
    Script(
      "just too short a stay", from: .forward(6), [(0, .grab(100), "6"), (50, .drag(240), "N"), (169, .drag(290), "N")]),
    Script(
      "after a refusal the stay begins anew", from: .forward(6),
      [
        (0, .grab(100), "6"), (50, .drag(240), "N"), (100, .drag(290), "N"), (300, .drag(255), "N"),
        (310, .drag(290), "N"),
        (400, .drag(255), "N"), (520, .drag(290), "R"),
      ]),
    Script(
      "a stay in N is forgotten in a forward gear", from: .forward(6),
      [(0, .grab(100), "6"), (50, .drag(240), "N"), (400, .drag(190), "2"), (410, .drag(290), "N")]),
    Script(
      "a lever grabbed at rest in N goes to R at once, and back and forth", from: .neutral,
      [(0, .grab(240), "N"), (8, .drag(290), "R"), (16, .drag(240), "N"), (24, .drag(290), "R")]),
    Script(
      "a finger that comes from rest but was in a forward gear has to stay", from: .neutral,
      [(0, .grab(240), "N"), (8, .drag(190), "2"), (16, .drag(290), "N")]),
    Script(
      "from R to the top and straight back isn't possible", from: .reverse,
      [(0, .grab(280), "R"), (8, .drag(20), "10"), (16, .drag(290), "N"), (900, .drag(290), "N")]),
    Script(
      "a touch in N right after braking has to stay there", from: .forward(3),
      [(0, .grab(250), "N"), (10, .lift, "N"), (20, .grab(240), "N"), (30, .drag(290), "N")]),
    Script(
      "a held key stops at N", from: .forward(2),
      [(0, .down, "1"), (400, .repeated, "N"), (440, .repeated, "N"), (2000, .repeated, "N"), (2500, .down, "R")]),
    Script(
      "two quick presses don't reach R", from: .forward(1), [(0, .down, "N"), (60, .down, "N"), (180, .down, "R")]),
    Script(
      "code isn't bound, and N by code is rest", from: .forward(9),
      [
        (0, .set(.reverse), "R"), (1, .set(.neutral), "N"), (2, .down, "R"),
      ]),
  ]

  @Test(arguments: scripts)
  func `G-D6: never from forward straight to reverse`(script: Script) {
    var model = GearboxModel()
    model.set(script.start)
    for (time, step, gear) in script.steps {
      let before = model.gear
      let changed =
        switch step {
        case .grab(let y): model.grab(y: y, at: ms(time))
        case .drag(let y): model.drag(y: y, at: ms(time))
        case .lift: model.release(at: ms(time))
        case .down: model.shiftDown(at: ms(time))
        case .repeated: model.shiftDown(at: ms(time), isRepeat: true)
        case .set(let gear): model.set(gear)
        }
      #expect(model.gear.description == gear, "at \(time) ms")
      #expect(changed == (model.gear != before))
    }
  }

  @Test func `G-D6: whatever fingers and keys do, R is entered only from N that lasted`() {
    var random = Random(20_251_121)
    func next(_ bound: Int) -> Int { random.below(bound) }
    var model = GearboxModel()
    var now: Int64 = 0
    var forwardAt: Int64 = -1000
    var reverses = 0
    for step in 0..<40_000 {
      now += Int64(next(60))
      let before = model.gear
      let y = Double(next(340)) - 20
      switch next(8) {
      case 0: model.grab(y: y, at: ms(now))
      case 1: model.release(at: ms(now))
      case 2: model.shiftDown(at: ms(now), isRepeat: next(2) == 0)
      case 3: model.shiftUp(at: ms(now))
      default: model.drag(y: y, at: ms(now))
      }
      if before.isForward { forwardAt = now }
      if model.gear == .reverse, before != .reverse {
        reverses += 1
        #expect(before == .neutral, "step \(step)")
        #expect(now - forwardAt >= 120, "step \(step): only \(now - forwardAt) ms after a forward gear")
      }
    }
    #expect(reverses > 100)
  }

  @Test func `the stay can be chosen; a negative one counts as none`() {
    var model = GearboxModel()
    model.reverseDwell = .seconds(-1)
    model.grab(y: 100, at: ms(0))
    model.drag(y: 240, at: ms(1))
    changes(model.drag(y: 290, at: ms(1)))
    #expect(model.gear == .reverse)
    var slow = GearboxModel()
    slow.reverseDwell = .seconds(1)
    slow.grab(y: 100, at: ms(0))
    slow.drag(y: 240, at: ms(1))
    slow.drag(y: 290, at: ms(900))
    #expect(slow.gear == .neutral)
  }
}

import CockpitControls
import Controls
import Testing
import UICore

/// `value` milliseconds after the start of the tests' clock.
nonisolated func ms(_ value: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: value * 1_000_000) }

/// Tests of the lever: touches, grab offset, policies, steps and code.
@Suite struct GearboxModelTests {
  func lever(in gear: Gear) -> GearboxModel {
    var model = GearboxModel()
    model.set(gear)
    return model
  }

  @Test func `G13, G-D9: a new lever is in neutral and asks for nothing`() {
    let model = GearboxModel()
    #expect(model.gear == .neutral)
    #expect(model.throttle == 0)
    #expect(model.row == 10)
    #expect(!model.isHeld)
  }

  @Test(arguments: zip([1.0, 30, 31, 60, 80, 100, 120, 150, 170.5, 190, 210], [10, 10, 9, 8, 7, 6, 5, 4, 2, 2, 1]))
  func `G27: a touch elsewhere jumps to the touched gear`(y: Double, gear: Int) {
    var model = GearboxModel()
    changes(model.grab(y: y, at: ms(0)))
    #expect(model.gear == .forward(gear))
    #expect(model.throttle == Double(gear) / 10)
    #expect(model.isHeld)
  }

  @Test func `G26: a touch at the knob's height keeps it still, its lower edge is outside`() {
    for y in stride(from: 64.0, to: 96, by: 0.5) {
      var model = lever(in: .forward(7))
      keeps(model.grab(y: y, at: ms(0)))
      #expect(model.gear == .forward(7))
    }
    var model = lever(in: .forward(7))
    changes(model.grab(y: 96, at: ms(0)))
    #expect(model.gear == .forward(6))
  }

  @Test func `G28: a drag after a jump follows the finger by the thresholds`() {
    var model = GearboxModel()
    model.grab(y: 95, at: ms(0))
    changes(model.drag(y: 150, at: ms(10)))
    #expect(model.gear == .forward(4))
    changes(model.drag(y: 150.5, at: ms(20)))
    #expect(model.gear == .forward(3))
  }

  @Test func `G-D3: a grabbed knob keeps its offset, from every point of every gear`() {
    for row in 0..<12 {
      let gear = GearboxModel().geometry.gear(atRow: row)
      let knob = GearboxModel().geometry.knob(inRow: row)
      for y in stride(from: knob.minY, to: knob.maxY, by: 1) {
        var model = lever(in: gear)
        model.grab(y: y, at: ms(0))
        for move in [1.0, -1, 9, -9] { keeps(model.drag(y: y + move, at: ms(9)), "row \(row) y \(y) moved \(move)") }
      }
    }
  }

  @Test func `G-D3: a grabbed knob changes gear after the same way up and down, wherever it is held`() {
    for y in [64.0, 80, 95] {
      var model = lever(in: .forward(7))
      model.grab(y: y, at: ms(0))
      changes(model.drag(y: y - 10, at: ms(1)))
      #expect(model.gear == .forward(8))
      model.drag(y: y + 10, at: ms(2))
      #expect(model.gear == .forward(7))
      changes(model.drag(y: y + 10.5, at: ms(3)))
      #expect(model.gear == .forward(6))
    }
  }

  @Test func `G-D1, G-D2: only a change is reported`() {
    var model = GearboxModel()
    changes(model.grab(y: 40, at: ms(0)))
    keeps(model.drag(y: 41, at: ms(1)))
    keeps(model.drag(y: 49, at: ms(2)))
    changes(model.drag(y: 51, at: ms(3)))
    keeps(model.release(at: ms(4)))
  }

  @Test func `G-D5: beyond the gate the lever waits at its end and the finger finds it again`() {
    var model = lever(in: .forward(9))
    model.grab(y: 40, at: ms(0))
    model.drag(y: -500, at: ms(1))
    #expect(model.gear == .forward(10))
    keeps(model.drag(y: 30, at: ms(2)))
    changes(model.drag(y: 31, at: ms(3)))
    #expect(model.gear == .forward(9))
  }

  @Test func `G28: the article's lever latches`() {
    var model = GearboxModel()
    model.grab(y: 40, at: ms(0))
    keeps(model.release(at: ms(1)))
    #expect(model.gear == .forward(9))
    #expect(!model.isHeld)
  }

  @Test func `G-D7: a dead-man's lever returns to neutral on lift`() {
    var model = GearboxModel()
    model.releasePolicy = .neutral
    model.grab(y: 40, at: ms(0))
    changes(model.release(at: ms(1)))
    #expect(model.gear == .neutral)
  }

  @Test(arguments: [ReleasePolicy.latch, .neutral])
  func `G-D7: a lost finger is neutral whatever a lift does, unless the cancel policy latches`(release: ReleasePolicy) {
    for cancel in [ReleasePolicy.latch, .neutral] {
      var model = GearboxModel()
      model.releasePolicy = release
      model.cancelPolicy = cancel
      model.grab(y: 40, at: ms(0))
      let changed = model.cancel(at: ms(1))
      #expect(changed == (cancel == .neutral))
      #expect(model.gear == (cancel == .neutral ? .neutral : .forward(9)))
      #expect(!model.isHeld)
    }
  }

  @Test func `what isn't held is neither dragged, released nor cancelled`() {
    var model = lever(in: .forward(5))
    model.releasePolicy = .neutral
    keeps(model.drag(y: 240, at: ms(0)))
    keeps(model.release(at: ms(1)))
    keeps(model.cancel(at: ms(2)))
    #expect(model.gear == .forward(5))
  }

  @Test func `code takes the lever out of the finger's hand, and a lift doesn't undo it`() {
    var model = GearboxModel()
    model.releasePolicy = .neutral
    model.grab(y: 40, at: ms(0))
    changes(model.set(.forward(2)))
    keeps(model.drag(y: 41, at: ms(1)))
    keeps(model.drag(y: 100, at: ms(2)))
    keeps(model.release(at: ms(3)))
    #expect(model.gear == .forward(2))
    changes(model.grab(y: 100, at: ms(4)))
  }

  @Test func `code that sets the same gear leaves the finger its grip`() {
    var model = GearboxModel()
    model.grab(y: 40, at: ms(0))
    keeps(model.set(.forward(9)))
    changes(model.drag(y: 100, at: ms(1)))
  }

  @Test func `steps go through every gear and stop at the ends`() {
    var model = lever(in: .reverse)
    var seen: [String] = []
    while model.shiftUp(at: ms(0)) { seen.append(model.gear.description) }
    #expect(seen == ["N", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"])
    seen = []
    while model.shiftDown(at: ms(0)) { seen.append(model.gear.description) }
    #expect(seen == ["9", "8", "7", "6", "5", "4", "3", "2", "1", "N"])
    changes(model.shiftUp(at: ms(1)))
    changes(model.brake(at: ms(2)))
    keeps(model.brake(at: ms(3)))
    #expect(model.gear == .neutral)
  }

  @Test func `fewer gears: a gear that no longer exists becomes the highest`() {
    var model = lever(in: .forward(10))
    model.geometry = GearboxGeometry(size: GearboxGeometry.articleSize, gearCount: 5)
    #expect(model.gear == .forward(5))
    #expect(model.throttle == 1)
  }

  @Test func `G-D8, G-D10: a new size under the finger doesn't change the gear`() {
    var model = GearboxModel()
    model.grab(y: 100, at: ms(0))
    model.geometry = GearboxGeometry(size: Size(width: 100, height: 290))
    keeps(model.drag(y: 100, at: ms(1)))
    #expect(model.gear == .forward(6))
    changes(model.drag(y: 89, at: ms(2)))
    #expect(model.gear == .forward(7))
  }

  @Test func `a lever that follows the finger asks for what lies between the gears, and keeps it when it latches`() {
    var model = GearboxModel()
    model.followsFinger = true
    model.grab(y: 120, at: ms(0))
    #expect(model.gear == .forward(5) && model.throttle == 0.5)
    let places: [(y: Double, gear: Gear, throttle: Double)] = [
      (115, .forward(5), 0.525), (105, .forward(6), 0.575), (20, .forward(10), 1), (-50, .forward(10), 1),
      (205, .forward(1), 0.075), (219, .forward(1), 0.005), (230, .neutral, 0), (120, .forward(5), 0.5),
    ]
    for place in places {
      model.drag(y: place.y, at: ms(10))
      #expect(model.gear == place.gear && abs(model.throttle - place.throttle) < 1e-12, "\(place)")
    }
    model.drag(y: 115, at: ms(20))
    model.release(at: ms(21))
    #expect(model.gear == .forward(5) && model.throttle == 0.525, "no hand moved it")
    // Taken at its knob's rim it moves by nothing.
    model.grab(y: 112, at: ms(30))
    #expect(model.throttle == 0.525)
    model.drag(y: 107, at: ms(31))
    #expect(model.gear == .forward(6) && model.throttle == 0.55)
    model.drag(y: -50, at: ms(31))
    model.release(at: ms(32))
    model.grab(y: 20, at: ms(33))
    model.drag(y: 35, at: ms(34))
    #expect(
      model.gear == .forward(9) && model.throttle == 0.925, "let go beyond the gate, it lies at its end")
    model.drag(y: 115, at: ms(35))
    model.shiftUp(at: ms(32))
    model.drag(y: 100, at: ms(33))
    #expect(model.gear == .forward(6) && model.throttle == 0.6, "a step takes the lever out of the hand")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a place that isn't finite changes nothing`(y: Double) {
    var model = GearboxModel()
    keeps(model.grab(y: y, at: ms(0)))
    #expect(!model.isHeld)
    model.grab(y: 40, at: ms(1))
    keeps(model.drag(y: y, at: ms(2)))
    #expect(model.gear == .forward(9))
  }
}

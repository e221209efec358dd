import Glibc
import Testing
import UICore

@testable import CockpitControls
@testable import Controls

/// A finger of the tests' only seat.
nonisolated func finger(_ number: Int32) -> TouchID { TouchID(seat: SeatID(1), contact: .finger(number)) }

/// The point of a wheel of 400 x 400 at `degrees` (clockwise from the right) and `radius`.
nonisolated func rim(_ degrees: Double, radius: Double = 180) -> Point {
  Point(x: 200 + radius * cos(degrees * .pi / 180), y: 200 + radius * sin(degrees * .pi / 180))
}

@Suite struct WheelModelTests {
  func wheel() -> WheelModel { WheelModel(geometry: WheelGeometry(size: Size(width: 400, height: 400))) }

  /// Moves a finger along the rim in steps of at most 5 degrees.
  func turn(_ model: inout WheelModel, _ id: TouchID, from: Double, to: Double, at time: Int64 = 0) {
    let steps = max(1, Int(abs(to - from) / 5))
    for step in 1...steps {
      model.move(id, to: rim(from + (to - from) * Double(step) / Double(steps)), time: ms(time))
    }
  }

  func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 }

  @Test func `a new wheel is straight`() {
    #expect(wheel().angle == 0)
    #expect(wheel().steering == 0)
    #expect(!wheel().isHeld)
  }

  @Test(arguments: [0.0, 37, 90, 179, 180, 181, 270, 359])
  func `G5: the wheel turns by the finger's travel, wherever it is held`(start: Double) {
    var model = wheel()
    model.grab(finger(7), at: rim(start), time: ms(0))
    #expect(model.angle == 0)
    turn(&model, finger(7), from: start, to: start + 60)
    #expect(isNear(model.angle, 60))
    #expect(isNear(model.steering, 60.0 / 450))
    turn(&model, finger(7), from: start + 60, to: start - 100)
    #expect(isNear(model.angle, -100))
  }

  @Test func `any number of turns up to the lock, without a jump`() {
    var model = wheel()
    model.grab(finger(1), at: rim(0), time: ms(0))
    var last = 0.0
    for step in 1...440 {
      model.move(finger(1), to: rim(Double(step)), time: ms(Int64(step)))
      #expect(isNear(model.angle - last, 1))
      last = model.angle
    }
    #expect(isNear(model.angle, 440))
  }

  @Test func `a finger farther in turns as far as its angle, not its way`() {
    var model = wheel()
    model.grab(finger(1), at: rim(10, radius: 120), time: ms(0))
    model.move(finger(1), to: rim(40, radius: 190), time: ms(1))
    #expect(isNear(model.angle, 30))
  }

  @Test func `two hands turn it by their average, and one that leaves or comes doesn't move it`() {
    var model = wheel()
    model.grab(finger(1), at: rim(0), time: ms(0))
    model.grab(finger(2), at: rim(180), time: ms(0))
    turn(&model, finger(1), from: 0, to: 40)
    #expect(isNear(model.angle, 20))
    turn(&model, finger(2), from: 180, to: 220)
    #expect(isNear(model.angle, 40))
    let still = model.lift(finger(1), time: ms(1))
    #expect(still == nil)
    #expect(isNear(model.angle, 40))
    #expect(model.isHeld)
    turn(&model, finger(2), from: 220, to: 230)
    #expect(isNear(model.angle, 50))
    model.grab(finger(1), at: rim(300), time: ms(2))
    #expect(isNear(model.angle, 50))
  }

  @Test func `hands that pull against each other hold it`() {
    var model = wheel()
    model.grab(finger(1), at: rim(0), time: ms(0))
    model.grab(finger(2), at: rim(180), time: ms(0))
    turn(&model, finger(1), from: 0, to: 30)
    turn(&model, finger(2), from: 180, to: 150)
    #expect(isNear(model.angle, 0))
  }

  @Test func `a finger through the centre turns nothing, and takes hold again beyond`() {
    var model = wheel()
    model.grab(finger(1), at: rim(0), time: ms(0))
    for x in stride(from: 380.0, through: 20, by: -10) { model.move(finger(1), to: Point(x: x, y: 200.1), time: ms(1)) }
    #expect(abs(model.angle) < 1)
    let before = model.angle
    model.move(finger(1), to: Point(x: 380, y: 200), time: ms(2))
    #expect(model.angle == before)
    turn(&model, finger(1), from: 0, to: 25)
    #expect(isNear(model.angle - before, 25))
  }

  @Test func `a tremble at the centre turns nothing`() {
    var model = wheel()
    model.grab(finger(1), at: Point(x: 201, y: 200), time: ms(0))
    for point in [Point(x: 200, y: 201), Point(x: 199, y: 200), Point(x: 200, y: 200), Point(x: 200, y: 199)] {
      keeps(model.move(finger(1), to: point, time: ms(1)))
    }
    #expect(model.angle == 0)
  }

  @Test func `past the lock it resists, slips, and takes hold again within the slip`() {
    var model = wheel()
    model.set(angle: 440)
    model.grab(finger(1), at: rim(0), time: ms(0))
    turn(&model, finger(1), from: 0, to: 10)
    #expect(isNear(model.angle, 450))
    turn(&model, finger(1), from: 10, to: 30)
    #expect(model.angle > 455 && model.angle < 465)
    turn(&model, finger(1), from: 30, to: 900)
    #expect(model.angle < 450 + WheelSoftStop.give)
    #expect(model.steering == 1)
    turn(&model, finger(1), from: 900, to: 900 - WheelSoftStop.slip)
    #expect(isNear(model.angle, 450))
    turn(&model, finger(1), from: 900 - WheelSoftStop.slip, to: 850 - WheelSoftStop.slip)
    #expect(isNear(model.angle, 400))
  }

  @Test func `a lock can be chosen; NaN changes nothing, nonsense is clamped`() {
    var model = wheel()
    model.set(angle: -400)
    model.lock = .nan
    #expect(model.lock == 450)
    model.lock = 90
    #expect(model.angle == -90 && model.steering == -1)
    model.lock = 0
    #expect(model.lock == 10)
    model.lock = .infinity
    #expect(model.lock == 3600)
  }

  @Test func `code sets the angle within the lock`() {
    var model = wheel()
    changes(model.set(angle: 45))
    keeps(model.set(angle: 45))
    keeps(model.set(angle: .nan))
    #expect(model.angle == 45)
    changes(model.set(angle: .infinity))
    #expect(model.angle == 450)
  }

  @Test func `fingers that don't hold it, come twice, or are nowhere change nothing`() {
    var model = wheel()
    keeps(model.move(finger(1), to: rim(50), time: ms(0)))
    let nothing = model.lift(finger(1), time: ms(0))
    #expect(nothing == nil)
    model.grab(finger(1), at: Point(x: .nan, y: 0), time: ms(0))
    #expect(!model.isHeld)
    model.grab(finger(1), at: rim(0), time: ms(1))
    model.grab(finger(1), at: rim(90), time: ms(1))
    keeps(model.move(finger(1), to: Point(x: .infinity, y: 0), time: ms(2)))
    turn(&model, finger(1), from: 0, to: 10)
    #expect(isNear(model.angle, 10))
  }

  @Test func `a new size under the finger doesn't turn it`() {
    var model = wheel()
    model.grab(finger(1), at: rim(0), time: ms(0))
    model.geometry = WheelGeometry(size: Size(width: 800, height: 800))
    keeps(model.move(finger(1), to: Point(x: 400, y: 760), time: ms(1)))
    changes(model.move(finger(1), to: Point(x: 380, y: 760), time: ms(2)))
    #expect(model.angle > 0)
  }
}

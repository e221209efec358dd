import TestSupport
import Testing
import UICore

@testable import CockpitControls
@testable import Controls

/// Tests of a wheel that is let go: where it swings, how fast it begins, what limits it.
@Suite struct WheelSwingTests {
  func wheel() -> WheelModel { WheelModel(geometry: WheelGeometry(size: Size(width: 400, height: 400))) }

  /// A wheel turned to `degrees` in ten events of 16 ms, whose last is at 160 ms.
  func turned(to degrees: Double, springsBack: Bool = true) -> WheelModel {
    var model = wheel()
    model.springsBack = springsBack
    model.grab(finger(1), at: rim(0), time: ms(0))
    for step in 1...10 { model.move(finger(1), to: rim(degrees * Double(step) / 10), time: ms(Int64(step) * 16)) }
    return model
  }

  @Test func `let go at rest it swings to the centre without speed`() {
    var model = turned(to: 90)
    let swing = model.lift(finger(1), time: ms(1000))
    #expect(swing == WheelModel.Swing(goal: 0, velocity: 0))
    #expect(!model.isHeld)
  }

  @Test(arguments: [(90.0, 562.5), (-45, -281.25)])
  func `let go in motion it keeps its speed`(degrees: Double, speed: Double) {
    var model = turned(to: degrees)
    let swing = model.lift(finger(1), time: ms(160))?.velocity ?? .nan
    #expect(abs(swing - speed) < 1e-6)
  }

  @Test func `a rest before the lift takes the speed away, half a rest half of it`() {
    var model = turned(to: 90)
    let swing = model.lift(finger(1), time: ms(200))?.velocity ?? .nan
    #expect(swing > 150 && swing < 400)
    var rested = turned(to: 90)
    let still = rested.lift(finger(1), time: ms(241))?.velocity ?? .nan
    #expect(still == 0)
  }

  @Test func `no speed is believed beyond 3000 degrees a second, and clocks that stand still have none`() {
    var model = wheel()
    model.grab(finger(1), at: rim(0), time: ms(0))
    model.move(finger(1), to: rim(60), time: ms(1))
    let fast = model.lift(finger(1), time: ms(1))?.velocity ?? .nan
    #expect(fast == 3000)
    var frozen = wheel()
    frozen.grab(finger(1), at: rim(0), time: ms(0))
    frozen.move(finger(1), to: rim(60), time: ms(0))
    let still = frozen.lift(finger(1), time: ms(0))?.velocity ?? .nan
    #expect(still == 0)
  }

  @Test func `only the last finger lets it go`() {
    var model = turned(to: 90)
    model.grab(finger(2), at: rim(180), time: ms(170))
    let first = model.lift(finger(1), time: ms(180))
    #expect(first == nil)
    let last = model.lift(finger(2), time: ms(900))
    #expect(last == WheelModel.Swing(goal: 0, velocity: 0))
  }

  @Test func `taken away it swings without speed`() {
    var model = turned(to: 90)
    let swing = model.cancel(finger(1))
    #expect(swing == WheelModel.Swing(goal: 0, velocity: 0))
    let again = model.cancel(finger(1))
    #expect(again == nil)
  }

  @Test func `a straight wheel let go without motion doesn't swing`() {
    var model = wheel()
    model.grab(finger(1), at: rim(0), time: ms(0))
    let swing = model.lift(finger(1), time: ms(100))
    #expect(swing == nil)
  }

  @Test func `without springing back it stays, but leaves the soft stop`() {
    var model = turned(to: 90, springsBack: false)
    let inside = model.lift(finger(1), time: ms(160))
    #expect(inside == nil)
    model.set(angle: -450)
    model.grab(finger(1), at: rim(0), time: ms(200))
    model.move(finger(1), to: rim(-40), time: ms(210))
    #expect(model.angle < -455)
    let past = model.lift(finger(1), time: ms(211))
    #expect(past == WheelModel.Swing(goal: -450, velocity: 0))
  }

  @Test func `a swing stays within the soft stop, moves nothing that is held, and ignores NaN`() {
    var model = wheel()
    changes(model.swing(to: 1000))
    #expect(model.angle > 450 && model.angle < 450 + WheelSoftStop.give)
    keeps(model.swing(to: .nan))
    changes(model.swing(to: 30))
    keeps(model.swing(to: 30))
    model.grab(finger(1), at: rim(0), time: ms(0))
    keeps(model.swing(to: 10))
    #expect(model.angle == 30)
  }

  @Test func `taken hold of in a swing, past the lock too, it goes on from where it is shown`() {
    for angle in [30.0, -440, 460, -465] {
      var model = wheel()
      model.swing(to: angle)
      model.grab(finger(1), at: rim(200), time: ms(0))
      #expect(model.angle == angle)
      model.move(finger(1), to: rim(200 - angle.sign.direction), time: ms(1))
      #expect(abs(model.angle) < abs(angle))
      #expect(abs(model.angle - angle) <= 1.000001)
    }
  }

  @Test func `whatever fingers do, the angle stays finite and within the stop`() {
    var random = Random(4711)
    func next(_ bound: Int) -> Int { random.below(bound) }
    var model = wheel()
    var now: Int64 = 0
    for step in 0..<30_000 {
      now += Int64(next(30))
      let id = finger(Int32(next(4)))
      let point = Point(x: Double(next(600)) - 100, y: Double(next(600)) - 100)
      let old = model.angle
      var swing: WheelModel.Swing?
      switch next(10) {
      case 0: model.grab(id, at: point, time: ms(now))
      case 1: swing = model.lift(id, time: ms(now))
      case 2: swing = model.cancel(id)
      case 3: model.swing(to: Double(next(1200)) - 600)
      default:
        if model.move(id, to: point, time: ms(now)) { #expect(abs(model.angle - old) <= 180, "step \(step)") }
      }
      #expect(abs(model.angle) < 450 + WheelSoftStop.give, "step \(step)")
      if let swing { #expect(abs(swing.velocity) <= 3000 && !model.isHeld, "step \(step)") }
    }
  }
}

extension FloatingPointSign {
  /// 1 or -1.
  fileprivate var direction: Double { self == .plus ? 1 : -1 }
}

// Tests of the wheel when nobody holds it: spring back, held keys, taking hold in motion.

import Interface
import Testing

@testable import Controls

@Suite struct WheelMotionTests {
  func wheel() -> WheelModel { WheelModel(geometry: WheelGeometry(size: Size(width: 400, height: 400))) }

  /// A wheel turned to `degrees` in ten events of 16 ms, whose last is at 160 ms.
  func turned(to degrees: Double, springsBack: Bool = true) -> WheelModel {
    var model = wheel()
    model.springsBack = springsBack
    model.grab(finger(1), at: rim(0), time: ms(0))
    for step in 1...10 { model.move(finger(1), to: rim(degrees * Double(step) / 10), time: ms(Int64(step) * 16)) }
    return model
  }

  /// The angles of the frames from `start` ms until it rests.
  func frames(_ model: inout WheelModel, from start: Int64) -> [Double] {
    var angles: [Double] = []
    var time = start
    while model.isMoving, angles.count < 1000 {
      time += 16
      model.advance(to: ms(time))
      angles.append(model.angle)
    }
    return angles
  }

  @Test func `let go at rest it returns to exactly straight, without passing it`() {
    var model = turned(to: 90)
    model.lift(finger(1), time: ms(1000))
    #expect(model.isMoving && !model.isHeld)
    let angles = frames(&model, from: 1000)
    #expect(angles.last == 0)
    #expect(angles.allSatisfy { $0 >= 0 })
    #expect(zip(angles, angles.dropFirst()).allSatisfy { $0 > $1 })
    #expect(angles.count < 100)
  }

  @Test func `let go in motion it keeps its speed at first`() {
    var model = turned(to: 90)
    model.lift(finger(1), time: ms(160))
    model.advance(to: ms(161))
    let speed = (model.angle - 90) / 0.001
    #expect(speed > 400 && speed < 600, "\(speed) degrees a second, the finger made 562")
    let angles = frames(&model, from: 161)
    #expect(angles.max().map { $0 > 92 } == true)
    #expect(angles.last == 0)
  }

  @Test func `however fast it is let go, it stays within the soft stop`() {
    var model = wheel()
    model.set(angle: 440)
    model.grab(finger(1), at: rim(0), time: ms(0))
    for step in 1...4 { model.move(finger(1), to: rim(Double(step) * 60), time: ms(Int64(step))) }
    model.lift(finger(1), time: ms(4))
    for angle in frames(&model, from: 4) { #expect(angle < 450 + WheelSoftStop.give) }
    #expect(model.angle == 0)
  }

  @Test func `taken hold of in motion it stops where it is shown, and doesn't jump`() {
    var model = turned(to: 90)
    model.lift(finger(1), time: ms(1000))
    model.advance(to: ms(1100))
    let shown = model.angle
    #expect(shown > 5 && shown < 85)
    model.grab(finger(2), at: rim(180), time: ms(1090))
    #expect(model.angle == shown)
    #expect(!model.isMoving)
    keeps(model.advance(to: ms(1200)))
    model.move(finger(2), to: rim(181), time: ms(1210))
    #expect(abs(model.angle - shown - 1) < 1e-6)
  }

  @Test func `a wheel that doesn't spring back stays, but leaves the soft stop`() {
    var model = turned(to: 90, springsBack: false)
    model.lift(finger(1), time: ms(160))
    #expect(!model.isMoving)
    #expect(abs(model.angle - 90) < 1e-6)
    model.set(angle: 450)
    model.grab(finger(1), at: rim(0), time: ms(200))
    model.move(finger(1), to: rim(40), time: ms(210))
    #expect(model.angle > 455)
    model.lift(finger(1), time: ms(900))
    #expect(model.isMoving)
    #expect(frames(&model, from: 900).last == 450)
  }

  @Test func `taken away it returns without speed`() {
    var model = turned(to: 90)
    model.cancel(time: ms(160))
    #expect(!model.isHeld && model.isMoving)
    #expect(frames(&model, from: 160).allSatisfy { $0 <= 90 })
    #expect(model.angle == 0)
  }

  @Test func `a held key turns it, faster at first than a tap, and lets it return`() {
    var model = wheel()
    model.steer(direction: 1, time: ms(0))
    model.advance(to: ms(50))
    #expect(model.angle > 0 && model.angle < 3)
    model.advance(to: ms(1000))
    #expect(abs(model.angle - 300 * 0.875) < 1e-6)
    model.steer(direction: 0, time: ms(1000))
    #expect(frames(&model, from: 1000).last == 0)
  }

  @Test func `a held key stops at the lock and needs no frames there`() {
    var model = wheel()
    model.steer(direction: -1, time: ms(0))
    model.advance(to: ms(9000))
    #expect(model.angle == -450)
    #expect(!model.isMoving)
    model.steer(direction: 0, time: ms(9100))
    #expect(model.isMoving)
    #expect(frames(&model, from: 9100).last == 0)
  }

  @Test func `a finger is stronger than a key, and the key takes over when it leaves`() {
    var model = turned(to: 20)
    model.steer(direction: 1, time: ms(200))
    #expect(!model.isMoving)
    keeps(model.advance(to: ms(400)))
    model.lift(finger(1), time: ms(500))
    model.advance(to: ms(1500))
    #expect(model.angle > 200)
  }

  @Test func `cancelled with a key held it returns, and NaN steers nowhere`() {
    var model = wheel()
    model.steer(direction: .nan, time: ms(0))
    #expect(!model.isMoving)
    model.steer(direction: 1, time: ms(0))
    model.advance(to: ms(500))
    model.cancel(time: ms(500))
    #expect(frames(&model, from: 500).last == 0)
    model.cancel(time: ms(9000))
    #expect(!model.isMoving)
  }

  @Test func `whatever fingers do, the angle stays finite and within the stop`() {
    var seed: UInt64 = 4711
    func next(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(bound))
    }
    var model = wheel()
    var now: Int64 = 0
    for step in 0..<30_000 {
      now += Int64(next(30))
      let id = finger(Int32(next(4)))
      let point = Point(x: Double(next(600)) - 100, y: Double(next(600)) - 100)
      let old = model.angle
      var isFinger = false
      switch next(10) {
      case 0: model.grab(id, at: point, time: ms(now))
      case 1: model.lift(id, time: ms(now))
      case 2: model.steer(direction: Double(next(3) - 1), time: ms(now))
      case 3: model.cancel(time: ms(now))
      case 4, 5: model.advance(to: ms(now + 16))
      default: isFinger = model.move(id, to: point, time: ms(now))
      }
      #expect(abs(model.angle) < 450 + WheelSoftStop.give, "step \(step)")
      #expect(!isFinger || abs(model.angle - old) <= 180, "step \(step)")
      #expect(!(model.isHeld && model.isMoving), "step \(step)")
    }
  }
}

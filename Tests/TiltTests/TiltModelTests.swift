import Glibc
import Testing
import Tilt
import UICore

/// Tests of the way from accelerations to steering.
@Suite struct TiltModelTests {
  /// An upright panel turned clockwise by `degrees`, leant back by `lean`, as a sensor measures it that counts upwards.
  private func held(_ degrees: Double, lean: Double = 20) -> Acceleration {
    let (turn, back) = (degrees * .pi / 180, lean * .pi / 180)
    let g = Acceleration.gravity
    return Acceleration(x: -sin(turn) * g, y: cos(turn) * cos(back) * g, z: cos(turn) * sin(back) * g)
  }

  /// The steering after half a second of `sample`, from a holding position of 0 degrees.
  private func steering(
    _ sample: Acceleration, from first: Acceleration, _ transform: OutputTransform = .normal
  ) -> Double? {
    var model = TiltModel()
    model.add(first, at: .zero, transform: transform)
    for step in 1...50 { model.add(sample, at: .zero + .milliseconds(20 * step), transform: transform) }
    return model.steering
  }

  private func expected(_ degrees: Double) -> Double {
    min(max(abs(degrees) - TiltModel.deadZone, 0) / (TiltModel.fullTilt - TiltModel.deadZone), 1)
      * (degrees < 0 ? -1 : 1)
  }

  @Test(arguments: [-60.0, -45, -20, -1, 0, 1, 10, 30, 45, 80], [0.0, 20, 60, 85])
  func `G6: tilted to the right it steers right, upright or lying in the hand`(degrees: Double, lean: Double) throws {
    let result = try #require(steering(held(degrees, lean: lean), from: held(0, lean: lean)))
    #expect(abs(result - expected(degrees)) < 0.01)
  }

  @Test(arguments: OutputTransform.allCases)
  func `G-D13: on a turned screen the sensor's directions are turned too`(transform: OutputTransform) throws {
    // A turn or mirror undone: its transpose.
    func panel(_ value: Acceleration) -> Acceleration {
      let (a, b) = (transform.contentDirection(ofPanel: 1, 0), transform.contentDirection(ofPanel: 0, 1))
      return Acceleration(x: a.x * value.x + a.y * value.y, y: b.x * value.x + b.y * value.y, z: value.z)
    }
    let turned = panel(held(30))
    let direction = transform.contentDirection(ofPanel: turned.x, turned.y)
    #expect(abs(direction.x - held(30).x) < 1e-9 && abs(direction.y - held(30).y) < 1e-9)
    let result = try #require(steering(turned, from: panel(held(0)), transform))
    #expect(abs(result - expected(30)) < 0.01)
  }

  @Test func `G-D13: wl_output turns counter-clockwise: a device on its right side shows content turned by 90`() {
    // The panel's top lies to the right, so that its left points up.
    #expect(OutputTransform.turned90.contentDirection(ofPanel: -1, 0) == (0, 1))
    #expect(OutputTransform.turned270.contentDirection(ofPanel: 1, 0) == (0, 1))
    #expect(OutputTransform.turned180.contentDirection(ofPanel: 0, -1) == (0, 1))
    #expect(OutputTransform.mirrored.contentDirection(ofPanel: 1, 0) == (-1, 0))
  }

  @Test(arguments: [-30.0, 12, 40], [0.0, 70])
  func `sensors that count downwards steer the same way`(degrees: Double, lean: Double) throws {
    func down(_ a: Acceleration) -> Acceleration { Acceleration(x: -a.x, y: -a.y, z: -a.z) }
    let result = try #require(steering(down(held(degrees, lean: lean)), from: down(held(0, lean: lean))))
    #expect(abs(result - expected(degrees)) < 0.01)
  }

  @Test func `the first sample is the middle, and any later one that is asked for`() {
    #expect(steering(held(25), from: held(25)) == 0)
    var model = TiltModel()
    #expect(model.steering == nil)
    model.calibrate()
    model.add(held(0), at: .zero)
    for step in 1...50 { model.add(held(20), at: .zero + .milliseconds(20 * step)) }
    #expect((model.steering ?? 0) > 0.4)
    model.calibrate()
    #expect(model.steering == 0)
    model.reset()
    #expect(model.steering == nil)
    model.add(held(-30), at: .zero)
    #expect(model.steering == 0, "what it comes back with is the middle")
  }

  @Test func `it follows smoothly: no jump, 63 % of the way after the time constant`() {
    var model = TiltModel()
    model.add(held(0), at: .zero)
    var before = 0.0
    for step in 1...15 {
      model.add(held(30), at: .zero + .milliseconds(4 * step))
      let now = model.steering ?? .nan
      #expect(now >= before && now - before < 0.1)
      before = now
    }
    #expect(abs(before / expected(30) - 0.62) < 0.05)
  }

  @Test func `what can't be true changes nothing: shaken, thrown, broken, out of order`() {
    var model = TiltModel()
    model.add(held(0), at: .zero + .milliseconds(100))
    let g = Acceleration.gravity
    for value in [
      Acceleration(x: -40, y: 0, z: 0), Acceleration(x: 0, y: 0, z: 0), Acceleration(x: .nan, y: g, z: 0),
      Acceleration(x: .infinity, y: g, z: 0), Acceleration(x: -g, y: g, z: g),
    ] {
      let counted = model.add(value, at: .zero + .milliseconds(200))
      #expect(!counted)
    }
    for late in [100, 0] {
      let counted = model.add(held(40), at: .zero + .milliseconds(late))
      #expect(!counted)
    }
    #expect(model.steering == 0)
  }

  @Test func `a trembling hand steers nothing, and what was before a pause counts no more`() {
    var model = TiltModel()
    model.add(held(10), at: .zero)
    for step in 1...50 { model.add(held(30), at: .zero + .milliseconds(20 * step)) }
    let steering = model.steering
    for step in 51...80 {
      model.add(held(30 + (step.isMultiple(of: 2) ? 0.1 : -0.1)), at: .zero + .milliseconds(20 * step))
    }
    #expect(model.steering == steering)
    model.add(held(10), at: .zero + .seconds(60))
    #expect(model.steering == 0)
  }
}

import CockpitControls
import ControlHarness
import Controls
import Testing

/// Tests of a wheel that follows a sensor.
@MainActor @Suite(.serialized) struct WheelSensorTests {
  private let harness = ControlHarness(size: Size(width: 180, height: 180))
  private let wheel = SteeringWheel(frame: Rect(x: 10, y: 10, width: 160, height: 160))

  init() {
    harness.root.addSubview(wheel)
    harness.frame()
  }

  @Test func `G6: it turns towards what the sensor says, telling each step, and goes back when it says nothing`() {
    var told: [Double] = []
    wheel.addAction(for: .valueChanged) { told.append($0.angle) }
    wheel.steer(toward: 90)
    #expect(wheel.followsSensor && wheel.angle == 0)
    harness.settle()
    #expect(abs(wheel.angle - 90) < 0.1 && told.count > 3 && told == told.sorted())
    wheel.steer(toward: -9999)
    harness.settle()
    #expect(abs(wheel.angle + wheel.lock) < 0.1, "clamped to the lock")
    wheel.steer(toward: nil)
    harness.settle()
    #expect(abs(wheel.angle) < 0.1 && !wheel.followsSensor)
  }

  @Test func `G6: a finger on the wheel takes over, and gives it back`() {
    wheel.steer(toward: 60)
    harness.settle()
    harness.touch(.began, at: Point(x: 90, y: 18))
    wheel.steer(toward: -200)
    harness.settle()
    #expect(abs(wheel.angle - 60) < 0.1 && !wheel.followsSensor, "grabbing never moves it")
    harness.touch(.ended, at: Point(x: 90, y: 18))
    #expect(wheel.followsSensor)
    harness.settle()
    #expect(abs(wheel.angle + 200) < 0.1)
  }

  @Test func `a held key is stronger too, and a finger that was lost gives it back`() {
    wheel.steer(toward: 60)
    harness.settle()
    wheel.steer(.left)
    harness.settle()
    #expect(abs(wheel.angle + wheel.lock) < 0.1)
    wheel.steer(nil)
    harness.settle()
    #expect(abs(wheel.angle - 60) < 0.1)
    harness.touch(.began, at: Point(x: 90, y: 18))
    harness.touch(.cancelled, at: Point(x: 90, y: 18))
    harness.settle()
    #expect(abs(wheel.angle - 60) < 0.1)
  }

  @Test func `what is no angle, and a disabled wheel, change nothing; the same again asks for no frame`() {
    for angle in [Double.nan, .infinity] {
      wheel.steer(toward: angle)
      #expect(!wheel.followsSensor && !harness.root.needsFrame)
    }
    wheel.steer(toward: 45)
    harness.settle()
    wheel.steer(toward: 45)
    #expect(!harness.root.needsFrame)
    wheel.isEnabled = false
    wheel.steer(toward: 100)
    harness.settle()
    #expect(abs(wheel.angle) < 46)
  }
}

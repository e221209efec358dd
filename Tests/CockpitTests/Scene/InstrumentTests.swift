import ControlHarness
import Controls
import Testing
import UICore

@testable import cockpit

/// Tests of what the instruments point at: the needle by the pixels, the steering's bar by its place.
@MainActor @Suite(.serialized) struct InstrumentTests {
  private static let side = 240.0

  /// A dial alone, at night.
  private func dial() -> (Speedometer, ControlHarness) {
    let root = RootView()
    root.theme = .dark
    let dial = Speedometer()
    dial.frame = Rect(x: 0, y: 0, width: Self.side, height: Self.side)
    root.addSubview(dial)
    return (dial, ControlHarness(size: Size(width: Self.side, height: Self.side), root: root))
  }

  /// True where the needle lies at `degrees`, clockwise from east, in the ring that is its own.
  private func isNeedle(_ harness: ControlHarness, at degrees: Double) -> Bool {
    let (middle, radius, angle) = (Self.side / 2, Self.side / 2 - 1, degrees * .pi / 180)
    let point = Point(x: middle + cosine(angle) * radius * 0.88, y: middle + cosine(angle - .pi / 2) * radius * 0.88)
    let pixel = harness.shown[Int(point.x), Int(point.y)]
    let (red, green) = (Int(pixel >> 16 & 0xff), Int(pixel >> 8 & 0xff))
    // Teal: neither the scale's white nor the ground.
    return green > 180 && green - red > 120
  }

  /// By its series, so that the test has a dial's angles of its own.
  private func cosine(_ angle: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for index in 1...20 {
      term *= -angle * angle / Double((2 * index - 1) * (2 * index))
      sum += term
    }
    return sum
  }

  @Test func `G2: the needle follows the speed, and stays on the scale`() {
    let (dial, harness) = dial()
    // Three quarters of a turn for 200 km/h, from the lower left.
    let places: [(speed: Double, degrees: Double)] = [
      (0, 135), (20, 162), (83, 247.05), (100, 270), (160, 351), (200, 405), (260, 405), (-5, 135), (.nan, 135),
    ]
    for (speed, degrees) in places {
      dial.speed = speed
      harness.advance(by: .seconds(2))
      #expect(isNeedle(harness, at: degrees), "\(speed) km/h")
      for (_, other) in places where other != degrees { #expect(!isNeedle(harness, at: other), "\(speed): \(other)") }
    }
  }

  @Test func `a dial that knows no speed has no needle`() {
    let (dial, harness) = dial()
    dial.speed = 100
    dial.isKnown = false
    harness.frame()
    #expect(!isNeedle(harness, at: 270))
  }

  @Test(arguments: [
    (0.0, 450.0, 0.5), (225, 450, 0.75), (450, 450, 1), (900, 450, 1), (-45, 450, 0.45), (-450, 450, 0), (45, 90, 0.75),
    (.nan, 450, 0.5), (45, 0, 0.5),
  ])
  func `G2: the arc grows from the middle to the side that the wheel is turned to, by its share of the lock`(
    degrees: Double, lock: Double, end: Double
  ) {
    let indicator = SteeringIndicator()
    (indicator.degrees, indicator.lock) = (degrees, lock)
    #expect(abs(indicator.end - end) < 1e-9)
  }

  @Test func `the needle takes a jump by its spring, without passing the goal, and small steps at once`() {
    let (dial, harness) = dial()
    harness.frame()
    dial.speed = 100
    harness.frame()
    #expect(isNeedle(harness, at: 135) && !isNeedle(harness, at: 270), "a needle has weight")
    for _ in 0..<100 {
      harness.advance(by: .milliseconds(20))
      #expect(!isNeedle(harness, at: 280), "it passes the goal")
    }
    #expect(isNeedle(harness, at: 270))
    dial.speed = 102
    harness.frame()
    #expect(isNeedle(harness, at: 272.7))
  }

  @Test func `a start sweeps the needle once, and a hand ends that at once`() {
    for isHeld in [false, true] {
      let scene = CockpitScene()
      scene.apply(Options())
      let harness = ControlHarness(size: Size(width: 1280, height: 800), root: scene)
      harness.checksDamage = false
      let dial = scene.cluster.speedometer
      harness.frame()
      #expect(dial.hasAnimation(forKey: "sweep"))
      harness.advance(by: .milliseconds(300))
      #expect(dial.hasAnimation(forKey: "sweep"))
      if isHeld {
        harness.touch(.began, at: scene.rim(0))
        harness.touch(.moved, at: scene.rim(20))
      } else {
        harness.advance(by: .seconds(2))
      }
      #expect(!dial.hasAnimation(forKey: "sweep"))
      harness.frame()
    }
  }

  @Test func `with less motion wanted nothing sweeps`() {
    let scene = CockpitScene()
    scene.apply(Options())
    scene.adopt(SceneLook(reducesMotion: true))
    let harness = ControlHarness(size: Size(width: 1280, height: 800), root: scene)
    harness.frame()
    #expect(!scene.cluster.speedometer.hasAnimation(forKey: "sweep"))
  }

  @Test func `G2: lever and wheel move needle and arc of the whole scene`() {
    let scene = CockpitScene()
    scene.cluster.beacon.isEnabled = false
    let harness = ControlHarness(size: Size(width: 1280, height: 800), root: scene)
    harness.checksDamage = false
    #expect(scene.cluster.speedometer.speed == 0 && scene.cluster.steering.end == 0.5)
    scene.wheel.angle = 45
    harness.touch(.began, at: scene.lever(.neutral))
    harness.touch(.moved, at: scene.lever(.forward(7)))
    var last = 0.0
    for _ in 0..<10 {
      harness.advance(by: .milliseconds(500))
      #expect(scene.cluster.speedometer.speed > last, "it goes faster and faster")
      last = scene.cluster.speedometer.speed
    }
    #expect(abs(last - scene.car.vehicle.kilometresPerHour) < 0.01 && last > 20)
    #expect(scene.cluster.steering.degrees == scene.wheel.angle)
    harness.touch(.ended, at: scene.lever(.forward(7)))
  }
}

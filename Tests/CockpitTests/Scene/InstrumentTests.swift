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
    let (red, blue) = (Int(pixel >> 16 & 0xff), Int(pixel & 0xff))
    // Amber: neither the scale's white nor the ground.
    return red > 200 && red - blue > 120
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
      harness.frame()
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

  @Test func `G2: the bar grows from the middle to the side that the wheel is turned to, by its share of the lock`()
    throws
  {
    let indicator = SteeringIndicator()
    indicator.frame = Rect(x: 0, y: 0, width: 202, height: 40)
    let root = RootView()
    root.theme = .dark
    root.addSubview(indicator)
    let harness = ControlHarness(size: Size(width: 202, height: 40), root: root)
    let bar = try #require(indicator.subviews.first)
    let cases: [(Double, Double, Double)] = [
      (0, 101, 101), (225, 101, 151), (450, 101, 201), (900, 101, 201), (-45, 91, 101), (-450, 1, 101),
    ]
    for (degrees, from, to) in cases {
      indicator.degrees = degrees
      harness.frame()
      #expect(bar.frame.minX == from && bar.frame.maxX == to, "\(degrees): \(bar.frame)")
    }
    indicator.lock = 90
    indicator.degrees = 45
    harness.frame()
    #expect(bar.frame.minX == 101 && bar.frame.maxX == 151)
  }

  @Test func `G2: lever and wheel move needle and bar of the whole scene`() throws {
    let scene = CockpitScene()
    scene.cluster.beacon.isEnabled = false
    let harness = ControlHarness(size: Size(width: 1280, height: 800), root: scene)
    harness.checksDamage = false
    let bar = try #require(scene.cluster.steering.subviews.first)
    // Its end lies on a whole point, the middle perhaps between two.
    #expect(scene.cluster.speedometer.speed == 0 && bar.frame.width <= 0.5)
    scene.wheel.angle = 45
    harness.touch(.began, at: scene.lever(.neutral))
    harness.touch(.moved, at: scene.lever(.forward(7)))
    var last = 0.0
    for _ in 0..<10 {
      harness.advance(by: .milliseconds(500))
      #expect(scene.cluster.speedometer.speed > last, "it goes faster and faster")
      last = scene.cluster.speedometer.speed
    }
    #expect(abs(last - scene.drive.vehicle.kilometresPerHour) < 0.01 && last > 20)
    #expect(scene.cluster.steering.degrees == scene.wheel.angle)
    harness.touch(.ended, at: scene.lever(.forward(7)))
  }
}

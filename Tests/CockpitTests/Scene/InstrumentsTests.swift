import ControlHarness
import Controls
import Testing
import UICore

@testable import cockpit

/// Tests of the instruments' display of wheel, lever and speed, by its pixels.
@MainActor @Suite(.serialized) struct InstrumentsTests {
  private let scene = CockpitScene()
  private let harness: ControlHarness

  init() {
    harness = ControlHarness(size: Size(width: 1280, height: 800), root: scene)
    harness.checksDamage = false
    scene.cluster.beacon.isEnabled = false
    harness.frameIfNeeded()
  }

  /// The colour that a picture has at a point of a dial, by a speed of its scale and a distance from its middle.
  private func pixel(_ shown: Snapshot, _ dial: Speedometer, _ speed: Double, _ distance: Double) -> UInt32 {
    let place = dial.convert(dial.point(at: dial.angle(of: speed), distance: distance), to: nil)
    return shown[Int(place.x), Int(place.y)]
  }

  /// True when the needle is at a speed of the dial's scale.
  private func pointsTo(_ speed: Double, _ dial: Speedometer, _ harness: ControlHarness) -> Bool {
    pixel(harness.shown, dial, speed, 0.885) == color(dial.palette.teal)
  }

  /// The parts of the steering's arc that are lit: of its left half, and of its right one.
  private func lit() -> (left: Double, right: Double) {
    let (dial, teal) = (scene.cluster.speedometer, color(scene.palette.teal))
    let track = scene.cluster.steering.track(in: dial.bounds.center)
    func share(_ range: StrideTo<Double>) -> Double {
      let places = range.map { track.start + track.sweep * $0 }
      let lit = places.count { angle in
        let place = dial.convert(dial.point(at: angle, distance: track.radius / dial.radius), to: nil)
        return harness.shown[Int(place.x), Int(place.y)] == teal
      }
      return Double(lit) / Double(places.count)
    }
    return (share(stride(from: 0.0025, to: 0.49, by: 0.0025)), share(stride(from: 0.51, to: 0.9975, by: 0.0025)))
  }

  private func color(_ color: Color) -> UInt32 {
    func part(_ value: Double) -> UInt32 { UInt32((value * 255).rounded()) }
    return 0xff00_0000 | part(color.red) << 16 | part(color.green) << 8 | part(color.blue)
  }

  @Test(arguments: [-90.0, -45, 45, 90])
  func `G2: the steering's arc grows to the side to which the wheel is turned, as far as it is`(turn: Double) {
    #expect(lit() == (0, 0))
    harness.touch(.began, at: scene.rim(90), finger: 3)
    for step in 1...9 { harness.touch(.moved, at: scene.rim(90 + turn * Double(step) / 9), finger: 3) }
    harness.frameIfNeeded()
    #expect(abs(scene.wheel.angle - turn) < 1 && scene.cluster.steering.degrees == scene.wheel.angle)
    let (left, right) = lit()
    let expected = abs(turn) / scene.wheel.lock
    #expect(abs((turn < 0 ? left : right) - expected) < 0.04 && (turn < 0 ? right : left) == 0)
    harness.touch(.ended, at: scene.rim(90 + turn), finger: 3)
    harness.advance(by: .seconds(3))
    #expect(lit() == (0, 0), "the wheel is straight again")
  }

  @Test(arguments: [(-12.4, "← 12°"), (0.4, "0°"), (-0.4, "0°"), (449.6, "450° →")])
  func `G2: the angle is said in degrees, with an arrow to its side`(degrees: Double, text: String) {
    #expect(SteeringIndicator.text(degrees) == text)
  }

  @Test(arguments: [0.0, 40, 100, 160, 200])
  func `G2: the needle points to the speed, and the band is lit up to it`(speed: Double) {
    let dial = Speedometer()
    let harness = ControlHarness(dial, size: Size(width: 301, height: 301))
    // By night the band's colour is the brighter one.
    harness.root.theme = .dark
    dial.speed = speed
    harness.advance(by: .seconds(2))
    for place in stride(from: 0.0, through: 200, by: 20) {
      #expect(pointsTo(place, dial, harness) == (place == speed), "\(place)")
    }
    for place in stride(from: 5.0, to: 200, by: 10) {
      let isLit = (pixel(harness.shown, dial, place, 0.962) >> 8) & 255 > 110
      #expect(isLit == (place < speed), "\(place)")
    }
    dial.isKnown = false
    harness.frameIfNeeded()
    #expect(!pointsTo(speed, dial, harness), "nobody knows")
  }

  @Test func `G2: a drive moves the needle up with the lever, and back with the brake`() {
    let dial = scene.cluster.speedometer
    #expect(pointsTo(0, dial, harness))
    harness.tap(scene.lever(.forward(8)))
    harness.advance(by: .seconds(6))
    #expect(dial.speed > 20 && dial.speed == scene.car.vehicle.kilometresPerHour)
    #expect(pointsTo(dial.speed, dial, harness) && !pointsTo(0, dial, harness))
    let speed = dial.speed
    scene.gearbox.brake()
    harness.advance(by: .seconds(20))
    #expect(dial.speed == 0)
    #expect(pointsTo(0, dial, harness))
    #expect(!pointsTo(speed, dial, harness))
  }
}

// Tests of the spring and the soft stop as functions.

import Testing

@testable import Controls

@Suite struct WheelSpringTests {
  @Test(arguments: [1.0, 0.7, 0.3])
  func `a spring starts as it was let go and solves its own equation`(damping: Double) {
    let spring = WheelSpring(response: 0.5, dampingRatio: damping)
    let start = spring.state(after: 0, distance: 200, velocity: -300)
    #expect(start.distance == 200)
    #expect(abs(start.velocity + 300) < 1e-9)
    let omega = 2 * Double.pi / 0.5
    for step in 1...100 {
      let t = Double(step) / 50
      let h = 1e-5
      let a = spring.state(after: t - h, distance: 200, velocity: -300)
      let b = spring.state(after: t, distance: 200, velocity: -300)
      let c = spring.state(after: t + h, distance: 200, velocity: -300)
      #expect(abs((c.distance - a.distance) / (2 * h) - b.velocity) < 0.01)
      let force = (c.velocity - a.velocity) / (2 * h)
      #expect(abs(force + omega * omega * b.distance + 2 * damping * omega * b.velocity) < 1)
    }
  }

  @Test func `a critical spring doesn't pass its target, a loose one does`() {
    let critical = WheelSpring(response: 0.5, dampingRatio: 1)
    let loose = WheelSpring(response: 0.5, dampingRatio: 0.5)
    let times = (0...200).map { Double($0) / 100 }
    #expect(times.allSatisfy { critical.state(after: $0, distance: 90, velocity: 0).distance > 0 })
    #expect(times.contains { loose.state(after: $0, distance: 90, velocity: 0).distance < -5 })
  }

  @Test func `values out of range are clamped`() {
    #expect(WheelSpring(response: 0, dampingRatio: -1) == WheelSpring(response: 0.05, dampingRatio: 0.1))
    #expect(WheelSpring(response: .nan, dampingRatio: .nan) == WheelSpring())
    #expect(WheelSpring(response: .infinity, dampingRatio: 7) == WheelSpring(response: 10, dampingRatio: 1))
  }
}

@Suite struct WheelSoftStopTests {
  let stop = WheelSoftStop(lock: 450)

  @Test func `up to the lock angle and travel are the same, past it resistance grows`() {
    for travel in stride(from: -450.0, through: 450, by: 7.5) { #expect(stop.angle(forTravel: travel) == travel) }
    var gains: [Double] = []
    for travel in stride(from: 450.0, to: 546, by: 4) {
      gains.append(stop.angle(forTravel: travel + 4) - stop.angle(forTravel: travel))
    }
    #expect(gains.allSatisfy { $0 > 0 })
    #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 > $1 })
    #expect(gains.first.map { $0 > 3.4 && $0 < 4 } == true)
    #expect(stop.maximumAngle < 450 + WheelSoftStop.give)
    #expect(stop.angle(forTravel: 1e9) == stop.maximumAngle)
    #expect(stop.angle(forTravel: -1e9) == -stop.maximumAngle)
  }

  @Test func `travel and angle are each other's inverse`() {
    for travel in stride(from: -546.0, through: 546, by: 3) {
      #expect(abs(stop.travel(forAngle: stop.angle(forTravel: travel)) - travel) < 1e-6)
    }
  }
}

import Testing

@testable import CockpitControls
@testable import Controls

/// Tests of the soft stop as a function.
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

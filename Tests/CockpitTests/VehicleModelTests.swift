import Testing

@testable import cockpit

/// Tests of the car behind the controls.
@Suite struct VehicleModelTests {
  func drive(_ car: inout VehicleModel, _ seconds: Double, _ throttle: Double) {
    let steps = Int((seconds * 60).rounded())
    for _ in 0..<steps { car.advance(by: 1.0 / 60, throttle: throttle) }
  }

  @Test(arguments: [(0.1, 34.0), (0.5, 114), (1.0, 180)])
  func `G4: the further up the faster`(throttle: Double, kilometres: Double) {
    var car = VehicleModel()
    drive(&car, 120, throttle)
    #expect(abs(car.kilometresPerHour - kilometres) < 2, "\(car.kilometresPerHour)")
    #expect(car.isSettled(under: throttle))
  }

  @Test func `G4: neutral brakes to exactly nothing, and then needs no frames`() {
    var car = VehicleModel()
    drive(&car, 30, 1)
    #expect(!car.isSettled(under: 0))
    drive(&car, 8, 0)
    #expect(car.speed == 0)
    #expect(car.isSettled(under: 0))
    car.advance(by: 1, throttle: 0)
    #expect(car.speed == 0)
  }

  @Test func `reverse brakes first, then goes back slowly`() {
    var car = VehicleModel()
    drive(&car, 3, 1)
    let before = car.speed
    drive(&car, 1, -1)
    #expect(car.speed > 0 && before - car.speed > 6)
    drive(&car, 60, -1)
    #expect(car.speed == -VehicleModel.reverseLimit)
    #expect(car.isSettled(under: -1))
    drive(&car, 2, 0)
    #expect(car.speed == 0)
  }

  @Test func `the same inputs give the same drive at any frame rate`() {
    var fine = VehicleModel()
    var coarse = VehicleModel()
    for _ in 0..<1200 { fine.advance(by: 1.0 / 240, throttle: 0.7) }
    for _ in 0..<100 { coarse.advance(by: 0.05, throttle: 0.7) }
    #expect(fine.speed == coarse.speed)
  }

  @Test func `a stall passes a quarter of a second at most; no time and no number pass nothing`() {
    var car = VehicleModel()
    car.advance(by: 3600, throttle: 1)
    #expect(car.speed > 1 && car.speed < 2)
    let same = car
    for seconds in [0, -1, Double.nan, -Double.infinity, Double.infinity] {
      car.advance(by: seconds, throttle: 1)
    }
    #expect(car == same)
  }

  @Test func `a settled car keeps its speed for an hour`() {
    var car = VehicleModel()
    drive(&car, 120, 1)
    let speed = car.speed
    car.advance(by: 3600, throttle: 1)
    #expect(car.speed == speed)
  }

  @Test func `NaN and excess in the inputs stop or clamp`() {
    var car = VehicleModel()
    drive(&car, 1, .nan)
    #expect(car.speed == 0)
    var twice = VehicleModel()
    drive(&twice, 5, 2)
    drive(&car, 5, 1)
    #expect(car.speed == twice.speed)
  }
}

import Testing

@testable import cockpit

/// Tests of the car behind the controls.
@Suite struct VehicleModelTests {
  typealias Input = VehicleModel.Input

  func drive(_ car: inout VehicleModel, _ seconds: Double, _ throttle: Double, steering: Double = 0) {
    let steps = Int((seconds * 60).rounded())
    for _ in 0..<steps { car.advance(by: 1.0 / 60, input: Input(throttle: throttle, steering: steering)) }
  }

  @Test(arguments: [(0.1, 34.0), (0.5, 114), (1.0, 180)])
  func `G4: the further up the faster`(throttle: Double, kilometres: Double) {
    var car = VehicleModel()
    drive(&car, 120, throttle)
    #expect(abs(car.kilometresPerHour - kilometres) < 2, "\(car.kilometresPerHour)")
    #expect(car.isSettled(under: Input(throttle: throttle)))
  }

  @Test func `G4: neutral brakes to exactly nothing, and then needs no frames`() {
    var car = VehicleModel()
    drive(&car, 30, 1)
    #expect(!car.isSettled(under: Input()))
    drive(&car, 8, 0)
    #expect(car.speed == 0)
    #expect(car.isSettled(under: Input()))
    let changed = car.advance(by: 1, input: Input())
    #expect(!changed)
  }

  @Test func `reverse brakes first, then goes back slowly`() {
    var car = VehicleModel()
    drive(&car, 3, 1)
    let before = car.speed
    drive(&car, 1, -1)
    #expect(car.speed > 0 && before - car.speed > 6)
    drive(&car, 60, -1)
    #expect(car.speed == -VehicleModel.reverseLimit)
    #expect(car.isSettled(under: Input(throttle: -1)))
    drive(&car, 2, 0)
    #expect(car.speed == 0)
  }

  @Test func `the same inputs give the same drive at any frame rate`() {
    var fine = VehicleModel()
    var coarse = VehicleModel()
    for _ in 0..<1200 { fine.advance(by: 1.0 / 240, input: Input(throttle: 0.7, steering: 0.3)) }
    for _ in 0..<100 { coarse.advance(by: 0.05, input: Input(throttle: 0.7, steering: 0.3)) }
    #expect(fine.speed == coarse.speed)
    #expect(fine.heading == coarse.heading)
  }

  @Test func `a stall passes a quarter of a second at most; no time and no number pass nothing`() {
    var car = VehicleModel()
    car.advance(by: 3600, input: Input(throttle: 1))
    #expect(car.speed > 1 && car.speed < 2)
    let same = car
    for seconds in [0, -1, Double.nan, -Double.infinity, Double.infinity] {
      car.advance(by: seconds, input: Input(throttle: 1))
    }
    #expect(car == same)
  }

  @Test func `a settled car passes an hour at once`() {
    var car = VehicleModel()
    drive(&car, 120, 1)
    let (speed, there) = (car.speed, car.distance)
    let changed = car.advance(by: 3600, input: Input(throttle: 1))
    #expect(!changed && car.speed == speed)
    #expect(abs(car.distance - there - 3600 * speed) < 1e-6)
  }

  @Test func `NaN and excess in the inputs stop or clamp`() {
    var car = VehicleModel()
    drive(&car, 1, .nan, steering: .nan)
    #expect(car.speed == 0 && car.heading == 0)
    var twice = VehicleModel()
    drive(&twice, 5, 2)
    drive(&car, 5, 1)
    #expect(car.speed == twice.speed)
  }

  @Test(arguments: [(1.0, true), (-1.0, false)])
  func `steering turns it, right is clockwise, and the heading stays within a turn`(steering: Double, right: Bool) {
    var car = VehicleModel()
    drive(&car, 0.5, 1, steering: steering)
    #expect(right ? car.heading > 1 && car.heading < 90 : car.heading > 270 && car.heading < 359)
    for _ in 0..<200 {
      drive(&car, 0.25, 1, steering: steering)
      #expect(car.heading >= 0 && car.heading < 360)
    }
    #expect(!car.isSettled(under: Input(throttle: 1, steering: steering)))
  }

  @Test func `standing still it doesn't turn, and the way counts in both directions`() {
    var car = VehicleModel()
    drive(&car, 2, 0, steering: 1)
    #expect(car.heading == 0)
    drive(&car, 2, 1)
    let there = car.distance
    drive(&car, 10, 0)
    drive(&car, 5, -1)
    #expect(there > 5 && car.distance > there + 5)
  }
}

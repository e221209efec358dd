import Controls
import TestSupport
import Testing

/// Tests of a slider's value: limits, steps, a finger, keys.
nonisolated struct SliderModelTests {
  private let finger = TouchID(seat: SeatID(1), contact: .finger(0))

  private func model(
    _ value: Double = 0, in limits: ClosedRange<Double> = 0...1, step: Double = 0, points: Double = 100
  ) -> TrackModel {
    var model = TrackModel(.single, axis: TrackAxis(start: 0, extent: points))
    model.values.maximum = limits.upperBound
    model.values.minimum = limits.lowerBound
    model.values.step = step
    model.values.upper = value
    return model
  }

  @Test(arguments: [(0.5, 0.5), (-1, 0), (7, 1), (.nan, 0.25), (.infinity, 0.25)])
  func `R-D5: a value is within the limits, and never none`(set: Double, expected: Double) {
    var model = model(0.25)
    model.values.upper = set
    #expect(model.values.upper == expected)
  }

  @Test func `R-D5: other limits keep the value inside, in any order`() {
    var model = model(0.5)
    model.values.minimum = 3
    #expect(
      model.values.minimum == 3 && model.values.maximum == 3 && model.values.upper == 3
        && model.values.fraction(of: .upper) == 0)
    model.values.maximum = 9
    model.values.upper = 8
    model.values.maximum = 5
    #expect(model.values.upper == 5)
    model.values.maximum = -5
    #expect(model.values.minimum == -5 && model.values.upper == -5 && model.position(of: .upper) == 0)
    model.values.minimum = .nan
    model.values.maximum = .infinity
    model.values.step = .nan
    #expect(model.values.minimum == -5 && model.values.maximum == -5 && model.values.step == 0)
    model.values.step = -3
    #expect(model.values.step == 0)
  }

  @Test func `R-D2: past an end and back, the thumb is where the finger left it, and exactly where it began`() {
    var model = model(1.0 / 3)
    changes(model.grab(.thumb(.upper), by: finger, at: 70))
    for place in [500.0, -500, 80, -40, 300] { model.drag(finger, to: place) }
    #expect(model.values.upper == 1)
    model.drag(finger, to: 90)
    #expect(abs(model.values.upper - (1.0 / 3 + 0.2)) < 1e-12)
    model.drag(finger, to: 70)
    #expect(model.values.upper == 1.0 / 3)
  }

  @Test func `R-D3: a change is told, and only a change`() {
    var model = model(0.5)
    keeps(model.drag(finger, to: 60), "holds nothing")
    model.grab(.thumb(.upper), by: finger, at: 50)
    keeps(model.grab(.thumb(.upper), by: TouchID(seat: SeatID(1), contact: .finger(1)), at: 50), "held")
    keeps(model.drag(finger, to: 50))
    changes(model.drag(finger, to: 300))
    keeps(model.drag(finger, to: 400))
    keeps(model.drag(finger, to: .nan))
    model.release(finger)
    keeps(model.drag(finger, to: 20))
    changes(model.choose(.upper, at: 20))
    keeps(model.choose(.upper, at: 20))
  }

  @Test(arguments: [(0.0, 0.0), (1.4, 0), (1.6, 3), (4.4, 3), (4.6, 6), (9.1, 9), (9.6, 10), (10, 10), (99, 10)])
  func `a person chooses among steps, and the maximum`(asked: Double, chosen: Double) {
    var model = model(in: 0...10, step: 3)
    model.choose(.upper, at: asked * 10)
    #expect(model.values.upper == chosen)
  }

  @Test func `steps count from the minimum; code may set values between, and a finger finds them again`() {
    var model = model(7.5, in: 5...25, step: 5, points: 20)
    #expect(model.values.upper == 7.5)
    model.grab(.thumb(.upper), by: finger, at: 3)
    changes(model.drag(finger, to: 7))
    #expect(model.values.upper == 10)
    changes(model.drag(finger, to: 3))
    #expect(model.values.upper == 7.5)
  }

  @Test func `R-D11: keys go by hundredths, or to the next step`() {
    var model = model(0.5)
    changes(model.step(.upper, by: 1))
    #expect(abs(model.values.upper - 0.51) < 1e-12)
    changes(model.step(.upper, by: -10))
    #expect(abs(model.values.upper - 0.41) < 1e-12)
    changes(model.stepToEnd(.upper, upwards: true))
    keeps(model.stepToEnd(.upper, upwards: true))
    keeps(model.step(.upper, by: 1))
    model = self.model(4, in: 0...10, step: 3)
    for (steps, expected) in [(1.0, 6.0), (1, 9), (1, 10), (1, 10), (-1, 9), (-10, 0)] {
      model.step(.upper, by: steps)
      #expect(model.values.upper == expected)
    }
    model.values.upper = 4
    model.step(.upper, by: -1)
    #expect(model.values.upper == 3, "the next one down")
    model.grab(.thumb(.upper), by: finger, at: 0)
    keeps(model.step(.upper, by: 1), "in the finger's hand")
  }

  @Test func `R-D6: without room nothing moves`() {
    var model = model(0.5, points: 0)
    model.grab(.thumb(.upper), by: finger, at: 0)
    keeps(model.drag(finger, to: 50))
    keeps(model.choose(.upper, at: 50))
    #expect(model.values.upper == 0.5 && model.position(of: .upper) == 0)
  }

  @Test(arguments: 1...10)
  func `R-D5: consistent after anything`(seed: Int) {
    var random = Random(seed)
    var model = model()
    for _ in 0..<400 {
      let number = [random.number(-3, 3), random.number(-1e9, 1e9), .nan, .infinity, 0, 1][random.below(6)]
      switch random.below(9) {
      case 0: model.values.minimum = number
      case 1: model.values.maximum = number
      case 2: model.values.upper = number
      case 3: model.values.step = number
      case 4: model.step(.upper, by: number)
      case 5: model.grab(.thumb(.upper), by: finger, at: number)
      case 6: model.release(finger)
      case 7: model.choose(.upper, at: number)
      default: model.drag(finger, to: number)
      }
      #expect(
        model.values.minimum <= model.values.upper && model.values.upper <= model.values.maximum
          && model.values.upper.isFinite, "seed \(seed)")
    }
  }
}

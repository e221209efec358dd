import Controls
import TestSupport
import Testing

/// The test that a range stays consistent whatever is done to it, in whatever order.
nonisolated struct RangePropertyTests {
  /// Numbers as they come: usual ones, the edges, and none.
  private func number(_ random: inout Random) -> Double {
    switch random.below(12) {
    case 0: [0, 1, -1, 0.5][random.below(4)]
    case 1: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude][random.below(5)]
    case 2: random.number(-1e9, 1e9)
    case 3: random.number(-1e-9, 1e-9)
    default: random.number(-3, 3)
    }
  }

  private func position(_ random: inout Random, _ model: TrackModel) -> Double {
    switch random.below(4) {
    case 0: number(&random)
    case 1: model.position(of: .lower) + random.number(-5, 5)
    case 2: model.position(of: .upper) + random.number(-5, 5)
    default: random.number(-100, 500)
    }
  }

  /// One random action of a program or a user; its name, for failures.
  private func act(_ model: inout TrackModel, _ random: inout Random) -> String {
    let id = TouchID(seat: SeatID(1), contact: .finger(Int32(random.below(3))))
    let thumb = RangeSlider.Thumb.allCases[random.below(2)]
    switch random.below(14) {
    case 0: model.values.minimum = number(&random)
    case 1: model.values.maximum = number(&random)
    case 2: model.values.minimumSpan = number(&random)
    case 3: model.values.maximumSpan = random.below(3) == 0 ? nil : number(&random)
    case 4: model.values.lower = number(&random)
    case 5: model.values.upper = number(&random)
    case 6:
      model.axis = TrackAxis(
        start: random.number(-50, 50), extent: random.below(5) == 0 ? 0 : random.number(-400, 400))
    case 7: model.step(thumb, by: number(&random))
    case 8: model.stepToEnd(thumb, upwards: random.below(2) == 0)
    case 9: model.release(id)
    case 10:
      let place = position(&random, model)
      if let part = model.part(at: place, thumbLength: 31, touchLength: 44) {
        if !model.grab(part, by: id, at: place), model.part(heldBy: id) == nil { return "a part that isn't taken" }
      }
    case 11:
      let old = (model.values.lower, model.values.upper)
      let changed = model.drag(id, to: position(&random, model))
      if changed != (old != (model.values.lower, model.values.upper)) { return "a change told wrongly" }
    default: model.drag(id, to: position(&random, model))
    }
    return ""
  }

  private func faults(_ model: TrackModel) -> [String] {
    var faults: [String] = []
    func check(_ isRight: Bool, _ name: String) { if !isRight { faults.append(name) } }
    let numbers = [
      model.values.minimum, model.values.maximum, model.values.lower, model.values.upper, model.values.shortest,
      model.values.longest,
    ]
    check(numbers.allSatisfy(\.isFinite) && model.offsetTrend.isFinite, "a number is none")
    check(model.values.minimum <= model.values.lower, "the lower end is below the minimum")
    check(model.values.lower <= model.values.upper, "the ends are crossed")
    check(model.values.upper <= model.values.maximum, "the upper end is above the maximum")
    let slack = max(abs(model.values.minimum), abs(model.values.maximum)) * 1e-12
    check(model.values.upper - model.values.lower >= model.values.shortest - slack, "the range is too short")
    check(model.values.upper - model.values.lower <= model.values.longest + slack, "the range is too long")
    check(model.position(of: .lower).isFinite && model.position(of: .upper).isFinite, "a place is none")
    return faults
  }

  @Test(arguments: 1...40)
  func `R-D5, O-D3: consistent after anything, in any order`(seed: Int) {
    var random = Random(seed)
    var model = TrackModel(.pair, axis: TrackAxis(start: 15.5, extent: 289))
    for number in 0..<600 {
      let before = model
      var wrong = act(&model, &random)
      if wrong.isEmpty { wrong = faults(model).joined(separator: ", ") }
      guard !wrong.isEmpty else { continue }
      Issue.record("seed \(seed), step \(number): \(wrong); before: \(before.values); after: \(model.values)")
      return
    }
  }

  @Test(arguments: 1...20)
  func `O2, R-D5: limits and spans set in any order give the same limits and spans`(seed: Int) {
    var random = Random(seed)
    let (least, greatest) = (random.number(-10, 10), random.number(0, 20))
    let values = (minimum: -5.0 * Double(seed % 3), maximum: 7.0 + Double(seed), least: least, greatest: greatest)
    var results: Set<[Double]> = []
    for _ in 0..<12 {
      var model = TrackModel(.pair)
      var order = [0, 1, 2, 3]
      for index in order.indices { order.swapAt(index, random.below(4)) }
      for what in order {
        switch what {
        case 0: model.values.minimum = values.minimum
        case 1: model.values.maximum = values.maximum
        case 2: model.values.minimumSpan = values.least
        default: model.values.maximumSpan = values.greatest
        }
      }
      results.insert([model.values.minimum, model.values.maximum, model.values.shortest, model.values.longest])
    }
    #expect(results.count == 1)
  }

  @Test(arguments: 1...30)
  func `R-D1, O-D8: from anywhere, a finger on a thumb gets it moving`(seed: Int) {
    var random = Random(seed)
    for _ in 0..<60 {
      var model = TrackModel(.pair, axis: TrackAxis(start: 15.5, extent: random.below(2) == 0 ? 289 : -289))
      model.values.lower = [0, 1, random.number(0, 1)][random.below(3)]
      model.values.upper = [model.values.lower, 1, random.number(0, 1)][random.below(3)]
      let before = model
      let place = model.position(of: RangeSlider.Thumb.allCases[random.below(2)]) + random.number(-9, 9)
      guard let part = model.part(at: place, thumbLength: 31, touchLength: 44) else { continue }
      let id = TouchID(seat: SeatID(1), contact: .pointer)
      // Towards one end and then towards the other, in either order: one of them must move it.
      model.grab(part, by: id, at: place)
      let ways = random.below(2) == 0 ? [-500.0, 500] : [500, -500]
      let moved = ways.map { model.drag(id, to: place + $0) }
      #expect(moved.contains(true), "seed \(seed): \(before.values) at \(place) by \(part)")
    }
  }
}

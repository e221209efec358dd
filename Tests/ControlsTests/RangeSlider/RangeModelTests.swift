import Controls
import Testing

/// A range with limits, spans and ends in one line.
nonisolated func range(
  _ lower: Double, _ upper: Double, in limits: ClosedRange<Double> = 0...1, spans: ClosedRange<Double>? = nil
) -> TrackModel {
  var model = TrackModel(
    TrackValues(
      minimum: limits.lowerBound, maximum: limits.upperBound, minimumSpan: spans?.lowerBound ?? 0,
      maximumSpan: spans?.upperBound))
  model.values.lower = lower
  model.values.upper = upper
  return model
}

/// Records an issue unless the range is from `lower` to `upper`, but for rounding.
nonisolated func expect(
  _ model: TrackModel, _ lower: Double, _ upper: Double, _ comment: Comment? = nil,
  at location: SourceLocation = #_sourceLocation
) {
  let isRight = abs(model.values.lower - lower) < 1e-12 && abs(model.values.upper - upper) < 1e-12
  #expect(isRight, "\(comment ?? "") is \(model.values), not (\(lower) \(upper))", sourceLocation: location)
}

nonisolated struct RangeModelTests {
  /// Setting an end of `model` in code gives this range, and asks no drag for an offset (O-D2).
  private func expectSetting(
    _ end: WritableKeyPath<TrackModel, Double>, of model: TrackModel, to value: Double, _ lower: Double,
    _ upper: Double, at location: SourceLocation = #_sourceLocation
  ) {
    var model = model
    model[keyPath: end] = value
    expect(model, lower, upper, at: location)
    #expect(model.offsetTrend == 0, "O-D2", sourceLocation: location)
  }

  @Test func `R2: a new range is from 0.2 to 0.8 within 0 and 1`() {
    let model = TrackModel(.pair)
    #expect(
      model.values.minimum == 0 && model.values.maximum == 1 && model.values.lower == 0.2 && model.values.upper == 0.8)
    #expect(model.offsetTrend == 0 && !model.isHeld && !model.isDragging)
  }

  @Test func `O1: the ends are within the minimum and the maximum, 0 and 1 by default`() {
    var model = TrackModel(.pair)
    model.values.lower = -3
    model.values.upper = 7
    expect(model, 0, 1)
  }

  @Test func `O11: made from limits and spans, a range begins at the minimum and is as long as it may be`() {
    expect(TrackModel(TrackValues(minimum: 0, maximum: 1, minimumSpan: 0.1, maximumSpan: 0.7)), 0, 0.7)
    expect(TrackModel(TrackValues(minimum: 0, maximum: 1)), 0, 0.7)
    expect(TrackModel(TrackValues(minimum: 50, maximum: 60, minimumSpan: 0, maximumSpan: nil)), 50, 60)
    expect(TrackModel(TrackValues(minimum: -1, maximum: 1, minimumSpan: 0, maximumSpan: 9)), -1, 1)
    expect(TrackModel(TrackValues(minimum: 3, maximum: -3, minimumSpan: 1, maximumSpan: 2)), 3, 3, "no room")
  }

  @Test func `O-D1: unless one is set there is no greatest span but the limits' length`() {
    var model = TrackModel(.pair)
    #expect(model.values.maximumSpan == nil && model.values.longest == 1)
    model.values.maximum = 100
    model.values.lower = 0
    model.values.upper = 100
    expect(model, 0, 100)
    #expect(model.values.longest == 100 && model.values.shortest == 0)
  }

  // MARK: Setting ends

  @Test(arguments: [
    // Clamped to the limits less the least span.
    (-0.5, 0.0, 0.6), (0.95, 0.9, 1.0), (1.5, 0.9, 1.0),
    // The other end stays while the length is within the spans.
    (0.3, 0.3, 0.6), (0.1, 0.1, 0.6), (0.5, 0.5, 0.6),
    // Beyond them it is pushed or pulled.
    (0.55, 0.55, 0.65), (0.7, 0.7, 0.8),
  ])
  func `O15: the lower end set in code`(value: Double, lower: Double, upper: Double) {
    expectSetting(\.values.lower, of: range(0.2, 0.6, spans: 0.1...0.7), to: value, lower, upper)
  }

  @Test(arguments: [
    (1.5, 0.4, 1.0), (0.05, 0.0, 0.1), (-1.0, 0.0, 0.1), (0.7, 0.4, 0.7), (0.45, 0.35, 0.45), (0.3, 0.2, 0.3),
  ])
  func `O16: the upper end set in code`(value: Double, lower: Double, upper: Double) {
    expectSetting(\.values.upper, of: range(0.4, 0.8, spans: 0.1...0.7), to: value, lower, upper)
  }

  @Test func `O15, O16, O3: an end beyond the greatest span pulls the other one, which stays there`() {
    var model = range(0.25, 0.9, spans: 0.1...0.7)
    model.values.lower = 0.15
    expect(model, 0.15, 0.85)
    model.values.lower = -1
    expect(model, 0, 0.7)
    model.values.lower = 0.5
    expect(model, 0.5, 0.7)
    model = range(0.1, 0.75, spans: 0.1...0.7)
    model.values.upper = 0.9
    expect(model, 0.2, 0.9)
    model.values.upper = 9
    expect(model, 0.3, 1)
  }

  @Test func `O2: the spans limit the length, and both ends can be read and set`() {
    var model = range(0.2, 0.6, spans: 0.1...0.7)
    #expect(model.values.minimumSpan == 0.1 && model.values.maximumSpan == 0.7)
    model.values.minimumSpan = 0.5
    expect(model, 0.2, 0.7)
    model.values.maximumSpan = 0.5
    model.values.upper = 1
    expect(model, 0.5, 1)
    model.values.lower = 0
    expect(model, 0, 0.5)
  }

  // MARK: Limits and spans

  @Test(arguments: [
    (0.0, 1.0, 0.2, 0.8), (0.3, 1.0, 0.3, 0.8), (0.9, 1.0, 0.9, 0.9), (0.0, 0.5, 0.2, 0.5), (0.0, 0.1, 0.1, 0.1),
    (-1.0, 2.0, 0.2, 0.8), (2.0, 2.0, 2.0, 2.0), (2.0, 3.0, 2.0, 2.0),
  ])
  func `R-D5: other limits keep the ends inside, in any order`(
    minimum: Double, maximum: Double, lower: Double, upper: Double
  ) {
    var model = TrackModel(.pair)
    model.values.maximum = maximum
    model.values.minimum = minimum
    expect(model, lower, upper, "the maximum first")
    model = TrackModel(.pair)
    model.values.minimum = minimum
    model.values.maximum = maximum
    expect(model, lower, upper, "the minimum first")
  }

  @Test func `R-D5: a minimum above the maximum takes it along, and the other way round`() {
    var model = TrackModel(.pair)
    model.values.minimum = 5
    #expect(model.values.minimum == 5 && model.values.maximum == 5)
    expect(model, 5, 5)
    model.values.maximum = -5
    #expect(model.values.minimum == -5 && model.values.maximum == -5)
    #expect(model.position(of: .lower) == 0 && model.position(of: .upper) == 0, "no division by nothing")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `R-D5, O-D3: NaN and infinity change nothing`(bad: Double) {
    var model = range(0.2, 0.6, spans: 0.1...0.7)
    let before = model
    model.values.minimum = bad
    model.values.maximum = bad
    model.values.lower = bad
    model.values.upper = bad
    model.values.minimumSpan = bad
    model.values.maximumSpan = bad
    #expect(model == before)
    model.axis = TrackAxis(start: bad, extent: bad)
    #expect(model.axis == TrackAxis(start: 0, extent: 0))
    #expect(model.part(at: bad, thumbLength: 1, touchLength: 1) == nil)
  }

  @Test func `R-D5: enormous numbers stay numbers`() {
    var model = TrackModel(.pair)
    model.values.minimum = -.greatestFiniteMagnitude
    model.values.maximum = .greatestFiniteMagnitude
    #expect(model.values.longest.isFinite && model.position(of: .upper).isFinite)
    model.values.upper = .greatestFiniteMagnitude
    #expect(model.values.upper == model.values.maximum && model.position(of: .upper) == 1)
  }

  @Test(
    arguments: [
      // Spans longer than the limits count as their length.
      (3.0, nil, 0.0, 1.0), (0.0, 5.0, 0.2, 0.8), (1.0, 1.0, 0.0, 1.0),
      // A least span above the greatest is the stronger one.
      (0.5, 0.3, 0.2, 0.7), (0.7, 0.0, 0.2, 0.9),
      // Negative ones count as 0.
      (-1.0, nil, 0.2, 0.8), (0.0, -1.0, 0.2, 0.2),
    ] as [(Double, Double?, Double, Double)])
  func `O-D3: spans that contradict each other or the limits`(
    least: Double, greatest: Double?, lower: Double, upper: Double
  ) {
    for order in [[0, 1], [1, 0]] {
      var model = TrackModel(.pair)
      model.values.upper = order == [0, 1] ? 0.8 : 0.8
      for what in order {
        if what == 0 { model.values.minimumSpan = least } else { model.values.maximumSpan = greatest }
      }
      #expect(model.values.shortest <= model.values.longest)
      #expect(model.values.upper - model.values.lower >= model.values.shortest - 1e-12)
      #expect(model.values.upper - model.values.lower <= model.values.longest + 1e-12)
      if order == [0, 1] { expect(model, lower, upper) }
    }
  }

  @Test func `O-D3: spans asked for too long for the limits come true when there is room`() {
    var model = TrackModel(.pair)
    model.values.minimumSpan = 10
    model.values.maximumSpan = 20
    expect(model, 0, 1)
    model.values.maximum = 100
    expect(model, 0, 10)
    model.values.upper = 50
    expect(model, 30, 50)
  }

  @Test func `R22: a range says its ends as the log does`() {
    #expect("Range slider value changed: \(TrackValues.pair)" == "Range slider value changed: (0.2 0.8)")
  }

  // MARK: Positions

  @Test(arguments: [(0.0, 15.5), (1.0, 304.5), (0.5, 160.0), (0.2, 73.3)])
  func `R7: where values lie on a slider of 320 x 31`(value: Double, x: Double) {
    let geometry = TrackGeometry(size: Size(width: 320, height: 31))
    let limits = ValueLimits()
    #expect(abs(limits.position(of: value, on: geometry.axis) - x) < 1e-9)
    // The formula as it stands in the article.
    #expect(abs((320.0 - 31) * (value - 0) / (1 - 0) + 31 / 2 - x) < 1e-9)
  }

  @Test(arguments: [(-10.0, 20.0), (30, 290), (0, 87.5), (40, 357.5)])
  func `O10: from values to places and back, with insets, also beyond the ends`(value: Double, x: Double) {
    let limits = ValueLimits(minimum: -10, maximum: 30)
    let insets = EdgeInsets(left: 20, right: 30)
    let geometry = TrackGeometry(size: Size(width: 320, height: 31), insets: insets)
    #expect(abs(limits.position(of: value, on: geometry.axis) - x) < 1e-9)
    #expect(abs((limits.value(at: x, on: geometry.axis) ?? .nan) - value) < 1e-9)
  }

  @Test func `R-D6: without room, places say no value`() {
    let limits = ValueLimits()
    #expect(limits.value(at: 3, on: TrackAxis(start: 5, extent: 0)) == nil)
    #expect(ValueLimits(minimum: 2, maximum: 2).value(at: 3, on: TrackAxis(start: 0, extent: 9)) == nil)
    #expect(ValueLimits(minimum: 2, maximum: 2).fraction(of: 2) == 0)
    #expect(limits.position(of: 0.5, on: TrackAxis(start: 5, extent: 0)) == 5)
  }
}

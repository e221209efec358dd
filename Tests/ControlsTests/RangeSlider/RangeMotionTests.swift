import Controls
import TestSupport
import Testing

/// Tests of what fingers and keys make of a range.
nonisolated struct RangeMotionTests {
  private func finger(_ number: Int32) -> TouchID { TouchID(seat: SeatID(1), contact: .finger(number)) }

  /// The range after one finger took `part` at `start` and went through `places`.
  private func dragged(_ model: TrackModel, _ part: TrackModel.Part, from start: Double, through places: [Double])
    -> TrackModel
  {
    var model = model
    model.grab(part, by: finger(0), at: start)
    for place in places { model.drag(finger(0), to: place) }
    return model
  }

  // MARK: Thumbs

  @Test(arguments: [
    (0.5, 0.5, 0.8), (0.0, 0.0, 0.8), (-3.0, 0.0, 0.8), (0.8, 0.8, 0.8), (0.95, 0.8, 0.8), (5, 0.8, 0.8),
  ])
  func `R15: without spans the lower thumb stops at the minimum and at the upper one`(
    place: Double, lower: Double, upper: Double
  ) {
    expect(dragged(TrackModel(.pair), .thumb(.lower), from: 0.2, through: [place]), lower, upper)
  }

  @Test(arguments: [(0.5, 0.2, 0.5), (1.0, 0.2, 1.0), (9.0, 0.2, 1.0), (0.2, 0.2, 0.2), (0.1, 0.2, 0.2)])
  func `R15: without spans the upper thumb stops at the lower one and at the maximum`(
    place: Double, lower: Double, upper: Double
  ) {
    expect(dragged(TrackModel(.pair), .thumb(.upper), from: 0.8, through: [place]), lower, upper)
  }

  @Test(arguments: [
    (RangeSlider.Thumb.lower, 0.3, 0.3, 0.8), (.lower, 0.75, 0.75, 0.85), (.lower, 0.05, 0.05, 0.75),
    (.lower, 0.99, 0.9, 1.0), (.lower, -1, 0.0, 0.7), (.upper, 0.25, 0.15, 0.25), (.upper, 0.95, 0.25, 0.95),
    (.upper, 2, 0.3, 1.0), (.upper, -2, 0.0, 0.1),
  ])
  func `O3: where a span ends, the other thumb is pushed or pulled`(
    thumb: RangeSlider.Thumb, place: Double, lower: Double, upper: Double
  ) {
    let model = range(0.2, 0.8, spans: 0.1...0.7)
    expect(dragged(model, .thumb(thumb), from: model.values[thumb], through: [place]), lower, upper)
  }

  @Test func `R14: the value follows the finger by the value's share of the way`() {
    var model = TrackModel(.pair, axis: TrackGeometry(size: Size(width: 320, height: 31)).axis)
    model.values.maximum = 10
    model.values.upper = 10
    model.grab(.thumb(.lower), by: finger(0), at: 20)
    let before = model.values.lower
    changes(model.drag(finger(0), to: 20 + 57.8))
    #expect(abs(model.values.lower - before - 10 * 57.8 / (320 - 31)) < 1e-12)
  }

  @Test func `R-D2: after overshooting the end, finger and thumb meet where they parted`() {
    var model = TrackModel(.pair)
    model.grab(.thumb(.upper), by: finger(0), at: 0.83)
    changes(model.drag(finger(0), to: 7))
    keeps(model.drag(finger(0), to: 1.03), "still past the end")
    expect(model, 0.2, 1)
    changes(model.drag(finger(0), to: 0.93))
    expect(model, 0.2, 0.9)
    model.drag(finger(0), to: 0.83)
    #expect(model.values.upper == 0.8, "exactly where it began")
  }

  @Test func `R-D2, O-D8: nothing drifts in ten thousand moves, nor in a thousand drags`() {
    var model = range(10, 20, in: -100...100)
    model.axis = TrackAxis(start: 15.5, extent: 289)
    var random = Random(4)
    model.grab(.bar, by: finger(0), at: 150)
    for _ in 0..<10_000 {
      model.drag(finger(0), to: random.number(-400, 700))
      #expect(abs(model.values.upper - model.values.lower - 10) < 1e-12)
    }
    model.drag(finger(0), to: 150)
    #expect(model.values.lower == 10 && model.values.upper == 20)
    for _ in 0..<1000 {
      model.release(finger(0))
      model.grab(.bar, by: finger(0), at: 150)
      for _ in 0..<3 { model.drag(finger(0), to: random.number(-400, 700)) }
      model.drag(finger(0), to: 150)
    }
    #expect(model.values.lower == 10 && model.values.upper == 20)
  }

  @Test func `R-D3: only what changes the range is told`() {
    var model = TrackModel(.pair)
    model.grab(.thumb(.lower), by: finger(0), at: 0.2)
    changes(model.drag(finger(0), to: -1))
    keeps(model.drag(finger(0), to: -2))
    keeps(model.drag(finger(0), to: -0.5))
    keeps(model.drag(finger(0), to: .nan))
    keeps(model.drag(finger(1), to: 0.5), "holds nothing")
    changes(model.drag(finger(0), to: 0.1))
    keeps(model.drag(finger(0), to: 0.1))
  }

  // MARK: Bar

  @Test(arguments: [
    (0.1, 0.3, 0.7, 0.0), (-0.1, 0.1, 0.5, 0.0), (0.4, 0.6, 1.0, 0.0), (0.55, 0.6, 1.0, 0.15),
    (-0.2, 0.0, 0.4, 0.0), (-0.45, 0.0, 0.4, -0.25),
  ])
  func `O4, O17: the bar moves both ends, keeps the length, and reports what is past an end`(
    travel: Double, lower: Double, upper: Double, trend: Double
  ) {
    let model = dragged(range(0.2, 0.6, spans: 0.1...0.7), .bar, from: 0.5, through: [0.5 + travel])
    expect(model, lower, upper)
    #expect(abs(model.offsetTrend - trend) < 1e-12)
  }

  @Test func `O17: a bar whose length the spans no longer allow takes one that they do`() {
    var model = range(0.2, 0.6)
    model.grab(.bar, by: finger(0), at: 0.4)
    model.values.maximumSpan = 0.3
    model.drag(finger(0), to: 0.5)
    expect(model, 0.3, 0.6)
    model.values.maximumSpan = nil
    model.drag(finger(0), to: 0.4)
    expect(model, 0.2, 0.6, "as it was taken")
  }

  // MARK: Trend

  @Test(arguments: [
    (RangeSlider.Thumb.lower, -0.3, -0.3), (.lower, 0.0, 0.0), (.lower, 0.9, 0.0), (.lower, 1.1, 0.2),
    (.upper, 1.5, 0.5),
    (.upper, 0.1, 0.0), (.upper, -0.3, -0.4),
  ])
  func `O6, O15, O16: what a drag asks for past an end is the trend`(
    thumb: RangeSlider.Thumb, place: Double, trend: Double
  ) {
    let model = range(0.2, 0.6, spans: 0.1...0.7)
    // Taken beside the thumb's middle, as large thumbs are.
    let moved = dragged(model, .thumb(thumb), from: model.values[thumb] + 0.05, through: [place + 0.05])
    #expect(abs(moved.offsetTrend - trend) < 1e-12)
  }

  @Test func `O6: reading with reset gives the trend once; back inside it is none`() {
    var model = TrackModel(.pair)
    model.grab(.thumb(.upper), by: finger(0), at: 0.8)
    model.drag(finger(0), to: 1.25)
    #expect(abs(model.offsetTrend - 0.25) < 1e-12 && model.values.upper == 1)
    let read = model.getAndResetOffsetTrend()
    #expect(abs(read - 0.25) < 1e-12)
    #expect(model.offsetTrend == 0)
    let again = model.getAndResetOffsetTrend()
    #expect(again == 0)
    model.drag(finger(0), to: 1.5)
    #expect(abs(model.offsetTrend - 0.25) < 1e-12, "how far it went, not how far it is past the end")
    #expect(abs(model.overshoot - 0.5) < 1e-12)
    model.drag(finger(0), to: 1.5)
    #expect(model.offsetTrend == 0, "no way, no trend")
    model.drag(finger(0), to: 0.9)
    #expect(abs(model.offsetTrend + 0.5) < 1e-12 && model.overshoot == 0, "the way back to the end")
    model.drag(finger(0), to: 0.8)
    #expect(model.offsetTrend == 0)
  }

  @Test func `O6: a program that scrolls by the trend of each move stays with the finger and never runs away`() {
    for (part, start) in [(TrackModel.Part.thumb(.upper), 0.6), (.thumb(.lower), 0.2), (.bar, 0.4)] {
      var model = range(0.2, 0.6, spans: 0.1...0.7)
      var random = Random(11)
      var scrolled = 0.0
      model.grab(part, by: finger(0), at: start)
      for step in 0..<1000 {
        // A finger that trembles past an end, and comes back now and then.
        model.drag(finger(0), to: step % 50 == 0 ? start : start + random.number(-2, 3))
        scrolled += model.getAndResetOffsetTrend()
        #expect(abs(scrolled - model.overshoot) < 1e-9)
      }
      model.drag(finger(0), to: start)
      scrolled += model.getAndResetOffsetTrend()
      #expect(abs(scrolled) < 1e-9, "back where it began")
    }
  }

  @Test func `O6: scrolling by the trend under the finger moves the limits with it, once`() {
    var model = TrackModel(.pair)
    model.grab(.thumb(.upper), by: finger(0), at: 0.8)
    for place in [1.0, 1.1, 1.2, 1.2, 1.3] {
      model.drag(finger(0), to: place)
      let trend = model.getAndResetOffsetTrend()
      guard trend != 0 else { continue }
      model.values.maximum += trend
      model.values.minimum += trend
    }
    #expect(abs(model.values.maximum - 1.3) < 1e-9 && abs(model.values.minimum - 0.3) < 1e-9)
  }

  @Test func `O6: the distance past an end is that of the finger furthest past it, and ends with the finger`() {
    var model = range(0.2, 0.6, spans: 0.1...0.9)
    model.grab(.thumb(.lower), by: finger(0), at: 0.2)
    model.grab(.thumb(.upper), by: finger(1), at: 0.6)
    model.drag(finger(0), to: -0.25)
    model.drag(finger(1), to: 1.125)
    #expect(abs(model.overshoot + 0.25) < 1e-12 && abs(model.offsetTrend - 0.125) < 1e-12)
    model.release(finger(0))
    #expect(abs(model.overshoot - 0.125) < 1e-12)
    model.release(finger(1))
    #expect(model.overshoot == 0)
    #expect(abs(model.offsetTrend - 0.125) < 1e-12, "kept until it is read")
  }

  @Test func `O-D2: code and keys leave the trend alone`() {
    var model = TrackModel(.pair)
    model.grab(.thumb(.upper), by: finger(0), at: 0.8)
    model.drag(finger(0), to: 1.25)
    model.release(finger(0))
    model.values.lower = -9
    model.values.upper = 9
    model.values.maximum = 0.5
    model.step(.upper, by: 500)
    let read = model.getAndResetOffsetTrend()
    #expect(abs(read - 0.25) < 1e-12, "kept until it is read")
    model.values.lower = -9
    model.values.upper = 9
    model.step(.lower, by: -500)
    #expect(model.offsetTrend == 0)
  }

  // MARK: Which part a finger takes

  /// A slider of 320 x 31, whose thumbs' middles are at 15.5 + 289 v.
  private func laidOut(_ lower: Double, _ upper: Double, spans: ClosedRange<Double>? = nil) -> TrackModel {
    var model = range(lower, upper, spans: spans)
    model.axis = TrackGeometry(size: Size(width: 320, height: 31)).axis
    return model
  }

  private func part(_ model: TrackModel, _ position: Double) -> TrackModel.Part? {
    model.part(at: position, thumbLength: 31, touchLength: 44)
  }

  @Test(
    arguments: [
      (73.3, TrackModel.Part.thumb(.lower)), (73.3 - 21, .thumb(.lower)), (73.3 - 23, nil), (73.3 + 21, .thumb(.lower)),
      (73.3 + 23, .bar), (160, .bar), (246.7 - 23, .bar), (246.7, .thumb(.upper)), (246.7 + 21, .thumb(.upper)),
      (246.7 + 23, nil), (2, nil), (318, nil),
    ] as [(Double, TrackModel.Part?)])
  func `R13, O12: thumbs first, then the bar between them, else nothing`(position: Double, expected: TrackModel.Part?) {
    #expect(part(laidOut(0.2, 0.8), position) == expected)
  }

  @Test func `O12: near thumbs leave half of the gap between them to the bar`() {
    // Middles 44 apart: 13 between the drawn thumbs.
    let model = laidOut(0.4, 0.4 + 44.0 / 289)
    let low = model.position(of: .lower)
    #expect(part(model, low + 15.5 + 3) == .thumb(.lower))
    #expect(part(model, low + 15.5 + 3.5) == .bar)
    #expect(part(model, low + 22) == .bar)
    #expect(part(model, low + 15.5 + 10) == .thumb(.upper))
    #expect(part(laidOut(0.4, 0.41), 15.5 + 0.405 * 289 - 0.8) == .thumb(.lower), "overlapping ones: the nearer")
    #expect(part(laidOut(0.4, 0.41), 15.5 + 0.405 * 289 + 0.8) == .thumb(.upper))
  }

  @Test(arguments: [(0.5, 0.3, 0.3, 0.5), (0.5, 0.7, 0.5, 0.7)])
  func `R-D1, O-D8: of two thumbs in one place the drag's direction chooses`(
    value: Double, place: Double, lower: Double, upper: Double
  ) {
    var model = laidOut(value, value)
    let start = model.position(of: .lower) + 4
    #expect(part(model, start) == .either)
    model.grab(.either, by: finger(0), at: start)
    keeps(model.drag(finger(0), to: start))
    changes(model.drag(finger(0), to: start + (place - value) * 289))
    expect(model, lower, upper)
    #expect(model.part(heldBy: finger(0)) == (place < value ? .thumb(.lower) : .thumb(.upper)))
    model.drag(finger(0), to: start + (value - place) * 289)
    expect(model, value, value, "chosen once for all: it stops at the other thumb")
  }

  @Test func `R-D1: both at an end, it is the one that can move, whichever way the finger goes first`() {
    for (value, thumb, inner) in [(0.0, RangeSlider.Thumb.upper, 0.4), (1.0, .lower, 0.6)] {
      var model = laidOut(value, value)
      let start = model.position(of: .lower)
      #expect(part(model, start) == .thumb(thumb))
      model.grab(.thumb(thumb), by: finger(0), at: start)
      keeps(model.drag(finger(0), to: value == 0 ? -50 : 400))
      changes(model.drag(finger(0), to: 15.5 + inner * 289))
      expect(model, min(value, inner), max(value, inner))
    }
  }

  @Test func `O-D8: with a least span both thumbs get away from either end, pushing`() {
    for value in [0.0, 1.0] {
      var model = laidOut(value, value, spans: 0.0001...1)
      let start = model.position(of: .lower)
      #expect(part(model, start) == .either)
      model.grab(.either, by: finger(0), at: start)
      changes(model.drag(finger(0), to: start + (value == 0 ? 80 : -80)))
      #expect(model.values.upper - model.values.lower > 0.25)
    }
  }

  // MARK: Several fingers

  @Test func `R-D10: a finger for each thumb, at once`() {
    var model = laidOut(0.2, 0.8)
    changes(model.grab(.thumb(.lower), by: finger(0), at: 73.3))
    #expect(part(model, 73.3) == nil, "held by another finger")
    #expect(part(model, 160) == nil, "no bar while a thumb is held")
    #expect(part(model, 246.7) == .thumb(.upper))
    changes(model.grab(.thumb(.upper), by: finger(1), at: 246.7))
    keeps(model.grab(.thumb(.upper), by: finger(2), at: 246.7))
    changes(model.drag(finger(0), to: 73.3 - 28.9))
    changes(model.drag(finger(1), to: 246.7 + 28.9))
    expect(model, 0.1, 0.9)
    model.release(finger(0))
    #expect(model.isDragging)
    model.drag(finger(1), to: 246.7)
    expect(model, 0.1, 0.8)
    model.release(finger(1))
    #expect(!model.isDragging && !model.isHeld)
  }

  @Test func `R-D10: a held thumb is no one's to push; it lets the other follow when it goes`() {
    var model = laidOut(0.2, 0.6, spans: 0.1...0.7)
    let (low, high) = (model.position(of: .lower), model.position(of: .upper))
    model.grab(.thumb(.lower), by: finger(0), at: low)
    model.grab(.thumb(.upper), by: finger(1), at: high)
    model.drag(finger(0), to: low + 0.6 * 289)
    expect(model, 0.5, 0.6, "stopped a least span before it")
    model.drag(finger(1), to: high + 0.2 * 289)
    expect(model, 0.7, 0.8, "its finger is further on")
    model.drag(finger(0), to: low - 0.2 * 289)
    expect(model, 0.1, 0.8, "stopped at the greatest span")
  }

  @Test func `R-D10: one finger on the bar, or on two thumbs in one place, holds both`() {
    var model = laidOut(0.2, 0.8)
    changes(model.grab(.bar, by: finger(0), at: 160))
    #expect(part(model, 73.3) == nil && part(model, 160) == nil)
    keeps(model.grab(.thumb(.lower), by: finger(1), at: 73.3))
    #expect(model.isHeld(.lower) && model.isHeld(.upper))
    keeps(model.grab(.thumb(.lower), by: finger(0), at: 73.3), "one finger, one part")
    model.release(finger(0))
    #expect(part(model, 73.3) == .thumb(.lower))
  }

  // MARK: Other changes under a finger

  @Test func `R-D2: limits that change under a finger leave the thumb with it`() {
    var model = TrackModel(.pair)
    model.grab(.thumb(.upper), by: finger(0), at: 0.8)
    model.drag(finger(0), to: 1.5)
    // The range grows while the finger is past its end.
    model.values.maximum = 2
    changes(model.drag(finger(0), to: 0.9))
    #expect(abs(model.position(of: .upper) - 0.9) < 1e-12 && abs(model.values.upper - 1.8) < 1e-12)
    model.axis = TrackAxis(start: 0, extent: 0)
    keeps(model.drag(finger(0), to: 0.1), "R-D6")
  }

  @Test func `what code sets under a finger lasts until the finger moves`() {
    var model = TrackModel(.pair)
    model.grab(.thumb(.lower), by: finger(0), at: 0.2)
    model.drag(finger(0), to: 0.33)
    model.values.lower = 0.3
    expect(model, 0.3, 0.8)
    model.drag(finger(0), to: 0.36)
    expect(model, 0.36, 0.8, "so a program may round every value")
  }

  @Test func `O-D4: a drag begins three points from where the finger took hold, once`() {
    var model = TrackModel(.pair, axis: TrackAxis(start: 0, extent: 100))
    model.grab(.thumb(.lower), by: finger(0), at: 20)
    keeps(model.beginDrag(finger(0), at: 20))
    keeps(model.beginDrag(finger(0), at: 22.9))
    keeps(model.beginDrag(finger(0), at: .nan))
    keeps(model.beginDrag(finger(3), at: 30))
    #expect(!model.isDragging && !model.isDragging(finger(0)))
    changes(model.beginDrag(finger(0), at: 17))
    #expect(model.isDragging && model.isDragging(finger(0)))
    keeps(model.beginDrag(finger(0), at: 50), "once")
  }

  // MARK: Keys

  @Test func `R-D11: keys move a thumb by hundredths, and to where it can go`() {
    var model = TrackModel(.pair)
    changes(model.step(.lower, by: 1))
    expect(model, 0.21, 0.8)
    changes(model.step(.upper, by: -10))
    expect(model, 0.21, 0.7)
    changes(model.step(.lower, by: 100))
    expect(model, 0.7, 0.7, "stops at the other one")
    keeps(model.step(.lower, by: 1))
    changes(model.stepToEnd(.lower, upwards: false))
    changes(model.stepToEnd(.upper, upwards: true))
    expect(model, 0, 1)
    keeps(model.stepToEnd(.upper, upwards: true))
    changes(model.stepToEnd(.lower, upwards: true))
    expect(model, 1, 1, "Home and End leave the other one where it is")
    keeps(model.step(.lower, by: .nan))
  }

  @Test func `R-D11: with spans, keys push as fingers do, Home and End stop`() {
    var model = range(0.2, 0.6, spans: 0.1...0.5)
    changes(model.step(.lower, by: 35))
    expect(model, 0.55, 0.65)
    changes(model.stepToEnd(.upper, upwards: true))
    expect(model, 0.55, 1)
    changes(model.stepToEnd(.lower, upwards: false))
    expect(model, 0.5, 1)
    model.grab(.thumb(.lower), by: finger(0), at: 0.5)
    keeps(model.step(.lower, by: 1), "in the finger's hand")
    keeps(model.stepToEnd(.lower, upwards: true), "in the finger's hand")
  }
}

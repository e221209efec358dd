import Controls
import Testing

@testable import CockpitControls

/// Tests of a gauge's scale and of its coloured bands, as values.
@Suite struct GaugeScaleTests {
  @Test(arguments: [
    (0.0, 0.0), (50, 0.25), (200, 1), (260, 1), (-5, 0), (.infinity, 1), (.nan, 0),
  ]) func `a number's place is its fraction of the scale, and an end's outside`(number: Double, fraction: Double) {
    #expect(GaugeScale(from: 0, to: 200, divisions: 10).fraction(number) == fraction)
  }

  @Test func `a scale may begin below zero, and runs clockwise from the lower left over three quarters of a circle`() {
    let scale = GaugeScale(from: -40, to: 60, divisions: 5)
    #expect(scale.numbers(.all) == [-40, -20, 0, 20, 40, 60])
    #expect(scale.angle(of: -40) == .pi * 0.75 && scale.angle(of: 60) == .pi * 2.25)
    #expect(scale.angle(of: 10) == .pi * 1.5, "the middle is above")
  }

  @Test(arguments: [
    (10, GaugeScale.Density.all, 11), (10, .half, 6), (10, .few, 3), (5, .half, 6), (5, .few, 2), (0, .all, 2),
    (99, .all, 21),
  ]) func `a small dial has fewer numbers, evenly spaced`(divisions: Int, density: GaugeScale.Density, count: Int) {
    let numbers = GaugeScale(from: 0, to: 100, divisions: divisions).numbers(density)
    #expect(numbers.count == count && numbers.first == 0 && numbers.last == 100)
  }

  @Test func `each fourth stroke is at a number, and stands out`() {
    let strokes = GaugeScale(from: 0, to: 8, divisions: 2).strokes
    #expect(strokes.map(\.number) == [0, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(strokes.filter { $0.rank == .major }.map(\.number) == [0, 4, 8])
    #expect(strokes.filter { $0.rank == .middle }.map(\.number) == [2, 6])
  }

  @Test(arguments: [
    (5.0, 5.0), (9, 2), (.nan, 3), (0, .infinity), (-.greatestFiniteMagnitude, .greatestFiniteMagnitude),
  ])
  func `limits that leave nothing between them make a scale without numbers`(from: Double, to: Double) {
    let scale = GaugeScale(from: from, to: to, divisions: 10)
    #expect(scale.numbers(.all).isEmpty && scale.strokes.isEmpty && scale.fraction(4) == 0)
  }

  @Test(arguments: [
    ("60..80 #ffb020|80..100 #ff5147", 2), ("-20..-5.5 #2dd4bf", 1), (" ", 0), ("", 0), ("0.5..0.75 #ff514780", 1),
  ]) func `bands are read from a text, and written so that the same ones are read`(text: String, count: Int) throws {
    let bands = try #require(GaugeBands(text: text))
    #expect(bands.bands.count == count)
    #expect(GaugeBands(text: bands.text) == bands)
    #expect(try GaugeBands(json: bands.json) == bands)
  }

  @Test(arguments: [
    "80", "80..100", "100..80 #ff5147", "80..100 reddish", "a..b #ff5147", "1..2 #ff5147|", "nan..2 #ff5147", "..",
    "1...2 #ff5147",
  ]) func `a text that says no bands is an error that says what is needed`(text: String) {
    #expect(GaugeBands(text: text) == nil)
    do throws(InspectableError) {
      _ = try GaugeBands(json: .string(text))
      Issue.record("read \(text)")
    } catch {
      #expect(error.description.contains("60..80 #ffb020"), "\(error)")
    }
  }

  @Test func `where bands overlap, the later one decides`() {
    let (red, amber) = (Color(hex: 0xff0000), Color(hex: 0xffb020))
    let bands: GaugeBands = [GaugeBand(60...100, amber), GaugeBand(80...100, red)]
    #expect([59, 60, 79, 80, 100, 101].map { bands.color(at: $0) } == [nil, amber, amber, red, red, nil])
  }
}

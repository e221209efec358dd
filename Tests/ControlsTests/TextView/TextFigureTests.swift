import ControlHarness
import Testing

@testable import Controls

/// Figures of a text of a megabyte beside a short one.
@MainActor @Suite(.serialized) struct TextFigureTests {
  private static let line = "A line of words like those that people write, and a little more.\n"

  @Test func `a frame of scrolling allocates as often as in a short text`() {
    var figures: [[Int]] = []
    for count in [200, 1_000_000 / Self.line.utf8.count] {
      let view = TextView(frame: Rect(origin: .zero, size: CountedFrames.size))
      view.text = String(repeating: Self.line, count: count)
      let frames = CountedFrames(view)
      figures.append(frames.count { view.scrollView.contentOffset = Point(x: 0, y: $0) })
    }
    print("a text: allocations to place, draw and paint in 800 frames of scrolling, and in one: \(figures)")
    #expect(figures[0] == figures[1])
  }
}

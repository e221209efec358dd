import ControlHarness
import Controls
import Foundation
import Testing

/// Tests of the page on the range slider: its code stands in the sources, and does what the page says.
@MainActor @Suite(.serialized) struct TimelineTests {
  private let timeline = Timeline()
  private let harness = ControlHarness(size: Size(width: 360, height: 80))

  init() {
    timeline.slider.upperValue = 8
    timeline.slider.lowerValue = 6
    harness.root.addSubview(timeline.slider)
    harness.frame()
  }

  /// Ten minutes are 289 points of the slider.
  private func place(_ minutes: Double) -> Point { Point(x: 20 + 15.5 + 28.9 * minutes, y: 35) }

  @Test func `O6: the recording goes as far as the finger past the end, in many moves as in one`() {
    for moves in [1, 4, 20] {
      (timeline.slider.minimumValue, timeline.slider.maximumValue) = (0, 10)
      (timeline.slider.lowerValue, timeline.slider.upperValue) = (6, 8)
      harness.drag(from: place(8), to: place(13), steps: moves)
      #expect(abs(timeline.slider.minimumValue - 3) < 1e-6 && abs(timeline.slider.maximumValue - 13) < 1e-6, "\(moves)")
    }
  }

  @Test func `O6: it stops at the recording's end, and a finger that rests past the end scrolls nothing`() {
    harness.drag(from: place(8), to: place(11), steps: 3, holds: true)
    let (minimum, maximum) = (timeline.slider.minimumValue, timeline.slider.maximumValue)
    for y in 1...20 { harness.touch(.moved, at: place(11).offsetBy(dx: 0, dy: Double(y))) }
    #expect((timeline.slider.minimumValue, timeline.slider.maximumValue) == (minimum, maximum))
    for minutes in 12...500 { harness.touch(.moved, at: place(Double(minutes))) }
    #expect(timeline.slider.minimumValue == 50 && timeline.slider.maximumValue == 60)
    harness.touch(.ended, at: place(500))
  }

  @Test func `every block of Swift on the page stands in the source beside this test, line for line`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let page = folder.appendingPathComponent("../../../docs/range-slider.md").standardizedFileURL
    let source = try String(contentsOf: folder.appendingPathComponent("Timeline.swift"), encoding: .utf8)
    let blocks = try String(contentsOf: page, encoding: .utf8).matches(of: /```swift\n(.*?)```/.dotMatchesNewlines())
    #expect(!blocks.isEmpty && blocks.allSatisfy { source.contains(String($0.1)) })
  }
}

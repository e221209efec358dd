import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// Tests that a view is measured for the width that it gets: by its anchors, as in stacks.
@MainActor @Suite(.serialized) struct WidthTests {
  private static let words = "Check tyres, battery, link and brakes before you hand over the remote control."

  private func show(_ text: String, _ width: Double = 620, _ height: Double = 290) throws -> LayoutView {
    let view = LayoutView()
    try view.load(LayoutFile(text: text, name: "test.json"))
    view.frame = Rect(x: 0, y: 0, width: width, height: height)
    let harness = ControlHarness(size: Size(width: width, height: height))
    harness.root.addSubview(view)
    harness.frame()
    return view
  }

  private func label(_ anchors: String, _ extra: String = "") -> String {
    """
    {"type": "Label", "name": "text", "numberOfLines": 0, "text": "\(Self.words)", "anchors": {\(anchors)}\(extra)}
    """
  }

  nonisolated static let anchors = [
    "\"left\": 10, \"top\": 10, \"width\": 120", "\"left\": 150, \"right\": 330, \"top\": 10",
    "\"centerX\": 0, \"width\": 120, \"top\": 0", "\"left\": 0, \"width\": \"20%\", \"top\": 0",
    "\"leading\": 500, \"top\": 0", "\"trailing\": 16, \"leading\": 400, \"bottom\": 0",
    "\"left\": \"other.right + 8\", \"right\": 400, \"top\": \"other.bottom\"",
    "\"width\": \"other.width\", \"top\": 4",
    "\"left\": 520, \"centerY\": 0", "\"centerX\": 240, \"top\": 0",
  ]

  @Test(arguments: anchors) func `a text has the lines that its width needs, and none is cut`(anchors: String) throws {
    let other = "{\"type\": \"View\", \"name\": \"other\", \"frame\": [20, 20, 90, 30]}"
    let view = try show("{\"type\": \"View\", \"subviews\": [\(other), \(label(anchors))]}")
    let label = try #require(view.view(named: "text") as? Label)
    #expect(!label.isTruncated, "\(label.frame)")
    #expect(label.frame.height == label.fittingSize(in: Size(width: label.frame.width, height: .infinity)).height)
    #expect(label.frame.maxX <= 620 && label.frame.height > 30)
  }

  @Test func `no margin cuts a text, in any width`() throws {
    for margin in [0.0, 1, 16, 40] {
      for width in stride(from: 150.0, through: 410, by: 7) {
        let view = try show(
          "{\"type\": \"View\", \"subviews\": [\(label("\"left\": \(margin), \"right\": \(margin), \"top\": 0"))]}",
          width)
        #expect((view.view(named: "text") as? Label)?.isTruncated == false, "\(margin) in \(width)")
      }
    }
  }

  @Test func `what lies below a stack, a choice or a text lies below all of it`() throws {
    let view = try show(
      """
      {"type": "View", "subviews": [
        {"type": "StackView", "name": "stack", "anchors": {"left": 0, "top": 0, "width": 130}, "subviews": [
          {"type": "Label", "name": "inside", "numberOfLines": 0, "text": "\(Self.words)"}]},
        {"type": "Label", "name": "below", "text": "below", "anchors": {"left": 0, "top": "stack.bottom"}},
        {"type": "ChoiceControl", "name": "choice", "choices": "alpha|beta|gamma|delta",
          "anchors": {"left": 300, "top": 0, "width": 120}}]}
      """)
    let (stack, inside) = (try #require(view.view(named: "stack")), try #require(view.view(named: "inside") as? Label))
    #expect(!inside.isTruncated && stack.frame.height == inside.frame.height && stack.frame.height > 60)
    #expect(view.view(named: "below")?.frame.minY == stack.frame.maxY)
    #expect(view.view(named: "choice")?.frame.height ?? 0 >= 2 * 44)
  }

  @Test func `a text in a scroll view can be read to its end`() throws {
    let view = try show(
      """
      {"type": "ScrollView", "name": "scroll", "subviews": [
        \(label("\"left\": 40, \"right\": 40, \"top\": 0")),
        {"type": "Label", "name": "end", "text": "end", "anchors": {"left": 40, "top": "text.bottom + 8"}}]}
      """, 200, 120)
    let (scroll, text) = (
      try #require(view.view(named: "scroll") as? ScrollView), try #require(view.view(named: "text") as? Label)
    )
    #expect(!text.isTruncated && text.frame.height > 60)
    #expect(scroll.contentView.frame.height == view.view(named: "end")?.frame.maxY)
  }

  @Test func `a side follows the other, in any order, also through siblings, and a circle made by measuring is none`()
    throws
  {
    // A square in a height that its anchors give, and a text beside it that is as wide as the square is high.
    let view = try show(
      """
      {"type": "View", "subviews": [
        {"type": "Label", "name": "text", "numberOfLines": 0, "text": "\(Self.words)",
          "anchors": {"left": 300, "top": 0, "width": "wheel.height"}},
        {"type": "View", "name": "wheel", "anchors": {"left": 0, "top": 10, "height": 150, "width": 150}}]}
      """)
    #expect((view.view(named: "text") as? Label)?.isTruncated == false)
    #expect(view.view(named: "text")?.frame.width == 150)
    // The width of one needs the height of the other, which needs the first one's place.
    _ = try show(
      """
      {"type": "View", "subviews": [
        {"type": "Label", "name": "a", "text": "a", "anchors": {"width": "b.height", "left": 0, "top": 0}},
        {"type": "View", "name": "b", "anchors": {"top": "a.bottom", "height": "50%", "left": 0, "width": 10}}]}
      """)
  }
}

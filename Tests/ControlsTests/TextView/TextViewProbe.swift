import ControlHarness
import Testing

@testable import Controls

/// A text view of 200 x 120 points at (20, 10) of a window, and what it says.
@MainActor struct TextViewProbe {
  let harness: ControlHarness
  let view = TextView(frame: Rect(x: 20, y: 10, width: 200, height: 120))
  let log = Log()
  /// A button for the focus to go to.
  let other = Button(frame: Rect(x: 20, y: 260, width: 80, height: 44))

  init(_ text: String = "", _ set: (TextView) -> Void = { _ in }) {
    harness = ControlHarness(size: Size(width: 300, height: 320))
    view.text = text
    set(view)
    harness.root.addSubview(view)
    harness.root.addSubview(other)
    let names: [(Control.Event, String)] = [
      (.editingDidBegin, "begin"), (.valueChanged, "changed"), (.editingDidEnd, "end"),
      (.primaryActionTriggered, "done"),
    ]
    for (event, name) in names { view.addAction(for: event) { [log] _ in log.add(name) } }
    harness.frame()
  }

  /// Focused by Tab, with the caret before the character at `place`.
  func edit(at place: Int = 0) {
    if !view.isEditing { harness.press(.tab) }
    harness.press(.home, .control)
    for _ in 0..<place { harness.press(.right) }
    harness.frameIfNeeded()
  }

  var caret: Int? { if case .number(let place)? = view.inspection.values["caret"] { Int(place) } else { nil } }
  var selected: String? { if case .string(let text)? = view.inspection.values["selected"] { text } else { nil } }
  /// The top of the caret in the text, in lines; those of one piece follow each other more closely than pieces, which are whole pixels high.
  var caretLine: Int { Int(((view.caretArea.minY - 8 + scroll.contentOffset.y) / lineHeight.rounded(.up)).rounded()) }
  var scroll: ScrollView { view.scrollView }
  var lineHeight: Double { FontLibrary.shared.layout("H", font: view.font).size.height }

  /// The window's point of a line, counted from what is in sight, and so many points from the text's left edge.
  func point(line: Int, x: Double) -> Point {
    Point(x: view.frame.minX + 10 + x, y: view.frame.minY + 8 + (Double(line) + 0.5) * lineHeight)
  }

  func width(_ text: String) -> Double { FontLibrary.shared.layout(text, font: view.font).size.width }
}

import ControlHarness
import Testing

@testable import Controls

/// A list of 200 x 220 points at (10, 10) of a window, and what of it is in sight.
@MainActor struct ListProbe {
  let harness = ControlHarness(size: Size(width: 220, height: 240))
  let list = ListView(frame: Rect(x: 10, y: 10, width: 200, height: 220))
  let log = Log()

  /// Shows a list after `set`, and logs what the user selects and opens.
  init(_ set: (ListView) -> Void = { _ in }) {
    set(list)
    harness.root.addSubview(list)
    harness.frame()
    list.addAction(for: .valueChanged) { [log] in log.add("\($0.selectedIndex)") }
    list.addAction(for: .primaryActionTriggered) { [log] in log.add("open \($0.selectedIndex)") }
  }

  var scroll: ScrollView? { list.subviews.first as? ScrollView }
  /// The rows' views that are shown, from the top of the list.
  var rows: [ListRow] {
    (scroll?.contentView.subviews ?? []).compactMap { $0 as? ListRow }.filter {
      !$0.isHidden && $0.isUserInteractionEnabled
    }
    .sorted { $0.index < $1.index }
  }
  var texts: [String] { rows.map(\.text) }
  /// The titles of the headers in sight and their tops in the list, from the top.
  var headers: [String] {
    let shown = (scroll?.contentView.subviews ?? []).compactMap { $0 as? ListHeader }.filter {
      !$0.isHidden && !$0.title.isEmpty
    }
    return shown.sorted { $0.windowFrame.minY < $1.windowFrame.minY }
      .map { "\($0.title) \(Int($0.windowFrame.minY - list.windowFrame.minY))" }
  }

  func row(_ text: String) -> ListRow? { rows.first { $0.text == text } }
  /// The top of the row of this text in the list.
  func top(_ text: String) -> Double? { row(text).map { $0.windowFrame.minY - list.windowFrame.minY } }

  func scroll(to offset: Double) {
    scroll?.contentOffset = Point(x: 0, y: offset)
    harness.frameIfNeeded()
  }
}

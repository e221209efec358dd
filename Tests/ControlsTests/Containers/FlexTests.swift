import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of how a stack shares out space that is left over or missing: `grow` and `shrink`, as in flexbox.
@MainActor @Suite(.serialized) struct FlexTests {
  private typealias Item = StackModel.Item

  private func lengths(_ items: [StackModel.Item], _ room: Double, spacing: Double = 0) -> [Double] {
    var model = StackModel()
    model.spacing = spacing
    return model.lengths(of: items, in: room).map { ($0 * 1000).rounded() / 1000 }
  }

  @Test func `space left over goes to those that grow, by their shares`() {
    let items = [Item(length: 10), Item(length: 20, grow: 1), Item(length: 30, grow: 2)]
    #expect(lengths(items, 90) == [10, 30, 50] && lengths(items, 60) == [10, 20, 30])
    #expect(lengths([Item(length: 10), Item(length: 10)], 90) == [10, 10])
    #expect(lengths([Item(length: 10, grow: 0.25), Item(length: 10, grow: 0.25)], 60) == [20, 20], "half stays free")
    #expect(lengths(items, 100, spacing: 5) == [10, 30, 50])
  }

  @Test
  func `space that is missing is taken by shares and lengths, down to the least length, and from the others then`() {
    #expect(lengths([Item(length: 100, shrink: 1), Item(length: 50)], 90) == [40, 50])
    #expect(lengths([Item(length: 100, shrink: 1), Item(length: 50, shrink: 1)], 90) == [60, 30])
    #expect(lengths([Item(length: 100, shrink: 1), Item(length: 50, shrink: 2)], 100) == [75, 25])
    let least = [Item(length: 100, shrink: 1, least: 90), Item(length: 100, shrink: 1), Item(length: 100)]
    #expect(lengths(least, 240) == [90, 50, 100])
    #expect(lengths(least, 10) == [90, 0, 100], "what cannot shrink runs over the end")
    #expect(lengths([Item(length: 100, shrink: 0.5)], 50) == [75], "shares of less than 1 take that part")
    #expect(lengths([Item(length: 0, shrink: 1), Item(length: 10)], 5) == [0, 10])
    #expect(lengths([], 5) == [] && lengths([Item(length: 5, shrink: 1)], -5) == [0])
  }

  @Test func `any shares: the lengths fill the room as far as the least ones allow, and none is below its least`() {
    var seed = UInt64(7)
    func random(_ bound: Double) -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 40) / Double(1 << 24) * bound
    }
    for _ in 0..<2000 {
      let items = (0..<Int(1 + random(6))).map { _ in
        Item(length: random(100), grow: 0, shrink: random(2) < 1 ? 0 : 1 + random(3), least: random(60))
      }
      let room = random(300)
      let found = StackModel().lengths(of: items, in: room)
      let (sum, least) = (found.reduce(0, +), items.reduce(0) { $0 + $1.least })
      let wanted = items.reduce(0) { $0 + $1.length }
      #expect(abs(sum - (wanted <= room ? wanted : max(room, least))) < 1e-3)
      for (length, item) in zip(found, items) { #expect(length >= item.least - 1e-6 && length <= item.length + 1e-6) }
    }
  }

  private static let long = "Motor nach einem Abbruch der Verbindung wieder freigeben"

  private func show(_ text: String, _ size: Size) throws -> LayoutView {
    let view = LayoutView()
    try view.load(LayoutFile(text: text, name: "test.json"))
    view.frame = Rect(origin: .zero, size: size)
    let harness = ControlHarness(size: size)
    harness.root.addSubview(view)
    harness.frame()
    return view
  }

  @Test(arguments: ["leftToRight", "rightToLeft"])
  func `a long label in a row gives way to the control behind it`(direction: String) throws {
    let view = try show(
      """
      {"type": "StackView", "axis": "horizontal", "spacing": 8, "fillsBreadth": false, "layoutDirection": "\(direction)",
       "subviews": [{"type": "Label", "name": "text", "text": "\(Self.long)"}, {"type": "Switch", "name": "switch"}]}
      """, Size(width: 200, height: 60))
    let (label, control) = (
      try #require(view.view(named: "text") as? Label), try #require(view.view(named: "switch"))
    )
    #expect(label.isTruncated && control.frame.width == control.fittingSize(in: .zero).width)
    #expect(control.frame.minX >= 0 && control.frame.maxX <= 200 && label.frame.width > 100)
    #expect(view.hitTest(control.convert(control.bounds.center, to: view)) === control)
  }

  @Test func `a label of several lines wraps instead, and the row is as high as that needs`() throws {
    let view = try show(
      """
      {"type": "View", "subviews": [
        {"type": "StackView", "name": "row", "axis": "horizontal", "anchors": {"left": 0, "right": 0, "top": 0}, "subviews": [
          {"type": "Label", "name": "text", "numberOfLines": 0, "text": "\(Self.long)"}, {"type": "Switch", "name": "s"}]}]}
      """, Size(width: 200, height: 160))
    let label = try #require(view.view(named: "text") as? Label)
    #expect(!label.isTruncated && label.frame.height > 30 && view.view(named: "s")?.frame.maxX ?? 999 <= 200)
    #expect(view.view(named: "row")?.frame.height == label.frame.height)
  }

  @Test func `labels in stacks inside a row give way too, and in a column that is too low`() throws {
    let row = try show(
      """
      {"type": "StackView", "axis": "horizontal", "subviews": [
        {"type": "StackView", "subviews": [{"type": "Label", "text": "\(Self.long)"}, {"type": "Button", "title": "Go"}]},
        {"type": "Switch", "name": "s"}]}
      """, Size(width: 160, height: 100))
    #expect(row.view(named: "s")?.frame.maxX ?? 999 <= 160)
    let column = try show(
      """
      {"type": "StackView", "subviews": [
        {"type": "Label", "name": "text", "numberOfLines": 0, "text": "\(Self.long) \(Self.long) \(Self.long)"},
        {"type": "Button", "name": "b", "title": "Go"}]}
      """, Size(width: 160, height: 100))
    let label = try #require(column.view(named: "text") as? Label)
    #expect(column.view(named: "b")?.frame.maxY ?? 999 <= 100 && label.isTruncated && label.frame.height >= 15)
  }

  @Test func `grow and shrink in a file; a row in a view that scrolls sideways keeps its length`() throws {
    let view = try show(
      """
      {"type": "StackView", "axis": "horizontal", "subviews": [
        {"type": "Button", "name": "a", "title": "A", "grow": 1}, {"type": "Button", "name": "b", "title": "B", "grow": 3},
        {"type": "Label", "name": "t", "text": "text", "shrink": 0}]}
      """, Size(width: 300, height: 60))
    let (a, b) = (view.view(named: "a")?.frame ?? .zero, view.view(named: "b")?.frame ?? .zero)
    #expect(abs((b.width - 44) - 3 * (a.width - 44)) < 0.01 && view.view(named: "t")?.frame.maxX == 300)
    let scroll = try show(
      """
      {"type": "ScrollView", "name": "scroll", "subviews": [
        {"type": "StackView", "name": "row", "axis": "horizontal", "anchors": {"left": 0, "top": 0}, "subviews": [
          {"type": "Label", "name": "t", "text": "\(Self.long)"}, {"type": "Switch"}]}]}
      """, Size(width: 160, height: 60))
    #expect((scroll.view(named: "t") as? Label)?.isTruncated == false)
    #expect(Label().shrink == 1 && Button().shrink == 0 && View().shrink == 0 && StackView().shrink == 1)
    for type in ["grow", "shrink"] {
      #expect(Slider().inspectable(named: type)?.limits == 0...1000)
    }
  }
}

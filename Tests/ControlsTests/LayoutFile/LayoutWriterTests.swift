import ControlHarness
import ControlTools
import Controls
import Testing

/// Tests of writing views as layout files: loaded again, a text gives the same view.
@MainActor @Suite(.serialized) struct LayoutWriterTests {
  private let writer = LayoutWriter(registry: .everyControl)

  private func loaded(_ text: String) throws -> View {
    let view = LayoutView(registry: .everyControl)
    try view.load(LayoutFile(text: text, name: "copy"))
    return try #require(view.scene)
  }

  /// The view as the inspector and files see it.
  private func said(_ view: View) -> [String] {
    view.inspectables.map { "\($0.name) \($0.json(of: view))" } + view.contentHost.subviews.flatMap { said($0) }
  }

  @Test func `a new view is its type and frame`() {
    #expect(
      writer.text(of: Slider(frame: Rect(x: 1, y: 2, width: 100, height: 31.5))) == """
        {
          "type": "Slider",
          "frame": [1, 2, 100, 31.5]
        }

        """)
  }

  @Test func `an anchor at a sibling is written by the sibling's name, and left out where it has none`() {
    let panel = View(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    let (wheel, plain, lever) = (View(), View(), View())
    wheel.name = "wheel"
    for view in [wheel, plain, lever] { panel.addSubview(view) }
    var anchors = LayoutAnchors()
    anchors.right = .edge(.left, of: wheel, plus: -8)
    anchors.top = .edge(.bottom, of: plain)
    lever.anchors = anchors
    let text = writer.text(of: panel)
    #expect(text?.contains(#""right": "wheel.left - 8""#) == true && text?.contains("bottom") == false, "\(text ?? "")")
  }

  nonisolated static let names = [
    "wheel", "left lamp", " two  blanks ", "a - b", "3", "50%", "x.left", "it's", "'quoted'", "a * 2",
    "back\\slash 'q'", "-",
    "+ 5", "läm p", "a.b c.d", "tab\there", "\"",
  ]

  @Test(arguments: names) func `an anchor at a sibling is read again, whatever the sibling's name is`(name: String)
    throws
  {
    let panel = View(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    let (lamp, label) = (View(frame: Rect(x: 10, y: 10, width: 50, height: 20)), View())
    lamp.name = name
    for view in [lamp, label] { panel.addSubview(view) }
    var anchors = LayoutAnchors()
    anchors.left = .edge(.right, of: lamp, plus: 5)
    anchors.width = LayoutLength(points: -1, part: 0.5, reference: .init(.named(name), edge: .width, factor: 0.5))
    label.anchors = anchors
    let copy = try loaded(try #require(writer.text(of: panel)))
    copy.layoutIfNeeded()
    panel.layoutIfNeeded()
    #expect(copy.subviews.map(\.frame) == panel.subviews.map(\.frame))
    #expect(copy.subviews[1].frame.minX == 65 && copy.subviews[1].frame.width == 124)
  }

  @Test func `a name with blanks needs no quotes where it can be read in one way only`() throws {
    let copy = try loaded(
      """
      {"type": "View", "subviews": [
        {"type": "View", "name": "left lamp", "frame": [10, 10, 50, 20]},
        {"type": "View", "anchors": {"left": "left lamp.right + 5", "width": "'left lamp'.width * 2 - 1"}}]}
      """)
    copy.layoutIfNeeded()
    #expect(copy.subviews[1].frame.minX == 65 && copy.subviews[1].frame.width == 99)
  }

  @Test func `what differs from a new view is written, and read again`() throws {
    let slider = RangeSlider(frame: Rect(x: 0, y: 0, width: 200, height: 40))
    slider.name = "range \"A\"\n"
    slider.maximumValue = 500
    slider.minimumValue = -20
    slider.upperValue = 333.25
    slider.lowerValue = 0.1
    slider.trackTintColor = Color(hex: 0x2dd4bf)
    slider.insets = EdgeInsets(8)
    slider.orientation = .vertical
    slider.isEnabled = false
    let text = try #require(writer.text(of: slider))
    #expect(text.contains("\"upperValue\": 333.25") && !text.contains("curvaceousness"))
    let copy = try #require(try loaded(text) as? RangeSlider)
    #expect(said(copy) == said(slider))
  }

  @Test func `a tree is written with anchors, but without what controls make themselves`() throws {
    let panel = View(frame: Rect(x: 0, y: 0, width: 400, height: 300))
    let slider = Slider()
    slider.name = "speed"
    slider.value = 0.25
    slider.anchors = LayoutAnchors(margins: EdgeInsets(8))
    slider.anchors?.bottom = nil
    slider.anchors?.height = 31
    let label = Label("Chinese 中文 \\ /")
    label.anchors = LayoutAnchors()
    label.anchors?.leading = LayoutLength.edge(.left, of: "speed", plus: -4.5)
    label.anchors?.top = LayoutLength(
      points: 2, part: 0.125, reference: .init(.named("speed"), edge: .height, factor: -0.5))
    let column = StackView([ColorEditor(), NumberField()], spacing: 6)
    column.frame = Rect(x: 10, y: 60, width: 200, height: 200)
    let scroll = ScrollView(frame: Rect(x: 220, y: 60, width: 100, height: 100))
    scroll.contentView.addSubview(Switch(frame: Rect(x: 5, y: 5, width: 51, height: 31)))
    for view in [slider, label, column, scroll] as [View] { panel.addSubview(view) }
    let text = try #require(writer.text(of: panel))
    #expect(!text.contains("//") && !text.contains("Thumb"))
    let copy = try loaded(text)
    #expect(said(copy) == said(panel))
    #expect(copy.subviews.map(\.anchors) == panel.subviews.map(\.anchors))
    #expect(copy.subviews[2].frame == column.frame)
    #expect(writer.text(of: copy) == text)
  }

  @Test func `types that files can't name are left out, and the text says so`() throws {
    final class Needle: View {}
    let panel = View(frame: Rect(x: 0, y: 0, width: 40, height: 30))
    panel.addSubview(Needle())
    panel.addSubview(Label("Text"))
    let text = try #require(writer.text(of: panel))
    #expect(text.hasPrefix("// Left out, since files have no name for them: Needle\n"))
    #expect(try loaded(text).subviews.count == 1)
    #expect(writer.text(of: Needle()) == nil)
  }

  @Test func `every type of the registry comes back as it was`() throws {
    for type in ViewRegistry.everyControl.typeNames {
      let view = try #require(ViewRegistry.everyControl.makeView(type))
      view.frame = Rect(x: 3, y: 4, width: 120, height: 80)
      let copy = try loaded(try #require(writer.text(of: view)))
      #expect(Swift.type(of: copy) == Swift.type(of: view))
      #expect(said(copy) == said(view))
      #expect(copy.contentHost.subviews.count == view.contentHost.subviews.count)
    }
  }

  @Test(
    arguments: [
      (JSONValue.number(0.1), "0.1"), (.number(1e20), "1e+20"), (.number(-3), "-3"), (.number(.nan), "null"),
      (.string("a\"\\\u{1}\t€"), #""a\"\\\u0001\t€""#), (.array([.bool(true), .null]), "[true, null]"),
      (.object(["b": .number(1), "a": .array([])]), #"{"a": [], "b": 1}"#),
    ] as [(JSONValue, String)]) func `values as JSON`(value: JSONValue, text: String)
  {
    #expect(value.jsonText == text)
  }
}

import CockpitControls
import ControlHarness
import ControlTools
import Controls
import Testing

/// Tests of the list of properties: every kind is edited by fingers and keys, follows changes, and lets go.
@MainActor @Suite(.serialized) struct PropertyListTests {
  let probe = InspectableProbe(frame: Rect(x: 0, y: 0, width: 60, height: 60))
  let list = PropertyList()
  let harness: ControlHarness

  init() {
    harness = ControlHarness(size: Size(width: 400, height: 1600))
    harness.root.addSubview(probe)
    list.frame = Rect(x: 60, y: 0, width: 340, height: 1600)
    harness.root.addSubview(list)
    list.target = probe
    harness.frame()
  }

  private func part<Part: View>(_ property: String, _ name: String, _: Part.Type = Part.self) throws -> Part {
    let row = try #require(list.view(named: property)?.superview)
    return try #require(row.view(named: name) as? Part)
  }

  private func type(_ text: String, into field: View) {
    harness.tap(field)
    harness.press(.character("a"), .control)
    harness.type(text)
    harness.press(.enter)
  }

  @Test func `K18 every property has a row, grouped by its title's first word, what all views have last`() throws {
    let groups = try #require(list.inspection.values["groups"])
    #expect(groups == .string("Shows, Label, Track, Curvaceousness, Thumb, Hole, Content, Value, Light, View"))
    for property in probe.inspectables {
      let editor = try #require(list.view(named: property.name))
      let titles = try #require(editor.superview).subviews.compactMap { ($0 as? Label)?.text }
      #expect(titles == [property.title])
      #expect(editor.frame.height >= 31)
    }
    #expect(list.sizeThatFits(Size(width: 340, height: 0)).height > 600)
  }

  @Test func `a switch, a choice and a text change the view at once`() throws {
    var told: [String] = []
    list.onChange = { told.append($0.name) }
    harness.tap(try part("showsTrack", "switch"))
    #expect(!probe.showsTrack)
    let choice: ChoiceControl = try part("thumbShape", "choice")
    #expect(choice.titles == ["Square", "Circle"] && choice.selectedIndex == 1)
    harness.tap(choice.windowFrame.origin + Point(x: 20, y: 18))
    #expect(probe.thumbShape == .square)
    type("new", into: try part("labelText", "field"))
    #expect(probe.labelText == "new")
    #expect(told == ["showsTrack", "thumbShape", "labelText"])
  }

  @Test func `a number with limits follows slider and keyboard, and the picture follows the number`() throws {
    let slider: Slider = try part("curvaceousness", "slider")
    let field: NumberField = try part("curvaceousness", "field")
    let before = harness.shown
    let thumb = slider.windowFrame.origin + Point(x: slider.bounds.width - 16, y: 15)
    harness.drag(from: thumb, to: thumb.offsetBy(dx: -slider.bounds.width / 2 + 16, dy: 0), holds: true)
    #expect(abs(probe.curvaceousness - 0.5) < 0.02 && field.value == probe.curvaceousness)
    #expect(harness.shown != before)
    harness.drag(from: thumb, to: thumb.offsetBy(dx: -2000, dy: 0), finger: 1)
    type("0.25", into: field)
    #expect(probe.curvaceousness == 0.25 && slider.value == 0.25)
    type("7", into: field)
    #expect(probe.curvaceousness == 1 && field.value == 1)
    let count: Slider = try part("trackCount", "slider")
    harness.tap(count.windowFrame.center)
    #expect(probe.trackCount == 7 || probe.trackCount == 6)
  }

  @Test func `what changes elsewhere shows at once, but not under a finger that holds the editor`() throws {
    let slider: Slider = try part("curvaceousness", "slider")
    let field: NumberField = try part("curvaceousness", "field")
    probe.curvaceousness = 0.75
    #expect(slider.value == 0.75 && field.value == 0.75)
    let thumb = slider.windowFrame.center
    harness.touch(.began, at: thumb)
    probe.curvaceousness = 0.1
    #expect(slider.value == 0.75, "it is held")
    #expect(field.value == 0.1)
    harness.touch(.ended, at: thumb.offsetBy(dx: 0, dy: 200))
    #expect(slider.value == 0.1, "let go")
    harness.tap(field)
    harness.type("9")
    probe.curvaceousness = 0.3
    #expect(field.draft == "9" || field.draft.contains("9"))
    harness.press(.escape)
    #expect(field.draft == "0.3" && probe.curvaceousness == 0.3)
    // Looked at, not touched: the newer value stays.
    harness.tap(field)
    probe.curvaceousness = 0.6
    harness.tap(try part("labelText", "field"))
    #expect(probe.curvaceousness == 0.6)
  }

  @Test func `points, sizes, rectangles, insets and ranges have a field for each number`() throws {
    type("12", into: try part("thumbOffset", "x"))
    type("-3.5", into: try part("thumbOffset", "y"))
    #expect(probe.thumbOffset == Point(x: 12, y: -3.5))
    type("44", into: try part("thumbSize", "h"))
    #expect(probe.thumbSize == Size(width: 20, height: 44))
    type("9", into: try part("hole", "w"))
    #expect(probe.hole == Rect(x: 0, y: 0, width: 9, height: 0))
    type("6", into: try part("contentInsets", "b"))
    #expect(probe.contentInsets == EdgeInsets(bottom: 6))
    type("0.9", into: try part("valueRange", "from"))
    #expect(probe.valueRange == 0.9...0.9, "the end goes along")
    let x: NumberField = try part("hole", "x")
    harness.drag(from: x.windowFrame.center, to: x.windowFrame.center.offsetBy(dx: 20, dy: 0))
    #expect(probe.hole.minX == 5)
  }

  @Test func `a colour's well opens an editor below, a button gives the theme's back`() throws {
    let well: ColorWell = try part("trackTintColor", "well")
    #expect(well.color == nil)
    let before = list.sizeThatFits(Size(width: 340, height: 0)).height
    harness.tap(well)
    harness.settle()
    #expect(list.sizeThatFits(Size(width: 340, height: 0)).height > before + 200)
    let colors: ColorEditor = try part("trackTintColor", "colors")
    let plane = try #require(colors.view(named: "plane"))
    harness.tap(plane.windowFrame.origin + Point(x: 1, y: 1))
    #expect(probe.trackTintColor == .white && well.color == .white)
    probe.trackTintColor = Color(hex: 0x2dd4bf)
    #expect(colors.color == Color(hex: 0x2dd4bf) && well.color == colors.color)
    harness.tap(try part("trackTintColor", "reset"))
    #expect(probe.trackTintColor == nil && well.color == nil)
    harness.tap(well)
    harness.settle()
    #expect(list.sizeThatFits(Size(width: 340, height: 0)).height == before)
    let solid: ColorWell = try part("trackColor", "well")
    harness.tap(solid)
    #expect(try #require(solid.superview?.superview).view(named: "reset") == nil, "it has no other than its own")
  }

  @Test func `a picture's file is typed; nothing typed is none`() throws {
    let field: TextField = try part("thumbImage", "field")
    type("knob.png", into: field)
    #expect(probe.thumbImage == ImageReference(path: "knob.png"))
    harness.tap(field)
    harness.press(.character("a"), .control)
    harness.press(.delete)
    harness.press(.enter)
    #expect(probe.thumbImage == nil)
  }

  @Test func `optional numbers and choices can be nothing`() throws {
    let label = Label("Text")
    list.target = label
    harness.settle()
    type("20", into: try part("fontSize", "field"))
    #expect(label.fontSize == 20)
    type("abc", into: try part("fontSize", "field"))
    #expect(label.fontSize == 20, "no number is not taken")
    type(" ", into: try part("fontSize", "field"))
    #expect(label.fontSize == nil)
    let direction: ChoiceControl = try part("layoutDirection", "choice")
    #expect(direction.titles == ["Default", "Left To Right", "Right To Left"] && direction.selectedIndex == 0)
    label.layoutDirection = .rightToLeft
    #expect(direction.selectedIndex == 2)
  }

  @Test func `a text that is no value for the property is not taken`() throws {
    let gearbox = ThrottleGearbox()
    list.target = gearbox
    harness.settle()
    let field: TextField = try part("gear", "field")
    type("banana", into: field)
    #expect(gearbox.gear == .neutral && field.text == "N")
    type("R", into: field)
    #expect(gearbox.gear == .reverse)
    gearbox.gear = .forward(2)
    #expect(field.text == "2")
  }

  @Test func `K-D2 another target, or none, leaves no observer and keeps nobody alive`() throws {
    weak let editor = list.view(named: "curvaceousness")
    weak var gone: InspectableProbe?
    do {
      let other = InspectableProbe()
      gone = other
      list.target = other
      list.target = nil
    }
    #expect(editor == nil && gone == nil)
    #expect(list.sizeThatFits(Size(width: 340, height: 0)).height == 0)
    harness.settle()
    let frames = harness.frameCount
    probe.labelText = "unseen"
    #expect(!harness.root.needsFrame && harness.frameCount == frames)
    list.target = probe
    var other: InspectableProbe? = InspectableProbe()
    list.target = other
    other = nil
    harness.tap(try #require(list.view(named: "showsTrack")?.view(named: "switch")))
  }

  @Test func `only what is asked for is listed`() {
    list.target = nil
    list.includes = { $0.group == "Thumb" }
    list.target = probe
    #expect(list.inspection.values["groups"] == .string("Thumb"))
  }

  @Test func `in a scroll view it is as wide as that and as high as its rows`() {
    let scroll = ScrollView(frame: Rect(x: 60, y: 0, width: 300, height: 400))
    scroll.scrollsHorizontally = false
    list.anchors = LayoutAnchors()
    list.anchors?.left = LayoutLength(points: 0)
    list.anchors?.right = LayoutLength(points: 0)
    list.anchors?.top = LayoutLength(points: 0)
    scroll.contentView.addSubview(list)
    harness.root.addSubview(scroll)
    harness.settle()
    #expect(list.frame.width == 300 && list.frame.height == list.sizeThatFits(Size(width: 300, height: 0)).height)
    #expect(scroll.contentView.frame.height == list.frame.height)
  }
}

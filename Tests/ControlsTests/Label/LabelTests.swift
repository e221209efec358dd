import ControlHarness
import Controls
import Testing

/// Tests of the label: its size, its lines, where the text stands, what changes it.
@MainActor @Suite(.serialized) struct LabelTests {
  init() {
    FontLibrary.shared = ControlHarness.fonts
  }

  private func shown(_ label: Label, width: Double = 120, height: Double = 40) -> ControlHarness {
    let harness = ControlHarness(size: Size(width: width, height: height))
    harness.root.backgroundColor = .white
    label.frame = harness.root.bounds
    harness.root.addSubview(label)
    harness.frame()
    return harness
  }

  /// The columns and rows that hold dark pixels; nil if all are white.
  private func ink(_ harness: ControlHarness) -> (left: Int, right: Int, top: Int, bottom: Int)? {
    let shown = harness.shown
    let dark = shown.pixels.indices.filter { shown.pixels[$0] & 255 < 128 }
    guard !dark.isEmpty else { return nil }
    let (xs, ys) = (dark.map { $0 % shown.size.width }, dark.map { $0 / shown.size.width })
    return (xs.min() ?? 0, xs.max() ?? 0, ys.min() ?? 0, ys.max() ?? 0)
  }

  @Test func `a new label says nothing and takes the theme's size and colour`() {
    let label = Label()
    #expect(label.text.isEmpty && label.fontSize == nil && label.textColor == nil && label.numberOfLines == 1)
    #expect(label.font.size == Theme.light.fontSizes[.body])
    let harness = shown(label)
    #expect(ink(harness) == nil)
    #expect(harness.root.hitTest(Point(x: 5, y: 5)) === harness.root)
  }

  @Test("K8: sizeToFit gives one line its own width, and several the height for a width")
  func sizes() {
    let label = Label("Rear window heating")
    let one = label.bounds.size
    #expect(one.width > 120 && one.width == one.width.rounded() && one.height < 25)
    label.frame = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(label.sizeThatFits(Size(width: 50, height: 10)) == one)
    label.numberOfLines = 0
    let lines = label.sizeThatFits(Size(width: 80, height: 10))
    #expect(lines.width <= 80 && lines.height > 2 * one.height - 2)
    label.numberOfLines = 2
    #expect(label.sizeThatFits(Size(width: 40, height: 0)).height <= 2 * one.height)
    #expect(label.sizeThatFits(.zero) == one)
    #expect(Label("").bounds.size.height > 10)
  }

  @Test(arguments: [
    (HorizontalAlignment.leading, LayoutDirection.leftToRight, 0), (.leading, .rightToLeft, 2),
    (.left, .leftToRight, 0),
    (.left, .rightToLeft, 0), (.center, .leftToRight, 1), (.center, .rightToLeft, 1), (.right, .leftToRight, 2),
    (.right, .rightToLeft, 2),
  ])
  func `natural stands where reading begins, the others where they say`(
    alignment: HorizontalAlignment, direction: LayoutDirection, place: Int
  ) throws {
    for text in ["Go", "سر"] {
      let label = Label(text)
      let harness = shown(label)
      harness.root.layoutDirection = direction
      label.textAlignment = alignment
      harness.frame()
      let found = try #require(ink(harness))
      #expect(
        place == 0 ? found.left < 4 : place == 2 ? found.right > 115 : abs(found.left + found.right - 119) < 5,
        "\(found)")
      #expect(abs(found.top + found.bottom - 39) < 12)
    }
  }

  @Test func `lines of a text stand in the middle of the height, and those without room are left out`() throws {
    let label = Label()
    label.numberOfLines = 0
    label.text = "one two three four five six seven eight"
    let harness = shown(label, width: 70, height: 200)
    #expect(!label.isTruncated)
    let all = try #require(ink(harness))
    #expect(abs(all.top + all.bottom - 199) < 10 && all.bottom - all.top > 60)
    label.frame = Rect(x: 0, y: 0, width: 70, height: 45)
    harness.frame()
    #expect(label.isTruncated)
    let cut = try #require(ink(harness))
    #expect(cut.bottom < 44 && cut.bottom - cut.top > 20)
    #expect(label.inspection.values["isTruncated"] == .bool(true))
    label.frame = Rect(x: 0, y: 0, width: 70, height: 5)
    harness.frame()
    #expect(label.isTruncated)
  }

  @Test func `what is too wide is cut off with dots, or clipped where reading begins`() throws {
    let label = Label("Rear window heating")
    let harness = shown(label, width: 80)
    #expect(label.isTruncated)
    let dots = harness.shown
    label.truncation = .head
    harness.frame()
    #expect(harness.shown != dots)
    label.truncation = .clip
    harness.frame()
    #expect(label.isTruncated && (ink(harness)?.left ?? 99) < 4)
    let beginning = harness.shown
    harness.root.layoutDirection = .rightToLeft
    harness.frame()
    #expect(harness.shown != beginning && (ink(harness)?.right ?? 0) > 76)
    label.text = "Go"
    #expect(!label.isTruncated)
  }

  @Test func `every change shows, and the theme's colour and size are taken unless there are own ones`() {
    let label = Label("Go")
    let harness = shown(label)
    let changes: [(Label) -> Void] = [
      { $0.text = "Stop" }, { $0.textStyle = .title }, { $0.fontSize = 14 }, { $0.fontWeight = .bold },
      { $0.textColor = Color(hex: 0xd02b20) }, { $0.textAlignment = .right }, { $0.text = "One more word" },
      { $0.numberOfLines = 2 },
    ]
    for (index, change) in changes.enumerated() {
      let before = harness.shown
      change(label)
      #expect(harness.frameIfNeeded(), "\(index)")
      #expect(harness.shown != before || index == 7, "\(index)")
      change(label)
      #expect(!harness.frameIfNeeded(), "\(index)")
    }
    label.fontSize = nil
    label.textColor = nil
    harness.frame()
    let light = harness.shown
    harness.root.theme = .dark
    harness.frame()
    #expect(harness.shown != light)
    var large = Theme.dark
    large.fontSizes = Theme.FontSizes(title: 40)
    harness.root.theme = large
    #expect(label.font.size == 40)
  }

  @Test func `nothing is smaller than 12 points, and numbers that are none are ignored`() {
    let label = Label("Go")
    label.fontSize = 3
    #expect(label.fontSize == 12 && label.font.size == 12)
    label.fontSize = 1e9
    #expect(label.fontSize == 400)
    label.fontSize = .nan
    #expect(label.fontSize == 400)
    label.numberOfLines = -4
    #expect(label.numberOfLines == 0)
  }

  @Test func `every property can be set by name, as a file does`() throws {
    let label = Label()
    let values: [(String, JSONValue)] = [
      ("text", .string("Go")), ("textStyle", .string("caption")), ("fontSize", .number(20)),
      ("fontWeight", .string("semibold")), ("fontFamily", .string("DejaVu Sans")), ("textColor", .string("#ff0000")),
      ("textAlignment", .string("center")), ("numberOfLines", .number(3)), ("truncation", .string("middle")),
    ]
    for (name, value) in values {
      let property = try #require(label.inspectable(named: name), "\(name)")
      try property.set(value, on: label)
      #expect(property.json(of: label) == value)
    }
    #expect(label.text == "Go" && label.font.size == 20 && label.font.weight == .semibold)
    #expect(
      label.inspectables.suffix(9).map(\.group) == [
        "Text", "Text", "Font", "Font", "Font", "Text", "Text", "Text", "Text",
      ])
    #expect(label.inspection.values["text"] == .string("Go"))
  }

  @Test(arguments: ["中文", "مرحبا", "🚗💨", "\0", "a\u{301}\u{302}", "👩‍👩‍👧‍👦", "\u{202e}abc", "\n\n\n"])
  func `letters of any kind show with fonts for them, and break nothing without`(text: String) {
    let none = FontLibrary(files: [], defaultFamily: "None")
    for library in [ControlHarness.emojiFonts, ControlHarness.fonts, none] {
      let harness = ControlHarness(size: Size(width: 100, height: 60), fonts: library)
      FontLibrary.shared = library
      let label = Label(text)
      harness.root.addSubview(label)
      harness.frame()
      for lines in [0, 1, 2] {
        label.numberOfLines = lines
        label.frame = Rect(x: 0, y: 0, width: 18, height: 40)
        harness.frame()
        label.sizeToFit()
        #expect(label.bounds.size.width >= 0)
      }
    }
    FontLibrary.shared = ControlHarness.fonts
  }

  @Test func `emoji in a label have their colours`() {
    let harness = ControlHarness(size: Size(width: 100, height: 60), fonts: ControlHarness.emojiFonts)
    FontLibrary.shared = ControlHarness.emojiFonts
    harness.root.backgroundColor = .white
    let label = Label("🚗")
    harness.root.addSubview(label)
    harness.frame()
    let colorful = harness.shown.pixels.count { pixel in
      let parts = [16, 8, 0].map { Int((pixel >> UInt32($0)) & 255) }
      return (parts.max() ?? 0) - (parts.min() ?? 0) > 60
    }
    #expect(colorful > 30)
    FontLibrary.shared = ControlHarness.fonts
  }
}

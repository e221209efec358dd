import ControlHarness
import ControlTools
import Controls
import Testing

/// Tests of the button: values by state, taps, sizes, what it says.
@MainActor @Suite(.serialized) struct ButtonTests {
  init() {
    FontLibrary.shared = ControlHarness.fonts
  }

  private func shown(_ button: Button) -> ControlHarness {
    let harness = ControlHarness(size: Size(width: 200, height: 100))
    harness.root.addSubview(button)
    button.center = Point(x: 100, y: 50)
    harness.frame()
    return harness
  }

  private func picture(_ color: Color) -> Picture {
    Picture(size: Size(width: 16, height: 16), scale: .one) { $0.fill(color) }
  }

  // MARK: Values by state

  @Test("K16: normal, highlighted, selected, selected and highlighted, disabled are distinct")
  func distinct() {
    let button = Button("a")
    let states: [(Control.State, String)] = [
      (.highlighted, "b"), (.selected, "c"), ([.selected, .highlighted], "d"), (.disabled, "e"),
      ([.selected, .disabled], "f"),
    ]
    for (state, title) in states { button.titles[state] = title }
    #expect(button.currentTitle == "a")
    button.isHighlighted = true
    #expect(button.currentTitle == "b")
    button.isSelected = true
    #expect(button.currentTitle == "d")
    button.isHighlighted = false
    #expect(button.currentTitle == "c")
    button.isEnabled = false
    #expect(button.currentTitle == "f")
    button.isSelected = false
    #expect(button.currentTitle == "e")
    #expect(button.inspection.values["title"] == .string("e"))
  }

  nonisolated static let fallbacks: [([Control.State], Control.State, Control.State)] = [
    ([], .highlighted, .normal), ([], [.selected, .highlighted], .normal),
    ([.selected], [.selected, .highlighted], .selected),
    ([.highlighted], [.selected, .highlighted], .highlighted),
    ([.selected, .highlighted], [.selected, .highlighted], .selected),
    ([.disabled], [.disabled, .selected], .disabled), ([.selected], [.disabled, .selected], .selected),
    ([.selected, .disabled], [.disabled, .selected], .disabled), ([.highlighted], .focused, .normal),
    ([.selected], [.selected, .focused], .selected), ([.highlighted], .disabled, .normal),
  ]

  @Test("K16: a state without its own value falls back to fewer states", arguments: fallbacks)
  func fallback(set: [Control.State], state: Control.State, expected: Control.State) {
    let button = Button("normal")
    let colors: [Control.State: Color] = [
      .normal: .white, .highlighted: Color(hex: 0xff0000), .selected: Color(hex: 0x00ff00),
      .disabled: Color(hex: 0x0000ff),
    ]
    let images = colors.mapValues { picture($0) }
    for state in set + [.normal] {
      button.titles[state] = "\(state.rawValue)"
      button.titleColors[state] = colors[state]
      button.fillColors[state] = colors[state]
      button.images[state].picture = images[state]
    }
    #expect(button.titles.value(for: state) == "\(expected.rawValue)")
    #expect(button.titleColors.value(for: state) == colors[expected])
    #expect(button.fillColors.value(for: state) == colors[expected])
    #expect(button.images.picture(for: state) === images[expected])
    for state in set {
      button.titles[state] = nil
      button.titleColors[state] = nil
      button.fillColors[state] = nil
      button.images[state].picture = nil
    }
    #expect(button.titles.value(for: state) == "0" && button.titleColors.value(for: state) == .white)
    #expect(button.fillColors.value(for: state) == .white && button.images.picture(for: state) === images[.normal])
  }

  @Test func `K16: a state's value is one property: observed, told once, and drawn also where no list has it`() {
    let button = Button("Go")
    let harness = shown(button)
    var told: [String] = []
    let tokens = [
      button.observe(\Button.title) { told.append("normal \($0.new)") },
      button.observe(\Button.titles[.selected]) { told.append("selected \($0.new ?? "-")") },
    ]
    defer { withExtendedLifetime(tokens) {} }
    button.titles[.selected] = "Stop"
    button.titles[.selected] = "Stop"
    button.title = "Drive"
    button.titles[.normal] = "Park"
    #expect(told == ["selected Stop", "normal Drive", "normal Park"])
    harness.frameIfNeeded()
    button.titles[[.selected, .disabled]] = "No"
    #expect(harness.frameIfNeeded() && told.count == 3)
    button.isHighlighted = true
    harness.frameIfNeeded()
    button.fillColors[.highlighted] = .black
    #expect(harness.frameIfNeeded())
    button.fillColors[.highlighted] = .black
    #expect(!harness.frameIfNeeded())
  }

  @Test func `each picture's file has an error of its own`() {
    let button = Button("")
    button.images[.normal].file = ImageReference(path: "/nowhere/a.png")
    #expect(button.imageError?.description.contains("/nowhere/a.png") == true)
    button.images[.selected].file = ImageReference(path: "/nowhere/b.png")
    button.images[.selected].file = nil
    #expect(button.imageError?.description.contains("/nowhere/a.png") == true, "another file's end changes nothing")
    button.images[.normal].file = nil
    #expect(button.imageError == nil)
  }

  @Test(
    "K16: every state looks different, also without colours of its own, in every style and theme",
    arguments: ButtonStyle.allCases)
  func looks(style: ButtonStyle) {
    for theme in [Theme.light, .dark] {
      var pictures: [Snapshot] = []
      let states: [Control.State] = [
        .normal, .highlighted, .selected, [.selected, .highlighted], .disabled, [.disabled, .selected],
      ]
      for state in states {
        let button = Button("Go", style: style)
        let harness = shown(button)
        harness.root.theme = theme
        harness.root.backgroundColor = theme.background
        button.isHighlighted = state.contains(.highlighted)
        button.isSelected = state.contains(.selected)
        button.isEnabled = !state.contains(.disabled)
        harness.frame()
        pictures.append(harness.shown)
      }
      for (first, a) in pictures.enumerated() {
        for (second, b) in pictures.enumerated() where first < second { #expect(a != b, "\(first) \(second)") }
      }
    }
  }

  @Test func `colours that were set show, and one for the disabled state is not made fainter`() {
    let button = Button("")
    button.frame = Rect(x: 0, y: 0, width: 60, height: 44)
    let harness = shown(button)
    func middle() -> UInt32 {
      harness.frameIfNeeded()
      return harness.shown[100, 50]
    }
    button.fillColors[.normal] = Color(hex: 0x204060)
    #expect(middle() == 0xff20_4060)
    button.isHighlighted = true
    #expect(middle() != 0xff20_4060)
    button.fillColors[.highlighted] = Color(hex: 0x608020)
    #expect(middle() == 0xff60_8020)
    button.isHighlighted = false
    button.isEnabled = false
    #expect(middle() != 0xff20_4060)
    button.fillColors[.disabled] = Color(hex: 0x303030)
    #expect(middle() == 0xff30_3030)
  }

  // MARK: Taps

  @Test func `a tap, Space and Enter send the primary action; outside or disabled nothing`() {
    let button = Button("Go")
    let harness = shown(button)
    var taps = 0
    button.addAction(for: .primaryActionTriggered) { _ in taps += 1 }
    harness.tap(button)
    #expect(taps == 1)
    harness.touch(.began, at: button.center)
    #expect(button.isHighlighted)
    harness.touch(.moved, at: Point(x: 5, y: 5))
    #expect(!button.isHighlighted)
    harness.touch(.ended, at: Point(x: 5, y: 5))
    #expect(taps == 1)
    harness.press(.tab)
    harness.press(.space)
    harness.press(.enter)
    #expect(taps == 3)
    button.isEnabled = false
    harness.tap(button)
    harness.press(.space)
    #expect(taps == 3)
  }

  @Test func `a toggle turns over before anybody hears of it, and says so; code turns it in silence`() {
    let button = Button("Go")
    var said: [String] = []
    button.addAction(for: .primaryActionTriggered) { said.append("tap \($0.isSelected)") }
    button.addAction(for: .valueChanged) { said.append("value \($0.isSelected)") }
    let harness = shown(button)
    harness.tap(button)
    #expect(said == ["tap false"])
    button.isToggle = true
    button.isSelected = true
    #expect(said.count == 1)
    harness.tap(button)
    #expect(said.dropFirst() == ["value false", "tap false"])
  }

  @Test("K20: a small button is touched in 44 points")
  func touchArea() {
    let button = Button("")
    button.frame = Rect(x: 0, y: 0, width: 20, height: 20)
    let harness = shown(button)
    var taps = 0
    button.addAction(for: .primaryActionTriggered) { _ in taps += 1 }
    harness.tap(Point(x: 100 - 21, y: 50 + 21))
    #expect(taps == 1)
    harness.tap(Point(x: 100 - 23, y: 50))
    #expect(taps == 1)
  }

  // MARK: Size and files

  @Test("K8: its size is that of title, picture and insets, at least 44 points")
  func size() {
    #expect(Button("").bounds.size == Size(width: 44, height: 44))
    let button = Button("Rear window heating")
    let title = FontLibrary.shared.layout("Rear window heating", font: button.font).size
    #expect(button.bounds.size == Size(width: title.width.rounded(.up) + 32, height: 44))
    button.images[.normal].picture = picture(.white)
    button.sizeToFit()
    #expect(button.bounds.width == title.width.rounded(.up) + 32 + 16 + 8)
    button.imagePlacement = .top
    button.sizeToFit()
    #expect(button.bounds.height > 60)
    button.titles[.selected] = "Go"
    button.isSelected = true
    button.sizeToFit()
    #expect(button.bounds.width < 100)
  }

  @Test("K1, K17: every property can be set by name, as a file does")
  func byName() throws {
    let button = Button()
    let values: [(String, JSONValue)] = [
      ("title", .string("Go")), ("selectedTitle", .string("Stop")), ("disabledTitle", .null),
      ("style", .string("prominent")),
      ("titleColor", .string("#ff0000")), ("fillColor", .null), ("cornerRadius", .number(3)),
      ("imagePlacement", .string("bottom")), ("imageSpacing", .number(3)), ("isToggle", .bool(true)),
      ("contentInsets", JSONValue(numbers: [1, 2, 3, 4])), ("imageInsets", JSONValue(numbers: [0, 4, 0, 0])),
      ("titleInsets", JSONValue(numbers: [0, 0, 0, 2])), ("horizontalAlignment", .string("leading")),
      ("verticalAlignment", .string("bottom")), ("fontSize", .number(20)), ("tintsImage", .bool(true)),
    ]
    for (name, value) in values {
      let property = try #require(button.inspectable(named: name), "\(name)")
      try property.set(value, on: button)
      #expect(property.json(of: button) == value)
    }
    #expect(button.titles.value(for: .selected) == "Stop" && button.titles.value(for: .disabled) == "Go")
    #expect(button.contentInsets.left == 2)
    let made = ViewRegistry.controls.makeView("Button")
    #expect(made is Button)
  }

  @Test func `a bad file gives an error and no picture; a picture in code takes a file's place`() {
    let button = Button("Go")
    button.images[.normal].file = ImageReference(path: "/nowhere/a.png")
    #expect(button.imageError?.path == "/nowhere/a.png" && button.currentImage == nil)
    button.images[.normal].picture = picture(.white)
    #expect(button.images[.normal].file == nil && button.imageError == nil && button.currentImage != nil)
    button.images[.selected].file = ImageReference(path: "/dev/null")
    #expect(button.imageError != nil && button.images.picture(for: .selected) === button.images.picture(for: .normal))
    #expect(button.inspection.values["imageError"] != nil)
  }

  @Test func `changes show at once, and none draws nothing`() {
    let button = Button("Go")
    button.frame = Rect(x: 0, y: 0, width: 150, height: 70)
    let harness = shown(button)
    let red = picture(Color(hex: 0xff0000))
    let changes: [(Button) -> Void] = [
      { $0.title = "Stop" }, { $0.style = .prominent }, { $0.titleColor = Color(hex: 0xff0000) },
      { $0.cornerRadius = 0 },
      { $0.fillColor = .black }, { $0.fontWeight = .bold }, { $0.horizontalAlignment = .leading },
      { $0.verticalAlignment = .top }, { $0.contentInsets = EdgeInsets(4) }, { $0.titleInsets = EdgeInsets(top: 3) },
      { $0.images[.normal].picture = red }, { $0.imageSpacing = 2 }, { $0.imagePlacement = .trailing },
      { $0.tintsImage = true },
      { $0.imageInsets = EdgeInsets(left: 5) }, { $0.isSelected = true },
    ]
    for (index, change) in changes.enumerated() {
      if index == 13 { button.titleColor = .white }
      harness.frameIfNeeded()
      let before = harness.shown
      change(button)
      #expect(harness.frameIfNeeded(), "\(index)")
      #expect(harness.shown != before, "\(index)")
    }
    button.title = button.title
    button.cornerRadius = -5
    #expect(!harness.frameIfNeeded())
    button.cornerRadius = .nan
    button.imageSpacing = .infinity
    #expect(!harness.frameIfNeeded())
  }
}

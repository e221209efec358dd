import ControlHarness
import Testing

@testable import ControlExercises
@testable import ControlTools
@testable import Controls

/// Tests of the guide's lines (K) that every registered type of view keeps: none is left out, a new one is asked too.
@MainActor @Suite(.serialized) struct ControlGuideTests {
  private static let types = ViewRegistry.everyControl.typeNames
  private static let typesWithParts = [
    "ColorEditor", "Dialog", "Gauge", "Keyboard", "ListView", "PageView", "PasswordField", "RangeSlider", "ScrollView",
    "Sheet", "Slider", "SteeringWheel", "Switch",
    "TabView", "TextView",
  ]

  private func make(_ type: String) throws -> View {
    let view = try #require(ViewRegistry.everyControl.makeView(type))
    rest(view)
    return view
  }

  /// Stops what else never comes to rest.
  private func rest(_ view: View) {
    (view as? PulseRadar)?.isPulsing = false
    (view as? Spinner)?.isSpinning = false
    // Closed, a dialog shows nothing.
    (view as? ModalView)?.isOpen = true
  }

  /// Types and names of what is inside, outermost first.
  private func parts(of view: View) -> [String] {
    view.subviews.flatMap { ["\(Swift.type(of: $0)) \($0.name)"] + parts(of: $0) }
  }

  private func values(of view: View) -> [String] { view.inspectables.map { "\($0.name) \($0.json(of: view))" } }

  /// The view as tall as it wants to be, 240 points wide, in a window of 300 x 400.
  private func shown(_ view: View) -> ControlHarness {
    let harness = ControlHarness(size: Size(width: 300, height: 400))
    harness.checksDamage = false
    let fitted = view.sizeThatFits(Size(width: 240, height: 300))?.height ?? .infinity
    let height = fitted.isFinite ? min(max(fitted, 44), 300) : 300
    view.frame = Rect(x: 20, y: 30, width: 240, height: height)
    harness.root.addSubview(view)
    harness.settle()
    return harness
  }

  @Test(arguments: await types)
  func `K3: the initialiser makes a control's parts and state; being shown adds nothing, and no two share any`(
    type: String
  ) throws {
    let view = try make(type)
    let (made, fresh) = (parts(of: view), values(of: view))
    #expect(made.isEmpty != Self.typesWithParts.contains(type), "\(made)")
    let harness = shown(view)
    #expect(parts(of: view) == made && values(of: view).count == fresh.count)
    harness.resize(to: Size(width: 200, height: 300), scale: Scale(1.5))
    harness.settle()
    #expect(parts(of: view) == made)
    // Global state would show in the next one made.
    for property in view.inspectables where property.kind == .bool {
      try? property.set(.bool(property.json(of: view) == .bool(false)), on: view)
    }
    let (other, layout) = (try make(type), LayoutView(registry: .everyControl))
    #expect(values(of: other) == fresh && parts(of: other) == made)
    try layout.load(LayoutFile(text: #"{"type": "\#(type)"}"#, name: type))
    let fromFile = try #require(layout.scene)
    rest(fromFile)
    #expect(values(of: fromFile) == fresh && parts(of: fromFile) == made)
  }

  @Test(arguments: await types)
  func `K4: what a user puts into a control stays in front of the control's own parts, whatever happens to it`(
    type: String
  ) throws {
    let view = try make(type)
    let user = View(frame: Rect(x: 100, y: 8, width: 20, height: 20))
    user.backgroundColor = Color(hex: 0x12ab34)
    user.isUserInteractionEnabled = false
    view.contentHost.addSubview(user)
    let harness = shown(view)
    func look(_ when: String) {
      harness.settle()
      // A stack or a scroll view may have placed it.
      let place = user.windowFrame
      #expect(view.contentHost.subviews.last === user, "\(when)")
      #expect(harness.shown[Int(place.midX), Int(place.midY)] == 0xff12_ab34, "\(when)")
    }
    look("shown")
    view.frame.size.height += 60
    look("resized")
    if let control = view as? Control {
      control.isHighlighted = true
      look("highlighted")
      control.isHighlighted = false
      control.isSelected = true
      look("selected")
      control.isEnabled = false
      control.isEnabled = true
      look("enabled again")
    }
    harness.touch(.began, at: Point(x: 60, y: 50))
    harness.touch(.moved, at: Point(x: 200, y: 60))
    look("touched")
    harness.touch(.ended, at: Point(x: 200, y: 60))
    look("let go")
  }

  @Test(arguments: await types)
  func `K7: anchors alone place any control, at every size, over a frame that code gives it`(type: String) throws {
    let view = try make(type)
    var anchors = LayoutAnchors()
    (anchors.left, anchors.top, anchors.right, anchors.bottom) = (10, 20, .percent(25), 40)
    view.anchors = anchors
    let group = View(frame: Rect(x: 0, y: 0, width: 280, height: 390))
    group.addSubview(view)
    let harness = ControlHarness(size: Size(width: 300, height: 400))
    harness.checksDamage = false
    harness.root.addSubview(group)
    for size in [Size(width: 280, height: 390), Size(width: 100, height: 200), Size(width: 240, height: 300)] {
      group.frame.size = size
      harness.frame()
      #expect(view.frame == Rect(x: 10, y: 20, width: size.width * 0.75 - 10, height: size.height - 60))
    }
    view.frame = Rect(x: 1, y: 2, width: 3, height: 4)
    group.setNeedsLayout()
    harness.frame()
    #expect(view.frame == Rect(x: 10, y: 20, width: 170, height: 240))
    // Inside, it needs no layout of its own to be right: it looks like one that had this size from the start.
    let other = try make(type)
    other.frame = view.frame
    let group2 = View(frame: group.frame)
    group2.addSubview(other)
    let fresh = ControlHarness(size: Size(width: 300, height: 400))
    fresh.root.addSubview(group2)
    fresh.frame()
    #expect(view.inspect().subviews == other.inspect().subviews)
    #expect(harness.shown == fresh.shown)
  }

  @Test(arguments: await types)
  func `K12: a part that only displays takes no touches from its control, and follows its size`(type: String) throws {
    let view = try make(type)
    let harness = shown(view)
    for size in [view.frame.size, Size(width: 90, height: 200), Size(width: 250, height: 60)] {
      view.frame.size = size
      harness.settle()
      for column in 0..<30 {
        for row in 0..<40 {
          let place = Point(x: Double(column) * 10 + 5, y: Double(row) * 10 + 5)
          guard let hit = harness.root.hitTest(place), hit !== harness.root, hit !== view else { continue }
          #expect(hit is Control || view is ScrollView, "\(Swift.type(of: hit)) at \(place)")
        }
      }
      let fresh = try make(type)
      let other = ControlHarness(size: Size(width: 300, height: 400))
      fresh.frame = view.frame
      other.root.addSubview(fresh)
      other.settle()
      #expect(view.inspect() == fresh.inspect() && harness.shown == other.shown, "\(size)")
    }
  }

  /// The event by which a control reports the user's action, and the content that it is nothing without.
  private struct Use {
    let event: Control.Event
    var content: (View) -> Void = { _ in }
    /// The keys with which Enter ends what was typed.
    var modifiers: KeyModifiers = []
  }

  private static let uses: [String: Use] = [
    "Button": Use(event: .primaryActionTriggered), "ColorEditor": Use(event: .valueChanged),
    "ChoiceControl": Use(event: .valueChanged) { ($0 as? ChoiceControl)?.titles = ["a", "b", "c"] },
    // The tests' drags end in the menu's first row.
    "PopUpButton": Use(event: .valueChanged) {
      ($0 as? PopUpButton).map { ($0.titles, $0.selectedIndex) = (["a", "b"], 1) }
    },
    "ColorWell": Use(event: .primaryActionTriggered), "Horn": Use(event: .valueChanged),
    // A picture becomes a control by being given a tap (K17).
    "ImageView": Use(event: .primaryActionTriggered) { ($0 as? ImageView)?.onTap = {} },
    "NumberField": Use(event: .valueChanged), "RangeSlider": Use(event: .valueChanged),
    "Slider": Use(event: .valueChanged), "SteeringWheel": Use(event: .valueChanged),
    "Switch": Use(event: .valueChanged), "TextField": Use(event: .valueChanged),
    "TextView": Use(event: .valueChanged, modifiers: .control),
    "PasswordField": Use(event: .valueChanged), "Keyboard": Use(event: .touchDown),
    "ThrottleGearbox": Use(event: .valueChanged), "CheckBox": Use(event: .valueChanged),
    "RadioGroup": Use(event: .valueChanged) { ($0 as? RadioGroup)?.titles = ["a", "b", "c"] },
    "Dialog": Use(event: .valueChanged),
    // Beside the card a tap closes it.
    "Sheet": Use(event: .valueChanged) { ($0 as? Sheet)?.height = 100 },
    "PageView": Use(event: .valueChanged) { pages in
      for _ in 0..<3 { pages.contentHost.addSubview(View()) }
      (pages as? PageView)?.selectedIndex = 2
    },
    "ListView": Use(event: .valueChanged) { ($0 as? ListView)?.texts = ["a", "b", "c", "d", "e", "f"] },
    "TabView": Use(event: .valueChanged) { tabs in for _ in 0..<3 { tabs.contentHost.addSubview(View()) } },
  ]

  @Test(arguments: await types)
  func `K24: with a frame and one action a control is of use, and leaves nothing behind when it goes`(
    type: String
  ) throws {
    let view = try make(type)
    guard let control = view as? Control else {
      #expect(Self.uses[type] == nil)
      // A mere view needs less: nothing happens, and nothing is asked for.
      let harness = shown(view)
      harness.tap(Point(x: 140, y: 50))
      harness.settle()
      #expect(!harness.root.needsFrame)
      return
    }
    let use = try #require(Self.uses[type], "which event does it send?")
    var events = 0
    control.addAction(for: use.event) { _ in events += 1 }
    use.content(control)
    let harness = shown(control)
    let place = control.frame
    for row in 0..<6 {
      for column in 0..<8 {
        let start = Point(
          x: place.minX + place.width * (Double(column) + 0.5) / 8,
          y: place.minY + place.height * (Double(row) + 0.5) / 6)
        // A drag, and a tap where it began.
        harness.drag(from: start, to: start.offsetBy(dx: 30, dy: 25), steps: 3)
        harness.tap(start)
      }
    }
    harness.type("7")
    harness.press(.enter, use.modifiers)
    #expect(events > 0)
    harness.settle()
    #expect(!control.isTracking && !control.isHighlighted)
    // Taken away under a finger, it holds nothing and is not held.
    harness.touch(.began, at: place.center)
    control.removeFromSuperview()
    #expect(!control.isTracking && !control.isHighlighted)
    harness.settle()
    #expect(!harness.root.needsFrame && harness.root.firstResponder == nil)
    let button = Button("next")
    button.frame = place
    harness.root.addSubview(button)
    var taps = 0
    button.addAction(for: .primaryActionTriggered) { _ in taps += 1 }
    harness.touch(.ended, at: place.center)
    harness.tap(place.center)
    #expect(taps == 1)
  }
}

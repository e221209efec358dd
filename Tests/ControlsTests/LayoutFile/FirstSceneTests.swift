import CockpitControls
import ControlExercises
import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of what authors of a first scene run into: a frame or an action means in a file what it means in code.
@MainActor @Suite struct FirstSceneTests {
  @Test func `the outermost view has the frame of the file, and fills the window without one`() throws {
    let live = ShownScene()
    #expect(live.load("{\"type\": \"RangeSlider\", \"frame\": [20, 20, 100, 31]}", named: "scene.json"))
    #expect(live.view.scene?.frame == Rect(x: 20, y: 20, width: 100, height: 31))
    #expect(live.load("{\"type\": \"RangeSlider\"}", named: "scene.json"))
    #expect(live.view.scene?.frame == live.root.bounds)
    #expect(live.load("{\"type\": \"RangeSlider\", \"margins\": 10}", named: "scene.json"))
    #expect(live.view.scene?.frame == live.root.bounds.insetBy(dx: 10, dy: 10))
  }

  private func header(_ properties: String) -> String {
    """
    {"type": "ScrollView", "subviews": [{"type": "StickyHeaderView", \(properties)"name": "h"},
      {"type": "View", "frame": [0, 200, 200, 900]}]}
    """
  }

  @Test func `a header rests at the height of its frame, as in code, or at the height that is set`() throws {
    #expect(StickyHeaderView(frame: Rect(x: 0, y: 0, width: 200, height: 80)).minimumHeight == 80)
    #expect(StickyHeaderView().minimumHeight == 120)
    let live = ShownScene()
    // In every order, as edits come; the expected height last.
    let states = [
      ("\"frame\": [0, 0, 200, 80], ", 80.0), ("", 120), ("\"minimumHeight\": 60, ", 60),
      ("\"frame\": [0, 0, 200, 80], \"minimumHeight\": 60, ", 60), ("\"frame\": [0, 0, 200, 90], ", 90),
      ("\"frame\": [0, 0, 200, 70], ", 70), ("", 120),
    ]
    for (properties, height) in states {
      #expect(live.load(header(properties), named: "scene.json"))
      let header = try #require(live.view.view(named: "h") as? StickyHeaderView)
      #expect(header.frame.height == height && header.minimumHeight == height, "\(properties)")
    }
  }

  @Test func `a view with an action takes touches, until the file leaves the action out`() throws {
    var taps = 0
    let view = LayoutView(registry: .everyControl, actions: ["count": { _ in taps += 1 }])
    let harness = ControlHarness(view, size: Size(width: 200, height: 100))
    func load(_ more: String) throws -> ImageView {
      let text = "{\"type\": \"ImageView\", \"name\": \"i\"\(more)}"
      try view.load(LayoutFile(text: "{\"type\": \"ScrollView\", \"subviews\": [\(text)]}", name: "scene.json"))
      harness.frameIfNeeded()
      return try #require(view.view(named: "i") as? ImageView)
    }
    let place = ", \"frame\": [0, 0, 80, 80]"
    let actions = ", \"actions\": {\"primaryActionTriggered\": \"count\"}"
    let image = try load(place + actions)
    harness.tap(image)
    #expect(taps == 1 && image.isUserInteractionEnabled)
    #expect(try load(place) === image)
    #expect(!image.isUserInteractionEnabled)
    _ = try load(place + actions + ", \"isUserInteractionEnabled\": false")
    harness.tap(image)
    #expect(taps == 1 && !image.isUserInteractionEnabled)
  }

  @Test func `an action is told the event that it is called for`() {
    let control = Button()
    var heard: [Control.Event] = []
    control.addAction(for: [.touchDown, .valueChanged]) { heard.append($0.sentEvents) }
    control.sendActions(for: .valueChanged)
    control.sendActions(for: [.touchDown, .touchUpInside])
    #expect(heard == [.valueChanged, .touchDown] && control.sentEvents.isEmpty)
  }

  @Test func `a gate has the article's colours if the file wants them, whatever the theme's are`() throws {
    let live = ShownScene()
    func load(_ more: String) throws -> ThrottleGearbox {
      #expect(live.load("{\"type\": \"ThrottleGearbox\"\(more)}", named: "scene.json"))
      return try #require(live.view.scene as? ThrottleGearbox)
    }
    let gearbox = try load(", \"colors\": \"article\"")
    gearbox.gear = .forward(10)
    gearbox.palette = GearboxPalette(forward: [.black], neutral: .black, reverse: .black, unlit: .black)
    let harness = ControlHarness(size: Size(width: 200, height: 580))
    harness.root.addSubview(gearbox)
    gearbox.frame = harness.root.bounds
    harness.frame()
    func has(_ color: Color) -> Bool {
      let wanted = color.hexString
      return harness.shown.pixels.contains { Color(hex: $0 & 0xff_ffff).hexString == wanted }
    }
    #expect(has(Color(hex: 0xff0000)) && has(Color(hex: 0xf2c602)) && has(.white))
    gearbox.colors = .palette
    harness.frame()
    #expect(!has(Color(hex: 0xff0000)) && !has(Color(hex: 0xf2c602)))
  }

  @Test func `errors name a type with the right article`() {
    for (type, words) in [("ImageView", "an ImageView has no"), ("Slider", "a Slider has no")] {
      let error = #expect(throws: LayoutFileError.self) {
        try LayoutView(registry: .everyControl).load(LayoutFile(text: "{\"type\": \"\(type)\", \"zzz\": 1}", name: "s"))
      }
      #expect(error?.description.contains(words) == true)
    }
  }
}

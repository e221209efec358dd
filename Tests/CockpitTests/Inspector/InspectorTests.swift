import ControlHarness
import ControlTools
import Controls
import Testing
import UICore

@testable import cockpit

/// Tests of opening and closing the inspector in the cockpit, by keys and fingers, while the car is driven.
@MainActor @Suite(.serialized) struct InspectorTests {
  let scene: CockpitScene
  let keys: KeyCommands
  let harness: ControlHarness
  private var content: View { scene.subviews[0] }

  init() {
    scene = CockpitScene()
    keys = KeyCommands(scene: scene)
    var options = Options()
    options.showsBeacon = false
    scene.apply(options)
    harness = ControlHarness(size: Size(width: 1280, height: 720), root: scene)
  }

  private var isOpen: Bool { scene.inspector.panel?.root === scene }

  @Test func `F12 opens and closes, the scene has what is left, and Escape closes before it leaves fullscreen`() {
    #expect(content.frame.width == 1280)
    harness.press(.f12)
    harness.settle()
    #expect(isOpen && content.frame == Rect(x: 0, y: 0, width: 922, height: 720))
    #expect(scene.wheel.windowFrame.maxX <= 922)
    harness.press(.f12)
    harness.settle()
    #expect(!isOpen && content.frame.width == 1280)
    harness.host.setFullscreen(true)
    harness.press(.f12)
    harness.press(.escape)
    #expect(!isOpen && harness.host.isFullscreen)
    harness.press(.escape)
    #expect(!harness.host.isFullscreen)
  }

  @Test func `an own look at a window's size: beside, over, below`() {
    scene.inspector.open()
    for (size, width, height) in [
      (Size(width: 480, height: 320), 480.0, 320.0), (Size(width: 500, height: 900), 500, 522),
    ] {
      harness.resize(to: size, scale: .one)
      #expect(content.frame == Rect(x: 0, y: 0, width: width, height: height))
    }
  }

  @Test func `what drives something is never covered: not in a small window, not while it is held`() {
    scene.mustStayInSight = true
    harness.touch(.began, at: scene.lever(.neutral))
    harness.press(.f12)
    harness.settle()
    #expect(!isOpen && scene.gearbox.isTracking)
    harness.touch(.ended, at: scene.lever(.neutral))
    harness.press(.f12)
    harness.settle()
    #expect(isOpen && content.frame.width == 922)
    // The window shrinks until the panel would lie over the scene.
    harness.resize(to: Size(width: 480, height: 320), scale: .one)
    harness.settle()
    #expect(!isOpen && content.frame == Rect(x: 0, y: 0, width: 480, height: 320))
    harness.press(.f12)
    #expect(!isOpen)
    scene.mustStayInSight = false
    harness.press(.f12)
    #expect(isOpen)
  }

  private let free = [Point(x: 500, y: 700), Point(x: 560, y: 690), Point(x: 620, y: 700)]

  private func hold(_ points: [Point], for duration: Duration) {
    harness.send(points.enumerated().map { (.began, $1, $0) })
    harness.advance(by: duration)
    harness.send(points.enumerated().map { (.ended, $1, $0) })
    harness.advance(by: .milliseconds(50))
  }

  @Test func `three fingers that rest for two seconds open and close`() {
    hold(free, for: .milliseconds(1900))
    #expect(!isOpen)
    hold(Array(free.prefix(2)), for: .seconds(3))
    #expect(!isOpen)
    hold(free, for: .milliseconds(2050))
    #expect(isOpen)
    hold(free, for: .milliseconds(2050))
    #expect(!isOpen)
  }

  @Test func `a finger that holds a control is none of the three, and goes on holding it`() {
    let lever = scene.lever(.neutral)
    hold([free[0], free[1], lever], for: .seconds(3))
    #expect(!isOpen)
    hold([free[0], free[1], scene.horn.windowFrame.center], for: .seconds(3))
    #expect(!isOpen)
    harness.touch(.began, at: lever, finger: 7)
    hold(free, for: .milliseconds(2100))
    #expect(isOpen && scene.gearbox.isTracking)
    let (frame, gear) = (scene.gearbox.windowFrame, scene.gearbox.gear)
    #expect(content.frame.width == 1280 && gear == .neutral, "nothing moves under the finger")
    harness.move(from: lever, to: scene.lever(.forward(3)), finger: 7)
    #expect(scene.gearbox.gear == .forward(3) && scene.gearbox.windowFrame == frame)
    harness.touch(.ended, at: scene.lever(.forward(3)), finger: 7)
    harness.advance(by: .milliseconds(100))
    #expect(content.frame.width == 922 && scene.gearbox.gear == .forward(3))
  }

  @Test func `driving keys go on driving while nothing in the panel has the keys`() throws {
    harness.press(.f12)
    harness.press(.up)
    harness.press(.up)
    #expect(scene.gearbox.gear == .forward(2))
    harness.key(.down, .left)
    harness.advance(by: .milliseconds(300))
    #expect(scene.wheel.angle < -1)
    harness.key(.up, .left)
    let panel = try #require(scene.inspector.panel)
    panel.chosenView = scene.wheel
    harness.settle()
    let name = try #require(panel.view(named: "name")?.view(named: "field") as? TextField)
    let scroll = try #require(name.superview?.superview?.superview?.superview?.superview?.superview as? ScrollView)
    scroll.scrollRectToVisible(name.convert(name.bounds, to: scroll.contentView), animated: false)
    harness.advance(by: .milliseconds(200))
    harness.tap(name)
    harness.type("h h")
    #expect(name.draft.contains("h h") && scene.gearbox.gear == .forward(2) && !scene.horn.isSounding)
    harness.press(.escape)
    #expect(isOpen && scene.wheel.name == "wheel")
    // Space is the brake again as soon as no text is edited.
    harness.press(.space)
    #expect(scene.gearbox.gear == .neutral)
  }

  @Test func `in a scene of one's own: choose in the outline, drag a property's slider, see the pixels`() throws {
    let file = try LayoutFile(
      text: """
        {"type": "View", "subviews": [
          {"type": "RangeSlider", "name": "range", "frame": [40, 60, 300, 40]},
        ]}
        """, name: "test")
    let scene = try CockpitScene(file: file)
    let harness = ControlHarness(size: Size(width: 1000, height: 640), root: scene)
    harness.send(
      [Point(x: 100, y: 300), Point(x: 160, y: 300), Point(x: 220, y: 300)].enumerated().map { (.began, $1, $0) })
    harness.advance(by: .milliseconds(2100))
    harness.send(
      [Point(x: 100, y: 300), Point(x: 160, y: 300), Point(x: 220, y: 300)].enumerated().map { (.ended, $1, $0) })
    let panel = try #require(scene.inspector.panel)
    let outline = try #require(panel.view(named: "views") as? OutlineList)
    let row = try #require(outline.rows.firstIndex { $0.item.title == "RangeSlider" })
    harness.tap(outline.windowFrame.origin + Point(x: 200, y: 22 + 44 * Double(row)))
    let range = try #require(scene.view(named: "range") as? RangeSlider)
    #expect(panel.chosenView === range)
    harness.settle()
    let editor = try #require(panel.view(named: "curvaceousness"))
    let knob = try #require(editor.view(named: "slider") as? Slider)
    // As a user would: scroll until it is visible.
    var drags = 0
    while knob.windowFrame.maxY > 560, drags < 20 {
      harness.drag(from: Point(x: 980, y: 540), to: Point(x: 980, y: 440), steps: 5)
      // Till it has come to rest: a finger would catch it.
      harness.advance(by: .seconds(4))
      drags += 1
    }
    let before = harness.shown
    let start = knob.windowFrame.origin + Point(x: knob.bounds.width - 15, y: 15)
    harness.drag(from: start, to: start.offsetBy(dx: -60, dy: 0))
    #expect(range.curvaceousness < 0.9 && range.curvaceousness > 0)
    #expect(harness.shown.difference(from: before).count > 20)
  }

  @Test func `idle with it and after it: no frame, no wake-up; closed, the panel is gone`() {
    harness.advance(by: .seconds(2))
    harness.press(.f12)
    scene.inspector.panel?.chosenView = scene.wheel
    harness.advance(by: .seconds(4))
    var (frames, wakes) = (harness.frameCount, harness.wakeCount)
    harness.advance(by: .seconds(10))
    #expect(harness.frameCount == frames && harness.wakeCount == wakes)
    weak let panel = scene.inspector.panel
    harness.press(.f12)
    harness.advance(by: .seconds(1))
    #expect(panel == nil && scene.subviews.count == 1)
    (frames, wakes) = (harness.frameCount, harness.wakeCount)
    harness.advance(by: .seconds(10))
    #expect(harness.frameCount == frames && harness.wakeCount == wakes && harness.host.wakeTime == nil)
  }

  @Test func `the chosen wheel as JSON is a scene that the cockpit shows`() throws {
    scene.wheel.lock = 270
    harness.press(.f12)
    let panel = try #require(scene.inspector.panel)
    panel.chosenView = scene.wheel.superview
    panel.copyAsJSON()
    let text = try #require(harness.host.clipboard)
    let copy = try CockpitScene(file: LayoutFile(text: text, name: "copy"))
    #expect(
      copy.wheel.lock == 270
        && copy.gearbox.inspectables.map { $0.json(of: copy.gearbox) }
          == scene.gearbox.inspectables.map { $0.json(of: scene.gearbox) }
    )
    panel.chosenView = copy.wheel
    #expect(panel.chosenView == nil)
  }
}

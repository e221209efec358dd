import ControlHarness
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of the inspector in any root: what it shows, marks, picks, logs and copies, and that it leaves nothing behind.
@MainActor @Suite(.serialized) struct InspectorPanelTests {
  let harness: ControlHarness
  let box = View(frame: Rect(x: 20, y: 20, width: 260, height: 500))
  let slider = Slider(frame: Rect(x: 20, y: 40, width: 200, height: 31))
  let label = Label("Hello")
  let panel = InspectorPanel(frame: Rect(x: 320, y: 0, width: 360, height: 640))
  var root: RootView { harness.root }

  init() {
    harness = ControlHarness(size: Size(width: 680, height: 640))
    harness.root.theme = .dark
    box.name = "box"
    label.frame = Rect(x: 20, y: 100, width: 80, height: 20)
    box.addSubview(slider)
    box.addSubview(label)
    harness.root.addSubview(box)
    harness.frame()
  }

  private func open() {
    root.addSubview(panel)
    harness.settle()
    harness.advance(by: .milliseconds(300))
  }

  private func part<Part: View>(_ name: String, _: Part.Type = Part.self) throws -> Part {
    try #require(panel.view(named: name) as? Part)
  }

  private func show(page: String) throws {
    let pages: ChoiceControl = try part("pages")
    let index = try #require(pages.titles.firstIndex(of: page))
    let width = pages.bounds.width / Double(pages.titles.count)
    harness.tap(pages.windowFrame.origin + Point(x: width * (Double(index) + 0.5), y: 18))
    harness.advance(by: .milliseconds(400))
  }

  private var titles: [String] { panel.outline.rows.map { $0.item.title + $0.item.detail } }

  private var lines: [String] {
    func tables(_ view: View) -> [InspectorTable] {
      view.isHidden ? [] : ((view as? InspectorTable).map { [$0] } ?? []) + view.subviews.flatMap(tables)
    }
    return tables(panel).flatMap { $0.lines.map { "\($0.start): \($0.end)" } }
  }

  @Test func `all views but its own are in the outline, and a tap chooses one`() throws {
    open()
    #expect(titles == ["View“box”", "Slider", "SliderThumb“thumb”", "Label"])
    harness.tap(panel.outline.windowFrame.origin + Point(x: 200, y: 66))
    #expect(panel.chosenView === slider)
    #expect(panel.propertyList.target === slider)
    panel.chosenView = panel.outline
    #expect(panel.chosenView == nil, "its own are none")
    panel.chosenView = Slider()
    #expect(panel.chosenView == nil, "nor those elsewhere")
  }

  @Test func `views that come, go, hide or get a name show in the outline`() {
    open()
    let more = Switch(frame: Rect(x: 20, y: 200, width: 51, height: 31))
    slider.name = "speed"
    box.addSubview(more)
    label.isHidden = true
    harness.settle()
    harness.advance(by: .milliseconds(300))
    #expect(titles == ["View“box”", "Slider“speed”", "SliderThumb“thumb”", "Label", "Switch"])
    #expect(panel.outline.rows[3].item.isDimmed)
    panel.chosenView = more
    more.removeFromSuperview()
    harness.settle()
    harness.advance(by: .milliseconds(300))
    #expect(panel.chosenView == nil && titles.count == 4)
    #expect(panel.propertyList.target == nil && panel.mark.isHidden)
  }

  @Test func `the mark lies around the chosen view, follows it, and takes no touches`() {
    open()
    panel.chosenView = slider
    harness.settle()
    #expect(!panel.mark.isHidden)
    #expect(panel.mark.frame.intersection(slider.windowFrame) == slider.windowFrame)
    let before = panel.mark.frame
    box.frame = box.frame.offsetBy(dx: 0, dy: 100)
    harness.frame()
    #expect(panel.mark.frame == before.offsetBy(dx: 0, dy: 100), "in the same frame")
    #expect(root.hitTest(slider.windowFrame.center)?.isDescendant(of: slider) == true)
    box.isHidden = true
    harness.frame()
    #expect(panel.mark.isHidden)
    box.isHidden = false
    // What lies outside of the views around it is not seen.
    slider.frame = slider.frame.offsetBy(dx: 900, dy: 0)
    harness.frame()
    #expect(panel.mark.isHidden)
  }

  @Test func `the mark has no tag over what must stay in sight`() {
    open()
    let around = slider.windowFrame.insetBy(dx: -2, dy: -2)
    for (y, hasTag) in [(slider.windowFrame.minY - 10, false), (slider.windowFrame.maxY + 40, true)] {
      panel.chosenView = nil
      root.keptInSight = { [Rect(x: 0, y: y, width: 300, height: 5)] }
      panel.chosenView = slider
      harness.settle()
      #expect(!panel.mark.isHidden && (panel.mark.frame != around) == hasTag)
    }
  }

  @Test func `picking chooses what is seen under the finger, once, and nothing of the scene is touched`() throws {
    open()
    var touched = 0
    slider.addAction(for: .touchDown) { _ in touched += 1 }
    harness.tap(try part("pick"))
    #expect(panel.isPicking)
    harness.touch(.began, at: slider.windowFrame.center.offsetBy(dx: 60, dy: 0))
    #expect(panel.chosenView === slider, "while the finger is down")
    harness.touch(.moved, at: label.windowFrame.center)
    harness.touch(.ended, at: label.windowFrame.center)
    #expect(panel.chosenView === label && !panel.isPicking && touched == 0)
    #expect(root.subviews.count == 3)
    harness.tap(slider.windowFrame.center)
    #expect(panel.chosenView === label && touched == 1)
    harness.tap(try part("pick"))
    harness.tap(Point(x: 310, y: 630))
    #expect(panel.chosenView == nil, "nothing is there")
    harness.tap(try part("pick"))
    harness.tap(try part("pick"))
    #expect(!panel.isPicking)
  }

  @Test func `a finger that holds a control keeps it while another one picks`() throws {
    open()
    let thumb = slider.windowFrame.origin + Point(x: 16, y: 15)
    harness.touch(.began, at: thumb, finger: 1)
    harness.tap(try part("pick"))
    harness.tap(label.windowFrame.center)
    harness.move(from: thumb, to: thumb.offsetBy(dx: 84, dy: 0), finger: 1)
    #expect(abs(slider.value - 0.5) < 0.01)
    harness.touch(.ended, at: thumb, finger: 1)
  }

  @Test func `a property's slider changes the chosen view's pixels`() throws {
    open()
    panel.chosenView = slider
    harness.settle()
    harness.advance(by: .seconds(1))
    let editor: View = try part("curvaceousness")
    let knob = try #require(editor.view(named: "slider") as? Slider)
    panel.propertyScroll.scrollRectToVisible(
      editor.convert(editor.bounds, to: panel.propertyList), animated: false)
    harness.settle()
    let before = harness.shown
    let start = knob.windowFrame.origin + Point(x: knob.bounds.width - 15, y: 15)
    harness.drag(from: start, to: start.offsetBy(dx: -400, dy: 0))
    #expect(slider.curvaceousness == 0)
    let place = Scale.one.pixelRect(covering: slider.windowFrame)
    #expect(pixels(before, place) != pixels(harness.shown, place))
  }

  private func pixels(_ picture: Snapshot, _ rect: PixelRect) -> [UInt32] {
    var copy = picture
    return copy.withBuffer { buffer in
      (rect.y..<rect.y + rect.height).flatMap { y in (rect.x..<rect.x + rect.width).map { buffer[$0, y] } }
    }
  }

  @Test func `the state follows at most ten times a second`() throws {
    open()
    panel.chosenView = slider
    try show(page: "State")
    #expect(lines.contains("In Window: 40, 60") && lines.contains("Size: 200 × 31") && lines.contains("Value: 0"))
    harness.advance(by: .seconds(1))
    var seen: Set<String> = []
    for step in 1...60 {
      slider.value = Double(step) / 100
      harness.advance(by: .microseconds(16_667))
      seen.insert(lines.first { $0.hasPrefix("Value:") } ?? "")
    }
    #expect((8...12).contains(seen.count))
    harness.advance(by: .milliseconds(200))
    #expect(lines.contains("Value: 0.6"), "the last one shows, too")
    harness.touch(.began, at: slider.windowFrame.center)
    harness.advance(by: .milliseconds(200))
    #expect(lines.contains("Fingers: 1") && lines.contains("State: Highlighted"))
    harness.touch(.cancelled, at: slider.windowFrame.center)
  }

  @Test func `touches, control events and the window's life are in the log, those in the panel are not`() throws {
    open()
    panel.chosenView = slider
    try show(page: "Events")
    #expect(lines.isEmpty)
    let thumb = slider.windowFrame.origin + Point(x: 16, y: 15)
    harness.drag(from: thumb, to: thumb.offsetBy(dx: 50, dy: 0))
    harness.advance(by: .milliseconds(300))
    let words = lines.map { $0.split(separator: ": ").last ?? "" }
    #expect(words.contains("Touch Began") && words.contains { $0.hasPrefix("Touch Moved ×") })
    #expect(words.contains { $0.hasPrefix("Value Changed ×") } && words.contains("Editing Did End"))
    #expect(words.contains("Touch Ended") && words.contains("Touch Down"))
    #expect(words.last == "Touch Began", "the latest is the first")
    harness.enterBackground()
    harness.enterForeground()
    harness.advance(by: .milliseconds(300))
    #expect(lines.contains { $0.hasSuffix("Window: Did Become Active") || $0.hasSuffix("Did Become Active") })
    for _ in 0..<40 { harness.tap(slider.windowFrame.center) }
    harness.advance(by: .milliseconds(300))
    #expect(lines.count == 50)
  }

  @Test func `copied as JSON and loaded again it is the same view`() throws {
    open()
    panel.chosenView = slider
    slider.value = 0.375
    slider.name = "speed"
    harness.settle()
    harness.tap(try part("copyAsJSON"))
    let text = try #require(harness.host.clipboard)
    let copy = LayoutView()
    try copy.load(LayoutFile(text: text, name: "copy"))
    let scene = try #require(copy.scene as? Slider)
    #expect(scene.inspectables.map { $0.json(of: scene) } == slider.inspectables.map { $0.json(of: slider) })
    #expect(!panel.message.isHidden && panel.message.text == "Copied as JSON.")
    harness.advance(by: .seconds(5))
    #expect(panel.message.isHidden)
    harness.host.hasClipboard = false
    var written = ""
    panel.writesOut = { written += $0 }
    harness.tap(try part("copyAsJSON"))
    #expect(written == text && panel.message.text.contains("standard output"))
    panel.chosenView = slider.subviews.first
    #expect(try !part("copyAsJSON", Button.self).isEnabled, "files have no name for a thumb")
  }

  @Test func `the close button and Escape ask to close, but not the Escape of a field that is edited`() throws {
    open()
    var asked = 0
    panel.onClose = { asked += 1 }
    harness.tap(try part("close"))
    #expect(asked == 1)
    panel.chosenView = label
    harness.settle()
    let field = try #require(try part("text", View.self).view(named: "field"))
    harness.tap(field)
    harness.type("abc")
    harness.press(.escape)
    #expect(asked == 1 && label.text == "Hello")
    harness.tap(panel.outline.windowFrame.origin + Point(x: 200, y: 22))
    harness.press(.escape)
    #expect(asked == 2)
  }

  @Test func `two panels watch at a time, and closing one leaves the other watching`() {
    open()
    let second = InspectorPanel(frame: Rect(x: 320, y: 0, width: 360, height: 640))
    root.addSubview(second)
    harness.settle()
    second.removeFromSuperview()
    harness.settle()
    let late = View(frame: Rect(x: 0, y: 0, width: 5, height: 5))
    late.name = "late"
    box.addSubview(late)
    harness.settle()
    harness.advance(by: .milliseconds(300))
    #expect(titles.contains("View“late”"))
  }

  @Test func `open and idle nothing is drawn or woken; closed, nobody observes any more`() throws {
    #expect(!root.activityObservers.hasAwake)
    for page in ["Properties", "State", "Events"] {
      open()
      panel.chosenView = slider
      try show(page: page)
      harness.advance(by: .seconds(3))
      let (frames, wakes) = (harness.frameCount, harness.wakeCount)
      harness.advance(by: .seconds(10))
      #expect(harness.frameCount == frames && harness.wakeCount == wakes, "\(page)")
      #expect(harness.host.wakeTime == nil)
      panel.removeFromSuperview()
      harness.settle()
      #expect(!root.activityObservers.hasAwake && root.subviews.count == 1 && root.wakeUps.isEmpty)
      let isObserved = slider.propertyState?.observers.values.contains { $0.hasAwake } ?? false
      #expect(!isObserved)
      #expect(panel.chosenView == nil && panel.propertyList.target == nil)
      slider.value += 0.1
      harness.settle()
      harness.advance(by: .seconds(1))
      #expect(harness.host.wakeTime == nil)
    }
  }

  @Test func `a view that went is not kept alive`() {
    open()
    weak var gone: Switch?
    do {
      let view = Switch(frame: Rect(x: 0, y: 300, width: 51, height: 31))
      gone = view
      box.addSubview(view)
      harness.settle()
      panel.chosenView = view
      harness.settle()
      view.removeFromSuperview()
    }
    harness.settle()
    harness.advance(by: .milliseconds(300))
    #expect(gone == nil && panel.outline.selection == nil)
  }

  @Test func `low, the outline is a page`() throws {
    panel.frame = Rect(x: 380, y: 0, width: 300, height: 320)
    open()
    let pages: ChoiceControl = try part("pages")
    #expect(pages.titles.count == 4)
    #expect(panel.outline.isHidden && pages.selectedIndex == 1)
    try show(page: pages.titles[0])
    #expect(!panel.outline.isHidden && panel.outline.frame.height > 200)
    panel.frame = Rect(x: 320, y: 0, width: 360, height: 640)
    harness.settle()
    #expect(pages.titles == ["Properties", "State", "Events"] && !panel.outline.isHidden)
  }

  @Test func `ten thousand views: opening takes a moment, a change of one costs no more`() {
    let many = View(frame: Rect(x: 0, y: 0, width: 300, height: 600))
    for index in 0..<10_000 {
      many.addSubview(View(frame: Rect(x: Double(index % 100) * 3, y: Double(index / 100) * 6, width: 2, height: 5)))
    }
    root.addSubview(many)
    harness.checksDamage = false
    harness.frame()
    let clock = ContinuousClock()
    let time = clock.measure {
      root.addSubview(panel)
      harness.frame()
    }
    #expect(time < .milliseconds(1500))
    #expect(panel.outline.rows.count > 10_000)
    panel.chosenView = many.subviews[5000]
    harness.settle()
    harness.advance(by: .seconds(1))
    let frames = (0..<10).map { step in
      clock.measure {
        many.subviews[5000].alpha = 0.5 + Double(step) / 100
        harness.advance(by: .milliseconds(20))
      }
    }
    #expect(frames.min() ?? .zero < .milliseconds(20))
  }
}

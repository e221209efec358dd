import ControlHarness
import ScreenshotTesting
import Testing

@testable import Controls
@testable import WindowDecoration

/// A window that notes what its frame asks for.
@MainActor private final class NotingHost: WindowHost {
  var wishes: [String] = []
  var now = MonotonicTime(nanoseconds: 1_000_000_000)
  var wake: MonotonicTime?
  var cursors: [SeatID: CursorShape] = [:]
  let isFullscreen = false
  func setWake(at time: MonotonicTime?) { wake = time }
  func setCursor(_ shape: CursorShape, for seat: SeatID) { cursors[seat] = shape }
  let outputTransform = OutputTransform.normal
  func setFullscreen(_ fullscreen: Bool) {}
  func setClipboard(_ text: String) -> Bool { false }
  func canPaste(for seat: SeatID) -> Bool { false }
  func requestPaste(for seat: SeatID) {}
  var textInput: TextInputState?
  func setTextInput(_ state: TextInputState?) { textInput = state }
  func close() { wishes.append("close at once") }
  func requestClose() { wishes.append("close") }
  func minimize() { wishes.append("minimise") }
  func setMaximized(_ maximized: Bool) { wishes.append(maximized ? "maximise" : "restore") }
  func beginMove(by touch: TouchID) { wishes.append("move \(number(touch))") }
  func beginResize(from edge: WindowEdge, by touch: TouchID) { wishes.append("resize \(edge) \(number(touch))") }
  func showMenu(at point: Point, by touch: TouchID) {
    wishes.append("menu \(Int(point.x)),\(Int(point.y)) \(number(touch))")
  }

  func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? {
    wishes.append("popup \(Int(placement.anchor.minX)),\(Int(placement.anchor.minY))")
    return nil
  }

  private func number(_ touch: TouchID) -> Int {
    if case .finger(let id) = touch.contact { Int(id) } else { -1 }
  }
}

/// Content that shows nothing and notes when it is woken.
@MainActor private final class Sleeper: WindowContent {
  weak var host: (any WindowHost)?
  var onWake: () -> Void = {}
  let isOpaque = true
  let minimumSize = Size(width: 10, height: 10)
  let needsFrame = false
  let isAnimating = false
  func resize(to size: Size, scale: Scale) {}
  func handle(_ event: InputEvent) {}
  func handle(_ event: LifecycleEvent) {}
  func handleWake(at time: MonotonicTime) { onWake() }
  func prepareFrame(for time: MonotonicTime) {}
  func takeDamage() -> Region { Region() }
  func draw(_ region: Region, into buffer: PixelBuffer) {}
}

@MainActor @Suite(.serialized) struct WindowDecorationTests {
  private let host = NotingHost()
  private let content = DecoratedRootView()
  private let probe = ProbeView()
  private let frame: any WindowDecoration

  init() throws {
    FontLibrary.shared = ControlHarness.fonts
    content.theme = .dark
    content.backgroundColor = Color(hex: 0x0a0e14)
    content.addSubview(probe)
    probe.frame = Rect(x: 0, y: 0, width: 60, height: 40)
    frame = try #require(content.makeDecoration())
    frame.title = "Cockpit"
    frame.host = host
    show()
  }

  /// Shows the frame around 300 x 156 points of content, as far as the state leaves them.
  private func show(_ state: WindowState? = nil, scale: Scale = .one) {
    var shown = state ?? frame.state
    if state == nil { shown.isActivated = true }
    frame.state = shown
    let overhang = frame.overhang
    frame.resize(
      to: Size(width: 300 + overhang.left + overhang.right, height: 200 + overhang.top + overhang.bottom), scale: scale)
    frame.handle(.willEnterForeground)
    frame.handle(.didBecomeActive)
    frame.prepareFrame(for: host.now)
  }

  private func touch(_ phase: TouchPoint.Phase, _ x: Double, _ y: Double, finger: Int = 4) {
    let point = TouchPoint(
      id: ControlHarness.touchID(finger), phase: phase, location: Point(x: x, y: y), time: host.now)
    frame.handle(.touches([point]))
    frame.prepareFrame(for: host.now)
  }

  private func tap(_ x: Double, _ y: Double) {
    touch(.began, x, y)
    host.now = host.now + .milliseconds(60)
    touch(.ended, x, y)
    host.now = host.now + .milliseconds(60)
  }

  private func wake(after duration: Duration) {
    host.now = host.now + duration
    frame.handleWake(at: host.now)
  }

  // MARK: What it does

  @Test func `its buttons are elements beside the content's, by their place there`() throws {
    let area = Rect(origin: (frame as? DecoratedContent)?.geometry.content.origin ?? .zero, size: content.bounds.size)
    let words = AccessibilityWords.current
    #expect(
      Set(content.accessibilityDecoration.compactMap(\.accessibilityLabel)) == [
        words.closeWindow, words.maximizeWindow, words.minimizeWindow,
      ])
    for button in content.accessibilityDecoration {
      #expect(button.accessibilityRole == .button && button.accessibilityParent === content)
      #expect(button.accessibilityRoot === content && button.accessibilityElements.isEmpty)
      let place = button.accessibilityPlace(of: button.bounds)
      #expect(place.maxY <= 0, "above the content")
      #expect(place.offsetBy(dx: area.minX, dy: area.minY) == button.windowFrame)
      #expect(content.accessibilityDecorationHitTest(place.center) === button)
      try button.carryOut(.perform("press"))
    }
    #expect(Set(host.wishes) == ["close", "maximise", "minimise"])
    #expect(content.accessibilityDecorationHitTest(Point(x: 5, y: 5)) == nil)
    var maximized = frame.state
    maximized.isMaximized = true
    show(maximized)
    #expect(content.accessibilityDecoration.contains { $0.accessibilityLabel == words.restoreWindow })
    #expect(RootView().accessibilityDecoration.isEmpty)
  }

  @Test func `behaviour 31: a finger on the title moves the window once it moves, a tap does not`() {
    tap(100, 30)
    wake(after: .seconds(1))
    #expect(host.wishes.isEmpty)
    touch(.began, 100, 30)
    touch(.moved, 103, 30)
    #expect(host.wishes.isEmpty)
    touch(.moved, 107, 30)
    #expect(host.wishes == ["move 4"])
    touch(.moved, 112, 30)
    touch(.moved, 130, 30)
    #expect(host.wishes == ["move 4"], "asked once, also where the compositor leaves the finger here")
    touch(.cancelled, 107, 30)
    #expect(host.wishes == ["move 4"])
    touch(.began, 100, 30)
    touch(.moved, 110, 30)
    touch(.ended, 110, 30)
    touch(.began, 100, 30)
    touch(.moved, 110, 30)
    #expect(host.wishes == ["move 4", "move 4", "move 4"], "once for each gesture")
  }

  @Test func `only the one of the two is woken whose time has come`() throws {
    let sleeper = Sleeper()
    let framed = DecoratedContent(sleeper, looksOf: content)
    framed.host = host
    framed.resize(to: Size(width: 328, height: 228), scale: .one)
    var woken: [String] = []
    sleeper.onWake = { woken.append("content") }
    sleeper.host?.setWake(at: host.now + .seconds(2))
    framed.tree.wake(at: host.now + .seconds(1)) { woken.append("frame") }
    let start = host.now
    host.now = start + .seconds(1)
    framed.handleWake(at: host.now)
    #expect(woken == ["frame"] && host.wake == start + .seconds(2))
    host.now = start + .seconds(2)
    framed.handleWake(at: host.now)
    #expect(woken == ["frame", "content"] && host.wake == nil)
  }

  @Test func `the buttons close, maximise or restore, and minimise where the compositor can`() {
    tap(292, 36)
    tap(248, 36)
    tap(204, 36)
    #expect(host.wishes == ["close", "maximise", "minimise"])
    host.wishes = []
    var state = frame.state
    state.capabilities = [.maximize]
    show(state)
    tap(204, 36)
    wake(after: .seconds(1))
    #expect(host.wishes.isEmpty, "no button is there that would do nothing")
    state.isMaximized = true
    state.capabilities = []
    show(state)
    tap(278, 22)
    tap(234, 22)
    #expect(host.wishes == ["close", "restore"])
  }

  @Test func `a button that is left before the finger goes up does nothing`() {
    touch(.began, 292, 36)
    touch(.moved, 292, 150)
    touch(.ended, 292, 150)
    touch(.began, 292, 36)
    touch(.cancelled, 292, 36)
    #expect(host.wishes.isEmpty)
  }

  @Test func `two taps on the title maximise and restore, a long press shows the menu at its place in the window`() {
    tap(100, 30)
    tap(101, 31)
    #expect(host.wishes == ["maximise"])
    wake(after: .seconds(1))
    host.wishes = []
    touch(.began, 100, 30)
    wake(after: .milliseconds(600))
    #expect(host.wishes == ["menu 86,16 4"])
  }

  @Test(arguments: [
    (2.0, 2.0, WindowEdge.topLeft), (160, 3, .top), (326, 5, .topRight), (3, 110, .left), (324, 110, .right),
    (3, 226, .bottomLeft), (160, 220, .bottom), (320, 220, .bottomRight),
  ])
  func `every side and corner resizes at once, with its own cursor`(x: Double, y: Double, edge: WindowEdge) {
    frame.handle(.hover(ControlHarness.seat, Point(x: x, y: y)))
    let cursors: [WindowEdge: CursorShape] = [
      .topLeft: .resizeFalling, .bottomRight: .resizeFalling, .topRight: .resizeRising, .bottomLeft: .resizeRising,
      .left: .resizeHorizontal, .right: .resizeHorizontal, .top: .resizeVertical, .bottom: .resizeVertical,
    ]
    #expect(host.cursors[ControlHarness.seat] == cursors[edge])
    touch(.began, x, y)
    #expect(host.wishes == ["resize \(edge) 4"])
  }

  @Test func `the content gets its own points, keys and scrolls, and its wake is not lost beside the frame's`() {
    var taken: [Point] = []
    let token = content.observeLifecycle { _ in }
    defer { withExtendedLifetime(token) {} }
    let button = Button("x")
    button.frame = Rect(x: 0, y: 0, width: 60, height: 40)
    content.addSubview(button)
    button.addAction(for: .touchDown) { taken.append($0.trackedTouches[0].location(in: $0)) }
    touch(.began, 25, 70)
    #expect(taken == [Point(x: 10, y: 12)])
    touch(.ended, 25, 70)
    var woken = 0
    content.wake(at: host.now + .seconds(2)) { woken += 1 }
    touch(.began, 100, 30)
    #expect(host.wake.map { $0 < host.now + .seconds(2) } == true, "the frame's long press comes first")
    touch(.cancelled, 100, 30)
    #expect(host.wake == host.now + .seconds(2))
    wake(after: .seconds(2))
    #expect(woken == 1)
  }

  // MARK: What it shows

  /// The whole picture at `scale`.
  private func picture(_ scale: Scale) -> Snapshot {
    let overhang = frame.overhang
    let size = scale.pixelSize(
      Size(width: 300 + overhang.left + overhang.right, height: 200 + overhang.top + overhang.bottom))
    var snapshot = Snapshot(garbage: size, seed: 5)
    snapshot.withBuffer { frame.draw(Region(PixelRect(size)), into: $0) }
    return snapshot
  }

  @Test(arguments: [Scale.one, Scale(1.25), Scale(1.5), Scale(2)])
  func `the content's pixels are those that it has without a frame`(scale: Scale) throws {
    for isMaximized in [false, true] {
      var state = frame.state
      state.isMaximized = isMaximized
      show(state, scale: scale)
      let whole = picture(scale)
      let size = scale.pixelSize(content.bounds.size)
      let (x, y) = isMaximized ? (0.0, 44.0) : (15, 58)
      let left = Int((x * scale.factor).rounded())
      let top = min(Int((y * scale.factor).rounded()), whole.size.height - size.height)
      var bare = Snapshot(garbage: size, seed: 9)
      bare.withBuffer { content.draw(Region(PixelRect(size)), into: $0) }
      var mismatches = 0
      for row in 0..<size.height {
        for column in 0..<size.width where whole[left + column, top + row] != bare[column, row] { mismatches += 1 }
      }
      #expect(mismatches == 0)
    }
  }

  @Test func `what changes is damaged at its place, and repairing it equals painting everything`() {
    _ = frame.takeDamage()
    var shown = picture(.one)
    probe.color = .white
    probe.setNeedsDisplay()
    touch(.began, 292, 36)
    frame.prepareFrame(for: host.now)
    let damage = frame.takeDamage()
    #expect(damage.contains(PixelRect(x: 15, y: 58, width: 60, height: 40)) && damage.area < 300 * 60)
    var part = Snapshot(garbage: shown.size, seed: 3)
    part.withBuffer { frame.draw(damage, into: $0) }
    shown.copy(damage, from: part)
    #expect(shown == picture(.one))
  }

  @Test func `behaviour 22: a window that is not activated has quiet letters, and everything still works`() {
    var state = frame.state
    state.isActivated = false
    show(state)
    tap(292, 36)
    #expect(host.wishes == ["close"])
  }

  @Test(arguments: [Scale.one, Scale(1.5), Scale(2)])
  func `pictures of the frame`(scale: Scale) throws {
    let references = ScreenshotReferences(besideFile: #filePath, folderName: "Goldens")
    for theme in [ScreenshotTheme.dark, .light] {
      content.theme = theme.theme
      content.backgroundColor = theme.theme.background
      for look in ["floating", "quiet", "pressed", "maximised", "tiled", "mirrored"] {
        var state = WindowState()
        state.isActivated = look != "quiet"
        state.isMaximized = look == "maximised"
        if look == "tiled" { state.tiledSides = [.left, .top, .bottom] }
        content.layoutDirection = look == "mirrored" ? .rightToLeft : nil
        show(state, scale: scale)
        if look == "pressed" { touch(.began, 292, 36) }
        try references.verify(
          picture(scale), named: screenshotName(["frame", theme.name, look], .leftToRight, scale),
          tolerance: Tolerance(levels: 2))
        if look == "pressed" { touch(.cancelled, 292, 36) }
      }
    }
  }
}

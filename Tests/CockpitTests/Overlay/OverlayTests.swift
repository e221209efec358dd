import ControlHarness
import Controls
import DebugOverlay
import Shell
import Stage
import Testing
import UICore

/// Draws as slowly as a test wants.
private final class SlowView: View {
  var cost: (() -> Void)? { didSet { setNeedsDisplay() } }

  override func draw(_ canvas: Canvas) {
    cost?()
    canvas.fill(theme.fill)
  }
}

/// Tests of the marks that `COCKPIT_OVERLAY` puts over a window. The stage holds each frame to its damage.
@MainActor @Suite(.serialized) struct OverlayTests {
  private let root = RootView()
  private let slider = Slider(frame: Rect(x: 40, y: 172, width: 240, height: 44))
  private let button = Button("Horn")
  private let clock = SlowView(frame: Rect(x: 40, y: 112, width: 120, height: 40))
  private let stage: Stage
  private let window: StageWindow

  /// A window of 320 x 240 with the marks of `words`.
  private init(_ words: String, scale: Scale = .one) throws {
    FontLibrary.shared = ControlHarness.fonts
    root.theme = .dark
    root.backgroundColor = root.theme.background
    button.frame = Rect(x: 192, y: 108, width: 88, height: 44)
    for view in [slider, button, clock] { root.addSubview(view) }
    stage = Stage(globals: .everything)
    stage.scale = scale
    stage.onViolation = { Issue.record("\($0)") }
    var options = WindowOptions(title: "Overlay", applicationID: "org.example", size: Size(width: 320, height: 240))
    options.hasDecoration = false
    options.overlays = Overlay.read(words, of: "").kinds
    window = try StageWindow(root, on: stage, options)
  }

  /// Swift Testing makes a suite without arguments.
  init() throws { try self.init("") }

  /// A finger comes down and goes 30 points to the right.
  private func drag(from point: Point) {
    touch(point)
    for step in 1...3 {
      stage.seat.touchMotion(3, point.x + 10 * Double(step), point.y)
      stage.seat.touchFrame()
      window.refresh()
    }
  }

  private func touch(_ point: Point) {
    stage.seat.touchDown(3, point.x, point.y)
    stage.seat.touchFrame()
    window.refresh()
  }

  /// Draws frames that take 0.5 ms, 1.5 ms and so on, up to more than a refresh.
  private func drawSlowly() {
    for frame in 0..<20 {
      clock.cost = { [stage] in stage.clock.advance(by: .microseconds(500 + 1000 * frame)) }
      window.refresh()
    }
    clock.cost = nil
  }

  /// Compares what the compositor was shown with the picture `name`.
  private func expectPicture(_ name: String) throws {
    let picture = try #require(stage.frontSurface?.picture)
    var snapshot = Snapshot(size: picture.size)
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width { snapshot.pixels[y * picture.size.width + x] = picture.pixel(x: x, y: y) }
    }
    try ScreenshotReferences(besideFile: #filePath, folderName: "Goldens").verify(
      snapshot, named: name, tolerance: Tolerance(levels: 2))
  }

  @Test(arguments: Overlay.Kind.allCases)
  func `each kind marks what a finger on the slider changes`(kind: Overlay.Kind) throws {
    let test = try OverlayTests(kind.rawValue)
    test.drawSlowly()
    test.drag(from: Point(x: 60, y: 194))
    try test.expectPicture("overlay-\(kind)@1.0")
    test.window.end()
  }

  @Test func `all of them go together, at any scale`() throws {
    let test = try OverlayTests("damage,bounds,touches,frames", scale: Scale(1.5))
    test.drawSlowly()
    test.drag(from: Point(x: 60, y: 194))
    try test.expectPicture("overlay-all@1.5")
    test.window.end()
  }

  @Test func `a window at rest draws nothing for its marks, and a lifted finger's mark goes`() throws {
    let test = try OverlayTests("damage,bounds,touches,frames")
    let before = try #require(test.stage.frontSurface?.picture)
    test.touch(Point(x: 280, y: 20))
    let held = try #require(test.stage.frontSurface?.picture)
    #expect(held.pixel(x: 280, y: 20) == 0xff00_c8ff && before.pixel(x: 280, y: 20) != 0xff00_c8ff)
    var commits = 0
    test.stage.onCommit = { _, _ in commits += 1 }
    for _ in 0..<30 { test.window.refresh() }
    #expect(commits == 0)
    test.stage.seat.touchUp(3)
    test.stage.seat.touchFrame()
    test.window.refresh()
    let after = try #require(test.stage.frontSurface?.picture)
    #expect(commits > 0 && after.pixel(x: 280, y: 20) == before.pixel(x: 280, y: 20))
    test.window.end()
  }

  @Test func `without the variable there are no marks, and a word that names none is told with those that do`() {
    #expect(Overlay.read("", of: "") == ([], nil))
    #expect(Overlay.read("damage, frames", of: "") == ([.damage, .frames], nil))
    let (kinds, mistake) = Overlay.read("damge,bounds,fps", of: "COCKPIT_OVERLAY")
    #expect(kinds == [.bounds])
    #expect(
      mistake == "COCKPIT_OVERLAY: no overlay is called damge, fps; there are damage, bounds, touches, frames")
  }
}

import ControlHarness
import Testing

@testable import Controls
@testable import WindowDecoration

/// Tests of where a window's frame lies and who gets an event.
@MainActor @Suite struct DecorationGeometryTests {
  private func geometry(
    _ width: Double, _ height: Double, tiled: Set<WindowEdge> = [], maximized: Bool = false, fullscreen: Bool = false
  ) -> DecorationGeometry {
    var state = WindowState()
    state.tiledSides = tiled
    state.isMaximized = maximized
    state.isFullscreen = fullscreen
    return DecorationGeometry(size: Size(width: width, height: height), state: state)
  }

  @Test func `behaviour 31: a frame takes what its state needs, and nothing when the window is fullscreen`() {
    let floating = geometry(528, 428)
    #expect(floating.window == Rect(x: 14, y: 14, width: 500, height: 400))
    #expect(floating.content == Rect(x: 15, y: 58, width: 498, height: 355))
    #expect(floating.opaqueArea == Rect(x: 14, y: 24, width: 500, height: 390))
    let maximized = geometry(500, 400, maximized: true)
    #expect(maximized.window == Rect(x: 0, y: 0, width: 500, height: 400))
    #expect(maximized.content == Rect(x: 0, y: 44, width: 500, height: 356))
    #expect(maximized.opaqueArea.size == maximized.size && edges(of: maximized).isEmpty)
    let fullscreen = geometry(500, 400, maximized: true, fullscreen: true)
    #expect(fullscreen.content.size == fullscreen.size && fullscreen.bar.isEmpty && edges(of: fullscreen).isEmpty)
  }

  @Test func `tiled sides have no handle, no line and no round corner`() {
    let left = geometry(514, 400, tiled: [.top, .bottom, .left])
    #expect(left.overhang == EdgeInsets(top: 0, left: 0, bottom: 0, right: 14))
    #expect(left.insets == EdgeInsets(top: 44, left: 0, bottom: 0, right: 1))
    #expect(edges(of: left) == [.right])
    #expect(left.edge(at: Point(x: 500, y: 0)) == .right && left.edge(at: Point(x: 513, y: 399)) == .right)
    #expect(left.edge(at: Point(x: 499, y: 200)) == nil && left.edge(at: Point(x: 514, y: 200)) == nil)
    #expect(geometry(514, 428, tiled: [.right]).roundCorners == (true, false))
    #expect(edges(of: geometry(100, 100, tiled: [.top, .bottom, .left, .right])).isEmpty)
  }

  /// The edges that are met anywhere.
  private func edges(of geometry: DecorationGeometry) -> Set<WindowEdge> {
    var found: Set<WindowEdge> = []
    for y in stride(from: 0.5, to: geometry.size.height, by: 3) {
      for x in stride(from: 0.5, to: geometry.size.width, by: 3) {
        if let edge = geometry.edge(at: Point(x: x, y: y)) { found.insert(edge) }
      }
    }
    return found
  }

  @Test func `every place beyond the window is one handle's, and none lies in the window`() {
    let geometry = geometry(328, 228)
    let window = geometry.window
    for y in stride(from: 0.5, to: 228, by: 3) {
      for x in stride(from: 0.5, to: 328, by: 3) {
        let place = Point(x: x, y: y)
        #expect((geometry.edge(at: place) == nil) == window.contains(place), "\(place)")
      }
    }
    #expect(edges(of: geometry) == Set(WindowEdge.allCases))
    func edge(_ x: Double, _ y: Double) -> WindowEdge? { geometry.edge(at: Point(x: x, y: y)) }
    #expect(edge(1, 1) == .topLeft && edge(41, 3) == .topLeft && edge(3, 41) == .topLeft && edge(42, 3) == .top)
    #expect(edge(327, 1) == .topRight && edge(3, 42) == .left && edge(3, 120) == .left && edge(327, 120) == .right)
    #expect(edge(1, 227) == .bottomLeft && edge(320, 200) == .bottomRight && edge(160, 220) == .bottom)
    #expect(edge(-1, 100) == nil && edge(160, 228) == nil)
  }

  @Test func `buttons and title share the bar, mirrored from right to left`() {
    var geometry = geometry(528, 428)
    #expect(geometry.buttons(2).map(\.minX) == [456, 412])
    #expect(geometry.title(besides: 2) == Rect(x: 88, y: 0, width: 324, height: 44))
    geometry.isMirrored = true
    #expect(geometry.buttons(2).map(\.minX) == [0, 44])
    var narrow = self.geometry(228, 428)
    #expect(narrow.title(besides: 3) == Rect(x: 16, y: 0, width: 52, height: 44))
    narrow.isMirrored = true
    #expect(narrow.title(besides: 3).minX == 132)
  }
}

/// Tests of who gets an event: the content, or the decoration around it.
@MainActor @Suite(.serialized) struct DecorationEventTests {
  /// Content that notes its events.
  private final class Listener: WindowContent {
    weak var host: (any WindowHost)?
    var events: [InputEvent] = []
    let (isOpaque, needsFrame, isAnimating) = (true, false, false)
    let minimumSize = Size.zero
    func resize(to size: Size, scale: Scale) {}
    func handle(_ event: InputEvent) { events.append(event) }
    func handle(_ event: LifecycleEvent) {}
    func prepareFrame(for time: MonotonicTime) {}
    func takeDamage() -> Region { Region() }
    func draw(_ region: Region, into buffer: PixelBuffer) {}

    /// The events since the last call.
    func take() -> [InputEvent] {
      defer { events = [] }
      return events
    }
  }

  private let content = Listener()
  private let host = RecordingHost()
  private let framed: DecoratedContent

  /// The content begins at (15, 58).
  init() {
    framed = DecoratedContent(content, looksOf: RootView())
    framed.host = host
    framed.resize(to: Size(width: 328, height: 228), scale: .one)
    framed.prepareFrame(for: .zero)
  }

  private func point(_ finger: Int, _ phase: TouchPoint.Phase, _ x: Double, _ y: Double) -> TouchPoint {
    TouchPoint(id: ControlHarness.touchID(finger), phase: phase, location: Point(x: x, y: y), time: .zero)
  }

  /// The decoration's own fingers.
  private var fingers: [Int] {
    framed.tree.touchDispatcher.touches.compactMap { if case .finger(let id) = $0.id.contact { Int(id) } else { nil } }
  }

  @Test func `a contact is his on whom it began, and what happens at once stays together`() {
    framed.handle(.touches([point(0, .began, 25, 68), point(1, .began, 100, 30), point(2, .began, 35, 68)]))
    #expect(content.take() == [.touches([point(0, .began, 10, 10), point(2, .began, 20, 10)])])
    #expect(fingers == [1])
    framed.handle(.touches([point(0, .moved, 25, 28), point(1, .moved, 100, 68)]))
    #expect(content.take() == [.touches([point(0, .moved, 10, -30)])])
    #expect(framed.tree.touchDispatcher.touch(ControlHarness.touchID(1))?.location(in: nil) == Point(x: 100, y: 68))
    framed.handle(.touches([point(1, .ended, 25, 68)]))
    #expect(content.take().isEmpty && fingers.isEmpty)
    framed.handle(.touches([point(1, .began, 25, 68)]))
    #expect(content.take() == [.touches([point(1, .began, 10, 10)])] && fingers.isEmpty)
  }

  @Test func `a pointer leaves the one before it enters the other`() {
    let seat = ControlHarness.seat
    func hover(_ x: Double, _ y: Double) -> [InputEvent] {
      framed.handle(.hover(seat, Point(x: x, y: y)))
      return content.take()
    }
    #expect(hover(100, 30).isEmpty && framed.tree.isHovered)
    #expect(hover(25, 68) == [.hover(seat, Point(x: 10, y: 10))] && !framed.tree.isHovered)
    #expect(hover(26, 68) == [.hover(seat, Point(x: 11, y: 10))])
    #expect(hover(3, 120) == [.hover(seat, nil)] && framed.tree.isHovered)
    #expect(hover(26, 68).count == 1)
    framed.handle(.hover(seat, nil))
    framed.handle(.hover(seat, nil))
    #expect(content.take() == [.hover(seat, nil)])
    framed.handle(.scroll(seat, at: Point(x: 25, y: 68), dx: 0, dy: 3))
    #expect(content.take() == [.scroll(seat, at: Point(x: 10, y: 10), dx: 0, dy: 3)])
    framed.handle(.scroll(seat, at: .zero, dx: 0, dy: 3))
    #expect(content.take().isEmpty)
  }
}

import ControlHarness
import Testing

@testable import Controls

/// Tests of where a window's frame lies and who gets an event.
@MainActor @Suite struct DecorationGeometryTests {
  private func geometry(
    _ width: Double, _ height: Double, tiled: WindowState.Sides = [], maximized: Bool = false, fullscreen: Bool = false
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
    #expect(maximized.opaqueArea.size == maximized.size && maximized.handles.isEmpty)
    let fullscreen = geometry(500, 400, maximized: true, fullscreen: true)
    #expect(fullscreen.content.size == fullscreen.size && fullscreen.bar.isEmpty && fullscreen.handles.isEmpty)
  }

  @Test func `tiled sides have no handle, no line and no round corner`() {
    let left = geometry(514, 400, tiled: [.top, .bottom, .left])
    #expect(left.overhang == EdgeInsets(top: 0, left: 0, bottom: 0, right: 14))
    #expect(left.insets == EdgeInsets(top: 44, left: 0, bottom: 0, right: 1))
    #expect(left.handles.map(\.edge) == [.right])
    #expect(left.handles.first?.rect == Rect(x: 500, y: 0, width: 14, height: 400))
    #expect(geometry(514, 428, tiled: .right).roundCorners == (true, false))
    #expect(geometry(100, 100, tiled: .all).handles.isEmpty)
  }

  @Test func `every place beyond the window is one handle's, and none lies in the window`() {
    let geometry = geometry(328, 228)
    let window = geometry.window
    for y in stride(from: 0.5, to: 228, by: 3) {
      for x in stride(from: 0.5, to: 328, by: 3) {
        let place = Point(x: x, y: y)
        let edges = Set(geometry.handles.filter { $0.rect.contains(place) }.map(\.edge))
        #expect(edges.count == (window.contains(place) ? 0 : 1), "\(place)")
      }
    }
    func edge(_ x: Double, _ y: Double) -> WindowEdge? {
      geometry.handles.first { $0.rect.contains(Point(x: x, y: y)) }?.edge
    }
    #expect(edge(1, 1) == .topLeft && edge(30, 3) == .topLeft && edge(3, 30) == .topLeft && edge(160, 3) == .top)
    #expect(edge(327, 1) == .topRight && edge(3, 120) == .left && edge(327, 120) == .right)
    #expect(edge(1, 227) == .bottomLeft && edge(320, 200) == .bottomRight && edge(160, 220) == .bottom)
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

  @Test func `a contact is his on whom it began, and what happens at once stays together`() {
    var router = DecorationRouter()
    let content = Rect(x: 10, y: 50, width: 100, height: 100)
    func point(_ finger: Int, _ phase: TouchPoint.Phase, _ x: Double, _ y: Double) -> TouchPoint {
      TouchPoint(id: ControlHarness.touchID(finger), phase: phase, location: Point(x: x, y: y), time: .zero)
    }
    let began = router.parts(
      .touches([point(0, .began, 20, 60), point(1, .began, 20, 20), point(2, .began, 30, 60)]), content: content)
    #expect(began.map(\.isContent) == [true, false])
    #expect(began.first?.event == .touches([point(0, .began, 10, 10), point(2, .began, 20, 10)]))
    let moved = router.parts(.touches([point(0, .moved, 20, 20), point(1, .moved, 20, 60)]), content: content)
    #expect(moved.map(\.isContent) == [true, false])
    #expect(moved.map(\.event) == [.touches([point(0, .moved, 10, -30)]), .touches([point(1, .moved, 20, 60)])])
    let ended = router.parts(.touches([point(1, .ended, 20, 60)]), content: content)
    #expect(ended.map(\.isContent) == [false])
    #expect(router.parts(.touches([point(1, .began, 20, 60)]), content: content).map(\.isContent) == [true])
  }

  @Test func `a pointer leaves the one before it enters the other`() {
    var router = DecorationRouter()
    let content = Rect(x: 10, y: 50, width: 100, height: 100)
    let seat = ControlHarness.seat
    func events(_ point: Point?) -> [String] {
      router.parts(.hover(seat, point), content: content).map {
        guard case .hover(_, let place) = $0.event else { return "" }
        return "\($0.isContent ? "content" : "frame") \(place.map { "\(Int($0.x)),\(Int($0.y))" } ?? "left")"
      }
    }
    #expect(events(Point(x: 20, y: 20)) == ["frame 20,20"])
    #expect(events(Point(x: 20, y: 60)) == ["frame left", "content 10,10"])
    #expect(events(Point(x: 21, y: 60)) == ["content 11,10"])
    #expect(events(nil) == ["content left"] && events(nil).isEmpty)
    let scroll = InputEvent.scroll(seat, at: Point(x: 20, y: 60), dx: 0, dy: 3)
    #expect(
      router.parts(scroll, content: content).map(\.event) == [.scroll(seat, at: Point(x: 10, y: 10), dx: 0, dy: 3)])
    #expect(router.parts(.scroll(seat, at: .zero, dx: 0, dy: 3), content: content).isEmpty)
  }
}

extension DecorationRouter {
  /// The parts of an event as a list.
  fileprivate mutating func parts(_ event: InputEvent, content: Rect) -> [RoutedEvent] {
    let (first, second) = route(event, content: content)
    return [first, second].compactMap { $0 }
  }
}

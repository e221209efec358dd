// Owns the tests of a root that is let go in the middle of something: nothing that it owns keeps it alive.

import ControlHarness
import Controls
import Interface
import Testing

@MainActor @Suite(.serialized) struct RootLifetimeTests {
  /// What happens last.
  nonisolated enum End: String, CaseIterable, Sendable {
    case nothing, pointerOver, pointerGone, finger, fingerWithRecognizer, key, layoutAndDrawingAsked
  }

  private func bring(_ root: RootView, to end: End) {
    let (seat, point) = (SeatID(1), Point(x: 50, y: 50))
    let finger = TouchPoint(
      id: TouchID(seat: seat, contact: .pointer), phase: .began, location: point, time: .zero)
    switch end {
    case .nothing: break
    case .pointerOver: root.handle(.hover(seat, point))
    case .pointerGone: for place in [point, nil] { root.handle(.hover(seat, place)) }
    case .finger: root.handle(.touches([finger]))
    case .fingerWithRecognizer:
      root.addGestureRecognizer(TapGestureRecognizer())
      root.handle(.touches([finger]))
    case .key:
      root.handle(.keyboardFocus(seat, true))
      root.handle(.key(KeyEvent(seat: seat, phase: .down, key: .tab, text: "", modifiers: [], time: .zero)))
    case .layoutAndDrawingAsked:
      root.setNeedsLayout()
      root.setNeedsDisplay()
    }
  }

  @Test(arguments: End.allCases) func `a root that nobody holds goes`(end: End) throws {
    weak var left: RootView?
    do {
      let root = RootView(frame: .zero)
      left = root
      root.addSubview(View(frame: Rect(x: 0, y: 0, width: 20, height: 20)))
      root.resize(to: Size(width: 100, height: 100), scale: .one)
      root.handle(.willEnterForeground)
      root.handle(.didBecomeActive)
      root.prepareFrame(for: .zero)
      bring(root, to: end)
    }
    #expect(left == nil)
  }
}

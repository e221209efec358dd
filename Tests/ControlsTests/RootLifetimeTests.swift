import ControlHarness
import Controls
import Testing
import UICore

/// Tests of a root that is let go in the middle of something: nothing that it owns keeps it alive.
@MainActor @Suite(.serialized) struct RootLifetimeTests {
  /// The last action.
  nonisolated enum End: String, CaseIterable, Sendable {
    case nothing, pointerOver, pointerGone, finger, tap, doubleTap, key, layoutAndDrawingAsked
  }

  private func bring(_ root: RootView, _ recognizer: TapGestureRecognizer, to end: End) {
    let (seat, point) = (SeatID(1), Point(x: 50, y: 50))
    func finger(_ phase: TouchPoint.Phase) -> InputEvent {
      let id = TouchID(seat: seat, contact: .pointer)
      return .touches([TouchPoint(id: id, phase: phase, location: point, time: .zero)])
    }
    switch end {
    case .nothing: break
    case .pointerOver: root.handle(.hover(seat, point))
    case .pointerGone: for place in [point, nil] { root.handle(.hover(seat, place)) }
    case .finger: root.handle(finger(.began))
    case .tap:
      root.addGestureRecognizer(recognizer)
      root.handle(finger(.began))
    case .doubleTap:
      // Between the taps no finger is down, and the recogniser still knows the first.
      recognizer.numberOfTapsRequired = 2
      root.addGestureRecognizer(recognizer)
      for phase in [TouchPoint.Phase.began, .ended] { root.handle(finger(phase)) }
    case .key:
      root.handle(.keyboardFocus(seat, true))
      root.handle(.key(KeyEvent(seat: seat, phase: .down, key: .tab, text: "", modifiers: [], time: .zero)))
    case .layoutAndDrawingAsked:
      root.setNeedsLayout()
      root.setNeedsDisplay()
    }
  }

  @Test(arguments: End.allCases) func `a root that nobody holds goes, with its recognisers`(end: End) throws {
    weak var left: RootView?
    weak var leftRecognizer: TapGestureRecognizer?
    do {
      let (root, recognizer) = (RootView(frame: .zero), TapGestureRecognizer())
      (left, leftRecognizer) = (root, recognizer)
      root.addSubview(View(frame: Rect(x: 0, y: 0, width: 20, height: 20)))
      root.resize(to: Size(width: 100, height: 100), scale: .one)
      root.handle(.willEnterForeground)
      root.handle(.didBecomeActive)
      root.prepareFrame(for: .zero)
      bring(root, recognizer, to: end)
    }
    #expect(left == nil && leftRecognizer == nil)
  }
}

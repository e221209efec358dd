import ControlHarness
import Controls
import Testing

/// A window with one view in it that takes all its touches, and a log.
@MainActor struct GestureSetting {
  let log = Log()
  let harness = ControlHarness(size: Size(width: 200, height: 200))
  let view = ProbeView(frame: Rect(x: 0, y: 0, width: 200, height: 200))

  init() {
    view.takesTouches = true
    view.name = "view"
    harness.root.addSubview(view)
    harness.frame()
  }

  /// Has `recognizer` watch `view`, or a different view, and write its states down as `name`.
  @discardableResult func watch<Recognizer: GestureRecognizer>(
    _ recognizer: Recognizer, as name: String, on other: View? = nil
  ) -> Recognizer {
    let log = log
    recognizer.addAction { log.add("\(name) \($0.state)") }
    (other ?? view).addGestureRecognizer(recognizer)
    return recognizer
  }

  /// Has the view write down what it hears of its fingers.
  func logTouches() { view.log = log }

  /// Sends fingers' changes at one time.
  func send(_ points: (TouchPoint.Phase, Double, Double, Int)...) {
    harness.send(points.map { ($0.0, Point(x: $0.1, y: $0.2), $0.3) })
  }

  func wait(_ milliseconds: Int) { harness.advance(by: .milliseconds(milliseconds)) }
}

import ControlHarness
import Testing

@testable import Controls

/// The test of the one rule for observers' tokens.
@MainActor @Suite(.serialized) struct ObservationTests {
  @Test func `whatever it is of, an observer is told as long as its token is held and not removed`() {
    for isDropped in [true, false] {
      let scroll = ScrollView()
      let harness = ControlHarness(scroll, size: Size(width: 60, height: 40))
      harness.checksDamage = false
      scroll.contentSize = Size(width: 60, height: 400)
      harness.frame()
      var told: Set<String> = []
      var tokens = [
        harness.root.observeFrames { _ in
          told.insert("frame")
          return true
        },
        harness.root.observeLayout { told.insert("layout") },
        harness.root.observeLifecycle { _ in told.insert("life") },
        scroll.observeScrolling { _ in told.insert("scrolling") },
        scroll.observe(\ScrollView.contentOffset) { _ in told.insert("offset") },
        scroll.observe(\View.alpha) { _ in told.insert("alpha") },
      ]
      func happen(_ number: Double) {
        scroll.contentOffset.y = number
        scroll.alpha = 1 / number
        scroll.setNeedsLayout()
        harness.enterBackground()
        harness.enterForeground()
      }
      happen(10)
      #expect(told == ["frame", "layout", "life", "scrolling", "offset", "alpha"])
      if isDropped { tokens = [] } else { for token in tokens { token.remove() } }
      told = []
      happen(20)
      #expect(told == [])
      #expect(!harness.root.isAnimating)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `what one observer of the layout moves, an earlier one follows in the same frame`() {
    let (ground, moved, follower) = (View(), View(), View())
    ground.addSubview(moved)
    ground.addSubview(follower)
    let harness = ControlHarness(ground, size: Size(width: 100, height: 40))
    let wanted = Rect(x: 40, y: 8, width: 20, height: 20)
    var calls = 0
    let first = harness.root.observeLayout { follower.frame = moved.frame }
    let second = harness.root.observeLayout {
      calls += 1
      guard moved.frame != wanted else { return }
      moved.frame = wanted
      ground.setNeedsLayout()
    }
    harness.frame()
    #expect(follower.frame == wanted)
    calls = 0
    ground.setNeedsDisplay()
    harness.frame()
    #expect(calls == 1)
    // Two that quarrel have an end.
    let third = harness.root.observeLayout { ground.setNeedsLayout() }
    calls = 0
    harness.frame()
    #expect(calls == 4)
    withExtendedLifetime([first, second, third]) {}
  }

  @Test func `actions stay with their control or recogniser, whether their tokens are held or not`() {
    let (ground, button, view) = (View(), Button("x"), View(frame: Rect(x: 0, y: 60, width: 60, height: 60)))
    ground.addSubview(button)
    ground.addSubview(view)
    let harness = ControlHarness(ground, size: Size(width: 60, height: 120))
    let tap = TapGestureRecognizer()
    view.addGestureRecognizer(tap)
    var told: [String] = []
    button.addAction(for: .touchDown) { _ in told.append("button") }
    let token = tap.addAction { _ in told.append("tap") }
    tap.addAction { _ in told.append("second") }
    harness.tap(button)
    harness.tap(Point(x: 30, y: 90))
    #expect(told == ["button", "tap", "second"])
    told = []
    token.remove()
    harness.tap(button)
    harness.tap(Point(x: 30, y: 90))
    #expect(told == ["button", "second"])
  }
}

import ControlHarness
import Testing

@testable import Controls

/// Tests of animating inspectable properties.
@MainActor @Suite(.serialized) struct PropertyAnimationTests {
  private func shown() -> (ControlHarness, InspectableProbe) {
    let probe = InspectableProbe()
    return (ControlHarness(probe, size: Size(width: 60, height: 40)), probe)
  }

  @Test("a property moves to its goal within its time, told and drawn at every step")
  func moves() {
    let (harness, probe) = shown()
    let log = Log()
    var steps: [Double] = []
    let token = probe.observe(\InspectableProbe.curvaceousness) { steps.append($0.new) }
    probe.animate(\InspectableProbe.curvaceousness, to: 0, duration: .milliseconds(200), curve: .linear) {
      log.add("finished \($0)")
    }
    harness.advance(by: .milliseconds(100))
    #expect(abs(probe.curvaceousness - 0.5) < 0.1)
    harness.settle()
    #expect(probe.curvaceousness == 0 && log.take() == ["finished true"])
    #expect((10...14).contains(steps.count) && steps == steps.sorted(by: >))
    #expect(!harness.root.needsFrame && !probe.hasAnimation(forKey: "property.curvaceousness"))
    withExtendedLifetime(token) {}
  }

  @Test("setting a property ends its animation, even at the value it has")
  func setEnds() {
    let (harness, probe) = shown()
    let log = Log()
    for way in 0..<3 {
      probe.gloss = 0
      probe.animate(\InspectableProbe.gloss, to: 1) { log.add("finished \($0)") }
      harness.advance(by: .milliseconds(100))
      let now = probe.gloss
      #expect(now > 0.2 && now < 0.8)
      switch way {
      case 0: probe.gloss = 0.1
      case 1: probe.gloss = now
      default: probe.animate(\InspectableProbe.gloss, to: 0.2)
      }
      #expect(log.take() == ["finished false"])
      harness.settle()
      #expect(abs(probe.gloss - [0.1, now, 0.2][way]) < 1e-12)
      #expect(log.take() == [])
    }
  }

  @Test("K13: in the background, and without a window, a property is at its goal at once")
  func background() {
    let (harness, probe) = shown()
    probe.animate(\InspectableProbe.gloss, to: 1)
    harness.advance(by: .milliseconds(50))
    harness.enterBackground()
    #expect(probe.gloss == 1)
    let alone = InspectableProbe()
    alone.animate(\InspectableProbe.gloss, to: 0)
    #expect(alone.gloss == 0)
  }

  @Test("every type that has values between two is animated to the very goal")
  func types() {
    let (harness, probe) = shown()
    let goals: (Point, Size, Rect, EdgeInsets) = (
      Point(x: 0.1, y: 7), Size(width: 3, height: 0.3), Rect(x: 1, y: 2, width: 3, height: 4), EdgeInsets(0.7)
    )
    probe.animate(\InspectableProbe.thumbOffset, to: goals.0)
    probe.animate(\InspectableProbe.thumbSize, to: goals.1)
    probe.animate(\InspectableProbe.hole, to: goals.2)
    probe.animate(\InspectableProbe.contentInsets, to: goals.3)
    probe.animate(\InspectableProbe.trackColor, to: Color(hex: 0x123456))
    probe.animate(\InspectableProbe.trackTintColor, to: .black)
    probe.animate(\InspectableProbe.valueRange, to: 0.4...0.5)
    probe.animate(\InspectableProbe.gloss, to: 0.9, spring: Spring(response: 0.3, dampingRatio: 0.4))
    harness.advance(by: .milliseconds(60))
    #expect(probe.thumbOffset.y > 0.1 && probe.thumbOffset.y < 6)
    #expect(probe.trackTintColor == .black, "from none to one there is no way")
    harness.settle()
    #expect(probe.thumbOffset == goals.0 && probe.thumbSize == goals.1 && probe.hole == goals.2)
    #expect(probe.contentInsets == goals.3 && probe.trackColor == Color(hex: 0x123456))
    #expect(probe.valueRange == 0.4...0.5 && probe.gloss == 0.9)
  }

  @Test("a goal that is not finite changes nothing; bounds of a range never cross")
  func badGoals() {
    let (harness, probe) = shown()
    let log = Log()
    probe.animate(\InspectableProbe.gloss, to: .nan) { log.add("\($0)") }
    #expect(log.take() == ["false"] && !harness.root.needsFrame)
    #expect((0.0...1.0).mixed(with: 0...0.5, 4) == (-0.5)...(-0.5))
  }
}

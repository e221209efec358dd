import ControlHarness
import Testing

@testable import CockpitControls
@testable import Controls

/// Tests of the horn: its circle, who holds it, its rings.
@MainActor @Suite(.serialized) struct HornTests {
  let log = Log()

  func shown(_ frame: Rect = Rect(x: 10, y: 10, width: 60, height: 60)) -> (ControlHarness, Horn) {
    let harness = ControlHarness(size: Size(width: 120, height: 80))
    let horn = Horn(frame: frame)
    harness.root.addSubview(horn)
    harness.frame()
    horn.addAction(for: .valueChanged) { [log] in log.add($0.isSounding ? "on" : "off") }
    return (harness, horn)
  }

  @Test(
    arguments: [
      (Size(width: 60, height: 60), [(30, 0.5), (59.9, 30)], [(30, 0), (5, 5)]),
      (Size(width: 100, height: 40), [(50, 20), (31, 20)], [(29, 20), (20, 20)]),
      (Size(width: 40, height: 100), [(20, 50)], [(20, 20)]),
      (Size.zero, [], [(0, 0)]),
    ] as [(Size, inside: [(Double, Double)], outside: [(Double, Double)])])
  func `K20, K-D1: its circle is active, square or not, before any layout`(
    size: Size, inside: [(Double, Double)], outside: [(Double, Double)]
  ) {
    let horn = Horn(frame: Rect(origin: .zero, size: size))
    for (x, y) in inside { #expect(horn.point(inside: Point(x: x, y: y)), "\(x) \(y)") }
    for (x, y) in outside { #expect(!horn.point(inside: Point(x: x, y: y)), "\(x) \(y)") }
  }

  @Test func `it sounds as long as a finger holds it, also when it slips off`() {
    let (harness, horn) = shown()
    horn.addAction(for: .touchDown) { [log] _ in log.add("down") }
    horn.addAction(for: .touchUpOutside) { [log] _ in log.add("up") }
    harness.touch(.began, at: Point(x: 40, y: 40))
    harness.touch(.moved, at: Point(x: 100, y: 70))
    harness.advance(by: .milliseconds(300))
    #expect(horn.isSounding && horn.hasAnimation(forKey: "rings"))
    harness.touch(.ended, at: Point(x: 100, y: 70))
    #expect(log.take() == ["on", "down", "off", "up"])
    harness.frameIfNeeded()
    #expect(horn.ringPhase == nil && !harness.root.needsFrame)
  }

  @Test func `the rings run outwards, a frame each, and again`() {
    let (harness, horn) = shown()
    harness.touch(.began, at: Point(x: 40, y: 40))
    var phases: [Double] = []
    for _ in 0..<100 {
      harness.advance(by: harness.frameInterval)
      phases.append(horn.ringPhase ?? -1)
    }
    #expect(phases.allSatisfy { $0 >= 0 && $0 < 1 })
    let steps = zip(phases, phases.dropFirst()).map { $1 - $0 }
    #expect(steps.filter { $0 > 0.01 && $0 < 0.012 }.count == 98 && steps.filter { $0 < 0 }.count == 1)
  }

  @Test func `whatever takes the finger away, it is silent`() {
    for loss in FingerLoss.allCases {
      let (harness, horn) = shown()
      harness.touch(.began, at: Point(x: 40, y: 40))
      loss.happen(to: horn, at: Point(x: 40, y: 40), in: harness)
      #expect(log.take() == ["on", "off"], "\(loss.rawValue)")
      #expect(!horn.isSounding && horn.ringPhase == nil && !horn.hasAnimation(forKey: "rings"), "\(loss.rawValue)")
    }
  }

  @Test func `a window's key may hold it too; the last one that lets go ends it`() {
    let (harness, horn) = shown()
    horn.hold(true)
    horn.hold(true)
    harness.tap(horn)
    #expect(horn.isSounding)
    harness.touch(.began, at: Point(x: 40, y: 40))
    horn.hold(false)
    #expect(horn.isSounding)
    harness.touch(.ended, at: Point(x: 40, y: 40))
    #expect(!horn.isSounding)
    #expect(log.take() == ["on", "off"])
  }

  @Test func `a disabled horn isn't held, and being disabled lets it go`() {
    let (_, horn) = shown()
    horn.hold(true)
    horn.isEnabled = false
    #expect(!horn.isSounding)
    horn.hold(true)
    #expect(!horn.isSounding)
    horn.isEnabled = true
    #expect(!horn.isSounding)
  }

  @Test func `with the focus, Space holds it`() {
    let (harness, horn) = shown()
    horn.becomeFirstResponder()
    harness.key(.down, .space)
    #expect(horn.isSounding)
    harness.key(.up, .space)
    #expect(log.take() == ["on", "off"])
  }

  @Test func `with reduced motion it is lit, but nothing runs`() {
    let (harness, horn) = shown()
    harness.root.prefersReducedMotion = true
    horn.hold(true)
    harness.frameIfNeeded()
    #expect(horn.isSounding && !harness.root.isAnimating)
  }

  @Test func `a wheel's hub is the horn's place`() {
    let harness = ControlHarness(size: Size(width: 120, height: 80))
    let wheel = SteeringWheel(frame: Rect(x: 30, y: 10, width: 70, height: 60))
    let horn = Horn(frame: wheel.hubFrame)
    harness.root.addSubview(wheel)
    harness.root.addSubview(horn)
    #expect(horn.center == Point(x: 65, y: 40))
    #expect(harness.root.hitTest(Point(x: 65, y: 40)) === horn)
    #expect(harness.root.hitTest(Point(x: 65, y: 12)) === wheel)
  }
}

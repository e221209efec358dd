import ControlHarness
import Testing

@testable import ControlExercises
@testable import Controls

/// Tests of pulses and of the radar: rings, elements, and coming back from the background.
@MainActor @Suite(.serialized) struct PulseRadarTests {
  private let radar = PulseRadar()
  private let harness: ControlHarness

  init() { harness = ControlHarness(radar, size: Size(width: 200, height: 200)) }

  private func dot(_ side: Double = 24) -> View {
    let view = View(frame: Rect(x: 0, y: 0, width: side, height: side))
    view.backgroundColor = .white
    return view
  }

  private nonisolated static let cases: [(Int, Double, [Double])] = [
    (1, 0.0, [0.0]), (1, 0.25, [0.25]), (2, 0.25, [0.25, 0.75]), (4, 0.5, [0.5, 0.75, 0, 0.25]),
    (3, 1, [0, 0.333_333, 0.666_667]), (0, 0.5, [0.5]), (2, -0.25, [0.75, 0.25]), (1, .nan, [0]), (1, 7.5, [0.5]),
  ]

  @Test(arguments: cases)
  func `rings are evenly spaced, and the end of a period is its start`(count: Int, phase: Double, ways: [Double]) {
    let rings = PulseModel(ringCount: count).rings(at: phase)
    #expect(rings.count == ways.count)
    for (ring, way) in zip(rings, ways) { #expect(abs(ring.way - way) < 1e-5) }
  }

  @Test func `a ring comes up quickly and fades to nothing at the edge`() {
    let strengths = (0...100).map { PulseModel(ringCount: 1).rings(at: Double($0) / 100)[0].strength }
    #expect(strengths[0] == 0 && strengths[99] < 0.011 && strengths.allSatisfy { (0...1).contains($0) })
    let peak = strengths.firstIndex(of: strengths.max() ?? 0) ?? 0
    #expect((10...20).contains(peak))
  }

  @Test func `the rings run without end`() {
    var phases: [Double] = []
    for _ in 0..<400 {
      harness.advance(by: harness.frameInterval)
      phases.append(radar.phase)
    }
    let steps = zip(phases, phases.dropFirst()).map { $1 - $0 }
    #expect(steps.filter { abs($0 - 1.0 / 180) < 1e-4 }.count >= 395 && steps.filter { $0 < 0 }.count == 2)
    #expect(radar.isRunning)
  }

  @Test func `K13: in the background they stop, and nothing asks for frames; then they run again`() {
    harness.enterBackground()
    #expect(!radar.isRunning && !harness.root.isAnimating)
    harness.frameIfNeeded()
    #expect(harness.advance(by: .seconds(5)) == 0)
    harness.enterForeground()
    #expect(radar.isRunning)
    harness.advance(by: .milliseconds(500))
    #expect(radar.phase > 0.1 && radar.phase < 0.2)
  }

  @Test func `K-D4: told twice, and started by hand too, they run once and go on undisturbed`() {
    harness.advance(by: .milliseconds(900))
    let phase = radar.phase
    for _ in 0..<3 {
      harness.root.handle(.didBecomeActive)
      radar.start()
    }
    #expect(radar.animations.count == 1)
    harness.advance(by: harness.frameInterval)
    #expect(radar.phase > phase && radar.phase < phase + 0.012)
  }

  @Test func `not wanted, out of the tree or with less motion they stand still, and cost nothing`() {
    radar.isPulsing = false
    harness.frameIfNeeded()
    #expect(!radar.isRunning && harness.advance(by: .seconds(1)) == 0)
    harness.root.handle(.didBecomeActive)
    radar.start()
    #expect(!radar.isRunning)
    radar.isPulsing = true
    #expect(radar.isRunning)
    radar.removeFromSuperview()
    #expect(!radar.isRunning)
    harness.root.handle(.didBecomeActive)
    #expect(!radar.isRunning)
    harness.root.prefersReducedMotion = true
    harness.root.addSubview(radar)
    #expect(!radar.isRunning)
    harness.root.prefersReducedMotion = false
    harness.root.handle(.didBecomeActive)
    #expect(radar.isRunning)
  }

  @Test func `another period runs at another speed`() {
    radar.period = 1
    harness.advance(by: .milliseconds(250))
    #expect(abs(radar.phase - 0.25) < 0.02)
    radar.period = .nan
    radar.period = 0
    #expect(radar.period == 0.2)
    #expect(radar.animations.count == 1)
  }

  // MARK: Elements

  @Test func `elements come and go while the rings run, and fade`() {
    let (a, b) = (dot(), dot())
    radar.addElement(a)
    #expect(radar.elements.count == 1 && a.alpha == 0 && a.superview === radar)
    harness.advance(by: .milliseconds(100))
    #expect(a.alpha > 0 && a.alpha < 1)
    harness.advance(by: .milliseconds(300))
    radar.addElement(b)
    harness.advance(by: .milliseconds(300))
    #expect(a.alpha == 1 && b.alpha == 1 && radar.isRunning)
    radar.removeElement(a)
    #expect(radar.elements.count == 1 && a.superview === radar)
    harness.advance(by: .milliseconds(300))
    #expect(a.superview == nil && b.alpha == 1)
    radar.removeAllElements()
    harness.advance(by: .milliseconds(300))
    #expect(radar.subviews.isEmpty && radar.elements.isEmpty)
    radar.removeElement(a)
  }

  @Test func `one that is added again on its way out stays; one that is taken away by others is forgotten`() {
    let (a, b) = (dot(), dot())
    radar.addElement(a)
    harness.advance(by: .milliseconds(300))
    radar.removeElement(a)
    harness.advance(by: .milliseconds(100))
    radar.addElement(a)
    radar.addElement(a)
    harness.advance(by: .seconds(1))
    #expect(a.alpha == 1 && radar.elements.count == 1 && radar.subviews.count == 1)
    a.removeFromSuperview()
    radar.addElement(b)
    harness.frame()
    #expect(radar.elements.count == 1 && radar.elements.first === b)
  }

  @Test func `without a window elements come and go at once`() {
    let alone = PulseRadar(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    let a = dot()
    alone.addElement(a)
    #expect(a.alpha == 1)
    alone.removeElement(a)
    #expect(a.superview == nil && alone.elements.isEmpty)
    alone.addElement(alone)
    #expect(alone.elements.isEmpty)
  }

  @Test func `elements cover neither each other nor the edge, and a freed place is taken again`() {
    let dots = (0..<8).map { _ in dot(26) }
    for dot in dots { radar.addElement(dot) }
    func check() {
      for (index, a) in radar.elements.enumerated() {
        #expect(a.center.distance(to: Point(x: 100, y: 100)) + 13 <= 101)
        for b in radar.elements[(index + 1)...] { #expect(a.center.distance(to: b.center) >= 26) }
      }
    }
    check()
    let place = dots[3].center
    radar.removeElement(dots[3])
    harness.advance(by: .milliseconds(300))
    let new = dot(26)
    radar.addElement(new)
    #expect(new.center == place)
    check()
    radar.frame = Rect(x: 0, y: 0, width: 120, height: 200)
    harness.frame()
    #expect(radar.elements.allSatisfy { $0.center.distance(to: Point(x: 60, y: 100)) < 60 })
  }

  @Test func `more elements than places still get one each`() {
    let model = RadarModel(radius: 30)
    var taken: [(place: Int, size: Double)] = []
    for _ in 0..<200 { taken.append((model.freePlace(size: 50, taken: taken), 50)) }
    #expect(Set(taken.map(\.place)).count == 200)
    #expect(RadarModel(radius: .nan).place(3) == .zero)
  }

  @Test(arguments: ["hidden", "scrolled away", "faded"])
  func `a radar out of sight asks for no frames, and pulses again once it is seen`(way: String) {
    func see(_ isSeen: Bool) {
      switch way {
      case "hidden": radar.isHidden = !isSeen
      case "faded": radar.alpha = isSeen ? 1 : 0
      default: radar.frame.origin.y = isSeen ? 0 : 300
      }
    }
    #expect(harness.root.isAnimating)
    see(false)
    harness.frameIfNeeded()
    #expect(!harness.root.needsFrame)
    see(true)
    #expect(harness.advance(by: .milliseconds(200)) > 5 && harness.root.isAnimating)
  }
}

import ControlHarness
import Testing

@testable import Controls

/// Takes keys, and does something when it gets or loses them.
private final class Stop: View {
  var heard: [String] = []
  var onChange: ((Stop) -> Void)?
  override var canBecomeFirstResponder: Bool { true }
  override func firstResponderDidChange() {
    heard.append(isFirstResponder ? "got" : "lost")
    onChange?(self)
  }
}

/// Does something when it comes to a root or leaves it.
private final class Mover: View {
  var heard: [String] = []
  var onMove: ((Mover) -> Void)?
  override func didMoveToRoot() {
    heard.append(root == nil ? "out" : "in")
    onMove?(self)
  }
}

@MainActor @Suite(.serialized) struct ReentrancyTests {
  private let harness = ControlHarness(size: Size(width: 100, height: 100))
  private var root: RootView { harness.root }

  // MARK: Keys

  private func stops() -> [Stop] {
    let stops = (0..<3).map { Stop(frame: Rect(x: 30 * Double($0), y: 0, width: 20, height: 20)) }
    for stop in stops { root.addSubview(stop) }
    return stops
  }

  @Test
  func `who loses the keys may send them elsewhere: the last wish counts, and nobody hears of keys that never came`() {
    let stops = stops()
    stops[0].becomeFirstResponder()
    stops[0].onChange = { if !$0.isFirstResponder { stops[2].becomeFirstResponder() } }
    stops[1].becomeFirstResponder()
    #expect(root.firstResponder === stops[2])
    #expect(stops.map(\.heard) == [["got", "lost"], [], ["got"]])
    harness.frame()
    stops[0].onChange = nil
    stops[1].becomeFirstResponder()
    #expect(stops.map(\.heard) == [["got", "lost"], ["got"], ["got", "lost"]])
  }

  @Test func `who gets the keys may give them away or back, and each is told once`() {
    let stops = stops()
    stops[0].becomeFirstResponder()
    stops[1].onChange = { if $0.isFirstResponder { stops[2].becomeFirstResponder() } }
    stops[1].becomeFirstResponder()
    #expect(root.firstResponder === stops[2])
    #expect(stops.map(\.heard) == [["got", "lost"], ["got", "lost"], ["got"]])
    stops[2].onChange = { if !$0.isFirstResponder { $0.becomeFirstResponder() } }
    stops[0].becomeFirstResponder()
    #expect(root.firstResponder === stops[2])
    #expect(stops.map(\.heard) == [["got", "lost"], ["got", "lost"], ["got", "lost", "got"]])
    stops[2].onChange = { if !$0.isFirstResponder { stops[0].becomeFirstResponder() } }
    stops[0].becomeFirstResponder()
    #expect(root.firstResponder === stops[0] && stops[0].heard == ["got", "lost", "got"])
  }

  @Test func `a key that is taken away while it is told is not held, and is told cancelled`() {
    final class Taker: View {
      var heard: [KeyEvent.Phase] = []
      override var canBecomeFirstResponder: Bool { true }
      override func handleKey(_ event: KeyEvent) -> Bool {
        heard.append(event.phase)
        if event.phase == .down { root?.cancelInput() }
        return true
      }
    }
    let taker = Taker(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    root.addSubview(taker)
    taker.becomeFirstResponder()
    for phase in [KeyEvent.Phase.down, .repeated, .up] { harness.key(phase, .home) }
    #expect(taker.heard == [.down, .cancelled] && root.keyDispatcher.isIdle)
  }

  @Test func `a key whose view is no more is forgotten`() {
    final class Taker: View {
      override func handleKey(_ event: KeyEvent) -> Bool { true }
    }
    final class Detour: View {
      var taker: Taker? = Taker()
      override var canBecomeFirstResponder: Bool { true }
      override var next: View? { taker ?? superview }
    }
    let detour = Detour(frame: Rect(x: 0, y: 0, width: 20, height: 20))
    root.addSubview(detour)
    detour.becomeFirstResponder()
    harness.key(.down, .home)
    #expect(!root.keyDispatcher.isIdle)
    detour.taker = nil
    harness.press(.end)
    #expect(root.keyDispatcher.isIdle)
  }

  // MARK: The tree

  @Test func `who loses a finger by being removed may put itself elsewhere: the last wish counts`() {
    for goesBack in [false, true] {
      let elsewhere = View(frame: Rect(x: 0, y: 50, width: 50, height: 50))
      root.addSubview(elsewhere)
      let control = ProbeControl("c", log: Log())
      root.addSubview(control)
      harness.frame()
      harness.touch(.began, at: Point(x: 10, y: 10))
      let home: View = goesBack ? root : elsewhere
      control.addAction(for: .touchCancel) { [unowned home] in home.addSubview($0) }
      control.removeFromSuperview()
      #expect(control.superview === home && control.root === root)
      #expect(home.subviews.filter { $0 === control }.count == 1)
      #expect(root.subviews.contains { $0 === control } == goesBack)
      harness.touch(.ended, at: Point(x: 10, y: 10))
      control.removeFromSuperview()
      elsewhere.removeFromSuperview()
      harness.frame()
    }
  }

  @Test func `adding a view where it holds a finger may end with it elsewhere, and never in a circle`() {
    let (first, second) = (View(frame: Rect(x: 0, y: 0, width: 90, height: 90)), View())
    let control = ProbeControl("c", log: Log())
    root.addSubview(first)
    first.addSubview(control)
    harness.frame()
    harness.touch(.began, at: Point(x: 10, y: 10))
    control.addAction(for: .touchCancel) { [unowned second] in $0.addSubview(second) }
    second.addSubview(control)
    #expect(second.superview === control && control.superview == nil && second.subviews.isEmpty)
  }

  @Test func `who comes to a window may leave it at once, with all that is around`() {
    let outer = Mover()
    let (first, second) = (Mover(), Mover())
    outer.addSubview(first)
    outer.addSubview(second)
    first.onMove = { [unowned outer] in if $0.root != nil { outer.removeFromSuperview() } }
    root.addSubview(outer)
    #expect([outer, first, second].allSatisfy { $0.root == nil } && outer.superview == nil)
    #expect(!root.subviews.contains { $0 === outer })
    #expect(first.heard == ["in", "out"] && second.heard == [] && outer.heard.last != "in")
  }

  @Test func `who leaves a window may come back at once`() {
    let outer = Mover()
    let inner = Mover()
    outer.addSubview(inner)
    root.addSubview(outer)
    inner.onMove = { [unowned outer, unowned self = harness] in if $0.root == nil { self.root.addSubview(outer) } }
    outer.removeFromSuperview()
    #expect(outer.root === root && inner.root === root && outer.superview === root)
    #expect(inner.heard == ["in", "out", "in"])
  }

  // MARK: Properties

  @Test func `an observer that sets the property again: everybody ends with the last value, each told once of it`() {
    let slider = Slider()
    var heard: [[String]] = [[], []]
    let first = slider.observe(\Slider.value) {
      heard[0].append("\($0.old) \($0.new)")
      if $0.new == 0.5 { slider.value = 0.75 }
    }
    let second = slider.observe(\Slider.value) { heard[1].append("\($0.old) \($0.new)") }
    slider.value = 0.5
    #expect(slider.value == 0.75)
    #expect(heard == [["0.0 0.5", "0.5 0.75"], ["0.0 0.75"]])
    first.remove()
    second.remove()
  }

  @Test func `an observer that sets the property back: who has not heard of it hears nothing`() {
    let slider = Slider()
    var heard = 0
    let first = slider.observe(\Slider.value) { if $0.new == 0.5 { slider.value = 0 } }
    let second = slider.observe(\Slider.value) { _ in heard += 1 }
    slider.value = 0.5
    #expect(slider.value == 0 && heard == 0)
    first.remove()
    second.remove()
  }

  @Test func `the same of a plain property, and of the others nothing is lost`() throws {
    let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    root.addSubview(view)
    var heard: [[Double]] = [[], []]
    var names = 0
    let alpha = try #require(view.inspectable(named: "alpha"))
    let name = try #require(view.inspectable(named: "name"))
    let tokens = [
      view.observe(alpha) {
        heard[0].append(view.alpha)
        view.name = "\(view.alpha)"
        if view.alpha == 0.5 { view.alpha = 0.25 }
      },
      view.observe(alpha) { heard[1].append(view.alpha) }, view.observe(name) { names += 1 },
    ]
    view.alpha = 0.5
    #expect(view.alpha == 0.25 && heard == [[0.5, 0.25], [0.25]] && names == 2)
    for token in tokens { token.remove() }
  }

  @Test func `a view that is shown again by who lost a finger by its hiding is shown`() throws {
    let control = ProbeControl("c", log: Log())
    root.addSubview(control)
    harness.frame()
    var changes: [Bool] = []
    let token = control.observe(try #require(control.inspectable(named: "isHidden"))) {
      changes.append(control.isHidden)
    }
    harness.touch(.began, at: Point(x: 10, y: 10))
    control.addAction(for: .touchCancel) { $0.isHidden = false }
    control.isHidden = true
    #expect(!control.isHidden && changes == [], "for who did not hear of it, nothing changed")
    harness.frame()
    #expect(harness.shown[20, 20] == 0xff44_5566)
    token.remove()
  }

  // MARK: The pointer

  @Test func `who hears of the pointer may take views away or move it on: nobody keeps it who has not got it`() {
    final class Spot: View {
      var onHover: ((Spot) -> Void)?
      override func hoverDidChange() { onHover?(self) }
    }
    let (first, second) = (
      Spot(frame: Rect(x: 0, y: 0, width: 40, height: 40)), Spot(frame: Rect(x: 50, y: 0, width: 40, height: 40))
    )
    let inner = Spot(frame: Rect(x: 0, y: 0, width: 40, height: 40))
    first.addSubview(inner)
    for view in [first, second] { root.addSubview(view) }
    harness.frame()
    func move(_ x: Double) { root.handle(.hover(ControlHarness.seat, Point(x: x, y: 10))) }
    inner.onHover = { [unowned first] in if $0.isHovered { first.removeFromSuperview() } }
    move(10)
    #expect(!first.isHovered && !inner.isHovered)
    inner.onHover = nil
    root.addSubview(first)
    harness.frame()
    first.onHover = { if $0.isHovered { move(60) } }
    inner.onHover = { if $0.isHovered { move(60) } }
    move(90)
    move(10)
    #expect(!first.isHovered && !inner.isHovered && second.isHovered)
    first.onHover = nil
    inner.onHover = nil
    move(95)
    #expect(!second.isHovered)
  }
}

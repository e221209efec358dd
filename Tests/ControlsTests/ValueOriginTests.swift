import CockpitControls
import ControlHarness
import Controls
import Testing
@_spi(Devices) import UICore

/// Tests of who is said to have set a lever's or a wheel's value.
@MainActor @Suite struct ValueOriginTests {
  private let hand = Hand(.touch, seat: SeatID(3))
  private let geometry = GearboxGeometry(size: GearboxGeometry.articleSize)

  private func y(_ gear: Gear) -> Double { geometry.knob(inRow: geometry.row(of: gear)).midY }

  @Test func `a lever's value is of whoever moved it last`() {
    var lever = GearboxModel()
    #expect(lever.origin == .rest)
    lever.grab(y: y(.neutral), at: .zero, by: .input(hand))
    #expect(lever.origin == .rest, "taken, not moved")
    lever.drag(y: y(.forward(3)), at: .zero)
    #expect(lever.origin == .input(hand))
    lever.set(.forward(3))
    #expect(lever.origin == .input(hand), "the same gear")
    lever.set(.forward(4))
    #expect(lever.origin == .code)
    lever.release(at: .zero)
    lever.shiftUp(at: .zero, by: .input(nil))
    #expect(lever.origin == .input(nil) && lever.gear == .forward(5))
    lever.shiftDown(at: .zero, by: .input(hand))
    #expect(lever.origin == .input(hand))
    lever.brake(at: .zero)
    #expect(lever.origin == .code)
    _ = lever.ask(for: .forward(2), at: .zero)
    #expect(lever.origin == .code && lever.gear == .forward(2))
    lever.grab(y: y(.forward(9)), at: .zero, by: .input(hand))
    #expect(lever.origin == .input(hand))
    lever.geometry = GearboxGeometry(size: GearboxGeometry.articleSize, gearCount: 4)
    #expect(lever.origin == .code && lever.gear == .forward(4), "a gate that lost the gear")
  }

  @Test func `a position between the gears is a value too`() {
    var lever = GearboxModel()
    lever.followsFinger = true
    lever.grab(y: y(.forward(3)), at: .zero, by: .input(hand))
    lever.release(at: .zero)
    lever.grab(y: y(.forward(3)), at: .zero, by: .input(nil))
    #expect(lever.origin == .input(hand))
    lever.drag(y: y(.forward(3)) - 3, at: .zero)
    #expect(lever.origin == .input(nil) && lever.gear == .forward(3))
  }

  @Test func `a wheel's value is of whoever turned it last`() {
    var wheel = WheelModel(geometry: WheelGeometry(size: Size(width: 200, height: 200)))
    let (one, two) = (TouchID(seat: SeatID(1), contact: .finger(1)), TouchID(seat: SeatID(1), contact: .finger(2)))
    func turn(_ id: TouchID, from start: Point, to end: Point, by hand: Hand?) {
      wheel.grab(id, at: start, time: .zero, by: hand)
      wheel.move(id, to: end, time: .zero)
    }
    #expect(wheel.origin == .rest)
    turn(one, from: Point(x: 190, y: 100), to: Point(x: 180, y: 130), by: hand)
    #expect(wheel.origin == .input(hand))
    turn(two, from: Point(x: 10, y: 100), to: Point(x: 15, y: 80), by: nil)
    #expect(wheel.origin == .input(nil), "without the proof of one of the fingers")
    wheel.move(one, to: Point(x: 170, y: 150), time: .zero)
    #expect(wheel.origin == .input(nil))
    _ = wheel.lift(two, time: .zero)
    wheel.move(one, to: Point(x: 160, y: 160), time: .zero)
    #expect(wheel.origin == .input(hand))
    _ = wheel.lift(one, time: .zero)
    wheel.swing(to: 10)
    #expect(wheel.origin == .input(hand), "the swing after a hand")
    wheel.swing(to: 20, by: .sensor)
    #expect(wheel.origin == .sensor)
    wheel.set(angle: 20)
    #expect(wheel.origin == .sensor, "the same angle")
    wheel.set(angle: 0)
    #expect(wheel.origin == .code)
    wheel.straighten()
    #expect(wheel.origin == .rest && wheel.angle == 0)
    turn(one, from: Point(x: 190, y: 100), to: Point(x: 180, y: 130), by: hand)
    wheel.lock = 10
    #expect(wheel.origin == .code && wheel.angle == 10, "a lock that took the angle")
  }

  @Test func `keys, a sensor, code and assistive technology are told apart`() throws {
    let (gearbox, wheel) = (ThrottleGearbox(), SteeringWheel())
    let harness = ControlHarness(size: Size(width: 400, height: 580))
    for (view, x) in [(gearbox, 0), (wheel, 200)] as [(View, Double)] {
      harness.root.addSubview(view)
      view.frame = Rect(x: x, y: 0, width: 200, height: 580)
    }
    func key(_ key: Key, _ phase: KeyEvent.Phase = .down) -> KeyEvent {
      KeyEvent(phase: phase, key: key, text: "", modifiers: [], time: harness.host.now, hand: hand)
    }
    _ = gearbox.handleKey(key(.up))
    #expect(gearbox.origin == .input(hand) && gearbox.gear == .forward(1))
    gearbox.shiftUp()
    #expect(gearbox.origin == .code)
    _ = wheel.handleKey(key(.right))
    harness.advance(by: .milliseconds(300))
    #expect(wheel.origin == .input(hand) && wheel.angle > 1)
    _ = wheel.handleKey(key(.right, .up))
    harness.advance(by: .milliseconds(100))
    #expect(wheel.origin == .input(hand))
    wheel.steer(.left)
    harness.advance(by: .milliseconds(300))
    #expect(wheel.origin == .code)
    wheel.steer(nil)
    wheel.steer(toward: 90)
    harness.advance(by: .seconds(1))
    #expect(wheel.origin == .sensor && wheel.followsSensor)
    wheel.steer(toward: nil)
    harness.advance(by: .seconds(3))
    try wheel.setAccessibilityValue(45)
    harness.advance(by: .seconds(1))
    #expect(wheel.origin == .code && abs(wheel.angle - 45) < 1)
    wheel.straighten()
    #expect(wheel.origin == .rest && wheel.angle == 0)
  }
}

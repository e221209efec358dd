import Glibc
import Shell
import Stage
import Testing
import UICore

/// Checks that what a content hears makes sense as it goes.
@MainActor private final class Listener {
  private var fingers: Set<TouchID> = []
  private var keys: [SeatID: Set<Key>] = [:]
  private var lifeStep = 0

  func hear(_ event: InputEvent) {
    switch event {
    case .touches(let points):
      for point in points {
        switch point.phase {
        case .began: #expect(fingers.insert(point.id).inserted, "\(point.id) began twice")
        case .moved: #expect(fingers.contains(point.id), "\(point.id) moved without having begun")
        case .ended, .cancelled: #expect(fingers.remove(point.id) != nil, "\(point.id) ended without having begun")
        }
      }
    case .key(let key):
      switch key.phase {
      case .down: #expect(keys[key.seat, default: []].insert(key.key).inserted, "\(key.key) went down twice")
      case .repeated: #expect(keys[key.seat]?.contains(key.key) == true)
      case .up, .cancelled: #expect(keys[key.seat, default: []].remove(key.key) != nil, "\(key.key) went up twice")
      }
    case .hover, .scroll, .keyboardFocus, .text, .textService, .gamepad, .lost: break
    }
  }

  func hear(_ event: LifecycleEvent) {
    let order: [LifecycleEvent] = [.willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground]
    if event == .willTerminate {
      #expect(lifeStep == 0, "terminated while seen")
    } else {
      #expect(event == order[lifeStep], "\(event) out of order")
      lifeStep = (lifeStep + 1) % 4
    }
    if event == .didEnterBackground {
      #expect(fingers.isEmpty, "hidden with fingers down")
      #expect(!keys.values.contains { !$0.isEmpty }, "hidden with keys down")
    }
  }

  func expectNothingHeld() {
    #expect(fingers.isEmpty)
    #expect(!keys.values.contains { !$0.isEmpty })
  }
}

@MainActor @Suite(.serialized) struct MonkeyTests {
  /// How many monkeys play; COCKPIT_MONKEYS asks for more.
  nonisolated static let count = getenv("COCKPIT_MONKEYS").flatMap { Int(String(cString: $0)) } ?? 20

  @Test(arguments: 1...max(1, count)) func `whatever a compositor does`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15)
    let globals = [StageGlobals.everything, .weston10, .sway17, .kwin527, .minimal][seed % 5]
    let listener = Listener()
    try play(globals, prepare: { stage, _ in stage.releasePolicy = ReleasePolicy.allCases[seed % 4] }) { show in
      show.content.onInput = { listener.hear($0) }
      show.content.life.forEach { listener.hear($0) }
      show.content.onLife = { listener.hear($0) }
      for _ in 0..<500 {
        act(on: show, &random)
        if random.next() % 3 == 0 { show.turn() }
        if random.next() % 3 == 0 { show.stage.step() }
        guard show.stage.violations.isEmpty, show.failure == nil else {
          Issue.record("seed \(seed): \(show.stage.violations) \(String(describing: show.failure))")
          return
        }
      }
      // It comes to rest, and shows what it should.
      show.stage.starve(show.surface, false)
      show.toplevel.configure(60, 40)
      show.content.isAnimating = false
      show.settle()
      for _ in 0..<6 {
        show.stage.releaseBuffers()
        show.refresh()
      }
      #expect(show.surface.logicalSize == Size(width: 60, height: 40))
      // Themed cursors have buffers too.
      if globals.cursorShape != nil { #expect(show.stage.bufferCount <= 3) }
      show.surface.forgetCommits()
      show.refresh()
      #expect(show.surface.commits.isEmpty)
    }
    listener.expectNothingHeld()
  }

  /// One random thing.
  func act(on show: Show, _ random: inout SeededRandom) {
    let seats = show.stage.seats
    let seat = seats.isEmpty ? nil : seats[Int(random.next() % UInt64(seats.count))]
    let x = Double(random.next() % 70)
    let y = Double(random.next() % 50)
    let finger = Int32(random.next() % 3)
    let code = [StageKeymap.Code.a, StageKeymap.Code.s, StageKeymap.Code.shift][Int(random.next() % 3)]
    switch random.next() % 41 {
    case 0: seat?.touchDown(finger, x, y)
    case 1, 2: seat?.touchMotion(finger, x, y)
    case 3: seat?.touchUp(finger)
    case 4, 5: seat?.touchFrame()
    case 6: seat?.touchCancel()
    case 7: seat?.pointerEnter(x, y)
    case 8: seat?.pointerMotion(x, y)
    case 9: seat?.pointerButton(random.next() % 2 == 0)
    case 10: seat?.pointerLeave()
    case 11: seat?.pointerAxis(dx: x, dy: y)
    case 12: seat?.keyboardEnter()
    case 13, 14: seat?.key(code, random.next() % 2 == 0)
    case 15: seat?.keyboardLeave()
    case 16: seat?.capabilities = StageSeat.Capabilities(rawValue: UInt32(random.next() % 8))
    case 17: if seats.count < 3 { show.stage.addSeat(capabilities: [.touch, .pointer, .keyboard]) }
    case 18: if let seat { show.stage.remove(seat) }
    case 19: show.toplevel.configure(Int(x) + 1, Int(y) + 1, [.activated])
    case 20: show.toplevel.configure(Int(x) + 1, Int(y) + 1, [.maximized, .resizing])
    case 21: show.toplevel.set(.activated, random.next() % 2 == 0)
    case 22: show.toplevel.suspend()
    case 23: show.toplevel.resume()
    case 24: show.surface.prefer(Scale(in120ths: 60 + Int(random.next() % 300)))
    case 25: if show.stage.outputs.count < 3 { show.stage.addOutput(scale: 1 + Int(random.next() % 3)) }
    case 26: if let output = show.stage.outputs.last { show.stage.remove(output) }
    case 27: if let output = show.stage.outputs.randomElement(random.next()) { show.surface.enter(output) }
    case 28: if let output = show.surface.outputs.first { show.surface.leave(output) }
    case 29, 30: show.stage.nextRefresh()
    case 31: show.stage.clock.advance(by: .milliseconds(Int64(random.next() % 1500)))
    case 32:
      show.content.paint(
        PixelRect(x: Int(x), y: Int(y), width: 5, height: 5), 0xff00_0000 | UInt32(random.next() % 0xff_ffff))
    case 33: seat?.pointerAxisStop()
    case 34: seat?.repeatKey(code)
    case 35: if let seat, seat.pens.isEmpty { seat.addPen() } else if let pen = seat?.pens.first { seat?.remove(pen) }
    case 36: seat?.pens.first?.enterProximity()
    case 37:
      seat?.pens.first?.move(x, y)
      seat?.pens.first?.press(x / 70)
    case 38: if random.next() % 2 == 0 { seat?.pens.first?.down() } else { seat?.pens.first?.up() }
    case 39: if random.next() % 2 == 0 { seat?.pens.first?.frame() } else { seat?.pens.first?.leaveProximity() }
    default:
      show.content.isAnimating.toggle()
      show.stage.releaseBuffers()
    }
  }
}

extension Array {
  /// An element chosen by `number`; nil if empty.
  fileprivate func randomElement(_ number: UInt64) -> Element? { isEmpty ? nil : self[Int(number % UInt64(count))] }
}

import ControlHarness
import Controls
import DriveLink
import Stage
import Testing
@_spi(Devices) import UICore

@testable import cockpit

/// Tests of the time at which a loss is shown: with the next frame, until a new touch, also after the window came back, and in a replay.
@MainActor @Suite(.serialized) struct LossTellingTests {
  private func shownNotice(_ desk: DriveDesk) -> LossNotice? { desk.scene.lossDisplay?.banner.notice }

  /// True when the banner's card is in the newest frame: a pixel of its amber tile, at half its brightness or more, or of the bright sign of a card
  /// without one.
  private func isSeen(_ desk: DriveDesk) throws -> Bool {
    guard let banner = desk.scene.lossDisplay?.banner, let pixels = desk.pixels, !banner.isHidden else { return false }
    if banner.notice?.isQuiet == true {
      let sign = banner.windowFrame
      return (Int(sign.minY)..<Int(sign.maxY)).contains { y in
        (Int(sign.minX)..<Int(sign.minX) + 30).contains { x in pixels[y * 480 + x] >> 16 & 255 >= 0x48 }
      }
    }
    let (x, y) = (Int(banner.windowFrame.minX) + 9, Int(banner.windowFrame.midY))
    let pixel = pixels[y * 480 + x]
    return pixel >> 16 & 255 >= 0x80 && pixel >> 8 & 255 >= 0x58 && pixel & 255 < 0x30
  }

  @Test(arguments: Loss.passing)
  func `a loss is told with the next frame, still when the window is back, and until a new touch`(loss: Loss) throws {
    let desk = try DriveDesk()
    loss.prepare(desk)
    #expect(shownNotice(desk) == nil && desk.scene.lossDisplay == nil)
    loss.happen(on: desk)
    desk.settle()
    let notice = try #require(shownNotice(desk))
    #expect(notice.reason == loss.reason && notice.means == (loss == .keyboardLeave ? .keys : .touch))
    // One frame for those whose window is there still.
    if [.lift, .cancel, .capability, .keyboardLeave].contains(loss) {
      desk.refresh()
      #expect(try isSeen(desk))
    }
    if loss == .capability { desk.stage.seat.capabilities = [.pointer, .keyboard, .touch] }
    if loss == .hidden { desk.stage.toplevel.resume() }
    desk.pass(.seconds(2))
    #expect(shownNotice(desk)?.reason == loss.reason)
    #expect(try isSeen(desk), "back again it tells still")
    desk.takeLever(7, to: .forward(3))
    #expect(desk.line.state == .driving && shownNotice(desk) == nil)
    desk.pass(.milliseconds(300))
    #expect(desk.scene.lossDisplay?.banner.isHidden == true, "it went")
    #expect(try !isSeen(desk))
    desk.end()
  }

  @Test func `the line is out before anything is shown`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    var wasShownBefore: Bool?
    desk.output.onLine = { if $0.state == .safe { wasShownBefore = desk.scene.lossDisplay?.banner.notice != nil } }
    desk.lift(1)
    #expect(wasShownBefore == false && shownNotice(desk)?.reason == .lift)
    desk.end()
  }

  @Test func `the card comes and goes calmly, and is not taken away when the next loss comes meanwhile`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    desk.lift(1)
    desk.refresh()
    let banner = try #require(desk.scene.lossDisplay?.banner)
    #expect(!banner.isHidden && banner.alpha >= LossBanner.firstAlpha && banner.alpha < 1, "\(banner.alpha)")
    desk.pass(LossBanner.fade + .milliseconds(50))
    #expect(banner.alpha == 1)
    desk.takeLever(to: .neutral)
    desk.pass(.milliseconds(50))
    let alpha = banner.alpha
    #expect(!banner.isHidden && alpha > 0 && alpha < 1, "\(alpha)")
    desk.lift(1)
    #expect(!banner.isHidden && banner.alpha >= max(alpha, LossBanner.firstAlpha))
    desk.pass(.milliseconds(400))
    #expect(!banner.isHidden && banner.alpha == 1, "what was on its way does not take it away")
    desk.end()
  }

  @Test func `with reduced motion the card comes and goes at once`() {
    let scene = CockpitScene()
    scene.adopt(SceneLook(reducesMotion: true))
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    scene.showLoss(LossNotice(reason: .lift), ignored: [])
    harness.frame()
    #expect(scene.lossDisplay?.banner.alpha == 1)
    scene.showLoss(nil, ignored: [])
    #expect(scene.lossDisplay?.banner.isHidden == true)
  }

  @Test func `a finger that stays down is marked until it is lifted, and the card says to lift it`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    desk.takeWheel(degrees: 40)
    desk.session.reportLoss(.displayFault)
    desk.refresh()
    let marks = try #require(desk.scene.lossDisplay).subviews.compactMap { $0 as? IgnoredMark }
    #expect(marks.map(\.isHidden) == [false, false] && shownNotice(desk)?.isStillHeld == true)
    #expect(shownNotice(desk)?.remedy(in: .english) == "Lift, then touch the lever")
    for (mark, control) in zip(marks, [desk.scene.gearbox, desk.scene.wheel] as [Control]) {
      #expect(mark.windowFrame.insetBy(dx: 5, dy: 5) == control.windowFrame)
    }
    // The wheel swings back, and is marked until its picture is what is commanded.
    desk.pass(.seconds(1))
    desk.lift(2)
    #expect(marks.map(\.isHidden) == [false, true])
    desk.lift(1)
    #expect(marks.map(\.isHidden) == [true, true] && shownNotice(desk)?.isStillHeld == false)
    #expect(shownNotice(desk)?.remedy(in: .english) == "Touch the lever to go on")
    desk.end()
  }

  /// Losses that no message of the compositor brings.
  nonisolated enum Silence: String, CaseIterable, Sendable {
    case frozen, hung, sensor

    var reason: DriveReason {
      switch self {
      case .frozen: .compositorFrozen
      case .hung: .loopHung
      case .sensor: .sensorLost
      }
    }
  }

  @Test(arguments: Silence.allCases)
  func `a loss without a message is in the picture, and marked on both controls while their fingers are down`(
    silence: Silence
  ) throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    desk.takeWheel(degrees: 40)
    desk.pass(.milliseconds(500))
    try #require(desk.line.state == .driving)
    switch silence {
    case .frozen:
      desk.stage.freeze()
      for _ in 0..<50 {
        desk.stage.clock.advance(by: .milliseconds(10))
        try? desk.application.step()
      }
      desk.stage.thaw()
    case .hung: desk.sink.hang(desk.output.stream, at: desk.stage.clock.now + .milliseconds(200))
    case .sensor: desk.session.reportLoss(.sensorLost)
    }
    desk.pass(.seconds(1))
    #expect(desk.line.reason == silence.reason && shownNotice(desk)?.reason == silence.reason)
    #expect(try isSeen(desk))
    let marks = try #require(desk.scene.lossDisplay).subviews.compactMap { $0 as? IgnoredMark }
    // The shell cancels the fingers of a compositor that froze, and no event says how long they stay down.
    let isCancelled = silence == .frozen
    #expect(marks.map(\.isHidden) == [isCancelled, isCancelled])
    desk.lift(2)
    #expect(marks.map(\.isHidden) == [isCancelled, true])
    desk.lift(1)
    desk.takeLever(7, to: .forward(3))
    desk.pass(.milliseconds(600))
    #expect(desk.line.state == .driving && shownNotice(desk) == nil)
    #expect(try !isSeen(desk) && marks.allSatisfy(\.isHidden))
    desk.end()
  }

  @Test func `so is a key that is still down`() throws {
    let desk = try DriveDesk()
    Loss.keyboardLeave.prepare(desk)
    desk.session.reportLoss(.sensorLost)
    desk.refresh()
    #expect(
      shownNotice(desk)?.isStillHeld == true && shownNotice(desk)?.remedy(in: .english) == "Let go, then press again")
    desk.stage.seat.key(StageKeymap.Code.up, false)
    desk.settle()
    #expect(shownNotice(desk)?.isStillHeld == false)
    desk.end()
  }

  @Test func `what the system took is not called held`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    desk.stage.seat.touchCancel()
    desk.settle()
    #expect(shownNotice(desk)?.reason == .touchCancelled && shownNotice(desk)?.isStillHeld == false)
    desk.end()
  }

  @Test func `without a place to send to, the dead-man's lever tells too`() {
    let scene = CockpitScene()
    let harness = ControlHarness(size: Size(width: 480, height: 320), root: scene)
    let output = DriveOutput(
      scene: scene, isDeadMan: true, stream: DriveStream(rate: 30, at: harness.host.now), sink: nil)
    let place = scene.lever(.neutral)
    for phase in [TouchPoint.Phase.began, .ended] {
      let id = TouchID(seat: SeatID(0), contact: .finger(1))
      let event = InputEvent.touches([
        TouchPoint(id: id, phase: phase, location: place, time: harness.host.now, hand: Hand(.touch, seat: id.seat))
      ])
      output.note(event)
      scene.handle(event)
      output.evaluate(at: harness.host.now)
    }
    #expect(scene.lossDisplay?.banner.notice?.reason == .lift)
  }

  @Test func `the tree says what the card says`() throws {
    let scene = CockpitScene()
    scene.resize(to: Size(width: 480, height: 320), scale: .one)
    scene.showLoss(LossNotice(reason: .compositorFrozen), ignored: [])
    scene.prepareFrame(for: .zero)
    let tree = scene.inspect().jsonText
    #expect(tree.contains("Display froze") && tree.contains("Touch the lever to go on"))
    #expect(tree.contains("compositor-frozen"))
  }
}

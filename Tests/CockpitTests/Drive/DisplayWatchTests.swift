import CockpitControls
import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of the proof that the gear on the screen is the gear commanded.
@MainActor @Suite(.serialized) struct DisplayWatchTests {
  @Test func `a wrong gear is drawn again; one that stays wrong for three frames ends the drive`() throws {
    let desk = try DriveDesk()
    let watch = DisplayWatch(scene: desk.scene, session: desk.session)
    desk.relay.parts.append(watch)
    desk.takeLever(to: .forward(4))
    #expect(watch.wrongFrames == 0 && desk.line.state == .driving)
    let dial = desk.scene.cluster.speedometer
    dial.gear = "9"
    desk.refresh()
    #expect(watch.wrongFrames > 0 && desk.line.state == .driving, "one may be wrong by chance")
    dial.gear = "4"
    desk.refresh()
    #expect(watch.wrongFrames == 0 && desk.line.command.gear == 4)
    dial.gear = "9"
    for _ in 0..<6 { desk.refresh() }
    #expect(desk.line.state == .safe && desk.line.reason == .displayFault && desk.line.command == .neutral)
    dial.gear = "N"
    for _ in 0..<3 { desk.refresh() }
    #expect(watch.wrongFrames == 0)
    desk.lift(1)
    desk.takeLever(to: .forward(2))
    #expect(desk.line.state == .driving)
    desk.end()
  }

  @Test func `a gear that no frame shows within 500 ms ends the drive`() throws {
    let desk = try DriveDesk()
    let watch = DisplayWatch(scene: desk.scene, session: desk.session)
    desk.session.watch = watch
    desk.relay.parts.append(watch)
    desk.takeLever(to: .forward(4))
    desk.pass(.seconds(1))
    #expect(desk.line.state == .driving && desk.line.command.gear == 4)
    // The compositor answers, and asks for no frame any more: the first change is drawn, the next one is not.
    for gear in [5, 7] {
      let place = desk.scene.lever(.forward(gear))
      desk.stage.seat.touchMotion(1, place.x, place.y)
      desk.stage.seat.touchFrame()
      desk.settle()
    }
    #expect(desk.line.command.gear == 7 && desk.scene.cluster.speedometer.gear == "7")
    let start = desk.stage.clock.now
    while desk.line.state == .driving, desk.stage.clock.now - start < .seconds(2) {
      desk.stage.clock.advance(by: .milliseconds(10))
      desk.settle()
    }
    #expect(desk.line.reason == .displayFault, "\(desk.line.reason)")
    let elapsed = desk.stage.clock.now - start
    #expect(elapsed >= .milliseconds(490) && elapsed <= .milliseconds(560), "\(elapsed)")
    desk.toleratesEnd = true
    desk.end()
  }

  @Test func `a letter of another gear is found, and a session without faults has none`() throws {
    let desk = try DriveDesk()
    let watch = DisplayWatch(scene: desk.scene, session: desk.session)
    var (frames, wrong) = (0, 0)
    desk.relay.parts.append(
      SessionProbe(didDraw: { buffer in
        watch.didDraw(buffer)
        frames += 1
        wrong = max(wrong, watch.wrongFrames)
      }))
    for gear in [3, 9, 1, 10] {
      desk.takeLever(to: .forward(gear))
      desk.takeWheel(degrees: 50)
      desk.pass(.milliseconds(200))
      desk.lift(1)
      desk.lift(2)
      desk.pass(.milliseconds(300))
    }
    #expect(frames > 20 && wrong == 0)
    // A fault of any cause: the screen shows 5 and nothing is commanded.
    desk.scene.cluster.speedometer.gear = "5"
    desk.refresh()
    #expect(wrong > 0)
    desk.end()
  }
}

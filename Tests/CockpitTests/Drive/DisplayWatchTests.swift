import CockpitControls
import Controls
import DriveLink
import Glibc
import Linux
import Shell
import Stage
import TestSupport
import Testing
import UICore
import Witnessing

@testable import cockpit

/// Tests of the proof that the screen shows what is commanded.
@MainActor @Suite(.serialized) struct DisplayWatchTests {
  /// The witnesses that a watch has started, the newest last.
  private final class Witnesses {
    var started: [PlayedWitness] = []
    var newest: PlayedWitness? { started.last }
  }

  /// A cockpit that drives, and whose screen one witness after the other reads; `spoil` changes the pixels of a frame before its commit.
  private func desk(
    _ witnesses: Witnesses = Witnesses(), canStart: Bool = true, spoil: @escaping (PixelBuffer) -> Void = { _ in },
    arrange: (CockpitScene) -> Void = { _ in }
  ) throws -> DriveDesk {
    try DriveDesk(
      prepare: { desk, _ in
        let watch = DisplayWatch(scene: desk.scene, session: desk.session, loop: desk.application.loop) {
          [loop = desk.application.loop] in
          guard canStart else { return nil }
          let witness = PlayedWitness(loop)
          witnesses.started.append(witness)
          return witness
        }
        desk.session.watch = watch
        desk.relay.parts += [watch, SessionProbe(didDraw: spoil)]
      }, arrange: arrange)
  }

  /// Lets time pass until the drive is safe, and returns how long that took.
  private func timeUntilSafe(_ desk: DriveDesk, step: Duration = .milliseconds(5)) -> Duration {
    let start = desk.stage.clock.now
    while desk.line.state == .driving, desk.stage.clock.now - start < .seconds(2) {
      desk.stage.clock.advance(by: step)
      desk.settle()
    }
    return desk.stage.clock.now - start
  }

  @Test func `a session without faults has none, in every gear`() throws {
    let witnesses = Witnesses()
    let desk = try desk(witnesses)
    for gear in [3, 9, 1, 10] {
      desk.takeLever(to: .forward(gear))
      desk.takeWheel(degrees: 50)
      desk.pass(.milliseconds(300))
      #expect(desk.line.state == .driving && desk.line.command.gear == gear)
      desk.lift(1)
      desk.lift(2)
      desk.pass(.milliseconds(400))
      #expect(desk.line.reason == .lift)
    }
    let readings = try #require(witnesses.newest).readings
    #expect(witnesses.started.count == 1 && readings.count > 40)
    #expect(readings.allSatisfy { $0.count == 4 && $0.allSatisfy { $0 == .right } })
    desk.end()
  }

  @Test
  func `an instrument that shows something else ends the drive with its frame, and driving goes on with a new touch`()
    throws
  {
    let faults: [(CockpitScene) -> Void] = [
      { $0.cluster.speedometer.gear = "9" }, { $0.cluster.brake.isLit = true }, { $0.cluster.alpha = 0.2 },
      { $0.cluster.speedometer.gearColor = $0.cluster.palette.dialMiddle },
    ]
    for fault in faults {
      let desk = try desk()
      desk.takeLever(to: .forward(4))
      #expect(desk.line.state == .driving)
      fault(desk.scene)
      desk.refresh()
      #expect(desk.line.state == .safe && desk.line.reason == .displayFault && desk.line.command == .neutral)
      desk.scene.cluster.alpha = 1
      desk.scene.car.showControls()
      desk.lift(1)
      desk.refresh()
      desk.takeLever(to: .forward(2))
      desk.pass(.milliseconds(300))
      #expect(desk.line.state == .driving)
      desk.end()
    }
  }

  @Test func `a frame that the witness cannot be asked about ends the drive, also in the gear that was proved before`()
    throws
  {
    let witnesses = Witnesses()
    let desk = try desk(witnesses)
    desk.takeLever(to: .forward(4))
    desk.pass(.milliseconds(500))
    #expect(desk.line.state == .driving)
    try #require(witnesses.newest).refuses = true
    #expect(timeUntilSafe(desk) <= .milliseconds(200))
    #expect(desk.line.state == .safe && desk.line.reason == .displayFault)
    desk.end()
  }

  @Test func `what lies over the instruments before a drive is no fault, but proves nothing`() throws {
    for goesAway in [true, false] {
      let desk = try desk()
      let card = View()
      card.backgroundColor = .black
      card.isUserInteractionEnabled = false
      card.frame = desk.scene.cluster.windowFrame
      desk.scene.addSubview(card)
      desk.refresh()
      #expect(desk.session.watch?.fault == nil)
      // The frame in front is read again before the next one is drawn.
      desk.takeLever(to: .forward(4))
      for _ in 0..<10 {
        desk.stage.clock.advance(by: .milliseconds(5))
        desk.settle()
      }
      #expect(desk.line.state == .driving && desk.line.command.gear == 4)
      if goesAway {
        card.removeFromSuperview()
        desk.refresh()
        desk.pass(.milliseconds(400))
        #expect(desk.line.state == .driving && desk.session.watch?.fault == nil)
      } else {
        let time = timeUntilSafe(desk)
        #expect(desk.line.reason == .displayFault && time <= .milliseconds(150), "\(time)")
      }
      desk.end()
    }
  }

  @Test func `a dialog over the instruments ends the drive and is no fault, and what is driven after it is proved`()
    throws
  {
    let desk = try desk()
    desk.takeLever(to: .forward(4))
    desk.pass(.milliseconds(300))
    #expect(desk.line.state == .driving)
    let dialog = Dialog("Sure?", answers: ["No", "Yes"])
    dialog.present(over: desk.scene)
    desk.settle()
    #expect(desk.line.state == .safe && desk.line.reason == .sceneChanged)
    desk.pass(.seconds(1))
    #expect(desk.session.watch?.fault == nil && desk.line.reason == .sceneChanged)
    dialog.isOpen = false
    desk.lift(1)
    // Before it has disappeared nothing is driven that nobody could read.
    desk.takeLever(to: .forward(2))
    #expect(desk.line.state == .safe && desk.scene.viewInFront === dialog)
    desk.lift(1)
    desk.pass(.milliseconds(400))
    desk.takeLever(to: .forward(2))
    desk.pass(.milliseconds(500))
    #expect(desk.line.state == .driving && desk.session.watch?.fault == nil)
    desk.end()
  }

  @Test func `no mark of a control that is not shown lies over the instruments`() throws {
    for isRemoved in [true, false] {
      let desk = try desk()
      let wheel = desk.scene.wheel
      let old = wheel.windowFrame
      desk.takeWheel(degrees: 50)
      desk.session.reportLoss(.linkLost)
      desk.refresh()
      let marks = try #require(desk.scene.lossDisplay).subviews.prefix(2)
      #expect(marks.last?.isHidden == false)
      if isRemoved { wheel.removeFromSuperview() } else { wheel.isHidden = true }
      desk.scene.cluster.frame = desk.scene.cluster.superview?.convert(old, from: nil) ?? old
      // Also before the drive's next turn.
      desk.scene.prepareFrame(for: desk.stage.clock.now)
      #expect(marks.first?.isHidden == true && marks.last?.isHidden == true)
      desk.refresh()
      #expect(marks.first?.isHidden == true && marks.last?.isHidden == true)
      desk.end()
    }
  }

  @Test func `a witness that is silent or dead ends the drive within 200 ms, and a new one is started`() throws {
    for isSilent in [true, false] {
      let witnesses = Witnesses()
      let desk = try desk(witnesses)
      desk.takeLever(to: .forward(4))
      desk.pass(.seconds(1))
      #expect(desk.line.state == .driving && witnesses.started.count == 1)
      if isSilent { witnesses.newest?.isSilent = true } else { witnesses.newest?.die() }
      let time = timeUntilSafe(desk)
      #expect(
        desk.line.reason == .displayFault && time <= (isSilent ? .milliseconds(200) : .milliseconds(5)), "\(time)")
      desk.lift(1)
      // Before the next one nothing is driven for longer than an event.
      desk.takeLever(to: .forward(3))
      #expect(desk.line.state == .safe && desk.line.reason == .displayFault)
      desk.lift(1)
      desk.pass(.seconds(2))
      desk.takeLever(to: .forward(3))
      desk.pass(.milliseconds(500))
      #expect(desk.line.state == .driving && desk.line.command.gear == 3 && witnesses.started.count == 2)
      desk.end()
    }
  }

  @Test func `without a witness nothing is driven, unless the scene has nothing to read`() throws {
    let alone = try desk(canStart: false)
    alone.takeLever(to: .forward(4))
    #expect(alone.line.state == .safe && alone.line.reason == .displayFault)
    alone.end()
    for canStart in [false, true] {
      let blind = try desk(canStart: canStart, arrange: { $0.cluster.isHidden = true })
      blind.takeLever(to: .forward(4))
      blind.pass(.seconds(1))
      #expect(blind.line.state == .driving && blind.line.command.gear == 4)
      blind.end()
    }
  }

  @Test func `in a hidden window nothing is judged at rest, and a hand that takes hold there has a second`() throws {
    let desk = try desk()
    desk.takeLever(to: .forward(4))
    desk.pass(.milliseconds(300))
    // What is shown is the drive, and no frame will show its end.
    desk.stage.toplevel.suspend()
    desk.settle()
    #expect(desk.line.reason == .hidden)
    desk.lift(1)
    for _ in 0..<100 {
      desk.stage.clock.advance(by: .milliseconds(10))
      desk.settle()
    }
    #expect(desk.session.watch?.fault == nil && desk.line.reason == .hidden)
    let place = desk.scene.lever(.forward(6))
    desk.stage.seat.touchDown(3, place.x, place.y)
    desk.stage.seat.touchFrame()
    desk.settle()
    #expect(desk.line.state == .driving)
    // Its own frame is drawn and read, and no callback comes.
    let time = timeUntilSafe(desk)
    #expect(desk.line.reason == .hidden && time <= .milliseconds(1050), "\(time) \(desk.line.reason)")
    desk.toleratesEnd = true
    desk.end()
  }

  @Test func `no menu and no card lies over the instruments of a vehicle`() throws {
    let desk = try desk()
    let instruments = desk.scene.cluster.areasInSight
    #expect(instruments.count == 4)
    let button = PopUpButton()
    button.titles = ["one", "two", "three"]
    desk.scene.addSubview(button)
    for area in instruments {
      // The menu opens below its button.
      button.frame = Rect(x: area.minX, y: max(area.minY - 34, 0), width: 60, height: 30)
      desk.refresh()
      button.open()
      #expect(!button.isOpen, "\(area)")
    }
    button.frame = Rect(x: 0, y: 0, width: 60, height: 30)
    desk.refresh()
    button.open()
    let isFree = !instruments.contains { $0.intersects(Rect(x: 0, y: 30, width: 80, height: 130)) }
    #expect(button.isOpen == isFree)
    button.removeFromSuperview()
    // Every card, where it lies.
    desk.takeLever(to: .forward(4))
    desk.session.reportLoss(.linkLost)
    desk.pass(.milliseconds(400))
    let card = try #require(desk.scene.lossDisplay?.banner)
    #expect(!card.isHidden && !instruments.contains { $0.intersects(card.windowFrame) })
    desk.end()
  }

  @Test func `a frame stays as it is until the witness has answered`() throws {
    let witnesses = Witnesses()
    let desk = try desk(witnesses)
    desk.pass(.milliseconds(100))
    let witness = try #require(witnesses.newest)
    witness.isSilent = true
    let asked = witness.asked.count
    // Three frames are all that a window has; the fourth waits.
    for gear in ["1", "2", "3", "4", "5"] {
      desk.scene.cluster.speedometer.gear = gear
      desk.stage.nextRefresh()
      desk.settle()
    }
    let frames = witness.asked.dropFirst(asked).map(\.memory)
    #expect(frames.count == 3 && Set(frames).count == 3, "\(frames)")
    // Its silence is noticed, and drawing goes on.
    desk.pass(.milliseconds(300))
    #expect(desk.scene.takeDamage().isEmpty)
    desk.end()
  }

  @Test func `a gear that no frame shows within 200 ms ends the drive`() throws {
    let desk = try desk()
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
    let time = timeUntilSafe(desk)
    #expect(desk.line.reason == .displayFault && time >= .milliseconds(150) && time <= .milliseconds(200), "\(time)")
    desk.toleratesEnd = true
    desk.end()
  }
}

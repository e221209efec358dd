import CockpitControls
import Controls
import DriveLink
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of the proof that the gear on the screen is the gear commanded.
@MainActor @Suite(.serialized) struct DisplayWatchTests {
  /// Spoils the gear's letter in a frame's pixels.
  private func spoil(_ buffer: PixelBuffer, _ scene: CockpitScene, pixels: Int = 1) {
    let dial = scene.cluster.speedometer
    let center = dial.windowFrame.center
    for step in 0..<pixels {
      let (x, y) = (Int(center.x * scene.scale.factor) + step, Int(center.y * scene.scale.factor))
      let place = y * buffer.stride + x * 4
      buffer.bytes.storeBytes(
        of: buffer.bytes.load(fromByteOffset: place, as: UInt32.self) ^ 0x10, toByteOffset: place, as: UInt32.self)
    }
  }

  @Test(arguments: [1.0, 1.25, 1.5, 2.0]) func `every gear is recognised at every scale, and no other one`(
    factor: Double
  ) throws {
    let desk = try DriveDesk()
    desk.stage.toplevel.surface.prefer(Scale(factor))
    desk.refresh()
    let check = GearCheck(scene: desk.scene)
    let gears: [Gear] = [.reverse, .neutral] + (1...10).map { .forward($0) }
    var results: [Bool?] = []
    var commanded = Gear.neutral
    desk.relay.parts.append(
      SessionProbe(didDraw: { buffer in
        for gear in gears { results.append(check.shows(gear: gear, in: buffer) == (gear == commanded)) }
      }))
    for gear in gears {
      commanded = gear
      desk.scene.cluster.speedometer.gear = gear.description
      desk.scene.cluster.speedometer.gearColor = DriveController.color(of: gear, in: desk.scene.palette)
      results.removeAll()
      desk.refresh()
      #expect(results.count >= gears.count && results.allSatisfy { $0 == true }, "\(gear) at \(factor)")
    }
    desk.end()
  }

  @Test func `one wrong pixel is drawn again; one that stays wrong ends the drive`() throws {
    let desk = try DriveDesk()
    let watch = DisplayWatch(scene: desk.scene, session: desk.session)
    var spoiled = 0
    desk.relay.parts.append(
      SessionProbe(didDraw: { buffer in
        if spoiled > 0 { spoil(buffer, desk.scene) }
        spoiled -= 1
        watch.examine(buffer)
      }))
    desk.takeLever(to: .forward(4))
    #expect(watch.wrongFrames == 0 && desk.line.state == .driving)
    spoiled = 1
    desk.scene.cluster.speedometer.setNeedsStaticDisplay()
    desk.refresh()
    desk.refresh()
    #expect(spoiled < 0 && watch.wrongFrames == 0 && desk.line.state == .driving && desk.line.command.gear == 4)
    spoiled = 100
    desk.scene.cluster.speedometer.setNeedsStaticDisplay()
    for _ in 0..<6 { desk.refresh() }
    #expect(desk.line.state == .safe && desk.line.reason == .displayFault && desk.line.command == .neutral)
    spoiled = 0
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
        watch.examine(buffer)
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

  @Test func `a look costs microseconds`() throws {
    let desk = try DriveDesk()
    let check = GearCheck(scene: desk.scene)
    var times: [Duration] = []
    desk.relay.parts.append(
      SessionProbe(didDraw: { buffer in
        for _ in 0..<200 {
          let start = ContinuousClock.now
          #expect(check.shows(gear: .neutral, in: buffer) == true)
          times.append(start.duration(to: .now))
        }
      }))
    desk.scene.cluster.speedometer.setNeedsStaticDisplay()
    desk.refresh()
    let median = try #require(times.sorted().dropFirst(times.count / 2).first)
    print("the gear's check: \(median.inNanoseconds / 1000) us")
    // Without optimisation, beside other tests; a release build takes a few.
    #expect(median < .milliseconds(5))
    desk.end()
  }
}

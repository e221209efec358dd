import CockpitControls
import Controls
import Glibc
import Stage
import Testing
import UICore

@testable import cockpit

/// Tests of the images of losses that no message of the compositor brings, from the cause to the pixels of the newest commit.
@MainActor @Suite(.serialized) struct LossPictureTests {
  private let desk: DriveDesk

  init() throws {
    desk = try DriveDesk()
  }

  /// The share of these places of the window whose pixel is amber in the newest commit.
  private func amber(at places: [Point]) throws -> Double {
    let pixels = try #require(desk.pixels)
    let amber = places.filter { place in
      let pixel = pixels[Int(place.y) * 480 + Int(place.x)]
      return pixel >> 16 & 255 >= 0x80 && pixel >> 8 & 255 >= 0x50 && pixel & 255 < 0x60
    }
    return Double(amber.count) / Double(places.count)
  }

  /// Places along the mark of an ignored control: around the wheel, and at the left side of the lever.
  private func mark(around control: Control) -> [Point] {
    let reach = IgnoredMark.reach(around: control.bounds.size)
    let frame = control.windowFrame.insetBy(dx: -reach, dy: -reach)
    let inset = (min(frame.width, frame.height) / 100).clamped(to: 2...4) / 2 + 0.5
    guard control is SteeringWheel else {
      return stride(from: frame.minY + 30, to: frame.maxY - 30, by: 1).map { Point(x: frame.minX + inset, y: $0) }
    }
    return stride(from: 0.0, to: 360, by: 0.5).map { degrees in
      let (angle, radius) = (degrees * .pi / 180, frame.width / 2 - inset)
      return Point(x: frame.midX + radius * cos(angle), y: frame.midY + radius * sin(angle))
    }
  }

  /// Whether the mark is in the picture: dashes as long as the gaps between them.
  private func isMarked(_ control: Control) throws -> Bool {
    let share = try amber(at: mark(around: control))
    #expect(share == 0 || (0.3...0.7).contains(share), "\(control.name): \(share)")
    return share > 0
  }

  /// Whether the card of a fault is in the picture, by its amber tile.
  private func hasCard() throws -> Bool {
    guard let banner = desk.scene.lossDisplay?.banner, !banner.isHidden else { return false }
    let frame = banner.windowFrame
    return try amber(
      at: stride(from: frame.minY + 16, to: frame.maxY - 16, by: 1).map { Point(x: frame.minX + 9, y: $0) })
      > 0.9
  }

  private func expectPicture(marked: [Control], card: Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let scene = desk.scene
    #expect(try hasCard() == card, sourceLocation: sourceLocation)
    for control in [scene.gearbox, scene.wheel] as [Control] {
      #expect(
        try isMarked(control) == marked.contains { $0 === control }, "\(control.name)", sourceLocation: sourceLocation)
    }
  }

  /// A finger on the lever, and one on the wheel.
  private func drive() throws {
    desk.takeLever(to: .forward(5))
    desk.takeWheel(degrees: 40)
    desk.pass(.milliseconds(500))
    try #require(desk.line.state == .driving)
    try expectPicture(marked: [], card: false)
  }

  /// A new touch takes everything out of the picture.
  private func expectEnd() throws {
    desk.takeLever(7, to: .forward(3))
    desk.pass(.milliseconds(600))
    #expect(desk.line.state == .driving)
    try expectPicture(marked: [], card: false)
    desk.end()
  }

  @Test func `a loop that hung shows the card, and a mark around each control until its finger leaves`() throws {
    try drive()
    desk.sink.hang(desk.output.stream, at: desk.stage.clock.now + .milliseconds(200))
    desk.pass(.seconds(2))
    #expect(desk.line.reason == .loopHung)
    try expectPicture(marked: [desk.scene.gearbox, desk.scene.wheel], card: true)
    desk.lift(2)
    desk.refresh()
    try expectPicture(marked: [desk.scene.gearbox], card: true)
    desk.lift(1)
    desk.refresh()
    try expectPicture(marked: [], card: true)
    try expectEnd()
  }

  @Test func `a compositor that froze shows the card with the first frame that it takes again`() throws {
    try drive()
    desk.stage.freeze()
    for _ in 0..<50 {
      desk.stage.clock.advance(by: .milliseconds(10))
      try? desk.application.step()
    }
    #expect(desk.line.reason == .compositorFrozen)
    desk.stage.thaw()
    desk.pass(.seconds(2))
    // The fingers were taken away with the freeze: no event says how long they stay down, so no mark claims it.
    try expectPicture(marked: [], card: true)
    for finger: Int32 in [1, 2] { desk.lift(finger) }
    try expectEnd()
  }

  @Test
  func `a tilt sensor that fails shows the card and its own lamp, and a mark around the lever that is still held`()
    throws
  {
    let sensor = PlayedSensor()
    desk.scene.cluster.showsTilt = true
    let tilt = TiltSteering(scene: desk.scene, loop: desk.application.loop, read: sensor.open)
    tilt.record = { [relay = desk.relay] in relay.record($0, $1) }
    desk.session.follow(tilt)
    func pass(_ refreshes: Int) {
      for _ in 0..<refreshes {
        sensor.feed(at: desk.stage.clock.now)
        desk.refresh()
      }
    }
    pass(5)
    desk.takeLever(to: .forward(5))
    sensor.degrees = 20
    pass(20)
    try #require(desk.line.state == .driving && desk.line.command.steering > 0.1)
    try expectPicture(marked: [], card: false)
    sensor.fails = true
    pass(120)
    #expect(desk.line.reason == .sensorLost)
    try expectPicture(marked: [desk.scene.gearbox], card: true)
    let lamp = try #require(desk.scene.cluster.tilt).windowFrame
    let edge = stride(from: lamp.minX + lamp.height / 2, to: lamp.maxX - lamp.height / 2, by: 1)
    #expect(try amber(at: edge.map { Point(x: $0, y: lamp.minY + 3) }) > 0.9)
    desk.lift(1)
    pass(2)
    try expectPicture(marked: [], card: true)
    sensor.fails = false
    desk.takeLever(7, to: .forward(3))
    pass(120)
    try expectPicture(marked: [], card: false)
    #expect(try amber(at: edge.map { Point(x: $0, y: lamp.minY + 3) }) == 0)
    desk.end()
    withExtendedLifetime(tilt) {}
  }
}

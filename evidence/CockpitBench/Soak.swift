import CompositorLab
import Foundation
import Glibc
import Stage
import UICore

/// Drives a cockpit for hours in real time, with everything around it that comes and goes, and takes a sample each minute.
///
/// Every minute is the same, and its sample is taken at the end of a rest in the same state, so that samples differ only by what
/// stays behind.
final class Soak {
  private let compositor: MeasuringCompositor
  private let consumer: SoakConsumer
  private let portal: FakePortal
  private let child: Child
  private let samples: FileHandle
  /// Where fingers touch, at the window's size and at the smaller one.
  private let (places, smallPlaces): (Places, Places)
  private let (scene, otherScene): (String, String)
  private var sample = SoakSample()
  /// When most of the window was last painted.
  private var painted: Int64 = 0
  private var minute = 0

  private static let size = PixelSize(width: 1280, height: 720)
  private static let smallSize = PixelSize(width: 800, height: 480)

  /// Starts the cockpit with a copy of the layout file `scene`, which it watches. Samples are appended to `record`, and the cockpit's
  /// log goes beside it.
  init(_ client: ClientSpecification, scene: String, record: String) throws(BenchError) {
    compositor = try MeasuringCompositor(size: Soak.size)
    let folder = compositor.environment["XDG_RUNTIME_DIR"] ?? ""
    self.scene = systemText(scene)
    // Another margin moves every view, so most of the window is painted.
    otherScene = self.scene.replacingOccurrences(of: #""margin": 0.03,"#, with: #""margin": 0.035,"#)
    guard otherScene != self.scene else { throw .usage("\(scene) has no margin of 0.03") }
    places = try Places(of: client, size: Soak.size)
    smallPlaces = try Places(of: client, size: Soak.smallSize)
    consumer = try SoakConsumer(in: folder)
    do { portal = try FakePortal(settings: "({'org.freedesktop.appearance': {'color-scheme': <uint32 1>}},)") } catch {
      throw .client(name: "the desktop's portal", "does not start: \(error)")
    }
    guard let file = FileHandle(forWritingAtPath: record) else { throw .system(operation: record, errno: errno) }
    samples = file
    samples.seekToEndOfFile()
    let watched = folder + "/scene.json"
    try? self.scene.write(toFile: watched, atomically: false, encoding: .utf8)
    // The cockpit waits for the next compositor when this process is killed, so it must be killed with it.
    let logging = ClientSpecification(
      name: client.name,
      words: ["setpriv", "--pdeathsig", "KILL", "/bin/sh", "-c", #"exec "$0" "$@" 2>>"$SOAK_LOG""#] + client.words)
    child = try compositor.start(
      logging, ["--watch", watched, "--drive", consumer.place],
      variables: ["DBUS_SESSION_BUS_ADDRESS": portal.address, "SOAK_LOG": record + ".log"])
    watchedScene = watched
    compositor.stage.onCommit = { [unowned self] surface, record in
      if surface.role.isWindow, record.hasContent, record.damagedFraction > 0.5 { painted = Time.now }
      surface.forgetCommits()
    }
  }

  private let watchedScene: String

  /// Plays `minutes`, and returns their samples. Ends early if the cockpit does.
  func run(minutes: Int) throws(BenchError) -> [SoakSample] {
    defer {
      child.end()
      consumer.end()
      portal.stop()
    }
    pass(3000)
    let start = Time.now
    _ = consumer.takeCounts()
    var all: [SoakSample] = []
    var (processor, refreshes) = (child.cost.processorNanoseconds, compositor.lateness.count)
    while minute < minutes, !child.hasEnded {
      minute += 1
      sample = SoakSample()
      playMinute()
      rest(until: start + Int64(minute) * 60_000_000_000)
      sample.seconds = Double(Time.now - start) / 1e9
      sample.readProcess(child.identifier)
      let spent = child.cost.processorNanoseconds
      sample.processor = Double(spent - processor) / 1e6
      processor = spent
      let lines = consumer.takeCounts()
      (sample.lines, sample.late, sample.latest) = (lines.read, lines.late, lines.latest)
      (sample.longestGap, sample.replaced) = (lines.longestGap, lines.replaced)
      if lines.unreadable > 0 { sample.failures.append("\(lines.unreadable) lines could not be read") }
      sample.lateRefreshes = compositor.lateness[refreshes...].filter { $0 > SoakLines.limit }.count
      refreshes = compositor.lateness.count
      if child.hasEnded { sample.failures.append("the cockpit has ended") }
      all.append(sample)
      write(sample)
    }
    return all
  }

  /// A minute without its rest: half of it is driven.
  private func playMinute() {
    let stage = compositor.stage
    hold(places, "the rest")
    drive(places, 4000)
    if let surface = stage.frontSurface {
      surface.enter(stage.addOutput(name: "output of minute \(minute)", mode: Soak.size))
      goOn("an output came")
    }
    if let older = stage.outputs.first, stage.outputs.count > 1 {
      stage.remove(older)
      goOn("an output went")
    }
    sample.outputs += 2
    resize(Soak.smallSize)
    goOn("the window became smaller", smallPlaces)
    resize(Soak.size)
    goOn("the window became larger")
    for (value, name) in [("uint32 2", "light"), ("uint32 1", "dark")] {
      expectPaint("the theme became \(name)") { portal.change("org.freedesktop.appearance", "color-scheme", to: value) }
      sample.themes += 1
      goOn("the theme became \(name)")
    }
    for (number, text) in [otherScene, scene].enumerated() {
      // Editors replace a file or write it anew.
      expectPaint("a scene was saved") {
        try? text.write(toFile: watchedScene, atomically: number == 0, encoding: .utf8)
      }
      sample.scenes += 1
      goOn("a scene was saved")
    }
    consumer.restart()
    sample.consumerRestarts += 1
    goOn("the consumer restarted")
    stage.seat.capabilities.remove(.touch)
    pass(300)
    stage.seat.capabilities.insert(.touch)
    sample.unplugged += 1
    goOn("the touchscreen was unplugged")
    stage.clients.last?.hangUp()
    sample.compositorRestarts += 1
    let isBack = compositor.run(until: Time.now + 10_000_000_000) {
      portal.step()
      return stage.clients.last?.end == nil && stage.frontSurface?.isMapped == true
    }
    if !isBack { sample.failures.append("the window did not come back to the restarted compositor") }
    goOn("the compositor restarted")
    lift()
  }

  private func resize(_ size: PixelSize) {
    compositor.stage.output.mode = size
    compositor.stage.output.announce()
    compositor.stage.toplevels.first?.configure(size.width, size.height, [.fullscreen, .activated])
  }

  /// Does something and waits for most of the window to be painted.
  private func expectPaint(_ event: String, _ act: () -> Void) {
    let begun = Time.now
    act()
    let isPainted = compositor.run(until: begun + 2_000_000_000) {
      portal.step()
      return painted > begun
    }
    if !isPainted { sample.failures.append("nothing was painted after \(event)") }
  }

  /// After an event: lifts the fingers, takes hold anew, and drives.
  private func goOn(_ event: String, _ places: Places? = nil) {
    pass(400)
    lift()
    pass(100)
    hold(places ?? self.places, event)
    drive(places ?? self.places, 1500)
  }

  // MARK: Fingers

  private func lift() {
    let seat = compositor.stage.seat
    seat.touchUp(1)
    seat.touchUp(2)
    seat.touchFrame()
  }

  /// Puts both fingers down and the lever into a gear; notes a failure unless the state becomes `driving`.
  private func hold(_ places: Places, _ event: String) {
    let seat = compositor.stage.seat
    let isReady = compositor.run(until: Time.now + 2_000_000_000) { seat.touchCount > 0 }
    if !isReady { sample.failures.append("the cockpit asked for no touchscreen after \(event)") }
    sample.drives += 1
    let rim = places.wheel.rim(0)
    seat.touchDown(1, rim.x, rim.y)
    if let neutral = places.lever.first { seat.touchDown(2, neutral.x, neutral.y) }
    seat.touchFrame()
    pass(50)
    shift(places, 3)
    seat.touchFrame()
    let isDriving = compositor.run(until: Time.now + 1_000_000_000) { consumer.newestState == "driving" }
    if !isDriving { sample.failures.append("no drive within a second after \(event)") }
  }

  private func shift(_ places: Places, _ gear: Int) {
    guard gear < places.lever.count else { return }
    compositor.stage.seat.touchMotion(2, places.lever[gear].x, places.lever[gear].y)
  }

  /// Turns the wheel with each refresh, and shifts four times a second.
  private func drive(_ places: Places, _ milliseconds: Int64) {
    let seat = compositor.stage.seat
    var motion = 0
    compositor.run(for: milliseconds * 1_000_000, after: 3_000_000, every: compositor.interval) { [self] in
      motion += 1
      let rim = places.wheel.rim(40 * sin(Double(motion) / 30))
      seat.touchMotion(1, rim.x, rim.y)
      if motion % 15 == 0 { shift(places, 1 + motion / 15 % 8) }
      seat.touchFrame()
      compositor.stage.flush()
      portal.step()
    }
  }

  // MARK: Time

  private func pass(_ milliseconds: Int64) { rest(until: Time.now + milliseconds * 1_000_000) }

  private func rest(until end: Int64) {
    compositor.run(until: end) {
      portal.step()
      return false
    }
  }

  private func write(_ sample: SoakSample) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let line = try? encoder.encode(sample) else { return }
    samples.write(line + Data("\n".utf8))
  }
}

import Foundation
import Glibc
import Stage
import Testing
import UICore

@testable import Shell

/// Does what no compositor should, to everything that a client has bound.
/// `./dev fuzz` runs it under AddressSanitizer.
@MainActor struct HostileStage {
  let stage: Stage
  let storm: EventStorm
  var random: SeededRandom

  /// Sends a hostile event; sometimes bytes that are no message, a configure alone, an odd scale, or other devices.
  mutating func strike() {
    let number = UInt32(truncatingIfNeeded: random.next())
    let toplevel = stage.toplevels.randomOne(random.next())
    switch random.next() % 16 {
    case 0:
      stage.clients.last?.inject((0..<Int(number % 65)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    case 1: toplevel?.sendConfigureAlone(serial: number)
    case 2: toplevel?.surface.sendFractionalScale(in120ths: number)
    case 3: toplevel?.configure(60, 40, [])
    case 4: stage.seats.randomOne(random.next())?.capabilities = StageSeat.Capabilities(rawValue: number % 16)
    default: storm.strike()
    }
  }
}

@MainActor @Suite(.serialized) struct HostileTests {
  /// How many events are sent to each client; COCKPIT_HOSTILE asks for more.
  nonisolated static let count = getenv("COCKPIT_HOSTILE").flatMap { Int(String(cString: $0)) } ?? 2000
  /// The first seed; COCKPIT_SEED gives another.
  nonisolated static let seed = getenv("COCKPIT_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1

  @Test(.timeLimit(.minutes(30 + count / 2000)), arguments: 0..<5)
  func `whatever a compositor sends, the client lives, and shows itself to the next one`(kind: Int) throws {
    let seed = HostileTests.seed &* 5 &+ UInt64(kind)
    print("hostile events: seed \(seed), \(HostileTests.count) of them")
    var globals = [StageGlobals.everything, .weston10, .sway17, .kwin527, .minimal][kind]
    if kind == 0 { (globals.ivi, globals.layerShell) = (1, 4) }
    let stage = Stage(globals: globals, checks: false)
    let options = WindowOptions(title: "Test", applicationID: "org.example.Test", size: Size(width: 64, height: 48))
    let show = try Show(stage, options: options, reconnection: .tries(for: nil))
    let monkey = MonkeyTests()
    var numbers = SeededRandom(seed: seed &* 0x2545_f491_4f6c_dd1d)
    let storm = EventStorm(stage) { numbers.next() }
    var hostile = HostileStage(
      stage: stage, storm: storm, random: SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15))
    stage.presentationTime = { _ in
      PresentationTime(
        seconds: numbers.next(), nanoseconds: UInt32(truncatingIfNeeded: numbers.next()),
        refresh: UInt32(truncatingIfNeeded: numbers.next()))
    }
    // A content that is asked whether to close says no.
    show.onWindow = { $0.onCloseRequest = {} }
    show.window?.onCloseRequest = {}
    for step in 0..<HostileTests.count {
      if stage.toplevels.isEmpty {
        // It was thrown out, or left: it comes back by itself.
        stage.clients.last?.hangUp()
        show.pass(.milliseconds(250))
        show.settle()
      }
      if hostile.random.next() % 3 == 0, !stage.toplevels.isEmpty {
        monkey.act(on: show, &hostile.random)
      } else {
        hostile.strike()
      }
      if hostile.random.next() % 10 == 0 {
        // Only what follows a press can be copied, and what comes of it must be struck at before something ends it.
        if let seat = stage.seats.last {
          seat.touchDown(77, 5, 5)
          seat.touchFrame()
          show.turn()
        }
        _ = show.window?.setClipboard("text")
        _ = show.window?.setPrimarySelection("text \(step)")
        show.turn()
        stage.step()
        storm.strike()
      }
      if hostile.random.next() % 40 == 0 {
        let place = PopupPlacement(anchor: Rect(x: 9, y: 9, width: 9, height: 9), size: Size(width: 20, height: 20))
        _ = show.window?.showPopup(TestContent(), at: place, by: nil)
      }
      if hostile.random.next() % 4 == 0 { show.turn() }
      if hostile.random.next() % 4 == 0 { stage.step() }
      if kind == 0 { openOtherRoles(on: show) }
      if stage.seats.isEmpty { stage.addSeat(capabilities: [.touch, .pointer, .keyboard]) }
      guard show.failure == nil else {
        Issue.record("seed \(seed), step \(step): \(String(describing: show.failure))")
        return
      }
    }
    if kind == 0 { try expectAllSent(by: storm, seed: seed) }
    // All is well again: a compositor like others, a size like others.
    stage.clients.last?.hangUp()
    for _ in 0..<4 { show.pass(.milliseconds(250)) }
    show.toplevel.configure(60, 40)
    show.settle()
    show.refresh()
    #expect(show.surface.isMapped && show.content.life.last == .didBecomeActive, "seed \(seed)")
    print("hostile events: seed \(seed), \(show.attempts) connections")
    show.quit()
  }

  /// A car's surface and a strip beside the window, again each time that they were closed.
  private func openOtherRoles(on show: Show) {
    // While there is no connection each wish would wait for the next one.
    guard !show.stage.toplevels.isEmpty else { return }
    var options = WindowOptions(title: "Test", applicationID: "org.example.Test", size: Size(width: 64, height: 48))
    if show.stage.iviSurfaces.isEmpty, show.application?.windows.count ?? 9 < 4 {
      options.role = .ivi(id: 7)
      show.application?.openWindow(content: TestContent(), options: options)
    }
    if show.stage.layerSurfaces.isEmpty, show.application?.windows.count ?? 9 < 4 {
      options.role = .strip(.top)
      show.application?.openWindow(content: TestContent(), options: options)
    }
  }

  /// Every event of every interface that the shell's source names has been sent: one that is bound newly must get objects here.
  private func expectAllSent(by storm: EventStorm, seed: UInt64) throws {
    let unsent = storm.known.subtracting(storm.sent).sorted()
    #expect(unsent.isEmpty, "seed \(seed): never sent: \(unsent)")
    let interfaces = Set(storm.known.compactMap { $0.split(separator: ".").first.map(String.init) })
    let bound = Set(GlobalRequirement.table.map(\.interface)).union(try interfacesNamedBySource())
    let (eventful, missed) = (bound.intersection(EventStorm.eventfulInterfaces), bound.subtracting(interfaces))
    #expect(eventful.count > 20, "\(eventful)")
    #expect(eventful.isDisjoint(with: missed), "seed \(seed): no object of \(eventful.intersection(missed).sorted())")
  }

  /// The interfaces of the bindings whose classes Sources/Shell names: wl_touch is `WlTouch`.
  private func interfacesNamedBySource() throws -> Set<String> {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Shell")
    var words: Set<Substring> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      words.formUnion(text.split { !($0.isLetter || $0.isNumber) })
    }
    return Set(
      EventStorm.interfaces.filter { name in
        words.contains(Substring(name.split(separator: "_").map(\.capitalized).joined()))
      })
  }
}

extension Array {
  fileprivate func randomOne(_ number: UInt64) -> Element? { isEmpty ? nil : self[Int(number % UInt64(count))] }
}

import CLinux
import Foundation
import Glibc
import Stage
import Testing
import UICore
import WaylandServer

@testable import Shell

/// Sends what no compositor should, to everything that a client has bound.
/// `./dev fuzz` runs them under AddressSanitizer.
@MainActor struct HostileStage {
  let stage: Stage
  var random: SeededRandom

  /// Numbers that break things.
  mutating func number() -> Int32 {
    let odd: [Int32] = [0, 1, -1, 2, 7, 255, 256, 65_535, 65_536, 0x7fff_ffff, -0x8000_0000, 1 << 30, -(1 << 20)]
    return random.next() % 4 == 0
      ? Int32(truncatingIfNeeded: random.next()) : odd[Int(random.next() % UInt64(odd.count))]
  }

  mutating func size() -> Int32 { random.next() % 3 == 0 ? number() : Int32(random.next() % 200) }

  /// Fixed-point numbers as far out as the wire has them.
  mutating func fixed() -> Double {
    let odd: [Double] = [0, -0.004, 8_388_607.99, -8_388_608, 1e6, -1e6, 0.5]
    return random.next() % 2 == 0 ? Double(random.next() % 100) : odd[Int(random.next() % UInt64(odd.count))]
  }

  mutating func bytes(_ most: Int) -> [UInt8] {
    (0..<Int(random.next() % UInt64(most + 1))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// A file for a keymap: good, cut short, without its end, too large, of another kind, or not readable.
  mutating func keymap() -> (descriptor: Int32, size: UInt32) {
    let good = Array(StageKeymap.simple.text.utf8)
    var text = good
    var size: UInt32?
    switch random.next() % 9 {
    case 0: text = Array(good.prefix(Int(random.next() % UInt64(good.count))))
    case 1: for _ in 0..<20 { text[Int(random.next() % UInt64(text.count))] = UInt8(truncatingIfNeeded: random.next()) }
    case 2: text = bytes(300)
    case 3: size = UInt32(bitPattern: number())
    case 4: return (open("/dev/null", O_RDONLY | O_CLOEXEC), UInt32(good.count))
    case 5: return (open("/", O_RDONLY | O_CLOEXEC), UInt32(good.count))
    case 6:
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      close(ends[1])
      return (ends[0], UInt32(good.count))
    case 7: text += [0]
    default: size = UInt32(good.count + 4096)
    }
    let descriptor = cockpit_memfd("hostile")
    _ = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    return (descriptor, size ?? UInt32(text.count))
  }

  /// Sends one hostile event to an object.
  mutating func strike() {
    if let seat = stage.seats.randomOne(random.next()) { strike(seat) }
    guard let toplevel = stage.toplevels.randomOne(random.next()) else { return }
    switch random.next() % 10 {
    case 0: toplevel.resource.sendConfigure(width: size(), height: size(), states: bytes(30))
    case 1: toplevel.resource.sendConfigureBounds(width: number(), height: number())
    case 2: toplevel.resource.sendWmCapabilities(capabilities: bytes(17))
    case 3: toplevel.sendConfigureAlone(serial: UInt32(bitPattern: number()))
    case 4: toplevel.surface.resource.sendPreferredBufferScale(factor: number())
    case 5:
      toplevel.surface.resource.sendPreferredBufferTransform(
        transform: .init(rawValue: UInt32(bitPattern: number())))
    case 6: toplevel.surface.sendFractionalScale(in120ths: UInt32(bitPattern: number()))
    case 7: stage.outputs.randomOne(random.next()).map { strike($0) }
    case 8: stage.clients.last?.inject(bytes(64))
    default: toplevel.resource.sendConfigure(width: 60, height: 40, states: [])
    }
  }

  private mutating func strike(_ seat: StageSeat) {
    let surface = stage.surfaces.randomOne(random.next())?.resource
    let (id, serial) = (number(), UInt32(bitPattern: number()))
    switch random.next() % 16 {
    case 0:
      for touch in seat.touches {
        guard let surface, surface.client == touch.client else { continue }
        touch.sendDown(serial: serial, time: serial, surface: surface, id: id, x: fixed(), y: fixed())
      }
    case 1: seat.touches.forEach { $0.sendUp(serial: serial, time: serial, id: id) }
    case 2: for touch in seat.touches { touch.sendMotion(time: serial, id: id, x: fixed(), y: fixed()) }
    case 3: for touch in seat.touches { touch.sendShape(id: id, major: fixed(), minor: fixed()) }
    case 4: seat.touches.forEach { $0.sendFrame() }
    case 5:
      for pointer in seat.pointers {
        guard let surface, surface.client == pointer.client else { continue }
        pointer.sendEnter(serial: serial, surface: surface, surfaceX: fixed(), surfaceY: fixed())
      }
    case 6: for pointer in seat.pointers { pointer.sendMotion(time: serial, surfaceX: fixed(), surfaceY: fixed()) }
    case 7:
      seat.pointers.forEach {
        $0.sendButton(serial: serial, time: serial, button: UInt32(bitPattern: id), state: .init(rawValue: serial))
      }
    case 8:
      for pointer in seat.pointers { pointer.sendAxis(time: serial, axis: .init(rawValue: serial % 3), value: fixed()) }
    case 9: seat.pointers.forEach { $0.sendAxisDiscrete(axis: .init(rawValue: serial % 3), discrete: id) }
    case 10: for keyboard in seat.keyboards { send(keyboard) }
    case 11:
      for keyboard in seat.keyboards {
        guard let surface, surface.client == keyboard.client else { continue }
        keyboard.sendEnter(serial: serial, surface: surface, keys: bytes(23))
      }
    case 12:
      seat.keyboards.forEach {
        $0.sendKey(serial: serial, time: serial, key: UInt32(bitPattern: id), state: .init(rawValue: serial % 4))
      }
    case 13:
      seat.keyboards.forEach {
        $0.sendModifiers(
          serial: serial, modsDepressed: serial, modsLatched: UInt32(bitPattern: id), modsLocked: serial, group: serial)
      }
    case 14: for keyboard in seat.keyboards { keyboard.sendRepeatInfo(rate: number(), delay: number()) }
    default: seat.capabilities = StageSeat.Capabilities(rawValue: UInt32(random.next() % 16))
    }
  }

  private mutating func send(_ keyboard: WlKeyboardResource) {
    let (descriptor, size) = keymap()
    defer { close(descriptor) }
    keyboard.sendKeymap(format: .init(rawValue: random.next() % 8 == 0 ? 7 : 1), fd: descriptor, size: size)
  }

  private mutating func strike(_ output: StageOutput) {
    for resource in output.resources {
      switch random.next() % 4 {
      case 0:
        resource.sendMode(
          flags: .init(rawValue: UInt32(bitPattern: number())), width: number(), height: number(), refresh: number())
      case 1: resource.sendScale(factor: number())
      case 2:
        resource.sendGeometry(
          x: number(), y: number(), physicalWidth: number(), physicalHeight: number(),
          subpixel: .init(rawValue: UInt32(bitPattern: number())), make: "m", model: "",
          transform: .init(rawValue: UInt32(bitPattern: number())))
      default: resource.sendDone()
      }
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
    var hostile = HostileStage(stage: stage, random: SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15))
    let monkey = MonkeyTests()
    var numbers = SeededRandom(seed: seed &* 0x2545_f491_4f6c_dd1d)
    let storm = EventStorm(stage) { numbers.next() }
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
      } else if hostile.random.next() % 2 == 0 {
        hostile.strike()
      } else {
        storm.strike()
      }
      if hostile.random.next() % 40 == 0 { _ = show.window?.setClipboard("text") }
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

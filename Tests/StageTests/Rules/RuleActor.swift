import Glibc
import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// A rule's play: the same client with the mistake and without it.
struct RuleScene {
  var capabilities: StageSeat.Capabilities = [.pointer, .keyboard, .touch]
  let play: @MainActor (RuleActor, _ isBroken: Bool) throws -> Void

  @MainActor static let all = [surfaces, hints, timing, icons, sessions, locks, windows, devices].reduce(
    into: [Violation.Rule: RuleScene]()
  ) {
    $0.merge($1) { $1 }
  }
}

/// The client of a scene, with the objects that most scenes need.
@MainActor final class RuleActor {
  let stage: Stage
  let client: RawClient
  private var kept: [AnyObject] = []

  init(_ stage: Stage) throws {
    self.stage = stage
    client = try RawClient(stage)
  }

  func settle() { client.settle() }

  /// Keeps an object alive, as its events need it.
  @discardableResult func keep<T: AnyObject>(_ object: T) -> T {
    kept.append(object)
    return object
  }

  func global<T: Proxy>(_ type: T.Type) throws -> T { keep(try #require(client.bind(type))) }

  func surface() throws -> WlSurface { keep(try #require(client.compositor).createSurface()) }

  func region(_ rect: PixelRect) throws -> WlRegion {
    let region = keep(try #require(client.compositor).createRegion())
    region.add(x: Int32(rect.x), y: Int32(rect.y), width: Int32(rect.width), height: Int32(rect.height))
    return region
  }

  func buffer(_ width: Int = 8, _ height: Int = 8) throws -> RawBuffer { keep(try RawBuffer(client, width, height)) }

  func window() throws -> RawWindow { keep(try RawWindow.configured(client)) }

  /// A window that shows 60 x 40 pixels.
  func shownWindow() throws -> RawWindow {
    let window = try window()
    window.show(try buffer(60, 40))
    return window
  }

  /// Attaches a buffer with damage all over, and commits.
  func show(_ buffer: RawBuffer, on surface: WlSurface) {
    surface.attach(buffer: buffer.buffer, x: 0, y: 0)
    surface.damageBuffer(x: 0, y: 0, width: .max, height: .max)
    surface.commit()
  }

  /// The serial of a finger that is down on the first window.
  func press() throws -> UInt32 {
    keep(try #require(client.seat).getTouch())
    settle()
    let serial = stage.seat.touchDown(0, 1, 1)
    settle()
    return serial
  }

  func positioner() throws -> XdgPositioner {
    let made = keep(try #require(client.base).createPositioner())
    made.setSize(width: 9, height: 9)
    made.setAnchorRect(x: 0, y: 0, width: 5, height: 5)
    return made
  }

  /// A popup, and its initial commit if `isCommitted`.
  func popup(over parent: XdgSurface?, grab: UInt32? = nil, isCommitted: Bool = true) throws -> RawPopup {
    let surface = try surface()
    let xdg = keep(try #require(client.base).getXdgSurface(surface: surface))
    let popup = keep(
      RawPopup(surface: surface, xdg: xdg, popup: xdg.getPopup(parent: parent, positioner: try positioner())))
    if let grab { popup.popup.grab(seat: try #require(client.seat), serial: grab) }
    if isCommitted {
      surface.commit()
      settle()
    }
    return popup
  }

  /// A popup that shows 9 x 9 pixels.
  func shownPopup(over parent: XdgSurface, grab: UInt32? = nil) throws -> RawPopup {
    let made = try popup(over: parent, grab: grab)
    made.xdg.ackConfigure(serial: made.serial)
    show(try buffer(9, 9), on: made.surface)
    settle()
    return made
  }
}

/// A surface with the roles of a popup.
@MainActor final class RawPopup {
  let surface: WlSurface
  let xdg: XdgSurface
  let popup: XdgPopup
  private(set) var serial: UInt32 = 0

  init(surface: WlSurface, xdg: XdgSurface, popup: XdgPopup) {
    (self.surface, self.xdg, self.popup) = (surface, xdg, popup)
    xdg.onEvent = { [weak self] in if case .configure(let serial) = $0 { self?.serial = serial } }
  }

  func end() {
    popup.end()
    xdg.end()
    surface.end()
  }
}

/// A client that writes its messages byte by byte, for what libwayland would not send.
@MainActor final class WireClient {
  let stage: Stage
  private let socket: Int32

  init(_ stage: Stage) throws {
    self.stage = stage
    socket = try #require(stage.connectClient())
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
  }

  deinit { close(socket) }

  /// Sends a request with whole numbers as its arguments; `length` is the number of bytes that its header names.
  func request(_ object: UInt32, _ opcode: UInt32, _ arguments: [UInt32] = [], length: Int? = nil) {
    let words = [object, UInt32(length ?? 8 + arguments.count * 4) << 16 | opcode] + arguments
    _ = words.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    stage.step()
  }

  /// Sends a text as the last argument of a request, which may be no UTF-8.
  func request(_ object: UInt32, _ opcode: UInt32, _ arguments: [UInt32], text: [UInt8]) {
    var bytes = text + [0]
    while bytes.count % 4 != 0 { bytes.append(0) }
    let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    request(object, opcode, arguments + [UInt32(text.count + 1)] + words)
  }

  /// Binds a global as the object `id`, through the registry, which is the object 2.
  func bind(_ interface: String, _ version: UInt32, id: UInt32) {
    var text = Array(interface.utf8) + [0]
    while text.count % 4 != 0 { text.append(0) }
    let words = text.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    request(2, 0, [names[interface] ?? 0, UInt32(interface.utf8.count + 1)] + words + [version, id])
  }

  /// The names of the globals, from the events that are unread.
  private lazy var names: [String: UInt32] = {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = max(0, recv(socket, &bytes, bytes.count, 0))
    var (names, start): ([String: UInt32], Int) = ([:], 0)
    func word(_ place: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }
    while start + 16 <= count {
      if word(start) == 2, word(start + 4) & 0xffff == 0 {
        names[String(decoding: bytes[(start + 16)..<(start + 15 + Int(word(start + 12)))], as: UTF8.self)] = word(
          start + 8)
      }
      start += max(8, Int(word(start + 4) >> 16))
    }
    return names
  }()
}

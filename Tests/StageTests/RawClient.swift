import CWayland
import Glibc
import Stage
import Testing
import UICore
import Wayland

/// A connection with the globals bound, and one window if wanted.
/// It knows nothing of Shell.
@MainActor final class RawClient {
  let stage: Stage
  private(set) var display: Display?
  private(set) var root: WlDisplay?
  private(set) var registry: WlRegistry?
  private(set) var names: [String: (name: UInt32, version: UInt32)] = [:]
  private(set) var compositor: WlCompositor?
  private(set) var shm: WlShm?
  private(set) var base: XdgWmBase?
  private(set) var seat: WlSeat?
  private(set) var output: WlOutput?

  init(_ stage: Stage, sendBuffer: Int32? = nil) throws {
    self.stage = stage
    let descriptor = try #require(stage.connectClient(sendBuffer: sendBuffer))
    let display = try #require(Display(descriptor: descriptor))
    self.display = display
    let root = display.makeRoot()
    self.root = root
    let registry = root.getRegistry()
    self.registry = registry
    registry.onEvent = { [weak self] event in
      if case .global(let name, let interface, let version) = event { self?.names[interface] = (name, version) }
    }
    settle()
    compositor = bind(WlCompositor.self)
    // Of version 2 it would be one more object to release.
    shm = bind(WlShm.self, atMost: 1)
    base = bind(XdgWmBase.self)
    seat = bind(WlSeat.self)
    output = bind(WlOutput.self)
    settle()
  }

  /// Binds a global at the version that was announced, or nil when it was not.
  func bind<T: Proxy>(_ type: T.Type, atMost limit: UInt32 = .max) -> T? {
    guard let known = names[type.interface.name] else { return nil }
    let version = min(known.version, UInt32(type.interface.version), limit)
    return registry?.bind(name: known.name, type, version: version)
  }

  /// The client's turn: sends, reads, handles.
  func turn() {
    guard let display else { return }
    wl_display_flush(display.raw)
    while wl_display_prepare_read(display.raw) != 0 {
      // An ended connection keeps undelivered events.
      guard wl_display_dispatch_pending(display.raw) >= 0 else { return }
    }
    // Waits for nothing: libwayland takes what has arrived (MSG_DONTWAIT).
    wl_display_read_events(display.raw)
    wl_display_dispatch_pending(display.raw)
    wl_display_flush(display.raw)
  }

  /// Lets what is on its way arrive on both sides.
  func settle() {
    for _ in 0..<3 {
      turn()
      stage.step()
    }
    turn()
  }

  /// Ends what the client bound and closes the connection, whoever still holds objects of it.
  func close() {
    for proxy in [output, seat, base] as [Proxy?] { proxy?.end() }
    turn()
    stage.step()
    if let display { shutdown(wl_display_get_fd(display.raw), Int32(SHUT_RDWR)) }
    (output, seat, base, shm, compositor, registry, root, display) = (nil, nil, nil, nil, nil, nil, nil, nil)
    stage.step()
  }
}

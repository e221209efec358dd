import CWayland
import Glibc
import Testing
import Wayland
import WaylandServer
import WaylandWire

/// A client and a server of the raw bindings.
@MainActor private final class Loopback {
  let server: ServerDisplay
  let display: Display
  let root: WlDisplay

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    server = try #require(ServerDisplay())
    try #require(server.connect(descriptor: ends[0]) != nil)
    display = try #require(Display(descriptor: ends[1]))
    root = display.makeRoot()
  }

  /// Lets every message in flight arrive.
  func settle() {
    for _ in 0..<4 {
      wl_display_flush(display.raw)
      server.dispatch()
      server.flush()
      while wl_display_prepare_read(display.raw) != 0 { wl_display_dispatch_pending(display.raw) }
      // Waits for nothing: libwayland takes what has arrived (MSG_DONTWAIT).
      wl_display_read_events(display.raw)
      wl_display_dispatch_pending(display.raw)
    }
  }

  /// Binds the first global of `type`'s interface.
  func bind<T: Proxy>(_ type: T.Type, version: UInt32) throws -> T {
    var found: UInt32?
    let registry = root.getRegistry()
    registry.onEvent = { event in
      if case .global(let name, let interface, _) = event, interface == type.interface.name {
        found = name
      }
    }
    settle()
    let bound = registry.bind(name: try #require(found), type, version: version)
    settle()
    registry.discard()
    return bound
  }
}

@MainActor @Suite(.serialized) struct LoopbackTests {
  @Test func `text, numbers, objects and fixed points cross both ways`() throws {
    let loop = try Loopback()
    var seen: [String] = []
    var seats: [WlSeatResource] = []
    let global = Global(loop.server, WlSeatResource.self, version: 8) { seat in
      seats.append(seat)
      seat.onRequest = { request in
        if case .getTouch(let touch) = request {
          touch.sendMotion(time: 7, id: -3, x: 1.5, y: -2.25)
        }
      }
      seat.sendCapabilities(capabilities: [.touch, .pointer])
      seat.sendName(name: "left, \u{4e2d}")
    }
    let seat = try loop.bind(WlSeat.self, version: 5)
    seat.onEvent = { event in
      switch event {
      case .capabilities(let value): seen.append("capabilities \(value.rawValue)")
      case .name(let name): seen.append(name)
      }
    }
    loop.settle()
    let touch = seat.getTouch()
    touch.onEvent = { event in
      if case .motion(let time, let id, let x, let y) = event { seen.append("\(time) \(id) \(x) \(y)") }
    }
    loop.settle()
    #expect(seen.last == "7 -3 1.5 -2.25")
    #expect(seats.first?.version == 5)
    touch.release()
    seat.end()
    loop.settle()
    #expect(!touch.isAlive && seats.first?.isAlive == false)
    global.remove()
  }

  @Test func `a request with or on an object that has ended is dropped and told, and what it would make has ended`()
    throws
  {
    let loop = try Loopback()
    var surfaces: [WlSurfaceResource] = []
    var attached = 0
    let global = Global(loop.server, WlCompositorResource.self, version: 6) { compositor in
      compositor.onRequest = { request in
        guard case .createSurface(let surface) = request else { return }
        surfaces.append(surface)
        surface.onRequest = { if case .setOpaqueRegion = $0 { attached += 1 } }
      }
    }
    let compositor = try loop.bind(WlCompositor.self, version: 6)
    let surface = compositor.createSurface()
    let region = compositor.createRegion()
    region.destroy()
    var told: [String] = []
    DroppedRequests.report = { told.append($0) }
    defer { DroppedRequests.report = nil }
    // The argument may be NULL, which would mean something else.
    surface.setOpaqueRegion(region: region)
    loop.settle()
    #expect(attached == 0)
    surface.setOpaqueRegion(region: nil)
    loop.settle()
    #expect(attached == 1)
    surface.destroy()
    let callback = surface.frame()
    #expect(!callback.isAlive && callback.id == 0 && callback.display == nil)
    callback.end()
    var again: WlCallback? = callback
    _ = surface.frame(into: &again)
    #expect(again?.isAlive == false)
    loop.settle()
    #expect(wl_display_get_error(loop.display.raw) == 0 && surfaces.map(\.isAlive) == [false])
    #expect(
      told == [
        "wl_surface.set_opaque_region was not sent: an argument has ended",
        "wl_surface.frame was not sent: the object has ended", "wl_surface.frame was not sent: the object has ended",
      ])
    global.remove()
  }

  @Test func `an object ends once, with its last reference at the latest`() throws {
    let loop = try Loopback()
    var surfaces: [WlSurfaceResource] = []
    let global = Global(loop.server, WlCompositorResource.self, version: 6) { compositor in
      compositor.onRequest = { request in
        if case .createSurface(let surface) = request { surfaces.append(surface) }
      }
    }
    let compositor = try loop.bind(WlCompositor.self, version: 6)
    let before = loop.display.liveProxyCount
    do {
      _ = compositor.createSurface()
    }
    let kept = compositor.createSurface()
    loop.settle()
    #expect(surfaces.map(\.isAlive) == [false, true])
    kept.destroy()
    kept.destroy()
    kept.commit()
    loop.settle()
    #expect(surfaces.map(\.isAlive) == [false, false])
    #expect(loop.display.liveProxyCount == before)
    #expect(surfaces.map(\.version) == [0, 0])
    global.remove()
  }

  @Test func `a protocol error names the object's interface and code`() throws {
    let loop = try Loopback()
    let global = Global(loop.server, WlCompositorResource.self, version: 4) { $0.postError(42, "no 100 % luck") }
    _ = try loop.bind(WlCompositor.self, version: 4)
    loop.settle()
    #expect(wl_display_get_error(loop.display.raw) == EPROTO)
    var interface: UnsafePointer<wl_interface>?
    var id: UInt32 = 0
    #expect(wl_display_get_protocol_error(loop.display.raw, &interface, &id) == 42)
    global.remove()
  }

  @Test func `newer signatures are appended to Debian's`() {
    #expect(WlSurface.interface.version >= 6)
    #expect(XdgWmBase.interface.version >= 6)
    #expect(XdgToplevel.State.suspended.rawValue == 9)
  }

  @Test func `a descriptor nobody takes is closed`() throws {
    let pipe = open("/dev/null", O_RDONLY | O_CLOEXEC)
    do { _ = ReceivedFile(pipe) }
    #expect(fcntl(pipe, F_GETFD) == -1)
  }

  @Test func `an ended object's memory serves the next one of its connection, unless somebody holds it or it lives`()
    throws
  {
    let loop = try Loopback()
    var surfaces: [WlSurfaceResource] = []
    var callbacks: [WlCallbackResource] = []
    let global = Global(loop.server, WlCompositorResource.self, version: 4) { compositor in
      compositor.onRequest = { request in
        guard case .createSurface(let surface) = request else { return }
        surfaces.append(surface)
        surface.onRequest = { if case .frame(let callback) = $0 { callbacks.append(callback) } }
      }
    }
    let surface = try loop.bind(WlCompositor.self, version: 4).createSurface()
    var answers: [UInt32] = []
    func answer() {
      loop.settle()
      callbacks.removeLast().sendDone(callbackData: UInt32(answers.count))
      loop.settle()
    }
    let before = loop.display.liveProxyCount
    // Not within an expectation, which would hold the callback too.
    var callback: WlCallback?
    var isAnother = surface.frame(into: &callback)
    #expect(isAnother)
    callback?.onEvent = { if case .done(let number) = $0 { answers.append(number) } }
    let first = callback.map { ObjectIdentifier($0) }
    // It lives: a second object is created.
    var living = callback
    isAnother = surface.frame(into: &callback)
    #expect(isAnother && living !== callback && loop.display.liveProxyCount == before + 2)
    callback?.discard()
    (callback, living) = (living, nil)
    callbacks.removeAll()
    loop.settle()
    callbacks.removeFirst(callbacks.count - 1)
    callback?.discard()
    // It ended: its memory, its handler.
    for round in 1...3 {
      isAnother = surface.frame(into: &callback)
      #expect(!isAnother && callback.map { ObjectIdentifier($0) } == first && callback?.isAlive == true)
      #expect(loop.display.liveProxyCount == before + 1)
      answer()
      #expect(answers.count == round && callback?.isAlive == false && loop.display.liveProxyCount == before)
    }
    // It is still referenced: it stays as it was.
    let held = callback
    isAnother = surface.frame(into: &callback)
    #expect(isAnother && callback !== held && held?.isAlive == false)
    callback?.discard()
    // One of another connection serves this one.
    let elsewhere = try Loopback()
    var foreign: WlCallback? = elsewhere.root.sync()
    foreign?.discard()
    isAnother = surface.frame(into: &foreign)
    #expect(!isAnother && foreign?.display === loop.display)
    foreign?.discard()
    #expect(foreign?.display == nil, "who keeps an ended object keeps no connection")
    withExtendedLifetime(global) {}
  }
}

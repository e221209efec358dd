import Stage
import Testing
import UICore
import Wayland

/// A surface with the roles of a window.
@MainActor final class RawWindow {
  let client: RawClient
  let surface: WlSurface
  let xdg: XdgSurface
  let toplevel: XdgToplevel
  private(set) var serials: [UInt32] = []
  private(set) var sizes: [PixelSize] = []
  private(set) var frames = 0
  private var callbacks: [WlCallback] = []

  init(_ client: RawClient) throws {
    self.client = client
    surface = try #require(client.compositor).createSurface()
    xdg = try #require(client.base).getXdgSurface(surface: surface)
    toplevel = xdg.getToplevel()
    xdg.onEvent = { [weak self] event in
      if case .configure(let serial) = event { self?.serials.append(serial) }
    }
    toplevel.onEvent = { [weak self] event in
      if case .configure(let width, let height, _) = event {
        self?.sizes.append(PixelSize(width: Int(width), height: Int(height)))
      }
    }
  }

  /// A window that was configured once and has acknowledged that.
  static func configured(_ client: RawClient) throws -> RawWindow {
    let window = try RawWindow(client)
    window.surface.commit()
    client.settle()
    window.ack()
    return window
  }

  /// A configured window of a new client of `stage`.
  static func configured(on stage: Stage) throws -> RawWindow { try configured(RawClient(stage)) }

  /// A configured window that shows a buffer of this size.
  static func shown(by client: RawClient, _ width: Int, _ height: Int) throws -> RawWindow {
    let window = try configured(client)
    window.show(try RawBuffer(client, width, height))
    return window
  }

  /// A configured window of a new client of `stage` that shows a buffer of this size.
  static func shown(on stage: Stage, _ width: Int, _ height: Int) throws -> RawWindow {
    try shown(by: RawClient(stage), width, height)
  }

  func ack() {
    if let last = serials.last { xdg.ackConfigure(serial: last) }
  }

  func askForFrame() {
    let callback = surface.frame()
    callback.onEvent = { [weak self, weak callback] _ in
      self?.frames += 1
      callback?.discard()
    }
    callbacks.append(callback)
  }

  /// Attaches and damages; the whole buffer when `damage` is nil.
  func show(_ buffer: RawBuffer, damage: [PixelRect]? = nil, frame: Bool = false) {
    surface.attach(buffer: buffer.buffer, x: 0, y: 0)
    for rect in damage ?? [PixelRect(buffer.size)] {
      surface.damageBuffer(x: Int32(rect.x), y: Int32(rect.y), width: Int32(rect.width), height: Int32(rect.height))
    }
    if frame { askForFrame() }
    surface.commit()
    client.settle()
  }

  func end() {
    toplevel.end()
    xdg.end()
    surface.end()
    callbacks.removeAll()
  }
}

import UICore
import WaylandServer

/// An xdg_toplevel.
public final class StageToplevel {
  /// What the client asked of the compositor.
  public enum Request: Hashable, Sendable {
    case move(serial: UInt32)
    case resize(serial: UInt32, edges: UInt32)
    case windowMenu(serial: UInt32, x: Int, y: Int)
    case maximize(Bool)
    case fullscreen(Bool)
    case minimize
  }

  /// The protocol object.
  public let resource: XdgToplevelResource
  /// The surface that it shows.
  public let surface: StageSurface
  /// The title, once it was set.
  public private(set) var title: String?
  /// The application's identifier, once it was set.
  public private(set) var appID: String?
  /// The least size in logical points; 0 where there is none.
  public private(set) var minimumSize = PixelSize.zero
  /// The largest size in logical points; 0 where there is none.
  public private(set) var maximumSize = PixelSize.zero
  /// What the client asked for, oldest first.
  public private(set) var requests: [Request] = []
  /// What the compositor says that it can do with the window (version 5), told before the next configure.
  public var capabilities: Set<XdgToplevelResource.WmCapabilities> = [
    .windowMenu, .maximize, .fullscreen, .minimize,
  ]
  /// The room that there is for the window in logical points (version 4), told before the next configure; zero is unknown.
  public var bounds = PixelSize.zero
  /// The newest configure that was sent.
  public private(set) var configured: Configure?
  /// The configure that the client last agreed to.
  public var agreed: Configure? { window.agreed }
  /// The window geometry, once it was set.
  public var geometry: PixelRect? { window.geometry }

  private var toldCapabilities: Set<XdgToplevelResource.WmCapabilities>?
  private var toldBounds: PixelSize?
  let window: StageXDGSurface
  /// Who draws the frame, where the client has asked.
  public internal(set) var decoration: StageDecoration?
  private unowned let stage: Stage

  init(resource: XdgToplevelResource, window: StageXDGSurface, stage: Stage) {
    self.resource = resource
    self.window = window
    self.stage = stage
    surface = window.surface
    bounds = stage.bounds
    resource.onRequest = { [weak self] request in self?.handle(request) }
  }

  /// True while the newest configure says that nobody sees the window.
  public var isSuspended: Bool { configured?.states.contains(.suspended) == true }

  /// Tells the window to be `configure`; the serial that the client is to acknowledge.
  @discardableResult
  public func configure(_ configure: Configure) -> UInt32 {
    var known = configure
    if resource.version < 6 { known.states.remove(.suspended) }
    if resource.version < 2 {
      known.states.subtract([.tiledLeft, .tiledRight, .tiledTop, .tiledBottom])
    }
    configured = known
    decoration?.announce()
    tellSurroundings()
    let states = known.states.map(\.rawValue).sorted()
    resource.sendConfigure(
      width: Int32(known.width), height: Int32(known.height), states: states.withUnsafeBytes { Array($0) })
    return window.send(known)
  }

  private func tellSurroundings() {
    if resource.version >= 5, toldCapabilities != capabilities {
      toldCapabilities = capabilities
      let numbers = capabilities.map(\.rawValue).sorted()
      resource.sendWmCapabilities(capabilities: numbers.withUnsafeBytes { Array($0) })
    }
    if resource.version >= 4, toldBounds != bounds {
      toldBounds = bounds
      resource.sendConfigureBounds(width: Int32(bounds.width), height: Int32(bounds.height))
    }
  }

  /// Tells the window to be `width` x `height` logical points (0: its own choice) with `states`.
  @discardableResult
  public func configure(
    _ width: Int, _ height: Int, _ states: Set<XdgToplevelResource.State> = [.activated]
  ) -> UInt32 {
    configure(Configure(width: width, height: height, states: states))
  }

  /// Adds to or removes from the newest configure's states, size as it was, and sends it.
  @discardableResult
  public func set(_ state: XdgToplevelResource.State, _ isOn: Bool) -> UInt32 {
    var next = configured ?? Configure(width: 0, height: 0)
    if isOn { next.states.insert(state) } else { next.states.remove(state) }
    return configure(next)
  }

  /// Says that nobody sees the window: no frame callbacks from now on (version 6; before, only the callbacks stop).
  public func suspend() {
    stage.starve(surface, true)
    set(.suspended, true)
  }

  /// Says that the window is seen again.
  public func resume() {
    stage.starve(surface, false)
    set(.suspended, false)
  }

  /// Asks the client to close the window.
  public func close() { resource.sendClose() }

  /// Sends xdg_surface.configure with a serial that the stage knows nothing of.
  public func sendConfigureAlone(serial: UInt32) { window.resource.sendConfigure(serial: serial) }

  /// Answers the commit that asks for the first configure.
  func answerInitialCommit() {
    if let first = stage.initialConfigure { configure(first) }
  }

  private func handle(_ request: XdgToplevelResource.Request) {
    switch request {
    case .destroy:
      if let decoration, decoration.resource.isAlive {
        stage.report(
          .destroyOrder, "xdg_toplevel@\(resource.id) before its decoration@\(decoration.resource.id)")
        stage.post(
          ZxdgToplevelDecorationV1Resource.ErrorCode.orphaned.rawValue, "xdg_toplevel destroyed first",
          on: decoration.resource)
      }
    case .setParent: break
    case .setTitle(let title): self.title = title
    case .setAppId(let appID): self.appID = appID
    case .showWindowMenu(let seat, let serial, let x, let y):
      checkPress(serial, of: seat, for: "show_window_menu")
      requests.append(.windowMenu(serial: serial, x: Int(x), y: Int(y)))
    case .move(let seat, let serial):
      checkPress(serial, of: seat, for: "move")
      requests.append(.move(serial: serial))
    case .resize(let seat, let serial, let edges):
      checkPress(serial, of: seat, for: "resize")
      requests.append(.resize(serial: serial, edges: edges.rawValue))
    case .setMaxSize(let width, let height):
      maximumSize = PixelSize(width: Int(width), height: Int(height))
    case .setMinSize(let width, let height):
      minimumSize = PixelSize(width: Int(width), height: Int(height))
    case .setMaximized: requests.append(.maximize(true))
    case .unsetMaximized: requests.append(.maximize(false))
    case .setFullscreen: requests.append(.fullscreen(true))
    case .unsetFullscreen: requests.append(.fullscreen(false))
    case .setMinimized: requests.append(.minimize)
    }
  }

  private func checkPress(_ serial: UInt32, of seat: WlSeatResource?, for request: String) {
    let seat: StageSeat? = seat.flatMap { stage.model($0) }
    if seat?.isPress(serial) != true {
      stage.report(.wrongSerial, "xdg_toplevel.\(request) with \(serial), which is no press held now")
    }
  }
}

public import WaylandServer

/// A client's window (xdg_toplevel): what the client asked for, and how a script configures it.
public final class StageToplevel {
  /// A state of a window that a configure asks for (xdg_toplevel.state). Correct clients ignore numbers that they do not know.
  public typealias State = XdgToplevelResource.State
  /// A request about windows that a compositor may support or not (xdg_toplevel.wm_capabilities).
  public typealias Capability = XdgToplevelResource.WmCapabilities

  /// A client's request to the compositor about its window.
  public enum Request: Hashable, Sendable {
    /// Move the window with the press of `serial`.
    case move(serial: UInt32)
    /// Resize the window with the press of `serial`, by `edges` as in xdg_toplevel.resize_edge.
    case resize(serial: UInt32, edges: UInt32)
    /// Show the window's menu at (`x`, `y`) in logical points.
    case windowMenu(serial: UInt32, x: Int, y: Int)
    /// Maximise the window, or restore it.
    case maximize(Bool)
    /// Make the window fullscreen, or restore it.
    case fullscreen(Bool)
    /// Minimise the window.
    case minimize
  }

  package let resource: XdgToplevelResource
  /// The surface that it is the role of.
  public let surface: StageSurface
  /// The title; nil until the client sets it.
  public private(set) var title: String?
  /// The application's ID; nil until the client sets it.
  public private(set) var appID: String?
  /// The minimum size of the latest commit in logical points; 0 for no limit.
  public var minimumSize: PixelSize { sizeLimits.minimum }
  /// The maximum size of the latest commit in logical points; 0 for no limit.
  public var maximumSize: PixelSize { sizeLimits.maximum }
  private var sizeLimits = (minimum: PixelSize.zero, maximum: PixelSize.zero)
  /// The limits that apply with the next commit.
  private var comingLimits = (minimum: PixelSize.zero, maximum: PixelSize.zero)
  /// The client's requests to move, resize and so on, oldest first.
  public private(set) var requests: [Request] = []
  /// The window capabilities, sent with the next configure (since version 5) if they changed.
  public var capabilities: Set<Capability> = [
    .windowMenu, .maximize, .fullscreen, .minimize,
  ]
  /// The space for the window in logical points, sent with the next configure (since version 4) if it changed; zero if unknown.
  public var bounds = PixelSize.zero
  /// The newest configure sent, without states that the client's version does not know; nil before the first.
  public private(set) var configured: Configure?
  /// The configure that the client last acknowledged; nil before the first, and after the window is unmapped.
  public var agreed: Configure? { window.agreed }
  /// The window geometry in logical points; nil if the client has not committed one.
  public var geometry: PixelRect? { surface.state.geometry }

  /// The window that this one belongs to, as a dialog does; nil if it belongs to none.
  public private(set) weak var parent: StageToplevel?
  /// True while the client wants the window maximised, as fullscreen or minimised, whatever it is configured as.
  public internal(set) var wantsMaximized = false, wantsFullscreen = false, isMinimized = false
  /// The size that an interactive resize gave the window; nil if the client chooses.
  var desktopSize: Size?
  /// The place to return to from being maximised or fullscreen.
  var restoredPlace: Point?

  private var sentCapabilities: Set<Capability>?
  private var sentBounds: PixelSize?
  let window: StageXDGSurface
  /// The icon of the last commit; nil for the application's own.
  public private(set) var icon: StageIcon?
  var comingIcon: StageIcon?
  var dialog: XdgDialogV1Resource?
  var wantsModal = false
  /// What a session knows of the window, and how its client learns that it gets it back; nil once it did.
  var restoring: (state: Configure, tell: () -> Void)?
  /// True for a window that its client calls a dialog, and that has a parent.
  public var isDialog: Bool { dialog != nil && parent != nil }
  /// True for a dialog that is to be answered before its parent is used again.
  public var isModal: Bool { isDialog && wantsModal }
  /// The decoration object; nil if the client has not created one.
  public internal(set) var decoration: StageDecoration?
  private weak var stage: Stage?

  init(resource: XdgToplevelResource, window: StageXDGSurface, stage: Stage) {
    self.resource = resource
    self.window = window
    self.stage = stage
    surface = window.surface
    bounds = stage.bounds
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True while the newest configure has the state `suspended`.
  public var isSuspended: Bool { configured?.states.contains(.suspended) == true }

  /// Sends `configure` to the window, after changes of the decoration, the capabilities and the bounds. Returns the serial that
  /// the client must acknowledge.
  @discardableResult
  public func configure(_ configure: Configure) -> UInt32 {
    var known = configure
    if resource.version < 7 {
      known.states.subtract([.constrainedLeft, .constrainedRight, .constrainedTop, .constrainedBottom])
    }
    if resource.version < 6 { known.states.remove(.suspended) }
    if resource.version < 2 {
      known.states.subtract([.tiledLeft, .tiledRight, .tiledTop, .tiledBottom])
    }
    configured = known
    decoration?.announce()
    sendSurroundings()
    let states = known.states.map(\.rawValue).sorted()
    resource.sendConfigure(
      width: Int32(known.width), height: Int32(known.height), states: wireArray(states))
    return window.send(known)
  }

  private func sendSurroundings() {
    if resource.version >= 5, sentCapabilities != capabilities {
      sentCapabilities = capabilities
      let numbers = capabilities.map(\.rawValue).sorted()
      resource.sendWmCapabilities(capabilities: wireArray(numbers))
    }
    if resource.version >= 4, sentBounds != bounds {
      sentBounds = bounds
      resource.sendConfigureBounds(width: Int32(bounds.width), height: Int32(bounds.height))
    }
  }

  /// Sends a configure of `width` x `height` logical points (0: the client chooses) with `states`.
  @discardableResult
  public func configure(
    _ width: Int, _ height: Int, _ states: Set<State> = [.activated]
  ) -> UInt32 {
    configure(Configure(width: width, height: height, states: states))
  }

  /// Sends the newest configure again with `state` added (`isOn`) or removed.
  @discardableResult
  public func set(_ state: State, _ isOn: Bool) -> UInt32 {
    var next = configured ?? Configure(width: 0, height: 0)
    if isOn { next.states.insert(state) } else { next.states.remove(state) }
    return configure(next)
  }

  /// Hides the window: stops its frame callbacks and configures it as suspended (since version 6; older clients get a configure
  /// without that state).
  public func suspend() {
    stage?.starve(surface, true)
    set(.suspended, true)
  }

  /// Undoes `suspend()`.
  public func resume() {
    stage?.starve(surface, false)
    set(.suspended, false)
  }

  /// Asks the client to close the window.
  public func close() { resource.sendClose() }

  /// Sends xdg_surface.configure alone. The stage does not record `serial`, so acknowledging it is a violation.
  public func sendConfigureAlone(serial: UInt32) { window.resource.sendConfigure(serial: serial) }

  /// Answers the initial commit as the desktop wants it or, without one, with the stage's `initialConfigure`, if there is one.
  func answerInitialCommit() {
    if let (state, tell) = restoring {
      restoring = nil
      tell()
      var states = state.states
      if let first = stage?.initialConfigure { states.formUnion(first.states) }
      configure(Configure(width: state.width, height: state.height, states: states))
    } else if let desktop = stage?.desktop {
      desktop.configure(self, always: true)
    } else if let first = stage?.initialConfigure {
      configure(first)
    }
  }

  private func handle(_ request: XdgToplevelResource.Request) {
    guard let stage else { return }
    switch request {
    case .destroy:
      if let popup = stage.popups.first(where: { $0.isOver(window) }) {
        stage.report(.toplevelBeforePopup, "xdg_toplevel@\(resource.id) before xdg_popup@\(popup.resource.id)")
      }
      if let decoration, decoration.resource.isAlive {
        stage.forbid(
          .toplevelBeforeDecoration, "xdg_toplevel@\(resource.id) before its decoration@\(decoration.resource.id)",
          on: decoration.resource)
      }
      window.roleEnds()
    case .setParent(let new): setParent(stage.model(new))
    case .setTitle(let title): self.title = title
    case .setAppId(let appID): self.appID = appID
    case .showWindowMenu(let seat, let serial, let x, let y):
      checkPress(serial, of: seat, for: "show_window_menu")
      requests.append(.windowMenu(serial: serial, x: Int(x), y: Int(y)))
    case .move(let seat, let serial):
      checkPress(serial, of: seat, for: "move")
      requests.append(.move(serial: serial))
    case .resize(let seat, let serial, let edges):
      if edges.rawValue > 10 || edges.rawValue & 3 == 3 || edges.rawValue & 12 == 12 {
        stage.forbid(.invalidResizeEdge, "the edge \(edges.rawValue)", on: resource)
      }
      checkPress(serial, of: seat, for: "resize")
      requests.append(.resize(serial: serial, edges: edges.rawValue))
    case .setMaxSize(let width, let height): comingLimits.maximum = limit(width, height)
    case .setMinSize(let width, let height): comingLimits.minimum = limit(width, height)
    case .setMaximized: requests.append(.maximize(true))
    case .unsetMaximized: requests.append(.maximize(false))
    case .setFullscreen: requests.append(.fullscreen(true))
    case .unsetFullscreen: requests.append(.fullscreen(false))
    case .setMinimized: requests.append(.minimize)
    }
    stage.desktop?.handle(request, of: self)
  }

  private func setParent(_ new: StageToplevel?) {
    if sequence(first: new, next: { $0?.parent }).contains(where: { $0 === self }) {
      stage?.forbid(.invalidParent, "xdg_toplevel@\(new?.resource.id ?? 0)", on: resource)
      return
    }
    parent = new?.surface.isMapped == true ? new : nil
  }

  private func limit(_ width: Int32, _ height: Int32) -> PixelSize {
    if width < 0 || height < 0 { stage?.forbid(.invalidSizeLimits, "\(width) x \(height)", on: resource) }
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// Applies the state that waits for a commit.
  func committed() {
    sizeLimits = comingLimits
    icon = comingIcon
    let (least, most) = (sizeLimits.minimum, sizeLimits.maximum)
    if (1..<max(1, least.width)).contains(most.width) || (1..<max(1, least.height)).contains(most.height) {
      stage?.forbid(
        .invalidSizeLimits, "at least \(least.width) x \(least.height), at most \(most.width) x \(most.height)",
        on: resource)
    }
  }

  private func checkPress(_ serial: UInt32, of seat: WlSeatResource?, for request: String) {
    let seat: StageSeat? = stage?.model(seat)
    if seat?.isPress(serial) != true {
      stage?.report(.wrongSerial, "xdg_toplevel.\(request) with \(serial), which is no press held now")
    }
  }
}

/// A configure of a toplevel: a size in logical points (0: the client chooses) and states.
nonisolated public struct Configure: Hashable, Sendable {
  /// The width in logical points; 0 if the client chooses.
  public var width: Int
  /// The height in logical points; 0 if the client chooses.
  public var height: Int
  /// The states that the window should have; all others end.
  public var states: Set<StageToplevel.State>

  /// Creates a configure of `width` x `height` logical points (0: the client chooses).
  public init(width: Int, height: Int, states: Set<StageToplevel.State> = [.activated]) {
    self.width = width
    self.height = height
    self.states = states
  }
}

/// What client and compositor agreed on: who draws a window's title bar (zxdg_toplevel_decoration_v1).
public final class StageDecoration {
  /// The side that draws the title bar and the border of a window (zxdg_toplevel_decoration_v1.mode).
  public typealias Mode = ZxdgToplevelDecorationV1Resource.Mode

  let resource: ZxdgToplevelDecorationV1Resource
  /// The mode that the client requested; nil if the compositor may choose.
  public private(set) var requested: Mode?
  private var announced: Mode?
  private weak var toplevel: StageToplevel?
  private weak var stage: Stage?

  init(resource: ZxdgToplevelDecorationV1Resource, toplevel: StageToplevel, stage: Stage) {
    self.resource = resource
    self.toplevel = toplevel
    self.stage = stage
    resource.onRequest = { [weak self] in self?.handle($0) }
  }

  /// The mode to announce: the enforced one, else the requested one, else the server's decorations.
  var decided: Mode { stage?.decorationMode ?? requested ?? .serverSide }

  /// Sends the decided mode if it changed. Call it right before the window's configure.
  func announce() {
    guard resource.isAlive, announced != decided else { return }
    announced = decided
    resource.sendConfigure(mode: decided)
  }

  private func handle(_ request: ZxdgToplevelDecorationV1Resource.Request) {
    switch request {
    case .destroy: return
    case .setMode(let mode): requested = [.clientSide, .serverSide].contains(mode) ? mode : nil
    case .unsetMode: requested = nil
    }
    if let toplevel, let configured = toplevel.configured { toplevel.configure(configured) }
  }
}

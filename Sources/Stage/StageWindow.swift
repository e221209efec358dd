/// An xdg_toplevel.
package final class StageToplevel {
  /// A client's request to the compositor about its window.
  package enum Request: Hashable, Sendable {
    case move(serial: UInt32)
    case resize(serial: UInt32, edges: UInt32)
    case windowMenu(serial: UInt32, x: Int, y: Int)
    case maximize(Bool)
    case fullscreen(Bool)
    case minimize
  }

  package let resource: XdgToplevelResource
  package let surface: StageSurface
  package private(set) var title: String?
  package private(set) var appID: String?
  /// The minimum size of the latest commit in logical points; 0 for no limit.
  package var minimumSize: PixelSize { sizeLimits.minimum }
  /// The maximum size of the latest commit in logical points; 0 for no limit.
  package var maximumSize: PixelSize { sizeLimits.maximum }
  private var sizeLimits = (minimum: PixelSize.zero, maximum: PixelSize.zero)
  /// The limits that apply with the next commit.
  private var comingLimits = (minimum: PixelSize.zero, maximum: PixelSize.zero)
  /// The client's requests to move, resize and so on, oldest first.
  package private(set) var requests: [Request] = []
  /// The window capabilities, sent with the next configure (since version 5) if they changed.
  package var capabilities: Set<XdgToplevelResource.WmCapabilities> = [
    .windowMenu, .maximize, .fullscreen, .minimize,
  ]
  /// The space for the window in logical points, sent with the next configure (since version 4) if it changed; zero if unknown.
  package var bounds = PixelSize.zero
  /// The newest configure sent, without states that the client's version does not know; nil before the first.
  package private(set) var configured: Configure?
  /// The configure that the client last acknowledged; nil before the first, and after the window is unmapped.
  package var agreed: Configure? { window.agreed }
  /// The window geometry in logical points; nil if the client has not committed one.
  package var geometry: PixelRect? { surface.state.geometry }

  private var sentCapabilities: Set<XdgToplevelResource.WmCapabilities>?
  private var sentBounds: PixelSize?
  let window: StageXDGSurface
  /// The decoration object; nil if the client has not created one.
  package internal(set) var decoration: StageDecoration?
  private unowned let stage: Stage

  init(resource: XdgToplevelResource, window: StageXDGSurface, stage: Stage) {
    self.resource = resource
    self.window = window
    self.stage = stage
    surface = window.surface
    bounds = stage.bounds
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True while the newest configure has the state `suspended`.
  package var isSuspended: Bool { configured?.states.contains(.suspended) == true }

  /// Sends `configure` to the window, after changes of the decoration, the capabilities and the bounds. Returns the serial that
  /// the client must acknowledge.
  @discardableResult
  package func configure(_ configure: Configure) -> UInt32 {
    var known = configure
    if resource.version < 6 { known.states.remove(.suspended) }
    if resource.version < 2 {
      known.states.subtract([.tiledLeft, .tiledRight, .tiledTop, .tiledBottom])
    }
    configured = known
    decoration?.announce()
    sendSurroundings()
    let states = known.states.map(\.rawValue).sorted()
    resource.sendConfigure(
      width: Int32(known.width), height: Int32(known.height), states: states.withUnsafeBytes { Array($0) })
    return window.send(known)
  }

  private func sendSurroundings() {
    if resource.version >= 5, sentCapabilities != capabilities {
      sentCapabilities = capabilities
      let numbers = capabilities.map(\.rawValue).sorted()
      resource.sendWmCapabilities(capabilities: numbers.withUnsafeBytes { Array($0) })
    }
    if resource.version >= 4, sentBounds != bounds {
      sentBounds = bounds
      resource.sendConfigureBounds(width: Int32(bounds.width), height: Int32(bounds.height))
    }
  }

  /// Sends a configure of `width` x `height` logical points (0: the client chooses) with `states`.
  @discardableResult
  package func configure(
    _ width: Int, _ height: Int, _ states: Set<XdgToplevelResource.State> = [.activated]
  ) -> UInt32 {
    configure(Configure(width: width, height: height, states: states))
  }

  /// Sends the newest configure again with `state` added (`isOn`) or removed.
  @discardableResult
  package func set(_ state: XdgToplevelResource.State, _ isOn: Bool) -> UInt32 {
    var next = configured ?? Configure(width: 0, height: 0)
    if isOn { next.states.insert(state) } else { next.states.remove(state) }
    return configure(next)
  }

  /// Hides the window: stops its frame callbacks and configures it as suspended (since version 6; older clients get a configure
  /// without that state).
  package func suspend() {
    stage.starve(surface, true)
    set(.suspended, true)
  }

  /// Undoes `suspend()`.
  package func resume() {
    stage.starve(surface, false)
    set(.suspended, false)
  }

  /// Asks the client to close the window.
  package func close() { resource.sendClose() }

  /// Sends xdg_surface.configure alone. The stage does not record `serial`, so acknowledging it is a violation.
  package func sendConfigureAlone(serial: UInt32) { window.resource.sendConfigure(serial: serial) }

  /// Answers the initial commit with the stage's `initialConfigure`, if there is one.
  func answerInitialCommit() {
    if let first = stage.initialConfigure { configure(first) }
  }

  private func handle(_ request: XdgToplevelResource.Request) {
    switch request {
    case .destroy:
      if let popup = stage.popups.first(where: { $0.isOver(window) }) {
        stage.report(.destroyOrder, "xdg_toplevel@\(resource.id) before xdg_popup@\(popup.resource.id)")
      }
      if let decoration, decoration.resource.isAlive {
        stage.forbid(
          "xdg_toplevel@\(resource.id) before its decoration@\(decoration.resource.id)", as: .destroyOrder,
          on: decoration.resource, .orphaned)
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
      comingLimits.maximum = PixelSize(width: Int(width), height: Int(height))
    case .setMinSize(let width, let height):
      comingLimits.minimum = PixelSize(width: Int(width), height: Int(height))
    case .setMaximized: requests.append(.maximize(true))
    case .unsetMaximized: requests.append(.maximize(false))
    case .setFullscreen: requests.append(.fullscreen(true))
    case .unsetFullscreen: requests.append(.fullscreen(false))
    case .setMinimized: requests.append(.minimize)
    }
  }

  /// Applies the state that waits for a commit.
  func committed() { sizeLimits = comingLimits }

  private func checkPress(_ serial: UInt32, of seat: WlSeatResource?, for request: String) {
    let seat: StageSeat? = stage.model(seat)
    if seat?.isPress(serial) != true {
      stage.report(.wrongSerial, "xdg_toplevel.\(request) with \(serial), which is no press held now")
    }
  }
}

/// A configure of a toplevel: a size in logical points (0: the client chooses) and states.
nonisolated package struct Configure: Hashable, Sendable {
  package var width: Int
  package var height: Int
  package var states: Set<XdgToplevelResource.State>

  /// Creates a configure of `width` x `height` logical points (0: the client chooses).
  package init(width: Int, height: Int, states: Set<XdgToplevelResource.State> = [.activated]) {
    self.width = width
    self.height = height
    self.states = states
  }

  /// True if the client must take exactly this size, as for a maximised or fullscreen window.
  var isConstrained: Bool { states.contains(.fullscreen) || states.contains(.maximized) }
}

/// An xdg_surface: its role, and the configures that were sent, acknowledged and applied.
final class StageXDGSurface {
  let resource: XdgSurfaceResource
  let surface: StageSurface
  private(set) weak var toplevel: StageToplevel?
  private(set) weak var popup: StagePopup?
  private unowned let stage: Stage
  private var sent: [(serial: UInt32, configure: Configure, epoch: Int)] = []
  /// The configure that the client last acknowledged; nil before the first, and after the surface is unmapped.
  private(set) var agreed: Configure?
  private var uncommitted: (serial: UInt32, epoch: Int)?
  private var isConstructed = false

  init(resource: XdgSurfaceResource, surface: StageSurface, stage: Stage) {
    self.resource = resource
    self.surface = surface
    self.stage = stage
    surface.window = self
    surface.role = .window
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// Sends xdg_surface.configure, which ends the configure sequence; returns its serial.
  func send(_ configure: Configure) -> UInt32 {
    let serial = stage.display.nextSerial()
    sent.append((serial, configure, stage.epoch))
    resource.sendConfigure(serial: serial)
    return serial
  }

  /// Returns the serial acknowledged since the previous commit, and forgets it; nil if there was no acknowledgement.
  func takeAcknowledged() -> UInt32? {
    defer { uncommitted = nil }
    return uncommitted?.serial
  }

  /// Continues the handshake after a commit: answers the initial one, and starts again once the surface is unmapped.
  func committed(_ record: CommitRecord) {
    if record.unmaps {
      isConstructed = false
      agreed = nil
      sent.removeAll()
      return
    }
    guard !isConstructed, toplevel != nil || popup != nil else { return }
    isConstructed = true
    toplevel?.answerInitialCommit()
    popup?.answerInitialCommit()
  }

  /// Reports acknowledged configures without a commit by the step after, and with `atEnd` also configures that were never
  /// acknowledged. Called in the step `epoch`, after reading.
  func checkAnswers(in epoch: Int, atEnd: Bool) {
    if let waiting = uncommitted, waiting.epoch < epoch || atEnd {
      stage.report(.ackWithoutCommit, "xdg_surface@\(resource.id): serial \(waiting.serial)")
      uncommitted = nil
    }
    if atEnd, let last = sent.last, last.epoch + 1 < epoch {
      stage.report(.configureUnanswered, "xdg_surface@\(resource.id): serial \(last.serial)")
      sent.removeAll()
    }
  }

  /// Checks the size of new content against `agreed`, unless that leaves a side to the client.
  func checkSize(_ record: CommitRecord) {
    guard let agreed, agreed.width > 0, agreed.height > 0 else { return }
    let width = surface.state.geometry?.width ?? Int(record.logicalSize.width)
    let height = surface.state.geometry?.height ?? Int(record.logicalSize.height)
    if width == agreed.width && height == agreed.height { return }
    guard let toplevel else {
      return stage.report(.wrongSize, "a popup of \(width) x \(height), not \(agreed.width) x \(agreed.height)")
    }
    if agreed.isConstrained {
      stage.forbid(
        "\(width) x \(height) although configured as \(agreed.width) x \(agreed.height)", as: .wrongSize,
        on: stage.bases.first { $0.client == resource.client }, .invalidSurfaceState)
    } else {
      // A window configured below its minimum size may obey or take the minimum.
      let least = toplevel.minimumSize
      let isRight =
        [agreed.width, max(agreed.width, least.width)].contains(width)
        && [agreed.height, max(agreed.height, least.height)].contains(height)
      if !isRight {
        stage.report(
          .wrongSize, "\(width) x \(height) although configured as \(agreed.width) x \(agreed.height)")
      }
    }
  }

  /// The size of the window geometry in logical points, or of the surface if the client has set no geometry.
  var size: Size {
    surface.state.geometry.map { Size(width: Double($0.width), height: Double($0.height)) } ?? surface.logicalSize
  }

  /// The top-left corner of the window or popup on the screen.
  var place: Point { popup?.place ?? stage.windowPlace }

  private func checkRole() {
    if toplevel != nil || popup != nil {
      stage.forbid("a second role for xdg_surface@\(resource.id)", on: resource, .alreadyConstructed)
    }
  }

  private func handle(_ request: XdgSurfaceResource.Request) {
    switch request {
    case .destroy:
      if let toplevel, toplevel.resource.isAlive {
        stage.forbid(
          "xdg_surface@\(resource.id) before its xdg_toplevel@\(toplevel.resource.id)", as: .destroyOrder, on: resource,
          .defunctRoleObject)
      }
      if let popup, popup.resource.isAlive {
        stage.forbid(
          "xdg_surface@\(resource.id) before its xdg_popup@\(popup.resource.id)", as: .destroyOrder, on: resource,
          .defunctRoleObject)
      }
    case .getToplevel(let made):
      checkRole()
      let new = StageToplevel(resource: made, window: self, stage: stage)
      toplevel = new
      stage.own(new, for: made, in: \.toplevels)
    case .getPopup(let made, let parent, let positioner):
      checkRole()
      guard let positioner: StagePositioner = stage.model(positioner) else { return }
      let new = StagePopup(
        resource: made, window: self, parent: stage.model(parent), placement: positioner.placement, stage: stage)
      popup = new
      stage.own(new, for: made, in: \.popups)
    case .setWindowGeometry(let x, let y, let width, let height):
      if width < 1 || height < 1 {
        stage.forbid("a window geometry of \(width) x \(height)", on: resource, .invalidSize)
      }
      surface.coming.geometry = PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
    case .ackConfigure(let serial):
      guard let index = sent.firstIndex(where: { $0.serial == serial }) else {
        stage.forbid(
          "xdg_surface@\(resource.id) acknowledges \(serial)", as: .unknownSerial, on: resource, .invalidSerial)
        return
      }
      agreed = sent[index].configure
      uncommitted = (serial, stage.epoch)
      sent.removeFirst(index + 1)
    }
  }
}

/// A zxdg_toplevel_decoration_v1.
package final class StageDecoration {
  package let resource: ZxdgToplevelDecorationV1Resource
  /// The mode that the client requested; nil if the compositor may choose.
  package private(set) var requested: ZxdgToplevelDecorationV1Resource.Mode?
  private var announced: ZxdgToplevelDecorationV1Resource.Mode?
  private weak var toplevel: StageToplevel?
  private unowned let stage: Stage

  init(resource: ZxdgToplevelDecorationV1Resource, toplevel: StageToplevel, stage: Stage) {
    self.resource = resource
    self.toplevel = toplevel
    self.stage = stage
    resource.onRequest = { [weak self] in self?.handle($0) }
  }

  /// The mode to announce: the enforced one, else the requested one, else the server's decorations.
  var decided: ZxdgToplevelDecorationV1Resource.Mode { stage.decorationMode ?? requested ?? .serverSide }

  /// Sends the decided mode if it changed. Call it right before the window's configure.
  func announce() {
    guard resource.isAlive, announced != decided else { return }
    announced = decided
    resource.sendConfigure(mode: decided)
  }

  private func handle(_ request: ZxdgToplevelDecorationV1Resource.Request) {
    switch request {
    case .destroy: return
    case .setMode(let mode): requested = mode
    case .unsetMode: requested = nil
    }
    if let toplevel, let configured = toplevel.configured { toplevel.configure(configured) }
  }
}

extension Stage {
  /// Handles a request to an xdg_wm_base.
  func handle(_ request: XdgWmBaseResource.Request, of base: XdgWmBaseResource) {
    switch request {
    case .destroy:
      let left = xdgSurfaces.filter { $0.resource.isAlive && $0.resource.client == base.client }
      if !left.isEmpty {
        forbid(
          "xdg_wm_base@\(base.id) before \(left.count) xdg_surface(s)", as: .destroyOrder, on: base, .defunctSurfaces)
      }
    case .createPositioner(let made): own(StagePositioner(resource: made, stage: self), for: made)
    case .getXdgSurface(let made, let target):
      guard let target, let surface: StageSurface = model(target) else { return }
      if surface.role != .none || surface.buffer != nil {
        forbid("an xdg_surface for wl_surface@\(target.id), which has a role or a buffer", on: base, .role)
        return
      }
      own(StageXDGSurface(resource: made, surface: surface, stage: self), for: made, in: \.xdgSurfaces)
    case .pong(let serial): pings.removeAll { $0 == serial }
    }
  }

  /// Handles a request to a decoration manager.
  func handle(_ request: ZxdgDecorationManagerV1Resource.Request, of manager: ZxdgDecorationManagerV1Resource) {
    guard case .getToplevelDecoration(let made, let target) = request, let toplevel: StageToplevel = model(target)
    else { return }
    if toplevel.surface.isMapped {
      forbid("a decoration for a window that has a buffer", on: manager, .unconfiguredBuffer)
    }
    if toplevel.decoration?.resource.isAlive == true {
      forbid("a second decoration for one window", on: manager, .alreadyConstructed)
    }
    toplevel.decoration = StageDecoration(resource: made, toplevel: toplevel, stage: self)
  }

  /// Pings every client; `finish()` reports unanswered pings.
  package func ping() {
    for base in bases {
      let serial = display.nextSerial()
      pings.append(serial)
      base.sendPing(serial: serial)
    }
  }
}

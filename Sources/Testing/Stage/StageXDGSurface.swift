internal import WaylandServer

/// An xdg_surface: its role, and the configures that were sent, acknowledged and applied.
final class StageXDGSurface {
  let resource: XdgSurfaceResource
  let surface: StageSurface
  private(set) weak var toplevel: StageToplevel?
  private(set) weak var popup: StagePopup?
  private weak var stage: Stage?
  private var sent: [(serial: UInt32, configure: Configure, epoch: Int)] = []
  /// The configure that the client last acknowledged; nil before the first, and after the surface is unmapped.
  private(set) var agreed: Configure?
  private var uncommitted: (serial: UInt32, epoch: Int)?
  /// True from the initial commit until the surface is unmapped.
  private(set) var isConstructed = false

  /// The object that made it, on which some of its errors are sent.
  let base: XdgWmBaseResource

  init(resource: XdgSurfaceResource, surface: StageSurface, base: XdgWmBaseResource, stage: Stage) {
    self.resource = resource
    self.surface = surface
    self.base = base
    self.stage = stage
    surface.window = self
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True from get_toplevel or get_popup until that object is destroyed.
  var hasRole: Bool { toplevel?.resource.isAlive == true || popup?.resource.isAlive == true }

  /// Unmaps the surface and starts the handshake again, because its role object is being destroyed.
  func roleEnds() {
    stage?.desktop?.remove(surface)
    surface.hide()
    restart()
  }

  private func restart() {
    isConstructed = false
    agreed = nil
    sent.removeAll()
  }

  /// Sends xdg_surface.configure, which ends the configure sequence; returns its serial.
  func send(_ configure: Configure) -> UInt32 {
    guard let stage else { return 0 }
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
      return restart()
    }
    guard !isConstructed, toplevel != nil || popup != nil else { return }
    isConstructed = true
    toplevel?.answerInitialCommit()
    popup?.answerInitialCommit()
  }

  /// True while the client has not acknowledged the last configure, or not committed after an acknowledgement.
  var owesCommit: Bool { !sent.isEmpty || uncommitted != nil }

  /// Reports acknowledged configures without a commit by the step after, and with `atEnd` also configures that were never
  /// acknowledged. Called in the step `epoch`, after reading.
  func checkAnswers(in epoch: Int, atEnd: Bool) {
    if let waiting = uncommitted, waiting.epoch < epoch || atEnd {
      stage?.report(.ackWithoutCommit, "xdg_surface@\(resource.id): serial \(waiting.serial)")
      uncommitted = nil
    }
    if atEnd, let last = sent.last, last.epoch + 1 < epoch {
      stage?.report(.configureUnanswered, "xdg_surface@\(resource.id): serial \(last.serial)")
      sent.removeAll()
    }
  }

  /// Checks the size of new content, with the window geometry of its commit, against `agreed`, unless that leaves a side to the client.
  func checkSize(_ record: CommitRecord, _ geometry: PixelRect?) {
    guard let stage, let agreed, agreed.width > 0, agreed.height > 0 else { return }
    let width = geometry?.width ?? Int(record.logicalSize.width)
    let height = geometry?.height ?? Int(record.logicalSize.height)
    if width == agreed.width && height == agreed.height { return }
    guard let toplevel else {
      return stage.report(.wrongSize, "a popup of \(width) x \(height), not \(agreed.width) x \(agreed.height)")
    }
    let message = "\(width) x \(height) although configured as \(agreed.width) x \(agreed.height)"
    let isLarger = width > agreed.width || height > agreed.height
    if agreed.states.contains(.maximized) || agreed.states.contains(.fullscreen) && isLarger {
      return stage.forbid(.wrongSize, message, on: base)
    }
    // While it is resized and as fullscreen, a window may be smaller. One configured below its minimum size may take that.
    let mayBeSmaller = agreed.states.contains(.fullscreen) || agreed.states.contains(.resizing)
    let least = toplevel.minimumSize
    func isRight(_ side: Int, _ configured: Int, _ least: Int) -> Bool {
      side == configured || side == max(configured, least) || mayBeSmaller && side < configured
    }
    if !isRight(width, agreed.width, least.width) || !isRight(height, agreed.height, least.height) {
      stage.report(.wrongSize, message)
    }
  }

  /// The size of the window geometry in logical points, or of the surface if the client has set no geometry.
  var size: Size {
    surface.state.geometry.map { Size(width: Double($0.width), height: Double($0.height)) } ?? surface.logicalSize
  }

  /// The top-left corner of the window or popup on the screen.
  var place: Point { popup?.place ?? surface.place ?? stage?.windowPlace ?? .zero }

  private func handle(_ request: XdgSurfaceResource.Request) {
    guard let stage else { return }
    switch request {
    case .destroy:
      let object =
        toplevel.map { ("xdg_toplevel", $0.resource as Resource) } ?? popup.map { ("xdg_popup", $0.resource) }
      if let (name, role) = object, role.isAlive {
        stage.forbid(.xdgSurfaceBeforeRole, "xdg_surface@\(resource.id) before its \(name)@\(role.id)", on: resource)
      }
    case .getToplevel(let made):
      guard takeRole(.toplevel) else { return }
      let new = StageToplevel(resource: made, window: self, stage: stage)
      toplevel = new
      stage.own(new, for: made, in: \.toplevels)
    case .getPopup(let made, let parent, let positioner):
      guard takeRole(.popup), let positioner: StagePositioner = stage.model(positioner) else { return }
      let new = StagePopup(
        resource: made, window: self, parent: stage.model(parent), positioner: positioner, stage: stage)
      popup = new
      stage.own(new, for: made, in: \.popups)
    case .setWindowGeometry(let x, let y, let width, let height):
      guard checkRole() else { return }
      if width < 1 || height < 1 { stage.forbid(.invalidGeometry, "\(width) x \(height)", on: resource) }
      surface.coming.geometry = PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
    case .ackConfigure(let serial):
      guard checkRole() else { return }
      guard let index = sent.firstIndex(where: { $0.serial == serial }) else {
        return stage.forbid(.unknownSerial, "xdg_surface@\(resource.id) acknowledges \(serial)", on: resource)
      }
      agreed = sent[index].configure
      uncommitted = (serial, stage.epoch)
      sent.removeFirst(index + 1)
    }
  }

  private func takeRole(_ role: StageSurface.Role) -> Bool {
    if hasRole {
      stage?.forbid(.secondRole, "xdg_surface@\(resource.id)", on: resource)
    } else if !surface.take(role) {
      stage?.forbid(.windowRole, "wl_surface@\(surface.resource.id)", on: base)
    } else {
      return true
    }
    return false
  }

  private func checkRole() -> Bool {
    if !hasRole { stage?.forbid(.roleMissing, "xdg_surface@\(resource.id)", on: resource) }
    return hasRole
  }
}

extension Stage {
  func handle(_ request: XdgWmBaseResource.Request, of base: XdgWmBaseResource) {
    switch request {
    case .destroy:
      let left = xdgSurfaces.filter { $0.resource.isAlive && $0.base === base }
      if !left.isEmpty {
        forbid(.baseBeforeSurfaces, "xdg_wm_base@\(base.id) before \(left.count) xdg_surface(s)", on: base)
      }
    case .createPositioner(let made): own(StagePositioner(resource: made, stage: self), for: made)
    case .getXdgSurface(let made, let target):
      guard let target, let surface: StageSurface = model(target) else { return }
      if ![.none, .toplevel, .popup].contains(surface.role) || surface.window?.resource.isAlive == true {
        return forbid(.windowRole, "wl_surface@\(target.id)", on: base)
      }
      if surface.hasBuffer { return forbid(.bufferBeforeWindow, "wl_surface@\(target.id)", on: base) }
      own(StageXDGSurface(resource: made, surface: surface, base: base, stage: self), for: made, in: \.xdgSurfaces)
    case .pong(let serial): pings.removeAll { $0 == serial }
    }
  }

  func handle(_ request: ZxdgDecorationManagerV1Resource.Request, of manager: ZxdgDecorationManagerV1Resource) {
    guard case .getToplevelDecoration(let made, let target) = request, let toplevel: StageToplevel = model(target)
    else { return }
    if toplevel.surface.isMapped {
      forbid(.decorationAfterBuffer, "xdg_toplevel@\(toplevel.resource.id)", on: manager)
    }
    if toplevel.decoration?.resource.isAlive == true {
      forbid(.secondDecoration, "xdg_toplevel@\(toplevel.resource.id)", on: manager)
    }
    toplevel.decoration = StageDecoration(resource: made, toplevel: toplevel, stage: self)
  }

  /// Pings every client; `finish()` reports unanswered pings.
  public func ping() {
    for base in bases {
      let serial = display.nextSerial()
      pings.append(serial)
      base.sendPing(serial: serial)
    }
  }
}

import WaylandServer

extension Stage {
  /// Serves a bound xdg_wm_base.
  func serve(_ base: XdgWmBaseResource) {
    bases.append(base)
    base.onDestroy = { [weak self, weak base] in self?.bases.removeAll { $0 === base } }
    base.onRequest = { [weak self, weak base] request in
      guard let self, let base else { return }
      self.handle(request, of: base)
    }
  }

  private func handle(_ request: XdgWmBaseResource.Request, of base: XdgWmBaseResource) {
    switch request {
    case .destroy:
      let left = xdgSurfaces.filter { $0.resource.isAlive && $0.resource.client == base.client }
      if !left.isEmpty {
        forbid(
          .destroyOrder, "xdg_wm_base@\(base.id) before \(left.count) xdg_surface(s)", on: base,
          code: XdgWmBaseResource.ErrorCode.defunctSurfaces)
      }
    case .createPositioner: break
    case .getXdgSurface(let made, let target):
      guard let target, let surface: StageSurface = model(target) else { return }
      if surface.role != .none || surface.buffer != nil {
        forbid(
          .protocolError, "an xdg_surface for wl_surface@\(target.id), which has a role or a buffer", on: base,
          code: XdgWmBaseResource.ErrorCode.role)
        return
      }
      let window = StageXDGSurface(resource: made, surface: surface, stage: self)
      xdgSurfaces.append(window)
      made.onDestroy = { [weak self, weak surface] in
        self?.xdgSurfaces.removeAll { $0 === window }
        surface?.window = nil
      }
    case .pong(let serial): pings.removeAll { $0 == serial }
    }
  }

  /// Keeps a new toplevel until its object ends.
  func adopt(_ toplevel: StageToplevel) {
    toplevels.append(toplevel)
    own(toplevel, for: toplevel.resource) { [weak self] in self?.toplevels.removeAll { $0 === toplevel } }
  }

  /// Serves a bound decoration manager.
  func serve(_ manager: ZxdgDecorationManagerV1Resource) {
    manager.onRequest = { [weak self, weak manager] request in
      guard let self, let manager, case .getToplevelDecoration(let made, let target) = request,
        let toplevel: StageToplevel = target.flatMap({ self.model($0) })
      else { return }
      if toplevel.surface.isMapped {
        self.forbid(
          .protocolError, "a decoration for a window that has a buffer", on: manager,
          code: ZxdgToplevelDecorationV1Resource.ErrorCode.unconfiguredBuffer)
      }
      if toplevel.decoration?.resource.isAlive == true {
        self.forbid(
          .protocolError, "a second decoration for one window", on: manager,
          code: ZxdgToplevelDecorationV1Resource.ErrorCode.alreadyConstructed)
      }
      toplevel.decoration = StageDecoration(resource: made, toplevel: toplevel, stage: self)
    }
  }

  /// Asks every client whether it is still there; `finish()` reports those that never answer.
  public func ping() {
    for base in bases {
      let serial = display.nextSerial()
      pings.append(serial)
      base.sendPing(serial: serial)
    }
  }
}

import UICore
import WaylandServer

/// A global whatever its type.
protocol AnyGlobal: AnyObject {}

extension Global: AnyGlobal {}

extension Stage {
  /// Announces what `globals` says, outputs and seats excepted.
  func announce() {
    add(WlCompositorResource.self, globals.compositor) { stage, bound in stage.serve(bound) }
    add(WlShmResource.self, globals.shm) { stage, bound in stage.serve(bound) }
    add(XdgWmBaseResource.self, globals.windowBase) { stage, bound in stage.serve(bound) }
    add(WpViewporterResource.self, globals.viewporter) { stage, bound in stage.serve(bound) }
    add(WpFractionalScaleManagerV1Resource.self, globals.fractionalScale) { stage, bound in stage.serve(bound) }
    add(WpPresentationResource.self, globals.presentation) { stage, bound in stage.serve(bound) }
    add(ZxdgDecorationManagerV1Resource.self, globals.decoration) { stage, bound in stage.serve(bound) }
    add(WpCursorShapeManagerV1Resource.self, globals.cursorShape) { stage, bound in stage.serve(bound) }
    add(ZwpTabletManagerV2Resource.self, globals.tablets) { stage, bound in stage.serve(bound) }
    add(XdgActivationV1Resource.self, globals.activation) { stage, bound in stage.serve(bound) }
    add(ZwpIdleInhibitManagerV1Resource.self, globals.idleInhibit) { stage, bound in stage.serve(bound) }
    add(WlDataDeviceManagerResource.self, globals.dataDevices) { stage, bound in stage.serve(bound) }
  }

  private func add<T: Resource>(_ type: T.Type, _ version: Int32?, serve: @escaping (Stage, T) -> Void) {
    guard let version else { return }
    roots.append(
      Global(display, type, version: version) { [weak self] bound in
        guard let self else { return }
        if let raw = bound.client { _ = self.client(of: raw) }
        serve(self, bound)
      })
  }

  private func serve(_ compositor: WlCompositorResource) {
    compositor.onRequest = { [weak self] request in
      guard let self else { return }
      switch request {
      case .createSurface(let made): self.adopt(StageSurface(resource: made, stage: self))
      case .createRegion(let made): self.own(StageRegion(resource: made), for: made)
      }
    }
  }

  private func serve(_ manager: WpFractionalScaleManagerV1Resource) {
    manager.onRequest = { [weak self, weak manager] request in
      guard let self, let manager, case .getFractionalScale(let made, let target) = request,
        let surface: StageSurface = target.flatMap({ self.model($0) })
      else { return }
      if surface.fractionalScale?.isAlive == true {
        self.forbid(
          .protocolError, "a second fractional scale of wl_surface@\(surface.resource.id)", on: manager,
          code: WpFractionalScaleManagerV1Resource.ErrorCode.fractionalScaleExists)
      }
      surface.fractionalScale = made
      made.onDestroy = { [weak surface, weak made] in
        if surface?.fractionalScale === made { surface?.fractionalScale = nil }
      }
      surface.prefer(self.scale)
    }
  }

  private func serve(_ presentation: WpPresentationResource) {
    presentation.sendClockId(clkId: 1)
    presentation.onRequest = { [weak self] request in
      guard let self, case .feedback(let target, let made) = request else { return }
      if let surface: StageSurface = target.flatMap({ self.model($0) }) {
        surface.pending.feedback.append(made)
      } else {
        self.discard(made)
      }
    }
  }

  /// Adds a seat.
  @discardableResult
  public func addSeat(name: String? = nil, capabilities: WlSeatResource.Capability) -> StageSeat {
    let seat = StageSeat(name: name ?? "seat\(seats.count)", capabilities: capabilities, stage: self)
    seats.append(seat)
    return seat
  }

  /// Takes a seat away with its devices; not all compositors tell that those go.
  public func remove(_ seat: StageSeat, tellsDevices: Bool = true) {
    seat.withdraw(tellsDevices: tellsDevices)
    seats.removeAll { $0 === seat }
    goingSeats.append(seat)
  }

  /// The first seat, which there is unless the script wanted none.
  public var seat: StageSeat {
    guard let first = seats.first else { preconditionFailure("the script took every seat away") }
    return first
  }

  /// Adds an output.
  @discardableResult
  public func addOutput(
    name: String? = nil, mode: PixelSize = PixelSize(width: 1280, height: 720), scale: Int = 1,
    transform: WlOutputResource.Transform = .normal, refresh: Int = 60_000
  ) -> StageOutput {
    let output = StageOutput(
      name: name ?? "output\(outputs.count)", mode: mode, scale: scale, transform: transform, refresh: refresh,
      stage: self)
    outputs.append(output)
    return output
  }

  /// Takes an output away; surfaces on it are told first, as compositors do.
  public func remove(_ output: StageOutput) {
    surfaces.forEach { $0.leave(output) }
    output.withdraw()
    outputs.removeAll { $0 === output }
    goingOutputs.append(output)
  }

  /// The first output, which there is unless the script wanted none.
  public var output: StageOutput {
    guard let first = outputs.first else { preconditionFailure("the script took every output away") }
    return first
  }

  /// The first window, once a client made one.
  public var toplevel: StageToplevel {
    guard let first = toplevels.first else { preconditionFailure("no client made a window yet") }
    return first
  }
}

import WaylandServer

/// A zxdg_toplevel_decoration_v1.
public final class StageDecoration {
  /// The protocol object.
  public let resource: ZxdgToplevelDecorationV1Resource
  /// The mode that the client asked for; nil when it leaves the choice.
  public private(set) var requested: ZxdgToplevelDecorationV1Resource.Mode?
  private var announced: ZxdgToplevelDecorationV1Resource.Mode?
  private weak var toplevel: StageToplevel?
  private unowned let stage: Stage

  init(resource: ZxdgToplevelDecorationV1Resource, toplevel: StageToplevel, stage: Stage) {
    self.resource = resource
    self.toplevel = toplevel
    self.stage = stage
    resource.onRequest = { [weak self] request in self?.handle(request) }
  }

  /// The mode that the compositor decides on.
  var decided: ZxdgToplevelDecorationV1Resource.Mode { stage.decorationMode ?? requested ?? .serverSide }

  /// Sends the mode, if it is news, ahead of a configure.
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

import WaylandServer

extension Stage {
  /// Serves a bound xdg_activation_v1.
  func serve(_ activation: XdgActivationV1Resource) {
    activation.onRequest = { [weak self] request in
      guard let self, case .activate(let token, let target) = request,
        let surface: StageSurface = target.flatMap({ self.model($0) })
      else { return }
      surface.activations.append((token, surface.isMapped))
    }
  }

  /// Serves a bound zwp_idle_inhibit_manager_v1.
  func serve(_ manager: ZwpIdleInhibitManagerV1Resource) {
    manager.onRequest = { [weak self] request in
      guard let self, case .createInhibitor(let made, let target) = request,
        let surface: StageSurface = target.flatMap({ self.model($0) })
      else { return }
      surface.idleInhibitors.append(made)
      made.onDestroy = { [weak surface, weak made] in surface?.idleInhibitors.removeAll { $0 === made } }
    }
  }
}

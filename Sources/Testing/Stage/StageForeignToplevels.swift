internal import WaylandServer

/// The list of windows for taskbars and the like (wlr-foreign-toplevel-management).
final class StageForeignToplevels {
  private typealias Handle = ZwlrForeignToplevelHandleV1Resource
  private var managers: [ZwlrForeignToplevelManagerV1Resource] = []
  private var handles: [(handle: Handle, toplevel: StageToplevel, told: [String])] = []

  /// Tells a new list of every window.
  func greet(_ manager: ZwlrForeignToplevelManagerV1Resource, in desktop: StageDesktop) {
    desktop.stage?.list(manager, in: \.managers, of: self)
    for surface in desktop.stack {
      if let toplevel = surface.window?.toplevel { announce(toplevel, in: desktop, to: manager) }
    }
  }

  /// Tells every list of a new window.
  func announce(_ toplevel: StageToplevel, in desktop: StageDesktop) {
    for manager in managers { announce(toplevel, in: desktop, to: manager) }
  }

  private func announce(
    _ toplevel: StageToplevel, in desktop: StageDesktop, to manager: ZwlrForeignToplevelManagerV1Resource
  ) {
    guard let handle = manager.make(Handle.self) else { return }
    manager.sendToplevel(toplevel: handle)
    handle.onRequest = { [weak desktop, weak toplevel] in
      if let desktop, let toplevel { Self.take($0, for: toplevel, in: desktop) }
    }
    handle.whenDestroyed { [weak self, weak handle] in self?.handles.removeAll { $0.handle === handle } }
    for output in desktop.stage?.outputs.flatMap(\.resources) ?? [] where output.hasClient(of: manager) {
      handle.sendOutputEnter(output: output)
    }
    handles.append((handle, toplevel, []))
    update(toplevel, in: desktop)
  }

  /// Tells what changed about a window.
  func update(_ toplevel: StageToplevel, in desktop: StageDesktop) {
    guard handles.contains(where: { $0.toplevel === toplevel }) else { return }
    let states: [(Bool, Handle.State)] = [
      (toplevel.wantsMaximized, .maximized), (toplevel.isMinimized, .minimized),
      (desktop.activeToplevel === toplevel, .activated), (toplevel.wantsFullscreen, .fullscreen),
    ]
    let numbers = states.filter(\.0).map(\.1.rawValue)
    let news = [toplevel.title ?? "", toplevel.appID ?? "", "\(numbers)"]
    for index in handles.indices where handles[index].toplevel === toplevel && handles[index].told != news {
      let (handle, _, told) = handles[index]
      if news[0] != told.first ?? "" { handle.sendTitle(title: news[0]) }
      if news[1] != (told.isEmpty ? "" : told[1]) { handle.sendAppId(appId: news[1]) }
      if news[2] != told.last { handle.sendState(state: wireArray(numbers)) }
      handle.sendDone()
      handles[index].told = news
    }
  }

  /// Tells that a window is gone.
  func close(_ toplevel: StageToplevel) {
    for entry in handles where entry.toplevel === toplevel { entry.handle.sendClosed() }
    handles.removeAll { $0.toplevel === toplevel }
  }

  private static func take(_ request: Handle.Request, for toplevel: StageToplevel, in desktop: StageDesktop) {
    switch request {
    case .setMaximized: desktop.change(toplevel, maximized: true)
    case .unsetMaximized: desktop.change(toplevel, maximized: false)
    case .setFullscreen: desktop.change(toplevel, fullscreen: true)
    case .unsetFullscreen: desktop.change(toplevel, fullscreen: false)
    case .setMinimized: desktop.minimize(toplevel)
    case .unsetMinimized, .activate: desktop.activate(toplevel.surface)
    case .close: toplevel.close()
    case .setRectangle, .destroy: break
    }
  }
}

extension Stage {
  /// Handles a request to a list of windows: the only one ends it.
  func handle(_ request: ZwlrForeignToplevelManagerV1Resource.Request, of manager: ZwlrForeignToplevelManagerV1Resource)
  {
    manager.sendFinished()
    manager.destroy()
  }
}

import Stage
import Testing
import UICore
import Wayland
import WaylandServer

extension RuleScene {
  /// Windows, popups, decorations and layer surfaces.
  @MainActor static let windows: [Violation.Rule: RuleScene] = [
    .windowRole: RuleScene {
      let surface = try $0.surface()
      if $1 { $0.keep(try $0.global(WlSubcompositor.self).getSubsurface(surface: surface, parent: try $0.surface())) }
      $0.keep(try #require($0.client.base).getXdgSurface(surface: surface))
    },
    .baseBeforeSurfaces: RuleScene {
      let (window, base) = (try $0.window(), try #require($0.client.base))
      window.surface.commit()
      if !$1 { window.end() }
      base.end()
    },
    .bufferBeforeWindow: RuleScene {
      let surface = try $0.surface()
      if $1 { $0.show(try $0.buffer(), on: surface) }
      $0.keep(try #require($0.client.base).getXdgSurface(surface: surface))
    },
    .pingUnanswered: RuleScene { actor, isBroken in
      let base = try #require(actor.client.base)
      base.onEvent = { [unowned base] in if case .ping(let serial) = $0, !isBroken { base.pong(serial: serial) } }
      actor.stage.ping()
      actor.settle()
      _ = actor.stage.finish()
    },
    .roleMissing: RuleScene {
      let xdg = $0.keep(try #require($0.client.base).getXdgSurface(surface: try $0.surface()))
      if !$1 { $0.keep(xdg.getToplevel()) }
      xdg.setWindowGeometry(x: 0, y: 0, width: 5, height: 5)
    },
    .secondRole: RuleScene {
      let window = try $0.window()
      window.surface.commit()
      if !$1 { window.toplevel.end() }
      $0.keep(window.xdg.getToplevel())
    },
    .bufferBeforeConfigure: RuleScene {
      let window = $0.keep(try RawWindow($0.client))
      if !$1 {
        window.surface.commit()
        $0.settle()
        window.ack()
      }
      window.show(try $0.buffer())
    },
    .unknownSerial: RuleScene {
      let window = $0.keep(try RawWindow($0.client))
      window.surface.commit()
      $0.settle()
      if $1 { window.xdg.ackConfigure(serial: 4711) } else { window.ack() }
      window.surface.commit()
    },
    .invalidGeometry: RuleScene {
      let window = try $0.window()
      window.xdg.setWindowGeometry(x: 0, y: 0, width: $1 ? 0 : 1, height: 5)
      window.surface.commit()
    },
    .xdgSurfaceBeforeRole: RuleScene {
      let window = try $0.window()
      window.surface.commit()
      if !$1 { window.toplevel.end() }
      window.xdg.end()
    },
    .ackWithoutCommit: RuleScene {
      let window = try $0.window()
      if !$1 { window.surface.commit() }
    },
    .configureUnanswered: RuleScene {
      let window = try $0.shownWindow()
      $0.stage.toplevel.configure(60, 40)
      $0.settle()
      if !$1 { window.ack() }
      window.surface.commit()
      $0.settle()
      _ = $0.stage.finish()
    },
    .wrongSize: RuleScene {
      $0.stage.initialConfigure = Configure(width: 20, height: 10, states: [.maximized])
      let window = try $0.window()
      window.show(try $0.buffer(20, $1 ? 11 : 10))
    },
    .invalidResizeEdge: RuleScene {
      let window = try $0.shownWindow()
      window.toplevel.resize(
        seat: try #require($0.client.seat), serial: try $0.press(), edges: XdgToplevel.ResizeEdge(rawValue: $1 ? 3 : 5))
    },
    .invalidParent: RuleScene {
      let (window, other) = (try $0.shownWindow(), try $0.window())
      other.toplevel.setParent(parent: window.toplevel)
      other.surface.commit()
      if $1 { other.toplevel.setParent(parent: other.toplevel) }
    },
    .invalidSizeLimits: RuleScene {
      let window = try $0.window()
      window.toplevel.setMinSize(width: 20, height: 10)
      window.toplevel.setMaxSize(width: $1 ? 10 : 0, height: 10)
      window.surface.commit()
    },
    .toplevelBeforePopup: RuleScene {
      let window = try $0.shownWindow()
      let popup = try $0.shownPopup(over: window.xdg)
      if !$1 { popup.end() }
      window.toplevel.end()
    },
    .invalidPositionerInput: RuleScene { try $0.positioner().setSize(width: $1 ? 0 : 3, height: 3) },
    .incompletePositioner: RuleScene {
      let window = try $0.shownWindow()
      let positioner = $0.keep(try #require($0.client.base).createPositioner())
      positioner.setSize(width: 9, height: 9)
      if !$1 { positioner.setAnchorRect(x: 0, y: 0, width: 0, height: 0) }
      let xdg = $0.keep(try #require($0.client.base).getXdgSurface(surface: try $0.surface()))
      $0.keep(xdg.getPopup(parent: window.xdg, positioner: positioner))
    },
    .anchorOutsideParent: RuleScene {
      let (window, positioner) = (try $0.shownWindow(), try $0.positioner())
      positioner.setAnchorRect(x: 0, y: 0, width: $1 ? 61 : 60, height: 40)
      let xdg = $0.keep(try #require($0.client.base).getXdgSurface(surface: try $0.surface()))
      $0.keep(xdg.getPopup(parent: window.xdg, positioner: positioner))
    },
    .popupWithoutParent: RuleScene {
      let window = try $0.shownWindow()
      _ = try $0.popup(over: $1 ? nil : window.xdg)
    },
    .popupNotTopmost: RuleScene {
      let window = try $0.shownWindow()
      let lower = try $0.shownPopup(over: window.xdg)
      let upper = try $0.shownPopup(over: lower.xdg)
      if !$1 { upper.end() }
      lower.end()
    },
    .grabNotTopmost: RuleScene {
      let (window, press) = (try $0.shownWindow(), try $0.press())
      let first = try $0.shownPopup(over: window.xdg, grab: press)
      _ = try $0.popup(over: $1 ? window.xdg : first.xdg, grab: press)
    },
    .grabOverUngrabbed: RuleScene {
      let (window, press) = (try $0.shownWindow(), try $0.press())
      let first = try $0.shownPopup(over: window.xdg, grab: $1 ? nil : press)
      _ = try $0.popup(over: first.xdg, grab: press)
    },
    .grabOfShownPopup: RuleScene {
      let (window, press) = (try $0.shownWindow(), try $0.press())
      let popup = try $0.shownPopup(over: window.xdg, grab: $1 ? nil : press)
      if $1 { popup.popup.grab(seat: try #require($0.client.seat), serial: press) }
    },
    .movedBeforeShown: RuleScene {
      let window = try $0.shownWindow()
      let popup = $1 ? try $0.popup(over: window.xdg) : try $0.shownPopup(over: window.xdg)
      popup.popup.reposition(positioner: try $0.positioner(), token: 1)
      $0.settle()
    },
    .decorationAfterBuffer: RuleScene {
      let manager = try $0.global(ZxdgDecorationManagerV1.self)
      let window = $1 ? try $0.shownWindow() : $0.keep(try RawWindow($0.client))
      $0.keep(manager.getToplevelDecoration(toplevel: window.toplevel))
    },
    .secondDecoration: RuleScene {
      let (manager, window) = (try $0.global(ZxdgDecorationManagerV1.self), $0.keep(try RawWindow($0.client)))
      let first = $0.keep(manager.getToplevelDecoration(toplevel: window.toplevel))
      if !$1 { first.end() }
      $0.keep(manager.getToplevelDecoration(toplevel: window.toplevel))
    },
    .toplevelBeforeDecoration: RuleScene {
      let (manager, window) = (try $0.global(ZxdgDecorationManagerV1.self), $0.keep(try RawWindow($0.client)))
      let decoration = $0.keep(manager.getToplevelDecoration(toplevel: window.toplevel))
      if !$1 { decoration.end() }
      window.toplevel.end()
    },
    .layerRole: RuleScene {
      let surface = try $0.surface()
      if $1 { $0.keep(try $0.global(WlSubcompositor.self).getSubsurface(surface: surface, parent: try $0.surface())) }
      _ = try $0.layer(surface)
    },
    .invalidLayer: RuleScene { _ = try $0.layer(try $0.surface(), layer: $1 ? 4 : 3) },
    .bufferBeforeLayer: RuleScene {
      let surface = try $0.surface()
      if $1 { $0.show(try $0.buffer(), on: surface) }
      _ = try $0.layer(surface)
    },
    .layerBufferBeforeConfigure: RuleScene {
      let surface = try $0.surface()
      let layer = try $0.layer(surface)
      if !$1 {
        surface.commit()
        $0.settle()
        $0.stage.layerSurfaces.first?.configure(8, 8)
        $0.settle()
      }
      $0.show(try $0.buffer(), on: surface)
      withExtendedLifetime(layer) {}
    },
    .invalidLayerSize: RuleScene {
      let surface = try $0.surface()
      let layer = try $0.layer(surface)
      layer.setSize(width: 0, height: 8)
      layer.setAnchor(anchor: $1 ? [.left] : [.left, .right])
      surface.commit()
    },
    .invalidAnchor: RuleScene {
      try $0.layer(try $0.surface()).setAnchor(anchor: ZwlrLayerSurfaceV1.Anchor(rawValue: $1 ? 16 : 15))
    },
    .invalidInteractivity: RuleScene {
      try $0.layer(try $0.surface()).setKeyboardInteractivity(
        keyboardInteractivity: ZwlrLayerSurfaceV1.KeyboardInteractivity(rawValue: $1 ? 3 : 2))
    },
  ]
}

extension RuleActor {
  /// A layer surface of 8 x 8 points that acknowledges its configures.
  func layer(_ surface: WlSurface, layer: UInt32 = 2) throws -> ZwlrLayerSurfaceV1 {
    let made = keep(
      try global(ZwlrLayerShellV1.self).getLayerSurface(
        surface: surface, output: nil, layer: ZwlrLayerShellV1.Layer(rawValue: layer), namespace: "test"))
    made.onEvent = { [unowned made] in
      if case .configure(let serial, _, _) = $0 { made.ackConfigure(serial: serial) }
    }
    made.setSize(width: 8, height: 8)
    return made
  }
}

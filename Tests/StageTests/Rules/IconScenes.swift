import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

extension RuleScene {
  /// Icons and dialogs, and globals that go.
  @MainActor static let icons: [Violation.Rule: RuleScene] = [
    .iconBufferInvalid: RuleScene {
      try $0.icon().addBuffer(buffer: try $0.buffer(8, $1 ? 9 : 8).buffer, scale: 1)
    },
    .iconImmutable: RuleScene {
      let (window, icon) = (try $0.window(), try $0.icon())
      icon.setName(iconName: "printer")
      try $0.global(XdgToplevelIconManagerV1.self).setIcon(toplevel: window.toplevel, icon: icon)
      window.surface.commit()
      if $1 { icon.setName(iconName: "scanner") }
    },
    .iconBufferGone: RuleScene {
      let (icon, buffer) = (try $0.icon(), try $0.buffer())
      icon.addBuffer(buffer: buffer.buffer, scale: 1)
      if !$1 { icon.end() }
      buffer.end()
    },
    .iconWritten: RuleScene {
      let (icon, buffer) = (try $0.icon(), try $0.buffer())
      icon.addBuffer(buffer: buffer.buffer, scale: 1)
      $0.settle()
      if $1 { buffer.fill(0) }
    },
    .dialogExists: RuleScene {
      let (manager, window) = (try $0.global(XdgWmDialogV1.self), try $0.shownWindow())
      let first = $0.keep(manager.getXdgDialog(toplevel: window.toplevel))
      if !$1 { first.end() }
      $0.keep(manager.getXdgDialog(toplevel: window.toplevel))
    },
    .invalidAckRemove: RuleScene {
      let fixes = try $0.global(WlFixes.self)
      let name = try #require($0.client.names["xdg_system_bell_v1"]).name
      if !$1 { try #require($0.stage.withdrawGlobal("xdg_system_bell_v1")) }
      $0.settle()
      fixes.ackGlobalRemove(registry: try #require($0.client.registry), name: name)
    },
    .removalUnacknowledged: RuleScene {
      let fixes = try $0.global(WlFixes.self)
      let name = try #require($0.client.names["wl_output"]).name
      $0.settle()
      $0.stage.remove($0.stage.output)
      $0.settle()
      if !$1 { fixes.ackGlobalRemove(registry: try #require($0.client.registry), name: name) }
      $0.settle()
      _ = $0.stage.finish()
    },
  ]
}

extension RuleActor {
  func icon() throws -> XdgToplevelIconV1 { keep(try global(XdgToplevelIconManagerV1.self).createIcon()) }
}

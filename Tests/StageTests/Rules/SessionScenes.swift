import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

extension RuleScene {
  /// Windows that come back as they were.
  @MainActor static let sessions: [Violation.Rule: RuleScene] = [
    .sessionInUse: RuleScene {
      let (first, id) = try $0.session()
      let known: String = try #require(id())
      if !$1 { first.end() }
      $0.keep(try $0.global(XdgSessionManagerV1.self).getSession(reason: .recover, sessionId: known))
    },
    .sessionIDInvalid: RuleScene {
      let wire = try $0.sessionWire()
      wire.request(3, 1, [4, 1], text: $1 ? [0xc3, 0x28] : Array("any".utf8))
    },
    .sessionReasonInvalid: RuleScene {
      $0.keep(
        try $0.global(XdgSessionManagerV1.self).getSession(
          reason: XdgSessionManagerV1.Reason(rawValue: $1 ? 4 : 3), sessionId: nil))
    },
    .sessionNameUsed: RuleScene {
      let session = try $0.session().session
      let windows = [$0.keep(try RawWindow($0.client)), $0.keep(try RawWindow($0.client))]
      $0.keep(session.addToplevel(toplevel: windows[0].toplevel, name: "main"))
      $0.keep(session.addToplevel(toplevel: windows[1].toplevel, name: $1 ? "main" : "second"))
    },
    .restoredTooLate: RuleScene {
      let session = try $0.session().session
      let window = $0.keep(try RawWindow($0.client))
      if $1 { window.surface.commit() }
      $0.keep(session.restoreToplevel(toplevel: window.toplevel, name: "main"))
    },
    .sessionNameInvalid: RuleScene {
      let wire = try $0.sessionWire()
      wire.bind("wl_compositor", 4, id: 4)
      wire.bind("xdg_wm_base", 1, id: 5)
      wire.request(4, 0, [6])
      wire.request(5, 2, [7, 6])
      wire.request(7, 1, [8])
      wire.request(3, 1, [9, 1, 0])
      wire.request(9, 2, [10, 8], text: $1 ? [0xc3, 0x28] : Array("main".utf8))
    },
    .sessionWindowTwice: RuleScene {
      let session = try $0.session().session
      let windows = [$0.keep(try RawWindow($0.client)), $0.keep(try RawWindow($0.client))]
      $0.keep(session.addToplevel(toplevel: windows[0].toplevel, name: "main"))
      $0.keep(session.addToplevel(toplevel: windows[$1 ? 0 : 1].toplevel, name: "second"))
    },
  ]
}

extension RuleActor {
  /// A new session, and its identifier once that was read.
  func session() throws -> (session: XdgSessionV1, id: () -> String?) {
    let session = keep(try global(XdgSessionManagerV1.self).getSession(reason: .launch, sessionId: nil))
    var id: String?
    session.onEvent = { if case .created(let text) = $0 { id = text } }
    settle()
    return (session, { id })
  }

  /// A client by bytes whose object 3 is the session manager.
  func sessionWire() throws -> WireClient {
    client.close()
    let wire = keep(try WireClient(stage))
    wire.request(1, 1, [2])
    wire.bind("xdg_session_manager_v1", 1, id: 3)
    return wire
  }
}

internal import WaylandServer

/// An application's session (xdg_session_v1): its windows by name, whose sizes and states a later run of it gets back.
public final class StageAppSession {
  /// The text by which the application asks for the session again.
  public let id: String
  /// The names of the windows in it now.
  public var windows: [String] { parts.keys.sorted() }
  let resource: XdgSessionV1Resource
  private var parts: [String: StageWindowMemory] = [:]
  /// True once another client has taken the session over, or this one has ended it.
  private var isInert = false
  private weak var stage: Stage?

  init(resource: XdgSessionV1Resource, id: String, stage: Stage) {
    (self.resource, self.id, self.stage) = (resource, id, stage)
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// Leaves what is remembered as it is, and does nothing any more.
  func end() {
    parts = [:]
    isInert = true
  }

  /// Whether a window is in it.
  func has(_ toplevel: StageToplevel) -> Bool { parts.values.contains { $0.toplevel === toplevel } }

  /// Remembers a window as it is after a commit.
  func follow(_ toplevel: StageToplevel) {
    for part in parts.values where part.toplevel === toplevel { remember(part) }
  }

  private func remember(_ part: StageWindowMemory) {
    if let state = part.toplevel?.memory { stage?.storedSessions[id]?[part.name] = state }
  }

  private func handle(_ request: XdgSessionV1Resource.Request) {
    guard let stage, !isInert else { return }
    switch request {
    case .destroy: end()
    case .remove:
      parts = [:]
      isInert = true
      stage.storedSessions[id] = nil
    case .addToplevel(let made, let target, let name):
      guard let toplevel: StageToplevel = stage.model(target), check(name, toplevel) else { return }
      if parts[name] != nil || stage.storedSessions[id]?[name] != nil { return forbidUsed(name) }
      add(made, toplevel, name)
    case .restoreToplevel(let made, let target, let name):
      guard let toplevel: StageToplevel = stage.model(target), check(name, toplevel) else { return }
      if parts[name] != nil { return forbidUsed(name) }
      if toplevel.window.isConstructed {
        return stage.forbid(.restoredTooLate, "\(toplevel.wireName) as \"\(name)\"", on: resource)
      }
      add(made, toplevel, name)
      guard let state = stage.storedSessions[id]?[name] else { return }
      toplevel.restoring = (state, { [weak made] in made?.sendRestored() })
    case .removeToplevel(let name):
      parts[name] = nil
      stage.storedSessions[id]?[name] = nil
    }
  }

  private func check(_ name: String, _ toplevel: StageToplevel) -> Bool {
    guard let stage else { return false }
    if !name.isReadable {
      stage.forbid(.sessionNameInvalid, "of \(toplevel.wireName)", on: resource)
    } else if stage.appSessions.contains(where: { $0.has(toplevel) }) {
      stage.forbid(.sessionWindowTwice, toplevel.wireName, on: resource)
    } else {
      return true
    }
    return false
  }

  private func forbidUsed(_ name: String) {
    stage?.forbid(.sessionNameUsed, "the name \"\(name)\"", on: resource)
  }

  private func add(_ made: XdgToplevelSessionV1Resource, _ toplevel: StageToplevel, _ name: String) {
    let part = StageWindowMemory(name: name, toplevel: toplevel)
    parts[name] = part
    made.onRequest = { [unowned self] in
      guard !isInert, case .rename(let new) = $0, parts[part.name] === part, new != part.name else { return }
      if !new.isReadable { stage?.forbid(.sessionNameInvalid, "a new one of \"\(part.name)\"", on: resource) }
      if parts[new] != nil || stage?.storedSessions[id]?[new] != nil { return forbidUsed(new) }
      parts[part.name] = nil
      stage?.storedSessions[id]?[new] = stage?.storedSessions[id]?.removeValue(forKey: part.name)
      part.name = new
      parts[new] = part
    }
    toplevel.resource.whenDestroyed { [weak self] in
      if let self, parts[part.name] === part { parts[part.name] = nil }
    }
  }
}

/// A window in a session.
private final class StageWindowMemory {
  var name: String
  private(set) weak var toplevel: StageToplevel?

  init(name: String, toplevel: StageToplevel) { (self.name, self.toplevel) = (name, toplevel) }
}

extension String {
  /// False for bytes that were no UTF-8, which the bindings replace.
  fileprivate var isReadable: Bool { !unicodeScalars.contains("\u{fffd}") }
}

extension StageToplevel {
  /// What a session remembers: the size, and whether the window is maximised or fullscreen; nil if it was never shown.
  fileprivate var memory: Configure? {
    guard let agreed, surface.isMapped else { return nil }
    return Configure(
      width: Int(window.size.width), height: Int(window.size.height),
      states: agreed.states.intersection([.maximized, .fullscreen]))
  }
}

extension Stage {
  func handle(_ request: XdgSessionManagerV1Resource.Request, of manager: XdgSessionManagerV1Resource) {
    guard case .getSession(let made, let reason, let wanted) = request else { return }
    if !(1...3).contains(reason.rawValue) { return forbid(.sessionReasonInvalid, "\(reason.rawValue)", on: manager) }
    if wanted?.isReadable == false { return forbid(.sessionIDInvalid, "xdg_session_v1@\(made.id)", on: manager) }
    let known = wanted.flatMap { storedSessions[$0] == nil ? nil : $0 }
    if let known, let other = appSessions.first(where: { $0.id == known && $0.resource.isAlive }) {
      if other.resource.hasClient(of: made) { return forbid(.sessionInUse, "\"\(known)\"", on: manager) }
      other.end()
      other.resource.sendReplaced()
      appSessions.removeAll { $0 === other }
    }
    let session = StageAppSession(resource: made, id: known ?? "stage-\(display.nextSerial())", stage: self)
    own(session, for: made)
    appSessions.append(session)
    // A client that leaves without a word leaves its windows in the session too.
    made.whenDestroyed { [weak self] in
      session.end()
      self?.appSessions.removeAll { $0 === session }
    }
    if known == nil {
      storedSessions[session.id] = [:]
      made.sendCreated(sessionId: session.id)
    } else {
      made.sendRestored()
    }
  }
}

internal import WaylandServer

/// A client's lock of the session (ext_session_lock_v1): until it unlocks, only its surfaces are shown.
public final class StageSessionLock {
  /// The surfaces that the client shows instead, one for each output at most.
  public private(set) var surfaces: [StageLockSurface] = []
  /// True from the refresh with which the session was locked.
  public private(set) var isLocked = false
  let resource: ExtSessionLockV1Resource
  private weak var stage: Stage?

  init(resource: ExtSessionLockV1Resource, stage: Stage) {
    (self.resource, self.stage) = (resource, stage)
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True while the client waits for the refresh that locks the session.
  var waitsForRefresh: Bool { !isLocked && resource.isAlive }

  /// Locks the session with a refresh, which shows nothing of other clients any more.
  func lock() {
    guard waitsForRefresh else { return }
    isLocked = true
    stage?.isLocked = true
    resource.sendLocked()
  }

  private func handle(_ request: ExtSessionLockV1Resource.Request) {
    guard let stage else { return }
    switch request {
    case .destroy:
      if isLocked { return stage.forbid(.lockDestroyed, "ext_session_lock_v1@\(resource.id)", on: resource) }
      stage.forget(self)
    case .unlockAndDestroy:
      if !isLocked { return stage.forbid(.unlockTooEarly, "ext_session_lock_v1@\(resource.id)", on: resource) }
      stage.isLocked = false
      stage.forget(self)
    case .getLockSurface(let made, let target, let bound):
      guard let surface: StageSurface = stage.model(target), let output = stage.output(of: bound) else { return }
      let name = "wl_surface@\(surface.resource.id)"
      if surface.window != nil || surface.subsurface != nil || surface.role != .none {
        return stage.forbid(.lockRole, name, on: resource)
      }
      if surface.hasBuffer { return stage.forbid(.bufferBeforeLock, name, on: resource) }
      if surfaces.contains(where: { $0.output === output }) {
        return stage.forbid(.lockOutputTwice, "\(name) for \(output.name)", on: resource)
      }
      _ = surface.take(.lock)
      let new = StageLockSurface(resource: made, surface: surface, output: output, stage: stage)
      surfaces.append(new)
      stage.own(new, for: made)
      made.whenDestroyed { [weak self] in self?.surfaces.removeAll { $0 === new } }
      new.configure()
    }
  }
}

/// A surface that is shown on an output while the session is locked.
public final class StageLockSurface {
  /// The surface that it is the role of.
  public let surface: StageSurface
  /// The output that it covers.
  public let output: StageOutput
  private let resource: ExtSessionLockSurfaceV1Resource
  private var sent: [(serial: UInt32, size: Size)] = []
  /// The size that the client acknowledged last; nil before the first time.
  private var agreed: Size?
  private weak var stage: Stage?

  init(resource: ExtSessionLockSurfaceV1Resource, surface: StageSurface, output: StageOutput, stage: Stage) {
    (self.resource, self.surface, self.output, self.stage) = (resource, surface, output, stage)
    surface.lock = self
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// The interface and the number of its object.
  var wireName: String { "ext_session_lock_surface_v1@\(resource.id)" }

  /// Sends the output's size, which the client must take exactly.
  public func configure() {
    guard let serial = stage?.display.nextSerial() else { return }
    sent.append((serial, output.size))
    resource.sendConfigure(serial: serial, width: UInt32(output.size.width), height: UInt32(output.size.height))
  }

  /// Judges a commit, after which the surface has a size; nil if it shows nothing yet.
  func judge(_ record: CommitRecord, _ size: Size?) {
    guard let stage else { return }
    guard let agreed else { return stage.forbid(.lockCommitTooEarly, wireName, on: resource) }
    if record.unmaps { return stage.forbid(.lockWithoutBuffer, wireName, on: resource) }
    if let size, size != agreed {
      let message = "\(size.width) x \(size.height) although configured as \(agreed.width) x \(agreed.height)"
      stage.forbid(.lockSize, message, on: resource)
    }
  }

  private func handle(_ request: ExtSessionLockSurfaceV1Resource.Request) {
    switch request {
    case .destroy:
      surface.hide()
      surface.lock = nil
    case .ackConfigure(let serial):
      guard let index = sent.firstIndex(where: { $0.serial == serial }) else {
        stage?.forbid(.lockSerial, "\(wireName) acknowledges \(serial)", on: resource)
        return
      }
      agreed = sent[index].size
      sent.removeFirst(index + 1)
    }
  }
}

extension Stage {
  func handle(_ request: ExtSessionLockManagerV1Resource.Request) {
    guard case .lock(let made) = request else { return }
    let lock = StageSessionLock(resource: made, stage: self)
    own(lock, for: made)
    // A client may take the lock of one that died over.
    if sessionLock?.resource.isAlive == true { made.sendFinished() } else { sessionLock = lock }
  }

  fileprivate func forget(_ lock: StageSessionLock) {
    if sessionLock === lock { sessionLock = nil }
  }

  func output(of bound: WlOutputResource?) -> StageOutput? {
    outputs.first { $0.resources.contains { $0 === bound } }
  }
}

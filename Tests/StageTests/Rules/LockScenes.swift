import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

extension RuleScene {
  /// The lock of a session.
  @MainActor static let locks: [Violation.Rule: RuleScene] = [
    .lockDestroyed: RuleScene {
      let lock = try $0.lock()
      if $1 { $0.locked() }
      lock.destroy()
    },
    .unlockTooEarly: RuleScene {
      let lock = try $0.lock()
      if !$1 { $0.locked() }
      lock.unlockAndDestroy()
    },
    .lockRole: RuleScene {
      let surface = try $0.surface()
      if $1 { $0.keep(try $0.global(WlSubcompositor.self).getSubsurface(surface: surface, parent: try $0.surface())) }
      _ = try $0.lockSurface(try $0.lock(), surface)
    },
    .lockOutputTwice: RuleScene {
      let lock = try $0.lock()
      let first = try $0.lockSurface(lock, try $0.surface())
      if !$1 { first.role.end() }
      _ = try $0.lockSurface(lock, try $0.surface())
    },
    .bufferBeforeLock: RuleScene {
      let surface = try $0.surface()
      if $1 { surface.attach(buffer: try $0.buffer().buffer, x: 0, y: 0) }
      _ = try $0.lockSurface(try $0.lock(), surface)
    },
    .lockCommitTooEarly: RuleScene {
      let made = try $0.lockSurface(try $0.lock(), try $0.surface())
      $0.settle()
      if !$1 { made.ack() }
      made.surface.commit()
    },
    .lockWithoutBuffer: RuleScene {
      let made = try $0.shownLockSurface()
      if $1 { made.surface.attach(buffer: nil, x: 0, y: 0) }
      made.surface.commit()
    },
    .lockSize: RuleScene {
      let made = try $0.lockSurface(try $0.lock(), try $0.surface())
      $0.settle()
      made.ack()
      $0.show(try $0.buffer(1280, $1 ? 719 : 720), on: made.surface)
    },
    .lockSerial: RuleScene {
      let made = try $0.lockSurface(try $0.lock(), try $0.surface())
      $0.settle()
      made.ack()
      if $1 { made.ack() }
    },
  ]
}

/// A lock surface that knows the serial of the last configure.
@MainActor final class RawLockSurface {
  let surface: WlSurface
  let role: ExtSessionLockSurfaceV1
  private var serial: UInt32 = 0

  init(_ surface: WlSurface, _ role: ExtSessionLockSurfaceV1) {
    (self.surface, self.role) = (surface, role)
    role.onEvent = { [weak self] in if case .configure(let serial, _, _) = $0 { self?.serial = serial } }
  }

  func ack() { role.ackConfigure(serial: serial) }
}

extension RuleActor {
  func lock() throws -> ExtSessionLockV1 { keep(try global(ExtSessionLockManagerV1.self).lock()) }

  /// Lets the refresh pass with which the session is locked.
  func locked() {
    settle()
    stage.nextRefresh()
    settle()
  }

  func lockSurface(_ lock: ExtSessionLockV1, _ surface: WlSurface) throws -> RawLockSurface {
    let output = try #require(client.output)
    return keep(RawLockSurface(surface, keep(lock.getLockSurface(surface: surface, output: output))))
  }

  /// A lock surface that covers the output.
  func shownLockSurface() throws -> RawLockSurface {
    let made = try lockSurface(try lock(), try surface())
    settle()
    made.ack()
    show(try buffer(1280, 720), on: made.surface)
    settle()
    return made
  }
}

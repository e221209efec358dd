import UICore
import WaylandServer

/// An xdg_surface: which configures were sent, acknowledged and honoured.
final class StageXDGSurface {
  let resource: XdgSurfaceResource
  let surface: StageSurface
  private(set) weak var toplevel: StageToplevel?
  private unowned let stage: Stage
  private var sent: [(serial: UInt32, configure: Configure, epoch: Int)] = []
  private var acknowledged: (serial: UInt32, configure: Configure)?
  private var uncommitted: (serial: UInt32, epoch: Int)?
  private var isConstructed = false
  private(set) var geometry: PixelRect?
  private var comingGeometry: PixelRect?

  init(resource: XdgSurfaceResource, surface: StageSurface, stage: Stage) {
    self.resource = resource
    self.surface = surface
    self.stage = stage
    surface.window = self
    surface.role = .window
    resource.onRequest = { [weak self] request in self?.handle(request) }
  }

  /// True once a configure was acknowledged.
  var allowsBuffer: Bool { acknowledged != nil }

  /// The configure that the window last agreed to.
  var agreed: Configure? { acknowledged?.configure }

  /// Sends the xdg_surface's half of a configure.
  func send(_ configure: Configure) -> UInt32 {
    let serial = stage.display.nextSerial()
    sent.append((serial, configure, stage.epoch))
    resource.sendConfigure(serial: serial)
    return serial
  }

  /// The acknowledged serial that the commit at hand honours.
  func takeAcknowledged() -> UInt32? {
    defer { uncommitted = nil }
    geometry = comingGeometry
    return uncommitted?.serial
  }

  /// Goes on with the handshake after a commit.
  func committed(_ record: CommitRecord) {
    if record.unmaps {
      isConstructed = false
      acknowledged = nil
      sent.removeAll()
      return
    }
    guard !isConstructed, let toplevel else { return }
    isConstructed = true
    toplevel.answerInitialCommit()
  }

  /// Looks for answers that are overdue; called when the client's messages were read in `epoch`.
  func checkAnswers(in epoch: Int, atEnd: Bool) {
    if let waiting = uncommitted, waiting.epoch < epoch || atEnd {
      stage.report(.ackWithoutCommit, "xdg_surface@\(resource.id): serial \(waiting.serial)")
      uncommitted = nil
    }
    if atEnd, let last = sent.last, last.epoch + 1 < epoch {
      stage.report(.configureUnanswered, "xdg_surface@\(resource.id): serial \(last.serial)")
      sent.removeAll()
    }
  }

  /// Checks the size of new content against the agreed configure.
  func checkSize(_ record: CommitRecord) {
    guard let agreed, agreed.width > 0, agreed.height > 0, let toplevel else { return }
    let width = geometry?.width ?? Int(record.logicalSize.width)
    let height = geometry?.height ?? Int(record.logicalSize.height)
    if width == agreed.width && height == agreed.height { return }
    if agreed.isConstrained {
      stage.forbid(
        .wrongSize, "\(width) x \(height) although configured as \(agreed.width) x \(agreed.height)",
        onBaseOf: self, code: XdgWmBaseResource.ErrorCode.invalidSurfaceState)
    } else {
      // Below its least size a window may stay as it is, or do as it is told.
      let least = toplevel.minimumSize
      let isRight =
        [agreed.width, max(agreed.width, least.width)].contains(width)
        && [agreed.height, max(agreed.height, least.height)].contains(height)
      if !isRight {
        stage.report(
          .wrongSize, "\(width) x \(height) although configured as \(agreed.width) x \(agreed.height)")
      }
    }
  }

  private func handle(_ request: XdgSurfaceResource.Request) {
    switch request {
    case .destroy:
      if let toplevel, toplevel.resource.isAlive {
        stage.forbid(
          .destroyOrder, "xdg_surface@\(resource.id) before its xdg_toplevel@\(toplevel.resource.id)", on: resource,
          code: XdgSurfaceResource.ErrorCode.defunctRoleObject)
      }
    case .getToplevel(let made):
      if toplevel != nil {
        stage.forbid(
          .protocolError, "a second role for xdg_surface@\(resource.id)", on: resource,
          code: XdgSurfaceResource.ErrorCode.alreadyConstructed)
      }
      let made = StageToplevel(resource: made, window: self, stage: stage)
      toplevel = made
      stage.adopt(made)
    case .getPopup:
      stage.report(.protocolError, "the stage has no popups")
    case .setWindowGeometry(let x, let y, let width, let height):
      if width < 1 || height < 1 {
        stage.forbid(
          .protocolError, "a window geometry of \(width) x \(height)", on: resource,
          code: XdgSurfaceResource.ErrorCode.invalidSize)
      }
      comingGeometry = PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
    case .ackConfigure(let serial):
      guard let index = sent.firstIndex(where: { $0.serial == serial }) else {
        stage.forbid(
          .unknownSerial, "xdg_surface@\(resource.id) acknowledges \(serial)", on: resource,
          code: XdgSurfaceResource.ErrorCode.invalidSerial)
        return
      }
      acknowledged = (serial, sent[index].configure)
      uncommitted = (serial, stage.epoch)
      sent.removeFirst(index + 1)
    }
  }
}

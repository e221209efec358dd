import UICore
import WaylandServer

/// A wl_surface: what it shows, what it was told, what it did.
public final class StageSurface {
  /// What the surface is used for.
  public enum Role: Hashable, Sendable {
    case none, window, cursor
  }

  /// The protocol object.
  public let resource: WlSurfaceResource
  /// The role, once it has one.
  public internal(set) var role = Role.none
  /// The buffer shown, released or not; nil while nothing is shown.
  public internal(set) var buffer: StageBuffer?
  /// The pixels shown, where the stage checks them; nil while nothing is shown.
  public internal(set) var picture: Picture?
  /// Every commit, oldest first.
  public internal(set) var commits: [CommitRecord] = []
  /// The outputs that the surface was told it is on.
  public internal(set) var outputs: [StageOutput] = []
  /// The size in logical points; zero while nothing is shown.
  public internal(set) var logicalSize = Size.zero

  /// The tokens that the client asked for the focus with, and whether it showed something by then.
  public internal(set) var activations: [(token: String, isMapped: Bool)] = []
  /// True while the client keeps the screen awake by this surface.
  public var inhibitsIdle: Bool { !idleInhibitors.isEmpty }

  var idleInhibitors: [ZwpIdleInhibitorV1Resource] = []
  unowned let stage: Stage
  weak var window: StageXDGSurface?
  var viewport: WpViewportResource?
  /// What tells the surface fractional scales; nil when the client asked for nothing.
  public internal(set) var fractionalScale: WpFractionalScaleV1Resource?
  var pending = PendingState()
  var coming = LastingState()
  var state = LastingState()
  /// The frame callbacks that were committed and not answered.
  var callbacks: [WlCallbackResource] = []
  /// How many of those, the oldest, were asked for before the client had read that it was denied or given frames again:
  /// it need not wait for them.
  var excusedCallbacks = 0
  /// The step that told the client so.
  var starvingEpoch = -1
  /// The feedback that the newest content asked for.
  var feedback: [WpPresentationFeedbackResource] = []
  var toldFractional: Told<Scale>
  var toldWhole = Told(1)

  init(resource: WlSurfaceResource, stage: Stage) {
    self.resource = resource
    self.stage = stage
    toldFractional = Told(stage.scale)
    resource.onRequest = { [weak self] request in self?.handle(request) }
  }

  /// True while a frame callback waits.
  public var waitsForFrame: Bool { !callbacks.isEmpty }

  /// The commits that brought a new picture.
  public var contentCommits: [CommitRecord] { commits.filter(\.hasContent) }

  /// Forgets the commits seen so far, to count those to come.
  public func forgetCommits() { commits.removeAll() }

  /// True while a buffer is shown.
  public var isMapped: Bool { buffer != nil }

  /// Tells the surface that it is on `output`.
  public func enter(_ output: StageOutput) {
    guard !outputs.contains(where: { $0 === output }) else { return }
    outputs.append(output)
    for bound in output.resources where bound.client == resource.client { resource.sendEnter(output: bound) }
    tellWholeScale()
  }

  /// The client bound an output that the surface is on: now it can be told.
  func bound(_ bound: WlOutputResource) {
    guard bound.client == resource.client else { return }
    resource.sendEnter(output: bound)
    tellWholeScale()
  }

  /// Tells the surface that it is no longer on `output`.
  public func leave(_ output: StageOutput) {
    guard let index = outputs.firstIndex(where: { $0 === output }) else { return }
    outputs.remove(at: index)
    for bound in output.resources where bound.client == resource.client { resource.sendLeave(output: bound) }
    tellWholeScale()
  }

  /// Tells the surface its scale: in 120ths where it listens to those, and rounded up where wl_surface tells it.
  public func prefer(_ scale: Scale) {
    if let fractionalScale {
      toldFractional.say(scale, epoch: stage.epoch)
      fractionalScale.sendPreferredScale(scale: UInt32(scale.in120ths))
    }
    if resource.version >= 6 {
      toldWhole.say(scale.ceiling, epoch: stage.epoch)
      resource.sendPreferredBufferScale(factor: Int32(scale.ceiling))
    }
  }

  /// What an output says about the scale where the surface itself is not told.
  func tellWholeScale() {
    let known = outputs.filter { $0.resources.contains { $0.client == resource.client } }
    guard resource.version < 6, let largest = known.map(\.scale).max(), largest != toldWhole.newest else { return }
    toldWhole.say(largest, epoch: stage.epoch)
  }

  private func handle(_ request: WlSurfaceResource.Request) {
    switch request {
    case .destroy: checkDestroy()
    case .attach(let buffer, let x, let y):
      if (x != 0 || y != 0) && resource.version >= 5 {
        stage.forbid(
          .protocolError, "wl_surface.attach with an offset", on: resource,
          code: WlSurfaceResource.ErrorCode.invalidOffset)
      }
      pending.attachment = (buffer.flatMap { stage.model($0) }).map { .buffer($0) } ?? .nothing
    case .damage(let x, let y, let width, let height):
      pending.surfaceDamage.append(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    case .damageBuffer(let x, let y, let width, let height):
      pending.bufferDamage.append(PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    case .frame(let callback): pending.callbacks.append(callback)
    case .setOpaqueRegion(let region):
      coming.opaque = region.flatMap { stage.model($0) as StageRegion? }?.pixels ?? Region()
    case .setInputRegion: break
    case .commit: commit()
    case .setBufferTransform(let transform): coming.transform = transform
    case .setBufferScale(let scale):
      if scale < 1 {
        stage.forbid(
          .protocolError, "a buffer scale of \(scale)", on: resource, code: WlSurfaceResource.ErrorCode.invalidScale)
      }
      coming.scale = max(1, Int(scale))
    case .offset: break
    }
  }

  private func checkDestroy() {
    if let window, window.resource.isAlive {
      stage.report(.destroyOrder, "wl_surface@\(resource.id) before its xdg_surface@\(window.resource.id)")
      stage.post(
        XdgSurfaceResource.ErrorCode.defunctRoleObject.rawValue, "wl_surface destroyed first", on: window.resource)
    }
  }

  /// The object has ended, by whatever way.
  func ended() {
    if let buffer { stage.replaced(buffer) }
    buffer = nil
    picture = nil
    callbacks.removeAll()
    feedback.removeAll()
  }
}

internal import WaylandServer

/// A wl_subsurface: a surface that is a part of its parent.
public final class StageSubsurface {
  /// The surface that it is the role of.
  public let surface: StageSurface
  /// The surface that it is a part of; nil once that is destroyed, or the client destroyed the wl_subsurface.
  public private(set) weak var parent: StageSurface?
  private var isSync = true
  private weak var stage: Stage?
  private let resource: WlSubsurfaceResource

  init(resource: WlSubsurfaceResource, surface: StageSurface, parent: StageSurface, stage: Stage) {
    (self.resource, self.surface, self.parent, self.stage) = (resource, surface, parent, stage)
    surface.subsurface = self
    parent.coming.stack.append((self, .zero))
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// True while its commits wait for the parent's: it is set to that mode, or an ancestor is.
  public var isSynchronized: Bool { isSync || parent?.subsurface?.isSynchronized == true }

  /// The place in the parent's logical points, as of the parent's last commit.
  public var place: Point { parent?.state.stack.first { $0.subsurface === self }?.place ?? .zero }

  /// True if it is stacked above its parent, as of the parent's last commit.
  public var isAboveParent: Bool {
    guard let stack = parent?.state.stack, let own = stack.firstIndex(where: { $0.subsurface === self }) else {
      return false
    }
    return stack[..<own].contains { $0.subsurface == nil }
  }

  private func handle(_ request: WlSubsurfaceResource.Request) {
    switch request {
    case .destroy: stage?.desktop?.remove(surface)
    case .setPosition(let x, let y):
      guard let parent, let index = parent.coming.stack.firstIndex(where: { $0.subsurface === self }) else { return }
      parent.coming.stack[index].place = Point(x: Double(x), y: Double(y))
    case .placeAbove(let sibling): restack(beside: sibling, offset: 1)
    case .placeBelow(let sibling): restack(beside: sibling, offset: 0)
    case .setSync:
      isSync = true
      // A synchronized subsurface waits for no barrier.
      surface.applyReady()
    case .setDesync:
      isSync = false
      surface.submitUnsynchronized()
    }
  }

  private func restack(beside sibling: WlSurfaceResource?, offset: Int) {
    guard let parent, let own = parent.coming.stack.firstIndex(where: { $0.subsurface === self }) else { return }
    var stack = parent.coming.stack
    let entry = stack.remove(at: own)
    let place = stack.firstIndex { sibling != nil && ($0.subsurface?.surface ?? parent).resource === sibling }
    guard let place else {
      stage?.forbid(.notASibling, "wl_surface@\(sibling?.id ?? 0)", on: resource)
      return
    }
    stack.insert(entry, at: place + offset)
    parent.coming.stack = stack
  }

  /// Leaves the parent at once.
  func end() {
    surface.hide()
    surface.subsurface = nil
    guard let parent else { return }
    self.parent = nil
    parent.coming.stack.removeAll { $0.subsurface === self }
    parent.state.stack.removeAll { $0.subsurface === self }
    parent.cached?.lasting.stack.removeAll { $0.subsurface === self }
    for index in parent.queue.indices { parent.queue[index].lasting.stack.removeAll { $0.subsurface === self } }
    stage?.desktop?.refresh()
  }
}

extension Stage {
  func handle(_ request: WlSubcompositorResource.Request, of subcompositor: WlSubcompositorResource) {
    guard case .getSubsurface(let made, let target, let above) = request, let surface: StageSurface = model(target),
      let parent: StageSurface = model(above)
    else { return }
    guard surface.subsurface == nil, surface.window == nil, surface.take(.subsurface) else {
      return forbid(.subsurfaceRole, "wl_surface@\(surface.resource.id)", on: subcompositor)
    }
    let ancestors = Swift.sequence(first: parent) { $0.subsurface?.parent }
    if ancestors.contains(where: { $0 === surface }) {
      return forbid(.subsurfaceParent, "wl_surface@\(parent.resource.id)", on: subcompositor)
    }
    let subsurface = StageSubsurface(resource: made, surface: surface, parent: parent, stage: self)
    own(subsurface, for: made)
    // A stage that is being released destroys its clients, and nothing may follow from that.
    made.whenDestroyed { [weak self] in if self != nil { subsurface.end() } }
  }
}

internal import WaylandServer

/// The icon of a window as its client made it: a name, pictures, or both.
public final class StageIcon {
  /// A picture for one size and scale.
  public struct Picture {
    /// The pixels of each logical point.
    public let scale: Int
    /// The pixels at the time when the client added them.
    public internal(set) var pixels: BufferCopy
    let buffer: StageBuffer
  }

  /// The name in the desktop's icon theme; nil if the client set none.
  public private(set) var name: String?
  /// The pictures, of which each has another size or scale, in the order in which they were added.
  public private(set) var pictures: [Picture] = []
  let resource: XdgToplevelIconV1Resource
  /// True once it is a window's: from then on it does not change.
  private var isAssigned = false
  private weak var stage: Stage?

  init(resource: XdgToplevelIconV1Resource, stage: Stage) {
    (self.resource, self.stage) = (resource, stage)
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// Makes it unchangeable, and returns it; nil without name and pictures, which is no icon.
  func assigned() -> StageIcon? {
    isAssigned = true
    return name == nil && pictures.isEmpty ? nil : self
  }

  /// Whether it needs a buffer to live.
  func uses(_ buffer: StageBuffer) -> Bool { resource.isAlive && pictures.contains { $0.buffer === buffer } }

  /// Reports the pictures that the client has written into.
  func check() {
    guard resource.isAlive else { return }
    for index in pictures.indices {
      guard let now = pictures[index].buffer.picture(), now != pictures[index].pixels else { continue }
      pictures[index].pixels = now
      stage?.report(.iconWritten, "wl_buffer@\(pictures[index].buffer.resource.id)")
    }
  }

  private func handle(_ request: XdgToplevelIconV1Resource.Request) {
    guard let stage else { return }
    if case .destroy = request { return }
    if isAssigned { return stage.forbid(.iconImmutable, "xdg_toplevel_icon_v1@\(resource.id)", on: resource) }
    switch request {
    case .destroy: break
    case .setName(let name): self.name = name
    case .addBuffer(let target, let scale):
      guard let buffer: StageBuffer = stage.model(target) else { return }
      guard !buffer.isSinglePixel, buffer.size.width == buffer.size.height else {
        let kind = buffer.isSinglePixel ? "a single pixel" : "\(buffer.size.width) x \(buffer.size.height) pixels"
        return stage.forbid(.iconBufferInvalid, "wl_buffer@\(buffer.resource.id): \(kind)", on: resource)
      }
      guard let pixels = buffer.picture() else {
        let message = "wl_buffer@\(buffer.resource.id) lies beyond the end of its file"
        return stage.forbid(.poolShrunk, message, on: buffer.resource)
      }
      pictures.removeAll { $0.scale == Int(scale) && $0.pixels.size == buffer.size }
      pictures.append(Picture(scale: Int(scale), pixels: pixels, buffer: buffer))
    }
  }
}

extension Stage {
  /// Tells a client the edges of the icons that it should have, in logical points.
  func greet(_ manager: XdgToplevelIconManagerV1Resource) {
    for size in iconSizes { manager.sendIconSize(size: Int32(size)) }
    manager.sendDone()
  }

  func handle(_ request: XdgToplevelIconManagerV1Resource.Request) {
    switch request {
    case .destroy: break
    case .createIcon(let made): own(StageIcon(resource: made, stage: self), for: made, in: \.icons)
    case .setIcon(let target, let chosen):
      let (toplevel, icon): (StageToplevel?, StageIcon?) = (model(target), model(chosen))
      toplevel?.comingIcon = icon?.assigned()
    }
  }

  /// Judges the end of a buffer: an icon needs its own.
  func checkIcons(without buffer: StageBuffer) {
    guard let icon = icons.first(where: { $0.uses(buffer) }) else { return }
    let message = "wl_buffer@\(buffer.resource.id) before xdg_toplevel_icon_v1@\(icon.resource.id)"
    forbid(.iconBufferGone, message, on: icon.resource)
  }

  func handle(_ request: XdgWmDialogV1Resource.Request, of manager: XdgWmDialogV1Resource) {
    guard case .getXdgDialog(let made, let target) = request, let toplevel: StageToplevel = model(target) else {
      return
    }
    extend(toplevel, with: made, in: \.dialog, orBreak: .dialogExists, of: manager) { $0.wantsModal = false }
    made.onRequest = { [weak toplevel] in
      switch $0 {
      case .destroy: break
      case .setModal: toplevel?.wantsModal = true
      case .unsetModal: toplevel?.wantsModal = false
      }
    }
  }
}

import UICore

/// A content with debug marks over it. It is laid out, and gets its input, as without them.
package final class OverlaidContent: ForwardingContent {
  /// The content under the marks: that of a window, or the decoration around it.
  package var content: any WindowContent
  private var overlay: Overlay
  /// The time between refreshes of the display.
  private let refresh: () -> Duration
  private var (size, scale) = (PixelSize.zero, Scale.one)
  /// The time at which the frame was begun.
  private var start = MonotonicTime.zero

  /// Puts the marks of `kinds` over `content`; nil if `kinds` is empty.
  package init?(_ content: any WindowContent, kinds: Set<Overlay.Kind>, refresh: @escaping () -> Duration) {
    guard let overlay = Overlay(kinds) else { return nil }
    (self.content, self.overlay, self.refresh) = (content, overlay, refresh)
  }

  package var needsFrame: Bool { content.needsFrame || overlay.needsFrame }

  package func resize(to size: Size, scale: Scale) {
    (self.size, self.scale) = (scale.pixelSize(size), scale)
    content.resize(to: size, scale: scale)
  }

  package func handle(_ event: InputEvent) {
    overlay.note(event)
    content.handle(event)
  }

  package func prepareFrame(for time: MonotonicTime) {
    start = host?.now ?? .zero
    content.prepareFrame(for: time)
  }

  package func takeDamage() -> Region {
    var damage = content.takeDamage()
    damage.clip(to: PixelRect(size))
    let outlines = overlay.showsBounds ? (content as? any OutlinedContent)?.outlines ?? [] : []
    overlay.prepare(&damage, outlines: outlines, size: size, scale: scale, refresh: refresh())
    return damage
  }

  package func draw(_ region: Region, into buffer: PixelBuffer) {
    content.draw(region, into: buffer)
    overlay.draw(region, into: buffer)
    if let host { overlay.note(painting: host.now - start) }
  }
}

// The frame that the program draws around a window where the compositor draws none: when it comes and goes, what it takes.

import Interface
import Wayland

/// How much a frame takes of a window, and how far its handles reach beyond it.
struct FrameExtent: Equatable {
  var insets = EdgeInsets.zero
  var overhang = EdgeInsets.zero
}

extension Window {
  /// The content, or the frame with the content in it.
  var shown: any WindowContent { ownFrame ?? content }

  /// What the frame takes in the present state.
  var frameExtent: FrameExtent {
    ownFrame.map { FrameExtent(insets: $0.insets.onTheWire, overhang: $0.overhang.onTheWire) } ?? FrameExtent()
  }

  /// The surface's size in logical points: the window and the handles beyond it.
  var surfaceSize: Size {
    let overhang = frameExtent.overhang
    return Size(
      width: size.width + overhang.left + overhang.right, height: size.height + overhang.top + overhang.bottom)
  }

  /// True when what is shown was laid out for something else than what counts now.
  var needsResize: Bool { configure.size != size || surfaceScale.value != scale || laidOutFrame != frameExtent }

  /// The part of the surface that may be promised to be opaque.
  var opaqueArea: Rect {
    if let ownFrame { return ownFrame.opaqueArea.intersection(Rect(origin: .zero, size: surfaceSize)) }
    return content.isOpaque ? Rect(origin: .zero, size: size) : .zero
  }

  /// Puts a frame around the content, or takes it away, as the compositor wants it: without xdg-decoration there is nobody
  /// else to draw one; with it, what the compositor said last.
  func updateFrame() {
    let isWanted = allowsFrame && (parts.decoration == nil || decorationMode == .clientSide)
    if isWanted != (ownFrame != nil) { isWanted ? addFrame() : removeFrame() }
    let wanted = shown.minimumSize
    let least = Size(width: wanted.width.rounded(.up).onTheWire, height: wanted.height.rounded(.up).onTheWire)
    guard least != sentMinimum else { return }
    sentMinimum = least
    parts.toplevel.setMinSize(width: Int32(least.width), height: Int32(least.height))
  }

  private func addFrame() {
    guard let frame = content.makeFrame() else { return }
    frame.title = title
    frame.state = configure.windowState
    frame.host = self
    ownFrame = frame
    frameCame(isThere: true)
  }

  private func removeFrame() {
    frameCame(isThere: false)
    ownFrame?.host = nil
    ownFrame = nil
    content.host = self
  }

  private func frameCame(isThere: Bool) {
    let insets = frameExtent.insets
    let sign: Double = isThere ? 1 : -1
    configure.frameChanged(
      width: sign * (insets.left + insets.right), height: sign * (insets.top + insets.bottom))
    laidOutFrame = nil
    mustDrawWhole = true
    Log.write(.window, .info, isThere ? "draws its own frame" : "the compositor draws the frame")
  }

  /// Says what of the surface is the window, once there is a frame whose handles are not.
  func sendGeometry() {
    guard ownFrame != nil || sentGeometry != nil else { return }
    let overhang = frameExtent.overhang
    let geometry = PixelRect(
      x: Int(overhang.left), y: Int(overhang.top), width: Int(size.width), height: Int(size.height))
    guard geometry != sentGeometry else { return }
    sentGeometry = geometry
    parts.xdgSurface.setWindowGeometry(
      x: Int32(geometry.x), y: Int32(geometry.y), width: Int32(geometry.width), height: Int32(geometry.height))
  }

  func titleChanged() {
    guard isOpen else { return }
    parts.toplevel.setTitle(title: title)
    ownFrame?.title = title
  }
}

extension Double {
  /// A length in points as requests can carry it, from contents that may say anything: not a number and what is negative
  /// count as 0.
  var onTheWire: Double { self > 0 ? min(self, ConfigureModel.maximumSide) : 0 }
}

extension EdgeInsets {
  fileprivate var onTheWire: EdgeInsets {
    EdgeInsets(top: top.onTheWire, left: left.onTheWire, bottom: bottom.onTheWire, right: right.onTheWire)
  }
}

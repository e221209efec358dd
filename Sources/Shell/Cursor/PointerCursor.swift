// The picture of one pointer: by cursor-shape-v1, else from the person's cursor theme at the window's scale.

import CLinux
import CWayland
import Interface
import Wayland

/// Shows a cursor shape on a pointer. The theme is loaded when the first shape needs it, never at start.
final class PointerCursor {
  private let pointer: WlPointer
  private let globals: Globals
  private let device: WpCursorShapeDeviceV1?
  private var surface: WlSurface?
  private var viewport: WpViewport?
  private var serial: UInt32 = 0
  private var shown: (shape: CursorShape, scale: Int)?
  private var theme: CursorTheme?

  init(pointer: WlPointer, globals: Globals) {
    self.pointer = pointer
    self.globals = globals
    device = globals.cursorShape?.getPointer(pointer: pointer)
  }

  /// The pointer entered a surface: its picture is undefined until it is set with this serial.
  func noteEnter(serial: UInt32) {
    self.serial = serial
    shown = nil
  }

  /// Shows `shape`, drawn for `scale`.
  func set(_ shape: CursorShape, scale: Scale) {
    let factor = scale.ceiling
    if let shown, shown.shape == shape, shown.scale == factor { return }
    shown = (shape, factor)
    if let device {
      device.setShape(serial: serial, shape: shape.wireShape)
    } else {
      showThemed(shape, factor: factor)
    }
  }

  /// Shows the same shape again, drawn for `scale`.
  func rescale(_ scale: Scale) {
    if let shown { set(shown.shape, scale: scale) }
  }

  /// Ends the objects; before the pointer's own end.
  func end() {
    device?.end()
    viewport?.end()
    surface?.end()
  }

  private func showThemed(_ shape: CursorShape, factor: Int) {
    if theme?.factor != factor { theme = CursorTheme(shm: globals.shm, factor: factor) }
    guard let image = theme?.image(of: shape) else { return }
    let surface = self.surface ?? makeSurface()
    let divisor: Int
    if let viewport {
      // Themes have the sizes that they have: a picture need not be a whole multiple of the scale.
      divisor = factor
      viewport.setDestination(
        width: Int32(max(1, (image.width + factor / 2) / factor)),
        height: Int32(max(1, (image.height + factor / 2) / factor)))
    } else {
      // wl_surface: a buffer that its scale does not divide is a protocol error.
      divisor = (1...max(1, factor)).last { image.width % $0 == 0 && image.height % $0 == 0 } ?? 1
      surface.setBufferScale(scale: Int32(divisor))
    }
    surface.attachForeign(buffer: image.buffer)
    surface.damageBuffer(x: 0, y: 0, width: Int32(image.width), height: Int32(image.height))
    surface.commit()
    pointer.setCursor(
      serial: serial, surface: surface, hotspotX: Int32(image.hotspotX / divisor),
      hotspotY: Int32(image.hotspotY / divisor))
  }

  private func makeSurface() -> WlSurface {
    let made = globals.compositor.createSurface()
    surface = made
    viewport = globals.viewporter?.getViewport(surface: made)
    return made
  }
}

extension CursorShape {
  fileprivate var wireShape: WpCursorShapeDeviceV1.Shape {
    switch self {
    case .arrow: .`default`
    case .pointingHand: .pointer
    case .openHand: .grab
    case .closedHand: .grabbing
    }
  }
}

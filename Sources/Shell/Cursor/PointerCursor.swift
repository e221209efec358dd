// The picture of one pointer: by cursor-shape-v1, else from the person's cursor theme at the window's scale.

import CLinux
import CWayland
import Interface
import Wayland

/// Shows a cursor shape on a pointer. The theme is loaded when the first shape needs it, never at start.
final class PointerCursor {
  /// What the picture follows.
  enum Device {
    case pointer(WlPointer)
    case tool(ZwpTabletToolV2)
  }

  private let device: Device
  private let globals: Globals
  private let shapes: WpCursorShapeDeviceV1?
  private var surface: WlSurface?
  private var viewport: WpViewport?
  private var serial: UInt32 = 0
  private var shown: (shape: CursorShape, scale: Scale)?
  private var theme: CursorTheme?

  init(_ device: Device, globals: Globals) {
    self.device = device
    self.globals = globals
    shapes =
      switch device {
      case .pointer(let pointer): globals.cursorShape?.getPointer(pointer: pointer)
      case .tool(let tool): globals.cursorShape?.getTabletToolV2(tabletTool: tool)
      }
  }

  /// The pointer entered a surface: its picture is undefined until it is set with this serial.
  func noteEnter(serial: UInt32) {
    self.serial = serial
    shown = nil
  }

  /// Shows `shape`, drawn for `scale`.
  func set(_ shape: CursorShape, scale: Scale) {
    if let shown, shown.shape == shape, shown.scale == scale { return }
    shown = (shape, scale)
    if let shapes {
      shapes.setShape(serial: serial, shape: shape.wireShape)
    } else {
      showThemed(shape, scale: scale)
    }
  }

  /// Shows the same shape again, drawn for `scale`.
  func rescale(_ scale: Scale) {
    if let shown { set(shown.shape, scale: scale) }
  }

  /// Ends the objects; before the pointer's own end.
  func end() {
    shapes?.end()
    viewport?.end()
    surface?.end()
  }

  private func showThemed(_ shape: CursorShape, scale: Scale) {
    let pixels = CursorTheme.pixels(at: scale)
    if theme?.pixels != pixels { theme = CursorTheme(shm: globals.shm, pixels: pixels) }
    guard let image = theme?.image(of: shape) else { return }
    let surface = self.surface ?? makeSurface()
    let divisor: Double
    if let viewport {
      // Themes have the sizes that they have: a picture need not be a multiple of the scale.
      divisor = scale.factor
      viewport.setDestination(
        width: Int32(max(1, (Double(image.width) / divisor).rounded())),
        height: Int32(max(1, (Double(image.height) / divisor).rounded())))
    } else {
      // wl_surface: a buffer that its scale does not divide is a protocol error.
      let whole =
        (1...max(1, scale.ceiling)).last { image.width % $0 == 0 && image.height % $0 == 0 } ?? 1
      divisor = Double(whole)
      surface.setBufferScale(scale: Int32(whole))
    }
    surface.attachForeign(buffer: image.buffer)
    surface.damageBuffer(x: 0, y: 0, width: Int32(image.width), height: Int32(image.height))
    surface.commit()
    let x = Int32(Double(image.hotspotX) / divisor)
    let y = Int32(Double(image.hotspotY) / divisor)
    switch device {
    case .pointer(let pointer): pointer.setCursor(serial: serial, surface: surface, hotspotX: x, hotspotY: y)
    case .tool(let tool): tool.setCursor(serial: serial, surface: surface, hotspotX: x, hotspotY: y)
    }
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
    case .resizeHorizontal: .ewResize
    case .resizeVertical: .nsResize
    case .resizeFalling: .nwseResize
    case .resizeRising: .neswResize
    }
  }
}

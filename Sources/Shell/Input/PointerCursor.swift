import Wayland

/// Shows a cursor shape on a pointer. The theme is loaded when the first shape needs it, never at start.
final class PointerCursor {
  private let globals: Globals
  private let shapes: WpCursorShapeDeviceV1?
  private let setImage: (_ serial: UInt32, WlSurface, _ hotspotX: Int32, _ hotspotY: Int32) -> Void
  private var surface: WlSurface?
  private var viewport: WpViewport?
  private var serial: UInt32 = 0
  private var shown: (shape: CursorShape, scale: Scale)?
  private var theme: CursorTheme?

  init(of pointer: WlPointer, globals: Globals) {
    self.globals = globals
    shapes = globals[WpCursorShapeManagerV1.self]?.getPointer(pointer: pointer)
    setImage = pointer.setCursor(serial:surface:hotspotX:hotspotY:)
  }

  init(of tool: ZwpTabletToolV2, globals: Globals) {
    self.globals = globals
    shapes = globals[WpCursorShapeManagerV1.self]?.getTabletToolV2(tabletTool: tool)
    setImage = tool.setCursor(serial:surface:hotspotX:hotspotY:)
  }

  /// The pointer entered a surface: its image is undefined until it is set with this serial.
  func enter(serial: UInt32, scale: Scale) {
    self.serial = serial
    shown = nil
    set(.arrow, scale: scale)
  }

  /// Shows `shape`, drawn for `scale`; nil redraws the same shape.
  func set(_ shape: CursorShape?, scale: Scale) {
    guard let shape = shape ?? shown?.shape, shape != shown?.shape || scale != shown?.scale else { return }
    shown = (shape, scale)
    if let shapes {
      shapes.setShape(serial: serial, shape: shape.names.wire)
    } else {
      showThemed(shape, scale: scale)
    }
  }

  /// Destroys the objects. Must precede the destruction of the pointer.
  func end() {
    shapes?.end()
    viewport?.end()
    surface?.end()
  }

  private func showThemed(_ shape: CursorShape, scale: Scale) {
    let pixels = PointerCursor.pixels(at: scale)
    if theme?.pixels != pixels {
      theme = CursorTheme(name: Environment.cursorTheme.value, pixels: pixels, shm: globals.shm)
    }
    guard let image = theme?.image(named: shape.names.theme) else { return }
    let (width, height) = (image.width, image.height)
    let surface = self.surface ?? makeSurface()
    let divisor: Double
    if let viewport {
      // Themes have the sizes that they have: an image need not be a multiple of the scale.
      divisor = scale.factor
      func points(_ pixels: Int) -> Int32 {
        let exact = Double(pixels) / divisor
        return Int32(max(1, exact.rounded()))
      }
      viewport.setDestination(width: points(width), height: points(height))
    } else {
      // wl_surface: a buffer that its scale does not divide is a protocol error.
      let whole = (1...max(1, scale.ceiling)).last { width % $0 == 0 && height % $0 == 0 } ?? 1
      divisor = Double(whole)
      surface.setBufferScale(scale: Int32(whole))
    }
    surface.attach(buffer: image.buffer, x: 0, y: 0)
    surface.damageBuffer(x: 0, y: 0, width: Int32(width), height: Int32(height))
    surface.commit()
    setImage(serial, surface, Int32(Double(image.hotspotX) / divisor), Int32(Double(image.hotspotY) / divisor))
  }

  /// The user's cursor size at `scale`: XCURSOR_SIZE, or 24 points if that is unset or absurd.
  private static func pixels(at scale: Scale) -> Int {
    let wanted = Environment.cursorSize.value.flatMap { Int($0) } ?? 24
    return scale.pixels((8...256).contains(wanted) ? wanted : 24)
  }

  private func makeSurface() -> WlSurface {
    let made = globals.compositor.createSurface()
    surface = made
    viewport = globals[WpViewporter.self]?.getViewport(surface: made)
    return made
  }
}

extension CursorShape {
  /// The shape in the protocol, and its usual names in cursor themes, best first.
  fileprivate var names: (wire: WpCursorShapeDeviceV1.Shape, theme: [String]) {
    switch self {
    case .arrow: (.default, ["default", "left_ptr"])
    case .pointingHand: (.pointer, ["pointer", "hand2", "hand1"])
    case .text: (.text, ["text", "xterm", "ibeam"])
    case .openHand: (.grab, ["grab", "openhand", "hand1"])
    case .closedHand: (.grabbing, ["grabbing", "closedhand", "fleur"])
    case .resizeHorizontal: (.ewResize, ["ew-resize", "sb_h_double_arrow", "size_hor"])
    case .resizeVertical: (.nsResize, ["ns-resize", "sb_v_double_arrow", "size_ver"])
    case .resizeFalling: (.nwseResize, ["nwse-resize", "bottom_right_corner", "size_fdiag"])
    case .resizeRising: (.neswResize, ["nesw-resize", "bottom_left_corner", "size_bdiag"])
    }
  }
}

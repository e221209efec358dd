import Wayland

/// A user's choice of cursor images.
nonisolated public struct CursorPreference: Hashable, Sendable {
  /// The name of a cursor theme; nil for the default one.
  public var theme: String?
  /// The size in points, from 8 to 256; any other, and nil, mean 24.
  public var size: Int?

  /// Images of `size` points from the theme of that name.
  public init(theme: String? = nil, size: Int? = nil) {
    (self.theme, self.size) = (theme, size)
  }

  /// The preference with what the environment says in its place.
  @MainActor var withEnvironment: CursorPreference {
    func sane(_ size: Int?) -> Int? { size.flatMap { (8...256).contains($0) ? $0 : nil } }
    return CursorPreference(
      theme: Environment.cursorTheme.value ?? theme,
      size: sane(Environment.cursorSize.value.flatMap { Int($0) }) ?? sane(size) ?? 24)
  }
}

/// Shows a cursor shape on a pointer. The theme is loaded when the first shape needs it, never at start.
final class PointerCursor {
  private let globals: Globals
  private let shapes: WpCursorShapeDeviceV1?
  private let setImage: (_ serial: UInt32, WlSurface, _ hotspotX: Int32, _ hotspotY: Int32) -> Void
  private var surface: WlSurface?
  private var viewport: WpViewport?
  private var serial: UInt32 = 0
  private var shown: (shape: CursorShape, scale: Scale, preference: CursorPreference)?
  private var theme: CursorTheme?
  private var themeName: String?

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
    let preference = globals.cursor
    guard let shape = shape ?? shown?.shape, shown.map({ $0 != (shape, scale, preference) }) ?? true else { return }
    shown = (shape, scale, preference)
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
    let wanted = globals.cursor.withEnvironment
    let pixels = scale.pixels(wanted.size ?? 24)
    if theme?.pixels != pixels || themeName != wanted.theme {
      theme = CursorTheme(name: wanted.theme, pixels: pixels, shm: globals.shm)
      themeName = wanted.theme
    }
    guard let image = theme?.image(named: shape.names.theme) else { return }
    let (width, height) = (image.width, image.height)
    let surface = self.surface ?? makeSurface()
    let divisor: Double
    if let viewport {
      divisor = pointsRatio(of: max(width, height), wanted: pixels, at: scale)
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

  /// The pixels of an image for each of its points, if its longer side has `side` pixels and `wanted` were asked for.
  ///
  /// Themes have the sizes that they have, and margins around the shape: an image near the wanted size is shown pixel by pixel, which is
  /// sharp. Any other is scaled, since the size is the user's: a theme's smallest image would be twice as large as wanted at scale 0.5,
  /// and its largest would not help a user who asks for 96 points.
  private func pointsRatio(of side: Int, wanted: Int, at scale: Scale) -> Double {
    let ratio = Double(side) / Double(max(wanted, 1))
    return (2.0 / 3...1.5).contains(ratio) ? scale.factor : scale.factor * ratio
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

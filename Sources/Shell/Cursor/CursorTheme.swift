// The person's cursor theme, loaded by libwayland-cursor.

import CLinux
import CWayland
import Interface
import Wayland

/// A cursor theme at one size in pixels.
@MainActor final class CursorTheme {
  /// A picture of the theme. The buffer belongs to the theme.
  struct Image {
    let buffer: OpaquePointer
    let width: Int
    let height: Int
    let hotspotX: Int
    let hotspotY: Int
  }

  /// The size in pixels that was asked of the theme; its pictures may have another, the nearest that it has.
  let pixels: Int
  private let raw: OpaquePointer

  /// Loads the theme that XCURSOR_THEME names, for pictures of about `pixels` a side.
  init?(shm: WlShm, pixels: Int) {
    guard let shm = shm.raw, let loaded = wl_cursor_theme_load(Environment.cursorTheme.value, Int32(pixels), shm) else {
      return nil
    }
    raw = loaded
    self.pixels = pixels
  }

  /// The person's cursor size at `scale`: XCURSOR_SIZE, 24 points where that is unset or absurd.
  static func pixels(at scale: Scale) -> Int {
    let wanted = Environment.cursorSize.value.flatMap { Int($0) } ?? 24
    return scale.pixels((8...256).contains(wanted) ? wanted : 24)
  }

  isolated deinit {
    wl_cursor_theme_destroy(raw)
  }

  /// The first picture of `shape` under the first of its usual names that the theme has.
  func image(of shape: CursorShape) -> Image? {
    for name in shape.themeNames {
      guard let cursor = wl_cursor_theme_get_cursor(raw, name), cursor.pointee.image_count > 0,
        let image = cursor.pointee.images?.pointee, let buffer = wl_cursor_image_get_buffer(image)
      else { continue }
      return Image(
        buffer: buffer, width: Int(image.pointee.width), height: Int(image.pointee.height),
        hotspotX: Int(image.pointee.hotspot_x), hotspotY: Int(image.pointee.hotspot_y))
    }
    return nil
  }
}

extension CursorShape {
  fileprivate var themeNames: [String] {
    switch self {
    case .arrow: ["default", "left_ptr"]
    case .pointingHand: ["pointer", "hand2", "hand1"]
    case .openHand: ["grab", "openhand", "hand1"]
    case .closedHand: ["grabbing", "closedhand", "fleur"]
    case .resizeHorizontal: ["ew-resize", "sb_h_double_arrow", "size_hor"]
    case .resizeVertical: ["ns-resize", "sb_v_double_arrow", "size_ver"]
    case .resizeFalling: ["nwse-resize", "bottom_right_corner", "size_fdiag"]
    case .resizeRising: ["nesw-resize", "bottom_left_corner", "size_bdiag"]
    }
  }
}

import CWayland

/// A theme of cursor images at one size in pixels.
@safe @MainActor public final class CursorTheme {
  /// An image. Its buffer belongs to the theme.
  public struct Image {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The position of the point that the cursor points with, in pixels from the left side.
    public let hotspotX: Int
    /// The same from the upper side.
    public let hotspotY: Int
    /// The buffer to attach.
    public let buffer: WlBuffer
  }

  /// The size in pixels that was requested; the theme may only have a nearby size.
  public let pixels: Int
  private let raw: OpaquePointer
  private let display: Display

  /// Loads the theme `name` for images of about `pixels` a side; nil names the default theme.
  public init?(name: String?, pixels: Int, shm: WlShm) {
    guard let display = shm.display,
      let loaded = unsafe wl_cursor_theme_load(name, Int32(pixels), shm.handle?.pointer)
    else { return nil }
    unsafe raw = loaded
    self.display = display
    self.pixels = pixels
  }

  isolated deinit {
    unsafe wl_cursor_theme_destroy(raw)
  }

  /// The first image under the first of `names` that the theme has; nil if it has none.
  public func image(named names: [String]) -> Image? {
    for name in names {
      guard let cursor = unsafe wl_cursor_theme_get_cursor(raw, name)?.pointee, unsafe cursor.image_count > 0,
        let image = unsafe cursor.images?.pointee, let handle = unsafe ProxyHandle(wl_cursor_image_get_buffer(image))
      else { continue }
      return unsafe Image(
        width: Int(image.pointee.width), height: Int(image.pointee.height), hotspotX: Int(image.pointee.hotspot_x),
        hotspotY: Int(image.pointee.hotspot_y), buffer: WlBuffer(borrowing: handle, on: display))
    }
    return nil
  }
}

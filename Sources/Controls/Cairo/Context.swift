// Owns a cairo context and the settings that all drawing shares.
// Must not know canvases or views.

internal import CCairo

/// A `cairo_t` that draws into a bitmap and keeps it alive.
nonisolated final class Context: @unchecked Sendable {
  let raw: OpaquePointer
  let bitmap: Bitmap

  /// How far a line may be from the curve that it stands for, in pixels. Less is slower and looks the same.
  private static let tolerance = 0.06

  init?(_ bitmap: Bitmap) {
    guard let raw = cairo_create(bitmap.surface) else { return nil }
    guard cairo_status(raw) == CAIRO_STATUS_SUCCESS else {
      cairo_destroy(raw)
      return nil
    }
    cairo_set_antialias(raw, CAIRO_ANTIALIAS_GOOD)
    cairo_set_tolerance(raw, Self.tolerance)
    self.raw = raw
    self.bitmap = bitmap
  }

  deinit {
    cairo_destroy(raw)
  }

  /// False once anything failed: cairo then draws nothing with this context any more.
  var isSound: Bool { cairo_status(raw) == CAIRO_STATUS_SUCCESS }
}

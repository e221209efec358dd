internal import CCairo

/// A reference to an object of GLib's, given back when dropped.
nonisolated final class GObject: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  /// Takes over a reference.
  init(_ pointer: UnsafeMutableRawPointer) {
    self.pointer = pointer
  }

  deinit {
    g_object_unref(pointer)
  }
}

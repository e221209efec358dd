import Controls
import Linux
import UICore

/// Draws or describes a scene in memory, identically for the same options every time.
enum SceneRenderer {
  /// The maximum number of pixels of an image (1 GiB of memory); larger ones are refused.
  static let maximumArea = 1 << 28

  /// True when the options ask for an image or the tree, and for no window.
  static func isAsked(_ options: Options) -> Bool { options.screenshot != nil || options.dumpsTree }

  /// Writes the image and prints the tree that the options request, of the first frame that a window would show.
  ///
  /// - Throws: `SessionError` if the image is too large or the file cannot be written.
  static func writeWhatIsAsked(of scene: RootView, options: Options) throws(SessionError) {
    let scale = options.scale ?? .one
    try write(scene, size: scale.pixelSize(options.size), options: options) {
      // The steps of a window before its first frame, at the time 0.
      scene.resize(to: options.size, scale: scale)
      scene.handle(.willEnterForeground)
      scene.handle(.didBecomeActive)
      scene.prepareFrame(for: .zero)
      _ = scene.takeDamage()
    }
  }

  /// Writes the requested output of `scene` after `prepare`: an image of `size` as a PNG file, the tree as JSON (type, name,
  /// frame in window coordinates, state, values).
  static func write(
    _ scene: RootView, size: PixelSize, options: Options, prepare: () -> Void = {}
  ) throws(SessionError) {
    let pixels = options.screenshot == nil ? nil : memory(size)
    guard options.screenshot == nil || pixels != nil else {
      throw SessionError(
        "a picture of \(size.width) x \(size.height) pixels is too large: choose a smaller --size or --scale")
    }
    prepare()
    if let pixels, let path = options.screenshot {
      Cockpit.complainWithoutFonts()
      let isWritten = pixels.withBuffer { buffer in
        scene.draw(Region(PixelRect(size)), into: buffer)
        return PNG.write(buffer, to: path, isOpaque: scene.isOpaque)
      }
      guard isWritten else { throw .cannotWrite(path) }
    }
    if options.dumpsTree { print(scene.inspect().jsonText) }
  }

  /// Memory for an image of `size`; nil for sizes that are empty or too large.
  static func memory(_ size: PixelSize) -> PixelMemory? {
    max(size.width, size.height) <= Options.greatestSide && size.area <= maximumArea ? PixelMemory(size) : nil
  }
}

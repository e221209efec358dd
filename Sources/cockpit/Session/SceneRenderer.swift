import Controls
import Glibc
import UICore

/// Draws or describes a scene in memory, the same for the same options every time.
enum SceneRenderer {
  /// The most pixels of an image (1 GiB of memory); larger ones are refused.
  static let maximumArea = 1 << 28

  /// Writes the image and prints the tree that the options ask for; true when the options ask for nothing else.
  static func writeWhatIsAsked(of scene: RootView, options: Options) throws(SessionError) -> Bool {
    if let path = options.screenshot { try writeScreenshot(of: scene, options: options, to: path) }
    if options.dumpsTree { print(dumpTree(of: scene, options: options)) }
    return options.screenshot != nil || options.dumpsTree
  }

  /// Writes the first frame that a window would show as a PNG file.
  ///
  /// - Throws: `SessionError` when the image is too large or the file can't be written.
  static func writeScreenshot(of scene: RootView, options: Options, to path: String) throws(SessionError) {
    let scale = options.scale ?? .one
    let size = scale.pixelSize(options.size)
    guard size.width <= Options.greatestSide, size.height <= Options.greatestSide, size.area <= maximumArea else {
      throw .pictureTooLarge(size)
    }
    prepare(scene, size: options.size, scale: scale)
    try writeImage(of: scene, size: size, to: path)
  }

  /// Writes the present image of `scene`, `size` pixels large, as a PNG file.
  static func writeImage(of scene: RootView, size: PixelSize, to path: String) throws(SessionError) {
    guard let pixels = PixelMemory(size) else { throw .pictureTooLarge(size) }
    defer { withExtendedLifetime(pixels) {} }
    scene.draw(Region(PixelRect(size)), into: pixels.buffer)
    guard PNG.write(pixels.buffer, to: path, isOpaque: scene.isOpaque) else { throw .cannotWrite(path) }
  }

  /// The view tree as JSON: type, name, frame in window coordinates, state, values.
  static func dumpTree(of scene: RootView, options: Options) -> String {
    prepare(scene, size: options.size, scale: options.scale ?? .one)
    return scene.inspect().jsonText
  }

  /// Takes the steps of a window before its first frame, at the time 0.
  private static func prepare(_ scene: RootView, size: Size, scale: Scale) {
    scene.resize(to: size, scale: scale)
    scene.handle(.willEnterForeground)
    scene.handle(.didBecomeActive)
    scene.prepareFrame(for: .zero)
    _ = scene.takeDamage()
  }
}

/// An image in memory that no window shows.
final class PixelMemory {
  let buffer: PixelBuffer

  /// Clear pixels; nil for sizes that are empty or too large.
  init?(_ size: PixelSize) {
    guard !size.isEmpty, size.area <= SceneRenderer.maximumArea, let memory = calloc(size.area, 4) else { return nil }
    buffer = PixelBuffer(
      size: size, stride: size.width * 4,
      bytes: UnsafeMutableRawBufferPointer(start: memory, count: size.area * 4))
  }

  isolated deinit { free(buffer.bytes.baseAddress) }
}

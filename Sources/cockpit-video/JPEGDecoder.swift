import CTurboJPEG
import VideoReading

/// Decodes JPEG pictures straight into shared memory, by libjpeg-turbo.
@safe final class JPEGDecoder {
  private var handle: UnsafeMutableRawPointer
  /// The most pixels of a picture, before it is scaled down: beyond that, decoding one would take seconds.
  private static let mostPixels = 8192 * 8192

  init() throws(VideoReadError) {
    guard let made = unsafe tjInitDecompress() else { throw VideoReadError("no JPEG decoder") }
    unsafe handle = unsafe made
  }

  deinit { _ = unsafe tjDestroy(handle) }

  /// The size that a picture is decoded to: its own, or the largest of its eighths that fits. Throws if it is no picture.
  func size(of bytes: [UInt8], within limit: PictureLimit) throws(VideoReadError) -> (width: Int, height: Int) {
    var (width, height, sampling, colors) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard unsafe tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &sampling, &colors) == 0 else {
      throw fail()
    }
    guard width > 0, height > 0, Int(width) * Int(height) <= Self.mostPixels else {
      throw VideoReadError("a picture of \(width) x \(height) is too large")
    }
    for eighths in (1...8).reversed() {
      let (scaledWidth, scaledHeight) = (Self.scaled(width, eighths), Self.scaled(height, eighths))
      if scaledWidth <= 4096, scaledHeight <= 4096, limit.fits(scaledWidth, scaledHeight) || eighths == 1 {
        return (scaledWidth, scaledHeight)
      }
    }
    throw VideoReadError("a picture of \(width) x \(height) is too large")
  }

  private static func scaled(_ extent: Int32, _ eighths: Int) -> Int { (Int(extent) * eighths + 7) / 8 }

  /// Decodes a picture of this size into `memory`, whose rows have no gaps. Throws if its bytes are not whole.
  func decode(
    _ bytes: [UInt8], _ width: Int, _ height: Int, into memory: UnsafeMutableRawBufferPointer
  ) throws(VideoReadError) {
    let target = unsafe memory.assumingMemoryBound(to: UInt8.self)
    // The fourth byte means nothing to a compositor. Its pictures of a screen may have it as alpha all the same, so it says opaque.
    let pixels = Int32(TJPF_BGRA.rawValue)
    guard target.count >= width * height * 4 else { throw VideoReadError("no room for the picture") }
    let result = unsafe tjDecompress2(
      handle, bytes, UInt(bytes.count), target.baseAddress, Int32(width), Int32(width * 4), Int32(height), pixels,
      TJFLAG_LIMITSCANS | TJFLAG_FASTDCT)
    guard result != 0 else { return }
    // Bytes of a picture that broke off show as grey, which looks like a view.
    throw fail()
  }

  /// Why the last call failed. The decoder is made anew: an old one goes on reading in the middle of the picture that it failed at, and
  /// refuses good ones.
  private func fail() -> VideoReadError {
    let text = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "unknown"
    if let made = unsafe tjInitDecompress() {
      _ = unsafe tjDestroy(handle)
      unsafe handle = unsafe made
    }
    return VideoReadError("no JPEG picture: \(text)")
  }
}

/// Pixels in memory, 32 bits each: blue, green, red, alpha from the lowest byte on a little-endian machine, colours
/// premultiplied by alpha (cairo's ARGB32, wl_shm's argb8888).
///
/// The memory belongs to the caller that passes the buffer, and is valid only during that call. The compiler refuses code that
/// keeps a buffer for longer, in a property or in an escaping closure.
@safe public struct PixelBuffer: ~Escapable {
  /// The extent in pixels.
  public let size: PixelSize
  /// The number of bytes from one row to the next; at least 4 x width.
  public let stride: Int
  @usableFromInline let bytes: UnsafeMutableRawBufferPointer

  /// Wraps memory of at least `stride` bytes per row; the last row may end after its pixels. The memory must stay valid as long
  /// as the variable `bytes`, beyond which no buffer lives.
  @_lifetime(borrow bytes)
  @unsafe public init(size: PixelSize, stride: Int, bytes: UnsafeMutableRawBufferPointer) {
    let needed = size.isEmpty ? 0 : stride * (size.height - 1) + size.width * 4
    precondition(stride >= size.width * 4 && bytes.count >= needed, "the memory is too small")
    self.size = size
    self.stride = stride
    unsafe self.bytes = unsafe bytes
  }

  /// The pixels of `rect` in the same memory; nil if `rect` is empty or extends beyond the buffer.
  @_lifetime(copy self)
  public func part(_ rect: PixelRect) -> PixelBuffer? {
    !rect.isEmpty && PixelRect(size).contains(rect) ? PixelBuffer(rect, of: self) : nil
  }

  @_lifetime(copy whole)
  private init(_ rect: PixelRect, of whole: PixelBuffer) {
    size = PixelSize(width: rect.width, height: rect.height)
    stride = whole.stride
    unsafe bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: whole.bytes[(rect.y * stride + rect.x * 4)...])
  }

  /// The pixel at (`x`, `y`), which must be inside the buffer, as 0xAARRGGBB.
  @inlinable public subscript(x: Int, y: Int) -> UInt32 {
    get { unsafe bytes.loadUnaligned(fromByteOffset: offset(x, y), as: UInt32.self) }
    nonmutating set { unsafe bytes.storeBytes(of: newValue, toByteOffset: offset(x, y), as: UInt32.self) }
  }

  @inlinable func offset(_ x: Int, _ y: Int) -> Int {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "the pixel lies outside")
    return y * stride + x * 4
  }

  /// Sets the pixels of `rect` that lie inside the buffer to `pixel`.
  public func fill(_ rect: PixelRect, _ pixel: UInt32) {
    let rect = rect.intersection(PixelRect(size))
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX { self[x, y] = pixel }
    }
  }

  /// A copy of all pixels, row by row.
  public var pixels: [UInt32] {
    unsafe [UInt32](unsafeUninitializedCapacity: size.area) { pixels, count in
      guard !size.isEmpty, let target = pixels.baseAddress, let source = unsafe bytes.baseAddress else { return }
      for y in 0..<size.height {
        unsafe UnsafeMutableRawPointer(target + y * size.width)
          .copyMemory(from: source + y * stride, byteCount: size.width * 4)
      }
      count = size.area
    }
  }

  /// Passes `body` the memory, which must not be used after the call.
  @unsafe public func withUnsafeBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    unsafe body(bytes)
  }
}

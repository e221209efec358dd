import Shell

/// Waves of colour that move. A press makes them darker as long as it lasts.
final class Plasma: WindowContent {
  weak var host: (any WindowHost)?
  let isOpaque = true
  let minimumSize = Size(width: 64, height: 64)
  let needsFrame = true
  let isAnimating = true

  private var size = PixelSize.zero
  private var seconds = 0.0
  private var isPressed = false
  private(set) var frameCount = 0

  func resize(to size: Size, scale: Scale) { self.size = scale.pixelSize(size) }

  func handle(_ event: InputEvent) {
    switch event {
    case .touches(let points): isPressed = points.contains { $0.phase == .began || $0.phase == .moved }
    case .lost: isPressed = false
    default: break
    }
  }

  func handle(_ event: LifecycleEvent) {
    if event == .willTerminate { print("painted \(frameCount) frames") }
  }

  func prepareFrame(for time: MonotonicTime) { seconds = time.seconds }

  func takeDamage() -> Region { Region(PixelRect(size)) }

  func draw(_ region: Region, into buffer: PixelBuffer) {
    frameCount += 1
    let time = Int(seconds * 60)
    for rect in region.rects {
      for y in rect.y..<rect.maxY {
        for x in rect.x..<rect.maxX {
          buffer[x, y] = color(wave(x + time), wave(y - time), wave(x + y + 2 * time))
        }
      }
    }
  }

  /// 0xAARRGGBB, opaque.
  private func color(_ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
    let shift = isPressed ? 1 : 0
    return 0xff00_0000 | UInt32(red >> shift) << 16 | UInt32(green >> shift) << 8 | UInt32(blue >> shift)
  }

  /// A triangle between 0 and 255.
  private func wave(_ position: Int) -> Int { min(abs((position & 511) - 256), 255) }
}

import TestSupport
import Testing

@testable import VideoReading

/// The strip of dimos below a picture is read, and nothing else is taken for one.
struct StripReaderTests {
  /// A picture of grey noise with a strip below it that has these bits.
  private func picture(_ bits: [Bool], width: Int = 640, noise: Int = 0) -> [UInt32] {
    var random = Random(4)
    func shade(_ value: Int) -> UInt32 {
      let value = UInt32(max(0, min(255, value + (noise > 0 ? random.below(2 * noise) - noise : 0))))
      return value << 16 | value << 8 | value
    }
    var pixels = (0..<(width * 48)).map { _ in shade(random.below(256)) }
    for _ in 0..<16 {
      for x in 0..<width { pixels.append(shade(x / 16 < bits.count && bits[x / 16] ? 255 : 0)) }
    }
    return pixels
  }

  private func bits(_ milliseconds: Int) -> [Bool] {
    [true, false, true, false] + (0..<22).map { milliseconds >> (21 - $0) & 1 == 1 }
  }

  @Test(arguments: [0, 1, 0x3f_ffff, 0x2a_aaaa, 1_234_567]) func `a strip is read, also with compression's noise`(
    _ value: Int
  ) {
    for (width, noise) in [(416, 0), (417, 0), (640, 0), (640, 60), (1280, 60)] {
      let pixels = picture(bits(value), width: width, noise: noise)
      #expect(StripReader.milliseconds(pixels.span, width: width, height: 64) == value)
      // A row that an encoder cut off.
      #expect(StripReader.milliseconds(pixels.span, width: width, height: 63) == value)
    }
  }

  @Test func `what is no strip is none`() {
    let good = picture(bits(77))
    #expect(StripReader.milliseconds(good.span, width: 640, height: 52) == nil, "cut")
    #expect(StripReader.milliseconds(good.span, width: 400, height: 64) == nil, "too narrow")
    #expect(StripReader.milliseconds(good.span, width: 640, height: 16) == nil, "a strip alone")
    #expect(StripReader.milliseconds(good.span, width: 640, height: 65) == nil, "fewer pixels than said")
    var other = bits(77)
    other[0] = false
    #expect(StripReader.milliseconds(picture(other).span, width: 640, height: 64) == nil, "another sign")
    #expect(StripReader.milliseconds(picture(bits(77) + [true]).span, width: 640, height: 64) == nil, "more behind it")
    var grey = good
    for y in 48..<64 { for x in 100..<112 { grey[y * 640 + x] = 0x80_8080 } }
    #expect(StripReader.milliseconds(grey.span, width: 640, height: 64) == nil, "a cell that is neither")
    let noise = picture([])
    #expect(StripReader.milliseconds(noise.span, width: 640, height: 48) == nil)
  }
}

import Glibc
import Linux
import UICore
import VideoLink
import VideoReading

/// A moving pattern with the time in it, for trying the cockpit without a camera: a bar that goes round once a second, and seconds and
/// hundredths of the wall clock.
final class TestSource: FrameSource {
  private let kind: VideoSource.TestKind
  private var next = MonotonicTime.system
  private let begin = MonotonicTime.system
  private var count = 0

  private static let (width, height) = (640, 360)
  private static let interval = Duration.milliseconds(33)

  init(_ kind: VideoSource.TestKind) { self.kind = kind }

  let waits: [pollfd] = []
  var deadline: MonotonicTime? { kind == .silent && hasChanged ? nil : next }

  /// Whether two seconds are over.
  private var hasChanged: Bool { .system - begin > .seconds(2) }

  func step(_ sink: PictureSink) {
    let now = MonotonicTime.system
    guard now >= next else { return }
    defer { next = max(next + Self.interval, now) }
    switch hasChanged ? kind : .moving {
    case .moving:
      count += 1
      let wall = MonotonicTime(onClock: CLOCK_REALTIME) ?? .zero
      let stamp = VideoStamp(.wall, nanoseconds: wall.nanoseconds)
      unsafe sink.draw(Self.width, Self.height, stamp, arrival: now, since: now, encodedBytes: 0) { memory in
        unsafe TestPicture(count: count, hundredths: Int(wall.nanoseconds / 10_000_000)).draw(
          Self.width, Self.height, memory)
        return true
      }
    case .frozen: sink.repeatLast(arrival: now)
    case .silent: break
    case .broken: _ = sink.take(EncodedPicture(bytes: [0xff]), nil, arrival: now, isNewest: true)
    case .ended:
      // Pictures for two seconds of every four.
      if (now - begin).inNanoseconds / 2_000_000_000 % 2 == 1 {
        sink.cockpit.report(.source(.ended, text: "the test source ends for two seconds"))
      } else {
        count += 1
        unsafe sink.draw(Self.width, Self.height, nil, arrival: now, since: now, encodedBytes: 0) { memory in
          unsafe TestPicture(count: count, hundredths: 0).draw(Self.width, Self.height, memory)
          return true
        }
      }
    }
  }
}

/// One picture of the pattern.
struct TestPicture {
  /// Its number.
  var count: Int
  /// The time to show.
  var hundredths: Int

  /// Draws it into memory whose rows have no gaps.
  func draw(_ width: Int, _ height: Int, _ memory: UnsafeMutableRawBufferPointer) {
    let words = unsafe memory.assumingMemoryBound(to: UInt32.self)
    for y in 0..<height {
      // A road that comes nearer: stripes that move down.
      let band = (y - count * 4) & 63 < 32
      let color: UInt32 = y < height / 2 ? 0x6f_8f_af : band ? 0x40_40_44 : 0x58_58_5c
      unsafe words[(y * width)..<((y + 1) * width)].update(repeating: color | 0xff00_0000)
    }
    let bar = count * width / 30 % width
    unsafe fill(words, width, bar, 0, min(12, width - bar), height, 0xf0_b0_20)
    var value = hundredths
    for index in 0..<6 {
      let x = width / 2 + 100 - index * 44 - (index > 1 ? 16 : 0) - (index > 3 ? 16 : 0)
      // Hundredths, seconds, minutes: the upper digit of the latter two counts to five.
      let base = index == 3 || index == 5 ? 6 : 10
      unsafe digit(words, width, value % base, x, 24)
      value /= base
    }
  }

  private func fill(
    _ words: UnsafeMutableBufferPointer<UInt32>, _ stride: Int, _ x: Int, _ y: Int, _ width: Int, _ height: Int,
    _ color: UInt32
  ) {
    for row in y..<(y + height) {
      unsafe words[(row * stride + x)..<(row * stride + x + width)].update(repeating: color | 0xff00_0000)
    }
  }

  /// Seven bars: top, upper left, upper right, middle, lower left, lower right, bottom.
  private func digit(_ words: UnsafeMutableBufferPointer<UInt32>, _ stride: Int, _ value: Int, _ x: Int, _ y: Int) {
    let lit = [0x77, 0x24, 0x5d, 0x6d, 0x2e, 0x6b, 0x7b, 0x25, 0x7f, 0x6f][value]
    let bars = [
      (0, 0, 32, 6), (0, 0, 6, 30), (26, 0, 6, 30), (0, 26, 32, 6), (0, 28, 6, 30), (26, 28, 6, 30), (0, 52, 32, 6),
    ]
    for (index, bar) in bars.enumerated() where lit >> index & 1 == 1 {
      unsafe fill(words, stride, x + bar.0, y + bar.1, bar.2, bar.3, 0xff_ff_ff)
    }
  }
}

import Stage
import UICore

/// Rows of pixels through the wheel at known positions, to tell later pictures by.
///
/// A commit says nothing of what it answers; its pixels do. The wheel is first turned slowly through every position, so
/// that the pictures are known, and then each commit of a drag is compared with those of the latest motions.
struct Fingerprints {
  private let rows: [Int]
  private let columns: Range<Int>
  private var known: [Int: [UInt32]] = [:]

  /// Fingerprints of pictures of `size` with a wheel at `place`.
  init(_ place: WheelPlace, size: PixelSize) {
    let left = max(0, Int(place.center.x - place.radius))
    columns = left..<max(left, min(size.width, Int(place.center.x + place.radius)))
    rows = stride(from: -0.8, through: 0.8, by: 0.16).map { Int(place.center.y + $0 * place.radius) }
      .filter { (0..<size.height).contains($0) }
  }

  /// Notes what `buffer` looks like as the picture of `position`.
  mutating func learn(_ position: Int, from buffer: StageBuffer) { known[position] = sample(buffer) }

  /// The number of positions that look like no other.
  var distinctCount: Int { Set(known.values).count }

  /// The position among `candidates` that `buffer` looks most like, the first where two are alike.
  func position(of buffer: StageBuffer, among candidates: [Int]) -> Int? {
    var best: (position: Int, differences: Int)?
    buffer.memory.withMemoryRebound(to: UInt32.self, capacity: buffer.stride / 4 * buffer.size.height) { pixels in
      for candidate in candidates {
        guard let wanted = known[candidate] else { continue }
        var differences = 0
        var index = 0
        for row in rows {
          let start = row * buffer.stride / 4
          for column in columns {
            if pixels[start + column] != wanted[index] { differences += 1 }
            index += 1
          }
        }
        if best.map({ differences < $0.differences }) ?? true { best = (candidate, differences) }
      }
    }
    return best?.position
  }

  private func sample(_ buffer: StageBuffer) -> [UInt32] {
    buffer.memory.withMemoryRebound(to: UInt32.self, capacity: buffer.stride / 4 * buffer.size.height) { pixels in
      rows.flatMap { row in columns.map { pixels[row * buffer.stride / 4 + $0] } }
    }
  }
}

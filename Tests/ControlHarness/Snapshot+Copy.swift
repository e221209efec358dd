import Glibc

nonisolated extension Snapshot {
  /// Copies the pixels of `region`, which must be inside both images, from `other` of the same size.
  public mutating func copy(_ region: Region, from other: Snapshot) {
    let width = size.width
    unsafe pixels.withUnsafeMutableBytes { target in
      unsafe other.pixels.withUnsafeBytes { source in
        guard let into = target.baseAddress, let from = source.baseAddress else { return }
        for rect in region.rects {
          for y in rect.y..<rect.maxY {
            let offset = (y * width + rect.x) * 4
            unsafe memcpy(into + offset, from + offset, rect.width * 4)
          }
        }
      }
    }
  }
}

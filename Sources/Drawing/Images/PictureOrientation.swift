import UICore

/// How the pixels of a file lie, by the numbers of EXIF: where the picture's upper left corner is in them, and which way its rows go.
nonisolated enum PictureOrientation: Int, CaseIterable {
  /// As they are shown.
  case upright = 1
  /// Left and right are swapped.
  case mirrored
  /// Upside down.
  case turned180
  /// Above and below are swapped.
  case flipped
  /// Rows are columns.
  case transposed
  /// They are shown turned clockwise by a right angle.
  case turned90
  /// Rows are columns, from the other corner.
  case transversed
  /// They are shown turned counter-clockwise by a right angle.
  case turned270

  /// True if the rows of the file are columns of the picture.
  var swapsSides: Bool { rawValue >= 5 }

  /// The orientation in a segment of a JPEG file (APP1); nil if it has none.
  init?(exif content: ArraySlice<UInt8>) {
    guard content.starts(with: Array("Exif\0\0".utf8)) else { return nil }
    let numbers = BigEndian(content.dropFirst(6))
    // "II" for numbers whose last byte comes first, "MM" for others.
    guard let order = numbers.short(at: 0), order == 0x4949 || order == 0x4d4d else { return nil }
    let isReversed = order == 0x4949
    func number(_ place: Int, _ count: Int) -> Int? { numbers.number(at: place, count: count, isReversed: isReversed) }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + entry * 12
      guard let tag = number(place, 2) else { return nil }
      guard tag == 0x112 else { continue }
      // Of two bytes, as it must be.
      guard number(place + 2, 2) == 3, let value = number(place + 8, 2) else { return nil }
      self.init(rawValue: value)
      return
    }
    return nil
  }

  /// The place in the file of the picture's pixel (`x`, `y`); `size` is that of the file.
  func place(_ x: Int, _ y: Int, in size: PixelSize) -> (x: Int, y: Int) {
    let (right, bottom) = (size.width - 1, size.height - 1)
    return switch self {
    case .upright: (x, y)
    case .mirrored: (right - x, y)
    case .turned180: (right - x, bottom - y)
    case .flipped: (x, bottom - y)
    case .transposed: (y, x)
    case .turned90: (y, bottom - x)
    case .transversed: (right - y, bottom - x)
    case .turned270: (right - y, x)
    }
  }
}

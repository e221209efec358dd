/// A place on the screen with one word or number, and what it should show.
public struct Cell: Hashable, Sendable {
  /// What the driver learns from it.
  public enum Subject: UInt8, Sendable, CaseIterable {
    case gear, speed
    /// The lamp of the vehicle's state: its word says which.
    case state
    /// The lamp that is lit in neutral.
    case brake
  }

  public var subject: Subject
  /// The text that should be there.
  public var text: String
  /// The other texts that can be there, for naming what is seen instead.
  public var others: [String] = []
  /// The middle of the text's ink, and half the height of its capitals, in pixels of the frame.
  public var x, y: Double
  /// The size of the font in pixels, and its weight on the scale of CSS.
  public var size: Double
  public var weight: Int
  /// The pixels in which nothing but the text is drawn.
  public var area: PixelArea
  /// The frame of the lamp around the text; empty for a text without one.
  public var lamp = PixelArea(x: 0, y: 0, width: 0, height: 0)
  /// Whether the lamp should be lit.
  public var isLit = false

  public init(
    _ subject: Subject, _ text: String, x: Double, y: Double, size: Double, weight: Int, area: PixelArea
  ) {
    (self.subject, self.text, self.x, self.y) = (subject, text, x, y)
    (self.size, self.weight, self.area) = (size, weight, area)
  }
}

/// The extent of a picture in memory.
public struct FrameShape: Hashable, Sendable {
  /// In pixels.
  public var width, height: Int
  /// The distance of two rows, and of the first row from the memory's start, in pixels.
  public var stride, offset: Int

  public init(width: Int, height: Int, stride: Int, offset: Int = 0) {
    (self.width, self.height, self.stride, self.offset) = (width, height, stride, offset)
  }

  /// True if the picture lies within `count` pixels of memory.
  public func fits(_ count: Int) -> Bool {
    guard width > 0, height > 0, stride >= width, offset >= 0, width <= 1 << 16, height <= 1 << 16, stride <= 1 << 20
    else { return false }
    let (rows, isTooMany) = stride.multipliedReportingOverflow(by: height - 1)
    return !isTooMany && offset <= count - width && rows <= count - width - offset
  }
}

/// What a cell shows.
public enum Reading: Hashable, Sendable {
  /// What it should, and its lamp is as it should be.
  case right
  /// Another text, nil if none that is known.
  case other(String?)
  /// The right text in a lamp that is lit and should not be, or the other way round.
  case otherLight
  /// Nothing, or too little contrast to be read.
  case unreadable
}

/// A font family, size and style.
nonisolated public struct Font: Hashable, Sendable {
  /// A font weight, on the scale of CSS and OpenType.
  public struct Weight: RawRepresentable, Hashable, Sendable {
    /// 100 (thin) to 900 (black).
    public let rawValue: Int

    /// A weight from 100 to 900.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// 300, thinner than running text.
    public static let light = Weight(rawValue: 300)
    /// 400, the weight of running text.
    public static let regular = Weight(rawValue: 400)
    /// 500, between `regular` and `semibold`.
    public static let medium = Weight(rawValue: 500)
    /// 600, between `medium` and `bold`.
    public static let semibold = Weight(rawValue: 600)
    /// 700, for emphasis.
    public static let bold = Weight(rawValue: 700)
  }

  /// A family's name, or several separated by commas in order of preference; nil for the library's default.
  public var family: String?
  /// The size of an em in logical points, clamped to 1...2000; NaN counts as 1.
  public var size: Double {
    didSet { size = Self.usable(size) }
  }
  /// How thick the strokes are.
  public var weight: Weight
  /// True for italic glyphs.
  public var isItalic: Bool
  /// True to make all digits equally wide, so that changing numbers do not move.
  public var hasTabularDigits: Bool

  /// A font of `size` logical points.
  public init(
    size: Double, weight: Weight = .regular, family: String? = nil, isItalic: Bool = false,
    hasTabularDigits: Bool = true
  ) {
    self.family = family
    self.size = Self.usable(size)
    self.weight = weight
    self.isItalic = isItalic
    self.hasTabularDigits = hasTabularDigits
  }

  /// The family of outlines that are built into the program, for what must be readable without any font: capitals, digits, some signs and the
  /// words of a cockpit's lamps. They need no file and are the same on every machine. Texts with other characters are set in the library's
  /// default family.
  package static let builtInFamily = "built-in"
  var isBuiltIn: Bool { family == Self.builtInFamily }

  /// A font of the built-in outlines; their digits are equally wide.
  package init(builtIn size: Double, weight: Weight = .regular) {
    self.init(size: size, weight: weight, family: Self.builtInFamily)
  }

  private static func usable(_ size: Double) -> Double { size >= 1 ? min(size, 2000) : 1 }
}

/// Colours by role, and sizes of text, that give all controls of a window one appearance.
///
/// A control's own colour is a `Color?`; nil uses the theme's colour for that role, so that a new theme changes it.
nonisolated public struct Theme: Hashable, Sendable {
  /// True for light marks on a dark background. For choices besides colours, such as between two images.
  public var isDark: Bool

  // MARK: Ground

  /// The background of a window.
  public var background: Color
  /// The background of panels, lists and menus on the window's background.
  public var panel: Color
  /// Separator lines on background and panel.
  public var hairline: Color
  /// The background of pressable elements, such as a plain button.
  public var fill: Color

  // MARK: Text

  /// Text that is read first.
  public var label: Color
  /// Text beside it: units, captions, hints.
  public var secondaryLabel: Color
  /// Text and signs on `accent` and on `trackHighlight`.
  public var onAccent: Color

  // MARK: Parts of controls

  /// The background of a slider's or a switch's track.
  public var track: Color
  /// The part of a track that shows the value.
  public var trackHighlight: Color
  /// The part that is dragged along a track.
  public var thumb: Color
  /// The line around a thumb.
  public var thumbOutline: Color
  /// The layer over a pressed part: a tint of the accent, since grey would look disabled.
  public var pressed: Color
  /// The shadow of raised elements.
  public var shadow: Color

  // MARK: Meaning

  /// Selected, focused, ready.
  public var accent: Color
  /// Something wants attention.
  public var attention: Color
  /// Stop, delete, failure.
  public var stop: Color

  /// The opacity of a control that is disabled, 0...1.
  public var disabledAlpha: Double
  /// True for more contrast than usual.
  public internal(set) var isHighContrast = false
  /// The sizes of text.
  public var fontSizes: FontSizes

  /// Daylight.
  public static let light = Theme(
    isDark: false,
    background: Color(hex: 0xf4f6f8), panel: .white, hairline: .black.withAlpha(0.14), fill: Color(hex: 0xe3e7ec),
    label: Color(hex: 0x12171d), secondaryLabel: Color(hex: 0x56616e), onAccent: .white,
    track: Color(hex: 0xcfd6de), trackHighlight: Color(hex: 0x0f766e), thumb: .white,
    thumbOutline: Color(hex: 0x66707c), pressed: Color(hex: 0x0f766e).withAlpha(0.14), shadow: .black.withAlpha(0.3),
    accent: Color(hex: 0x0f766e), attention: Color(hex: 0x914b00), stop: Color(hex: 0xd02b20),
    disabledAlpha: 0.4, fontSizes: FontSizes())

  /// A cockpit at night.
  public static let dark = Theme(
    isDark: true,
    background: Color(hex: 0x0a0e14), panel: Color(hex: 0x141a22), hairline: .white.withAlpha(0.12),
    fill: Color(hex: 0x252e3a),
    label: Color(hex: 0xf2f5f8), secondaryLabel: Color(hex: 0x93a1b3), onAccent: Color(hex: 0x06121a),
    track: Color(hex: 0x2b3644), trackHighlight: Color(hex: 0x2dd4bf), thumb: Color(hex: 0xf2f5f8),
    thumbOutline: Color(hex: 0x5b6878), pressed: Color(hex: 0x2dd4bf).withAlpha(0.2), shadow: .black.withAlpha(0.6),
    accent: Color(hex: 0x2dd4bf), attention: Color(hex: 0xffb020), stop: Color(hex: 0xff5147),
    disabledAlpha: 0.4, fontSizes: FontSizes())

  /// High-contrast variant: no dimmed text, visible lines, readable disabled elements.
  public var withHighContrast: Theme {
    var theme = self
    theme.isHighContrast = true
    theme.secondaryLabel = secondaryLabel.mixed(with: label, 0.75)
    theme.hairline = label.withAlpha(0.55)
    theme.track = track.mixed(with: label, 0.25)
    theme.thumbOutline = label
    theme.fill = fill.mixed(with: label, 0.08)
    theme.disabledAlpha = max(disabledAlpha, 0.6)
    return theme
  }

  /// A font in one of the theme's sizes.
  public func font(_ style: TextStyle, weight: Font.Weight = .regular) -> Font {
    Font(size: fontSizes[style], weight: weight)
  }

  /// The use of a text.
  nonisolated public enum TextStyle: String, CaseIterable, Hashable, Sendable {
    /// The largest text, readable from afar.
    case title
    /// Values, buttons and running text.
    case body
    /// An explanation of something else.
    case caption
  }

  /// The sizes of text in points, clamped to 12...200; NaN counts as 12.
  nonisolated public struct FontSizes: Hashable, Sendable {
    private var title: Double
    private var body: Double
    private var caption: Double

    /// Sizes in points.
    public init(title: Double = 28, body: Double = 16, caption: Double = 13) {
      self.title = Self.usable(title)
      self.body = Self.usable(body)
      self.caption = Self.usable(caption)
    }

    /// The size for `style`, in points.
    public subscript(style: TextStyle) -> Double {
      get {
        switch style {
        case .title: title
        case .body: body
        case .caption: caption
        }
      }
      set {
        switch style {
        case .title: title = Self.usable(newValue)
        case .body: body = Self.usable(newValue)
        case .caption: caption = Self.usable(newValue)
        }
      }
    }

    private static func usable(_ size: Double) -> Double { size > 12 ? min(size, 200) : 12 }
  }
}

// What a key did.

/// A key by the symbol that the active layout gives it without modifiers but Shift (an xkb keysym).
public struct Key: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The key of a printable Latin character, in lower case.
  public static func character(_ character: Unicode.Scalar) -> Key { Key(rawValue: character.value) }

  public static let space = Key(rawValue: 0x20)
  public static let tab = Key(rawValue: 0xff09)
  /// Shift+Tab as xkb layouts send it.
  public static let backTab = Key(rawValue: 0xfe20)
  public static let enter = Key(rawValue: 0xff0d)
  public static let escape = Key(rawValue: 0xff1b)
  public static let backspace = Key(rawValue: 0xff08)
  public static let delete = Key(rawValue: 0xffff)
  public static let home = Key(rawValue: 0xff50)
  public static let left = Key(rawValue: 0xff51)
  public static let up = Key(rawValue: 0xff52)
  public static let right = Key(rawValue: 0xff53)
  public static let down = Key(rawValue: 0xff54)
  public static let pageUp = Key(rawValue: 0xff55)
  public static let pageDown = Key(rawValue: 0xff56)
  public static let end = Key(rawValue: 0xff57)
  public static let f11 = Key(rawValue: 0xffc8)
  public static let f12 = Key(rawValue: 0xffc9)
}

/// The modifiers held during a key event.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let shift = KeyModifiers(rawValue: 1)
  public static let control = KeyModifiers(rawValue: 2)
  public static let alt = KeyModifiers(rawValue: 4)
  public static let logo = KeyModifiers(rawValue: 8)
}

/// One key's change; every `down` is followed by exactly one `up` or `cancelled` of the same key.
public struct KeyEvent: Hashable, Sendable {
  /// What happened to the key.
  public enum Phase: Hashable, Sendable {
    case down
    /// The key is held and the compositor's repeat rate sends it again.
    case repeated
    case up
    /// The keyboard went away or lost the focus with the key held: let go of what it holds, trigger nothing.
    case cancelled
  }

  public var seat: SeatID
  public var phase: Phase
  public var key: Key
  /// The text that the key types with its modifiers, or an empty string.
  public var text: String
  public var modifiers: KeyModifiers
  public var time: MonotonicTime

  public init(
    seat: SeatID, phase: Phase, key: Key, text: String = "", modifiers: KeyModifiers = [], time: MonotonicTime
  ) {
    self.seat = seat
    self.phase = phase
    self.key = key
    self.text = text
    self.modifiers = modifiers
    self.time = time
  }
}

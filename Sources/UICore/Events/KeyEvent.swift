/// A key, identified by the symbol that the active layout gives it with no modifiers except Shift (an xkb keysym).
///
/// In layouts of other scripts, a letter's key is the Latin letter of another layout of the keyboard, or of its place on a US
/// keyboard, so that shortcuts work everywhere. The number pad's keys are the keys of the same meaning: Enter, the arrows and
/// so on, and with NumLock the digits.
public struct Key: RawRepresentable, Hashable, Sendable {
  /// The xkb keysym, such as 0xff09 for Tab.
  public var rawValue: UInt32

  /// The key of a keysym.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The key of a printable Latin character, in lower case.
  public static func character(_ character: Unicode.Scalar) -> Key { Key(rawValue: character.value) }

  /// The space bar.
  public static let space = Key(rawValue: 0x20)
  /// Tab: by convention moves the focus to the next view.
  public static let tab = Key(rawValue: 0xff09)
  /// Shift+Tab as xkb layouts send it.
  public static let backTab = Key(rawValue: 0xfe20)
  /// Return.
  public static let enter = Key(rawValue: 0xff0d)
  /// Escape: by convention ends a menu, an edit or fullscreen without a result.
  public static let escape = Key(rawValue: 0xff1b)
  /// Backspace: removes what is before the caret.
  public static let backspace = Key(rawValue: 0xff08)
  /// Insert: copies with Control, pastes with Shift.
  public static let insert = Key(rawValue: 0xff63)
  /// Delete: removes what is after the caret, unlike `backspace`.
  public static let delete = Key(rawValue: 0xffff)
  /// Home: the beginning of a line or list, the least value.
  public static let home = Key(rawValue: 0xff50)
  /// The left arrow.
  public static let left = Key(rawValue: 0xff51)
  /// The up arrow.
  public static let up = Key(rawValue: 0xff52)
  /// The right arrow.
  public static let right = Key(rawValue: 0xff53)
  /// The down arrow.
  public static let down = Key(rawValue: 0xff54)
  /// Page up: back by what is visible at a time, or a large step up.
  public static let pageUp = Key(rawValue: 0xff55)
  /// Page down: on by what is visible at a time, or a large step down.
  public static let pageDown = Key(rawValue: 0xff56)
  /// End: the end of a line or list, the greatest value.
  public static let end = Key(rawValue: 0xff57)
  /// F8: with Alt it shows and hides a password.
  public static let f8 = Key(rawValue: 0xffc5)
  /// F11: by convention enters and leaves fullscreen.
  public static let f11 = Key(rawValue: 0xffc8)
  /// F12: by convention opens a developer's tools.
  public static let f12 = Key(rawValue: 0xffc9)
}

/// The modifiers held during a key event.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// One bit per modifier.
  public let rawValue: UInt8

  /// The modifiers of the bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift, on either side.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Control, on either side.
  public static let control = KeyModifiers(rawValue: 2)
  /// Alt. AltGr is no modifier here: the layout makes other characters of it.
  public static let alt = KeyModifiers(rawValue: 4)
  /// The key with the logo: Super, Windows or Command.
  public static let logo = KeyModifiers(rawValue: 8)
}

/// A change of one key. Every `down` is followed by exactly one `up` or `cancelled` of the same key.
public struct KeyEvent: Hashable, Sendable {
  /// The change of the key.
  public enum Phase: String, Hashable, Sendable {
    /// The key was pressed.
    case down
    /// The key is held and repeats at the compositor's rate.
    case repeated
    /// The key was released.
    case up
    /// The keyboard was removed or lost the focus while the key was held. End the key's action without triggering anything.
    case cancelled
  }

  /// The seat of the keyboard.
  public var seat: SeatID
  /// The change of the key.
  public var phase: Phase
  /// The key that changed.
  public var key: Key
  /// The text that the key types with its modifiers, or an empty string.
  public var text: String
  /// The other modifiers held.
  public var modifiers: KeyModifiers
  /// The device's timestamp, on the event's own clock; 0 if unknown.
  public var time: MonotonicTime
  /// The hand that made the event; nil if no device made it.
  public private(set) var hand: Hand?

  /// An event with all its values.
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

  /// An event made by `hand`, on the hand's seat.
  @_spi(Devices) public init(
    phase: Phase, key: Key, text: String, modifiers: KeyModifiers, time: MonotonicTime, hand: Hand
  ) {
    self.init(seat: hand.seat, phase: phase, key: key, text: text, modifiers: modifiers, time: time)
    self.hand = hand
  }
}

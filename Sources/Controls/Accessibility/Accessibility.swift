/// The part that a view plays for assistive technology such as a screen reader.
nonisolated public enum AccessibilityRole: String, CaseIterable, Hashable, Sendable {
  /// No role: the views inside are reported in the view's place.
  case none
  /// A message that must be noticed.
  case alert
  /// Something that is pressed.
  case button
  /// One of a few names.
  case choice
  /// A value that is turned.
  case dial
  /// A question or a task in front of everything else.
  case dialog
  /// Elements that belong together.
  case group
  /// The title of what follows.
  case heading
  /// A picture; the view's label says what it shows.
  case image
  /// A value that is only shown.
  case indicator
  /// A text that is only shown.
  case label
  /// Names of which one is chosen.
  case list
  /// A row of an open menu.
  case menuItem
  /// A number that is typed or stepped.
  case number
  /// A line of text that is edited and told to nobody.
  case passwordField
  /// A value on a track.
  case slider
  /// A box with a tick, which is on or off, or partly on.
  case checkBox
  /// Something that is on or off.
  case toggle
  /// A line of text that is edited.
  case textField
  /// Lines of text that are edited.
  case textView
}

/// A number with its limits, and its words.
nonisolated public struct AccessibilityValue: Hashable, Sendable {
  /// The present value, in the unit of `limits`.
  public var number: Double
  /// The least and the greatest number.
  public var limits: ClosedRange<Double>
  /// The distance between two numbers that can be chosen; 0 for any number.
  public var step: Double
  /// The number in words, such as "gear 7"; empty if the number is sufficient.
  public var text: String

  /// A number within `limits`. A number that is not finite counts as the lower limit.
  public init(_ number: Double, in limits: ClosedRange<Double>, step: Double = 0, text: String = "") {
    self.number = number.isFinite ? number : limits.lowerBound
    (self.limits, self.step, self.text) = (limits, step, text)
  }
}

/// A text as assistive technology reads it. Positions count Unicode scalars, as AT-SPI does.
nonisolated public struct AccessibilityText: Hashable, Sendable {
  /// The characters; those that an input method still composes are not among them.
  public var text: String
  /// The position of the caret; nil for a text without one.
  public var caret: Int?
  /// The selected range; empty for none.
  public var selection: Range<Int>
  /// True for a text that a user may change.
  public var isEditable: Bool

  /// A text, read-only unless `isEditable`.
  public init(_ text: String, caret: Int? = nil, selection: Range<Int> = 0..<0, isEditable: Bool = false) {
    (self.text, self.caret, self.selection, self.isEditable) = (text, caret, selection, isEditable)
  }
}

/// The layout of a view's `accessibilityText`, and its position.
public struct AccessibilityTextLayout {
  let composition: Range<Int>
  /// The area of bytes of UTF-8 of what is shown, and the byte of the character at a point, in the view's coordinates; nil if it is not
  /// shown.
  private let area: (Range<Int>) -> Rect?
  private let offset: (Point) -> Int?

  /// A layout whose top left corner is at `origin` of the view. `composition` is the range, in bytes of UTF-8 of the layout's
  /// text, that an input method composes and that is not yet in the text.
  public init(_ layout: TextLayout, at origin: Point, composition: Range<Int> = 0..<0) {
    self.init(composition: composition) {
      layout.area(ofUTF8: $0)?.offsetBy(dx: origin.x, dy: origin.y)
    } offset: {
      layout.utf8Offset(at: $0 - origin)
    }
  }

  /// The same of a text with several layouts.
  init(composition: Range<Int>, area: @escaping (Range<Int>) -> Rect?, offset: @escaping (Point) -> Int?) {
    (self.composition, self.area, self.offset) = (composition, area, offset)
  }

  /// The area of the scalars `places` of `text`, in the view's coordinates; nil if none of them is shown.
  package func area(of places: Range<Int>, in text: String) -> Rect? {
    let scalars = text.unicodeScalars
    func byte(_ place: Int) -> Int {
      let offset = scalars.prefix(place).reduce(0) { $0 + UTF8.width($1) }
      return offset >= composition.lowerBound ? offset + composition.count : offset
    }
    guard !places.isEmpty, places.lowerBound >= 0, places.upperBound <= scalars.count else { return nil }
    // Up to the end of the last character, which is not the beginning of the next if a composition lies between them.
    let last = scalars[scalars.index(scalars.startIndex, offsetBy: places.upperBound - 1)]
    let bytes = byte(places.lowerBound)..<byte(places.upperBound - 1) + UTF8.width(last)
    return area(bytes)
  }

  /// The scalar of `text` at `point` of the view; nil beside the text.
  package func place(at point: Point, in text: String) -> Int? {
    guard var byte = offset(point), !composition.contains(byte) else { return nil }
    if byte >= composition.upperBound { byte -= composition.count }
    guard let index = text.utf8.index(text.startIndex, offsetBy: byte, limitedBy: text.endIndex) else { return nil }
    return text.unicodeScalars.distance(from: text.startIndex, to: index)
  }
}

/// Something that assistive technology can have a view do.
public struct AccessibilityAction {
  /// The name in code, such as "press", unique among one view's actions.
  public let name: String
  /// The name for users.
  public let title: String
  /// Whether a disabled view carries it out too, as a brake does.
  public let isAlwaysAvailable: Bool
  let body: () throws(AccessibilityRefusal) -> Void

  /// An action; `body` throws if the view's rules forbid it.
  public init(
    _ name: String, title: String, isAlwaysAvailable: Bool = false,
    _ body: @escaping () throws(AccessibilityRefusal) -> Void
  ) {
    (self.name, self.title, self.isAlwaysAvailable, self.body) = (name, title, isAlwaysAvailable, body)
  }
}

/// A request by assistive technology, as data: it can be recorded, and judged before it is carried out.
nonisolated public enum AccessibilityCommand: Hashable, Sendable {
  /// Take this number as the value.
  case setValue(Double)
  /// Take this text as the value.
  case setText(String)
  /// Do what the action of this name does.
  case perform(String)
  /// Have keys go to the view.
  case focus
}

/// The reason why a request by assistive technology was refused, in the user's language.
nonisolated public struct AccessibilityRefusal: Error, Hashable, Sendable {
  /// One short sentence.
  public let reason: String

  /// A refusal for `reason`.
  public init(_ reason: String) { self.reason = reason }
}

/// The controls' texts in one language: those for assistive technology, and the rows of a text field's menu.
nonisolated public struct AccessibilityWords: Hashable, Sendable {
  /// Something that is on.
  public var on = "on"
  /// Something that is off.
  public var off = "off"
  /// The thumb of a range's beginning.
  public var lower = "from"
  /// The thumb of a range's end.
  public var upper = "to"
  /// The action of a button.
  public var press = "press"
  /// The button that goes back to the page before.
  public var back = "Back"
  /// The title bar's button that closes the window.
  public var closeWindow = "close"
  /// The title bar's button that maximises the window.
  public var maximizeWindow = "maximise"
  /// The title bar's button that gives the window its size from before.
  public var restoreWindow = "restore"
  /// The title bar's button that puts the window away.
  public var minimizeWindow = "minimise"
  /// The action of a switch.
  public var toggle = "toggle"
  /// The action that opens or closes a row.
  public var open = "open or close"
  /// The row of a field's menu that takes the selection away to the clipboard.
  public var cut = "Cut"
  /// The row that puts the selection on the clipboard.
  public var copy = "Copy"
  /// The row that replaces the selection by the clipboard's text.
  public var paste = "Paste"
  /// The row that selects the whole text.
  public var selectAll = "Select All"
  /// The button that shows a password while it is on.
  public var showPassword = "show the password"
  /// An on-screen keyboard, and its keys that type no character.
  public var keyboard = "keyboard"
  /// The key for upper case.
  public var shiftKey = "Shift"
  /// The key that removes what is before the caret.
  public var backspaceKey = "Backspace"
  /// The key that ends a line.
  public var returnKey = "Return"
  /// The key for a blank.
  public var spaceKey = "space"
  /// The key for the page of letters.
  public var letterKeys = "letters"
  /// The key for the page of digits and signs.
  public var symbolKeys = "digits and signs"
  /// The key for the page of further signs.
  public var moreKeys = "more signs"
  /// The key that puts the keyboard away.
  public var hideKeyboard = "hide the keyboard"
  /// Refuses anything of a control that is disabled.
  public var isDisabled = "It is disabled"
  /// Refuses anything of a view that is not shown.
  public var isHidden = "It is not shown"
  /// Refuses anything of a view behind one that has all input, such as a dialog.
  public var isBehind = "Something in front of it wants an answer first"
  /// Refuses what a view cannot do.
  public var isImpossible = "It cannot do that"
  /// Refuses a change of a control that a finger or key holds.
  public var isHeld = "A hand holds it"

  /// English.
  public init() {}

  /// The texts in the user's language; English unless the program sets others.
  @MainActor public static var current = AccessibilityWords()
}

/// A program's accessibility settings for one view; most views have none.
final class AccessibilityBox {
  var label: String?
  var isElement: Bool?
  var toolTip: String?
  /// The view that opened this one, inside which assistive technology finds it wherever it is shown.
  weak var opener: View?
  weak var opened: View?
}

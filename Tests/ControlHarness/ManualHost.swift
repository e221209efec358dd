/// A window without a screen. It records the requests that a test may check, and ignores all others.
public final class ManualHost: ForwardingHost {
  /// Always nil: nothing is forwarded.
  public let window: (any WindowHost)? = nil
  /// The current time; tests set it.
  public var now = MonotonicTime(nanoseconds: 1_000_000_000)
  /// The cursor image for each seat that has one.
  public private(set) var cursors: [SeatID: CursorShape] = [:]
  /// The time at which the content asked to be woken; nil if it did not ask.
  public internal(set) var wakeTime: MonotonicTime?
  /// True while the window is fullscreen; the content's requests are always granted.
  public private(set) var isFullscreen = false
  /// The text that was copied last; nil before the first.
  public private(set) var clipboard: String?
  /// Whether the window has a clipboard.
  public var hasClipboard = true
  /// The seats for which the content asked for the clipboard's text, in order.
  public private(set) var pasteRequests: [SeatID] = []
  /// The text that the content last reported to input methods; nil if there is no text.
  public private(set) var textInput: TextInputState?
  /// True once the content asked to close.
  public private(set) var isClosed = false

  /// A window whose clock shows one second.
  public init() {}

  /// Records the time.
  public func setWake(at time: MonotonicTime?) { wakeTime = time }

  /// Records the cursor image.
  public func setCursor(_ shape: CursorShape, for seat: SeatID) { cursors[seat] = shape }

  /// Grants the request.
  public func setFullscreen(_ fullscreen: Bool) { isFullscreen = fullscreen }

  /// Keeps the text and returns true, if there is a clipboard.
  public func setClipboard(_ text: String) -> Bool {
    if hasClipboard { clipboard = text }
    return hasClipboard
  }

  /// The text that was selected last.
  public private(set) var primarySelection: String?

  /// Keeps the text and returns true.
  public func setPrimarySelection(_ text: String) -> Bool {
    primarySelection = text
    return true
  }

  /// True if there is a clipboard and a text was copied.
  public func canPaste(for seat: SeatID) -> Bool { hasClipboard && clipboard != nil }

  /// Records the request; the test itself sends the text.
  public func requestPaste(for seat: SeatID) { pasteRequests.append(seat) }

  /// Records the text.
  public func setTextInput(_ state: TextInputState?) { textInput = state }

  /// Records that the content asked to close.
  public func close() { isClosed = true }

  /// Closes without asking the program.
  public func requestClose() { close() }
}

/// A window without a screen: it notes what a test may ask for, and does nothing about the rest.
public final class ManualHost: ForwardingHost {
  /// Always nil: nothing is forwarded.
  public let window: (any WindowHost)? = nil
  /// The time; tests move it.
  public var now = MonotonicTime(nanoseconds: 1_000_000_000)
  /// The pointer's picture for each seat that has one.
  public private(set) var cursors: [SeatID: CursorShape] = [:]
  /// The time at which the content wants to be woken.
  public internal(set) var wakeTime: MonotonicTime?
  /// True while the content believes to fill the screen.
  public private(set) var isFullscreen = false
  /// The text that was copied last.
  public private(set) var clipboard: String?
  /// False for a window without a clipboard.
  public var hasClipboard = true
  /// The seats for which the content asked for the clipboard's text, in order.
  public private(set) var pasteRequests: [SeatID] = []
  /// The text that input methods edit; nil without one.
  public private(set) var textInput: TextInputState?
  /// True once the content asked to close.
  public private(set) var isClosed = false

  /// A window at one second after the clock's start.
  public init() {}

  /// Notes the time.
  public func setWake(at time: MonotonicTime?) { wakeTime = time }

  /// Notes the picture.
  public func setCursor(_ shape: CursorShape, for seat: SeatID) { cursors[seat] = shape }

  /// Notes the wish as granted.
  public func setFullscreen(_ fullscreen: Bool) { isFullscreen = fullscreen }

  /// Keeps the text, if there is a clipboard.
  public func setClipboard(_ text: String) -> Bool {
    if hasClipboard { clipboard = text }
    return hasClipboard
  }

  /// True once a text was copied.
  public func canPaste(for seat: SeatID) -> Bool { hasClipboard && clipboard != nil }

  /// Notes the wish; a test sends the text.
  public func requestPaste(for seat: SeatID) { pasteRequests.append(seat) }

  /// Notes the text.
  public func setTextInput(_ state: TextInputState?) { textInput = state }

  /// Notes the wish.
  public func close() { isClosed = true }

  /// Closes without a question.
  public func requestClose() { close() }
}

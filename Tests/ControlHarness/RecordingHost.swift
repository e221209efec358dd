/// All members of `WindowHost`, so that a test can use each member on every host between a window and its content.
///
/// A new member of the protocol must be added here: `RecordingHost` does not compile until it implements the member, it can
/// record the call only by a case of this enumeration, and `use(on:)` must handle every case. So no test of all members can
/// omit one.
package enum HostMember: CaseIterable {
  case setWake, setCursor, now, isFullscreen, outputTransform, setFullscreen, close, requestClose
  case minimize, setMaximized, beginMove, beginResize, setClipboard, canPaste, requestPaste, setTextInput, showMenu
  case showPopup

  /// Uses the member of `host`, with recognisable arguments. Returns the result in words; an empty string for members without a
  /// result.
  package func use(on host: any WindowHost) -> String {
    let touch = TouchID(seat: SeatID(7), contact: .finger(3))
    switch self {
    case .setWake: host.setWake(at: MonotonicTime(nanoseconds: 77_000))
    case .setCursor: host.setCursor(.resizeFalling, for: SeatID(7))
    case .now: return "\(host.now)"
    case .isFullscreen: return "\(host.isFullscreen)"
    case .outputTransform: return "\(host.outputTransform)"
    case .setFullscreen: host.setFullscreen(true)
    case .close: host.close()
    case .requestClose: host.requestClose()
    case .minimize: host.minimize()
    case .setMaximized: host.setMaximized(true)
    case .beginMove: host.beginMove(by: touch)
    case .beginResize: host.beginResize(from: .bottomLeft, by: touch)
    case .setClipboard: return "\(host.setClipboard("a text"))"
    case .canPaste: return "\(host.canPaste(for: SeatID(7)))"
    case .requestPaste: host.requestPaste(for: SeatID(7))
    case .setTextInput:
      host.setTextInput(TextInputState(session: 7, text: "a text", caret: 3, anchor: 5, caretArea: .zero))
    case .showMenu: host.showMenu(at: Point(x: 11, y: 13), by: touch)
    case .showPopup:
      let place = PopupPlacement(anchor: Rect(x: 11, y: 13, width: 17, height: 19), size: Size(width: 23, height: 29))
      return "\(host.showPopup(RootView(), at: place, by: touch) != nil)"
    }
    return ""
  }
}

/// A window that records its calls, and returns values that no default would return.
package final class RecordingHost: WindowHost {
  /// One use of a member.
  package struct Call: Hashable {
    /// The member that was used.
    package let member: HostMember
    /// The arguments, in words.
    package let arguments: String
  }

  /// The calls in order; a test may remove earlier ones.
  package var calls: [Call] = []

  package init() {}

  private func note(_ member: HostMember, _ arguments: Any...) {
    calls.append(Call(member: member, arguments: arguments.map { "\($0)" }.joined(separator: " ")))
  }

  /// 42 seconds, which no clock shows at its start.
  package var now: MonotonicTime {
    note(.now)
    return MonotonicTime(nanoseconds: 42_000_000_000)
  }

  /// Always true.
  package var isFullscreen: Bool {
    note(.isFullscreen)
    return true
  }

  /// Always a quarter turn.
  package var outputTransform: OutputTransform {
    note(.outputTransform)
    return .turned90
  }

  package func setWake(at time: MonotonicTime?) { note(.setWake, time as Any) }
  package func setCursor(_ shape: CursorShape, for seat: SeatID) { note(.setCursor, shape, seat) }
  package func setFullscreen(_ fullscreen: Bool) { note(.setFullscreen, fullscreen) }
  package func close() { note(.close) }
  package func requestClose() { note(.requestClose) }
  package func minimize() { note(.minimize) }
  package func setMaximized(_ maximized: Bool) { note(.setMaximized, maximized) }
  package func beginMove(by touch: TouchID) { note(.beginMove, touch) }
  package func beginResize(from edge: WindowEdge, by touch: TouchID) { note(.beginResize, edge, touch) }
  /// Records the call and returns true.
  package func setClipboard(_ text: String) -> Bool {
    note(.setClipboard, text)
    return true
  }
  /// Records the call and returns true.
  package func canPaste(for seat: SeatID) -> Bool {
    note(.canPaste, seat)
    return true
  }
  package func requestPaste(for seat: SeatID) { note(.requestPaste, seat) }
  package func setTextInput(_ state: TextInputState?) { note(.setTextInput, state as Any) }
  /// Records the call and returns an invisible popup.
  package func showPopup(
    _ content: any WindowContent, at placement: PopupPlacement, by touch: TouchID?
  ) -> (any PopupWindow)? {
    note(.showPopup, placement, touch as Any)
    return RecordedPopup()
  }
  package func showMenu(at point: Point, by touch: TouchID) { note(.showMenu, point, touch) }
}

/// An invisible popup.
private final class RecordedPopup: PopupWindow {
  func move(to placement: PopupPlacement) -> Bool { true }
  func close() {}
}

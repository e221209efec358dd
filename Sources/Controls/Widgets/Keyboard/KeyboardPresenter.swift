/// Shows a `Keyboard` over a tree while a text is edited that a finger touched and that no other keyboard types into.
///
/// The keyboard is at the bottom, or at the top if it would lie over the text there, and never over what must stay clear. What it comes to
/// lie over is let go: fingers there are cancelled. It goes when the text loses the focus, by its own key, and as soon as an input method
/// answers.
///
///     let keyboard = KeyboardPresenter(in: root)
///     keyboard.language = .german
public final class KeyboardPresenter {
  /// The language of the letters.
  public var language = KeyboardLanguage.english { didSet { keyboard?.language = language } }
  /// False for a tree that shows no keyboard of its own.
  public var isEnabled = true { didSet { root?.setNeedsLayout() } }
  /// The areas of the window in which the keyboard may lie, the first is preferred; all of the window by default. Asked in each frame
  /// while it is needed.
  public var rooms: () -> [Rect]
  /// The areas over which it must not lie, besides the text; asked like `rooms`.
  public var keptClear: () -> [Rect] = { [] }
  /// Called once for a text beside which there is no room for a keyboard.
  public var onNoRoom: (() -> Void)?

  /// The keyboard while it is shown.
  public private(set) var keyboard: Keyboard?

  /// The widest keyboard, for two thumbs, in points.
  static let greatestWidth = 1000.0
  /// The space between text and keyboard, in points.
  static let margin = 4.0
  /// A text higher than this may be covered but for the line with the caret, in points.
  static let greatestTextHeight = 120.0

  private weak var root: RootView?
  private var following: ObservationToken?
  private var session: Int?
  private var isWanted = false
  private var hasNoRoom = false
  private var isAtTop = false

  /// A presenter for `root`, which must keep it.
  public init(in root: RootView) {
    self.root = root
    rooms = { [weak root] in root.map { [$0.bounds] } ?? [] }
    following = root.observeLayout { [unowned self] in follow() }
  }

  /// Called in each frame after layout, when the places of views are known.
  private func follow() {
    guard let root, let view = root.firstResponder, let state = view.textInputState else {
      (session, isWanted) = (nil, false)
      return close()
    }
    if state.session != session {
      session = state.session
      hasNoRoom = false
      if state.isByFinger { isWanted = true } else if keyboard == nil { isWanted = false }
    }
    guard isWanted, isEnabled, isLeftToUs(root) else { return close() }
    let layout = KeyboardLayout.of(language)
    // As high as the page for the text: other pages of it have no more rows, or lower ones.
    let rows = layout.rows(layout.page(for: state.purpose)).count
    let kept = (view.windowFrame.height > Self.greatestTextHeight ? state.caretArea : view.windowFrame)
    guard let place = place(rows: rows, beside: kept, in: root) else {
      if !hasNoRoom {
        hasNoRoom = true
        onNoRoom?()
      }
      return close()
    }
    show(at: place, in: root)
  }

  /// True if nobody else is known to type: no input method, or one that a window over everything hides and that has not answered.
  private func isLeftToUs(_ root: RootView) -> Bool {
    switch root.textService {
    case .none: true
    case .silent: root.host?.isFullscreen ?? false
    case .answering: false
    }
  }

  /// The first place that is free, at the edge where the keyboard is already if it can stay there; nil without one.
  private func place(rows: Int, beside text: Rect, in root: RootView) -> (frame: Rect, headroom: Double, isAtTop: Bool)?
  {
    let kept = root.keptInSight() + keptClear()
    let (wanted, least) = (
      KeyboardGeometry.height(rows: rows),
      KeyboardGeometry.height(rows: rows, rowHeight: KeyboardGeometry.leastRowHeight)
    )
    func place(in room: Rect, _ isAtTop: Bool, atLeast: Double) -> (Rect, Double, Bool)? {
      let text = text.intersection(room)
      let space = text.isEmpty ? room.height : isAtTop ? text.minY - room.minY : room.maxY - text.maxY
      let height = min(wanted, space - Self.margin).rounded(.down)
      guard height >= atLeast else { return nil }
      let width = min(room.width, Self.greatestWidth)
      let frame = Rect(
        x: (room.midX - width / 2).rounded(), y: isAtTop ? room.minY : room.maxY - height, width: width, height: height)
      guard !kept.contains(where: frame.intersects) else { return nil }
      // Letters that a long press offers may lie above it, not over the text or what is kept clear.
      let above = Rect(
        x: frame.minX, y: frame.minY - KeyboardGeometry.rowHeight, width: width, height: KeyboardGeometry.rowHeight)
      let isClear = !isAtTop && !(kept + [text]).contains(where: above.intersects)
      return (frame, isClear ? KeyboardGeometry.rowHeight : 0, isAtTop)
    }
    let edges = keyboard != nil && isAtTop ? [true, false] : [false, true]
    for room in rooms() {
      for height in [wanted, least] {
        for isAtTop in edges {
          if let found = place(in: room, isAtTop, atLeast: height) { return found }
        }
      }
    }
    return nil
  }

  private func show(at place: (frame: Rect, headroom: Double, isAtTop: Bool), in root: RootView) {
    let isNew = keyboard == nil
    let keyboard = self.keyboard ?? Keyboard()
    if isNew { keyboard.language = language }
    self.keyboard = keyboard
    isAtTop = place.isAtTop
    keyboard.headroom = place.headroom
    let isMoved = keyboard.frame != place.frame
    if isMoved { keyboard.frame = place.frame }
    if isNew { root.addSubview(keyboard) }
    guard isNew || isMoved else { return }
    keyboard.layoutIfNeeded()
    letGo(beneath: keyboard, in: root)
  }

  /// Cancels the fingers of views that the keyboard lies over: nobody sees any more what they hold.
  private func letGo(beneath keyboard: Keyboard, in root: RootView) {
    for touch in root.touchDispatcher.touches {
      guard let view = touch.view, view !== root, !view.isDescendant(of: keyboard) else { continue }
      if view.windowFrame.intersects(keyboard.frame) { root.inputLost(by: view, keepsFocus: true) }
    }
  }

  private func close() {
    guard let keyboard else { return }
    self.keyboard = nil
    keyboard.removeFromSuperview()
  }
}

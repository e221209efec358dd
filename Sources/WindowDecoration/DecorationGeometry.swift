/// The frames of a decoration's parts, in whole logical points from the corner of the drawn area.
nonisolated package struct DecorationGeometry: Hashable, Sendable {
  /// The height of the title bar and the width of its buttons: large enough for a finger.
  package static let barHeight = 44.0
  static let lineWidth = 1.0
  /// The width of the resize handles, which are outside the window.
  static let handleWidth = 14.0
  /// The distance along each side that still belongs to the corner's handle.
  static let cornerReach = 28.0
  static let cornerRadius = 10.0

  /// The size of the drawn area: the window and its handles.
  let size: Size
  let state: WindowState
  /// Whether the buttons are at the left, because the reading direction is right to left.
  var isMirrored = false

  /// The space that the title bar and the line take from the window; zero in fullscreen.
  var insets: EdgeInsets {
    guard !state.isFullscreen else { return .zero }
    var insets = atFreeSides(DecorationGeometry.lineWidth)
    insets.top = DecorationGeometry.barHeight
    return insets
  }

  /// The space of the handles outside the window.
  var overhang: EdgeInsets { atFreeSides(DecorationGeometry.handleWidth) }

  /// `width` at the sides that can be resized, 0 at the others.
  private func atFreeSides(_ width: Double) -> EdgeInsets {
    func inset(_ side: WindowEdge) -> Double { state.canResize(at: side) ? width : 0 }
    return EdgeInsets(top: inset(.top), left: inset(.left), bottom: inset(.bottom), right: inset(.right))
  }

  /// The frame of the window, without the handles.
  var window: Rect { Rect(origin: .zero, size: size).inset(by: overhang) }

  var content: Rect { window.inset(by: insets) }

  /// The title bar; empty if absent.
  var bar: Rect {
    let window = window
    return Rect(x: window.minX, y: window.minY, width: window.width, height: min(insets.top, window.height))
  }

  /// Whether each upper corner is round: only if both of its sides can be resized.
  var roundCorners: (left: Bool, right: Bool) {
    let isFree = state.canResize(at: .top)
    return (isFree && state.canResize(at: .left), isFree && state.canResize(at: .right))
  }

  /// The area where every pixel is opaque if the content is: the part of the window below its round corners.
  var opaqueArea: Rect {
    let window = window
    let corners = roundCorners
    let top = corners.left || corners.right ? DecorationGeometry.cornerRadius : 0
    return window.inset(by: EdgeInsets(top: min(top, window.height), left: 0, bottom: 0, right: 0))
  }

  /// The frames of the buttons in the title bar's coordinates, the outermost first.
  func buttons(_ count: Int) -> [Rect] {
    let side = DecorationGeometry.barHeight
    let bar = bar
    return (0..<count).map { index in
      let x = bar.width - Double(index + 1) * side
      return Rect(x: isMirrored ? bar.width - x - side : x, y: 0, width: side, height: bar.height)
    }
  }

  /// The frame of the title beside `count` buttons, in the title bar's coordinates. It is centred in the bar if that leaves it a
  /// width of at least 160 points.
  func title(besides count: Int) -> Rect {
    let taken = Double(count) * DecorationGeometry.barHeight
    let bar = bar
    let gap = 16.0
    // Equal space on both sides centres the title. If too little is left, only the buttons get space.
    if bar.width - 2 * taken >= 160 {
      return Rect(x: taken, y: 0, width: bar.width - 2 * taken, height: bar.height)
    }
    let width = max(bar.width - taken - gap, 0)
    return Rect(x: isMirrored ? taken : gap, y: 0, width: width, height: bar.height)
  }

  /// The side or corner by which a contact at `point` resizes the window; nil inside the window, and outside it at sides that
  /// cannot be resized. Each corner's handle extends along both of its sides. If only one of them can be resized, the corner's
  /// part belongs to that side.
  func edge(at point: Point) -> WindowEdge? {
    let window = window
    guard Rect(origin: .zero, size: size).contains(point), !window.contains(point) else { return nil }
    let reach = min(DecorationGeometry.cornerReach, window.width / 2, window.height / 2)
    let reachAcross = point.y < window.minY || point.y >= window.maxY ? reach : 0
    let reachDown = point.x < window.minX || point.x >= window.maxX ? reach : 0
    let sides: [(WindowEdge, isNear: Bool)] = [
      (.left, point.x < window.minX + reachAcross), (.right, point.x >= window.maxX - reachAcross),
      (.top, point.y < window.minY + reachDown), (.bottom, point.y >= window.maxY - reachDown),
    ]
    // A corner has the bits of its two sides.
    return WindowEdge(rawValue: sides.reduce(0) { $1.isNear && state.canResize(at: $1.0) ? $0 | $1.0.rawValue : $0 })
  }
}

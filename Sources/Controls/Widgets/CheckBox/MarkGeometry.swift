/// The parts of a row with a mark and a name, as check boxes and radio groups have: the mark at the leading side, the name beside it.
nonisolated struct MarkGeometry: Hashable, Sendable {
  /// The side of the mark, and the space between it and the name, in points.
  static let (side, spacing) = (22.0, 10.0)

  /// The square of the mark, and the place of the name.
  let mark: Rect, name: Rect

  /// The parts of a row at `place`.
  init(in place: Rect, direction: LayoutDirection) {
    let side = min(Self.side, place.width, place.height)
    let mark = Rect(x: place.minX, y: place.midY - side / 2, width: side, height: side)
    let start = side + Self.spacing
    let name = Rect(
      x: place.minX + start, y: place.minY, width: max(place.width - start, 0), height: place.height)
    // Mirrored in the row itself: what is left of it becomes what is right of it.
    let sum = place.minX + place.maxX
    (self.mark, self.name) = (direction.rect(mark, in: sum), direction.rect(name, in: sum))
  }

  /// The size of a row with a name of this size; at least 44 points high, so that a finger hits it.
  static func size(name: Size) -> Size {
    let width = name.width > 0 ? side + spacing + name.width.rounded(.up) : side
    return Size(width: width, height: max(name.height.rounded(.up), 44))
  }
}

/// Draws the marks of check boxes and radio groups.
struct MarkPainter {
  let theme: Theme
  /// The colour of a set mark; nil for the theme's.
  var color: Color?
  var isPressed = false

  /// Draws the ground of a mark: the path around it, filled if it is set, otherwise with a line along its edge.
  private func drawGround(isSet: Bool, _ canvas: Canvas, _ shape: (_ inset: Double) -> Path) {
    if isSet {
      canvas.fill(shape(0), color ?? theme.accent)
    } else {
      canvas.fill(shape(0), theme.panel)
      canvas.stroke(shape(0.75), theme.thumbOutline, width: 1.5)
    }
    guard isPressed else { return }
    canvas.fill(shape(0), theme.pressed)
    canvas.stroke(shape(1), isSet ? theme.label : theme.accent, width: 2)
  }

  /// A box with a tick or, if it is `isMixed`, a bar.
  func drawBox(in square: Rect, isSet: Bool, isMixed: Bool, on canvas: Canvas) {
    guard !square.isEmpty else { return }
    let square = canvas.onWholePixels(square)
    drawGround(isSet: isSet || isMixed, canvas) { inset in
      Path(roundedRect: square.insetBy(dx: inset, dy: inset), cornerRadius: max(square.width * 0.24 - inset, 0))
    }
    guard isSet || isMixed else { return }
    func point(_ x: Double, _ y: Double) -> Point {
      Point(x: square.minX + x * square.width, y: square.minY + y * square.height)
    }
    let points =
      isMixed ? [point(0.27, 0.5), point(0.73, 0.5)] : [point(0.25, 0.53), point(0.43, 0.71), point(0.76, 0.31)]
    canvas.stroke(
      Path(line: points), theme.onAccent, StrokeStyle(width: square.width * 0.11, cap: .round, join: .round))
  }

  /// A circle with a dot if it is set.
  func drawCircle(in square: Rect, isSet: Bool, on canvas: Canvas) {
    guard !square.isEmpty else { return }
    let radius = square.width / 2
    drawGround(isSet: isSet, canvas) { Path(circleAt: square.center, radius: radius - $0) }
    if isSet { canvas.fill(Path(circleAt: square.center, radius: radius * 0.4), theme.onAccent) }
  }
}

/// A view filled with colours that change along a line, from `startColor` to `endColor` or through any number of stops.
///
/// Every change, in code or from a file, shows in the next frame. A colour that is nil is clear.
@ListsProperties
public final class GradientView: View {
  /// The colour at the start of the line; nil is clear. Used while there are no `stops`.
  @Inspectable(.staticDisplay) public var startColor: Color?
  /// The colour at the end of the line; nil is clear. Used while there are no `stops`.
  @Inspectable(.staticDisplay) public var endColor: Color?
  /// The direction of the line in degrees, counter-clockwise: 0 is to the right, 90 upwards. 270, downwards, is the default. NaN
  /// and infinity are ignored.
  @Inspectable(.staticDisplay, isReported: true) public var angle = 270.0
  /// Whether the angle applies in the unit square, which is stretched over the view, or on the screen.
  @Inspectable(.staticDisplay, isReported: true) public var angleMode = GradientAngleMode.unitSquare

  /// The colours along the line, in any order, if two are not enough; if empty, `startColor` and `endColor` are used. A stop
  /// whose offset is NaN is left out.
  @Redraws(.staticDisplay) public var stops: [Gradient.Stop] = []

  /// Creates a view with two colours at `angle` degrees.
  public convenience init(frame: Rect = .zero, from startColor: Color?, to endColor: Color?, angle: Double = 270) {
    self.init(frame: frame)
    self.startColor = startColor
    self.endColor = endColor
    self.angle = angle
  }

  /// The stops to draw: `stops` or, if that is empty, `startColor` and `endColor`.
  var effectiveStops: [Gradient.Stop] {
    guard stops.isEmpty else { return stops.filter { !$0.offset.isNaN } }
    guard startColor != nil || endColor != nil else { return [] }
    return [.init(0, startColor ?? .clear), .init(1, endColor ?? .clear)]
  }

  // MARK: Drawing

  public override var hasStaticDrawing: Bool { true }

  public override var isStaticDrawingOpaque: Bool {
    let stops = effectiveStops
    return !stops.isEmpty && stops.allSatisfy { $0.color.alpha >= 1 }
  }

  public override func drawStatic(_ canvas: Canvas) {
    let stops = effectiveStops
    guard !stops.isEmpty, let geometry = GradientGeometry(angle: angle, mode: angleMode) else { return }
    let (start, end) = geometry.unitPoints(in: bounds.size)
    switch angleMode {
    case .unitSquare:
      // The gradient is drawn in the unit square and stretched with it.
      canvas.saved {
        canvas.scale(x: bounds.width, y: bounds.height)
        canvas.fill(.linear(from: start, to: end, stops: stops))
      }
    case .trueAngle:
      func place(_ point: Point) -> Point { Point(x: point.x * bounds.width, y: point.y * bounds.height) }
      canvas.fill(.linear(from: place(start), to: place(end), stops: stops))
    }
  }

  public override var inspection: Inspection {
    super.inspection.adding(["stops": .number(Double(effectiveStops.count))])
  }
}

/// The indicators of a scroll view: shown while it scrolls, and faded out a moment after.
final class ScrollIndicators {
  /// How thick a bar is, and how far from the edge, in points.
  static let thickness = 4.0
  static let margin = 3.0
  /// How long they stay, and how long they take to go.
  static let rest = Duration.milliseconds(700)
  static let fade = Duration.milliseconds(250)
  private static let fadeKey = "fade"

  private let vertical = ScrollIndicator()
  private let horizontal = ScrollIndicator()
  private var end: WakeUp?

  var views: [View] { [vertical, horizontal] }

  func setNeedsDisplay() {
    for view in views { view.setNeedsDisplay() }
  }

  /// The view came into a window, or left it.
  func moved(in view: ScrollView) {
    end?.cancel()
    end = nil
    if view.root != nil, vertical.alpha > 0 { flash(in: view) }
  }

  /// Puts the bars where `offset` says, on whole pixels.
  func place(
    _ model: ScrollModel, at offset: Point, _ shown: (vertical: Bool, horizontal: Bool), in view: ScrollView
  ) {
    let (bounds, margin, thickness) = (view.bounds, Self.margin, Self.thickness)
    let factor = view.root?.scale.factor ?? 1
    func round(_ value: Double) -> Double { (value * factor).rounded() / factor }
    // Where both may be seen the corner stays free.
    let both = model.scrollableAxes == .both ? thickness + margin : 0
    let isMirrored = view.effectiveLayoutDirection == .rightToLeft
    let track = Size(width: bounds.width - 2 * margin - both, height: bounds.height - 2 * margin - both)
    for bar in [vertical, horizontal] where bar.color != view.indicatorColor {
      bar.color = view.indicatorColor
      bar.setNeedsDisplay()
    }
    if shown.vertical, let place = model.indicator(.vertical, at: offset.y, length: track.height) {
      let x = isMirrored ? margin : bounds.width - margin - thickness
      vertical.frame = Rect(
        x: round(x), y: round(margin + place.start), width: thickness, height: round(place.length))
    } else {
      vertical.frame = .zero
    }
    if shown.horizontal, let place = model.indicator(.horizontal, at: offset.x, length: track.width) {
      let start = margin + place.start + (isMirrored ? both : 0)
      horizontal.frame = Rect(
        x: round(start), y: round(bounds.height - margin - thickness), width: round(place.length), height: thickness)
    } else {
      horizontal.frame = .zero
    }
  }

  /// Shows the bars for a while; without a window until the view comes into one.
  func flash(in view: ScrollView, for duration: Duration = rest) {
    for bar in views {
      bar.removeAnimation(forKey: Self.fadeKey)
      bar.alpha = 1
    }
    end?.cancel()
    end = view.root.map { root in
      root.wake(at: root.now + duration) { [weak self, weak view] in
        guard let self, let view, view.root != nil else { return }
        if view.isDragging || view.isDecelerating { flash(in: view, for: .milliseconds(100)) } else { fadeOut() }
      }
    }
  }

  private func fadeOut() {
    for bar in views {
      let animation = Animation(from: 1, to: 0, duration: Self.fade, curve: .easeOut)
      bar.addAnimation(animation, forKey: Self.fadeKey) { [weak bar] in bar?.alpha = $0 }
    }
  }
}

/// One bar.
final class ScrollIndicator: View {
  var color: Color?

  init() {
    super.init(frame: .zero)
    isUserInteractionEnabled = false
    alpha = 0
  }

  override func draw(_ canvas: Canvas) {
    let radius = min(bounds.width, bounds.height) / 2
    canvas.fill(Path(roundedRect: bounds, cornerRadius: radius), color ?? theme.label.withAlpha(0.45))
  }
}

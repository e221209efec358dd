/// The indicators of a scroll view: shown while it scrolls, and faded out a moment after.
final class ScrollIndicators {
  /// The thickness of a bar, and its distance from the edge, in points.
  static let thickness = 4.0
  static let margin = 3.0
  /// The time that the bars stay visible, and the duration of their fade.
  static let rest = Duration.milliseconds(700)
  static let fade = Duration.milliseconds(250)
  private static let fadeKey = "fade"

  private let vertical = ScrollIndicator(.vertical)
  private let horizontal = ScrollIndicator(.horizontal)
  private var end: WakeUp?

  var views: [View] { [vertical, horizontal] }

  func setNeedsDisplay() {
    for view in views { view.setNeedsDisplay() }
  }

  /// The view entered or left a window.
  func moved(in view: ScrollView) {
    end?.cancel()
    end = nil
    if view.root != nil, vertical.alpha > 0 { flash(in: view) }
  }

  /// Puts the bars of `view` where its offset says, on whole pixels.
  func place(_ model: ScrollModel, in view: ScrollView) {
    let (bounds, margin, thickness) = (view.bounds, Self.margin, Self.thickness)
    let factor = view.root?.scale.factor ?? 1
    // If both can be visible, the corner stays free.
    let both = model.scrollableAxes == .both ? thickness + margin : 0
    let isMirrored = view.effectiveLayoutDirection == .rightToLeft
    for bar in [vertical, horizontal] {
      let axis = bar.axis
      let isShown = axis == .vertical ? view.showsVerticalIndicator : view.showsHorizontalIndicator
      bar.color = view.indicatorColor
      let track = bounds.size[axis] - 2 * margin - both
      guard isShown, let place = model.indicator(axis, at: view.contentOffset[axis], length: track) else {
        bar.frame = .zero
        continue
      }
      // The free corner, and the edge with the vertical bar, are at the trailing side.
      let start = margin + place.start + (axis == .horizontal && isMirrored ? both : 0)
      let edge = axis == .vertical && isMirrored ? margin : bounds.size[axis.other] - margin - thickness
      let origin = Point { (($0 == axis ? start : edge) * factor).rounded() / factor }
      let length = (place.length * factor).rounded() / factor
      bar.frame = Rect(origin: origin, size: Size(length, along: axis, breadth: thickness))
    }
  }

  /// Shows the bars for a while; without a window, until the view enters one.
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

final class ScrollIndicator: View {
  let axis: Axis
  @Redraws var color: Color?

  init(_ axis: Axis) {
    self.axis = axis
    super.init(frame: .zero)
    isUserInteractionEnabled = false
    alpha = 0
  }

  override func draw(_ canvas: Canvas) {
    let radius = min(bounds.width, bounds.height) / 2
    canvas.fill(Path(roundedRect: bounds, cornerRadius: radius), color ?? theme.label.withAlpha(0.45))
  }
}

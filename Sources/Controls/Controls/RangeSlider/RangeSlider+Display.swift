extension RangeSlider {
  /// Where the parts lie in the current bounds.
  public var geometry: SliderGeometry {
    SliderGeometry(
      size: bounds.size, orientation: orientation, direction: effectiveLayoutDirection, insets: insets)
  }

  func syncGeometry() {
    let axis = geometry.axis
    if model.axis != axis { model.axis = axis }
  }

  /// Brings thumbs and bar to where the model has them.
  func placeParts() {
    syncGeometry()
    let geometry = geometry
    let now = SliderStretch(from: model.position(of: .lower), to: model.position(of: .upper))
    lowerThumb.place(geometry.thumb(at: now.from))
    upperThumb.place(geometry.thumb(at: now.to))
    guard now != shown else { return }
    shown = now
    setNeedsDisplay()
  }

  /// Lights what fingers hold: each thumb, or the bar (R11, O12); both thumbs, where code says that the control is held.
  func showHolds() {
    let isBar = model.holds.contains { $0.part == .bar }
    for thumb in RangeModel.Thumb.allCases {
      view(of: thumb).look.isHighlighted = model.isHeld(thumb) && !isBar || isHighlighted && !isTracking
    }
    guard isBar != isBarHighlighted else { return }
    isBarHighlighted = isBar
    setNeedsDisplay()
  }

  /// Gives both thumbs their look.
  func showThumbs() {
    for view in [lowerThumb, upperThumb] {
      view.look.color = thumbTintColor
      view.look.curvaceousness = curvaceousness
      view.look.isEnabled = isEnabled
      view.image = images[.thumb]
      view.pressedImage = images[.thumbPressed]
    }
  }

  var painter: SliderPainter {
    SliderPainter(theme: theme, isEnabled: isEnabled, curvaceousness: curvaceousness)
  }
}

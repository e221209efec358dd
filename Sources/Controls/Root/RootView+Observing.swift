extension RootView {
  /// Draws the tree in its present state on `pixels` for `observer`, view by view from the back to the front. Cached drawings stay
  /// unchanged.
  ///
  /// Calls `willDraw` before each view's calls with the view and its effective opacity, 0...1.
  package func draw(
    on pixels: ObservedPixels, for observer: any CanvasObserver, willDraw: (_ view: View, _ alpha: Double) -> Void
  ) {
    func add(_ view: View, alpha outer: Double, clip outerClip: Rect) {
      guard !view.isHidden, view.alpha > 0 else { return }
      let frame = view.windowFrame
      let clip = outerClip.intersection(frame)
      let innerClip = view.clipsSubviews ? clip : outerClip
      guard !innerClip.isEmpty else { return }
      let alpha = outer * view.alpha
      willDraw(view, alpha)
      let origin = frame.origin
      let transform = Transform.translation(x: origin.x, y: origin.y).then(.scale(x: scale.factor, y: scale.factor))
      pixels.draw(scale: scale, transform: transform, for: observer) { canvas in
        canvas.clip(to: clip.offsetBy(dx: -origin.x, dy: -origin.y))
        if let color = view.backgroundColor { canvas.fill(view.bounds, color) }
        if view.hasStaticDrawing { canvas.saved { view.drawStatic(canvas) } }
        view.draw(canvas)
      }
      for inner in view.subviews { add(inner, alpha: alpha, clip: innerClip) }
    }
    add(self, alpha: 1, clip: Rect(origin: .zero, size: bounds.size))
  }
}

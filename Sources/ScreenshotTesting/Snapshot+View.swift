nonisolated extension Snapshot {
  /// The largest picture that is taken, in pixels.
  static let maximumArea = 64_000_000
  /// The longest side of a picture that is taken, in pixels.
  static let maximumSide = 32_767
}

extension Snapshot {
  /// A picture of `view` under `conditions`, `time` after it was first shown; nil where there is nothing to draw or too much:
  /// no size, more than 64 million pixels, or more than 32,767 to a side.
  ///
  /// The view is shown by a root of its own, active and in front, with a frame for every sixtieth of a second of `time`;
  /// it is taken out of where it was. A `RootView` is its own root, and keeps its own background.
  /// `prepare` is called once the view is in its place and before the first frame: for a state that needs a tree, such as
  /// the focus.
  public init?(
    of view: View, _ conditions: ScreenshotConditions = .init(), time: Duration = .zero, prepare: () -> Void = {}
  ) {
    let size = Self.size(of: view, conditions)
    guard let size, Self.isUsable(size, conditions.scale) else { return nil }
    let root = view as? RootView ?? RootView()
    root.theme = conditions.theme
    root.layoutDirection = conditions.layoutDirection
    if root !== view {
      root.backgroundColor = conditions.background ?? conditions.theme.background
      view.frame = Rect(origin: .zero, size: size)
      root.addSubview(view)
    }
    root.resize(to: size, scale: conditions.scale)
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    prepare()
    Self.pass(time, on: root)
    self.init(garbage: conditions.scale.pixelSize(size))
    let all = Region(PixelRect(self.size))
    withBuffer { root.draw(all, into: $0) }
    if root !== view { view.removeFromSuperview() }
  }

  /// The size asked for, or the view's own, or what suits it.
  private static func size(of view: View, _ conditions: ScreenshotConditions) -> Size? {
    let size = conditions.size ?? (view.bounds.size.isEmpty ? view.fittingSize(in: view.bounds.size) : view.bounds.size)
    guard size.width.isFinite, size.height.isFinite, !size.isEmpty else { return nil }
    // A window is whole points large, and what sticks out would be cut off.
    return Size(width: size.width.rounded(.up), height: size.height.rounded(.up))
  }

  private static func isUsable(_ size: Size, _ scale: Scale) -> Bool {
    guard max(size.width, size.height) * scale.factor <= Double(maximumSide) else { return false }
    return scale.pixelSize(size).area <= maximumArea
  }

  private static func pass(_ time: Duration, on root: RootView) {
    let step = Duration.nanoseconds(16_666_667)
    var passed = Duration.zero
    // A root without a window is at the time of its last frame, and before the first one at zero.
    root.prepareFrame(for: .zero)
    while passed < time {
      passed = min(passed + step, time)
      root.prepareFrame(for: .zero + passed)
    }
  }
}

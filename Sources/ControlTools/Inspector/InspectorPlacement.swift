/// The frames of panel and scene: side by side if both fit, one below the other if that fits better, otherwise the panel over
/// half of the scene.
nonisolated public struct InspectorPlacement: Hashable, Sendable {
  /// The arrangement of the panel.
  public enum Kind: Hashable, Sendable {
    /// At the trailing side; the scene has the rest.
    case beside
    /// At the bottom; the scene has the rest.
    case below
    /// Over the scene, which has the whole window.
    case over
  }

  /// The arrangement of the panel.
  public let kind: Kind
  /// The frame of the scene.
  public let scene: Rect
  /// The frame of the panel.
  public let panel: Rect

  /// The least and the greatest width of a panel at the side, in points.
  static let widths = 320.0...420.0
  /// The least height of a panel at the bottom, in points.
  static let leastHeight = 300.0
  /// The least width of a panel over a scene, in points.
  static let leastWidth = 260.0

  /// Places panel and scene in a window of `size`, for a scene that needs at least `minimumScene`.
  public init(size: Size, minimumScene: Size, direction: LayoutDirection = .leftToRight) {
    let (width, height) = (max(size.width, 0), max(size.height, 0))
    let side = (width * 0.28).rounded().clamped(to: Self.widths)
    let bottom = max((height * 0.42).rounded(), Self.leastHeight)
    let (scene, panel): (Rect, Rect)
    if width - side >= minimumScene.width {
      kind = .beside
      scene = Rect(x: 0, y: 0, width: width - side, height: height)
      panel = Rect(x: width - side, y: 0, width: side, height: height)
    } else if height - bottom >= minimumScene.height {
      kind = .below
      scene = Rect(x: 0, y: 0, width: width, height: height - bottom)
      panel = Rect(x: 0, y: height - bottom, width: width, height: bottom)
    } else {
      kind = .over
      scene = Rect(x: 0, y: 0, width: width, height: height)
      if width >= height {
        let half = min(max((width / 2).rounded(), Self.leastWidth), width)
        panel = Rect(x: width - half, y: 0, width: half, height: height)
      } else {
        let half = (height / 2).rounded()
        panel = Rect(x: 0, y: height - half, width: width, height: half)
      }
    }
    self.scene = direction.rect(scene, in: width)
    self.panel = direction.rect(panel, in: width)
  }
}

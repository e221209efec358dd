import WaylandServer

/// A configure of a toplevel: a size in logical points (0: the client chooses) and states.
nonisolated public struct Configure: Hashable, Sendable {
  /// The width; 0 leaves it to the client.
  public var width: Int
  /// The height; 0 leaves it to the client.
  public var height: Int
  /// The states.
  public var states: Set<XdgToplevelResource.State>

  /// A configure of `width` x `height` points.
  public init(width: Int, height: Int, states: Set<XdgToplevelResource.State> = [.activated]) {
    self.width = width
    self.height = height
    self.states = states
  }

  /// True when the size is an order, not a hint.
  var isConstrained: Bool { states.contains(.fullscreen) || states.contains(.maximized) }
}

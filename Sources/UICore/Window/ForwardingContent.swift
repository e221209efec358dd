/// A content around a content. It forwards everything to `content` except the members that it declares itself.
@MainActor package protocol ForwardingContent: WindowContent {
  /// The content that takes what the window asks for.
  var content: any WindowContent { get }
}

extension ForwardingContent {
  package var host: (any WindowHost)? {
    get { content.host }
    set { content.host = newValue }
  }
  package var isOpaque: Bool { content.isOpaque }
  package var minimumSize: Size { content.minimumSize }
  package var inputArea: [Rect]? { content.inputArea }
  package var needsFrame: Bool { content.needsFrame }
  package var isAnimating: Bool { content.isAnimating }
  package func resize(to size: Size, scale: Scale) { content.resize(to: size, scale: scale) }
  package func handle(_ event: InputEvent) { content.handle(event) }
  package func handle(_ event: LifecycleEvent) { content.handle(event) }
  package func makeDecoration() -> (any WindowDecoration)? { content.makeDecoration() }
  package func handleWake(at time: MonotonicTime) { content.handleWake(at: time) }
  package func prepareFrame(for time: MonotonicTime) { content.prepareFrame(for: time) }
  package func takeDamage() -> Region { content.takeDamage() }
  package func draw(_ region: Region, into buffer: PixelBuffer) { content.draw(region, into: buffer) }
}

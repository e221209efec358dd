import Controls
import Testing

/// The test of what is damaged after a window changed its size.
@MainActor @Suite(.serialized) struct ResizeDamageTests {
  @Test func `damage that waits from before a resize doesn't reach outside of the new size`() {
    let root = RootView(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    root.resize(to: Size(width: 200, height: 100), scale: .one)
    let view = View(frame: Rect(x: 150, y: 50, width: 50, height: 50))
    root.addSubview(view)
    view.backgroundColor = .white
    root.resize(to: Size(width: 100, height: 60), scale: .one)
    root.prepareFrame(for: .zero)
    let damage = root.takeDamage()
    #expect(damage.rects == [PixelRect(x: 0, y: 0, width: 100, height: 60)])
  }
}

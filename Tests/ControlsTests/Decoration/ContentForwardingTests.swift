import DebugOverlay
import Testing
import UICore

@testable import Controls
@testable import WindowDecoration

/// Every member of `WindowContent`, those with a default too: a test uses each of them on a content that is between a window and
/// its content.
private enum ContentMember: CaseIterable {
  case isOpaque, minimumSize, needsFrame, isAnimating, resize, input, life, wake, prepareFrame, takeDamage, draw

  /// Uses the member of `content`, with arguments that are like no other's; the answer in words.
  @MainActor func use(on content: any WindowContent) -> String {
    switch self {
    case .isOpaque: return "\(content.isOpaque)"
    case .minimumSize: return "\(content.minimumSize)"
    case .needsFrame: return "\(content.needsFrame)"
    case .isAnimating: return "\(content.isAnimating)"
    case .resize: content.resize(to: Size(width: 31, height: 17), scale: Scale(2))
    case .input: content.handle(.lost(InputLoss(.screenTurned)))
    case .life: content.handle(.didEnterBackground)
    case .wake: content.handleWake(at: MonotonicTime(nanoseconds: 77_000))
    case .prepareFrame: content.prepareFrame(for: MonotonicTime(nanoseconds: 78_000))
    case .takeDamage: return "\(content.takeDamage().rects)"
    case .draw:
      var memory = [UInt8](repeating: 0, count: 62 * 34 * 4)
      memory.withUnsafeMutableBytes {
        content.draw(
          Region(PixelRect(x: 1, y: 2, width: 3, height: 4)),
          into: PixelBuffer(size: PixelSize(width: 62, height: 34), stride: 62 * 4, bytes: $0))
      }
    }
    return ""
  }
}

/// Notes its calls, and gives answers that no default would give.
@MainActor private final class RecordingContent: WindowContent {
  weak var host: (any WindowHost)?
  var calls: [String] = []
  var inputArea: [Rect]?
  let isOpaque = true
  let minimumSize = Size(width: 701, height: 503)
  let needsFrame = true
  let isAnimating = true

  func resize(to size: Size, scale: Scale) { calls.append("resize \(size) \(scale)") }
  func handle(_ event: InputEvent) { calls.append("input \(event)") }
  func handle(_ event: LifecycleEvent) { calls.append("life \(event)") }
  func makeDecoration() -> (any WindowDecoration)? { nil }
  func handleWake(at time: MonotonicTime) { calls.append("wake \(time)") }
  func prepareFrame(for time: MonotonicTime) { calls.append("frame \(time)") }

  func takeDamage() -> Region {
    calls.append("damage")
    return Region(PixelRect(x: 5, y: 6, width: 7, height: 8))
  }

  func draw(_ region: Region, into buffer: PixelBuffer) { calls.append("draw \(region.rects) \(buffer.size)") }
}

/// The test that nothing which a window asks of its content is lost in the frame around that.
@MainActor @Suite(.serialized) struct ContentForwardingTests {
  @Test(arguments: ContentMember.allCases)
  private func `a window reaches every member of a content in the program's own frame`(member: ContentMember) throws {
    let direct = RecordingContent()
    let answer = member.use(on: direct)
    let content = RecordingContent()
    let framed = DecoratedContent(content, looksOf: RootView())
    // Fullscreen nothing lies around the content, so that places are the window's.
    framed.state.isFullscreen = true
    framed.resize(to: Size(width: 31, height: 17), scale: Scale(2))
    _ = framed.takeDamage()
    framed.setWake(at: MonotonicTime(nanoseconds: 77_000))
    content.calls = []
    let told = member.use(on: framed)
    #expect(content.calls == direct.calls)
    // The frame has a least size of its own, and draws what changed around the content too.
    switch member {
    case .minimumSize: #expect(framed.minimumSize.width > 701 && framed.minimumSize.height > 503)
    case .takeDamage: #expect(told.contains("5") && told.contains("8"))
    default: #expect(told == answer)
    }
  }

  @Test(arguments: ContentMember.allCases)
  private func `a window reaches every member of a content under marks`(member: ContentMember) throws {
    let (direct, content) = (RecordingContent(), RecordingContent())
    let marked = try #require(OverlaidContent(content, kinds: [.touches]) { .zero })
    marked.resize(to: Size(width: 31, height: 17), scale: Scale(2))
    content.calls = []
    #expect(member.use(on: marked) == member.use(on: direct))
    #expect(content.calls == direct.calls && marked.host == nil && marked.makeDecoration() == nil)
  }
}

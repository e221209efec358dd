import ControlHarness
import Testing

@testable import Controls
@testable import WindowDecoration

/// The test that nothing which content asks of its window is lost in the frame around it.
@MainActor @Suite(.serialized) struct HostForwardingTests {
  @Test(arguments: HostMember.allCases)
  func `content in the program's own frame reaches every member of its window`(member: HostMember) throws {
    let direct = RecordingHost()
    let answer = member.use(on: direct)
    #expect(direct.calls.map(\.member) == [member])
    let content = DecoratedRootView()
    let framed = try #require(content.makeDecoration() as? DecoratedContent)
    // Fullscreen nothing lies around the content, so that places are the window's.
    framed.state.isFullscreen = true
    let window = RecordingHost()
    framed.host = window
    let host = try #require(content.host)
    window.calls = []
    #expect(member.use(on: host) == answer)
    #expect(window.calls == direct.calls)
    framed.host = nil
    #expect(content.host == nil)
    window.calls = []
    _ = member.use(on: host)
    #expect(window.calls.isEmpty, "without a window nobody is asked")
  }
}

import ControlHarness
import Testing

@testable import Controls

/// The test that nothing which content asks of its window is lost in the frame around it.
@MainActor @Suite(.serialized) struct HostForwardingTests {
  @Test(arguments: HostMember.allCases)
  func `content in the program's own frame reaches every member of its window`(member: HostMember) throws {
    let direct = RecordingHost()
    let answer = member.use(on: direct)
    #expect(direct.calls.map(\.member) == [member])
    let content = RootView()
    let framed = try #require(content.makeDecoration() as? DecoratedContent)
    // Fullscreen nothing lies around the content, so that places are the window's.
    framed.state.isFullscreen = true
    let window = RecordingHost()
    framed.host = window
    for tree in [content, framed.decoration] {
      let host = try #require(tree.host)
      window.calls = []
      #expect(member.use(on: host) == answer)
      #expect(window.calls == direct.calls)
    }
    window.calls = []
    framed.host = nil
    _ = member.use(on: DecorationHost(framed) { .zero })
    #expect(window.calls.allSatisfy { $0.member == .setWake }, "without a window nobody is asked")
  }
}

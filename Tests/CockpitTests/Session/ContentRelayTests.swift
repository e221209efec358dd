import ControlHarness
import Testing

@testable import cockpit

/// The test that nothing which the scene asks of its window is lost on the way.
@MainActor @Suite(.serialized) struct ContentRelayTests {
  @Test(arguments: HostMember.allCases)
  func `the scene reaches every member of its window`(member: HostMember) throws {
    let direct = RecordingHost()
    let answer = member.use(on: direct)
    let relay = ContentRelay(scene: CockpitScene())
    let window = RecordingHost()
    relay.host = window
    let host = try #require(relay.scene.host)
    window.calls = []
    #expect(member.use(on: host) == answer)
    #expect(window.calls == direct.calls)
  }
}

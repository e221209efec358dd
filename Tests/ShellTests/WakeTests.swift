import Shell
import Stage
import Testing
import UICore

/// Waking the content at a time that it asked for, without frames.
@MainActor @Suite(.serialized) struct WakeTests {
  @Test func `content is woken once at its time, and nothing is drawn for it`() throws {
    try play { show in
      show.calm()
      let host = try #require(show.content.host)
      let due = host.now + .seconds(1)
      host.setWake(at: due)
      show.pass(.milliseconds(900))
      #expect(show.content.wakes.isEmpty)
      show.pass(.milliseconds(200))
      #expect(show.content.wakes.count == 1 && show.content.wakes.allSatisfy { $0 >= due })
      show.pass(.seconds(5))
      #expect(show.content.wakes.count == 1 && show.surface.commits.isEmpty && show.content.drawn.isEmpty)
    }
  }

  @Test func `the last wish counts, and none is none`() throws {
    try play { show in
      show.calm()
      let host = try #require(show.content.host)
      host.setWake(at: host.now + .seconds(1))
      host.setWake(at: host.now + .seconds(3))
      show.pass(.seconds(2))
      #expect(show.content.wakes.isEmpty)
      show.pass(.seconds(2))
      #expect(show.content.wakes.count == 1)
      host.setWake(at: host.now + .seconds(1))
      host.setWake(at: nil)
      show.pass(.seconds(2))
      #expect(show.content.wakes.count == 1)
    }
  }

  @Test func `a closed window wakes nobody`() throws {
    try play { show in
      show.calm()
      let host = try #require(show.content.host)
      host.setWake(at: host.now + .seconds(1))
      host.close()
      show.pass(.seconds(2))
      #expect(show.content.wakes.isEmpty)
    }
  }
}

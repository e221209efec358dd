import ClientProtocols
import Stage
import Testing
import UICore
import Wayland

/// Sessions of applications: what a later run gets back.
@MainActor @Suite(.serialized) struct AppSessionTests {
  private let stage = Stage(globals: .desktop)

  @Test func `a window comes back with its size and state, told before its first configure`() throws {
    let first = try RuleActor(stage)
    let (session, id) = try first.session()
    let window = first.keep(try RawWindow(first.client))
    first.keep(session.restoreToplevel(toplevel: window.toplevel, name: "main"))
    window.surface.commit()
    first.settle()
    window.ack()
    window.show(try first.buffer(60, 40))
    stage.toplevel.configure(90, 50, [.activated, .maximized])
    first.settle()
    window.ack()
    window.show(try first.buffer(90, 50))
    #expect(stage.appSessions.first?.windows == ["main"])
    let known = try #require(id())
    window.end()
    first.client.close()
    #expect(stage.appSessions.isEmpty)

    let second = try RuleActor(stage)
    let again = second.keep(try second.global(XdgSessionManagerV1.self).getSession(reason: .launch, sessionId: known))
    var events: [String] = []
    again.onEvent = { events.append("\($0)") }
    let other = second.keep(try RawWindow(second.client))
    let restored = second.keep(again.restoreToplevel(toplevel: other.toplevel, name: "main"))
    restored.onEvent = { _ in events.append("window, before \(other.serials.count)") }
    other.surface.commit()
    second.settle()
    #expect(events == ["restored", "window, before 0"] && other.sizes == [PixelSize(width: 90, height: 50)])
    #expect(stage.toplevel.configured?.states == [.activated, .maximized])
    #expect(stage.violations.filter { $0.rule != .objectsLeft } == [])
  }

  @Test func `another client takes a session over, and a removed one is new again`() throws {
    let first = try RuleActor(stage)
    let (session, id) = try first.session()
    let known = try #require(id())
    var isReplaced = false
    session.onEvent = { if case .replaced = $0 { isReplaced = true } }
    let second = try RuleActor(stage)
    let taken = second.keep(try second.global(XdgSessionManagerV1.self).getSession(reason: .recover, sessionId: known))
    second.settle()
    first.settle()
    #expect(isReplaced && stage.appSessions.count == 1)
    taken.remove()
    second.settle()
    let third = second.keep(try second.global(XdgSessionManagerV1.self).getSession(reason: .launch, sessionId: known))
    var events: [String] = []
    third.onEvent = { if case .created(let text) = $0 { events.append(text) } }
    second.settle()
    #expect(events.count == 1 && events.first != known && stage.violations == [])
  }
}

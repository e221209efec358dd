import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// Clients that misbehave with configures and sizes: each check catches just its own.
@MainActor @Suite(.serialized) struct HandshakeMisbehaviourTests {
  private func rules(_ stage: Stage) -> [Violation.Rule] { stage.violations.map(\.rule) }

  /// The stage ended its client by this error.
  private func expectEnd(of stage: Stage, _ interface: String, code: UInt32) {
    guard case .protocolError(let named, let given, _) = stage.clients.first?.end, named == interface, given == code
    else {
      Issue.record("ended by \(String(describing: stage.clients.first?.end))")
      return
    }
  }

  @Test func `a buffer before the first configure`() throws {
    let stage = Stage()
    stage.initialConfigure = nil
    let client = try RawClient(stage)
    let window = try RawWindow(client)
    window.show(try RawBuffer(client, 8, 8))
    #expect(rules(stage) == [.bufferBeforeConfigure])
    expectEnd(of: stage, "xdg_surface", code: 3)
  }

  @Test func `a buffer after a configure that was not acknowledged`() throws {
    let stage = Stage()
    let client = try RawClient(stage)
    let window = try RawWindow(client)
    window.surface.commit()
    client.settle()
    window.show(try RawBuffer(client, 8, 8))
    #expect(rules(stage) == [.bufferBeforeConfigure])
  }

  @Test func `an acknowledged serial that was never sent, or was passed over`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    window.xdg.ackConfigure(serial: 4711)
    window.client.settle()
    #expect(rules(stage) == [.unknownSerial])

    let second = Stage()
    let other = try RawClient(second)
    let late = try RawWindow.configured(other)
    late.surface.commit()
    second.toplevel.configure(10, 10)
    second.toplevel.configure(20, 20)
    other.settle()
    late.ack()
    late.xdg.ackConfigure(serial: late.serials[1])
    other.settle()
    #expect(rules(second) == [.unknownSerial])
  }

  @Test func `an acknowledgement without a commit`() throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 8, 8)
    stage.toplevel.configure(8, 8)
    window.client.settle()
    window.ack()
    window.client.settle()
    #expect(rules(stage) == [.ackWithoutCommit])
  }

  @Test func `a configure that is never answered`() throws {
    let stage = Stage()
    let window = try RawWindow.shown(on: stage, 8, 8)
    stage.toplevel.configure(8, 8)
    window.client.settle()
    #expect(stage.finish().map(\.rule) == [.configureUnanswered])
    #expect(window.serials.count == 2)
  }

  @Test(arguments: [StageToplevel.State.fullscreen, .maximized])
  func `a size that is not the configured one`(state: StageToplevel.State) throws {
    let stage = Stage()
    stage.initialConfigure = Configure(width: 20, height: 10, states: [state])
    let client = try RawClient(stage)
    let window = try RawWindow.configured(client)
    window.show(try RawBuffer(client, 20, 11))
    #expect(rules(stage) == [.wrongSize])
    expectEnd(of: stage, "xdg_wm_base", code: 4)
  }

  @Test func `a floating window that is not as large as it was told, unless it says that it can't be so small`() throws
  {
    let stage = Stage()
    stage.initialConfigure = Configure(width: 20, height: 10)
    let window = try RawWindow.configured(on: stage)
    window.toplevel.setMinSize(width: 24, height: 4)
    window.show(try RawBuffer(window.client, 24, 10))
    #expect(rules(stage) == [])
    window.show(try RawBuffer(window.client, 25, 10))
    #expect(rules(stage) == [.wrongSize])
  }

  @Test(arguments: [StageToplevel.State.fullscreen, .resizing])
  func `a window that is fullscreen or being resized may be smaller than configured, not larger`(
    state: StageToplevel.State
  ) throws {
    let stage = Stage()
    stage.initialConfigure = Configure(width: 20, height: 10, states: [state])
    let window = try RawWindow.configured(on: stage)
    window.show(try RawBuffer(window.client, 20, 9))
    #expect(rules(stage) == [])
    window.show(try RawBuffer(window.client, 21, 9))
    #expect(rules(stage) == [.wrongSize])
  }

  @Test func `a buffer that its scale does not divide`() throws {
    let stage = Stage()
    let window = try RawWindow.configured(on: stage)
    window.surface.setBufferScale(scale: 2)
    window.show(try RawBuffer(window.client, 7, 8))
    #expect(rules(stage) == [.bufferNotDivisible])
  }
}

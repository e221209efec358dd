import Stage
import Testing
import UICore
import Wayland
import WaylandServer

/// Each rule finds the client that breaks it, names the request, and accepts the same client without the error.
@MainActor @Suite(.serialized) struct RuleTests {
  /// Rules that no single request breaks, or that libwayland applies before the stage sees the request.
  private let withoutRequest: Set<Violation.Rule> = [
    .heldBufferWritten, .iconWritten, .removalUnacknowledged, .pingUnanswered, .ackWithoutCommit, .configureUnanswered,
    .invalidRequest, .messageTooLong,
    .unreadEvents, .objectsLeft, .memoryLeft,
  ]
  /// Rules with a protocol error that is the compositor's choice.
  private let withoutEnd: Set<Violation.Rule> = [.pingUnanswered]

  @Test(arguments: Violation.Rule.allCases)
  func `a client that breaks the rule is found, and its error is that of the specification`(rule: Violation.Rule) throws
  {
    let actor = try play(rule, isBroken: true)
    let violations = actor.stage.violations
    #expect(violations.map(\.rule) == [rule], "\(violations)")
    #expect((violations.first?.request == nil) == withoutRequest.contains(rule), "\(violations)")
    if let request = violations.first?.request {
      #expect(request.number > 1 && request.object > 0, "\(request)")
    }
    guard let error = rule.error, !withoutEnd.contains(rule) else { return }
    guard case .protocolError(_, let code, let message) = actor.stage.clients.last?.end else {
      Issue.record("ended by \(String(describing: actor.stage.clients.last?.end))")
      return
    }
    #expect(code == error.code)
    #expect(message.hasPrefix("\(rule.rawValue): "))
  }

  @Test(arguments: Violation.Rule.allCases)
  func `a client that obeys the rule is not accused`(rule: Violation.Rule) throws {
    let actor = try play(rule, isBroken: false)
    #expect(actor.stage.violations == [])
  }

  private func play(_ rule: Violation.Rule, isBroken: Bool) throws -> RuleActor {
    let scene = try #require(RuleScene.all[rule], "no client breaks it")
    let actor = try RuleActor(Stage(globals: .desktop, capabilities: scene.capabilities))
    try scene.play(actor, isBroken)
    actor.settle()
    return actor
  }

  @Test func `the table has a row for each rule, in order`() {
    let rows = Violation.Rule.table.split(separator: "\n")
    #expect(rows.prefix(2) == ["| rule | protocol error | what a client must do |", "|---|---|---|"])
    #expect(rows.dropFirst(2).count == Violation.Rule.allCases.count)
    for (row, rule) in zip(rows.dropFirst(2), Violation.Rule.allCases) {
      let error = rule.error.map { "`\($0.name)` (\($0.code))" } ?? ""
      #expect(row == "| `\(rule.rawValue)` | \(error) | \(rule.sentence) |")
    }
  }

  @Test func `a violation names the rule, the request with its number, and the object`() throws {
    let actor = try RuleActor(Stage())
    let surface = try actor.surface()
    surface.setBufferScale(scale: -3)
    actor.settle()
    let violation = try #require(actor.stage.violations.first)
    let request = try #require(violation.request)
    // The registry, five globals, the surface and this one.
    #expect(request.interface == "wl_surface" && request.name == "set_buffer_scale" && request.number == 8)
    #expect(
      violation.description
        == "invalidScale: a buffer scale of -3 (request 8, wl_surface@\(request.object).set_buffer_scale)")
  }
}

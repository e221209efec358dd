import CompositorLab
import Shell
import Testing

@testable import DBus

/// A private message bus, and the event loop of its connections.
@MainActor final class PrivateBus {
  let loop = EventLoop()
  let portal: FakePortal

  init() throws { portal = try FakePortal(hasPortal: false) }

  func connect() throws -> BusConnection { try #require(BusConnection(to: portal.address, loop: loop)) }

  /// Runs event-loop iterations until `condition` holds; returns false after ten seconds.
  func wait(until condition: () -> Bool) -> Bool {
    portal.wait(turn: { loop.turn(waits: false) }, until: condition)
  }

  /// The name that the bus gave to a connection.
  func name(of connection: BusConnection) throws -> String {
    var name: String?
    connection.askBus { name = try? $0.get().receiver }
    #expect(wait { name != nil })
    return try #require(name)
  }

  /// Returns the answer to a call of `member` at "/test", as text: its signature, or the name of the error.
  func answer(
    from server: String, to client: BusConnection, _ interface: String, _ member: String, _ arguments: some BusType
  ) throws -> String {
    var answer: String?
    client.call(server, "/test", interface, member, arguments) {
      switch $0 {
      case .success(let reader): answer = reader.signature
      case .failure(let error): answer = error.name.rawValue
      }
    }
    #expect(wait { answer != nil })
    return try #require(answer)
  }
}

extension BusConnection {
  /// Calls a method of the bus itself.
  func askBus(_ answer: @escaping (Result<BusReader, BusError>) -> Void) {
    call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", answer: answer)
  }
}

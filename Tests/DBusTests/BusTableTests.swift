import CompositorLab
import Testing

@testable import DBus

/// Calls that a table answers, over a private bus.
@MainActor @Suite(.serialized, .enabled(if: FakePortal.missingPrograms.isEmpty, "dbus-daemon is not installed"))
struct BusTableTests {
  /// An object with a property that can be set, and maybe a part with an interface of its own.
  private final class Thing {
    var number = 7
    var part: Int?
    var calls: [String] = []
  }

  private static let table = BusTable<Thing>([
    BusInterface("test.Thing") { table in
      table.property("Number", { $0.number }, set: { $0.number = $1 })
      table.property("Name") { _ in "thing" }
      table.property("Scale") { $0.part.map { Double($0) } }
      table.method("Nothing") { $0.calls.append("Nothing") }
      table.method("Add") { (thing, first: Int, second: Int) in first + second + thing.number }
      table.method("Pair") { (_, text: String) in (text, BusDictionary([(key: text, value: UInt32(1))])) }
      table.method("Place") { _ in [BusStruct("a", ObjectPath("/a"))] }
      table.method("Refuse") { _ throws(BusError) -> Bool in throw BusError(.failed, "never") }
      table.method("Broken") { _ in BusStruct("a", ObjectPath("no path")) }
    },
    BusInterface<Int>("test.Part") { table in
      table.property("Value") { $0 }
      table.method("Double") { $0 * 2 }
    }.of(\.part),
  ])
  private static let properties = "org.freedesktop.DBus.Properties"

  private let bus: PrivateBus
  private let server: BusConnection
  private let client: BusConnection
  private let name: String
  private let thing = Thing()

  init() throws {
    bus = try PrivateBus()
    (server, client) = (try bus.connect(), try bus.connect())
    name = try bus.name(of: server)
    // A bus drops a connection that has not said who it is within its limit, and other tests may run before the first call.
    _ = try bus.name(of: client)
    server.serve("/test") { [thing] in Self.table.answer($0, by: thing) }
  }

  /// The answer to a call with zeros of the types `input`: its signature, or the name of the error.
  private func answer(_ interface: String, _ member: String, _ input: String = "") throws -> String {
    try bus.answer(from: name, to: client, interface, member, ZeroArguments(input))
  }

  /// The answer to a call; nil for an error.
  private func call<each Value: BusType, Answer>(
    _ interface: String, _ member: String, _ arguments: repeat each Value, read: @escaping (BusReader) -> Answer?
  ) -> Answer? {
    var answer: Result<Answer?, BusError>?
    client.call(name, "/test", interface, member, repeat each arguments) { answer = $0.map { read($0) } }
    #expect(bus.wait { answer != nil })
    return (try? answer?.get()) ?? nil
  }

  @Test func `a handler's types are its signature, and its answer has it`() throws {
    let rows = Self.table.interfaces[0].methods.map { "\($0.name) \($0.input) -> \($0.output)" }
    #expect(
      rows == [
        "Nothing  -> ", "Add ii -> i", "Pair s -> sa{su}", "Place  -> a(so)", "Refuse  -> b", "Broken  -> (so)",
      ])
    for row in Self.table.interfaces[0].methods where !["Refuse", "Broken"].contains(row.name) {
      #expect(try answer("test.Thing", row.name, row.input) == row.output, "\(row.name)")
    }
    #expect(thing.calls == ["Nothing"])
    #expect(call("test.Thing", "Add", 1, -2) { $0.read(Int.self) } == 6)
    let pair = call("test.Thing", "Pair", "x") { reader -> String? in
      guard let text: String = reader.read(), let pairs: BusDictionary<String, UInt32> = reader.read() else {
        return nil
      }
      return "\(text) \(pairs.entries)"
    }
    #expect(pair == #"x [(key: "x", value: 1)]"#)
    let places = call("test.Thing", "Place") { $0.read([BusStruct<String, ObjectPath>].self) }
    #expect(places?.map(\.fields.1.path) == ["/a"])
  }

  @Test func `unknown methods and interfaces, and methods of a part that the object lacks, are errors`() throws {
    let unknown = BusError.Name.unknownMethod.rawValue
    #expect(try answer("test.Thing", "Subtract") == unknown)
    #expect(try answer("test.Other", "Add", "ii") == unknown)
    #expect(try answer(Self.properties, "Forget", "s") == unknown)
    #expect(try answer("test.Part", "Double") == unknown)
    thing.part = 4
    #expect(call("test.Part", "Double") { $0.read(Int.self) } == 8)
  }

  @Test func `arguments of another signature are an error, and the handler doesn't run`() throws {
    let invalid = BusError.Name.invalidArguments.rawValue
    for input in ["", "i", "iii", "iu", "si"] { #expect(try answer("test.Thing", "Add", input) == invalid, "\(input)") }
    #expect(try answer("test.Thing", "Nothing", "b") == invalid && thing.calls.isEmpty)
    #expect(try answer(Self.properties, "Get", "s") == invalid)
  }

  @Test func `an error that a handler throws, and results that form no message, answer with an error`() throws {
    let failed = BusError.Name.failed.rawValue
    #expect(try answer("test.Thing", "Refuse") == failed && answer("test.Thing", "Broken") == failed)
  }

  @Test func `properties are read and set by their rows`() throws {
    func get(_ interface: String, _ name: String) -> (any BusType)? {
      call(Self.properties, "Get", interface, name) { $0.read(BusVariant.self)?.value }
    }
    func all(_ interface: String) -> [String]? {
      call(Self.properties, "GetAll", interface) {
        $0.read(BusDictionary<String, BusVariant>.self)?.entries.map { "\($0.key) \($0.value.value ?? "?")" }
      }
    }
    #expect(get("test.Thing", "Number") as? Int == 7 && get("test.Thing", "Name") as? String == "thing")
    #expect(all("test.Thing") == ["Number 7", "Name thing"] && all("test.Part") == [] && all("test.Other") == [])
    thing.part = 2
    #expect(all("test.Thing") == ["Number 7", "Name thing", "Scale 2.0"] && all("test.Part") == ["Value 2"])
    thing.part = nil

    func error(_ member: String, _ arguments: some BusType) throws -> String {
      try bus.answer(from: name, to: client, Self.properties, member, arguments)
    }
    let (unknown, readOnly) = (BusError.Name.unknownProperty.rawValue, BusError.Name.propertyReadOnly.rawValue)
    for (interface, property) in [("test.Thing", "Other"), ("test.Other", "Number"), ("test.Part", "Value")] {
      #expect(try error("Get", Arguments(interface, property)) == unknown, "\(interface) \(property)")
    }
    #expect(try error("Get", Arguments("test.Thing", "Scale")) == unknown)
    #expect(try error("Set", Arguments("test.Thing", "Number", BusVariant(9))) == "" && thing.number == 9)
    #expect(try error("Set", Arguments("test.Thing", "Number", BusVariant("9"))) == readOnly && thing.number == 9)
    #expect(try error("Set", Arguments("test.Thing", "Name", BusVariant("9"))) == readOnly)
    #expect(try error("Set", Arguments("test.Thing", "Other", BusVariant(9))) == readOnly)
  }

  @Test func `values are read as they were written`() throws {
    func echo<Value: BusType & Equatable>(_ value: Value) throws {
      var copy: Value?
      server.serve("/echo") { call in
        copy = call.arguments.read()
        return false
      }
      var isOver = false
      client.call(name, "/echo", "test.Echo", "Echo", value) { _ in isOver = true }
      #expect(bus.wait { isOver })
      #expect(copy == value)
    }
    try echo(true)
    try echo(-3)
    try echo(Int16.min)
    try echo(UInt32.max)
    try echo(0.1)
    try echo("ä")
    try echo(ObjectPath("/a/b"))
    try echo(["a", "b"])
    try echo([[1], []])
    // Wider numbers are clamped.
    #expect(call("test.Thing", "Add", Int.max, 0) { $0.read(Int.self) } == Int(Int32.max))
  }

  /// Several arguments as one value.
  private struct Arguments<each Value: BusType>: BusType {
    let values: (repeat each Value)

    static var signature: String { "" }
    init(_ values: repeat each Value) { self.values = (repeat each values) }
    init?(from reader: BusReader) { nil }
    func write(to writer: BusWriter) { repeat (each values).write(to: writer) }
  }
}

import CWaylandServer
import Glibc
import Stage
import UICore
import WaylandWire

@testable import WaylandServer

/// Sends events of every interface that a client has objects of, by the protocols' own descriptions: an interface that is
/// bound newly is in it without a line here.
@MainActor final class EventStorm {
  /// The events sent so far, as "wl_touch.down".
  private(set) var sent: Set<String> = []
  /// The events that objects seen so far have in their versions, in the same form.
  private(set) var known: Set<String> = []

  /// The interfaces of the bindings.
  static var interfaces: [String] { InterfaceTable.ofModule.all.map(\.name) }

  /// The interfaces of the bindings that have events.
  static var eventfulInterfaces: Set<String> {
    Set(InterfaceTable.ofModule.all.filter { $0.pointer.pointee.event_count > 0 }.map(\.name))
  }

  private let stage: Stage
  private let random: () -> UInt64

  /// A storm on `stage` that is the same for the same numbers of `random`.
  init(_ stage: Stage, random: @escaping () -> UInt64) {
    self.stage = stage
    self.random = random
  }

  /// Sends one event to one object of the newest client; half of the time one that was never sent before.
  func strike() {
    guard let client = stage.clients.last, client.end == nil else { return }
    let targets = client.connection.objects.compactMap { Target($0, of: client.connection.raw) }
    var events: [(target: Target, opcode: Int, name: String)] = []
    for target in targets {
      for opcode in 0..<target.eventCount where target.since(opcode) <= target.version {
        events.append((target, opcode, target.name(of: opcode)))
      }
    }
    known.formUnion(events.map(\.name))
    let news = events.filter { !sent.contains($0.name) }
    let isNews = random() % 2 == 0 && !news.isEmpty
    guard let (target, opcode, name) = pick(isNews ? news : events) else { return }
    // Those two end most connections, and are sent seldom.
    if target.interfaceName == "wl_display", !isNews, random() % 20 != 0 { return }
    if post(opcode, to: target, among: targets, client: client.connection.raw) { sent.insert(name) }
  }

  private func pick<T>(_ list: [T]) -> T? { list.isEmpty ? nil : list[Int(random() % UInt64(list.count))] }

  /// Sends the event `opcode` with any arguments; false where there is no object that it could name.
  private func post(_ opcode: Int, to target: Target, among all: [Target], client: OpaquePointer) -> Bool {
    let (signature, types) = target.message(opcode)
    var arguments: [wl_argument] = []
    // What the arguments point to goes when they are sent.
    var cleanUp: [() -> Void] = []
    defer { for step in cleanUp { step() } }
    var allowsNull = false
    for kind in signature where !kind.isNumber {
      if kind == "?" {
        allowsNull = true
        continue
      }
      let type = types[arguments.count]
      var argument = wl_argument()
      switch kind {
      case "s":
        let text = strdup(word(isAlone: signature.filter { $0 == "s" }.count == 1))
        cleanUp.append { free(text) }
        argument.s = text.map { UnsafePointer($0) }
      case "a":
        let bytes = (0..<random() % 40).map { _ in UInt8(truncatingIfNeeded: random()) }
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = memory.initialize(from: bytes)
        let array = UnsafeMutablePointer<wl_array>.allocate(capacity: 1)
        array.initialize(to: wl_array(size: bytes.count, alloc: bytes.count, data: memory.baseAddress))
        cleanUp.append {
          array.deallocate()
          memory.deallocate()
        }
        argument.a = array
      case "h":
        let file = open(random() % 2 == 0 ? "/dev/null" : "/", O_RDONLY | O_CLOEXEC)
        cleanUp.append { close(file) }
        argument.h = file
      case "n":
        guard let type, let made = wl_resource_create(client, type, Int32(target.version), 0) else { return false }
        argument.o = StormResource(made, interface: type).raw
      case "o":
        let name = type.map { String(cString: $0.pointee.name) }
        let chosen =
          allowsNull && random() % 4 == 0 ? nil : pick(all.filter { name == nil || $0.interfaceName == name })
        guard chosen != nil || allowsNull else { return false }
        argument.o = chosen?.raw
      default: argument.i = number()
      }
      allowsNull = false
      arguments.append(argument)
    }
    arguments.withUnsafeMutableBufferPointer {
      wl_resource_post_event_array(target.raw, UInt32(opcode), $0.baseAddress)
    }
    return true
  }

  /// Numbers that break things, fixed-point ones too.
  private func number() -> Int32 {
    let odd: [Int32] = [0, 1, -1, 2, 7, 255, 256, 65_535, 65_536, .max, .min, 1 << 30, -(1 << 20)]
    switch random() % 3 {
    case 0: return Int32(truncatingIfNeeded: random())
    case 1: return Int32(random() % 100)
    default: return odd[Int(random() % UInt64(odd.count))]
    }
  }

  private func word(isAlone: Bool) -> String {
    let odd = [
      "", "wl_seat", "wl_output", "text/plain", "\u{fffd}\u{202e}", "%s%n", String(repeating: "x", count: 900),
      // Nearly as long as a message can be.
      String(repeating: "y", count: isAlone ? 3900 : 1900),
    ]
    return odd[Int(random() % UInt64(odd.count))]
  }
}

/// A live object of a client with its description.
@MainActor private struct Target {
  let raw: OpaquePointer
  let interfaceName: String
  let version: Int
  private let interface: wl_interface

  init?(_ object: ServerClient.LiveObject, of client: OpaquePointer) {
    guard let raw = wl_client_get_object(client, object.id) else { return nil }
    // Those are libwayland's own, with data of its own.
    switch object.interface {
    case "wl_display": interface = WlDisplayResource.interface.pointer.pointee
    case "wl_registry": interface = WlRegistryResource.interface.pointer.pointee
    default:
      guard let data = wl_resource_get_user_data(raw) else { return nil }
      let resource = Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue()
      interface = ((resource as? StormResource)?.description ?? type(of: resource).interface.pointer).pointee
    }
    self.raw = raw
    interfaceName = object.interface
    version = Int(object.version)
  }

  var eventCount: Int { Int(interface.event_count) }

  func name(of opcode: Int) -> String {
    "\(interfaceName).\(interface.events.map { String(cString: $0[opcode].name) } ?? "")"
  }

  /// The version that the event came with: the number that its signature begins with.
  func since(_ opcode: Int) -> Int { Int(message(opcode).signature.prefix { $0.isNumber }) ?? 1 }

  func message(_ opcode: Int) -> (signature: String, types: [UnsafePointer<wl_interface>?]) {
    guard let message = interface.events?[opcode] else { return ("", []) }
    let signature = String(cString: message.signature)
    let count = signature.filter { !$0.isNumber && $0 != "?" }.count
    return (signature, (0..<count).map { message.types?[$0] })
  }
}

/// An object that only an event made: it takes requests and does nothing.
@MainActor private final class StormResource: Resource {
  let description: UnsafePointer<wl_interface>

  init(_ raw: OpaquePointer, interface: UnsafePointer<wl_interface>) {
    description = interface
    super.init(adopting: raw)
  }

  required init(adopting raw: OpaquePointer) {
    description = WlCallbackResource.interface.pointer
    super.init(adopting: raw)
  }
}

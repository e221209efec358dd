import CLinux
internal import CWaylandServer
import Glibc
import Linux
internal import WaylandServer
import WaylandWire

/// Sends a client events that no correct compositor sends: numbers out of every range, texts nearly as long as a message, files that
/// are no keymaps. A client should survive them, or end with an error.
///
/// The events are those of the protocols' own descriptions, in the versions of the client's objects. The same numbers give the same
/// events to a client that behaves in the same way.
public final class EventStorm {
  /// The events sent so far, as "wl_touch.down".
  public private(set) var sent: Set<String> = []
  /// The events that objects seen so far have in their versions, in the same form.
  public private(set) var known: Set<String> = []

  /// The interfaces that the stage knows.
  public static var interfaces: [String] { WireInterface.all.map(\.name) }

  /// The interfaces that the stage knows and that have events.
  public static var eventfulInterfaces: Set<String> {
    Set(WireInterface.all.map(\.name).filter { events[$0]?.isEmpty == false })
  }

  /// The events of each interface by its name, in the order of their opcodes.
  private static let events = Dictionary(uniqueKeysWithValues: WireInterface.all.map { ($0.name, $0.events) })

  private let stage: Stage
  private let random: () -> UInt64
  /// The length of the file sent last, which the next number may name.
  private var fileLength: Int32?

  /// A storm on the clients of `stage`; `random` returns its pseudo-random numbers.
  public init(_ stage: Stage, random: @escaping () -> UInt64) {
    self.stage = stage
    self.random = random
  }

  /// Sends one event to one object of the newest client; half of the time one that was never sent before. Does nothing if that client
  /// has left.
  public func strike() {
    guard let client = stage.clients.last, client.end == nil else { return }
    let targets = client.connection.objects.compactMap { object in
      unsafe wl_client_get_object(client.connection.raw, object.number).map {
        unsafe Target(raw: $0, interface: object.interface, version: object.version)
      }
    }
    var events: [(target: Target, opcode: Int, name: String)] = []
    for target in targets {
      for (opcode, event) in (Self.events[target.interface] ?? []).enumerated() where event.since <= target.version {
        events.append((target, opcode, "\(target.interface).\(event.name)"))
      }
    }
    known.formUnion(events.map(\.name))
    let news = events.filter { !sent.contains($0.name) }
    let isNews = random() % 2 == 0 && !news.isEmpty
    guard let (target, opcode, name) = pick(isNews ? news : events) else { return }
    // Those two end most connections, and are sent seldom.
    if target.interface == "wl_display", !isNews, random() % 20 != 0 { return }
    if unsafe post(opcode, to: target, among: targets, client: client.connection.raw) { sent.insert(name) }
  }

  private func pick<T>(_ list: [T]) -> T? { list.isEmpty ? nil : list[Int(random() % UInt64(list.count))] }

  /// Sends the event `opcode` with any arguments; returns false if the client has no object for one of them.
  private func post(_ opcode: Int, to target: Target, among all: [Target], client: OpaquePointer) -> Bool {
    guard let event = Self.events[target.interface]?[opcode] else { return false }
    var arguments: [wl_argument] = unsafe []
    // What the arguments point to is freed once they are sent.
    var cleanUp: [() -> Void] = []
    defer { for step in cleanUp { step() } }
    var allowsNull = false
    for kind in event.signature where !kind.isNumber {
      if kind == "?" {
        allowsNull = true
        continue
      }
      let type = unsafe event.interfaces[arguments.count]
      var argument = unsafe wl_argument()
      switch kind {
      case "s":
        let text = unsafe strdup(word(isAlone: event.kinds.count { $0 == "s" } == 1))
        cleanUp.append { unsafe free(text) }
        unsafe argument.s = unsafe text.map { unsafe UnsafePointer($0) }
      case "a":
        let bytes = bytes(40)
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = unsafe memory.initialize(from: bytes)
        let array = UnsafeMutablePointer<wl_array>.allocate(capacity: 1)
        unsafe array.initialize(to: wl_array(size: bytes.count, alloc: bytes.count, data: memory.baseAddress))
        cleanUp.append {
          unsafe array.deallocate()
          unsafe memory.deallocate()
        }
        unsafe argument.a = array
      case "h":
        let (file, length) = keymapFile()
        fileLength = Int32(bitPattern: length)
        cleanUp.append { close(file) }
        unsafe argument.h = file
      case "n":
        guard let type = type.flatMap(WireInterface.named),
          let made = unsafe wl_resource_create(client, type.pointer, Int32(target.version), 0)
        else { return false }
        // It takes requests and does nothing.
        unsafe argument.o = Resource(adopting: made).raw
      case "o":
        let chosen = allowsNull && random() % 4 == 0 ? nil : pick(all.filter { type == nil || $0.interface == type })
        guard chosen != nil || allowsNull else { return false }
        unsafe argument.o = chosen?.raw
      default: unsafe argument.i = number()
      }
      allowsNull = false
      unsafe arguments.append(argument)
    }
    unsafe arguments.withUnsafeMutableBufferPointer {
      unsafe wl_resource_post_event_array(target.raw, UInt32(opcode), $0.baseAddress)
    }
    return true
  }

  // MARK: Arguments

  /// Numbers that break things, fixed-point ones too.
  private func number() -> Int32 {
    if let length = fileLength {
      fileLength = nil
      if random() % 2 == 0 { return length }
    }
    let odd: [Int32] = [0, 1, -1, 2, 7, 255, 256, 65_535, 65_536, .max, .min, 1 << 30, -(1 << 20)]
    switch random() % 3 {
    case 0: return Int32(truncatingIfNeeded: random())
    case 1: return Int32(random() % 200)
    default: return odd[Int(random() % UInt64(odd.count))]
    }
  }

  private func bytes(_ limit: Int) -> [UInt8] {
    (0..<random() % UInt64(limit)).map { _ in UInt8(truncatingIfNeeded: random()) }
  }

  private func word(isAlone: Bool) -> String {
    let odd = [
      "", "wl_seat", "wl_output", "text/plain", "\u{fffd}\u{202e}", "%s%n", String(repeating: "x", count: 900),
      // Nearly as long as a message can be.
      String(repeating: "y", count: isAlone ? 3900 : 1900),
    ]
    return odd[Int(random() % UInt64(odd.count))]
  }

  /// Returns a file as events contain it, with the length that a keymap event may name, in bytes. The caller closes it.
  ///
  /// It has a good keymap, one that is cut short, damaged or has a byte more, random bytes, or it is no regular file; and the length
  /// may be too large.
  public func keymapFile() -> (descriptor: Int32, length: UInt32) {
    let good = Array(StageKeymap.simple.text.utf8)
    var text = good
    var length: Int?
    switch random() % 9 {
    case 0: text = Array(good.prefix(Int(random() % UInt64(good.count))))
    case 1: for _ in 0..<20 { text[Int(random() % UInt64(text.count))] = UInt8(truncatingIfNeeded: random()) }
    case 2: text = bytes(300)
    case 3: length = Int(random() % 0xffff_ffff)
    case 4: return (unsafe open("/dev/null", O_RDONLY | O_CLOEXEC), UInt32(good.count))
    case 5: return (unsafe open("/", O_RDONLY | O_CLOEXEC), UInt32(good.count))
    case 6:
      var ends: [Int32] = [-1, -1]
      guard unsafe cockpit_pipe(&ends) == 0 else { return (-1, 0) }
      close(ends[1])
      return (ends[0], UInt32(good.count))
    case 7: text += [0]
    default: length = good.count + 4096
    }
    let file = unsafe cockpit_memfd("storm")
    _ = Descriptor.write(text, to: file)
    return (file, UInt32(length ?? text.count))
  }
}

/// A live object of a client.
@safe private struct Target {
  let raw: OpaquePointer
  let interface: String
  let version: Int
}

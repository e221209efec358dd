import JSON
import Stage

/// Makes a script of the input in a recorded log.
struct Replay {
  /// The steps, each as an object.
  private(set) var steps: [JSONValue] = []
  private var time: Double?
  private var toplevels: [UInt32] = []
  private var surfaces: [UInt32: Place] = [:]
  private var xdgSurfaces: [UInt32: UInt32] = [:]
  private var popups: [UInt32: UInt32] = [:]
  private var fingers: [Int: UInt32] = [:]
  private var pointerFocus: UInt32?
  private var scroll: [String: JSONValue] = [:]

  /// Where a surface is: its geometry's corner, and its corner within its parent's geometry.
  private struct Place {
    var parent: UInt32?
    var offset = Point.zero
    var geometry = Point.zero
    var toplevel: UInt32?
  }

  /// Reads the lines of a log; throws the number of the first that is no message, from 1. Only the input of the connection with the
  /// first window counts.
  init(log: [UInt8]) throws(ReplayError) {
    steps.append(.object(["do": .string("window")]))
    var connection: Int?
    for (index, line) in log.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let value = JSONValue(line: line), let message = ProtocolMessage(line: value),
        let now = value["time"]?.finiteNumber
      else { throw ReplayError(line: index + 1) }
      let own = value["connection"]?.whole
      if message.isRequest, message.interface == "xdg_wm_base" { connection = connection ?? own }
      // Objects of other connections have numbers of their own.
      guard connection == nil || own == connection else { continue }
      take(message, now)
    }
  }

  /// The script: a list with one step on each line.
  var text: String {
    "[\n" + steps.map { "  \($0.jsonText)" }.joined(separator: ",\n") + "\n]\n"
  }

  private mutating func add(_ name: String, at now: Double, _ members: [String: JSONValue] = [:]) {
    let wait = time.map { (now - $0).rounded() } ?? 0
    if wait >= 1 { steps.append(.object(["do": .string("advance"), "ms": .number(wait)])) }
    // Fractions of milliseconds add up.
    time = time.map { $0 + wait } ?? now
    steps.append(.object(members.merging(["do": .string(name)]) { own, _ in own }))
  }

  private mutating func take(_ message: ProtocolMessage, _ now: Double) {
    if message.isRequest { follow(message) } else { replay(message, now) }
  }

  /// Follows where surfaces are.
  private mutating func follow(_ message: ProtocolMessage) {
    switch (message.interface, message.name) {
    case ("wl_compositor", "create_surface"): surfaces[message.id(0)] = Place()
    case ("xdg_wm_base", "get_xdg_surface"): xdgSurfaces[message.id(0)] = message.id(1)
    case ("xdg_surface", "get_toplevel"):
      toplevels.append(message.id(0))
      if let surface = xdgSurfaces[message.object] { surfaces[surface]?.toplevel = message.id(0) }
    case ("xdg_surface", "get_popup"):
      guard let surface = xdgSurfaces[message.object] else { return }
      popups[message.id(0)] = surface
      surfaces[surface]?.parent = xdgSurfaces[message.id(1)]
    case ("xdg_surface", "set_window_geometry"):
      guard let surface = xdgSurfaces[message.object] else { return }
      surfaces[surface]?.geometry = Point(x: message.number(0) ?? 0, y: message.number(1) ?? 0)
    case ("xdg_toplevel", "destroy"): toplevels.removeAll { $0 == message.object }
    case ("wl_subcompositor", "get_subsurface"):
      xdgSurfaces[message.id(0)] = message.id(1)
      surfaces[message.id(1)]?.parent = message.id(2)
    case ("wl_subsurface", "set_position"):
      guard let surface = xdgSurfaces[message.object], let parent = surfaces[surface]?.parent else { return }
      // A subsurface's place is in its parent's own points, not in those of the geometry.
      let corner = surfaces[parent]?.geometry ?? .zero
      surfaces[surface]?.offset = Point(x: message.number(0) ?? 0, y: message.number(1) ?? 0) - corner
    default: break
    }
  }

  /// A position on a surface as the parameters of a step; nil if the surface belongs to no window.
  private func aim(_ surface: UInt32, _ x: Double?, _ y: Double?) -> [String: JSONValue]? {
    var point = Point(x: x ?? 0, y: y ?? 0) - (surfaces[surface]?.geometry ?? .zero)
    var number = surface
    // Bounded, because a log may hold anything.
    for _ in 0..<100 {
      guard let place = surfaces[number] else { return nil }
      if let toplevel = place.toplevel {
        guard toplevels.contains(toplevel) else { return nil }
        return window(toplevel).merging(["x": .number(point.x), "y": .number(point.y)]) { own, _ in own }
      }
      guard let parent = place.parent else { return nil }
      point = point + place.offset
      number = parent
    }
    return nil
  }

  private mutating func replay(_ message: ProtocolMessage, _ now: Double) {
    switch (message.interface, message.name) {
    case ("xdg_popup", "configure"):
      if let surface = popups[message.object] {
        surfaces[surface]?.offset = Point(x: message.number(0) ?? 0, y: message.number(1) ?? 0)
      }
    case ("xdg_popup", "popup_done"): add("dismiss", at: now)
    case ("xdg_toplevel", "close"): add("close", at: now, window(message.object))
    case ("wl_touch", _): touch(message, now)
    case ("wl_pointer", _): point(message, now)
    case ("wl_keyboard", "enter"): add("focus", at: now, focus(message.id(1)))
    case ("wl_keyboard", "leave"): add("unfocus", at: now)
    case ("wl_keyboard", "key"):
      guard let key = KeyTable.all.first(where: { $0.code == message.id(2) }), message.id(3) < 2 else { return }
      add("key", at: now, ["key": .string(key.name), "action": .string(message.id(3) == 1 ? "press" : "release")])
    case ("zwp_text_input_v3", "commit_string"):
      if let text = message.text(0) { add("text", at: now, ["commit": .string(text)]) }
    default: break
    }
  }

  private func window(_ toplevel: UInt32) -> [String: JSONValue] {
    guard let index = toplevels.firstIndex(of: toplevel), index > 0 else { return [:] }
    return ["window": .number(Double(index))]
  }

  private func focus(_ surface: UInt32) -> [String: JSONValue] { surfaces[surface]?.toplevel.map(window) ?? [:] }

  private mutating func touch(_ message: ProtocolMessage, _ now: Double) {
    func number(_ id: Int) -> [String: JSONValue] { id == 0 ? [:] : ["id": .number(Double(id))] }
    switch message.name {
    case "down":
      let id = Int(message.number(3) ?? 0)
      guard let place = aim(message.id(2), message.number(4), message.number(5)) else { return }
      fingers[id] = message.id(2)
      add("touch-down", at: now, place.merging(number(id)) { own, _ in own })
    case "motion":
      let id = Int(message.number(1) ?? 0)
      guard let surface = fingers[id], let place = aim(surface, message.number(2), message.number(3)) else { return }
      add("touch-move", at: now, place.merging(number(id)) { own, _ in own })
    case "up":
      let id = Int(message.number(2) ?? 0)
      if fingers.removeValue(forKey: id) != nil { add("touch-up", at: now, number(id)) }
    case "cancel":
      fingers = [:]
      add("touch-cancel", at: now)
    default: break
    }
  }

  private mutating func point(_ message: ProtocolMessage, _ now: Double) {
    switch message.name {
    case "enter", "motion":
      let isEnter = message.name == "enter"
      if isEnter { pointerFocus = message.id(1) }
      guard let surface = pointerFocus,
        let place = aim(surface, message.number(isEnter ? 2 : 1), message.number(isEnter ? 3 : 2))
      else { return }
      add("pointer-move", at: now, place)
    case "leave":
      pointerFocus = nil
      add("pointer-leave", at: now)
    case "button":
      guard let button = StepKind.buttons.first(where: { $0.code == message.id(2) }) else { return }
      add(
        "pointer-button", at: now,
        ["button": .string(button.name), "action": .string(message.id(3) == 1 ? "press" : "release")])
    case "axis": scroll[message.id(1) == 0 ? "dy" : "dx"] = .number(message.number(2) ?? 0)
    case "axis_discrete": scroll["clicks"] = .number(message.number(1) ?? 0)
    case "axis_value120": scroll["clicks"] = .number((message.number(1) ?? 0) / 120)
    case "axis_stop": scroll["stop"] = .bool(true)
    case "frame":
      guard !scroll.isEmpty else { return }
      // A wheel does not stop.
      if scroll["clicks"] != nil { scroll["stop"] = nil }
      add("pointer-scroll", at: now, scroll)
      scroll = [:]
    default: break
    }
  }
}

/// A line of a log that is no message.
struct ReplayError: Error {
  let line: Int
}

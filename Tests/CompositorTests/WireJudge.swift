/// Checks a log of `--log wayland`: every committed frame must have the size of the configure that was acknowledged last.
struct WireJudge {
  /// The ordered sizes by the serials of their configures. The client chooses if width or height is 0.
  private var orders: [String: (width: Int, height: Int)] = [:]
  private var coming = (width: 0, height: 0)
  private var agreed = (width: 0, height: 0)
  private var destination = (width: 0, height: 0)
  private var hasBuffer = false
  private var isAcknowledged = false
  /// The surface of each viewport.
  private var viewports: [String: String] = [:]
  /// The toplevel's own surface.
  private var surface = ""
  /// The number of frames whose size differs from that of the frame before.
  private(set) var sizes = 0
  private var lastSize = (width: 0, height: 0)
  /// The violations found.
  private(set) var faults: [String] = []

  /// Reads a whole log.
  init(log: String) {
    for line in log.split(separator: "\n") {
      guard let text = line.range(of: "] wayland: ").map({ line[$0.upperBound...] }) else { continue }
      read(String(text))
    }
  }

  private mutating func read(_ line: String) {
    let isRequest = line.hasPrefix("-> ")
    let words = line.drop { $0 == "-" || $0 == ">" || $0 == " " }
    guard let at = words.firstIndex(of: "@"), let dot = words[at...].firstIndex(of: "."),
      let open = words[dot...].firstIndex(of: "("), words.hasSuffix(")")
    else { return }
    let interface = String(words[..<at])
    let object = String(words[..<dot])
    let message = String(words[words.index(after: dot)..<open])
    let arguments = words[words.index(after: open)...].dropLast().split(separator: ",")
      .map { $0.drop { $0 == " " } }.map(String.init)
    let numbers = arguments.map { Int($0) ?? 0 }
    switch (isRequest, interface, message) {
    case (true, "xdg_wm_base", "get_xdg_surface"): surface = arguments.last ?? ""
    case (false, "xdg_toplevel", "configure"): coming = (numbers[0], numbers[1])
    case (false, "xdg_surface", "configure"): orders[arguments[0]] = coming
    case (true, "xdg_surface", "ack_configure"):
      agreed = orders[arguments[0]] ?? (0, 0)
      if isAcknowledged { faults.append("two acknowledgements without a commit") }
      isAcknowledged = true
    case (true, "wp_viewporter", "get_viewport"): viewports[arguments[0].replacing("new ", with: "")] = arguments.last
    // Other viewports, such as that of a cursor, are ignored.
    case (true, "wp_viewport", "set_destination"):
      if viewports[object] == surface { destination = (numbers[0], numbers[1]) }
    case (true, "wl_surface", "attach"): if object == surface { hasBuffer = arguments.first != "nil" }
    case (true, "wl_surface", "commit"): if object == surface { committed() }
    default: break
    }
  }

  private mutating func committed() {
    isAcknowledged = false
    guard hasBuffer else { return }
    hasBuffer = false
    if agreed.width > 0, agreed.height > 0, agreed != destination {
      faults.append("\(destination.width) x \(destination.height) in place of \(agreed.width) x \(agreed.height)")
    }
    if lastSize != destination { sizes += 1 }
    lastSize = destination
  }
}

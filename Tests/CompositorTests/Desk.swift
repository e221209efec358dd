import CompositorLab
import Glibc
import TestSupport
import Testing

/// A compositor, the cockpit on it, and a program that sends input (the hands).
///
/// The hands start before the cockpit, because a seat without devices has no capabilities.
final class Desk {
  /// The output's size in pixels, and its scale.
  let settings: Compositor.Settings
  let compositor: Compositor
  let cockpit: ClientProcess
  /// The positions of the cockpit's parts.
  let plan: Plan
  private let hands: ClientProcess?
  private let scale: Double
  private let size: String

  /// Starts everything. `scale` is the scale that the compositor gives the cockpit; nil for the output's.
  init(
    _ kind: CompositorKind, _ settings: Compositor.Settings = .init(width: 960, height: 540), hasHands: Bool = true,
    scale: Double? = nil, options: [String] = ["--fullscreen"], logs: String = "app,window",
    environment: [String: String] = [:]
  ) throws {
    self.settings = settings
    self.scale = scale ?? settings.scale
    compositor = try Compositor(kind, settings)
    size = Desk.size(settings)
    hands = hasHands ? try compositor.startHands(Product.input.path, size) : nil
    if let hands { #expect(try hands.line() == "ready") }
    plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", size]))
    if kind == .sway, options.contains("--size") {
      // sway tiles windows by default. A floating window keeps its own size and is centred.
      try compositor.sway("for_window", "[app_id=.*]", "floating", "enable")
    }
    cockpit = try Desk.startCockpit(on: compositor, options, logs: logs, environment: environment)
  }

  /// Starts a cockpit whose log goes to its standard output, unless `logs` is `wayland`.
  static func startCockpit(
    on compositor: Compositor, _ options: [String], logs: String = "app,window", environment: [String: String] = [:]
  ) throws -> ClientProcess {
    // The log of Wayland messages goes to a file, because an unread pipe would block the cockpit.
    try compositor.launch(
      [Product.cockpit.path, "--beacon", "off", "--log", logs] + options, environment: environment,
      joinsErrors: logs != "wayland")
  }

  /// The output's size in points, in the format of options.
  private static func size(_ settings: Compositor.Settings) -> String {
    let sides = [settings.width, settings.height].map { Int((Double($0) / settings.scale).rounded()) }
    return "\(sides[0])x\(sides[1])"
  }

  // MARK: Input

  /// Sends input, and returns when the compositor has handled it.
  func give(_ commands: String...) throws {
    let hands = try #require(hands)
    for command in commands {
      try hands.send(command)
      #expect(try hands.line() == "ok")
    }
  }

  /// Presses and releases a key.
  func press(_ key: Key) throws {
    try give("key press \(key.rawValue)", "key release \(key.rawValue)")
  }

  /// Moves the pointer to where it covers no control, because some compositors' screenshots show the cursor.
  func putMouseAway() throws {
    try give("pointer motion \(plan.between)")
  }

  /// Returns once the cockpit has logged all of this, in any order.
  func expect(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    var missing = Set(words)
    do {
      while !missing.isEmpty { missing.remove(try nextWords()) }
    } catch {
      Issue.record("the cockpit never said \(missing.sorted()): \(error)", sourceLocation: sourceLocation)
      throw error
    }
  }

  /// Returns once the cockpit has logged a steering angle that meets `isWanted`.
  func expectSteering(sourceLocation: SourceLocation = #_sourceLocation, _ isWanted: (Int) -> Bool) throws {
    do {
      while true {
        let words = try nextWords().split(separator: " ")
        if words.count == 2, words[0] == "steering", let angle = Int(words[1]), isWanted(angle) { return }
      }
    } catch {
      Issue.record("the wheel never came to the angle wanted: \(error)", sourceLocation: sourceLocation)
      throw error
    }
  }

  /// The next message that the cockpit logs about the app or a window, without time and scope.
  private func nextWords() throws -> String {
    let line = try cockpit.line { $0.contains("] app: ") || $0.contains("] window: ") }
    return line.range(of: ": ").map { String(line[$0.upperBound...]) } ?? line
  }

  // MARK: Pictures

  /// The cockpit's image with these options, drawn without a compositor.
  func offscreen(_ options: String..., size: String? = nil, scale: Double? = nil) throws -> ScreenPicture {
    let file = "offscreen.png"
    let look = ["--size", size ?? self.size, "--scale", "\(scale ?? self.scale)"]
    let fixed = ["--beacon", "off", "--screenshot", file] + look
    _ = try compositor.output(of: [Product.cockpit.path] + fixed + options)
    return try ScreenPicture(png: compositor.path(of: file))
  }

  /// Returns once gearbox and wheel look as expected.
  func expectControls(_ expected: ScreenPicture, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectPicture(expected, part: plan.gearbox, sourceLocation: sourceLocation)
    try expectPicture(expected, part: plan.wheel, sourceLocation: sourceLocation)
  }

  /// Returns once the output, or `part` of it if given, shows the expected picture.
  func expectPicture(
    _ expected: ScreenPicture, part: Plan.Frame? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard let part else { return try expect(expected, of: { $0 }, sourceLocation) }
    let (left, top) = (Int((part.x * scale).rounded(.up)), Int((part.y * scale).rounded(.up)))
    let (right, bottom) = (Int((part.x + part.width) * scale), Int((part.y + part.height) * scale))
    let cut = { (picture: ScreenPicture) in picture.cropped(x: left, y: top, width: right - left, height: bottom - top)
    }
    try expect(cut(expected), of: cut, sourceLocation)
  }

  /// Returns once a window of that size is at (x, y) and shows what it should.
  func expectWindow(
    _ size: (width: Int, height: Int), x: Int, y: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try offscreen(size: "\(size.width)x\(size.height)")
    let cut = { (picture: ScreenPicture) in picture.cropped(x: x, y: y, width: size.width, height: size.height) }
    try expect(expected, of: cut, sourceLocation)
  }

  /// Returns once the part of a screenshot that `cut` selects equals the expected picture byte for byte.
  private func expect(
    _ expected: ScreenPicture, of cut: (ScreenPicture) -> ScreenPicture, _ sourceLocation: SourceLocation
  ) throws {
    var shown: ScreenPicture?
    do {
      _ = try compositor.screenshot { picture in
        shown = cut(picture)
        return shown == expected
      }
    } catch {
      // COCKPIT_PICTURES names a directory for what a failed test saw, and what it expected.
      if let folder = getenv("COCKPIT_PICTURES").map({ String(cString: $0) }), let shown {
        let name = "\(folder)/\(compositor.kind.rawValue)-\(sourceLocation.line)"
        try shown.write(png: "\(name)-shown.png")
        try expected.write(png: "\(name)-wanted.png")
      }
      let apart = shown?.difference(from: expected).map { "\($0)" } ?? "another size"
      Issue.record("the output shows another picture (\(apart)): \(error)", sourceLocation: sourceLocation)
      throw error
    }
  }
}

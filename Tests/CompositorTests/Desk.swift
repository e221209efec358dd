// One compositor with a cockpit over its whole output and, where it can be, a person's hands.

import CompositorLab
import Glibc
import Testing

/// A compositor, the cockpit on it, and hands.
///
/// The hands are there before the cockpit starts: a seat without devices has no capabilities.
final class Desk {
  /// The output, in pixels, and what a pixel of it is in points.
  let settings: Compositor.Settings
  let compositor: Compositor
  let cockpit: ClientProcess
  /// Where the cockpit's parts are.
  let plan: Plan
  private let hands: ClientProcess?
  private let scale: Double

  /// Starts all of it. `scale` is the one that the cockpit draws at; it is the output's unless the compositor says another.
  init(_ kind: CompositorKind, _ settings: Compositor.Settings, hasHands: Bool = true, scale: Double? = nil) throws {
    self.settings = settings
    self.scale = scale ?? settings.scale
    compositor = try Compositor(kind, settings)
    let size = Desk.size(settings)
    hands = hasHands ? try compositor.launch([Product.input.path, size]) : nil
    if let hands { #expect(try hands.line() == "ready") }
    plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", size]))
    cockpit = try compositor.launch(
      [Product.cockpit.path, "--fullscreen", "--beacon", "off", "--log", "app,window,lifecycle"], joinsErrors: true)
  }

  /// The output's size in points, as options take it.
  private static func size(_ settings: Compositor.Settings) -> String {
    "\(Int((Double(settings.width) / settings.scale).rounded()))x\(Int((Double(settings.height) / settings.scale).rounded()))"
  }

  // MARK: Input

  /// Gives input, and returns when the compositor has passed it on.
  func give(_ commands: String...) throws {
    let hands = try #require(hands)
    for command in commands {
      try hands.send(command)
      #expect(try hands.line() == "ok")
    }
  }

  /// Puts the mouse where it covers no control: some compositors' pictures show the cursor.
  func putMouseAway() throws {
    try give("pointer motion \(plan.between)")
  }

  /// Returns once the cockpit has said all of this, in any order.
  func expect(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    var missing = Set(words)
    do {
      while !missing.isEmpty { missing.remove(try nextWords()) }
    } catch {
      Issue.record("the cockpit never said \(missing.sorted()): \(error)", sourceLocation: sourceLocation)
      throw error
    }
  }

  /// Returns once the cockpit has told an angle of the wheel that is as wanted.
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

  /// What the cockpit says next, without time and scope.
  private func nextWords() throws -> String {
    let line = try cockpit.line { $0.contains("] app: ") || $0.contains("] window: ") }
    return line.range(of: ": ").map { String(line[$0.upperBound...]) } ?? line
  }

  // MARK: Pictures

  /// What the cockpit would show with these options, drawn without any compositor.
  func offscreen(_ options: String...) throws -> Picture {
    let file = "offscreen.png"
    let fixed = ["--beacon", "off", "--size", Desk.size(settings), "--scale", "\(scale)", "--screenshot", file]
    _ = try compositor.output(of: [Product.cockpit.path] + fixed + options)
    return try Picture(png: compositor.path(of: file))
  }

  /// Returns once gearbox and wheel look as expected.
  func expectControls(_ expected: Picture, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectPicture(expected, part: plan.gearbox, sourceLocation: sourceLocation)
    try expectPicture(expected, part: plan.wheel, sourceLocation: sourceLocation)
  }

  /// Returns once the output shows the expected picture, or where `part` is given that part of it; a channel may be apart
  /// by `tolerance`.
  func expectPicture(
    _ expected: Picture, part: Plan.Frame? = nil, tolerance: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wanted = cut(expected, part)
    var last: (picture: Picture, difference: Picture.Difference?)?
    do {
      _ = try compositor.screenshot { picture in
        let shown = cut(picture, part)
        let difference = shown.difference(from: wanted, tolerance: tolerance)
        last = (shown, difference)
        return difference?.pixels == 0
      }
    } catch {
      // COCKPIT_PICTURES names a folder for what a failed test saw, and what it wanted to see.
      if let folder = getenv("COCKPIT_PICTURES").map({ String(cString: $0) }), let last {
        let name = "\(folder)/\(compositor.kind.rawValue)-\(sourceLocation.line)"
        try last.picture.write(png: "\(name)-shown.png")
        try wanted.write(png: "\(name)-wanted.png")
      }
      let apart = last?.difference.map { "\($0)" } ?? "another size"
      Issue.record("the output shows another picture (\(apart)): \(error)", sourceLocation: sourceLocation)
      throw error
    }
  }

  private func cut(_ picture: Picture, _ part: Plan.Frame?) -> Picture {
    guard let part else { return picture }
    let x = Int((part.x * scale).rounded(.up))
    let y = Int((part.y * scale).rounded(.up))
    return picture.cropped(
      x: x, y: y, width: Int((part.x + part.width) * scale) - x, height: Int((part.y + part.height) * scale) - y)
  }
}

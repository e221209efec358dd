import CockpitControls
import ControlHarness
import ControlTools
import Controls
import Testing
import UICore

@testable import cockpit
@testable import cockpit_catalogue

/// The page of docs/ on every type of a scene file, made from the declarations that the reader of scenes uses: the registry of types, their
/// inspectable properties with what their docstrings say, the events of controls, and the cockpit's actions.
@MainActor struct ControlPage {
  let registry = SceneTypes.registry
  /// The properties that every view, and every control, has: described once.
  private let ofViews = View.inspectables
  private let ofControls = Control.inspectables.filter { property in !View.inspectables.contains { $0 === property } }

  /// A new view as a scene file makes it.
  private func makeView(_ type: String) -> View { registry.makeView(type) ?? View() }

  // MARK: Text

  /// The page as Markdown.
  var text: String {
    var parts = [head, types, kinds, views, controls, actions]
    parts += registry.typeNames.filter { $0 != "View" }.map(section)
    let lines = parts.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { Self.wrapped(String($0)) }.joined(separator: "\n") + "\n"
  }

  /// A line of prose as several of at most 138 characters; tables and pictures as they are.
  private static func wrapped(_ line: String) -> String {
    guard !line.hasPrefix("|"), !line.hasPrefix("!") else { return line }
    var lines = [""]
    for word in line.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= 138 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }

  private var head: String {
    """
    # Controls and views

    Every type that a [scene file](scenes.md) can name, with its properties, events and actions. `./dev reference` writes this page from the
    declarations that the reader of scenes uses. In code the properties have the same names.
    """
  }

  private var types: String {
    let rows = registry.typeNames.map { type in "| [\(type)](#\(Self.anchor(type))) | \(about(makeView(type))) |" }
    return "| type | |\n|---|---|\n" + rows.joined(separator: "\n")
  }

  /// The heading's name in links; `View` has the section of every view.
  private static func anchor(_ type: String) -> String { type == "View" ? "every-view" : type.lowercased() }

  private var kinds: String {
    var found: [(name: String, needs: String)] = []
    for property in registry.typeNames.flatMap({ makeView($0).inspectables }) {
      let (kind, _) = Self.plain(property.kind)
      guard !Self.isChoice(kind), !found.contains(where: { $0.name == Self.name(of: kind) }) else { continue }
      found.append((Self.name(of: kind), kind.expectation))
    }
    let rows = found.sorted { $0.name < $1.name }.map {
      "| \($0.name) | \($0.needs.replacing("\"", with: "`").replacing("``", with: "`")) |"
    }
    return """
      ## Kinds of values

      A property of names lists them. "or null" means that null is allowed too, mostly for the theme's value. A number beyond a limit becomes
      the limit.

      | kind | needs |
      |---|---|
      \(rows.joined(separator: "\n"))
      """
  }

  private var views: String {
    """
    ## Every view

    \(picture("View"))A `View` itself is a plain rectangle with other views inside. These properties are those of every other type too.

    \(table(ofViews, of: makeView("View")))
    """
  }

  private var controls: String {
    """
    ## Every control

    Controls also have these, and `actions` for events. Where a type below names no other events, its controls send those of fingers alone.

    \(table(ofControls, of: makeView("Button")))

    | event | sent when |
    |---|---|
    \(Control.Event.named.map { "| `\($0.name)` | \($0.about) |" }.joined(separator: "\n"))
    """
  }

  private var actions: String {
    """
    ## Actions

    The cockpit has these actions for events: `"actions": {"valueChanged": "brake"}`.

    | action | what it does |
    |---|---|
    \(SceneAction.allCases.map { "| `\($0.rawValue)` | \($0.about) |" }.joined(separator: "\n"))
    """
  }

  private func section(_ type: String) -> String {
    let view = makeView(type)
    let common = ofViews + (view is Control ? ofControls : [])
    let own = view.inspectables.filter { property in !common.contains { $0 === property } }
    var lines = ["## \(type)", picture(type) + about(view)]
    if !own.isEmpty { lines.append(table(own, of: view)) }
    var notes: [String] = []
    if let control = view as? Control {
      let events = Control.Event.named.filter { control.ownEvents.contains($0.event) }.map { "`\($0.name)`" }
      if !events.isEmpty { notes.append("Events beside those of fingers: \(events.joined(separator: ", ")).") }
    }
    let plain = makeView("View")
    let button = makeView("Button")
    let others = common.compactMap { property -> String? in
      guard view.inspectables.contains(where: { $0 === property }) else { return nil }
      let usual = property.json(of: ofViews.contains { $0 === property } ? plain : button)
      let value = property.json(of: view)
      return value == usual || property.name == "name" ? nil : "`\(property.name)` \(Self.text(value))"
    }
    if !others.isEmpty { notes.append("Other defaults than those of every view: \(others.joined(separator: ", ")).") }
    let gone = common.filter { property in !view.inspectables.contains { $0 === property } }.map { "`\($0.name)`" }
    if !gone.isEmpty { notes.append("Not there: \(gone.joined(separator: ", ")).") }
    if !notes.isEmpty { lines.append(notes.joined(separator: " ")) }
    return lines.joined(separator: "\n\n")
  }

  private func about(_ view: View) -> String { Swift.type(of: view).about }

  private func picture(_ type: String) -> String { "![\(type)](controls/\(type).png)\n\n" }

  private func table(_ properties: [AnyProperty], of view: View) -> String {
    let rows = properties.map { property in
      let (kind, isOptional) = Self.plain(property.kind)
      let name = (Self.isChoice(kind) ? Self.names(of: kind) : Self.name(of: kind)) + (isOptional ? ", or null" : "")
      return
        "| `\(property.name)` | \(name) | \(Self.text(property.json(of: view))) | \(limits(property)) | \(meaning(property)) |"
    }
    return "| property | kind | default | limits | |\n|---|---|---|---|---|\n" + rows.joined(separator: "\n")
  }

  private func limits(_ property: AnyProperty) -> String {
    guard let limits = property.limits else { return "" }
    let format = NumberFormat(fractionDigits: 3)
    return "\(format.text(limits.lowerBound)) to \(format.text(limits.upperBound))"
  }

  private func meaning(_ property: AnyProperty) -> String {
    let source = property.derivedFrom.map { " Another form of `\($0)`." } ?? ""
    return property.about.replacing("|", with: "\\|") + source
  }

  /// The kind without "or null".
  private static func plain(_ kind: InspectableKind) -> (InspectableKind, isOptional: Bool) {
    if case .optional(let inner) = kind { return (inner, true) }
    return (kind, false)
  }

  private static func isChoice(_ kind: InspectableKind) -> Bool {
    if case .choice = kind { return true }
    return false
  }

  private static func names(of kind: InspectableKind) -> String {
    guard case .choice(let names) = kind else { return "" }
    return names.map { "`\($0)`" }.joined(separator: ", ")
  }

  private static func name(of kind: InspectableKind) -> String {
    switch kind {
    case .bool: "truth value"
    case .text: "text"
    case .integer: "whole number"
    case .number: "number"
    case .color: "colour"
    case .image: "picture"
    case .choice: "name"
    case .optional(let kind): name(of: kind)
    // "a point as [x, y]" is a point.
    case .numbers(_, let form): form.split(separator: " ").first { $0 != "a" }.map(String.init) ?? "numbers"
    }
  }

  private static func text(_ json: JSONValue) -> String { json == .null ? "null" : "`\(json.jsonText)`" }

  // MARK: Pictures

  /// The picture of a type: with sample content, in the dark theme.
  func draw(_ type: String) -> Snapshot {
    let root = RootView()
    root.theme = .dark
    let size: Size
    if let whole = Self.wholes[type] {
      let view = makeView(type)
      size = whole
      root.addSubview(view)
      view.frame = Rect(origin: .zero, size: whole)
      if type == "CockpitPanel" { fill(view) }
    } else if let sample = CatalogueSample(type, of: registry) {
      let wish = sample.size(isCompact: false)
      let margin = 12.0
      size = Size(width: wish.width + 2 * margin, height: wish.height + 2 * margin)
      root.addSubview(sample.view)
      sample.view.frame = Rect(x: margin, y: margin, width: wish.width, height: wish.height)
    } else {
      size = Size(width: 1, height: 1)
    }
    let harness = ControlHarness(size: size, root: root, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    harness.advance(by: .seconds(2))
    return harness.shown
  }

  /// The cockpit's own views, which are made for windows.
  private static let wholes: [String: Size] = [
    "Backdrop": Size(width: 300, height: 188), "InstrumentCluster": Size(width: 220, height: 260),
    "CockpitPanel": Size(width: 480, height: 300),
  ]

  private func fill(_ panel: View) {
    for (type, name) in [
      ("Backdrop", "backdrop"), ("InstrumentCluster", "cluster"), ("ThrottleGearbox", "gearbox"),
      ("SteeringWheel", "wheel"),
      ("Horn", "horn"),
    ] {
      let view = makeView(type)
      view.name = name
      panel.addSubview(view)
    }
  }
}

import ControlHarness
import TestSupport

@testable import ControlTools
@testable import Controls

/// A scene that is edited by chance, as an author does: values, limits, pictures, places, names, and whole views.
@MainActor struct SceneEdits {
  final class Node {
    var type: String
    var name: String?
    var properties: [String: JSONValue] = [:]
    var place: [String: JSONValue] = [:]
    var children: [Node] = []

    init(_ type: String) { self.type = type }

    var json: JSONValue {
      var members = place.merging(["type": .string(type)]) { $1 }
      if let name { members["name"] = .string(name) }
      for (name, value) in properties { members[name] = value }
      if !children.isEmpty { members["subviews"] = .array(children.map(\.json)) }
      return .object(members)
    }

    var all: [Node] { [self] + children.flatMap(\.all) }
  }

  private static let types = [
    "View", "View", "StackView", "StackView", "ScrollView", "Label", "Label", "Button", "Slider", "Slider",
    "RangeSlider",
    "RangeSlider", "NumberField", "NumberField", "Switch", "TextField", "ChoiceControl", "PopUpButton", "ImageView",
    "GradientView", "PulseRadar", "StickyHeaderView",
  ]
  private static let containers: Set = ["View", "StackView", "ScrollView"]

  var random: Random
  let root = Node("View")
  /// The names of pictures beside the file, of which some are missing.
  let pictures: [String]
  private let registry = ViewRegistry.everyControl
  private var nameCount = 0
  /// The properties that were taken out, to be put back as it was: limits and values come and go.
  private var drawer: [(node: Node, name: String, value: JSONValue)] = []

  init(seed: Int, pictures: [String]) {
    (random, self.pictures) = (Random(seed), pictures)
    for _ in 0..<8 { add() }
  }

  var text: String { root.json.jsonText }

  mutating func edit() {
    let nodes = root.all
    let node = nodes[random.below(nodes.count)]
    switch random.below(20) {
    case 0 where nodes.count < 30, 1 where nodes.count < 12: add()
    case 2 where nodes.count > 6: remove(node)
    case 3:
      guard node.children.count > 1 else { return set(node) }
      node.children.append(node.children.remove(at: random.below(node.children.count)))
    case 4: place(node)
    case 5:
      node.place = [:]
    case 6, 7, 8:
      let names = node.properties.keys.sorted()
      guard !names.isEmpty else { return set(node) }
      let name = names[random.below(names.count)]
      let value = node.properties[name] ?? .null
      node.properties[name] = nil
      drawer.append((node, name, value))
    case 9, 10, 11:
      guard let old = drawer.popLast() else { return set(node) }
      old.node.properties[old.name] = old.value
    default: set(node)
    }
  }

  private mutating func add() {
    let homes = root.all.filter { Self.containers.contains($0.type) }
    let node = Node(Self.types[random.below(Self.types.count)])
    if random.below(2) == 0 {
      nameCount += 1
      node.name = "v\(nameCount)"
    }
    for _ in 0..<random.below(4) { set(node) }
    place(node)
    homes[random.below(homes.count)].children.append(node)
  }

  private func remove(_ node: Node) {
    for home in root.all { home.children.removeAll { $0 === node } }
  }

  private mutating func place(_ node: Node) {
    guard node !== root else { return }
    node.place = [:]
    func number() -> JSONValue { .number(Double(random.below(120))) }
    switch random.below(4) {
    case 0: node.place["frame"] = .array([number(), number(), number(), number()])
    case 1: node.place["margins"] = number()
    case 2:
      var anchors: [String: JSONValue] = ["left": number(), "top": number()]
      if random.below(2) == 0 { anchors["width"] = random.below(2) == 0 ? number() : .string("50%") }
      if random.below(2) == 0 { anchors["bottom"] = number() }
      node.place["anchors"] = .object(anchors)
    default: break
    }
  }

  private mutating func set(_ node: Node) {
    guard let view = registry.makeView(node.type) else { return }
    let usable = view.inspectables.filter { $0.name != "name" && $0.derivedFrom == nil }
    // Those that limit each other more often.
    let coupled = usable.filter { $0.kind == .number || $0.kind == .optional(.number) || $0.kind == .integer }
    let choice = !coupled.isEmpty && random.below(2) == 0 ? coupled : usable
    let property = choice[random.below(choice.count)]
    node.properties[property.name] = value(property.kind, property.limits)
  }

  mutating func value(_ kind: InspectableKind, _ limits: ClosedRange<Double>?) -> JSONValue {
    switch kind {
    case .bool: return .bool(random.below(2) == 0)
    case .text: return .string(["", "a", "two words", "one|two|three", "a\nb"][random.below(5)])
    case .integer: return .number(Double(random.below(6)))
    case .number:
      let choices = [0, 1, -5, 0.5, 50, 80, 100, limits?.lowerBound ?? 3, limits?.upperBound ?? 7]
      return .number(choices[random.below(choices.count)])
    case .numbers(let count, _): return .array((0..<count).map { _ in .number(Double(random.below(10))) })
    case .color: return .string(["#2dd4bf", "#ff000080", "clear"][random.below(3)])
    case .image: return .string(pictures[random.below(pictures.count)])
    case .choice(let names): return .string(names[random.below(names.count)])
    case .optional(let kind): return random.below(5) == 0 ? .null : value(kind, limits)
    }
  }
}

/// A layout file shown in a window, and what can be seen of it.
@MainActor struct ShownScene {
  let view = LayoutView(registry: .everyControl)
  let root = RootView(frame: Rect(x: 0, y: 0, width: 400, height: 300))

  init() {
    view.frame = root.bounds
    root.addSubview(view)
  }

  /// Shows `text` as the file `name`; false if it has a mistake.
  func load(_ text: String, named name: String) -> Bool {
    do throws(LayoutFileError) {
      try view.load(LayoutFile(text: text, name: name))
    } catch {
      return false
    }
    // As frames do: a view that asks for layout while others are laid out gets it in the next frame.
    for _ in 0..<4 where root.needsLayout || root.hasLayoutInside { root.layoutIfNeeded() }
    return true
  }

  /// Every view in order, with its frame, its properties and its pictures' pixels.
  var description: [String] {
    var lines: [String] = []
    func add(_ view: View, _ depth: Int) {
      var line = String(repeating: " ", count: depth) + "\(type(of: view))"
      // What is not shown has no place yet.
      if view.isShown { line += " \(view.frame)" }
      for property in view.inspectables {
        line += " \(property.name)=\(property.json(of: view).jsonText)"
      }
      if let image = (view as? ImageView)?.image { line += " picture \(image.size)" }
      if let image = (view as? Button)?.currentImage { line += " picture \(image.size)" }
      lines.append(line)
      // The parts of a control are its own, and moved with each frame.
      if !(view is Control) || view is ImageView { for inner in view.subviews { add(inner, depth + 1) } }
    }
    if let scene = view.scene { add(scene, 0) }
    return lines
  }
}

import Controls

/// Reads one view's position: its frame, anchors and margins.
struct LayoutPlaceReader {
  let builder: LayoutBuilder
  private var anchors: LayoutAnchors?
  private var margins: LayoutAnchors?
  private var hasFrame = false

  init(builder: LayoutBuilder) {
    self.builder = builder
  }

  mutating func frame(_ json: JSONValue, _ path: LayoutBuilder.Path) throws(LayoutFileError) -> Rect {
    hasFrame = true
    guard case .array(let values) = json, values.count == 4 else {
      throw builder.fail(.needs("[x, y, width, height]", found: json.article), path)
    }
    var numbers: [Double] = []
    for (index, value) in values.enumerated() {
      guard case .number(let number) = value else {
        throw builder.fail(.needs("a number", found: value.article), .index(path, index))
      }
      guard abs(number) <= LayoutFile.greatestLength, index < 2 || number >= 0 else {
        throw builder.fail(.absurdLength(number), .index(path, index))
      }
      numbers.append(number)
    }
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Reads anchors, such as `{"left": 10, "width": "50%", "aspect": 1}`.
  mutating func readAnchors(_ json: JSONValue, _ path: LayoutBuilder.Path) throws(LayoutFileError) {
    var anchors = LayoutAnchors()
    var hasSides = false
    for (key, value) in try builder.object(json, path) {
      let here = LayoutBuilder.Path.key(path, key)
      if key == "aspect" {
        guard case .number(let aspect) = value, (0.001...1000).contains(aspect) else {
          throw builder.fail(.badAnchor("needs width divided by height, from 0.001 to 1000"), here)
        }
        anchors.aspect = aspect
      } else if let edge = LayoutEdge(key) {
        anchors[edge] = try length(value, here)
        if key == "leading" || key == "trailing" { anchors.followsLayoutDirection = true }
        if edge == .left || edge == .right, key == edge.rawValue { hasSides = true }
        if hasSides, anchors.followsLayoutDirection {
          throw builder.fail(.badAnchor("a view has left and right, or leading and trailing"), here)
        }
      } else {
        let nearest = EditDistance.nearest(to: key, in: LayoutEdge.names + ["aspect"])
        throw builder.fail(.unknownAnchor(key), here, nearest: nearest)
      }
    }
    self.anchors = anchors
  }

  /// Reads margins: one length for all four edges, or four for top, left, bottom and right.
  mutating func readMargins(_ json: JSONValue, _ path: LayoutBuilder.Path) throws(LayoutFileError) {
    var margins = LayoutAnchors()
    let edges = [LayoutEdge.top, .left, .bottom, .right]
    if case .array(let values) = json {
      guard values.count == 4 else {
        throw builder.fail(.needs("one length or four, [top, left, bottom, right]", found: "\(values.count)"), path)
      }
      for (index, edge) in edges.enumerated() { margins[edge] = try length(values[index], .index(path, index)) }
    } else {
      let length = try length(json, path)
      for edge in edges { margins[edge] = length }
    }
    self.margins = margins
  }

  private func length(_ json: JSONValue, _ path: LayoutBuilder.Path) throws(LayoutFileError) -> LayoutLength {
    let length: LayoutLength
    switch json {
    case .number(let points): length = LayoutLength(points: points)
    case .string(let text):
      do throws(LayoutLength.ParseError) {
        length = try LayoutLength(text: text)
      } catch {
        throw builder.fail(.badAnchor(error.message), path, nearest: error.nearest)
      }
    default: throw builder.fail(.needs("a number, or a text such as \"50%\"", found: json.article), path)
    }
    // Negated, so that NaN is an error too.
    for number in [length.points, length.part, length.reference?.factor ?? 0]
    where !(abs(number) <= LayoutFile.greatestLength) {
      throw builder.fail(.absurdLength(number), path)
    }
    return length
  }

  /// Returns the anchors, with margins for the edges that they leave open; nil if the view has neither.
  func result(_ path: LayoutBuilder.Path) throws(LayoutFileError) -> LayoutAnchors? {
    let key = anchors != nil ? "anchors" : "margins"
    func fail(_ reason: String) -> LayoutFileError { builder.fail(.tooManyAnchors(reason), .key(path, key)) }
    guard anchors != nil || margins != nil else { return nil }
    if hasFrame { throw fail("a view has a frame or \(key), not both") }
    var result = anchors ?? LayoutAnchors()
    for axis in Axis.allCases {
      let names = axis.edges.map(\.rawValue).joined(separator: ", ")
      if result.count(on: axis) > 2 { throw fail("more than two of \(names)") }
      guard let margins else { continue }
      for edge in [axis.low, axis.high] where result.count(on: axis) < 2 && result[edge] == nil {
        result[edge] = margins[edge]
      }
    }
    return result
  }
}

extension LayoutBuilder {
  /// Checks that the anchors of the views in `node` refer to siblings, and not to themselves in a circle.
  func checkAnchors(of node: LayoutNode, _ path: Path) throws(LayoutFileError) {
    guard node.children.contains(where: { $0.anchors != nil }) else { return }
    let older = Set((node.older?.children ?? []).map { ObjectIdentifier($0.view) })
    // Subviews that the type itself adds are siblings too.
    let own = node.view.contentHost.subviews.filter { !older.contains(ObjectIdentifier($0)) }
    var items: [AnchorPlan.Item] = own.map { ($0.name, $0.anchors, nil) }
    for child in node.children { items.append((child.key.name ?? child.view.name, child.anchors, nil)) }
    let names = Set(items.map(\.name))
    for (index, child) in node.children.enumerated() {
      for edge in LayoutEdge.allCases {
        guard case .named(let name) = child.anchors?[edge]?.reference?.sibling else { continue }
        if items.count(where: { $0.name == name }) > 1 {
          throw fail(.ambiguousSibling(name), anchorPath(path, index, edge))
        }
        guard !names.contains(name) else { continue }
        throw fail(
          .unknownSibling(name), anchorPath(path, index, edge),
          nearest: EditDistance.nearest(to: name, in: names.sorted()))
      }
    }
    let plan = AnchorPlan(items)
    if let cycle = plan.cycle, let index = plan.cycleStart {
      throw fail(.cyclicAnchors(cycle), anchorPath(path, index - own.count, nil))
    }
  }

  private func anchorPath(_ path: Path, _ index: Int, _ edge: LayoutEdge?) -> Path {
    let anchors = Path.key(.index(.key(path, "subviews"), index), "anchors")
    return edge.map { .key(anchors, $0.rawValue) } ?? anchors
  }
}

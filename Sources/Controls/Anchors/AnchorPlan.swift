/// The order in which the subviews of one view are positioned: each after those that it refers to.
package final class AnchorPlan {
  /// One axis of one subview, or both if its aspect ratio couples them.
  private struct Step {
    let view: Int
    let axis: Axis
  }

  private var steps: [Step] = []
  /// The indices of the views that lengths refer to.
  private var siblings: [LayoutLength.Sibling: Int] = [:]
  private var referred: Set<ObjectIdentifier> = []
  /// The names of views whose anchors depend on each other in a circle, the first one repeated at the end; nil without a
  /// circle.
  package private(set) var cycle: [String]?
  package private(set) var cycleStart: Int?

  var isEmpty: Bool { steps.isEmpty }

  /// Whether another subview is placed by `view`.
  func refers(to view: View) -> Bool { referred.contains(ObjectIdentifier(view)) }

  /// A view as a plan needs it; the identity is nil for one that does not exist yet.
  package typealias Item = (name: String, anchors: LayoutAnchors?, identity: ObjectIdentifier?)

  package convenience init(_ superview: View) {
    self.init(superview.subviews.map { ($0.name, $0.anchors, ObjectIdentifier($0)) })
  }

  /// The plan for the subviews of one view, in their order.
  package init(_ views: [Item]) {
    for (index, view) in views.enumerated().reversed() where !view.name.isEmpty { siblings[.named(view.name)] = index }
    // A side that a view chooses itself follows from its other side, unless just that would make a circle.
    if !order(views, measuresLast: true) { _ = order(views, measuresLast: false) }
  }

  /// Determines the steps and their order. With `measuresLast`, a side that the anchors leave open comes after the view's other
  /// side; false, if that cannot be.
  private func order(_ views: [Item], measuresLast: Bool) -> Bool {
    // A node for each axis of each view with anchors: 2 * index for x, 2 * index + 1 for y; an aspect ratio makes x both.
    func node(_ index: Int, _ axis: Axis) -> Int? {
      guard let anchors = views[index].anchors else { return nil }
      return anchors.aspect != nil || axis == .horizontal ? 2 * index : 2 * index + 1
    }
    var waitsFor = [Int: Int]()
    var isWaitedForBy: [Int: [Int]] = [:]
    var references: [Int: [Int]] = [:]
    var nodes: [Int] = []
    for (index, view) in views.enumerated() {
      guard let anchors = view.anchors else { continue }
      for axis in Axis.allCases {
        guard let own = node(index, axis) else { continue }
        if nodes.last != own { nodes.append(own) }
        for edge in axis.edges {
          guard let reference = anchors[edge]?.reference, let sibling = self.index(of: reference.sibling, among: views)
          else { continue }
          if let identity = views[sibling].identity { referred.insert(identity) }
          guard let other = node(sibling, reference.edge.axis) else { continue }
          waitsFor[own, default: 0] += 1
          isWaitedForBy[other, default: []].append(own)
          references[own, default: []].append(other)
        }
      }
      guard measuresLast, anchors.aspect == nil, let measured = anchors.measuredAxis,
        let own = node(index, measured), let other = node(index, measured.other)
      else { continue }
      waitsFor[own, default: 0] += 1
      isWaitedForBy[other, default: []].append(own)
    }
    var ready = nodes.filter { waitsFor[$0] == nil }
    var done = 0
    while done < ready.count {
      let node = ready[done]
      done += 1
      for waiting in isWaitedForBy[node] ?? [] {
        let left = (waitsFor[waiting] ?? 1) - 1
        waitsFor[waiting] = left
        if left == 0 { ready.append(waiting) }
      }
    }
    if done < nodes.count {
      if measuresLast { return false }
      let isReady = Set(ready)
      let stuck = nodes.filter { !isReady.contains($0) }
      findCycle(among: Set(stuck), from: stuck[0], references, views)
      // Without a valid order any will do: they are positioned by the others' previous frames.
      ready += stuck
    }
    steps = ready.map { Step(view: $0 / 2, axis: $0 % 2 == 0 ? .horizontal : .vertical) }
    return true
  }

  /// The index of `sibling` among `views`, kept for `place(_:)`; nil if it is not among them.
  private func index(of sibling: LayoutLength.Sibling, among views: [Item]) -> Int? {
    if case .view(let identity) = sibling, siblings[sibling] == nil {
      siblings[sibling] = views.firstIndex { $0.identity == identity }
    }
    return siblings[sibling]
  }

  /// References from any stuck node lead to a circle: follow them until a node repeats.
  private func findCycle(among stuck: Set<Int>, from start: Int, _ references: [Int: [Int]], _ views: [Item]) {
    var way = [start]
    var places = [start: 0]
    while let next = references[way[way.count - 1]]?.first(where: stuck.contains) {
      if let place = places[next] {
        let circle = way[place...] + [next]
        cycle = circle.map { views[$0 / 2].name.isEmpty ? "subviews[\($0 / 2)]" : views[$0 / 2].name }
        cycleStart = way[place] / 2
        return
      }
      places[next] = way.count
      way.append(next)
    }
  }

  /// Positions the subviews of `superview` as if it were of `size`.
  func place(_ superview: View, in size: Size) {
    let views = superview.subviews
    let direction = superview.effectiveLayoutDirection
    for step in steps where step.view < views.count {
      let view = views[step.view]
      guard let anchors = view.anchors else { continue }
      // From right to left, such a view is positioned among mirrored siblings, and then mirrored itself.
      let mirror = anchors.followsLayoutDirection ? direction : .leftToRight
      func place(of reference: LayoutLength.Reference) -> Double? {
        guard let index = siblings[reference.sibling], index < views.count else { return nil }
        return AnchorPlan.value(of: reference.edge, mirror.rect(views[index].frame, in: size.width))
      }
      func span(_ axis: Axis, _ own: Double?) -> LayoutAnchors.Span {
        anchors.span(on: axis, side: size[axis], length: own, place: place)
      }
      var frame = mirror.rect(view.frame, in: size.width)
      if let aspect = anchors.aspect {
        frame = AnchorPlan.shaped(anchors, aspect, span)
      } else {
        var own: Double?
        if anchors.needsOwnSide(on: step.axis) {
          // The room that the anchors leave, and the other side as the view gets it: placed before, or known from the anchors.
          let other = step.axis.other
          let isPlaced = anchors.measuredAxis == step.axis
          let offer = Size(
            span(step.axis, nil).length, along: step.axis,
            breadth: isPlaced ? view.frame.size[other] : span(other, nil).length)
          own = view.sizeThatFits(offer)?[step.axis]
        }
        let place = span(step.axis, own)
        (frame.origin[step.axis], frame.size[step.axis]) = (place.start, place.length)
      }
      view.setPlacedFrame(mirror.rect(frame, in: size.width))
    }
  }

  private static func value(of edge: LayoutEdge, _ frame: Rect) -> Double {
    let axis = edge.axis
    let (start, length) = (frame.origin[axis], frame.size[axis])
    if edge.isExtent { return length }
    return edge == axis.low ? start : edge == axis.high ? start + length : start + length / 2
  }

  /// A rectangle whose sides are as `aspect` to 1.
  private static func shaped(
    _ anchors: LayoutAnchors, _ aspect: Double, _ span: (Axis, Double?) -> LayoutAnchors.Span
  ) -> Rect {
    let (openX, openY) = (anchors.needsOwnSide(on: .horizontal), anchors.needsOwnSide(on: .vertical))
    var (x, y) = (span(.horizontal, nil), span(.vertical, nil))
    // A side that the anchors leave open follows from the other.
    if openY, !openX { y = span(.vertical, x.length / aspect) }
    if openX, !openY { x = span(.horizontal, y.length * aspect) }
    if openX != openY { return Rect(x: x.start, y: y.start, width: x.length, height: y.length) }
    let width = min(x.length, y.length * aspect)
    let height = width / aspect
    if openX && openY {
      // Open on both axes: the view lies at the anchored edges, not in the middle.
      (x, y) = (span(.horizontal, width), span(.vertical, height))
      return Rect(x: x.start, y: y.start, width: width, height: height)
    }
    return Rect(
      x: x.start + (x.length - width) / 2, y: y.start + (y.length - height) / 2, width: width, height: height)
  }
}

nonisolated extension LayoutAnchors {
  /// The axis whose side the view chooses for a known other side: a text's height for its width. If both sides are open, the
  /// height follows the width. Nil if neither is.
  var measuredAxis: Axis? {
    needsOwnSide(on: .vertical) ? .vertical : needsOwnSide(on: .horizontal) ? .horizontal : nil
  }

  var usesOwnSize: Bool {
    aspect == nil && (needsOwnSide(on: .horizontal) || needsOwnSide(on: .vertical))
  }
}

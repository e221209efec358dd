import Controls
import ScreenshotTesting

/// Judges a view tree by its pixels: whether users can read its texts, see its icons and hit its controls.
///
/// Contrast is judged by the Web Content Accessibility Guidelines, which exempt disabled controls. Texts and icons are found by
/// what the views draw (`RootView.record`), so no list of them has to be maintained.
package struct ScreenJudge {
  /// The rules.
  package enum Rule: String, CaseIterable, Sendable {
    /// The contrast of a text to its background.
    case textContrast
    /// The contrast of an icon to its background. An icon is a shape in a strong colour, or in a colour that texts have too.
    case signContrast
    /// The contrast of the clearest shape of a view that shows a value or can be touched.
    case shapeContrast
    /// The font size of a text, in points.
    case textSize
    /// The size of the area in which a control answers a finger, in points.
    case touchArea
    /// The distance from a text to a neighbouring text or line, in points.
    case gap
    /// The contrast of two backgrounds whose edge runs through a text.
    case edgeThroughText
    /// The distance from the middle of a text or icon to the middle of the shape around it, in pixels.
    case middle
    /// The number of equal pixels of a gradient before a step of more than one level.
    case banding
  }

  /// A violation of a rule.
  package struct Finding: Sendable, CustomStringConvertible {
    package let rule: Rule
    /// The view, and the part of it.
    package let subject: String
    /// The frame in the window, in pixels.
    package let place: Rect
    /// The value measured and the value wanted, in the rule's unit.
    package let measured: Double
    package let wanted: Double

    package var description: String {
      func short(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
      let box =
        "\(Int(place.minX)),\(Int(place.minY)) \(Int(place.width.rounded(.up)))x\(Int(place.height.rounded(.up)))"
      return "\(rule.rawValue): \(subject) at \(box): \(short(measured)), wanted \(short(wanted))"
    }
  }

  /// The limits.
  package struct Limits: Sendable {
    package var textContrast = 4.5
    package var signContrast = 3.0
    package var textPoints = 12.0
    package var touchPoints = 44.0
    package var gapPoints = 2.0
    /// The contrast of backgrounds that can be distinguished.
    package var edgeContrast = 1.02
    /// In pixels.
    package var offset = 0.5

    package init() {}

    /// The limits for more contrast: 7 for texts.
    package static let highContrast: Limits = {
      var limits = Limits()
      limits.textContrast = 7
      return limits
    }()
  }

  private let root: RootView
  private let record: DrawingRecord
  private let owned: OwnedPicture
  private let limits: Limits
  private let scale: Double
  /// The indices of the marks that are icons.
  private let signs: [Int]
  /// The visible colours of each mark and around it; nil for a mark that is not visible.
  private let seen: [OwnedPicture.Surroundings?]

  /// Judges `root` by `picture`, an image of its current state; nil if there is no memory, or if their sizes differ.
  package init?(_ root: RootView, picture: Snapshot, limits: Limits = Limits()) {
    guard let record = root.record(), record.size == picture.size else { return nil }
    let textColors = Set(record.marks.compactMap { mark in mark.isText ? mark.color?.opaque : nil })
    let roles = record.marks.indices.map { index -> OwnedPicture.Role in
      let mark = record.marks[index]
      switch mark.kind {
      case .text: return .text
      case .line: return .line
      case .fill:
        if mark.color == nil { return .gradient }
        return mark.isSign(textColors) && !record.isGround(index) ? .line : .ground
      case .picture: return .ground
      }
    }
    let owned = OwnedPicture(picture, owners: record.owners, strata: record.strata, roles: roles)
    (self.root, self.record, self.limits, self.owned) = (root, record, limits, owned)
    scale = root.scale.factor
    signs = record.marks.indices.filter { index in
      let mark = record.marks[index]
      return !mark.isText && mark.isSign(textColors) && !record.isGround(index)
    }
    seen = record.marks.indices.map { index in
      let mark = record.marks[index]
      return owned.surroundings(
        of: UInt32(index + 1), in: Scale.one.pixelRect(covering: mark.bounds), meant: mark.ink)
    }
  }

  /// Everything that breaks a rule.
  package var findings: [Finding] {
    texts + signs.compactMap(signContrast) + components + touchAreas + offsets + bands
  }

  // MARK: Texts

  private var texts: [Finding] {
    record.marks.indices.flatMap { index -> [Finding] in
      let mark = record.marks[index]
      guard case .text(let text, let points, _) = mark.kind, let surroundings = seen[index] else { return [] }
      let subject = "\(mark.view.path) \"\(text)\""
      var found: [Finding] = []
      func expect(_ rule: Rule, _ measured: Double, atLeast wanted: Double, _ more: String = "") {
        guard measured < wanted - 0.005 else { return }
        found.append(
          Finding(rule: rule, subject: subject + more, place: mark.bounds, measured: measured, wanted: wanted))
      }
      expect(.textSize, points, atLeast: limits.textPoints)
      if mark.view.isInUse { expect(.textContrast, surroundings.contrast(allBut: 0.1), atLeast: limits.textContrast) }
      let (number, box) = (UInt32(index + 1), Scale.one.pixelRect(covering: mark.bounds))
      let gap = Int((limits.gapPoints * scale).rounded(.down))
      for (other, free) in owned.neighbours(of: number, in: box, within: gap).sorted(by: { $0.key < $1.key }) {
        let neighbour = record.marks[Int(other) - 1]
        // Report two texts once: at the second one.
        if neighbour.isText, other > number { continue }
        expect(.gap, Double(free) / scale, atLeast: limits.gapPoints, " to \(neighbour.words)")
      }
      let edge = owned.groundContrast(of: number, in: box)
      if edge > limits.edgeContrast {
        found.append(
          Finding(
            rule: .edgeThroughText, subject: subject, place: mark.bounds, measured: edge, wanted: limits.edgeContrast))
      }
      return found
    }
  }

  // MARK: Shapes

  /// The contrast that half of a shape's edge reaches; for a line, a quarter, because a line between two backgrounds is visible
  /// if it differs from one of them.
  private func shapeContrast(_ index: Int, _ surroundings: OwnedPicture.Surroundings) -> Double {
    surroundings.contrast(allBut: record.marks[index].kind == .line ? 0.75 : 0.5)
  }

  private func signContrast(_ index: Int) -> Finding? {
    guard let surroundings = seen[index], record.marks[index].view.isInUse else { return nil }
    let (mark, contrast) = (record.marks[index], shapeContrast(index, surroundings))
    guard contrast < limits.signContrast - 0.005 else { return nil }
    return Finding(
      rule: .signContrast, subject: mark.words, place: mark.bounds, measured: contrast, wanted: limits.signContrast)
  }

  /// The findings on views that show a value or can be touched. Each view is judged by its clearest shape.
  private var components: [Finding] {
    var best: [ObjectIdentifier: (view: View, contrast: Double)] = [:]
    for (index, mark) in record.marks.enumerated() where !mark.isText && mark.view.saysSomething && mark.view.isInUse {
      guard let surroundings = seen[index] else { continue }
      let known = best[ObjectIdentifier(mark.view)]?.contrast ?? 1
      best[ObjectIdentifier(mark.view)] = (mark.view, max(known, shapeContrast(index, surroundings)))
    }
    return best.values.filter { $0.contrast < limits.signContrast - 0.005 }.sorted { $0.view.path < $1.view.path }.map {
      Finding(
        rule: .shapeContrast, subject: $0.view.path, place: $0.view.windowFrame.scaled(by: scale),
        measured: $0.contrast, wanted: limits.signContrast)
    }
  }

  // MARK: Touches

  private var touchAreas: [Finding] {
    root.controls(in: root.bounds).compactMap { control in
      let frame = control.windowFrame
      let side = min(touchExtent(of: control, .horizontal), touchExtent(of: control, .vertical))
      guard side < limits.touchPoints - 0.5 else { return nil }
      return Finding(
        rule: .touchArea, subject: control.path, place: frame.scaled(by: scale), measured: side,
        wanted: limits.touchPoints)
    }
  }

  /// The length of the line through the middle of `control` on which a finger hits it, in points.
  private func touchExtent(of control: Control, _ axis: Axis) -> Double {
    let (frame, reach) = (control.windowFrame, Control.minimumTouchSide)
    var hits: (first: Double, last: Double)?
    for place in stride(from: -reach, through: frame.size[axis] + reach, by: 0.5) {
      var point = frame.center
      point[axis] = frame.origin[axis] + place
      var hit = root.hitTest(point)
      while let view = hit, view !== control { hit = view.superview }
      if hit != nil { hits = (hits?.first ?? place, place) }
    }
    return hits.map { $0.last - $0.first + 0.5 } ?? 0
  }

  // MARK: Middles

  /// The texts and icons that are almost in the middle of the smallest shape around them, but not exactly.
  private var offsets: [Finding] {
    let grounds = record.marks.indices.filter { !record.marks[$0].isText && seen[$0] != nil }
    var found: [Finding] = []
    for (index, mark) in record.marks.enumerated() where mark.isText && seen[index] != nil {
      let around = grounds.filter { other in
        other < index && record.marks[other].view === mark.view && record.marks[other].bounds.holds(mark.bounds)
      }
      guard let shape = around.map({ record.marks[$0].bounds }).min(by: { $0.area < $1.area }) else { continue }
      // A text beside something else is not meant to be centred horizontally.
      let isAlone = !record.marks.contains { other in
        other.view === mark.view && shape.holds(other.bounds) && other.bounds.minY < mark.bounds.maxY
          && other.bounds.maxY > mark.bounds.minY
          && (other.bounds.maxX <= mark.bounds.minX || other.bounds.minX >= mark.bounds.maxX)
      }
      found += offset(
        of: mark.bounds, in: shape, mark.words, isAlone: isAlone, isLevel: mark.isLevel,
        reach: mark.bounds.height / 4)
    }
    // A view's icon is everything that the view draws in plain colours on one shape.
    let parts = record.marks.indices.filter { index in
      let mark = record.marks[index]
      return !mark.isText && mark.color != nil && mark.opacity >= 0.5 && seen[index] != nil && !record.isGround(index)
    }
    for (_, members) in Dictionary(
      grouping: parts, by: { ObjectIdentifier(record.marks[$0].view) })
    {
      let sign = members.map { record.marks[$0].bounds }.reduce(record.marks[members[0]].bounds) { $0.union($1) }
      let view = record.marks[members[0]].view
      // An icon about as large as the shape is a part of that shape.
      let around = grounds.filter { other in
        let shape = record.marks[other]
        return !members.contains(other) && shape.view === view && shape.bounds.holds(sign)
          && max(sign.width / shape.bounds.width, sign.height / shape.bounds.height) < 0.75
      }
      guard let shape = around.map({ record.marks[$0].bounds }).min(by: { $0.area < $1.area }) else { continue }
      found += offset(of: sign, in: shape, "\(view.path) sign", isLevel: true, reach: max(sign.width, sign.height) / 4)
    }
    return found.sorted { $0.subject < $1.subject }
  }

  private func offset(
    of inner: Rect, in shape: Rect, _ subject: String, isAlone: Bool = true, isLevel: Bool, reach: Double
  ) -> [Finding] {
    var found: [Finding] = []
    func expect(_ axis: String, _ offset: Double) {
      // Something further off is not meant to be in the middle.
      guard abs(offset) > limits.offset + 0.005, abs(offset) <= reach else { return }
      found.append(
        Finding(
          rule: .middle, subject: "\(subject), \(axis)", place: inner, measured: offset, wanted: limits.offset))
    }
    if isAlone { expect("across", inner.midX - shape.midX) }
    if isLevel { expect("down", inner.midY - shape.midY) }
    return found
  }

  // MARK: Gradients

  private var bands: [Finding] {
    guard let band = owned.widestBand() else { return [] }
    return [
      Finding(
        rule: .banding, subject: "a step of \(band.step) levels",
        place: Rect(x: Double(band.x), y: Double(band.y), width: 1, height: 1), measured: Double(band.run), wanted: 8)
    ]
  }
}

extension DrawingRecord {
  /// True for an area that contains a smaller mark drawn after it.
  fileprivate func isGround(_ index: Int) -> Bool {
    guard case .fill = marks[index].kind else { return false }
    let bounds = marks[index].bounds
    return marks[(index + 1)...].contains { bounds.holds($0.bounds) && $0.bounds != bounds }
  }
}

extension DrawingRecord.Mark {
  fileprivate var isText: Bool {
    if case .text = kind { true } else { false }
  }

  /// True for a shape whose colour makes it an icon: a strong colour, or one that texts have too.
  fileprivate func isSign(_ textColors: Set<Color>) -> Bool {
    guard let color, opacity >= 0.3 else { return false }
    let parts = [color.red, color.green, color.blue]
    let spread = (parts.max() ?? 0) - (parts.min() ?? 0)
    return spread > 0.25 || (opacity > 0.5 && textColors.contains(color.opaque))
  }

  /// True unless the mark is a text with glyphs that reach below the baseline: the middle of such a text is not its visible
  /// middle.
  fileprivate var isLevel: Bool {
    guard case .text(let text, _, _) = kind else { return true }
    return !text.contains { "gjpqyQ,;()/".contains($0) }
  }

  /// The colour; nil for a gradient or an image.
  fileprivate var ink: OwnedPicture.Ink? {
    color.map { OwnedPicture.Ink(pixel: $0.opaque.pixel, opacity: opacity) }
  }

  /// The name of the mark in findings.
  fileprivate var words: String {
    let shade = color.map { " \($0.opaque.hexString)" } ?? ""
    return switch kind {
    case .text(let text, _, _): "\(view.path) \"\(text)\""
    case .fill: "\(view.path) area\(shade)"
    case .line: "\(view.path) line\(shade)"
    case .picture: "\(view.path) picture"
    }
  }
}

extension View {
  /// The view's name, or its type if it has no name, preceded by the name of its superview unless that is the root or has no
  /// name.
  fileprivate var path: String {
    let own = name.isEmpty ? String(describing: type(of: self)) : name
    guard let superview, superview.superview != nil else { return own }
    return superview.name.isEmpty ? own : "\(superview.name)/\(own)"
  }

  /// True for controls and for views that show a value.
  fileprivate var saysSomething: Bool { self is Control || !inspection.values.isEmpty }

  /// False for a disabled control and the views inside, for which WCAG requires no contrast.
  fileprivate var isInUse: Bool {
    if let control = self as? Control, !control.isEnabled { return false }
    return superview?.isInUse ?? true
  }

  /// The controls in the tree that take touches and are completely visible, in `window` and in all their superviews.
  fileprivate func controls(in window: Rect) -> [Control] {
    guard !isHidden, alpha > 0.01, isUserInteractionEnabled, window.intersects(windowFrame) else { return [] }
    let own = (self as? Control).map { $0.isEnabled && window.holds(windowFrame) ? [$0] : [] } ?? []
    let (left, top) = (max(window.minX, windowFrame.minX), max(window.minY, windowFrame.minY))
    let inside = Rect(
      x: left, y: top, width: min(window.maxX, windowFrame.maxX) - left,
      height: min(window.maxY, windowFrame.maxY) - top)
    return own + subviews.flatMap { $0.controls(in: inside) }
  }
}

extension Color {
  fileprivate nonisolated var opaque: Color { withAlpha(1) }
}

extension Rect {
  fileprivate nonisolated func holds(_ other: Rect) -> Bool {
    minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
  }

  fileprivate nonisolated var area: Double { width * height }

  fileprivate nonisolated func scaled(by factor: Double) -> Rect {
    Rect(x: minX * factor, y: minY * factor, width: width * factor, height: height * factor)
  }
}

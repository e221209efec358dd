import CockpitControls
import Controls
import UICore
import Witnessing

/// The values that the instruments must show: the command and the state of the line, from the drive and not from the views.
nonisolated struct ShownState: Hashable {
  var gear: Gear
  var lamp: DriveLamp
}

extension InstrumentCluster {
  /// The areas of what says the command and the line's state, in the window's coordinates: nothing may lie over them while something is
  /// driven.
  var areasInSight: [Rect] {
    guard root != nil, isShown else { return [] }
    let dial = speedometer.isShown ? [speedometer.gearBox, speedometer.speedBox].map(speedometer.inWindow) : []
    return dial + ([beacon, brake] as [View]).filter(\.isShown).map(\.windowFrame)
  }

  /// True if `area`, in the window's coordinates, lies over one of these areas. It allocates nothing.
  func isCovered(by area: Rect) -> Bool {
    guard root != nil, isShown else { return false }
    let dial = speedometer
    return area.intersects(dial.inWindow(dial.gearBox)) || area.intersects(dial.inWindow(dial.speedBox))
      || area.intersects(beacon.windowFrame) || area.intersects(brake.windowFrame)
  }

  /// True if something in front of `content`, such as a card or a menu, lies over these areas. It allocates nothing.
  func isOverlaid(on content: View) -> Bool {
    guard let root, isShown else { return false }
    let dial = speedometer
    return content.isCovered(dial.inWindow(dial.gearBox), in: root)
      || content.isCovered(dial.inWindow(dial.speedBox), in: root) || content.isCovered(beacon.windowFrame, in: root)
      || content.isCovered(brake.windowFrame, in: root)
  }

  /// The gears that a dial may show, for naming what is seen instead of the right one.
  private static let gears = ["R", "N"] + (1...20).map(String.init)
  /// The same for the words of the lamp.
  private static var lampWords: (language: Language.Code, words: [String])?
  private static var words: [String] {
    let language = Language.current
    if let lampWords, lampWords.language == language.code { return lampWords.words }
    let words = DriveLamp.allCases.map { language[keyPath: $0.face.word] }
    lampWords = (language.code, words)
    return words
  }

  /// The places of a frame where `state` must be read, and the speed that the dial says it shows. In pixels, at `factor` pixels per point,
  /// of a frame that begins at `origin` in the window's points. Instruments that are not in the scene, are hidden, or lie outside of the
  /// window or under other parts of `content`, as its author arranged it, have none.
  func cells(showing state: ShownState, factor: Double, origin: Point = .zero, in content: View? = nil) -> [Cell] {
    var cells: [Cell] = []
    write(&cells, showing: state, factor: factor, origin: origin, in: content)
    return cells
  }

  /// Replaces `cells` by those of `cells(showing:factor:origin:in:)`. It allocates nothing if they have room for these.
  func write(
    _ cells: inout [Cell], showing state: ShownState, factor: Double, origin: Point = .zero, in content: View? = nil
  ) {
    cells.removeAll(keepingCapacity: true)
    guard let root, isShown else { return }
    func isInSight(_ view: View, _ box: Rect) -> Bool {
      let area = box.offsetBy(dx: view.windowFrame.minX, dy: view.windowFrame.minY)
      guard view.isShown, root.bounds.union(area) == root.bounds else { return false }
      return content.map { !view.isCovered(area, in: $0) } ?? true
    }
    func place(_ view: View, _ point: Point) -> Point {
      Point(
        x: (view.windowFrame.minX + point.x - origin.x) * factor,
        y: (view.windowFrame.minY + point.y - origin.y) * factor)
    }
    func area(_ view: View, _ rect: Rect) -> PixelArea {
      let (upper, lower) = (place(view, rect.origin), place(view, Point(x: rect.maxX, y: rect.maxY)))
      let (x, y) = (Int(upper.x.rounded(.up)), Int(upper.y.rounded(.up)))
      return PixelArea(x: x, y: y, width: Int(lower.x) - x, height: Int(lower.y) - y)
    }
    func cell(
      _ subject: Cell.Subject, _ text: String, _ font: Font, in view: View, at point: Point, _ box: Rect
    ) -> Cell {
      let middle = place(view, point)
      return Cell(
        subject, text, x: middle.x, y: middle.y, size: font.size * factor, weight: font.weight.rawValue,
        area: area(view, box))
    }
    func lamp(_ view: View, _ subject: Cell.Subject, _ word: String, at point: Point, _ box: Rect, isLit: Bool) -> Cell
    {
      let font = Font(builtIn: Lamp.fontSize(height: view.bounds.height), weight: .semibold)
      var cell = cell(subject, word, font, in: view, at: point, box)
      (cell.lamp, cell.isLit) = (area(view, view.bounds), isLit)
      return cell
    }
    let dial = speedometer
    if isInSight(dial, dial.gearBox) {
      cells.append(cell(.gear, state.gear.description, dial.gearFont, in: dial, at: dial.gearPlace, dial.gearBox))
      cells[0].others = Self.gears
    }
    if isInSight(dial, dial.speedBox) {
      cells.append(cell(.speed, dial.speedText, dial.speedFont, in: dial, at: dial.speedPlace, dial.speedBox))
    }
    if isInSight(beacon, beacon.bounds) {
      let word = Language.current[keyPath: state.lamp.face.word]
      var shown = lamp(
        beacon, .state, word, at: beacon.wordPlace(of: state.lamp), beacon.wordBox,
        isLit: beacon.isEnabled || state.lamp != .ready)
      shown.others = Self.words
      cells.append(shown)
    }
    if isInSight(brake, brake.bounds) {
      cells.append(
        lamp(
          brake, .brake, Language.current.brake, at: brake.bounds.center, Lamp.wordBox(in: brake.bounds),
          isLit: state.gear == .neutral))
    }
  }
}

extension View {
  /// True if a part of `area`, in the window's coordinates, lies under another view of `whole`.
  fileprivate func isCovered(_ area: Rect, in whole: View) -> Bool {
    func covers(_ view: View) -> Bool {
      guard !view.isHidden, view.windowFrame.intersects(area) else { return false }
      return view.subviews.isEmpty || view is Control || view.hasStaticDrawing || view.backgroundColor != nil
        || view.subviews.contains(where: covers)
    }
    var view: View = self
    while view !== whole, let parent = view.superview {
      let later = parent.subviews.drop { $0 !== view }.dropFirst()
      if later.contains(where: covers) { return true }
      view = parent
    }
    return false
  }
}

extension Beacon {
  /// The part of the lamp in which only its word is drawn.
  var wordBox: Rect {
    var box = Lamp.wordBox(in: bounds)
    // Room for the broadest sign, beside the dot that is furthest in.
    let start = bounds.height * 0.72 + 2
    box.size.width -= start - box.minX
    box.origin.x = effectiveLayoutDirection == .rightToLeft ? bounds.width - start - box.width : start
    return box
  }
}

nonisolated extension Lamp {
  /// The part of a lamp in which only its word is drawn: clear of its edge and its round ends.
  static func wordBox(in bounds: Rect) -> Rect {
    let size = fontSize(height: bounds.height)
    return Rect(
      x: bounds.minX + size * 0.14 + 3, y: bounds.midY - size * 0.5, width: bounds.width - 2 * (size * 0.14 + 3),
      height: size)
  }
}

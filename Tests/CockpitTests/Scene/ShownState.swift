import CockpitControls
import Controls
import UICore
import Witnessing

@testable import cockpit

/// What the instruments must show: the command and the state of the line, from the drive and not from the views.
nonisolated struct ShownState: Hashable {
  var gear: Gear
  var lamp: DriveLamp
}

extension InstrumentCluster {
  /// The gears that a dial may show, for naming what is seen instead of the right one.
  private static let gears = ["R", "N"] + (1...20).map(String.init)

  /// The places of a frame where `state` must be read, and the speed that the dial says it shows. In pixels, at `factor` pixels per point,
  /// of a frame that begins at `origin` in the window's points. Empty if the instruments are not in the scene, or hidden.
  func cells(showing state: ShownState, factor: Double, origin: Point = .zero) -> [Cell] {
    guard root != nil, isShown else { return [] }
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
    var cells: [Cell] = []
    if speedometer.isShown {
      let dial = speedometer
      cells.append(cell(.gear, state.gear.description, dial.gearFont, in: dial, at: dial.gearPlace, dial.gearBox))
      cells[0].others = Self.gears.filter { $0 != state.gear.description }
      let (text, size) = (dial.speedText, dial.speedFont.size)
      let half = size * (text.count > 3 ? 1.3 : 1)
      let box = Rect(
        x: dial.speedPlace.x - half, y: dial.speedPlace.y - size * 0.38, width: 2 * half, height: size * 0.76)
      cells.append(cell(.speed, text, dial.speedFont, in: dial, at: dial.speedPlace, box))
    }
    if beacon.isShown {
      let words = DriveLamp.allCases.map { Language.current[keyPath: $0.face.word] }
      let word = Language.current[keyPath: state.lamp.face.word]
      var shown = lamp(
        beacon, .state, word, at: beacon.wordPlace(of: state.lamp), beacon.wordBox,
        isLit: beacon.isEnabled || state.lamp != .ready)
      shown.others = words.filter { $0 != word }
      cells.append(shown)
    }
    if brake.isShown {
      cells.append(
        lamp(
          brake, .brake, Language.current.brake, at: brake.bounds.center, Lamp.wordBox(in: brake.bounds),
          isLit: state.gear == .neutral))
    }
    return cells
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

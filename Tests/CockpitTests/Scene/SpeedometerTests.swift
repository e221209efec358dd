import Controls
import Testing
import UICore

@testable import cockpit

/// The dial's texts in windows of every size: none touches another.
@MainActor @Suite(.serialized) struct SpeedometerTests {
  private let dial = Speedometer()

  /// The letters' box of a text whose `anchor` is at `place`.
  private func ink(_ text: String, _ font: Font, at place: Point, _ anchor: TextAnchor) -> Rect {
    let layout = FontLibrary.shared.layout(text, font: font)
    let down = anchor == .center ? layout.size.height / 2 : layout.baseline
    return layout.inkBounds.offsetBy(dx: place.x - layout.size.width / 2, dy: place.y - down)
  }

  /// The faults of the texts of a dial of that size.
  private func faults(side: Double) -> [String] {
    dial.frame = Rect(x: 0, y: 0, width: side, height: side)
    var boxes = dial.labels.map { ($0.text, ink($0.text, dial.labelFont, at: $0.place, $0.anchor)) }
    boxes.append(("the speed", ink("188", dial.speedFont, at: dial.digitsBox.center, .center)))
    boxes.append(("the gear", ink("10", dial.gearFont, at: dial.bounds.center, .center)))
    var faults: [String] = []
    for (index, (name, box)) in boxes.enumerated() {
      for (other, otherBox) in boxes.dropFirst(index + 1) where box.intersects(otherBox) {
        faults.append("\(name) touches \(other)")
      }
      let far = [box.minX, box.maxX].flatMap { x in
        [box.minY, box.maxY].map { y in Point(x: x - side / 2, y: y - side / 2) }
      }
      if far.contains(where: { ($0.x * $0.x + $0.y * $0.y).squareRoot() > dial.radius * 0.97 }) {
        faults.append("\(name) leaves the dial")
      }
    }
    return faults
  }

  @Test func `no text touches another one or leaves the dial`() {
    for side in stride(from: 80.0, through: 1200, by: 4) {
      #expect(faults(side: side) == [], "a dial of \(side) points")
    }
  }

  @Test func `a large dial has all its numbers, and its unit is the last to go`() {
    for (side, count) in [(300.0, 12), (170, 7), (120, 1), (100, 0)] {
      dial.frame = Rect(x: 0, y: 0, width: side, height: side)
      #expect(dial.labels.count == count)
      #expect(count == 0 || dial.labels.last?.text == "km/h")
    }
  }
}

import Controls
import Testing
import UICore

@testable import cockpit

/// The dial's texts in windows of every size: none touches another.
@MainActor @Suite(.serialized) struct SpeedometerTests {
  private let dial = Speedometer()

  /// The letters' box of a text around `middle`.
  private func ink(_ text: String, _ font: Font, around middle: Point) -> Rect {
    let layout = FontLibrary.shared.layout(text, font: font)
    return layout.inkBounds.offsetBy(dx: middle.x - layout.opticalMiddle.x, dy: middle.y - layout.opticalMiddle.y)
  }

  /// The faults of the texts of a dial of that size.
  private func faults(side: Double) -> [String] {
    dial.frame = Rect(x: 0, y: 0, width: side, height: side)
    // Gates scale their letters with the window, and so with the dial.
    dial.sizes = TextSizes(label: max((side * 0.035).rounded(), 12), value: max((side * 0.046).rounded(), 12))
    dial.layoutIfNeeded()
    var boxes: [(String, Rect)] = dial.labels.map { label in
      let size = FontLibrary.shared.layout(label.text, font: dial.labelFont).inkBounds.size
      let corner = Point(x: label.place.x - size.width / 2, y: label.place.y - size.height / 2)
      return (label.text, Rect(origin: corner, size: size))
    }
    boxes.append(("the speed", ink("188", dial.speedFont, around: dial.speedPlace)))
    boxes.append(("the gear", ink("10", dial.gearFont, around: dial.gearPlace)))
    let anglePlace = dial.steering.convert(dial.steering.subviews[1].frame.center, to: dial)
    boxes.append(
      ("the angle", ink("450° →", Font(builtIn: dial.sizes.value, weight: .semibold), around: anglePlace)))
    var faults: [String] = []
    for (index, (name, box)) in boxes.enumerated() {
      for (other, otherBox) in boxes.dropFirst(index + 1) where box.insetBy(dx: -1, dy: -1).intersects(otherBox) {
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
    for side in stride(from: 120.0, through: 1200, by: 4) {
      #expect(faults(side: side) == [], "a dial of \(side) points")
    }
  }

  @Test func `beside any digits two pixels of their area stay free, from which the witness takes the ground`() {
    for side in stride(from: 48.0, through: 600, by: 1) {
      dial.frame = Rect(x: 0, y: 0, width: side, height: side)
      dial.isKnown = true
      for speed in [88, 188, 222, 888, 2222] {
        dial.speed = Double(speed)
        let (box, text) = (dial.speedBox, ink("\(speed)", dial.speedFont, around: dial.speedPlace))
        #expect(
          text.minX.rounded(.down) - box.minX.rounded(.up) >= 2
            && box.maxX.rounded(.down) - text.maxX.rounded(.up) >= 2,
          "\(speed) on a dial of \(side) points")
      }
    }
  }

  @Test func `a large dial has all its numbers, a small one those beside its digits, and its unit goes first`() {
    // On 100 points the number 200 would lie in the area of three digits.
    for (side, count) in [(300.0, 12), (170, 7), (124, 4), (100, 2), (60, 0)] {
      dial.frame = Rect(x: 0, y: 0, width: side, height: side)
      dial.sizes = TextSizes()
      #expect(dial.labels.count == count, "a dial of \(side) points")
      #expect(count < 4 || dial.labels.last?.text == "km/h")
    }
  }
}

import ControlHarness
import Controls
import Testing

/// Counts the user's changes of a value.
@MainActor private final class Heard {
  private(set) var count = 0

  init(_ control: Control) {
    control.addAction(for: .valueChanged) { [weak self] _ in self?.count += 1 }
  }
}

@MainActor @Suite(.serialized) struct NumberFieldTests {
  let field = NumberField()
  let harness: ControlHarness

  init() {
    harness = ControlHarness(size: Size(width: 200, height: 80))
    field.frame = Rect(x: 20, y: 20, width: 80, height: 36)
    harness.root.addSubview(field)
    harness.frame()
  }

  @Test func `numbers are typed; what is none is taken back`() {
    let changes = Heard(field)
    harness.tap(field)
    harness.press(.character("a"), .control)
    harness.type("2,5")
    harness.press(.enter)
    #expect(field.value == 2.5 && field.draft == "2.5" && changes.count == 1)
    harness.type("many")
    harness.press(.enter)
    #expect(field.value == 2.5 && field.draft == "2.5" && changes.count == 1)
  }

  @Test func `over a field the pointer is the bar for text`() {
    harness.hover(Point(x: 40, y: 38))
    #expect(harness.host.cursors[ControlHarness.seat] == .text)
    field.isEnabled = false
    harness.frame()
    #expect(harness.host.cursors[ControlHarness.seat] == .arrow)
  }

  @Test func `digits that are not shown stay until others are typed`() {
    field.value = 1.0 / 3
    let changes = Heard(field)
    harness.press(.tab)
    harness.press(.enter)
    harness.press(.tab)
    #expect(field.value == 1.0 / 3 && changes.count == 0)
  }

  @Test(arguments: [
    (-5.0, 0.0), (0.5, 0.5), (7, 1), (.nan, 0.2), (.infinity, 0.2),
  ]) func `values stay within the limits`(value: Double, kept: Double) {
    (field.minimumValue, field.maximumValue) = (0, 1)
    field.value = 0.2
    field.value = value
    #expect(field.value == kept && field.draft == NumberFormat().text(kept))
  }

  @Test func `limits that cross take each other along, and the value with them`() {
    field.value = 5
    field.maximumValue = 3
    #expect(field.value == 3)
    field.minimumValue = 8
    #expect(field.maximumValue == 8 && field.value == 8 && field.draft == "8")
  }

  @Test(
    arguments: [
      (Key.up, KeyModifiers(), 1.5), (.down, [], 0.5), (.up, .shift, 6), (.down, .shift, -4),
    ] as [(Key, KeyModifiers, Double)]) func `arrows step`(key: Key, modifiers: KeyModifiers, value: Double)
  {
    field.stepValue = 0.5
    field.value = 1
    let changes = Heard(field)
    harness.press(.tab)
    harness.press(key, modifiers)
    #expect(field.value == value && changes.count == 1 && field.draft == NumberFormat().text(value))
  }

  @Test func `a step that is finer than the shown digits is shown`() {
    (field.stepValue, field.value) = (0.0001, 1)
    harness.press(.tab)
    harness.press(.up)
    #expect(abs(field.value - 1.0001) < 1e-9 && field.draft == NumberFormat(fractionDigits: 4).text(1.0001))
  }

  @Test(arguments: [
    (40.0, LayoutDirection.leftToRight, 11.0), (-40, .leftToRight, -9), (40, .rightToLeft, -9), (6, .leftToRight, 1),
  ]) func `a drag changes the number under the finger`(way: Double, direction: LayoutDirection, value: Double) {
    harness.root.layoutDirection = direction
    field.value = 1
    let start = field.frame.center
    harness.drag(from: start, to: start.offsetBy(dx: way, dy: 0))
    #expect(field.value == value)
    // A finger that hardly moved tapped.
    #expect(field.isEditing == (value == 1))
  }

  @Test func `a cancelled drag takes the number back`() {
    field.value = 1
    let start = field.frame.center
    harness.drag(from: start, to: start.offsetBy(dx: 60, dy: 0), holds: true)
    #expect(field.value == 16)
    harness.touch(.cancelled, at: start)
    #expect(field.value == 1 && !field.isEditing)
  }
}

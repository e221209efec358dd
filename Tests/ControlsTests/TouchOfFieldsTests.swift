import CockpitControls
import ControlHarness
import ControlTools
import Controls
import Testing

/// Tests that every control has 44 points for a finger.
@MainActor @Suite(.serialized) struct TouchOfFieldsTests {
  @Test func `a finger beside a low field edits it, and drags its number`() {
    let harness = ControlHarness(size: Size(width: 240, height: 240))
    let text = TextField(frame: Rect(x: 20, y: 50, width: 200, height: 24))
    let number = NumberField(frame: Rect(x: 20, y: 120, width: 200, height: 24))
    for field in [text, number] as [LineField] { harness.root.addSubview(field) }
    harness.frame()
    harness.tap(Point(x: 100, y: 44))
    #expect(text.isEditing)
    harness.tap(Point(x: 100, y: 200))
    #expect(!text.isEditing)
    harness.drag(from: Point(x: 100, y: 114), to: Point(x: 160, y: 114))
    #expect(number.value > 0)
  }

  @Test(arguments: [
    "Button", "Switch", "Slider", "RangeSlider", "TextField", "NumberField", "PopUpButton", "ColorWell", "CheckBox",
    "RadioGroup", "PasswordField",
  ])
  func `a control of 10 by 10 points is touched in 44 by 44`(type: String) throws {
    let control = try #require(ViewRegistry.everyControl.makeView(type) as? Control)
    control.frame = Rect(x: 50, y: 50, width: 10, height: 10)
    let root = RootView(frame: Rect(x: 0, y: 0, width: 110, height: 110))
    root.addSubview(control)
    for x in [33.5, 55, 76.5] {
      for y in [33.5, 55, 76.5] {
        #expect(root.hitTest(Point(x: x, y: y))?.isDescendant(of: control) == true, "\(x), \(y)")
      }
    }
    for place in [Point(x: 32, y: 55), Point(x: 78, y: 55), Point(x: 55, y: 32), Point(x: 55, y: 78)] {
      #expect(root.hitTest(place) === root, "\(place)")
    }
  }
}

import ControlHarness
import Testing

@testable import Controls

/// Tests of what can be seen: views in sight, whole focus rings, and texts that stay where they are.
@MainActor @Suite(.serialized) struct SightTests {
  private func scroll(in harness: ControlHarness, _ frame: Rect, _ views: View...) -> ScrollView {
    let scroll = ScrollView(frame: frame)
    for view in views { scroll.contentView.addSubview(view) }
    harness.root.addSubview(scroll)
    harness.frame()
    return scroll
  }

  @Test func `a view is in sight as long as a part of it is`() {
    let harness = ControlHarness(size: Size(width: 320, height: 320))
    let (near, far) = (Button(frame: Rect(x: 10, y: 0, width: 260, height: 44)), Button())
    far.frame = Rect(x: 10, y: 900, width: 260, height: 44)
    let scroll = scroll(in: harness, Rect(x: 0, y: 0, width: 300, height: 200), near, far)
    #expect(near.isInSight && !far.isInSight)
    scroll.setContentOffset(Point(x: 0, y: 701), animated: false)
    #expect(!near.isInSight && far.isInSight)
    scroll.frame.origin.y = -200
    #expect(!far.isInSight)
    scroll.frame.origin.y = 0
    far.alpha = 0
    #expect(!far.isInSight)
    far.alpha = 1
    let outside = View(frame: Rect(x: 320, y: 0, width: 10, height: 10))
    harness.root.addSubview(outside)
    #expect(!outside.isInSight)
    outside.frame.origin.x = 319
    #expect(outside.isInSight)
  }

  /// Where the ring's outer edge lies in the window, as far as it is drawn.
  private func ring(_ harness: ControlHarness) -> Rect? {
    let ring = harness.root.focusRing
    guard !ring.isHidden else { return nil }
    return ring.ring.offsetBy(dx: ring.frame.minX, dy: ring.frame.minY).intersection(ring.frame)
  }

  @Test func `a focus ring is whole around all that is shown whole, and cut where the view is`() throws {
    let harness = ControlHarness(size: Size(width: 300, height: 300))
    let buttons = (0..<5).map { Button(frame: Rect(x: 0, y: Double($0) * 50, width: 200, height: 50)) }
    let scroll = ScrollView(frame: Rect(x: 40, y: 60, width: 200, height: 100))
    for button in buttons { scroll.contentView.addSubview(button) }
    harness.root.addSubview(scroll)
    harness.frame()
    for (button, offset) in [(buttons[0], 0.0), (buttons[2], 100), (buttons[4], 150)] {
      button.becomeFirstResponder()
      harness.root.focusRing.isHidden = false
      scroll.setContentOffset(Point(x: 0, y: offset), animated: false)
      harness.frame()
      #expect(ring(harness) == button.windowFrame.insetBy(dx: -FocusRing.reach, dy: -FocusRing.reach))
    }
    scroll.setContentOffset(Point(x: 0, y: 0), animated: false)
    harness.frame()
    #expect(ring(harness)?.isEmpty == true, "out of sight")
    buttons[1].becomeFirstResponder()
    scroll.setContentOffset(Point(x: 0, y: 70), animated: false)
    harness.frame()
    let cut = try #require(ring(harness))
    #expect(cut.minY == 60 - FocusRing.reach && cut.maxY == 90 + FocusRing.reach)
    #expect(harness.root.focusRing.ring.height == 50 + 2 * FocusRing.reach)
  }

  @Test func `at the window's edge the ring lies on the view`() {
    let harness = ControlHarness(size: Size(width: 100, height: 60))
    let button = Button(frame: Rect(x: 0, y: 0, width: 100, height: 60))
    harness.root.addSubview(button)
    button.becomeFirstResponder()
    harness.root.focusRing.isHidden = false
    harness.frame()
    #expect(ring(harness) == Rect(x: 0, y: 0, width: 100, height: 60))
    #expect(harness.root.focusRing.ring.size == Size(width: 100, height: 60))
  }

  @Test func `beside what must stay in sight the ring lies on the view`() {
    let harness = ControlHarness(size: Size(width: 200, height: 100))
    let button = Button(frame: Rect(x: 20, y: 20, width: 60, height: 40))
    harness.root.addSubview(button)
    button.becomeFirstResponder()
    harness.root.focusRing.isHidden = false
    var kept = Rect(x: 80 + FocusRing.reach, y: 0, width: 50, height: 50)
    harness.root.keptInSight = { [kept] }
    harness.frame()
    #expect(ring(harness) == button.windowFrame.insetBy(dx: -FocusRing.reach, dy: -FocusRing.reach))
    kept.origin.x -= 1
    harness.root.keptInSight = { [kept] }
    harness.frame()
    #expect(ring(harness) == button.windowFrame && harness.root.focusRing.frame == button.windowFrame)
  }

  @Test(arguments: ["漢", "ก", "न", "é", "😀"]) func `letters of another font move nothing in a field`(letter: String) {
    func pixels(_ text: String) -> Snapshot {
      let field = TextField(frame: Rect(x: 0, y: 0, width: 200, height: 36))
      field.text = "Hxg" + text
      let harness = ControlHarness(size: Size(width: 200, height: 36), fonts: ControlHarness.emojiFonts)
      harness.root.addSubview(field)
      harness.frame()
      return harness.shown
    }
    let (plain, mixed) = (pixels(""), pixels(" " + letter))
    let width = Int(10 + FontLibrary.shared.layout("Hxg", font: Theme.light.font(.body)).size.width)
    for y in 0..<36 {
      for x in 8..<width where plain[x, y] != mixed[x, y] {
        Issue.record("\(letter): \(x), \(y)")
        return
      }
    }
  }
}

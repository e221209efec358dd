import ControlHarness
import Testing

@testable import CockpitControls
@testable import Controls

/// Tests of the dial and the lamp: what they show, and that they take no input.
@MainActor @Suite(.serialized) struct GaugeTests {
  private func shown(_ set: (Gauge) -> Void = { _ in }) -> (ControlHarness, Gauge) {
    let gauge = Gauge(frame: Rect(x: 0, y: 0, width: 240, height: 240))
    gauge.name = "battery"
    set(gauge)
    let harness = ControlHarness(gauge, size: Size(width: 240, height: 240))
    return (harness, gauge)
  }

  private func pixel(_ harness: ControlHarness, _ gauge: Gauge, _ number: Double, _ distance: Double) -> UInt32 {
    let place = gauge.point(at: gauge.angle(of: number), distance: distance)
    return harness.shown[Int(place.x), Int(place.y)]
  }

  @Test func `the needle moves to the value on a spring, and the digits say it at once`() {
    let (harness, gauge) = shown()
    gauge.value = 80
    #expect(gauge.numberText == "80")
    harness.frame()
    let lit = pixel(harness, gauge, 80, 0.885)
    harness.settle()
    #expect(pixel(harness, gauge, 80, 0.885) != lit, "the needle came later")
    #expect(!harness.root.needsFrame)
  }

  @Test(arguments: [
    (12.4, 0, "12"), (12.46, 1, "12.5"), (-3, 0, "-3"), (123456, 0, "9999"), (-123456, 2, "-9999"), (0.125, 3, "0.125"),
  ]) func `the digits are rounded, and at most four`(value: Double, digits: Int, text: String) {
    let (_, gauge) = shown { $0.fractionDigits = digits }
    gauge.value = value
    #expect(gauge.numberText == text)
  }

  @Test func `a value that is no number is ignored`() {
    let (_, gauge) = shown { $0.value = 40 }
    for wrong in [Double.nan, .infinity, -.infinity] { gauge.value = wrong }
    #expect(gauge.value == 40)
  }

  @Test func `an unknown value has no needle, dashes for digits, and a word for it`() {
    let (harness, gauge) = shown { $0.value = 50 }
    let needle = pixel(harness, gauge, 50, 0.885)
    gauge.isKnown = false
    harness.frame()
    #expect(gauge.numberText == "--" && pixel(harness, gauge, 50, 0.885) != needle)
    #expect(gauge.accessibilityValue?.text == "unknown")
  }

  @Test func `in a coloured part of the scale the needle has that part's colour`() {
    let red = Color(hex: 0xff0000)
    let (harness, gauge) = shown { $0.bands = [GaugeBand(80...100, red)] }
    let (unlit, band) = (pixel(harness, gauge, 70, 0.955), pixel(harness, gauge, 90, 0.955))
    #expect(band == 0xffff_0000 && unlit != band)
    gauge.value = 90
    harness.settle()
    #expect(pixel(harness, gauge, 50, 0.955) == 0xffff_0000, "lit in the colour of its end")
    gauge.value = 50
    harness.settle()
    #expect(pixel(harness, gauge, 20, 0.955) != 0xffff_0000)
  }

  @Test func `with reduced motion, and with a value, there is no greeting`() {
    let (harness, gauge) = shown()
    harness.root.prefersReducedMotion = true
    gauge.sweep()
    #expect(!harness.root.isAnimating)
    harness.root.prefersReducedMotion = false
    gauge.sweep()
    #expect(harness.root.isAnimating)
    gauge.value = 1
    #expect(!gauge.hasAnimation(forKey: "sweep"))
  }

  @Test func `a change of the value repaints a part of the dial`() {
    let (harness, gauge) = shown { $0.value = 50 }
    harness.settle()
    gauge.value = 50.6
    harness.frame()
    let area = harness.lastDamage.rects.reduce(0) { $0 + $1.width * $1.height }
    #expect(area > 0 && area < 240 * 240 / 4, "\(area) pixels")
  }

  @Test func `assistive technology hears the value with its unit, within the scale`() {
    let (_, gauge) = shown {
      ($0.unit, $0.text, $0.value) = ("km/h", "D", 130.4)
    }
    #expect(gauge.accessibilityRole == .indicator && gauge.accessibilityLabel == "battery")
    #expect(gauge.accessibilityValue == AccessibilityValue(100, in: 0...100, text: "D 130 km/h"))
    (gauge.minimumValue, gauge.maximumValue) = (9, 2)
    #expect(gauge.accessibilityValue?.limits == 9...9)
  }

  @Test func `dial and lamp let fingers through, and Tab passes them`() {
    let (harness, gauge) = shown()
    let lamp = Lamp("READY")
    lamp.frame = Rect(x: 10, y: 10, width: 60, height: 30)
    harness.root.addSubview(lamp)
    #expect(harness.root.hitTest(gauge.bounds.center) === harness.root)
    #expect(harness.root.hitTest(lamp.frame.center) === harness.root)
    harness.press(.tab)
    #expect(harness.root.firstResponder == nil)
  }

  @Test func `the scale runs clockwise in every language`() {
    let (harness, gauge) = shown {
      ($0.value, $0.unit) = (30, "KM/H")
    }
    harness.settle()
    let picture = harness.shown
    gauge.layoutDirection = .rightToLeft
    harness.frame()
    #expect(harness.shown == picture)
  }

  @Test func `a lamp changes with the next frame, and says whether it is on`() {
    let lamp = Lamp("READY", tintColor: Color(hex: 0x00ff00))
    let harness = ControlHarness(lamp, size: Size(width: 90, height: 30))
    #expect(lamp.accessibilityLabel == "READY: off" && lamp.accessibilityRole == .label)
    lamp.isLit = true
    harness.frame()
    #expect(harness.shown[45, 3] == 0xff00_ff00 && lamp.accessibilityLabel == "READY: on")
    #expect(!harness.root.needsFrame)
  }

  @Test(
    arguments: [(0x00ff00, .black), (0xffffff, .black), (0xd02b20, .white), (0x0000ff, .white)] as [(UInt32, Color)])
  func `the word on a lit lamp is black on bright light and white on dark`(
    light: UInt32, word: Color
  ) {
    #expect(LampColors(.light, light: Color(hex: light)).onLamp == word)
  }

  @Test func `a lamp is as wide as its word needs`() {
    let (short, long) = (Lamp("A"), Lamp("A LONGER WORD"))
    #expect(short.fittingSize(in: .zero).width < long.fittingSize(in: .zero).width)
    #expect(short.fittingSize(in: .zero).height == long.fittingSize(in: .zero).height)
  }
}

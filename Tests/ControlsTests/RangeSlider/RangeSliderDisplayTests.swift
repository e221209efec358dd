import ControlHarness
import Glibc
import Testing

@testable import ControlExercises
@testable import Controls

/// Tests of what a range slider shows and repaints.
@MainActor @Suite(.serialized) struct RangeSliderDisplayTests {
  private func pixel(_ probe: RangeSliderProbe, _ value: Double, dx: Double = 0, dy: Double = 0) -> Color {
    let point = probe.place(value, dx: dx, dy: dy)
    let factor = probe.harness.root.scale.factor
    let pixel = probe.harness.shown[Int(point.x * factor), Int(point.y * factor)]
    return Color(hex: pixel & 0xffffff)
  }

  private func near(_ a: Color, _ b: Color) -> Bool {
    abs(a.red - b.red) + abs(a.green - b.green) + abs(a.blue - b.blue) < 0.02
  }

  @Test func `R3: the article's roundness by default, its colours by its theme, and other themes' own`() {
    let probe = RangeSliderProbe()
    probe.harness.root.theme = .article
    probe.harness.frame()
    #expect(probe.slider.curvaceousness == 1)
    #expect(near(pixel(probe, 0.05), Color(white: 0.9)), "track")
    #expect(near(pixel(probe, 0.5), Color(red: 0, green: 0.45, blue: 0.94)), "highlight")
    #expect(near(pixel(probe, 0.2), .white), "thumb")
    probe.slider.trackTintColor = Color(hex: 0x112233)
    probe.slider.trackHighlightTintColor = Color(hex: 0x445566)
    probe.slider.thumbTintColor = Color(hex: 0x778899)
    probe.harness.frame()
    #expect(near(pixel(probe, 0.05), Color(hex: 0x112233)) && near(pixel(probe, 0.5), Color(hex: 0x445566)))
    #expect(near(pixel(probe, 0.2), Color(hex: 0x778899)) && near(pixel(probe, 0.8), Color(hex: 0x778899)))
    probe.slider.trackTintColor = nil
    probe.slider.trackHighlightTintColor = nil
    probe.slider.thumbTintColor = nil
    probe.harness.root.theme = .dark
    probe.harness.frame()
    #expect(near(pixel(probe, 0.05), Theme.dark.track) && near(pixel(probe, 0.5), Theme.dark.trackHighlight))
    #expect(near(pixel(probe, 0.2), Theme.dark.thumb))
    probe.slider.curvaceousness = 7
    #expect(probe.slider.curvaceousness == 1)
    probe.slider.curvaceousness = -7
    #expect(probe.slider.curvaceousness == 0)
  }

  @Test func `R4, R21: every look is a property, and shows at once while the slider lives`() {
    let changes: [(String, (RangeSlider) -> Void)] = [
      ("minimumValue", { $0.minimumValue = -1 }), ("maximumValue", { $0.maximumValue = 2 }),
      ("minimumSpan", { $0.minimumSpan = 0.7 }), ("maximumSpan", { $0.maximumSpan = 0.3 }),
      ("lowerValue", { $0.lowerValue = 0.3 }), ("upperValue", { $0.upperValue = 0.7 }),
      ("insets", { $0.insets = EdgeInsets(40) }), ("orientation", { $0.orientation = .vertical }),
      ("trackTintColor", { $0.trackTintColor = .black }),
      ("trackHighlightTintColor", { $0.trackHighlightTintColor = Color(hex: 0xff0000) }),
      ("thumbTintColor", { $0.thumbTintColor = Color(hex: 0xffcc00) }), ("curvaceousness", { $0.curvaceousness = 0 }),
    ]
    for (name, change) in changes {
      let probe = RangeSliderProbe()
      let before = probe.harness.shown
      probe.harness.advance(by: .seconds(1))
      change(probe.slider)
      let isOther = probe.harness.frameIfNeeded() && probe.harness.shown != before
      #expect(isOther, "\(name)")
    }
  }

  @Test func `R19: a colour of the track leaves the thumbs alone, and the thumbs' leaves the track alone`() {
    let probe = RangeSliderProbe()
    func changed(_ change: () -> Void) -> (thumb: Bool, track: Bool) {
      let before = probe.harness.shown
      change()
      probe.harness.frame()
      let (thumb, track) = (probe.place(0.2), probe.place(0.05))
      func differs(_ point: Point) -> Bool {
        probe.harness.shown[Int(point.x), Int(point.y)] != before[Int(point.x), Int(point.y)]
      }
      return (differs(thumb), differs(track))
    }
    #expect(changed { probe.slider.trackTintColor = .black } == (false, true))
    #expect(changed { probe.slider.trackHighlightTintColor = .black } == (false, false))
    #expect(changed { probe.slider.thumbTintColor = .black } == (true, false))
    #expect(!probe.harness.root.needsFrame)
    probe.slider.trackTintColor = .black
    probe.slider.curvaceousness = 1
    probe.slider.lowerValue = 0.2
    #expect(!probe.harness.root.needsFrame, "what is already so draws nothing")
  }

  @Test(arguments: [1.0, 1.5, 2])
  func `R11: a held thumb is drawn again, and nothing else`(scale: Double) {
    let probe = RangeSliderProbe(scale: Scale(scale))
    probe.harness.root.theme = .article
    probe.harness.frame()
    probe.harness.touch(.began, at: probe.place(0.2))
    let thumb = probe.slider.lowerThumb.windowFrame
    let pixels = Scale(scale).pixelRect(covering: thumb)
    #expect(pixels.contains(probe.harness.lastDamage.bounds) && probe.harness.lastDamage.area > pixels.area / 2)
    #expect(near(pixel(probe, 0.2), Color(white: 0.9)), "a tenth darker (R10)")
    probe.harness.touch(.ended, at: probe.place(0.2))
    #expect(pixels.contains(probe.harness.lastDamage.bounds) && near(pixel(probe, 0.2), .white))
  }

  @Test(arguments: [1.0, 1.5, 2])
  func `R11, R19: a drag repaints the moved thumb and the changed part of the bar`(scale: Double) {
    let probe = RangeSliderProbe(scale: Scale(scale))
    let start = probe.place(0.2)
    probe.harness.touch(.began, at: start)
    let old = probe.slider.lowerThumb.windowFrame
    probe.harness.touch(.moved, at: start.offsetBy(dx: 12, dy: 0))
    let both = Scale(scale).pixelRect(covering: old.union(probe.slider.lowerThumb.windowFrame))
    #expect(both.contains(probe.harness.lastDamage.bounds))
    #expect(probe.harness.lastDamage.area <= both.area)
    // A long way at once: two thumbs and the stretch between, a third as high.
    probe.harness.touch(.moved, at: start.offsetBy(dx: 120, dy: 0))
    let thumb = Scale(scale).pixelRect(covering: old).area
    let stretch = Int(110 * 14 * scale * scale)
    #expect(probe.harness.lastDamage.area < 2 * thumb + stretch)
    #expect(!probe.harness.lastDamage.intersects(Scale(scale).pixelRect(covering: probe.slider.upperThumb.windowFrame)))
  }

  @Test func `R20: changes are there with the next frame, and nothing goes on moving`() {
    let probe = RangeSliderProbe()
    probe.slider.lowerValue = 0.6
    probe.slider.frame = Rect(x: 20, y: 40, width: 300, height: 40)
    probe.harness.frame()
    let thumb = probe.slider.lowerThumb.frame
    #expect(abs(thumb.midX - (0.6 * 260 + 20)) <= 0.5 && thumb.size == Size(width: 40, height: 40))
    #expect(!probe.harness.root.needsFrame && !probe.harness.root.isAnimating)
  }

  @Test func `R8, O-D6: another frame lays the parts out anew, for fingers too`() {
    let probe = RangeSliderProbe()
    probe.slider.frame = Rect(x: 10, y: 20, width: 200, height: 62)
    probe.harness.frame()
    #expect(abs(probe.slider.upperThumb.frame.midX - (0.8 * 138 + 31)) <= 0.5)
    probe.harness.drag(from: probe.place(0.8), to: probe.place(0.4), steps: 3)
    #expect(abs(probe.slider.upperValue - 0.4) < 1e-9)
    // A resize under the finger: the thumb goes to the finger with its next motion.
    probe.harness.touch(.began, at: probe.place(0.4))
    probe.slider.frame = Rect(x: 10, y: 20, width: 320, height: 62)
    probe.harness.touch(.moved, at: probe.place(0.7))
    #expect(abs(probe.slider.upperValue - 0.7) < 1e-9)
  }

  @Test func `R-D6: without room nothing breaks, and there is nothing to drag`() {
    for size in [Size(width: 31, height: 31), Size(width: 12, height: 31), Size(width: 0, height: 0)] {
      let probe = RangeSliderProbe(frame: Rect(origin: Point(x: 100, y: 40), size: size))
      probe.harness.drag(from: Point(x: 105, y: 50), to: Point(x: 180, y: 50), steps: 3)
      #expect(probe.slider.lowerValue == 0.2 && probe.slider.upperValue == 0.8)
      probe.slider.frame = Rect(x: 20, y: 40, width: 320, height: 31)
      probe.harness.drag(from: probe.place(0.8), to: probe.place(0.9), steps: 3)
      #expect(abs(probe.slider.upperValue - 0.9) < 1e-9)
    }
  }

  @Test func `R10: a thumb is inset by two points, has a line around it and a shadow below`() {
    let probe = RangeSliderProbe { $0.lowerValue = 0.5 }
    let top = pixel(probe, 0.5, dy: -13)
    #expect(near(top, .white) == false && top.red < 0.75, "the line")
    #expect(near(pixel(probe, 0.5, dy: -15), .white), "outside")
    let below = pixel(probe, 0.5, dy: 14)
    #expect(below.red < 0.95 && below.red > 0.4, "the shadow")
    probe.slider.curvaceousness = 0
    probe.harness.frame()
    #expect(near(pixel(probe, 0.5, dx: 11, dy: -11), .white), "square: filled to the corner")
  }

  @Test(arguments: [1.0, 1.25, 1.5, 2, 3])
  func `R12, R-D9: sharp at every scale, also after moving to another output`(scale: Double) {
    let probe = RangeSliderProbe()
    probe.harness.resize(to: Size(width: 360, height: 120), scale: Scale(scale))
    let fresh = RangeSliderProbe(scale: Scale(scale))
    let found = probe.harness.shown.difference(from: fresh.harness.shown)
    #expect(found.count == 0, "\(found)")
    // Above and below the middle of the track: whole rows, no half covered ones.
    let x = Int(probe.place(0.5).x * scale)
    let column = (0..<probe.harness.shown.size.height).map { probe.harness.shown[x, $0] }
    #expect(Set(column).count == 2, "the bar and the ground, nothing between")
    let origin = probe.slider.lowerThumb.windowFrame.origin
    #expect(abs(origin.x * scale - (origin.x * scale).rounded()) < 1e-6, "thumbs begin on whole pixels")
  }

  @Test func `R-D8: the lit part stays within the track's round ends`() {
    let probe = RangeSliderProbe {
      $0.insets = EdgeInsets(left: 0, right: 0)
      $0.lowerValue = 0
      $0.upperValue = 1
      $0.thumbTintColor = .clear
    }
    for thumb in [probe.slider.lowerThumb, probe.slider.upperThumb] { thumb.isHidden = true }
    probe.harness.frame()
    let shown = probe.harness.shown
    #expect(shown[20, 50] == 0xffff_ffff && shown[339, 60] == 0xffff_ffff, "the corners are the ground's")
    #expect(near(Color(hex: shown[22, 55] & 0xffffff), Theme.light.trackHighlight))
  }

  @Test func `O8: pictures stand for the parts of one slider, from code`() {
    func plain(_ color: UInt32) -> Picture {
      Picture(size: Size(width: 10, height: 10), scale: .one) { $0.fill(Color(hex: color)) }
    }
    let probe = RangeSliderProbe()
    let colors: [SliderImagePart: UInt32] = [
      .track: 0x110000, .trackHighlight: 0x220000, .trackHighlightPressed: 0x330000, .thumb: 0x440000,
      .thumbPressed: 0x550000,
    ]
    for (part, color) in colors { probe.slider.images[part].picture = plain(color) }
    func shows(_ part: SliderImagePart, _ value: Double) -> Bool {
      near(pixel(probe, value), Color(hex: colors[part] ?? 0))
    }
    probe.harness.frame()
    #expect(shows(.track, 0.05) && shows(.trackHighlight, 0.5) && shows(.thumb, 0.2) && shows(.thumb, 0.8))
    probe.harness.touch(.began, at: probe.place(0.5))
    #expect(shows(.trackHighlightPressed, 0.5) && shows(.thumb, 0.2))
    probe.harness.touch(.ended, at: probe.place(0.5))
    probe.harness.touch(.began, at: probe.place(0.2))
    #expect(shows(.trackHighlight, 0.5) && shows(.thumbPressed, 0.2) && shows(.thumb, 0.8))
    probe.harness.touch(.ended, at: probe.place(0.2))
    let other = RangeSliderProbe()
    #expect(near(pixel(other, 0.5), Theme.light.trackHighlight), "one slider's pictures are its own")
    for part in SliderImagePart.allCases { probe.slider.images[part].picture = nil }
    probe.harness.frame()
    let isDrawn = probe.harness.shown == other.harness.shown
    #expect(isDrawn)
  }

  @Test func `O8: pictures from files; a bad one is told and drawn instead`() throws {
    let path = "/tmp/cockpit-range-slider-\(UInt64.random(in: 0 ... .max)).png"
    var red = Snapshot(garbage: PixelSize(width: 12, height: 6))
    for index in red.pixels.indices { red.pixels[index] = 0xffff_0000 }
    #expect(red.write(to: path))
    defer { unlink(path) }
    let probe = RangeSliderProbe()
    probe.slider.images[.thumb].file = ImageReference(path: path)
    probe.slider.images[.track].file = ImageReference(path: path + ".none")
    probe.harness.frame()
    #expect(near(pixel(probe, 0.2), Color(hex: 0xff0000)) && near(pixel(probe, 0.05), Theme.light.track))
    #expect(SliderImagePart.allCases.filter { probe.slider.images[$0].error != nil } == [.track])
    #expect(probe.slider.inspection.values["trackImageError"] != nil)
    probe.slider.images[.thumb].picture = nil
    probe.slider.images[.track].file = nil
    probe.harness.frame()
    #expect(probe.slider.images[.thumb].file == nil && probe.slider.images[.track].error == nil)
    #expect(near(pixel(probe, 0.2), .white))
  }

  @Test func `O9: made with insets, the thumbs at the ends stand there`() {
    let slider = RangeSlider(frame: Rect(x: 0, y: 0, width: 320, height: 31), insetLeft: 20, insetRight: 40)
    slider.maximumSpan = nil
    slider.lowerValue = 0
    slider.upperValue = 1
    let harness = ControlHarness(size: Size(width: 320, height: 40))
    harness.root.addSubview(slider)
    harness.frame()
    #expect(abs(slider.lowerThumb.frame.midX - 20) <= 0.5 && abs(slider.upperThumb.frame.midX - 280) <= 0.5)
  }

  @Test func `O18: thumbs stand at their values, right to left and upright too`() {
    for (direction, orientation) in [
      (LayoutDirection.leftToRight, Axis.horizontal), (.rightToLeft, .horizontal),
      (.leftToRight, .vertical),
    ] {
      let isHorizontal = orientation == .horizontal
      let probe = RangeSliderProbe(
        direction: direction, size: Size(width: 360, height: 360),
        frame: Rect(x: 20, y: 20, width: isHorizontal ? 320 : 31, height: isHorizontal ? 31 : 320)
      ) { $0.orientation = orientation }
      for (thumb, value) in [(RangeSlider.Thumb.lower, 0.2), (.upper, 0.8)] {
        let frame = probe.slider.view(of: thumb).frame
        let along = isHorizontal ? frame.midX : frame.midY
        let grows = isHorizontal && direction == .leftToRight
        #expect(abs(along - (15.5 + 289 * (grows ? value : 1 - value))) <= 0.5)
      }
      probe.harness.drag(from: probe.place(0.2), to: probe.place(0.3), steps: 2)
      probe.harness.drag(from: probe.place(0.8), to: probe.place(1.2), steps: 2)
      #expect(abs(probe.slider.lowerValue - 0.3) < 1e-9 && probe.slider.upperValue == 1)
      #expect(abs(probe.slider.offsetTrend - 0.2) < 1e-9)
    }
  }
}

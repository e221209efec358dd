import ControlHarness
import Controls
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the image view: what it shows, when it draws, its file, its taps.
@MainActor @Suite(.serialized) struct ImageViewTests {
  private func picture(_ color: Color, width: Double = 20, height: Double = 20) -> Picture {
    Picture(size: Size(width: width, height: height), scale: .one) { $0.fill(color) }
  }

  private func withFile(_ name: String = "red.png", _ body: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    var red = Snapshot(garbage: PixelSize(width: 12, height: 6))
    for index in red.pixels.indices { red.pixels[index] = 0xffff_0000 }
    #expect(red.write(to: folder.path + "/" + name))
    try body(folder.path + "/" + name)
  }

  @Test func `the picture shows in its mode, and what sticks out is cut off`() {
    let view = ImageView()
    view.image = picture(.white, width: 40, height: 10)
    let harness = ControlHarness(view, size: Size(width: 20, height: 20))
    #expect(view.contentMode == .aspectFit)
    #expect(harness.shown[10, 10] == 0xffff_ffff && harness.shown[10, 3] == 0xff00_0000)
    view.contentMode = .scaleToFill
    #expect(harness.frameIfNeeded())
    #expect(harness.shown.pixels.allSatisfy { $0 == 0xffff_ffff })
    view.contentMode = .center
    harness.frameIfNeeded()
    #expect(harness.shown[0, 5] == 0xffff_ffff && harness.shown[0, 4] == 0xff00_0000)
    view.contentMode = .aspectFill
    harness.frameIfNeeded()
    #expect(harness.shown.pixels.allSatisfy { $0 == 0xffff_ffff })
  }

  @Test("K14: it draws once for each change of picture, mode, tint or size, and never without one")
  func drawsOnce() {
    final class Counting: ImageView {
      var draws = 0
      override func draw(_ canvas: Canvas) {
        draws += 1
        super.draw(canvas)
      }
    }
    let view = Counting()
    let harness = ControlHarness(view, size: Size(width: 20, height: 20))
    harness.checksDamage = false
    view.draws = 0
    let white = picture(.white)
    let changes: [(ImageView) -> Void] = [
      { $0.image = white }, { $0.contentMode = .center }, { $0.tintColor = Color(hex: 0xff0000) },
      { $0.frame = Rect(x: 0, y: 0, width: 10, height: 10) }, { $0.image = nil },
    ]
    for (index, change) in changes.enumerated() {
      change(view)
      harness.frameIfNeeded()
      #expect(view.draws == index + 1)
      change(view)
      #expect(!harness.frameIfNeeded())
    }
    // A picture that was taken away does not keep the view from drawing.
    view.setNeedsDisplay()
    harness.frameIfNeeded()
    #expect(view.draws == changes.count + 1)
    view.image = white
    harness.frameIfNeeded()
    #expect(harness.shown[5, 5] == 0xffff_0000)
  }

  @Test func `its size is the picture's in points`() throws {
    #expect(ImageView(picture(.white, width: 30, height: 12)).bounds.size == Size(width: 30, height: 12))
    let view = ImageView(frame: Rect(x: 0, y: 0, width: 7, height: 8))
    #expect(view.sizeThatFits(.zero) == Size(width: 7, height: 8))
    try withFile("red@2x.png") { path in
      view.imageFile = ImageReference(path: path)
      view.sizeToFit()
      #expect(view.bounds.size == Size(width: 6, height: 3))
    }
  }

  @Test func `a name says how many pixels are a point`() {
    for (name, factor) in [
      ("a.png", 1.0), ("a@2x.png", 2), ("dir@3x/a.png", 1), ("a@1.5x.png", 1.5), ("a@2x", 2), ("a@x.png", 1),
      ("a@-2x.png", 1),
      ("a@2xy.png", 1), ("a@nanx.png", 1), ("a@1e9x.png", 1), ("@", 1), ("", 1),
    ] {
      #expect(ImageReference(path: name).scale == Scale(factor), "\(name)")
    }
  }

  @Test func `a file shows, another takes its place, and a picture in code takes the file's`() throws {
    try withFile { path in
      let view = ImageView()
      let harness = ControlHarness(view, size: Size(width: 12, height: 6))
      try view.inspectable(named: "imageFile")?.set(.string(path), on: view)
      #expect(harness.frameIfNeeded())
      #expect(view.imageError == nil && harness.shown.pixels.allSatisfy { $0 == 0xffff_0000 })
      view.image = picture(.white)
      #expect(view.imageFile == nil)
      view.imageFile = ImageReference(path: path)
      #expect(view.image?.pixelSize == PixelSize(width: 12, height: 6))
      view.imageFile = nil
      #expect(view.image == nil)
    }
  }

  @Test func `a bad file gives one error, a sign in its place, and a good one afterwards`() throws {
    let view = ImageView()
    var errors: [PictureError] = []
    let token = view.observe(\ImageView.imageFile) { _ in if let error = view.imageError { errors.append(error) } }
    defer { withExtendedLifetime(token) {} }
    let harness = ControlHarness(view, size: Size(width: 40, height: 40))
    let empty = harness.shown
    view.imageFile = ImageReference(path: "/nowhere/a.png")
    view.imageFile = ImageReference(path: "/nowhere/a.png")
    harness.frame()
    #expect(errors.map(\.path) == ["/nowhere/a.png"])
    #expect(view.imageError == errors.first && view.image == nil)
    #expect(harness.shown != empty)
    #expect(view.inspection.values["imageError"] == .string(errors[0].description))
    view.imageFile = ImageReference(path: "/dev/zero")
    #expect(errors.count == 2)
    try withFile { path in
      view.imageFile = ImageReference(path: path)
      #expect(view.imageError == nil && errors.count == 2)
      harness.frame()
      #expect(harness.shown[20, 20] == 0xffff_0000)
    }
  }

  // MARK: Taps

  @Test("K17: with a tap block it is a small button: touch, Space and Enter tap it")
  func taps() {
    var taps = 0
    let view = ImageView(picture(.white))
    let harness = ControlHarness(size: Size(width: 100, height: 100))
    view.frame = Rect(x: 40, y: 40, width: 20, height: 20)
    harness.root.addSubview(view)
    harness.frame()
    harness.tap(Point(x: 50, y: 50))
    #expect(!view.isHighlighted && harness.root.hitTest(Point(x: 50, y: 50)) === harness.root)
    harness.press(.tab)
    #expect(!view.isFocused)
    view.onTap = { taps += 1 }
    harness.tap(Point(x: 50, y: 50))
    #expect(taps == 1)
    harness.touch(.began, at: Point(x: 50, y: 50), finger: -1)
    #expect(view.isHighlighted)
    harness.touch(.ended, at: Point(x: 95, y: 95), finger: -1)
    #expect(taps == 1)
    harness.press(.tab)
    #expect(view.isFocused)
    harness.press(.space)
    harness.press(.enter)
    #expect(taps == 3)
    view.onTap = nil
    harness.tap(Point(x: 50, y: 50))
    #expect(taps == 3)
  }

  @Test("K17: while it is disabled a tap does nothing, nor does one that began before")
  func disabled() {
    var taps = 0
    let view = ImageView(picture(.white)) { taps += 1 }
    let harness = ControlHarness(view, size: Size(width: 60, height: 60))
    view.isEnabled = false
    harness.tap(view)
    harness.press(.tab)
    harness.press(.space)
    #expect(taps == 0 && !view.isFocused)
    view.isEnabled = true
    harness.touch(.began, at: Point(x: 10, y: 10))
    view.isEnabled = false
    harness.touch(.ended, at: Point(x: 10, y: 10))
    #expect(taps == 0)
    view.isEnabled = true
    harness.tap(view)
    #expect(taps == 1)
  }

  @Test("K20, K21: a small picture is touched in 44 points, but not on its neighbours")
  func touchArea() {
    let (one, two) = (ImageView(picture(.white)), ImageView(picture(.white)))
    var hits: [String] = []
    one.onTap = { hits.append("one") }
    two.onTap = { hits.append("two") }
    let harness = ControlHarness(size: Size(width: 200, height: 100))
    one.frame = Rect(x: 40, y: 40, width: 20, height: 20)
    two.frame = Rect(x: 70, y: 40, width: 20, height: 20)
    harness.root.addSubview(one)
    harness.root.addSubview(two)
    harness.frame()
    for x in [29.0, 40, 59, 63, 67, 71, 101] { harness.tap(Point(x: x, y: 50)) }
    #expect(hits == ["one", "one", "one", "one", "two", "two", "two"])
    hits = []
    for point in [Point(x: 27, y: 50), Point(x: 50, y: 27), Point(x: 103, y: 50), Point(x: 50, y: 73)] {
      harness.tap(point)
    }
    #expect(hits.isEmpty)
    harness.tap(Point(x: 50, y: 29))
    #expect(hits == ["one"])
    // What is hidden or takes no touches is no neighbour.
    two.isHidden = true
    harness.tap(Point(x: 67 - 5.5, y: 50))
    #expect(hits == ["one", "one"])
  }
}

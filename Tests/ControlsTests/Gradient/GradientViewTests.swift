import ControlExercises
import ControlHarness
import Controls
import Testing

/// Tests of the gradient view: its colours, when it draws, what it shows.
@MainActor @Suite(.serialized) struct GradientViewTests {
  private let black = Color.black
  private let white = Color.white

  private func shown(_ view: GradientView, width: Double = 100, height: Double = 100) -> ControlHarness {
    ControlHarness(view, size: Size(width: width, height: height))
  }

  /// The grey at a pixel, 0...255; -1 for what is no grey.
  private func gray(_ harness: ControlHarness, _ x: Int, _ y: Int) -> Int {
    let pixel = harness.shown[x, y]
    let parts = [16, 8, 0].map { Int((pixel >> UInt32($0)) & 255) }
    return Set(parts).count == 1 ? parts[0] : -1
  }

  @Test("L1, L2: made in code without more, it has no colours and points down")
  func defaults() {
    let view = GradientView()
    #expect(view.startColor == nil && view.endColor == nil && view.angle == 270)
    #expect(view.angleMode == .unitSquare && view.stops.isEmpty)
    let harness = shown(view)
    #expect(harness.shown.pixels.allSatisfy { $0 == 0xff00_0000 })
    #expect(!view.isOpaque)
  }

  @Test("L1: every property can be set by name, as a file does")
  func byName() throws {
    let view = GradientView()
    try view.inspectable(named: "startColor")?.set(.string("#ffffff"), on: view)
    try view.inspectable(named: "endColor")?.set(.string("#000"), on: view)
    try view.inspectable(named: "angle")?.set(.number(90), on: view)
    try view.inspectable(named: "angleMode")?.set(.string("trueAngle"), on: view)
    #expect(view.startColor == .white && view.endColor == .black && view.angle == 90 && view.angleMode == .trueAngle)
    #expect(view.inspectables.map(\.title).suffix(4) == ["Start Color", "End Color", "Angle", "Angle Mode"])
    try view.inspectable(named: "startColor")?.set(.null, on: view)
    #expect(view.startColor == nil)
  }

  @Test("L3: 270 runs from top to bottom, 0 from left to right, 180 and 90 the other way")
  func directions() {
    let view = GradientView(from: black, to: white)
    let harness = shown(view)
    func corners() -> [Bool] {
      harness.frameIfNeeded()
      return [
        gray(harness, 50, 1) < 10, gray(harness, 50, 98) < 10, gray(harness, 1, 50) < 10, gray(harness, 98, 50) < 10,
      ]
    }
    #expect(corners() == [true, false, false, false])
    view.angle = 90
    #expect(corners() == [false, true, false, false])
    view.angle = 0
    #expect(corners() == [false, false, true, false])
    view.angle = 180
    #expect(corners() == [false, false, false, true])
    #expect(abs(gray(harness, 50, 50) - 128) <= 2)
  }

  @Test("L2: a colour that is nil is clear")
  func clearEnds() {
    let view = GradientView(from: nil, to: white, angle: 0)
    let harness = shown(view)
    harness.root.backgroundColor = Color(hex: 0x804000)
    harness.frameIfNeeded()
    let first = harness.shown[0, 50]
    #expect((first >> 16) & 255 <= 0x83 && (first >> 8) & 255 <= 0x43 && first & 255 <= 3)
    #expect(harness.shown[99, 50] & 0xff >= 0xfd)
    #expect(!view.isOpaque)
    view.startColor = black
    #expect(view.isOpaque)
    view.endColor = white.withAlpha(0.5)
    #expect(!view.isOpaque)
  }

  @Test("L4: in code any number of stops; two colours come back when there are none")
  func stops() {
    let view = GradientView(from: black, to: white, angle: 0)
    let harness = shown(view)
    view.stops = [.init(0, black), .init(1, black), .init(0.5, white), .init(.nan, Color(hex: 0xff0000))]
    #expect(harness.frameIfNeeded())
    #expect(gray(harness, 0, 9) < 5 && gray(harness, 50, 9) > 250 && gray(harness, 99, 9) < 5)
    view.stops = [.init(.nan, white)]
    harness.frameIfNeeded()
    #expect(harness.shown[50, 50] == 0xff00_0000 && !view.isOpaque)
    view.stops = []
    #expect(harness.frameIfNeeded())
    #expect(gray(harness, 99, 9) > 250)
  }

  @Test("L8: every view has its own gradient, follows its size, and keeps it otherwise")
  func oneEach() {
    let (one, two) = (GradientView(from: black, to: white), GradientView(from: white, to: black))
    let page = View()
    page.addSubview(one)
    page.addSubview(two)
    one.frame = Rect(x: 0, y: 0, width: 50, height: 100)
    two.frame = Rect(x: 50, y: 0, width: 50, height: 100)
    let harness = ControlHarness(page, size: Size(width: 100, height: 100))
    #expect(gray(harness, 25, 1) < 10 && gray(harness, 75, 1) > 245)
    one.frame = Rect(x: 0, y: 50, width: 50, height: 50)
    harness.frame()
    #expect(gray(harness, 25, 51) < 10 && gray(harness, 25, 98) > 245 && harness.shown[25, 25] == 0xff00_0000)
    #expect(gray(harness, 75, 1) > 245)
  }

  @Test("L-D1: every change of a property shows in the next frame, and one that changes nothing draws nothing")
  func changesShow() {
    let view = GradientView(from: black, to: white)
    let harness = shown(view, width: 40, height: 30)
    let changes: [(GradientView) -> Void] = [
      { $0.startColor = Color(hex: 0xff0000) }, { $0.endColor = Color(hex: 0x00ff00) }, { $0.angle = 30 },
      { $0.angleMode = .trueAngle }, { $0.stops = [.init(0, .white), .init(1, .black)] }, { $0.stops = [] },
      { $0.startColor = nil },
    ]
    for (index, change) in changes.enumerated() {
      let before = harness.shown
      change(view)
      #expect(harness.frameIfNeeded(), "\(index)")
      #expect(harness.shown != before, "\(index)")
      change(view)
      #expect(!harness.frameIfNeeded(), "\(index)")
    }
  }

  @Test("L-D2: the first frame shows the colours that were set before there was a window")
  func firstFrame() {
    let harness = shown(GradientView(from: white, to: white))
    #expect(harness.shown.pixels.allSatisfy { $0 == 0xffff_ffff })
    #expect(harness.frameCount == 2)
  }

  @Test("L-D3: at 45 degrees on 2:1 the corners aside are in the middle in the unit square, not at the true angle")
  func modes() {
    let view = GradientView(from: black, to: white, angle: 45)
    let harness = shown(view, width: 200, height: 100)
    #expect(gray(harness, 0, 99) < 4 && gray(harness, 199, 0) > 251)
    #expect(abs(gray(harness, 1, 1) - 128) < 4 && abs(gray(harness, 198, 98) - 128) < 4)
    view.angleMode = .trueAngle
    harness.frame()
    #expect(gray(harness, 0, 99) < 4 && gray(harness, 199, 0) > 251)
    // A third of the way: 100 of 300 points along a line at 45°.
    #expect(abs(gray(harness, 1, 1) - 85) < 4 && abs(gray(harness, 198, 98) - 170) < 4)
    // Lines of one colour are square to it.
    #expect(abs(gray(harness, 60, 40) - gray(harness, 80, 60)) <= 1)
  }

  @Test("L-D4: an angle that is NaN or infinite is ignored", arguments: [Double.nan, .infinity, -.infinity])
  func badAngle(angle: Double) {
    let view = GradientView(from: black, to: white, angle: 30)
    let harness = shown(view)
    view.angle = angle
    #expect(view.angle == 30)
    #expect(!harness.frameIfNeeded())
  }

  @Test func `colours and angle can be animated`() {
    let view = GradientView(from: black, to: white, angle: 0)
    let harness = shown(view)
    view.animate(\GradientView.angle, to: 90, duration: .milliseconds(100), curve: .linear)
    harness.advance(by: .milliseconds(51))
    #expect(abs(view.angle - 45) < 0.2 * 90)
    harness.settle()
    #expect(view.angle == 90)
  }

  @Test func `it says its angle`() {
    let values = GradientView(from: .white, to: .black, angle: 12).inspection.values
    #expect(values["angle"] == .number(12) && values["stops"] == .number(2))
  }
}

import ControlHarness
import Foundation
import TestSupport
import Testing

@testable import CockpitControls
@testable import ControlTools
@testable import Controls

/// Tests of the knob as the article has it: its picture and its position, from code, files and the inspector.
@MainActor @Suite(.serialized) struct GearboxKnobTests {
  private let ground: UInt32 = 0xff10_1820
  private let red: UInt32 = 0xffe0_2010
  private let blue: UInt32 = 0xff10_40e0

  /// A folder with an image of 54 x 32 points, red on the left and blue on the right.
  private func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var image = Snapshot(garbage: PixelSize(width: 108, height: 64))
    for index in image.pixels.indices { image.pixels[index] = index % 108 < 54 ? red : blue }
    #expect(image.write(to: folder.path + "/knob@2x.png"))
    try folder.write("no picture", to: "bad.png")
    return folder
  }

  private func shown(
    _ gear: Gear = .neutral, scale: Scale = .one, set: (ThrottleGearbox) -> Void
  ) -> (ControlHarness, ThrottleGearbox) {
    let root = RootView()
    root.backgroundColor = Color(hex: 0x101820)
    let harness = ControlHarness(size: Size(width: 200, height: 300), scale: scale, root: root)
    let box = ThrottleGearbox(frame: Rect(origin: .zero, size: GearboxGeometry.articleSize))
    box.gear = gear
    set(box)
    root.addSubview(box)
    harness.frame()
    return (harness, box)
  }

  // MARK: Picture

  @Test(arguments: [1.0, 1.25, 1.5, 1.75, 2, 3])
  func `G11, G12: a picture from a file stands for the knob, with sharp edges at every scale`(factor: Double) throws {
    let folder = try makeFolder()
    let (harness, box) = shown(.forward(5), scale: Scale(factor)) {
      $0.knobImage = ImageReference(path: folder.path + "/knob@2x.png")
    }
    #expect(box.knobImageError == nil && box.knobPicture?.size == Size(width: 54, height: 32))
    for gear in [Gear.forward(5), .reverse, .forward(10)] {
      box.gear = gear
      harness.frame()
      let knob = box.geometry.knob(inRow: box.geometry.row(of: gear))
      func pixel(_ value: Double) -> Int { Int((value * factor).rounded()) }
      let (xs, ys) = (pixel(knob.minX)..<pixel(knob.maxX), pixel(knob.minY)..<pixel(knob.maxY))
      for y in ys {
        let row = xs.map { harness.shown[$0, y] }
        // Where the colours meet, two columns at most are mixed; the edges are not mixed with what is around.
        #expect(row.first == red && row.last == blue)
        #expect(row.filter { $0 != red && $0 != blue }.count <= 2)
      }
      for x in xs { #expect(harness.shown[x, ys.lowerBound - 1] != red && harness.shown[x, ys.upperBound] != red) }
      for y in [ys.lowerBound, ys.upperBound - 1] {
        #expect(harness.shown[xs.lowerBound - 1, y] == ground && harness.shown[xs.upperBound, y] == ground)
      }
    }
  }

  @Test func `G11: a picture of another shape keeps it, in the middle of the knob's place`() {
    let picture = Picture(size: Size(width: 16, height: 16), scale: .one) { $0.fill(Color(hex: 0xe02010)) }
    let (harness, _) = shown { $0.knobPicture = picture }
    #expect(harness.shown[84, 240] == red && harness.shown[115, 240] == red)
    #expect(harness.shown[83, 230] == ground && harness.shown[116, 230] == ground)
  }

  @Test func `G11: a held knob's picture looks held, and a change of the picture repaints the knob`() throws {
    let folder = try makeFolder()
    let (harness, box) = shown { _ in }
    harness.checksDamage = true
    box.knobImage = ImageReference(path: folder.path + "/knob@2x.png")
    harness.frameIfNeeded()
    #expect(harness.shown[80, 240] == red)
    harness.touch(.began, at: Point(x: 100, y: 240))
    harness.frameIfNeeded()
    #expect(harness.shown[80, 240] != red)
    harness.touch(.ended, at: Point(x: 100, y: 240))
    harness.frameIfNeeded()
    #expect(harness.shown[80, 240] == red)
    box.knobPicture = Picture(size: Size(width: 54, height: 32), scale: .one) { $0.fill(Color(hex: 0x1040e0)) }
    harness.frameIfNeeded()
    #expect(box.knobImage == nil && harness.shown[80, 240] == blue)
    box.knobPicture = nil
    harness.frameIfNeeded()
    #expect(harness.shown[80, 240] != blue && box.knobPicture == nil)
  }

  @Test func `G11: a file that is no picture is told, and the built-in knob is drawn`() throws {
    let folder = try makeFolder()
    let (plain, _) = shown { _ in }
    for name in ["bad.png", "none.png"] {
      let (harness, box) = shown { $0.knobImage = ImageReference(path: "\(folder.path)/\(name)") }
      let error = try #require(box.knobImageError)
      #expect(error.description.contains(name))
      #expect(box.inspection.values["knobImageError"] == .string(error.description))
      #expect(harness.shown == plain.shown)
      box.knobImage = ImageReference(path: folder.path + "/knob@2x.png")
      #expect(box.knobImageError == nil && box.inspection.values["knobImageError"] == nil)
      box.knobImage = nil
      harness.frameIfNeeded()
      #expect(harness.shown == plain.shown)
    }
  }

  // MARK: Position

  @Test(arguments: zip([4.0, 24, 44, 64, 84, 104, 124, 144, 164, 184, 224, 264], 0..<12))
  func `G11, G13: the knob's position is its top left corner, and setting it sets the gear`(top: Double, row: Int) {
    for bands in GearboxGeometry.Bands.allCases {
      let (harness, box) = shown(.forward(3)) { $0.bands = bands }
      var events = 0
      box.addAction(for: .allEvents) { _ in events += 1 }
      // Wherever it is within its row's band, and whatever x is.
      for (x, dy) in [(73.0, 0.0), (0, 9), (500, -9)] {
        box.knobPosition = Point(x: x, y: top + dy)
        #expect(box.gear == box.geometry.gear(atRow: row))
        #expect(box.knobPosition == Point(x: 73, y: top), "on the row's line")
      }
      harness.frameIfNeeded()
      #expect(events == 0, "code tells nothing")
    }
    #expect(ThrottleGearbox().knobPosition == Point(x: 73, y: 224) && ThrottleGearbox().gear == .neutral)
  }

  @Test(arguments: [
    (GearboxGeometry.Bands.even, 204.0, Gear.forward(1)), (.even, 204.1, .neutral), (.article, 194, .forward(1)),
    (.article, 194.1, .neutral), (.even, 244, .neutral), (.even, 244.1, .reverse), (.article, 254, .neutral),
    (.article, 254.1, .reverse), (.even, -9000, .forward(10)), (.even, 9000, .reverse),
  ])
  func `G11, G21: the middle of the knob decides, by the gate's bands`(
    bands: GearboxGeometry.Bands, top: Double, gear: Gear
  ) {
    let (_, box) = shown(.forward(5)) { $0.bands = bands }
    box.knobPosition = Point(x: 73, y: top)
    #expect(box.gear == gear)
    box.knobPosition = Point(x: Double.nan, y: 4)
    #expect(box.gear == gear, "no position")
  }

  @Test func `G11, G-D10: the position is in points of the gearbox, whatever its size`() {
    let box = ThrottleGearbox(frame: Rect(x: 0, y: 0, width: 100, height: 290))
    #expect(box.knobPosition == Point(x: 36.5, y: 112))
    box.knobPosition = Point(x: 0, y: 32)
    #expect(box.gear == .forward(7))
  }

  @Test func `G11: picture and position from a layout file, before the gearbox has a size`() throws {
    let folder = try makeFolder()
    let text = """
      {"type": "View", "subviews": [{"type": "ThrottleGearbox", "name": "box", "knobImage": "knob@2x.png",
        "knobPosition": [73, 44], "anchors": {"left": 0, "top": 0, "width": 200, "height": 580}}]}
      """
    let path = folder.path + "/scene.json"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let layout = LayoutView(registry: .everyControl)
    try layout.load(LayoutFile(contentsOf: path))
    let harness = ControlHarness(layout, size: Size(width: 200, height: 300))
    harness.frame()
    let box = try #require(layout.view(named: "box") as? ThrottleGearbox)
    #expect(box.gear == .forward(8) && box.knobPosition == Point(x: 73, y: 44))
    #expect(harness.shown[80, 60] == red && harness.shown[120, 60] == blue)
    // Written again, the gear says it all.
    let written = try #require(LayoutWriter(registry: .everyControl).text(of: box))
    #expect(written.contains(#""gear": "8""#) && !written.contains("knobPosition"))
    // What a newer file says no more goes back to what a new gearbox has: neutral.
    try layout.load(LayoutFile(text: text.replacing(#""knobPosition": [73, 44],"#, with: ""), name: "newer"))
    #expect(layout.view(named: "box") === box && box.gear == .neutral)
  }

  @Test func `G11: the inspector has picture and position, and follows the lever and the size`() throws {
    let (harness, box) = shown(.forward(10)) { _ in }
    let image = try #require(box.inspectable(named: "knobImage"))
    let position = try #require(box.inspectable(named: "knobPosition"))
    #expect(image.kind == .optional(.image) && position.kind == Point.inspectableKind)
    #expect(image.group == "Knob" && position.group == "Knob" && position.title == "Knob Position")
    var told: [JSONValue] = []
    let token = box.observe(position) { told.append(position.json(of: box)) }
    harness.tap(Point(x: 100, y: 60))
    box.frame.size = Size(width: 100, height: 290)
    harness.frame()
    #expect(told == [JSONValue(numbers: [73, 44]), JSONValue(numbers: [36.5, 22])])
    token.remove()
    let editor = try #require(PropertyEditor.make(for: position, of: box) as? NumbersEditor<Point>)
    editor.set(Point(x: 0, y: 110))
    #expect(box.gear == .neutral && position.json(of: box) == JSONValue(numbers: [36.5, 112]))
  }

  @Test func `G11: what is said of the tree has the knob's position`() {
    let (_, box) = shown(.forward(10)) { _ in }
    #expect(box.inspect().values["knobPosition"] == .string("73.0 4.0"))
  }
}

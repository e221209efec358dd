import Glibc
import TestSupport
import Testing

@testable import cockpit

/// Tests of when a scene's file is shown while something is driven.
@MainActor @Suite(.serialized) struct SceneGateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, views: Int, letters: Int = 0) throws -> String {
    let views = [String](repeating: "{\"type\": \"View\"}", count: views - 1).joined(separator: ", ")
    let comment = letters > 0 ? "// " + String(repeating: "x", count: letters) + "\n" : ""
    try folder.write("\(comment){\"type\": \"View\", \"subviews\": [\(views)]}", to: name)
    return folder.path + "/" + name
  }

  @Test func `a light scene is shown at once, a heavy one when nothing is driven, and of several the last`() throws {
    var isDriven = false
    var shown: [String] = []
    let gate = SceneGate(isDriven: { isDriven }, show: { shown.append($0) })
    let light = try file("light.json", views: SceneGate.mostViews)
    let heavy = try file("heavy.json", views: SceneGate.mostViews + 1)
    let other = try file("other.json", views: 10_000)
    #expect(gate.open(heavy) == nil && shown == [heavy], "nothing is driven")
    isDriven = true
    #expect(gate.open(light) == nil && shown == [heavy, light])
    #expect(gate.open(heavy) == "\(SceneGate.mostViews + 1) views" && gate.open(other) != nil)
    gate.rest()
    #expect(shown == [heavy, light], "still driven")
    isDriven = false
    gate.rest()
    gate.rest()
    #expect(shown == [heavy, light, other] && gate.waiting == nil)
    // A light one that comes later takes the place of one that waits.
    isDriven = true
    #expect(gate.open(heavy) != nil && gate.open(light) == nil && gate.waiting == nil)
  }

  @Test func `long files and large pictures are heavy, what cannot be shown is not`() throws {
    let (short, long) = (try file("a.json", views: 2), try file("b.json", views: 2, letters: SceneGate.mostBytes))
    #expect(SceneGate.weight(ofFileAt: short) == nil)
    #expect(SceneGate.weight(ofFileAt: long) == "more than 64 KiB")
    try folder.write("{", to: "bad.json")
    #expect(SceneGate.weight(ofFileAt: folder.path + "/bad.json") == nil)
    #expect(SceneGate.weight(ofFileAt: folder.path + "/absent.json") == nil)
    var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
    png += [0, 0, 3, 232, 0, 0, 3, 232, 8, 6, 0, 0, 0, 0, 0, 0, 0]
    // A frame of one channel and the marker of a scan.
    let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 3, 232, 3, 232, 1, 1, 0x11, 0, 0xff, 0xda, 0, 2]
    for (picture, header) in [("a.png", png), ("a.jpg", jpeg)] {
      let stream = fopen(folder.path + "/" + picture, "w")
      fwrite(header, 1, header.count, stream)
      fclose(stream)
      for (name, key) in [("ImageView", "imageFile"), ("RangeSlider", "thumbImage"), ("ThrottleGearbox", "knobImage")] {
        try folder.write(
          "{\"type\": \"View\", \"subviews\": [{\"type\": \"\(name)\", \"\(key)\": \"\(picture)\"}]}",
          to: "picture.json")
        #expect(SceneGate.weight(ofFileAt: folder.path + "/picture.json") == "pictures of 1000000 pixels", "\(name)")
      }
    }
  }
}

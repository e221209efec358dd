import ControlHarness
import Glibc
import TestSupport
import Testing

@testable import ControlTools
@testable import Controls

/// Tests of scenes with many views and large pictures: what is limited, and what is done only once.
@MainActor @Suite(.serialized) struct HeavySceneTests {
  private let folder: TemporaryFolder
  private var name: String { folder.path + "/scene.json" }

  init() throws { folder = try TemporaryFolder() }

  private func paint(_ file: String, width: Int, height: Int) {
    var pixels = Snapshot(garbage: PixelSize(width: width, height: height), seed: 7)
    for index in pixels.pixels.indices { pixels.pixels[index] |= 0xff00_0000 }
    #expect(pixels.write(to: folder.path + "/" + file))
  }

  private func scene(_ views: [String]) -> String {
    "{\"type\": \"View\", \"subviews\": [\(views.joined(separator: ", "))]}"
  }

  private func problem(_ text: String) -> LayoutFileError? {
    do throws(LayoutFileError) {
      try LayoutView(registry: .everyControl).load(LayoutFile(text: text, name: name))
      return nil
    } catch {
      return error
    }
  }

  @Test func `a picture is decoded once, however many views of whatever kind show it`() throws {
    paint("a.png", width: 40, height: 30)
    let views = (0..<30).map { _ in "{\"type\": \"ImageView\", \"imageFile\": \"a.png\"}" }
    let text = scene(
      views + [
        "{\"type\": \"Button\", \"imageFile\": \"a.png\"}", "{\"type\": \"RangeSlider\", \"thumbImage\": \"a.png\"}",
        "{\"type\": \"ThrottleGearbox\", \"knobImage\": \"a.png\"}",
      ])
    let live = ShownScene()
    var before = PicturePool.decodedCount
    #expect(live.load(text, named: name))
    #expect(PicturePool.decodedCount == before + 1)
    func pictures() -> [Picture?] { (live.view.scene?.subviews ?? []).compactMap { $0 as? ImageView }.map(\.image) }
    let first = try #require(pictures().first ?? nil)
    #expect(pictures().count == 30 && pictures().allSatisfy { $0 === first })
    // Replaced, it is read once more, although it was written a moment before.
    paint("a.png", width: 20, height: 30)
    before = PicturePool.decodedCount
    #expect(live.load(text, named: name))
    #expect(PicturePool.decodedCount == before + 1 && pictures().allSatisfy { $0?.size.width == 20 })
    // One that cannot be read is tried once, and again with the next load.
    unlink(folder.path + "/a.png")
    before = PicturePool.decodedCount
    #expect(live.load(text, named: name))
    #expect(PicturePool.decodedCount == before + 1 && live.view.pictureErrors.count == 33)
    paint("a.png", width: 8, height: 8)
    #expect(live.load(text, named: name) && live.view.pictureErrors.isEmpty)
    // After a while a view that comes later shares it too.
    usleep(80_000)
    #expect(live.load(text, named: name))
    before = PicturePool.decodedCount
    #expect(live.load(text.replacing("\"subviews\": [", with: "\"subviews\": [\(views[0]), "), named: name))
    #expect(PicturePool.decodedCount == before)
  }

  @Test func `a picture that nobody shows any more is not kept`() throws {
    paint("a.png", width: 40, height: 30)
    weak var picture: Picture?
    do {
      let view = ImageView()
      view.imageFile = ImageReference(path: folder.path + "/a.png")
      picture = view.image
      #expect(picture != nil)
    }
    #expect(picture == nil)
  }

  @Test func `the pixels of all pictures are limited, each picture counted once, before any is decoded`() {
    // Files of 33 bytes claim a size; only that is read.
    func claim(_ file: String, _ width: UInt32, _ height: UInt32) {
      var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
      for number in [width, height] { bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
      bytes += [8, 6, 0, 0, 0, 0, 0, 0, 0]
      let stream = fopen(folder.path + "/" + file, "w")
      fwrite(bytes, 1, bytes.count, stream)
      fclose(stream)
    }
    claim("half.png", 8000, 4000)
    claim("other.png", 8000, 4000)
    claim("more.png", 1, 1)
    func images(_ files: String...) -> String {
      scene(files.map { "{\"type\": \"ImageView\", \"imageFile\": \"\($0)\"}" })
    }
    #expect(problem(images("half.png", "other.png", "half.png", "other.png")) == nil)
    let before = PicturePool.decodedCount
    let error = problem(images("half.png", "other.png", "more.png"))
    #expect(error?.reason == .tooManyPixels(64_000_001) && error?.path == "subviews[2].imageFile")
    #expect(error?.description.hasSuffix("have 64000001 pixels together, more than 64000000") == true)
    #expect(PicturePool.decodedCount == before)
  }

  @Test func `the number of views is limited`() {
    let most = LayoutFile.maximumViewCount
    let views = [String](repeating: "{\"type\": \"View\"}", count: most - 1)
    #expect(problem(scene(views)) == nil)
    let error = problem(scene(views + ["{\"type\": \"View\"}"]))
    #expect(error?.reason == .tooManyViews && error?.path == "subviews[\(most - 1)]")
    #expect(error?.description.contains("at most \(most) views") == true)
  }
}

import ControlHarness
import Glibc
import TestSupport
import Testing

@testable import ControlTools
@testable import Controls
@testable import Shell

/// Tests that `--watch` shows what a fresh start would show, whatever the file went through before.
@MainActor @Suite(.serialized) struct SceneEditTests {
  /// How many edits are made in all; COCKPIT_SCENE_EDITS asks for more.
  nonisolated static let edits = getenv("COCKPIT_SCENE_EDITS").flatMap { Int(String(cString: $0)) } ?? 2000

  /// Scenes with a difference after which no more are looked for.
  private static let mostDifferences = 12

  private static let pictures = ["a.png", "b.png", "absent.png"]

  private func paint(_ name: String, in folder: TemporaryFolder, side: Int) {
    var pixels = Snapshot(garbage: PixelSize(width: side, height: side), seed: UInt32(side))
    for index in pixels.pixels.indices { pixels.pixels[index] |= 0xff00_0000 }
    #expect(pixels.write(to: folder.path + "/" + name))
  }

  /// The first line in which the trees differ.
  private func difference(_ live: ShownScene, _ text: String, named name: String) -> String? {
    let fresh = ShownScene()
    guard fresh.load(text, named: name) else { return "a fresh start refuses it" }
    let (now, wanted) = (live.description, fresh.description)
    if now == wanted { return nil }
    let (a, b) = zip(now, wanted).first { $0 != $1 } ?? ("\(now.count) views", "\(wanted.count) views")
    // Only the words that differ.
    let (left, right) = (a.split(separator: " "), b.split(separator: " "))
    let words = zip(left, right).filter { $0 != $1 }.map { "\($0) instead of \($1)" }
    return "\(left.first ?? ""): " + words.joined(separator: ", ")
  }

  @Test func `after any history of edits the tree is that of a fresh start`() throws {
    let folder = try TemporaryFolder()
    paint("a.png", in: folder, side: 8)
    paint("b.png", in: folder, side: 12)
    var (made, seed, differences) = (0, 0, 0)
    while made < Self.edits, differences < Self.mostDifferences {
      seed += 1
      let steps = min(250, Self.edits - made)
      made += steps
      if let difference = difference(after: steps, of: seed, in: folder) {
        Issue.record("\(difference)")
        differences += 1
      }
    }
    print("scene edits: \(made) edits of \(seed) scenes, \(differences) differences")
  }

  /// The first difference within `steps` edits of the scene number `seed`.
  private func difference(after steps: Int, of seed: Int, in folder: TemporaryFolder) -> String? {
    let name = folder.path + "/scene.json"
    var scene = SceneEdits(seed: seed, pictures: Self.pictures)
    let live = ShownScene()
    for step in 0..<steps {
      scene.edit()
      // Now and then it is saved after several edits, and sometimes with a mistake in it.
      if scene.random.below(4) == 0 { continue }
      if scene.random.below(20) == 0 { #expect(!live.load(scene.text + "}", named: name)) }
      let text = scene.text
      guard live.load(text, named: name) else { continue }
      if let difference = difference(live, text, named: name) {
        return "seed \(seed), step \(step): \(difference)\n\(text)"
      }
    }
    return nil
  }

  /// An offset beyond a content that grows later; views of a stack in another order; sizes that followed from an older frame; a header
  /// that is placed after its content was measured.
  @Test(arguments: [
    (13, 205), (28, 30), (32, 30), (34, 18), (46, 35), (77, 78), (110, 191), (153, 63), (163, 7), (202, 245), (332, 24),
  ])
  func `scenes that once differed from a fresh start do not`(seed: Int, steps: Int) throws {
    let folder = try TemporaryFolder()
    paint("a.png", in: folder, side: 8)
    paint("b.png", in: folder, side: 12)
    let difference = difference(after: steps, of: seed, in: folder)
    #expect(difference == nil)
  }

  @Test func `a limit that was taken out and put back leaves the values of the file`() throws {
    func text(_ limits: Bool) -> String {
      let limit = limits ? "\"maximumValue\": 100, " : ""
      return """
        {"type": "View", "subviews": [{"type": "Slider", \(limit)"value": 80},
          {"type": "NumberField", "maximumValue": \(limits ? 100 : 50), "value": 80},
          {"type": "RangeSlider", \(limit)"lowerValue": 20, "upperValue": 80, "minimumSpan": 30}]}
        """
    }
    let live = ShownScene()
    for limits in [true, false, true] {
      #expect(live.load(text(limits), named: "scene.json"))
      #expect(difference(live, text(limits), named: "scene.json") == nil)
    }
    let slider = try #require(live.view.scene?.subviews.first as? Slider)
    #expect(slider.value == 80)
    // What the user sets stays, also when a limit changes that does not concern it.
    slider.value = 60
    #expect(
      live.load(
        text(true).replacing("\"maximumValue\": 100, \"value\"", with: "\"maximumValue\": 90, \"value\""),
        named: "scene.json"))
    #expect(slider.value == 60 && slider.maximumValue == 90)
  }

  @Test func `a picture that was replaced is shown when the scene is loaded again, in every kind of view`() throws {
    let folder = try TemporaryFolder()
    let name = folder.path + "/scene.json"
    paint("a.png", in: folder, side: 8)
    let text = """
      {"type": "View", "subviews": [{"type": "ImageView", "imageFile": "a.png"}, {"type": "Button", "imageFile": "a.png"},
        {"type": "RangeSlider", "thumbImage": "a.png"}, {"type": "ThrottleGearbox", "knobImage": "a.png"}]}
      """
    let live = ShownScene()
    #expect(live.load(text, named: name))
    func pictures() -> [Picture?] {
      let views = live.view.scene?.subviews ?? []
      return [
        (views[0] as? ImageView)?.image, (views[1] as? Button)?.currentImage,
        (views[2] as? RangeSlider)?.images[.thumb].picture,
      ]
    }
    #expect(pictures().allSatisfy { $0?.size.width == 8 })
    paint("a.png", in: folder, side: 12)
    #expect(live.load(text, named: name))
    #expect(pictures().allSatisfy { $0?.size.width == 12 })
    unlink(folder.path + "/a.png")
    #expect(live.load(text, named: name))
    #expect(pictures().allSatisfy { $0 == nil } && live.view.pictureErrors.count == 4)
    paint("a.png", in: folder, side: 16)
    #expect(live.load(text, named: name))
    #expect(pictures().allSatisfy { $0?.size.width == 16 } && live.view.pictureErrors.isEmpty)
    // A file that has not changed is not read again.
    let before = pictures()
    usleep(80_000)
    #expect(live.load(text, named: name))
    let after = pictures()
    #expect(live.load(text, named: name))
    #expect(zip(after, pictures()).allSatisfy { $0 === $1 } && before.count == 3)
  }

  @Test func `200 edits through the real watcher, saved in every way`() throws {
    let folder = try TemporaryFolder()
    paint("a.png", in: folder, side: 8)
    paint("b.png", in: folder, side: 12)
    let loop = EventLoop()
    for place in ["v1", "v2", "..data1", "..data2"] { mkdir(folder.path + "/" + place, 0o700) }
    let file = folder.path + "/scene.json"
    let live = ShownScene()
    var scene = SceneEdits(seed: 99, pictures: Self.pictures)
    func write(_ text: String, to name: String) {
      let stream = fopen(folder.path + "/" + name, "w")
      fputs(text, stream)
      fclose(stream)
    }
    write(scene.text, to: "scene.json")
    #expect(live.load(scene.text, named: file))
    var reloads = 0
    let watcher = try FileWatcher(loop: loop, path: file) {
      reloads += 1
      guard let read = try? LayoutFile(contentsOf: file) else { return }
      _ = live.load(read.source, named: file)
    }
    var isLink = false
    for step in 0..<200 {
      scene.edit()
      let text = scene.text
      guard ShownScene().load(text, named: file) else { continue }
      let before = reloads
      switch scene.random.below(7) {
      case 0 where !isLink: write(text, to: "scene.json")
      case 1:
        write(text, to: "scene.json~")
        rename(folder.path + "/scene.json~", file)
        isLink = false
      case 2:
        write(text, to: "other\(step).json")
        unlink(file)
        symlink("other\(step).json", file)
        isLink = true
      case 3:
        write(text, to: "hard\(step).json")
        unlink(file)
        link(folder.path + "/hard\(step).json", file)
        isLink = false
      case 4:
        // A folder that a link leads through, changed as deployments do.
        let version = "v\(1 + step % 2)"
        write(text, to: version + "/scene.json")
        symlink(version, folder.path + "/current~")
        rename(folder.path + "/current~", folder.path + "/current")
        unlink(file)
        symlink("current/scene.json", file)
        isLink = true
      case 5:
        write(text, to: "..data\(1 + step % 2)/scene.json")
        unlink(folder.path + "/..data")
        symlink("..data\(1 + step % 2)", folder.path + "/..data")
        unlink(file)
        symlink("..data/scene.json", file)
        isLink = true
      default:
        // Whatever the path leads to now is written in place.
        let stream = fopen(file, "w")
        fputs(text, stream)
        fclose(stream)
      }
      let start = ContinuousClock.now
      while reloads == before, ContinuousClock.now - start < .seconds(5) { loop.turn(waits: false) }
      if let difference = difference(live, text, named: file) {
        Issue.record("step \(step), \(reloads - before) reloads: \(difference)")
        return
      }
    }
    withExtendedLifetime(watcher) {}
  }
}

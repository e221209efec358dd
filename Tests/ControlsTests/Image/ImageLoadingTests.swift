import ControlHarness
import FoundationEssentials
import TestSupport
import Testing

@testable import Controls

/// Tests of pictures that another thread reads for an image view.
@MainActor @Suite(.serialized) struct ImageLoadingTests {
  private let files: TemporaryFolder
  private let view = ImageView()
  private let harness: ControlHarness

  init() throws {
    files = try TemporaryFolder()
    harness = ControlHarness(view, size: Size(width: 24, height: 16))
    try Data(JPEGSamples.plain).write(to: URL(filePath: files.path + "/first.jpg"))
    try Data(JPEGSamples.turned(JPEGSamples.plain, 6)).write(to: URL(filePath: files.path + "/turned.jpg"))
    for (name, side) in [("small.png", 3), ("large.png", 40)] {
      var picture = Snapshot(garbage: PixelSize(width: side, height: side))
      for index in picture.pixels.indices { picture.pixels[index] = side < 9 ? 0xffff_ffff : 0xff80_8080 }
      #expect(picture.write(to: files.path + "/" + name))
    }
  }

  private func file(_ name: String) -> ImageReference { ImageReference(path: files.path + "/" + name) }

  /// Returns when the view waits for nothing more.
  private func loaded(_ view: ImageView) async {
    guard view.isLoading else { return }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      view.onLoad = {
        view.onLoad = nil
        done.resume()
      }
    }
  }

  @Test(arguments: ["first.jpg", "large.png"])
  func `what is shown stays until the new picture is there`(name: String) async {
    view.imageFile = file("small.png")
    harness.frame()
    let (old, before) = (view.image, harness.shown)
    view.loadsInBackground = true
    view.imageFile = file(name)
    #expect(view.isLoading && view.image === old && view.imageError == nil)
    harness.frameIfNeeded()
    #expect(harness.shown == before)
    #expect(view.inspection.values["isLoading"] == .bool(true))
    await loaded(view)
    #expect(view.image !== old && !view.isLoading && view.imageFile == file(name))
    #expect(harness.frameIfNeeded() && harness.shown != before)
  }

  @Test func `of several files that are set meanwhile the last one is shown, and no other ever was`() async {
    view.loadsInBackground = true
    var loads = 0
    for name in ["first.jpg", "small.png", "turned.jpg", "large.png", "turned.jpg"] { view.imageFile = file(name) }
    #expect(view.image == nil)
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      view.onLoad = {
        loads += 1
        if loads == 1 { done.resume() }
      }
    }
    #expect(view.image?.size == Size(width: 16, height: 24) && !view.isLoading)
    // One that is read after all those.
    let other = ImageView()
    other.loadsInBackground = true
    other.imageFile = file("large.png")
    await loaded(other)
    #expect(loads == 1 && view.image?.size == Size(width: 16, height: 24))
  }

  @Test func `a file that cannot be read is an error that comes later, and the next one heals it`() async {
    view.loadsInBackground = true
    view.imageFile = file("first.jpg")
    await loaded(view)
    let old = view.image
    view.imageFile = file("none.jpg")
    #expect(view.imageError == nil && view.image === old)
    await loaded(view)
    #expect(view.imageError?.path == file("none.jpg").path && view.image == nil)
    view.imageFile = file("turned.jpg")
    #expect(view.imageError != nil, "the sign stays as a picture does")
    await loaded(view)
    #expect(view.imageError == nil && view.image != nil)
  }

  @Test func `a picture, no file, and a file that is read at once end the waiting`() async {
    let other = ImageView()
    for end: (ImageView) -> Void in [
      { $0.image = Picture(size: Size(width: 5, height: 5), scale: .one) { $0.fill(.white) } }, { $0.imageFile = nil },
      { view in
        view.loadsInBackground = false
        view.imageFile = file("small.png")
      },
    ] {
      view.loadsInBackground = true
      view.imageFile = file("large.png")
      #expect(view.isLoading)
      end(view)
      let shown = view.image
      #expect(!view.isLoading)
      // One that is read after it: what was given up would have been there by then.
      other.loadsInBackground = true
      other.imageFile = file(other.imageFile == file("turned.jpg") ? "first.jpg" : "turned.jpg")
      await loaded(other)
      #expect(view.image === shown)
    }
  }

  @Test func `a file that several views wait for is read once, and one that is shown already is shown at once`() async {
    let others = (0..<3).map { _ in ImageView() }
    let before = PicturePool.decodedCount
    PicturePool.once {
      for view in others {
        view.loadsInBackground = true
        view.imageFile = file("first.jpg")
      }
    }
    // Before others have their turn.
    #expect(PicturePool.decodedCount == before + 1)
    for view in others { await loaded(view) }
    #expect(others.allSatisfy { $0.image != nil && $0.image === others[0].image })
  }

  @Test func `the limits of pictures hold in the other thread too`() async {
    // Those at the time when the file is set.
    Picture.limits.pixels = 24 * 16 - 1
    view.loadsInBackground = true
    view.imageFile = file("first.jpg")
    Picture.limits = PictureLimits()
    await loaded(view)
    #expect(view.imageError?.reason == .unusableSize(PixelSize(width: 24, height: 16)))
  }
}

import CLinux
import Glibc
import Linux
import Stage
import Testing
import UICore

@testable import Shell

/// Pictures of another process below a window.
@MainActor @Suite(.serialized) struct UnderlayTests {
  /// Memory as another process would send it: each slot in a colour of its own.
  @MainActor private final class Pictures {
    let layout: Underlay.Layout
    let file: Descriptor

    init(_ width: Int = 16, _ height: Int = 12, slots: Int = 3, isSealed: Bool = true, isWhole: Bool = true) throws {
      let stride = width * 4
      let slotBytes = (stride * height + 4095) & ~4095
      layout = Underlay.Layout(
        size: PixelSize(width: width, height: height), stride: stride, slotBytes: slotBytes, slots: slots)
      guard let file = MemoryFile.memfd.makeForTest() else { throw ShellError.system(operation: "memfd", errno: errno) }
      try #require(ftruncate(file.number, isWhole ? slotBytes * slots : slotBytes * slots - 1) == 0)
      self.file = file
      for slot in 0..<slots where isWhole { fill(slot, with: Pictures.colour(slot)) }
      if isSealed { try #require(cockpit_seal_size(self.file.number) == 0) }
    }

    static func colour(_ slot: Int) -> UInt32 { 0xff00_0000 | UInt32(0x40 * (slot + 1)) << 8 }

    func fill(_ slot: Int, with colour: UInt32) {
      let pixels = [UInt32](repeating: colour, count: layout.stride / 4 * layout.size.height)
      _ = pixels.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, slot * layout.slotBytes) }
    }
  }

  private func adopt(_ pictures: Pictures, as number: UInt32 = 1, on underlay: Underlay) throws {
    try underlay.adopt(pictures.file.number, number: number, pictures.layout)
  }

  /// The colour of the screen at a point of the window.
  private func seen(_ show: Show, _ x: Int, _ y: Int) throws -> UInt32 {
    let shot = try #require(show.stage.screenshot(of: show.surface))
    return shot.pixels[y * shot.size.width + x]
  }

  @Test func `a picture shows where the content is clear, below it, and without a frame of the window`() throws {
    try play(prepare: { _, _ in }) { show in
      show.content.isOpaque = false
      let whole = PixelRect(x: 0, y: 0, width: 64, height: 48)
      show.content.paint(whole, 0xffff_ffff)
      show.content.paint(PixelRect(x: 10, y: 10, width: 30, height: 20), 0)
      show.refresh()
      let underlay = try #require(show.window?.makeUnderlay())
      #expect(show.window?.makeUnderlay() === underlay && underlay.scales)
      try adopt(try Pictures(), on: underlay)
      #expect(!underlay.show(0), "it has no place yet")
      show.window?.placeUnderlay(Rect(x: 8, y: 8, width: 32, height: 24))
      #expect(underlay.show(0))
      show.window?.drawWhole()
      show.content.paint(PixelRect(x: 0, y: 0, width: 1, height: 1))
      for _ in 0..<3 { show.refresh() }
      #expect(try seen(show, 20, 20) == Pictures.colour(0) && seen(show, 8, 8) == 0xffff_ffff)
      let part = try #require(show.surface.subsurfaces.first)
      #expect(!part.isAboveParent && !part.isSynchronized && part.place == Point(x: 8, y: 8))
      #expect(part.surface.logicalSize == Size(width: 32, height: 24))
      show.surface.forgetCommits()
      #expect(underlay.show(1))
      show.settle()
      #expect(try seen(show, 20, 20) == Pictures.colour(1) && show.surface.commits.isEmpty)
      // Fingers on the picture are the window's.
      #expect(show.surface.hit(Point(x: 20, y: 20))?.surface === show.surface)
      underlay.hide()
      show.settle()
      #expect(try seen(show, 20, 20) == 0 && !underlay.isShown)
    }
  }

  @Test(arguments: ReleasePolicy.allCases)
  func `a slot comes back exactly once after each show, and is not shown while the compositor holds it`(
    policy: ReleasePolicy
  ) throws {
    try play { show in
      show.stage.releasePolicy = policy
      let underlay = try #require(show.window?.makeUnderlay())
      let pictures = try Pictures()
      var back: [Int] = []
      underlay.onRelease = { back.append($1) }
      try adopt(pictures, on: underlay)
      show.window?.placeUnderlay(Rect(x: 0, y: 0, width: 20, height: 20))
      show.content.paint(PixelRect(x: 0, y: 0, width: 1, height: 1))
      show.refresh()
      for index in 0..<12 {
        let slot = index % 3
        // A writer that waits for the release writes no held slot: the stage would report it.
        if underlay.holds(slot) {
          #expect(!underlay.show(slot))
          continue
        }
        pictures.fill(slot, with: 0xff00_0000 | UInt32(index))
        let before = back.count { $0 == slot }
        #expect(underlay.show(slot) && underlay.holds(slot) && !underlay.show(slot))
        show.refresh()
        #expect(back.count { $0 == slot } - before == (underlay.holds(slot) ? 0 : 1))
      }
      #expect(back.isEmpty == (policy == .byHand))
    }
  }

  @Test func `a held slot that is written is a fault that the stage sees`() throws {
    let stage = Stage(globals: .everything)
    var broken: [Violation.Rule] = []
    try play(stage: stage) { show in
      stage.onViolation = { broken.append($0.rule) }
      stage.releasePolicy = .whenReplaced
      let underlay = try #require(show.window?.makeUnderlay())
      let pictures = try Pictures()
      try adopt(pictures, on: underlay)
      show.window?.placeUnderlay(Rect(x: 0, y: 0, width: 20, height: 20))
      show.content.paint(PixelRect(x: 0, y: 0, width: 1, height: 1))
      show.refresh()
      underlay.show(0)
      show.refresh()
      pictures.fill(0, with: 0xff12_3456)
      show.refresh()
      underlay.show(1)
      show.refresh()
    }
    #expect(broken.contains(.heldBufferWritten))
  }

  @Test func `memory that may shrink, is too short or has impossible numbers is refused, and nothing is lost`() throws {
    try play { show in
      let underlay = try #require(show.window?.makeUnderlay())
      #expect(throws: ShellError.self) { try adopt(try Pictures(isSealed: false), on: underlay) }
      #expect(throws: ShellError.self) { try adopt(try Pictures(isWhole: false), on: underlay) }
      let pictures = try Pictures()
      for change in [
        { (layout: inout Underlay.Layout) in layout.slots = 0 }, { $0.slots = Int.max }, { $0.stride = 4 },
        { $0.stride = Int.max }, { $0.slotBytes = 1 }, { $0.slotBytes = Int.max / 2 },
        { $0.size = PixelSize(width: Int.max, height: 1) }, { $0.size = PixelSize(width: 16, height: Int.max) },
        { $0.size = .zero }, { $0.size = PixelSize(width: -1, height: 4) },
      ] {
        var layout = pictures.layout
        change(&layout)
        #expect(throws: ShellError.self) { try underlay.adopt(pictures.file.number, number: 1, layout) }
      }
      #expect(throws: ShellError.self) { try underlay.adopt(-1, number: 1, pictures.layout) }
      try adopt(pictures, on: underlay)
      show.window?.placeUnderlay(Rect(x: 0, y: 0, width: 20, height: 20))
      #expect(!underlay.show(3) && !underlay.show(-1) && underlay.show(2))
      show.refresh()
    }
  }

  @Test func `older memory stays until the compositor has released it`() throws {
    try play { show in
      show.stage.releasePolicy = .whenReplaced
      let underlay = try #require(show.window?.makeUnderlay())
      var back: [String] = []
      underlay.onRelease = { back.append("\($0).\($1)") }
      try adopt(try Pictures(), as: 7, on: underlay)
      show.window?.placeUnderlay(Rect(x: 0, y: 0, width: 20, height: 20))
      show.content.paint(PixelRect(x: 0, y: 0, width: 1, height: 1))
      show.refresh()
      underlay.show(1)
      show.refresh()
      try adopt(try Pictures(20, 10), as: 8, on: underlay)
      #expect(!underlay.holds(1))
      underlay.show(1)
      for _ in 0..<3 { show.refresh() }
      #expect(back == ["7.1"])
    }
  }

  @Test
  func `a window on a compositor without subsurfaces has no place for pictures, and without viewports no scaling`()
    throws
  {
    var globals = StageGlobals.everything
    globals.subcompositor = nil
    try play(globals) { show in #expect(show.window?.makeUnderlay() == nil) }
    globals = .everything
    globals.viewporter = nil
    try play(globals) { show in #expect(show.window?.makeUnderlay()?.scales == false) }
  }

  @Test func `after the compositor is lost a new window has a new place, and the old one shows nothing`() throws {
    let stage = Stage(globals: .everything)
    var options = WindowOptions(title: "Test", applicationID: "org.example.Test", size: Size(width: 64, height: 48))
    options.isFullscreen = false
    let show = try Show(stage, options: options, reconnection: .tries(for: nil))
    let underlay = try #require(show.window?.makeUnderlay())
    let pictures = try Pictures()
    try adopt(pictures, on: underlay)
    show.window?.placeUnderlay(Rect(x: 0, y: 0, width: 20, height: 20))
    underlay.show(0)
    show.settle()
    show.stage.clients.last?.hangUp()
    show.turn()
    show.turn()
    for _ in 0..<20 { show.pass(.milliseconds(200)) }
    let next = try #require(show.window?.makeUnderlay())
    #expect(next !== underlay && !underlay.isShown && !underlay.show(1) && !underlay.holds(0))
    try adopt(pictures, as: 2, on: next)
    show.window?.placeUnderlay(Rect(x: 0, y: 0, width: 20, height: 20))
    #expect(next.show(0))
    show.settle()
    show.quit()
    _ = stage.finish()
  }
}

extension MemoryFile {
  fileprivate func makeForTest() -> Descriptor? { MemoryFile.make(by: [self]) }
}

import Foundation
import Glibc
import Stage
import TestSupport
import Testing
import UICore

@testable import Shell

/// The size of the cursor's picture, where the compositor draws none: as large as the user wants it, and sharp.
@MainActor @Suite(.serialized) struct CursorSizeTests {
  /// A theme with images of these sizes.
  private func makeTheme(_ sizes: [UInt32]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let cursors = URL(filePath: folder.path + "/sharp/cursors")
    try FileManager.default.createDirectory(at: cursors, withIntermediateDirectories: true)
    // A head, a table of contents, and the pictures: size, a hotspot at the corner, no animation, opaque pixels.
    var words: [UInt32] = [0x7275_6358, 16, 0x1_0000, UInt32(sizes.count)]
    var place = UInt32(16 + 12 * sizes.count)
    for size in sizes {
      words += [0xfffd_0002, size, place]
      place += 36 + size * size * 4
    }
    for size in sizes {
      words += [36, 0xfffd_0002, size, 1, size, size, 0, 0, 0] + Array(repeating: 0xffff_ffff, count: Int(size * size))
    }
    try words.withUnsafeBytes { Data($0) }.write(to: cursors.appending(path: "default"))
    return folder
  }

  /// Does `body` with these variables; they are as before afterwards.
  private func with(_ variables: [String: String], _ body: () throws -> Void) rethrows {
    let old = variables.map { name, _ in (name, getenv(name).map { String(cString: $0) }) }
    for (name, value) in variables { setenv(name, value, 1) }
    defer { for (name, value) in old { if let value { setenv(name, value, 1) } else { unsetenv(name) } } }
    try body()
  }

  @Test(arguments: [1.0, 1.5, 2], ["24", "48"])
  func `behaviour 25: the theme is asked for the user's size in the window's pixels`(factor: Double, size: String)
    throws
  {
    let folder = try makeTheme([16, 24, 36, 48, 72, 96, 128])
    try with(["XCURSOR_PATH": folder.path, "XCURSOR_THEME": "sharp", "XCURSOR_SIZE": size]) {
      var globals = StageGlobals.everything
      globals.cursorShape = nil
      let stage = Stage(globals: globals)
      stage.scale = Scale(factor)
      try play(stage: stage) { show in
        show.refresh()
        show.seat.pointerEnter(5, 5)
        show.settle()
        guard case .surface(let surface, _) = show.seat.cursor else {
          Issue.record("no picture")
          return
        }
        let points = try #require(Double(size))
        let pixels = Int(points * factor)
        #expect(surface.buffer?.size == PixelSize(width: pixels, height: pixels))
        #expect(surface.logicalSize == Size(width: points, height: points))
      }
    }
  }

  @Test func `behaviour 25: the desktop's size and theme count where the environment says nothing, also later`() throws
  {
    let folder = try makeTheme([24, 32, 48])
    for isSet in [false, true] {
      try with(["XCURSOR_PATH": folder.path, "XCURSOR_THEME": "", "XCURSOR_SIZE": isSet ? "32" : ""]) {
        var globals = StageGlobals.everything
        globals.cursorShape = nil
        try play(globals) { show in
          show.seat.pointerEnter(5, 5)
          show.settle()
          for size in [48, 24, 1000, nil] {
            show.application?.cursor = CursorPreference(theme: "sharp", size: size)
            show.settle()
            let expected = isSet ? 32 : size == 48 ? 48 : 24
            guard case .surface(let surface, _) = show.seat.cursor else {
              Issue.record("no picture")
              return
            }
            #expect(surface.buffer?.size == PixelSize(width: expected, height: expected))
          }
        }
      }
    }
  }

  @Test(arguments: [(0.5, 24), (1.1, 24), (1, 96), (3, 128)] as [(Double, Int)])
  func `a theme without the wanted size gives the next one, sharp if it is near and as large as wanted if not`(
    factor: Double, wanted: Int
  ) throws {
    let folder = try makeTheme([24, 32, 48])
    try with(["XCURSOR_PATH": folder.path, "XCURSOR_THEME": "sharp", "XCURSOR_SIZE": "\(wanted)"]) {
      var globals = StageGlobals.everything
      globals.cursorShape = nil
      let stage = Stage(globals: globals)
      stage.scale = Scale(factor)
      try play(stage: stage) { show in
        show.refresh()
        show.seat.pointerEnter(5, 5)
        show.settle()
        guard case .surface(let surface, _) = show.seat.cursor else {
          Issue.record("no picture")
          return
        }
        let isNear = factor == 1.1
        #expect(
          surface.buffer?.size
            == PixelSize(width: isNear || factor < 1 ? 24 : 48, height: isNear || factor < 1 ? 24 : 48))
        let points = isNear ? 22 : Double(wanted)
        #expect(surface.logicalSize == Size(width: points, height: points))
      }
    }
  }
}

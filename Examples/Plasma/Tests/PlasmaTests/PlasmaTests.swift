import Foundation
import Stage
import Testing

/// The program of this package, tested from outside: as the compositor sees it.
@Suite(.serialized) struct PlasmaTests {
  /// The program is in the folder of the tests' own.
  private let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "Plasma")

  @Test func `the waves move, and a finger darkens them`() throws {
    let play = try ProgramOnStage(program, stage: Stage())
    let stage = play.stage
    try play.wait("a window opens") { stage.frontSurface?.isShown == true }
    #expect(stage.toplevel.title == "Plasma" && stage.toplevel.surface.logicalSize == Size(width: 400, height: 300))
    try play.wait("it draws frames") { stage.toplevel.surface.contentCommits.count > 3 }
    #expect(brightest(stage) > 0xc0)

    stage.seat.touchDown(0, 200, 150)
    stage.seat.touchFrame()
    try play.wait("it gets darker") { brightest(stage) < 0x80 }
    stage.seat.touchUp(0)
    stage.seat.touchFrame()
    try play.wait("it gets brighter") { brightest(stage) > 0xc0 }
    #expect(try play.close() == 0)
    #expect(stage.finish() == [])
  }

  @Test func `a compositor with fractional scales gets a sharp picture`() throws {
    let stage = Stage()
    stage.scale = Scale(1.5)
    let play = try ProgramOnStage(program, stage: stage)
    try play.wait("a window opens") { stage.frontSurface?.isShown == true }
    #expect(stage.toplevel.surface.picture?.size == PixelSize(width: 600, height: 450))
    #expect(try play.close() == 0)
    #expect(stage.finish() == [])
  }

  /// The greatest value of red in the picture's first row.
  private func brightest(_ stage: Stage) -> UInt32 {
    guard let picture = stage.toplevel.surface.picture else { return 0 }
    return (0..<picture.size.width).map { picture.pixel(x: $0, y: 0) >> 16 & 0xff }.max() ?? 0
  }
}

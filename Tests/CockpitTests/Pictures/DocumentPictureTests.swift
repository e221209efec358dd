import ControlHarness
import Controls
import Foundation
import Testing
import UICore

@testable import cockpit

/// The pictures of the documents, compared with those in docs/. With COCKPIT_DOCUMENTS set to a folder they are written there (`./dev picture`).
@MainActor @Suite(.serialized) struct DocumentPictureTests {
  private static let folder = ProcessInfo.processInfo.environment["COCKPIT_DOCUMENTS"]
  private static let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../docs").standardized
  private static let session = documents.appendingPathComponent("examples/two-fingers.jsonl").path

  /// The scene while it drives: 83 km/h in gear 7, the wheel 40 degrees to the right.
  private func driving(_ size: Size, scale: Scale = .one, _ look: SceneLook = SceneLook()) -> Snapshot {
    let scene = CockpitScene()
    scene.adopt(look)
    scene.car.followsTelemetry = true
    scene.gearbox.gear = .forward(7)
    scene.wheel.angle = 40
    scene.cluster.speedometer.speed = 83
    scene.car.showControls()
    let harness = ControlHarness(size: size, scale: scale, root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    // Until the motions of a start have ended.
    harness.advance(by: .seconds(3))
    return harness.shown
  }

  /// The scene at many sizes and in every look, side by side.
  private func sheet() -> Snapshot {
    let light = SceneLook(isLight: true)
    let (dark, contrast) = (SceneLook(), SceneLook(isLight: true, hasHighContrast: true))
    let darkContrast = SceneLook(hasHighContrast: true)
    // Widths and heights in points, and pixels for 120 points.
    let rows: [[(width: Double, height: Double, scale: Int, look: SceneLook)]] = [
      [(3440, 1440, 30, dark), (800, 1280, 33, light)],
      [(1280, 720, 48, light), (400, 640, 54, dark), (480, 320, 108, dark)],
      [(1280, 720, 48, darkContrast), (400, 640, 54, light), (480, 320, 108, contrast)],
    ]
    let pictures = rows.map { row in
      row.map { driving(Size(width: $0.width, height: $0.height), scale: Scale(in120ths: $0.scale), $0.look) }
    }
    let gap = 16
    let width = pictures.map { row in row.reduce(gap) { $0 + $1.size.width + gap } }.max() ?? 0
    let height = pictures.reduce(gap) { $0 + ($1.map(\.size.height).max() ?? 0) + gap }
    var sheet = Snapshot(size: PixelSize(width: width, height: height))
    for index in sheet.pixels.indices { sheet.pixels[index] = 0xff5b_6470 }
    var top = gap
    for row in pictures {
      // A row that is shorter than the sheet stands in its middle.
      var left = (width - row.reduce(-gap) { $0 + $1.size.width + gap }) / 2
      for picture in row {
        for y in 0..<picture.size.height {
          let (from, to) = (y * picture.size.width, (top + y) * width + left)
          sheet.pixels.replaceSubrange(
            to..<to + picture.size.width, with: picture.pixels[from..<from + picture.size.width])
        }
        left += picture.size.width + gap
      }
      top += (row.map(\.size.height).max() ?? 0) + gap
    }
    return sheet
  }

  /// The bytes of the file that `write` writes to a path; where pictures are asked for, it stays there as `name`.
  private func bytes(_ name: String, _ write: (String) throws -> Bool) throws -> Data {
    let path =
      Self.folder.map { "\($0)/\(name)" } ?? "\(FileManager.default.temporaryDirectory.path)/\(getpid())-\(name)"
    defer { if Self.folder == nil { try? FileManager.default.removeItem(atPath: path) } }
    try #require(try write(path), "\(path) can't be written")
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Expects that the file `name` in docs/ is what is drawn today, unless `./dev picture` is drawing it. `isSame` gets its path.
  private func expectKept(_ name: String, _ isSame: (String) throws -> Bool) throws {
    guard Self.folder == nil else { return }
    // As one Boolean: a difference of megabytes takes minutes to list.
    let isKept = try isSame(Self.documents.appendingPathComponent(name).path)
    #expect(isKept, "docs/\(name) is not what is drawn today; ./dev picture draws it again")
  }

  @Test func `the picture of a drive and the sheet of sizes are the same every time, and those of the documents`()
    throws
  {
    let opaque = { (picture: Snapshot, path: String) in
      var copy = picture
      return copy.withBuffer { PNG.write($0, to: path, isOpaque: true) }
    }
    let makes: [(String, () -> Snapshot)] = [
      ("cockpit.png", { driving(Size(width: 1280, height: 720)) }), ("cockpit-sizes.png", { sheet() }),
    ]
    for (name, make) in makes {
      let first = try bytes(name) { opaque(make(), $0) }
      let second = try bytes(name) { opaque(make(), $0) }
      #expect(first == second, "\(name)")
      // By pixels: a library's other version may compress them differently.
      try expectKept(name) { Snapshot.read($0) == make() }
    }
  }

  @Test
  func `the film of two fingers is the same every time and that of the documents, shows a drive, and is small enough`()
    throws
  {
    defer { (Language.current, FontLibrary.shared) = (.english, ControlHarness.fonts) }
    FontLibrary.shared = ControlHarness.screenFonts
    let session = try RecordedSession(contentsOf: Self.session)
    var part = session
    part.events.removeAll { $0.time > session.header.start + .seconds(2) }
    let (first, second) = (try Film(part).animation, try Film(part).animation)
    #expect(try bytes("cockpit-drive.png", first.write) == bytes("cockpit-drive.png", second.write))
    let whole = try bytes("cockpit-drive.png", Film(session).animation.write)
    #expect(whole.count < 1_500_000, "\(whole.count) bytes")
    try expectKept("cockpit-drive.png") { try Data(contentsOf: URL(fileURLWithPath: $0)) == whole }
    // The fingers of the session still find what they drive.
    let replayer = try Replayer(session, name: "two fingers")
    var (fastest, widest) = (0.0, 0.0)
    replayer.begin()
    while replayer.nextTime != nil {
      replayer.playNext()
      fastest = max(fastest, replayer.scene.cluster.speedometer.speed)
      widest = max(widest, abs(replayer.scene.wheel.angle))
    }
    #expect(fastest > 20 && widest > 30, "\(fastest) km/h, \(widest) degrees")
  }
}

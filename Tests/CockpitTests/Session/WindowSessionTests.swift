import CockpitControls
import ControlHarness
import Controls
import DriveLink
import Glibc
import Linux
import Shell
import Stage
import TestSupport
import Testing
import UICore

@testable import cockpit

/// Tests of the program's own window: its requests to the compositor, and the wiring of a drive in it.
@MainActor @Suite(.serialized) struct WindowSessionTests {
  private let stage = Stage(globals: .everything)
  private let scene = CockpitScene()

  init() {
    FontLibrary.shared = ControlHarness.fonts
    stage.onViolation = { Issue.record("\($0)") }
  }

  /// The session that `options` begin, its window shown.
  private func open(_ change: (inout Options) -> Void = { _ in }) throws -> (WindowSession, Application) {
    var options = Options()
    options.size = Size(width: 480, height: 320)
    options.showsBeacon = false
    // Nothing of the desktop's: that waits for a window without an end.
    options.frames = 1_000_000
    change(&options)
    scene.apply(options)
    let application = try Application(clock: stage.clock) { stage.connectClient() }
    let session = try WindowSession(
      scene: scene, options: options, application: application, witness: { PlayedWitness($0) })
    try session.open()
    for _ in 0..<4 { refresh(application) }
    return (session, application)
  }

  private func refresh(_ application: Application) {
    stage.nextRefresh()
    for _ in 0..<8 {
      try? application.step()
      stage.step()
      stage.clock.advance(by: stage.refreshInterval / 10)
    }
  }

  private func end(_ session: WindowSession, _ application: Application) {
    application.closeAll()
    try? application.step()
    stage.step()
    session.drive?.end()
    _ = stage.finish()
  }

  @Test func `behaviour 34: the window's identifier is the base name of the desktop file, which says so too`() throws {
    let (session, application) = try open()
    let name = try #require(stage.toplevel.appID)
    #expect(name == WindowSession.applicationID)
    #expect(name.split(separator: ".").count >= 3, "a reversed domain")
    let folder = "\(#filePath.components(upTo: "/Tests/CockpitTests/"))/share/applications"
    #expect(FileReader.names(in: folder).filter { !$0.hasPrefix(".") } == ["\(name).desktop"])
    let bytes = try FileReader.bytes(of: "\(folder)/\(name).desktop", atMost: 1 << 16)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "[Desktop Entry]" && lines.contains("Type=Application"))
    #expect(lines.contains("Exec=cockpit-wayland") && lines.contains("StartupWMClass=\(name)"))
    // The same for every window of the program.
    #expect(WindowSession.window(titled: "x", Options()).applicationID == name)
    end(session, application)
  }

  @Test func `G7: no bars when fullscreen, which --fullscreen and F11 ask for; any orientation is composed on purpose`()
    throws
  {
    let (session, application) = try open { $0.isFullscreen = true }
    let toplevel = stage.toplevel
    #expect(toplevel.requests.last == .fullscreen(true))
    toplevel.configure(1280, 720, [.activated, .fullscreen])
    stage.seat.keyboardEnter()
    refresh(application)
    for isFullscreen in [false, true] {
      stage.seat.key(StageKeymap.Code.f11, true)
      stage.seat.key(StageKeymap.Code.f11, false)
      refresh(application)
      #expect(toplevel.requests.last == .fullscreen(isFullscreen))
      toplevel.configure(
        isFullscreen ? 1280 : 480, isFullscreen ? 720 : 320, isFullscreen ? [.fullscreen] : [.activated])
      refresh(application)
    }
    end(session, application)
    // Lying, the instruments stand between lever and wheel; upright above both. Every part is whole in both.
    for (width, height) in [(1280.0, 800.0), (800.0, 1280.0), (480, 320), (320, 480)] {
      let layout = CockpitLayout(size: Size(width: width, height: height))
      if width > height {
        #expect(layout.gearbox.maxX < layout.cluster.minX && layout.cluster.maxX < layout.wheel.minX)
      } else {
        #expect(layout.cluster.maxY < layout.gearbox.minY && layout.cluster.maxY < layout.wheel.minY)
      }
    }
  }

  @Test(arguments: [true, false])
  func `a low battery rings the desktop's bell, unless the vehicle's file wants no sound`(sounds: Bool) throws {
    let path = "/tmp/cockpit-bell-\(getpid())"
    let listener = try listen(at: path)
    defer {
      close(listener)
      unlink(path)
    }
    let text = "{\"version\":1,\"name\":\"Car\",\"battery\":{\"alarm\":0.4,\"sound\":\(sounds)}}"
    let file = try VehicleFile(Array(text.utf8), path: "car.json")
    let (session, application) = try open {
      $0.receiver = .unix(path: path)
      $0.vehicleFile = file
    }
    let display = try #require(session.assembly.telemetry)
    display.show(try #require(Telemetry(line: Array("{\"battery\":0.3}".utf8))))
    refresh(application)
    #expect(stage.bells.count == (sounds ? 1 : 0) && stage.bells.allSatisfy { $0 === stage.toplevel.surface })
    end(session, application)
  }

  @Test func `a drive whose screen shows another gear is stopped: the watch is wired`() throws {
    let path = "/tmp/cockpit-watch-\(getpid())"
    let listener = try listen(at: path)
    defer {
      close(listener)
      unlink(path)
    }
    let (session, application) = try open { $0.receiver = .unix(path: path) }
    let consumer = try takeFirstLine(listener)
    defer { close(consumer) }
    let drive = try #require(session.drive)
    let lever = [scene.lever(.neutral), scene.lever(.forward(4))]
    stage.seat.touchDown(1, lever[0].x, lever[0].y)
    stage.seat.touchFrame()
    refresh(application)
    stage.seat.touchMotion(1, lever[1].x, lever[1].y)
    stage.seat.touchFrame()
    for _ in 0..<10 { refresh(application) }
    #expect(drive.output.stream.line.state == .driving && drive.output.stream.line.command.gear == 4)
    scene.cluster.speedometer.gear = "9"
    for _ in 0..<6 { refresh(application) }
    #expect(drive.output.stream.line.state == .safe && drive.output.stream.line.reason == .displayFault)
    #expect(scene.lossDisplay?.banner.notice?.reason == .displayFault, "and the driver is told")
    end(session, application)
  }

  @Test(arguments: [true, false])
  func `the record of a live drive replays to the same lines, whether a consumer came or not`(isConsumed: Bool) throws {
    let path = "/tmp/cockpit-live-\(getpid())-\(isConsumed)"
    let record = "\(path).jsonl"
    let listener = isConsumed ? try listen(at: path) : -1
    defer {
      close(listener)
      unlink(path)
      unlink(record)
    }
    // The stage's clock says that the machine runs for long.
    stage.clock.advance(by: .seconds(100_000))
    let (session, application) = try open {
      ($0.receiver, $0.record) = (.unix(path: path), record)
    }
    let consumer = isConsumed ? try takeFirstLine(listener) : -1
    defer { close(consumer) }
    let drive = try #require(session.drive)
    var lines = [drive.output.stream.line]
    drive.output.onLine = { lines.append($0) }
    refresh(application)
    for (phase, gear) in [(true, Gear.neutral), (false, .forward(4))] {
      let place = scene.lever(gear)
      if phase { stage.seat.touchDown(1, place.x, place.y) } else { stage.seat.touchMotion(1, place.x, place.y) }
      stage.seat.touchFrame()
      for _ in 0..<10 { refresh(application) }
    }
    #expect(lines.contains { $0.reason == .linkLost } != isConsumed)
    stage.seat.touchUp(1)
    stage.seat.touchFrame()
    for _ in 0..<5 { refresh(application) }
    end(session, application)
    let text = String(decoding: try FileReader.bytes(of: record, atMost: 1 << 24), as: UTF8.self)
    #expect(!text.contains("{\"t\":-"), "no event is before the start")
    let replayer = try Replayer(RecordedSession(contentsOf: record), name: "record")
    var replayed: [DriveStream.Line] = []
    replayer.onLine = { replayed.append($0) }
    replayer.playAll()
    #expect(lines.count > 5)
    let odd = zip(replayed, lines).first { $0 != $1 }
    #expect(
      odd == nil && replayed.count == lines.count, "\(replayed.count) and \(lines.count), \(odd.map { "\($0)" } ?? "")")
  }

  @Test func `a scene that is dropped on the window is shown, and a mistake in it is told where the person looks`()
    throws
  {
    let (session, application) = try open()
    let path = "/tmp/cockpit-drop-\(getpid()).json"
    defer { unlink(path) }
    func drop(_ scene: String) throws {
      let file = fopen(path, "w")
      fputs(scene, file)
      fclose(file)
      let drag = try #require(stage.dragElsewhere("file://\(path)\r\n", as: "text/uri-list"))
      refresh(application)
      #expect(drag.accepted == "text/uri-list")
      drag.drop()
      for _ in 0..<4 { refresh(application) }
      #expect(drag.isFinished)
    }
    try drop(#"{"type": "Horn", "name": "alone"}"#)
    #expect(scene.content.subviews.map(\.name) == ["alone"] && stage.toplevel.title == Language.current.title)
    try drop(#"{"type": "Hron", "name": "other"}"#)
    #expect(scene.content.subviews.map(\.name) == ["alone"])
    #expect(stage.toplevel.title == #"\#(path):1:10: type: unknown type "Hron"; did you mean "Horn"?"#)
    try drop(#"{"type": "SteeringWheel", "name": "other"}"#)
    #expect(scene.content.subviews.map(\.name) == ["other"] && stage.toplevel.title == Language.current.title)
    end(session, application)
  }

  @Test func `a heavy scene that is dropped while a finger drives waits until it is lifted`() throws {
    let path = "/tmp/cockpit-heavy-\(getpid())"
    let listener = try listen(at: path)
    defer {
      close(listener)
      unlink(path)
      unlink(path + ".json")
    }
    let (session, application) = try open { $0.receiver = .unix(path: path) }
    let consumer = try takeFirstLine(listener)
    defer { close(consumer) }
    let drive = try #require(session.drive)
    let lever = [scene.lever(.neutral), scene.lever(.forward(4))]
    stage.seat.touchDown(1, lever[0].x, lever[0].y)
    stage.seat.touchFrame()
    refresh(application)
    stage.seat.touchMotion(1, lever[1].x, lever[1].y)
    stage.seat.touchFrame()
    refresh(application)
    #expect(drive.output.stream.line.state == .driving)
    let views = [String](repeating: "{\"type\": \"View\"}", count: SceneGate.mostViews).joined(separator: ", ")
    let file = fopen(path + ".json", "w")
    fputs("{\"type\": \"View\", \"name\": \"heavy\", \"subviews\": [\(views)]}", file)
    fclose(file)
    let drag = try #require(stage.dragElsewhere("file://\(path).json\r\n", as: "text/uri-list"))
    refresh(application)
    drag.drop()
    for _ in 0..<6 { refresh(application) }
    #expect(scene.content.scene?.name != "heavy" && drive.output.stream.line.state == .driving)
    stage.seat.touchUp(1)
    stage.seat.touchFrame()
    for _ in 0..<3 { refresh(application) }
    #expect(scene.content.scene?.name == "heavy" && drive.output.stream.line.command == .neutral)
    end(session, application)
  }

  @Test func `a replay finds the pictures of a scene, and of one that was dropped, where they were`() throws {
    let folder = try TemporaryFolder()
    for place in ["one", "two"] {
      mkdir("\(folder.path)/\(place)", 0o700)
      #expect(
        Snapshot(garbage: PixelSize(width: 8, height: 8), seed: 1).write(to: "\(folder.path)/\(place)/\(place).png"))
      let file = fopen("\(folder.path)/\(place)/scene.json", "w")
      fputs("{\"type\": \"ImageView\", \"name\": \"\(place)\", \"imageFile\": \"\(place).png\"}", file)
      fclose(file)
    }
    let record = folder.path + "/record.jsonl"
    let (session, application) = try open { ($0.scene, $0.record) = (folder.path + "/one/scene.json", record) }
    let drag = try #require(stage.dragElsewhere("file://\(folder.path)/two/scene.json\r\n", as: "text/uri-list"))
    refresh(application)
    drag.drop()
    for _ in 0..<4 { refresh(application) }
    #expect(scene.content.scene?.name == "two" && scene.content.pictureErrors.isEmpty)
    end(session, application)
    let replayer = try Replayer(RecordedSession(contentsOf: record), name: record)
    #expect(replayer.scene.content.scene?.name == "one" && replayer.scene.content.pictureErrors.isEmpty)
    replayer.playAll()
    #expect(replayer.scene.content.scene?.name == "two" && replayer.scene.content.pictureErrors.isEmpty)
  }

  @Test func `what is dropped and is no file of this machine is told in the window's title, and the scene stays`()
    throws
  {
    let (session, application) = try open()
    let before = scene.content.scene
    let drag = try #require(stage.dragElsewhere("file://elsewhere.example/a.json\r\n", as: "text/uri-list"))
    refresh(application)
    drag.drop()
    for _ in 0..<4 { refresh(application) }
    #expect(
      stage.toplevels.first?.title?.contains("elsewhere.example") == true, "\(stage.toplevels.first?.title ?? "")")
    #expect(scene.content.scene === before)
    end(session, application)
  }

  @Test func `without a drive nobody looks, and nothing is commanded`() throws {
    let (session, application) = try open()
    #expect(session.drive == nil)
    scene.cluster.speedometer.gear = "9"
    for _ in 0..<6 { refresh(application) }
    #expect(scene.lossDisplay == nil)
    end(session, application)
  }
}

extension String {
  /// The text before `mark`.
  fileprivate func components(upTo mark: String) -> String {
    var rest = self[...]
    while !rest.isEmpty, !rest.hasSuffix(mark) { rest.removeLast() }
    return String(rest.dropLast(mark.count))
  }
}

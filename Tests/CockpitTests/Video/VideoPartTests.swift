import Controls
import DriveLink
import JSON
import Shell
import Stage
import Testing
import UICore
import VideoLink

@testable import cockpit

/// A camera's picture in a drive: where it is seen, and how its age ends the drive.
@MainActor @Suite(.serialized) struct VideoPartTests {
  /// A desk whose picture lives and whose lever is held in gear 5.
  private func driving(_ cameras: String = "test", mode: VideoMode = .full) throws -> VideoDesk {
    let video = try VideoDesk(cameras, mode: mode)
    try video.feed?.begin()
    video.watch(200)
    video.desk.takeLever(to: .forward(5))
    video.watch(100)
    try #require(video.line.state == .driving && video.line.command.gear == 5)
    return video
  }

  /// A press of the key v.
  private func press(_ video: VideoDesk) {
    for phase in [KeyEvent.Phase.down, .up] {
      video.desk.relay.handle(
        .key(
          KeyEvent(
            seat: SeatID(1), phase: phase, key: .character("v"), text: "v", modifiers: [],
            time: video.desk.stage.clock.now)))
    }
    video.desk.settle()
  }

  /// What may happen to a picture, a step for each refresh.
  enum Fault: CaseIterable {
    case freeze, repeats, undecodable, ended, helperEnds, helperLies, noSlots, lateStamps
  }

  @Test(arguments: Fault.allCases)
  func `whatever keeps the picture from living ends the drive within the limit, and nothing but a new touch resumes it`(
    fault: Fault
  ) throws {
    let video = try driving()
    let feed = try #require(video.feed)
    let wall = Int64(1_795_000_000_000_000_000)
    feed.picture()
    let last = video.desk.stage.clock.now
    if fault == .helperEnds { feed.onEnd?() }
    if fault == .ended { feed.say(.ended) }
    if fault == .lateStamps {
      for _ in 0..<3 { feed.picture(stamp: VideoStamp(.steady, nanoseconds: video.desk.stage.clock.now.nanoseconds)) }
    }
    let time = video.timeToLoss {
      switch fault {
      case .freeze, .ended, .helperEnds: break
      case .repeats: feed.picture(isRepeat: true)
      case .undecodable:
        feed.say(.undecodable)
        feed.report(nil)
      case .helperLies: feed.report(0)
      case .noSlots: feed.report(nil)
      case .lateStamps:
        // Each picture is later than the one before by three quarters of the time between them.
        let passed = (video.desk.stage.clock.now - last).inNanoseconds
        feed.picture(stamp: VideoStamp(.steady, nanoseconds: last.nanoseconds + passed / 4))
      }
    }
    _ = wall
    let within: Duration = fault == .lateStamps ? .milliseconds(400 * 4 / 3 + 55) : .milliseconds(405)
    #expect(time.map { $0 <= within } == true, "\(fault): \(String(describing: time))")
    #expect(video.line.reason == .videoStale && video.line.command == .neutral)
    #expect(video.desk.scene.gearbox.gear == .neutral)
    // A picture lives again: the finger that still rests there commands nothing.
    if video.feed?.isEnded == true || fault == .helperEnds { video.desk.pass(.milliseconds(1200)) }
    let next = try #require(video.feed)
    if next !== feed { try next.begin() } else if fault == .helperLies { try next.begin(id: 2) }
    if fault == .lateStamps { next.say(.connecting) }
    video.watch(300)
    video.desk.move(1, to: video.desk.scene.lever(.forward(3)))
    #expect(video.line.state == .safe)
    video.desk.lift(1)
    video.watch(100)
    video.desk.takeLever(to: .forward(2))
    video.watch(100)
    #expect(video.line.state == .driving && video.line.command.gear == 2, "\(fault)")
    video.desk.end()
  }

  @Test func `before the first picture nothing is driven, and each touch says why`() throws {
    let video = try VideoDesk()
    video.desk.takeLever(to: .forward(5))
    #expect(video.desk.lines.allSatisfy { $0.command.gear == 0 && $0.command.throttle == 0 })
    #expect(video.line.state == .safe && video.line.reason == .videoStale)
    #expect(video.desk.scene.lossDisplay?.banner.notice?.reason == .videoStale)
    #expect(video.desk.scene.video.notice?.state == .lost)
    video.desk.end()
  }

  /// A finished tap leaves the lever in gear there: no line may say it.
  @Test func `a tap without the dead-man's switch drives nothing without a picture`() throws {
    let video = try VideoDesk(isDeadMan: false)
    let place = video.desk.scene.lever(.forward(3))
    video.desk.stage.seat.touchDown(1, place.x, place.y)
    video.desk.stage.seat.touchUp(1)
    video.desk.stage.seat.touchFrame()
    video.desk.pass(.milliseconds(200))
    #expect(video.desk.lines.allSatisfy { $0.command.gear == 0 } && video.line.reason == .videoStale)
    #expect(video.desk.scene.gearbox.gear == .neutral)
    video.desk.end()
  }

  @Test func `a picture that is old while nothing is driven is no loss, and is told`() throws {
    let video = try VideoDesk()
    try video.feed?.begin()
    video.watch(200)
    let before = video.line
    video.desk.pass(.seconds(2))
    #expect(video.line.reason == before.reason && video.line.state == .ready)
    #expect(video.desk.scene.video.notice?.state == .stale)
    #expect(video.desk.scene.video.notice?.age.map { 1800...2300 ~= $0 } == true)
    video.desk.end()
  }

  @Test func `without a camera nothing is asked, shown or lost`() throws {
    let desk = try DriveDesk()
    desk.takeLever(to: .forward(5))
    desk.pass(.seconds(3))
    #expect(desk.line.state == .driving && desk.scene.video.root == nil && desk.scene.isOpaque)
    #expect(desk.stage.toplevel.surface.subsurfaces.isEmpty)
    desk.end()
  }

  // MARK: The screen

  @Test func `the picture is seen where no control is, below the controls, and moves with no frame of the window`()
    throws
  {
    let video = try VideoDesk()
    try video.feed?.begin(480, 320)
    video.watch(300, colour: 0xff12_3456)
    let surface = video.desk.stage.toplevel.surface
    let shot = try #require(video.desk.stage.screenshot(of: surface))
    let place = video.desk.scene.video.freeArea.center
    #expect(shot.pixels[Int(place.y) * shot.size.width + Int(place.x)] == 0xff12_3456)
    let gate = video.desk.scene.gearbox.windowFrame.center
    #expect(shot.pixels[Int(gate.y) * shot.size.width + Int(gate.x)] != 0xff12_3456)
    #expect(shot.pixels.allSatisfy { $0 >> 24 == 0xff }, "nothing of the desktop is seen")
    #expect(!video.desk.scene.isOpaque && surface.subsurfaces.count == 1)
    surface.forgetCommits()
    video.feed?.picture(0xff65_4321)
    video.desk.settle()
    let next = try #require(video.desk.stage.screenshot(of: surface))
    #expect(next.pixels[Int(place.y) * next.size.width + Int(place.x)] == 0xff65_4321 && surface.commits.isEmpty)
    video.desk.end()
  }

  @Test(arguments: [
    PixelSize(width: 100, height: 320), PixelSize(width: 640, height: 100), PixelSize(width: 1, height: 1),
  ])
  func `a picture of another shape keeps it, between black bars`(size: PixelSize) throws {
    let video = try VideoDesk()
    try video.feed?.begin(size.width, size.height)
    video.watch(300, colour: 0xff12_3456)
    let frame = video.desk.scene.video.pictureFrame
    let shape = Double(size.width) / Double(size.height)
    #expect(abs(frame.width / frame.height - shape) / shape < 0.05)
    let shot = try #require(video.desk.stage.screenshot(of: video.desk.stage.toplevel.surface))
    #expect(shot.pixels.allSatisfy { $0 >> 24 == 0xff })
    video.desk.end()
  }

  /// What the witness reads is the window's own pixels: they must say the same over any picture.
  @Test(
    arguments: [Size(width: 480, height: 320), Size(width: 820, height: 400), Size(width: 400, height: 700)],
    [false, true])
  func `everything that must be read stands on opaque pixels`(size: Size, isLight: Bool) throws {
    let video = try VideoDesk()
    let scene = video.desk.scene
    scene.theme = isLight ? .light : .dark
    video.desk.stage.toplevel.configure(Int(size.width), Int(size.height), [.maximized])
    try video.feed?.begin(480, 320)
    video.watch(400)
    let picture = try #require(video.desk.stage.toplevel.surface.buffer?.picture())
    var areas = scene.cluster.areasInSight
    areas.append(scene.gearbox.windowFrame.insetBy(dx: 12, dy: 12))
    for area in areas {
      // The corners of a lamp are round.
      let inside = area.insetBy(dx: min(area.width, area.height) * 0.3, dy: min(area.width, area.height) * 0.16)
      for y in Int(inside.minY.rounded(.up))..<Int(inside.maxY) {
        for x in Int(inside.minX.rounded(.up))..<Int(inside.maxX) where picture.pixel(x: x, y: y) >> 24 != 0xff {
          Issue.record("clear at \(x), \(y) of \(area)")
          return
        }
      }
    }
    video.desk.end()
  }

  @Test func `inset, it lies in its corner before the background, and off, it is gone`() throws {
    let video = try VideoDesk(mode: .inset)
    try video.feed?.begin()
    video.watch(300, colour: 0xff12_3456)
    let scene = video.desk.scene
    let place = scene.video.convert(scene.video.pictureFrame, to: nil)
    let shot = try #require(video.desk.stage.screenshot(of: video.desk.stage.toplevel.surface))
    let middle = Int(place.midY) * shot.size.width + Int(place.midX)
    #expect(shot.pixels[middle] == 0xff12_3456 && place.width < 300)
    press(video)
    video.desk.pass(.milliseconds(100))
    #expect(scene.videoMode == .off && scene.video.root == nil && scene.isOpaque)
    #expect(video.feed?.isEnded == true)
    #expect(video.desk.stage.toplevel.surface.subsurfaces.allSatisfy { !$0.surface.isMapped })
    // Nobody looks at a picture now, so none can be missing.
    video.desk.takeLever(to: .forward(3))
    video.desk.pass(.seconds(2))
    #expect(video.line.state == .driving)
    video.desk.lift(1)
    press(video)
    video.desk.pass(.milliseconds(100))
    #expect(scene.videoMode == .full && video.feeds.count == 2)
    try video.feed?.begin()
    video.watch(200)
    #expect(scene.video.notice?.state == .live)
    video.desk.end()
  }

  @Test(
    arguments: [Size(width: 1280, height: 720), Size(width: 600, height: 900), Size(width: 480, height: 320)],
    [VideoMode.full, .inset])
  func `the notice of a loss, the picture's button and an inset picture do not cover each other`(
    size: Size, mode: VideoMode
  ) throws {
    let video = try VideoDesk(mode: mode)
    let scene = video.desk.scene
    video.desk.stage.toplevel.configure(Int(size.width), Int(size.height), [.maximized])
    try video.feed?.begin(640, 360)
    video.watch(300)
    let place = scene.lever(.forward(5))
    video.desk.stage.seat.touchDown(1, place.x, place.y)
    video.desk.stage.seat.touchFrame()
    video.watch(100)
    video.desk.pass(.seconds(1))
    let banner = try #require(scene.lossDisplay?.banner)
    let button = try #require(scene.videoButton)
    #expect(banner.notice?.reason == .videoStale && !button.isHidden)
    #expect(!button.windowFrame.intersects(banner.windowFrame))
    let picture = scene.video.convert(scene.video.pictureFrame, to: nil)
    if mode == .inset {
      #expect(!picture.intersects(banner.windowFrame) && !picture.intersects(button.windowFrame))
      #expect(picture.width >= 56)
    } else {
      let figures = scene.video.convert(scene.video.freeArea, to: nil)
      #expect(!figures.intersects(banner.windowFrame) && !figures.intersects(button.windowFrame))
    }
    video.desk.end()
  }

  @Test func `while something is driven the key does not take the picture away`() throws {
    let video = try driving()
    for _ in 0..<6 {
      press(video)
      video.watch(66)
      #expect(video.desk.scene.videoMode != .off && video.desk.scene.video.notice?.state == .live)
    }
    #expect(video.line.state == .driving)
    video.desk.end()
  }

  // MARK: Cameras and windows

  @Test func `the next camera's slots are its own, and a picture that does not come in time is a loss`() throws {
    let video = try driving("front=test rear=http://127.0.0.1/")
    video.desk.stage.releasePolicy = .whenReplaced
    video.watch(100)
    video.part?.chooseNext()
    #expect(video.feeds.count == 2 && video.feeds[0].isEnded && video.feed?.choice.name == "rear")
    // The same number of a ring, while the compositor still holds a slot of the other camera.
    try video.feed?.begin()
    video.watch(300)
    #expect(video.line.state == .driving && video.desk.scene.video.notice?.camera == "rear")
    video.part?.chooseNext()
    #expect(video.timeToLoss().map { $0 <= .milliseconds(440) } == true)
    video.desk.end()
  }

  @Test func `a size that changes brings new memory, and the slots of the old one go by themselves`() throws {
    let video = try driving()
    for round in 2...6 {
      try video.feed?.begin(40 + round * 8, 30, id: UInt32(round))
      video.watch(150)
    }
    #expect(video.line.state == .driving && video.desk.scene.video.pictureSize?.width == 88)
    video.desk.end()
  }

  @Test func `memory that may shrink is not shown, and its helper is replaced`() throws {
    let video = try VideoDesk()
    try video.feed?.begin(isSealed: false)
    #expect(video.feeds[0].isEnded && !video.desk.scene.video.isSeenThrough)
    video.desk.pass(.milliseconds(1100))
    #expect(video.feeds.count == 2)
    video.desk.end()
  }

  @Test func `a helper that says nothing is replaced, sooner once it has shown a picture`() throws {
    let video = try VideoDesk()
    video.desk.pass(.milliseconds(14_500))
    #expect(video.feeds.count == 1 && !video.feeds[0].isEnded)
    video.desk.pass(.milliseconds(1700))
    #expect(video.feeds.count == 2 && video.feeds[0].isEnded)
    try video.feed?.begin()
    video.watch(200)
    video.desk.pass(.milliseconds(2500))
    #expect(video.feeds.count == 2)
    video.desk.pass(.milliseconds(1700))
    #expect(video.feeds.count == 3 && video.feeds[1].isEnded)
    video.desk.end()
  }

  @Test func `after the compositor is lost the next window shows the picture, with every slot of the helper's`() throws
  {
    let video = try VideoDesk()
    try video.feed?.begin()
    video.watch(200)
    video.desk.toleratesEnd = true
    video.desk.stage.clients.last?.hangUp()
    video.desk.pass(.milliseconds(600))
    video.watch(300)
    #expect(video.desk.scene.video.notice?.state == .live && video.desk.scene.video.isSeenThrough)
    #expect(video.feeds.count == 1 && (video.feed?.free.count ?? 0) >= 2)
    let shot = try #require(video.desk.stage.screenshot(of: video.desk.stage.toplevel.surface))
    let place = video.desk.scene.video.freeArea.center
    #expect(shot.pixels[Int(place.y) * shot.size.width + Int(place.x)] == 0xff33_6699)
    video.desk.end()
  }

  @Test func `a compositor without subsurfaces shows no picture, and nothing is driven by none`() throws {
    var globals = StageGlobals.everything
    globals.subcompositor = nil
    let video = try VideoDesk(stage: Stage(globals: globals))
    try video.feed?.begin()
    video.watch(200)
    #expect(!video.desk.scene.video.isSeenThrough && video.feed?.free.count == 4)
    video.desk.takeLever(to: .forward(5))
    #expect(video.line.state == .safe && video.line.reason == .videoStale)
    video.desk.end()
  }

  @Test func `without viewports the helper is asked for pictures of the right size, once`() throws {
    var globals = StageGlobals.everything
    globals.viewporter = nil
    let video = try VideoDesk(stage: Stage(globals: globals))
    try video.feed?.begin(480, 320)
    video.watch(300)
    let limits = video.feed?.requests.compactMap { if case .limit(let w, let h, _) = $0 { [w, h] } else { nil } }
    #expect(limits == [[480, 320]])
    video.desk.end()
  }

  @Test func `in a hidden window nothing is fetched after ten seconds, and who comes back drives by a new picture`()
    throws
  {
    let video = try driving()
    let window = video.desk.stage.toplevel
    window.suspend()
    video.watch(5000)
    #expect(video.line.reason == .hidden && video.feed?.isEnded == false)
    window.resume()
    video.desk.lift(1)
    video.watch(200)
    #expect(video.desk.scene.video.notice?.state == .live && video.feeds.count == 1, "a short look elsewhere")
    window.suspend()
    video.watch(10_500)
    #expect(video.feed?.isEnded == true && video.desk.scene.video.notice?.state == .lost)
    video.desk.forgetLines()
    video.desk.pass(.seconds(60))
    #expect(video.feeds.count == 1)
    window.resume()
    video.desk.pass(.milliseconds(100))
    #expect(video.feeds.count == 2)
    #expect(video.desk.lines.allSatisfy { $0.reason != .videoStale }, "nobody holds anything")
    video.desk.takeLever(to: .forward(3))
    #expect(video.line.state == .safe && video.line.command.gear == 0, "no picture has come yet")
    video.desk.lift(1)
    try video.feed?.begin()
    video.watch(200)
    video.desk.takeLever(to: .forward(3))
    #expect(video.line.state == .driving && video.line.command.gear == 3)
    video.desk.end()
  }

  // MARK: Rest and records

  @Test func `a source that never shows anything wakes nobody`() throws {
    let video = try VideoDesk()
    video.feed?.say(.connecting)
    video.desk.pass(.seconds(2))
    let commits = video.desk.stage.toplevel.surface.commits.count
    video.desk.pass(.seconds(20))
    #expect(video.desk.stage.toplevel.surface.commits.count == commits)
    video.desk.end()
  }

  @Test func `what records keep of a picture is read back as it was`() throws {
    let start = MonotonicTime(nanoseconds: 5_000_000_000)
    var notice = VideoNotice(state: .stale, age: 1200)
    (notice.isAgeKnown, notice.framesPerSecond, notice.link, notice.camera) = (true, 29, 12, "rear")
    let frame = VideoFrame(
      ring: 0, slot: nil, number: 7, arrival: start.nanoseconds + 33, isRepeat: true,
      stamp: VideoStamp(.wall, nanoseconds: .max), encodedBytes: 12_345, decodeTime: 77)
    for event: SessionEvent in [
      .video(nil), .video(VideoNotice(state: .lost)), .video(notice), .videoFrame(frame),
      .videoFrame(VideoFrame(ring: 0, slot: nil, number: 1, arrival: start.nanoseconds, encodedBytes: 0)),
    ] {
      let line = try JSONValue(Array("{\(event.fields(since: start))}".utf8), .line)
      #expect(SessionEvent.read(line, since: start) == event)
    }
    // Whatever a helper says, the record can be read.
    let wild = VideoFrame(
      ring: .max, slot: nil, number: .max, arrival: .min, stamp: VideoStamp(.steady, nanoseconds: .min),
      encodedBytes: .max, decodeTime: .max)
    let line = try JSONValue(Array("{\(SessionEvent.videoFrame(wild).fields(since: start))}".utf8), .line)
    #expect(SessionEvent.read(line, since: start) != nil)
    for bad in [
      #""video":[]"#, #""video":["live",1,true,2,3]"#, #""video":["odd",1,true,2,3,""]"#,
      #""video":["live",-1,true,2,3,""]"#,
      #""video":["live",1e300,true,2,3,""]"#, #""video":["live",1,true,2,3,"a name that is far too long"]"#,
      #""videoFrame":[1,2,3,true]"#, #""videoFrame":[1,1e17,3,true,4]"#, #""videoFrame":[-1,2,3,true,4]"#,
      #""videoFrame":[1,2,3,true,4,9,"1"]"#, #""videoFrame":[1,2,3,true,4,1,"x"]"#,
    ] {
      let line = try JSONValue(Array("{\(bad)}".utf8), .line)
      #expect(SessionEvent.read(line, since: start) == nil, "\(bad)")
    }
  }
}

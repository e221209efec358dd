import CLinux
import Controls
import Glibc
import Linux
import Shell
import Stage
import Testing
import UICore
import VideoLink

@testable import DriveLink
@testable import cockpit

/// What fetches pictures, played by a test: it writes only slots that it may, as the real one does.
final class PlayedFeed: VideoFeed {
  var onReport: ((VideoReport, consuming Descriptor?) -> Void)?
  var onEnd: (() -> Void)?
  let choice: VideoChoice
  private(set) var requests: [VideoRequest] = []
  private(set) var isEnded = false
  private(set) var ring: VideoRing?
  private var file: Descriptor?
  private(set) var free: Set<Int> = []
  private var number: UInt64 = 0
  private let clock: any MonotonicClock

  init(_ choice: VideoChoice, clock: any MonotonicClock) { (self.choice, self.clock) = (choice, clock) }

  func send(_ request: VideoRequest) {
    requests.append(request)
    guard case .release(let id, let slot) = request else { return }
    if id == ring?.id {
      #expect(!free.contains(slot), "slot \(slot) was released twice, or is not this helper's")
      free.insert(slot)
    }
  }

  func end() { isEnded = true }

  /// Connects, with pictures of this size.
  func begin(_ width: Int = 64, _ height: Int = 48, slots: Int = 4, id: UInt32 = 1, isSealed: Bool = true) throws {
    let ring = try #require(VideoRing(id: id, slots: slots, width: width, height: height))
    let made = Descriptor(cockpit_memfd("pictures"))
    guard let made else { throw ShellError.system(operation: "memfd", errno: errno) }
    try #require(ftruncate(made.number, ring.byteCount) == 0)
    if isSealed { try #require(cockpit_seal_size(made.number) == 0) }
    let copy = Descriptor(fcntl(made.number, F_DUPFD_CLOEXEC, 0))
    file = consume made
    (self.ring, free) = (ring, Set(0..<slots))
    onReport?(.source(.receiving, text: ""), nil)
    onReport?(.ring(ring), copy)
  }

  /// A picture of one colour; one that repeats, or for which there is no slot, is not shown. Returns its slot.
  @discardableResult
  func picture(_ colour: UInt32 = 0xff33_6699, isRepeat: Bool = false, stamp: VideoStamp? = nil) -> Int? {
    guard let ring, let number = file?.number else { return nil }
    self.number += 1
    let slot = isRepeat ? nil : free.min()
    if let slot, let offset = ring.offset(ofSlot: slot) {
      free.remove(slot)
      let pixels = [UInt32](repeating: colour, count: ring.width * ring.height)
      _ = pixels.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, offset) }
    }
    report(slot, isRepeat: isRepeat, stamp: stamp)
    return slot
  }

  func report(_ slot: Int?, isRepeat: Bool = false, stamp: VideoStamp? = nil) {
    onReport?(
      .frame(
        VideoFrame(
          ring: ring?.id ?? 0, slot: slot, number: number, arrival: clock.now.nanoseconds, isRepeat: isRepeat,
          stamp: stamp, encodedBytes: 1000)), nil)
  }

  func say(_ state: VideoSourceState) { onReport?(.source(state, text: "played"), nil) }
}

/// A cockpit that drives by a picture, on the stage.
@MainActor final class VideoDesk {
  let desk: DriveDesk
  private(set) var feeds: [PlayedFeed] = []
  private(set) var part: VideoPart?

  var feed: PlayedFeed? { feeds.last }
  var line: DriveStream.Line { desk.line }

  init(
    _ cameras: String = "test", mode: VideoMode = .full, isDeadMan: Bool = true,
    stage: Stage = Stage(globals: .everything),
    prepare: (Stage) -> Void = { _ in }
  ) throws {
    var options = Options()
    options.video = try #require(VideoChoice.read(cameras))
    options.videoView = mode
    prepare(stage)
    weak var own: VideoDesk?
    var made: [PlayedFeed] = []
    var part: VideoPart?
    desk = try DriveDesk(
      stage: stage, isDeadMan: isDeadMan,
      prepare: { desk, _ in
        let video = VideoPart(
          options, scene: desk.scene, output: desk.output, relay: desk.relay, loop: desk.application.loop
        ) { choice in
          let feed = PlayedFeed(choice, clock: desk.stage.clock)
          if let own { own.feeds.append(feed) } else { made.append(feed) }
          return feed
        }
        desk.relay.parts.append(video)
        part = video
      },
      arrange: { scene in
        scene.addVideoButton()
        scene.videoMode = mode
      })
    (self.feeds, self.part) = (made, part)
    own = self
  }

  /// Some time with thirty pictures a second.
  func watch(_ milliseconds: Int, colour: UInt32 = 0xff33_6699) {
    for _ in 0..<max(milliseconds / 33, 1) {
      feed?.picture(colour)
      desk.pass(.milliseconds(33))
    }
  }

  /// How long after now the drive ends, while `each` happens with every refresh; nil if it goes on for three seconds.
  func timeToLoss(_ each: () -> Void = {}) -> Duration? {
    let start = desk.stage.clock.now
    desk.forgetLines()
    while desk.stage.clock.now - start < .seconds(3) {
      each()
      desk.refresh()
      if let end = desk.lines.first(where: { $0.state == .safe }) { return end.time - start }
    }
    return nil
  }
}

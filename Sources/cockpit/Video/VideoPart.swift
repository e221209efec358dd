import Controls
import Glibc
import Linux
import Shell
import UICore
import VideoLink

/// Brings a camera's picture below the scene, and ends the drive when the picture is too old.
///
/// The clocks are here: what fetches the picture only reports. It may hang, stop or lie, and the picture is old all the same.
final class VideoPart: SessionPart {
  /// The time until a helper that ended is replaced.
  static let restartDelay = Duration.seconds(1)
  /// The time after which a helper that says nothing is replaced: its connection may hang, or it itself. Before the first picture a source may
  /// take its time to begin.
  static let patience = (withPictures: Duration.seconds(3), before: Duration.seconds(15))
  /// The time in a hidden window after which nothing is fetched any more; who comes back sooner finds the picture as it was.
  static let hiddenPatience = Duration.seconds(10)
  /// How often the line on the screen changes while the picture lives.
  private static let linePeriod = Duration.seconds(1)

  private let scene: CockpitScene
  private let output: DriveOutput?
  private weak var relay: ContentRelay?
  private let loop: EventLoop
  private let choices: [VideoChoice]
  private let stamps: VideoFreshness.Stamps
  private let start: (VideoChoice) -> (any VideoFeed)?
  private var feed: (any VideoFeed)?
  private(set) var freshness: VideoFreshness
  private var choice = 0
  /// The newest memory of the present helper's pictures, kept for the next window.
  private var memory: Memory?
  /// The number of the latest memory: helpers number theirs from 1, each for itself.
  private var lastMemory: UInt32 = 0
  /// The slots of the newest memory that the helper gave, and has not got back.
  private var outstanding: Set<Int> = []
  /// The size that pictures must have, as the helper was told; nil if the compositor scales them.
  private var limit: PixelSize?
  private weak var window: Window?
  private var underlay: Underlay?
  private var restartTime: MonotonicTime?
  /// When the helper said something last, or was started; nil without one.
  private var lastReport: MonotonicTime?
  /// True once the present helper has sent a picture.
  private var hasPictures = false
  /// Since when the window is hidden; nil while it can be seen.
  private var hidden: MonotonicTime?
  private var noticeTime = MonotonicTime.zero
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in timeCame() }
  private var isEnded = false
  /// How good the way to the vehicle and back is.
  var quality: () -> Int? = { nil }
  /// Called with each complete picture, for the record.
  var onFrame: ((VideoFrame) -> Void)?
  /// Called with the arrival of a picture and the time at which the screen showed it; set it to measure.
  var onPresented: ((VideoFrame, MonotonicTime) -> Void)?
  /// The number of pictures that were given to the compositor.
  private(set) var shownCount = 0

  /// Memory of the present helper's.
  private final class Memory {
    let ring: VideoRing
    /// The number by which the underlay knows it.
    let number: UInt32
    let file: Descriptor

    init(_ ring: VideoRing, number: UInt32, _ file: consuming Descriptor) {
      (self.ring, self.number) = (ring, number)
      self.file = file
    }
  }

  /// Shows the first of `choices`. `start` starts what fetches a choice; nil if that fails.
  init(
    _ options: Options, scene: CockpitScene, output: DriveOutput?, relay: ContentRelay, loop: EventLoop,
    start: @escaping (VideoChoice) -> (any VideoFeed)?
  ) {
    (self.scene, self.output, self.relay, self.loop, self.start) = (scene, output, relay, loop, start)
    (choices, stamps) = (options.video, options.videoStamps)
    freshness = VideoFreshness(limit: options.videoLimit, stamps: options.videoStamps)
    scene.video.onCameraChange = { [unowned self] name in choose(named: name) }
    if !scene.video.camera.isEmpty { choose(named: scene.video.camera) }
    placement = scene.observeLayout { [unowned self] in place() }
    lifecycle = scene.observeLifecycle { [unowned self] event in
      switch event {
      case .didEnterBackground: hidden = hidden ?? loop.clock.now
      case .willEnterForeground: hidden = nil
      default: break
      }
    }
  }
  private var placement: ObservationToken?
  private var lifecycle: ObservationToken?

  // MARK: The window

  func follow(_ window: Window) {
    self.window = window
    limit = nil
    forgetPicture()
    underlay = window.makeUnderlay()
    if let underlay {
      underlay.onRelease = { [weak self] memory, slot in
        guard let self, memory == self.memory?.number else { return }
        release(slot)
      }
      // The compositor of the last window holds no slot any more. (A picture that is still on its way to this program is none of these.)
      for slot in outstanding { release(slot) }
      if let memory { adopt(memory) }
      place()
    } else {
      Log.write(.app, .error, "the compositor offers no wl_subcompositor: no picture can be shown")
    }
    begin()
  }

  private func release(_ slot: Int) {
    guard let memory, outstanding.remove(slot) != nil else { return }
    feed?.send(.release(ring: memory.ring.id, slot: slot))
  }

  private func forgetPicture() {
    (scene.video.isSeenThrough, scene.video.pictureSize) = (false, nil)
  }

  /// Says where the picture is. The window's own content tells by the same frame that it is seen through there.
  private func place() {
    guard let underlay else { return }
    guard scene.showsVideo else {
      scene.video.isSeenThrough = false
      return underlay.hide()
    }
    let video = scene.video
    window?.placeUnderlay(video.convert(video.pictureFrame, to: nil))
    guard !underlay.scales else { return }
    let wanted = PixelSize(width: Int(video.bounds.width), height: Int(video.bounds.height))
    guard wanted != limit, !wanted.isEmpty else { return }
    limit = wanted
    feed?.send(.limit(width: wanted.width, height: wanted.height, framesPerSecond: 0))
  }

  // MARK: The helper

  private func begin() {
    guard !isEnded, scene.videoMode != .off, feed == nil, restartTime == nil, !isPaused else { return update() }
    feed = start(choices[choice])
    guard let feed else {
      restartTime = loop.clock.now + Self.restartDelay * 10
      return update()
    }
    feed.onReport = { [weak self] report, file in self?.take(report, file) }
    feed.onEnd = { [weak self] in self?.helperEnded("cockpit-video has ended") }
    (limit, lastReport, hasPictures) = (nil, loop.clock.now, false)
    place()
    update()
  }

  /// When nothing is fetched any more because nobody sees it; nil while somebody may.
  private var pauseTime: MonotonicTime? { hidden.map { $0 + Self.hiddenPatience } }
  private var isPaused: Bool { pauseTime.map { loop.clock.now >= $0 } ?? false }

  /// When the helper has said nothing for too long; nil without one.
  private var silenceTime: MonotonicTime? {
    lastReport.map { $0 + (hasPictures ? Self.patience.withPictures : Self.patience.before) }
  }

  /// Nobody writes into the memory any more. Its picture stays until another comes, dimmed by its age.
  private func endFeed() {
    feed?.end()
    (feed, memory, lastReport) = (nil, nil, nil)
    outstanding.removeAll()
  }

  private func helperEnded(_ reason: String) {
    Log.write(.app, .error, reason)
    endFeed()
    freshness.noteHelperGone()
    restartTime = loop.clock.now + Self.restartDelay
    update()
  }

  private func stop() {
    endFeed()
    restartTime = nil
    underlay?.hide()
    forgetPicture()
    freshness = VideoFreshness(limit: freshness.limit, stamps: stamps)
  }

  private func take(_ report: VideoReport, _ file: consuming Descriptor?) {
    lastReport = loop.clock.now
    switch report {
    case .ring(let ring):
      guard let file else { return helperEnded("cockpit-video sent no memory") }
      lastMemory &+= 1
      let new = Memory(ring, number: lastMemory, file)
      memory = new
      outstanding.removeAll()
      adopt(new)
    case .frame(let frame): take(frame)
    case .source(let state, let text):
      Log.write(.app, state == .receiving ? .info : .error, "video: \(state) \(text)")
      if state == .refused { Cockpit.complain("video: \(text)") }
      freshness.note(state)
    }
    update()
  }

  private func adopt(_ memory: Memory) {
    guard let underlay else { return }
    let ring = memory.ring
    do throws(ShellError) {
      try underlay.adopt(
        memory.file.number, number: memory.number,
        Underlay.Layout(
          size: PixelSize(width: ring.width, height: ring.height), stride: ring.stride, slotBytes: ring.slotBytes,
          slots: ring.slots))
    } catch { helperEnded("the pictures of cockpit-video cannot be shown: \(error)") }
  }

  private func take(_ frame: VideoFrame) {
    let now = loop.clock.now
    hasPictures = true
    var isShown = false
    if let slot = frame.slot, let memory, frame.ring == memory.ring.id {
      guard outstanding.insert(slot).inserted else { return helperEnded("cockpit-video wrote a picture that is shown") }
      if scene.showsVideo, let underlay {
        scene.video.pictureSize = PixelSize(width: memory.ring.width, height: memory.ring.height)
        place()
        let presented: ((MonotonicTime) -> Void)? = onPresented.map { body in { body(frame, $0) } }
        isShown = underlay.show(slot, presented: presented)
      }
      if isShown {
        shownCount += 1
        scene.video.isSeenThrough = true
      } else {
        release(slot)
      }
    }
    freshness.note(
      frame, isShown: isShown, wall: Self.wall(at: min(MonotonicTime(nanoseconds: frame.arrival), now)), now: now)
    onFrame?(frame)
  }

  /// Nanoseconds since 1970 at a time of CLOCK_MONOTONIC.
  static func wall(at time: MonotonicTime) -> Int64 {
    var (wall, steady) = (timespec(), timespec())
    clock_gettime(CLOCK_REALTIME, &wall)
    clock_gettime(CLOCK_MONOTONIC, &steady)
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    return nanoseconds(wall) &- nanoseconds(steady) &+ time.nanoseconds
  }

  // MARK: Judgement

  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) {
    guard !isEnded else { return }
    if scene.videoMode == .off, feed != nil {
      stop()
      tell(at: time)
    } else if scene.videoMode != .off, feed == nil, restartTime == nil, window != nil, !isPaused {
      begin()
    } else if let time = pauseTime, feed != nil || restartTime != nil, timer.time.map({ $0 > time }) ?? true {
      timer.time = time
    }
  }

  private func timeCame() {
    let now = loop.clock.now
    // Whoever comes back waits for a new picture: what is known of the old one is forgotten, so nothing is driven by it.
    if isPaused { stop() }
    if let time = restartTime, now >= time {
      restartTime = nil
      begin()
    }
    if let time = silenceTime, now >= time { helperEnded("cockpit-video says nothing") }
    update()
  }

  /// Tells the drive and the screen what is known now, and asks to be called when that changes.
  private func update() {
    let now = loop.clock.now
    tell(at: now)
    guard scene.videoMode != .off, !isEnded else { return timer.time = nil }
    var next = restartTime
    // While the picture lives, its own deadline comes first.
    let isLive = freshness.state(at: now) == .live
    func add(_ time: MonotonicTime?) {
      if let time { next = next.map { min($0, time) } ?? time }
    }
    add(isLive ? freshness.deadline.map { $0 + .nanoseconds(1) } : silenceTime)
    if feed != nil || restartTime != nil { add(pauseTime) }
    add(period.map { noticeTime + $0 })
    timer.time = next
  }

  /// How long what the screen says may stay as it is; nil until something arrives.
  private var period: Duration? {
    guard let notice = scene.video.notice else { return nil }
    return notice.state == .live ? Self.linePeriod : notice.figuresPeriod
  }

  private func tell(at now: MonotonicTime) {
    let old = scene.video.notice
    guard scene.videoMode != .off else {
      if old != nil { relay?.record(.video(nil)) { show(nil) } }
      return
    }
    let state = freshness.state(at: now)
    guard state != old?.state || period.map({ now - noticeTime >= $0 }) ?? false else { return }
    noticeTime = now
    var notice = VideoNotice(state: state, age: freshness.age(at: now).map { Int($0.inNanoseconds / 1_000_000) })
    (notice.isAgeKnown, notice.framesPerSecond) = (freshness.knowsAge, freshness.framesPerSecond(at: now))
    (notice.link, notice.camera) = (quality(), choices[choice].name)
    // Nobody reads more than a tenth of a second.
    if state != .live { notice.age = notice.age.map { $0 / 100 * 100 } }
    guard notice != old else { return }
    if state != old?.state { Log.write(.app, .info, "picture: \(state)") }
    relay?.record(.video(notice)) { show(notice) }
  }

  private func show(_ notice: VideoNotice?) { scene.show(notice, output: output) }

  // MARK: For the driver

  /// Shows the next camera. The clocks go on: a picture that does not come in time is too old.
  func chooseNext() { choose((choice + 1) % choices.count) }

  private func choose(named name: String) {
    if let index = choices.firstIndex(where: { $0.name == name }) { choose(index) }
  }

  private func choose(_ index: Int) {
    guard index != choice else { return }
    choice = index
    // Its name is told at once.
    noticeTime = .zero
    guard feed != nil else { return }
    endFeed()
    freshness.note(.connecting)
    begin()
  }

  func end() {
    isEnded = true
    timer.time = nil
    endFeed()
  }
}

extension CockpitScene {
  /// Shows what is known of the picture, and tells it to the drive.
  func show(_ notice: VideoNotice?, output: DriveOutput?) {
    video.notice = notice
    output?.noteSight(notice.map { $0.state == .live } ?? true)
  }
}

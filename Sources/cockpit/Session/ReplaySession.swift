import ControlTools
import Controls
import DriveLink
import Glibc
import Linux
import Shell
import UICore

final class ReplaySession {
  private let options: Options
  private let replayer: Replayer
  private let writer = DriveLineWriter(isReplay: true)
  /// True while standard output has accepted every line.
  private var isOutputOpen = true

  init(path: String, options: Options) throws(SessionError) {
    self.options = options
    let session = try RecordedSession(contentsOf: path)
    // Use the recorded language, so that the texts are the recorded ones.
    if let language = session.header.language { Language.current = language == .chinese ? .chinese : .english }
    if let direction = session.header.direction { Language.direction = direction }
    do { replayer = try Replayer(session, name: path) } catch { throw SessionError(error) }
    replayer.drawsEveryFrame = options.screenshot != nil
    guard options.receiver == .standard else { return }
    replayer.onLine = { [unowned self] in
      writer.write($0)
      isOutputOpen = isOutputOpen && Descriptor.write(writer.bytes, to: STDOUT_FILENO)
    }
  }

  func run() throws(SessionError) {
    if options.screenshot == nil, !options.dumpsTree, !options.hidesWindow {
      try show()
    } else {
      play()
    }
    guard isOutputOpen else {
      throw SessionError("standard output took no more lines: its reader is gone, or its disk is full")
    }
    try SceneRenderer.write(replayer.scene, size: replayer.pixels, options: options)
  }

  private func play() {
    replayer.begin()
    let clock = SystemClock()
    let lag = clock.now - replayer.now
    while let time = replayer.nextTime {
      if options.replaysFast == false {
        let wait = (time + lag - clock.now).inNanoseconds
        if wait > 0 { usleep(UInt32(clamping: wait / 1000)) }
      }
      replayer.playNext()
    }
  }

  /// Plays the record in a window, which shows the last image until it is closed.
  private func show() throws(SessionError) {
    let content = ReplayContent(replayer)
    let application = try Application.connected()
    application.reconnection = .tries(for: nil)
    var wanted = WindowSession.window(titled: "Cockpit replay", options)
    if let size = replayer.firstSize { wanted.size = size }
    application.openWindow(content: content, options: wanted)
    replayer.begin()
    schedule(on: application.loop, lag: application.now - replayer.now)
    defer { withExtendedLifetime(self) {} }
    try application.runToEnd()
  }

  private func schedule(on loop: EventLoop, lag: Duration) {
    guard let time = replayer.nextTime else { return }
    loop.schedule(at: options.replaysFast == true ? loop.clock.now : time + lag) { [unowned self] in
      replayer.playNext()
      schedule(on: loop, lag: lag)
    }
  }
}

/// The content of a replay's window: the record's image at the top left, at its recorded size, in a window of any size. Input
/// and size of the window do not affect the replay.
final class ReplayContent: WindowContent {
  weak var host: (any WindowHost)?
  let isOpaque = false
  let minimumSize = Size(width: 1, height: 1)
  var needsFrame: Bool { replayer.hasDamage }
  let isAnimating = false
  private let replayer: Replayer
  private var window = PixelSize(width: 0, height: 0)
  private var isWhole = true

  init(_ replayer: Replayer) {
    self.replayer = replayer
  }

  func resize(to size: Size, scale: Scale) {
    window = scale.pixelSize(size)
    isWhole = true
  }

  func handle(_ event: InputEvent) {}
  func handle(_ event: LifecycleEvent) {}
  func prepareFrame(for time: MonotonicTime) {}

  func takeDamage() -> Region {
    var damage = replayer.takeDamage()
    if isWhole || window != replayer.pixels { damage = Region(PixelRect(window)) }
    isWhole = false
    damage.clip(to: PixelRect(window))
    return damage
  }

  func draw(_ region: Region, into buffer: PixelBuffer) {
    // The scene draws the part that it and the window share; the rest of the window is clear.
    if replayer.pixels != buffer.size { buffer.fill(PixelRect(buffer.size), 0) }
    replayer.scene.draw(region, into: buffer)
  }
}

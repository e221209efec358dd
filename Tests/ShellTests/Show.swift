import Glibc
import Shell
import Stage
import Testing
import UICore

/// A stage with an application and a window on it. Every broken rule is an issue of the test.
@MainActor final class Show {
  let stage: Stage
  let content = TestContent()
  private(set) var application: Application?
  private(set) weak var window: Window?
  private(set) var failure: ShellError?

  /// Called with each window that is made after the first connection was lost.
  var onWindow: ((Window) -> Void)?
  /// False: the compositor's socket is not there.
  var accepts = true
  /// How many connections were asked for.
  private(set) var attempts = 0

  init(_ stage: Stage, options: WindowOptions, reconnection: Reconnection = .never) throws {
    self.stage = stage
    stage.onViolation = { Issue.record("\($0)") }
    weak var show: Show?
    let application = try Application(clock: stage.clock) {
      show?.attempts += 1
      return show?.accepts == false ? nil : stage.connectClient()
    }
    application.reconnection = reconnection
    self.application = application
    show = self
    application.openWindow(content: content, options: options) { [weak self] in
      self?.window = $0
      self?.onWindow?($0)
    }
    // Registry, globals, first configure, first frame, devices.
    for _ in 0..<2 { settle() }
  }

  /// The first window's surface.
  var surface: StageSurface { stage.toplevel.surface }

  /// The first window as the stage sees it.
  var toplevel: StageToplevel { stage.toplevel }

  /// The first seat.
  var seat: StageSeat { stage.seat }

  /// Two fingers come down, a key is pressed, and the pointer moves and scrolls.
  func useEveryDevice() {
    seat.touchDown(0, 1, 1)
    seat.touchFrame()
    seat.touchDown(1, 2, 2)
    seat.touchFrame()
    seat.keyboardEnter()
    seat.key(StageKeymap.Code.a, true)
    seat.pointerEnter(1, 1)
    seat.pointerAxis(dy: 3)
    seat.pointerMotion(2, 2)
  }

  /// One turn of the client.
  func turn() {
    guard let application, failure == nil else { return }
    do throws(ShellError) {
      try application.step()
    } catch {
      failure = error
    }
  }

  /// Lets everything on its way arrive and be answered; the clock stands still.
  func settle() {
    for _ in 0..<8 {
      turn()
      stage.step()
    }
  }

  /// The clock moves on and the client has its turns.
  func pass(_ duration: Duration) {
    stage.clock.advance(by: duration)
    settle()
  }

  /// A refresh of the stage, and what follows from it until shortly before the next.
  func refresh() {
    stage.nextRefresh()
    settle()
    // In pieces, so that a frame held for fresher input is drawn when its time comes.
    // Painting may have moved the clock: no refresh is skipped.
    let interval = stage.refreshInterval.inNanoseconds
    let left = interval - stage.clock.now.nanoseconds % interval
    let piece = max(.zero, .nanoseconds(left) - .milliseconds(1)) / 5
    for _ in 0..<5 {
      stage.clock.advance(by: piece)
      turn()
      stage.step()
    }
    settle()
  }

  /// Refreshes until nothing more is drawn.
  func calm() {
    for _ in 0..<4 { refresh() }
    surface.forgetCommits()
    content.forget()
  }

  /// The application goes in an orderly way.
  func quit() {
    application?.closeAll()
    turn()
    application = nil
    stage.step()
    // A program that another test starts in this moment has a copy of the socket until it runs.
    var socket = pollfd(fd: stage.descriptor, events: Int16(POLLIN), revents: 0)
    while stage.clients.first?.end == nil, poll(&socket, 1, 5000) > 0 { stage.step() }
  }

  /// The application goes without a word, as when its process ends.
  func drop() { application = nil }
}

/// Plays a script with a window of `width` x `height` points, closes it, and asks the stage for its verdict.
@MainActor func play(
  _ globals: StageGlobals = .everything, width: Double = 64, height: Double = 48, stage given: Stage? = nil,
  prepare: (Stage, inout WindowOptions) -> Void = { _, _ in }, _ script: (Show) throws -> Void
) throws {
  let stage = given ?? Stage(globals: globals)
  var options = WindowOptions(
    title: "Test", applicationID: "org.example.Test", size: Size(width: width, height: height))
  prepare(stage, &options)
  let show = try Show(stage, options: options)
  try script(show)
  show.quit()
  if stage.clients.first?.end == nil { Issue.record("the client has not closed its connection") }
  _ = stage.finish()
}

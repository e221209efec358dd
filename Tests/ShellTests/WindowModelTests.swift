import Testing
import UICore

@testable import Shell

/// A window's rules as tables: what follows from each event, in each state.
@MainActor @Suite struct WindowModelTests {
  private typealias Effect = WindowModel.Effect

  /// A window's model on a clock of the test's own; it paints when asked, by default.
  @MainActor private struct Bench {
    var model: WindowModel
    var content = WindowModel.Content()
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// The outcome of painting.
    var painting = Painting.new

    enum Painting { case new, nothing, noBuffer, noMemory }

    init(_ change: (inout WindowModel.Terms) -> Void = { _ in }) {
      var terms = WindowModel.Terms()
      change(&terms)
      model = WindowModel(terms: terms, preferred: Size(width: 64, height: 48), scale: nil)
    }

    /// The effects of `event`, painting included. Effects that hinder reading are left out: when a frame will be seen, and
    /// the requests on the surface's size.
    mutating func after(_ event: WindowModel.Event) -> [Effect] {
      var all: [Effect] = []
      for effect in effects(of: event) {
        switch effect {
        case .paint:
          all.append(.painted)
          let opaque = Rect(origin: .zero, size: model.layout.surfaceSize)
          switch painting {
          case .noBuffer: all += after(.noBuffer)
          case .noMemory: all += after(.noMemory(now: now))
          case .new, .nothing:
            if painting == .new { content.needsFrame = false }
            all += after(.painted(content, isNew: painting == .new, opaque: opaque, since: now, now: now))
          }
        case .sendDestination, .sendBufferScale, .sendOpaque, .sendGeometry, .sendMinimum: break
        default: all.append(effect)
        }
      }
      return all
    }

    /// The effects themselves.
    mutating func effects(of event: WindowModel.Event) -> [Effect] {
      var effects: [Effect] = []
      model.handle(event, into: &effects)
      return effects
    }

    mutating func configure(
      _ serial: UInt32, _ width: Int32 = 0, _ height: Int32 = 0, _ states: [UInt32] = []
    )
      -> [Effect]
    {
      model.configure.toplevelConfigure(width: width, height: height, states: states)
      return after(.configured(serial: serial))
    }

    mutating func turn() -> [Effect] { after(.turn(content, now: now)) }

    mutating func callback() -> [Effect] { after(.callback(now: now)) }

    /// Moves the clock to the next time that the model asks for, if it comes within `limit`.
    mutating func pass(_ limit: Duration) -> [Effect] {
      let end = now + limit
      guard let next = model.nextTime, next <= end else {
        now = end
        return []
      }
      now = next
      return after(.time(now: now))
    }

    /// Until the first frame is shown and its callback has come.
    static func shown(_ change: (inout WindowModel.Terms) -> Void = { _ in }) -> Bench {
      var bench = Bench(change)
      _ = bench.configure(1)
      _ = bench.turn()
      bench.now = bench.now + .milliseconds(16)
      _ = bench.callback()
      return bench
    }
  }

  private let frame: [Effect] = [.painted, .askForCallback, .commit]
  private let shown: [Effect] = [.forgetCallback, .notify(.willEnterForeground), .notify(.didBecomeActive)]
  private let hidden: [Effect] = [.loseInput(.hidden), .notify(.willResignActive), .notify(.didEnterBackground)]

  // MARK: When a configure is answered

  @Test func `before the first configure nothing is drawn, whatever waits`() {
    var bench = Bench()
    bench.content.needsFrame = true
    #expect(bench.turn() == [])
    #expect(bench.model.nextTime == nil)
  }

  @Test func `the first configure shows the window, and its commit answers it`() {
    var bench = Bench()
    #expect(bench.configure(7) == shown)
    #expect(bench.turn() == [.resized(64, 48), .painted, .acknowledge(7), .askForCallback, .commit])
    #expect(bench.turn() == [], "once")
  }

  /// The invariants when a shown window is configured.
  enum Circumstance: Sendable {
    case resized, needsFrame, callbackPending, suspended
  }

  /// The effects of a configure of a shown window.
  struct Row: Sendable, CustomTestStringConvertible {
    let holds: [Circumstance]
    let follows: [WindowModel.Effect]
    var testDescription: String { "\(holds)" }

    init(_ holds: [Circumstance], follows: [WindowModel.Effect]) { (self.holds, self.follows) = (holds, follows) }
  }

  nonisolated static let configures: [Row] = [
    // Nothing to draw for it: an empty commit, or the frame that is due anyhow.
    Row([], follows: [.acknowledge(2), .commit]),
    Row([.callbackPending], follows: [.acknowledge(2), .commit]),
    Row([.needsFrame], follows: [.painted, .acknowledge(2), .askForCallback, .commit]),
    Row([.needsFrame, .callbackPending], follows: [.acknowledge(2), .commit]),
    // Another size: drawn at once, callback or not.
    Row([.resized], follows: [.resized(80, 60), .painted, .acknowledge(2), .askForCallback, .commit]),
    Row(
      [.resized, .callbackPending], follows: [.resized(80, 60), .painted, .acknowledge(2), .askForCallback, .commit]),
    Row(
      [.resized, .needsFrame, .callbackPending],
      follows: [.resized(80, 60), .painted, .acknowledge(2), .askForCallback, .commit]),
    // It is hidden: no callback is requested, and only another size is drawn.
    Row([.suspended], follows: [.acknowledge(2), .commit]),
    Row([.needsFrame, .callbackPending, .suspended], follows: [.acknowledge(2), .commit]),
    Row([.resized, .needsFrame, .suspended], follows: [.resized(80, 60), .painted, .acknowledge(2), .commit]),
  ]

  @Test(arguments: configures) func `when a configure is answered, and by which commit`(row: Row) {
    var bench = Bench.shown()
    if row.holds.contains(.callbackPending) {
      bench.content.needsFrame = true
      #expect(bench.turn() == frame)
    }
    bench.content.needsFrame = row.holds.contains(.needsFrame)
    let (width, height): (Int32, Int32) = row.holds.contains(.resized) ? (80, 60) : (64, 48)
    _ = bench.configure(2, width, height, row.holds.contains(.suspended) ? .suspended : [])
    #expect(bench.turn() == row.follows)
    #expect(bench.turn().contains(.acknowledge(2)) == false)
  }

  @Test func `of several configures in one batch only the last is answered`() {
    var bench = Bench.shown()
    _ = bench.configure(2, 70, 50)
    _ = bench.configure(3, 90, 60)
    #expect(bench.turn() == [.resized(90, 60), .painted, .acknowledge(3), .askForCallback, .commit])
  }

  @Test func `a configure of another size waits for the buffer that shows it, one of the same size does not`() {
    var bench = Bench.shown()
    bench.painting = .noBuffer
    _ = bench.configure(2, 80, 60)
    #expect(bench.turn() == [.resized(80, 60), .painted])
    #expect(bench.turn() == [.painted], "asked for again each time that the compositor said something")
    bench.painting = .new
    #expect(bench.turn() == [.painted, .acknowledge(2), .askForCallback, .commit])
    bench.now = bench.now + .milliseconds(16)
    _ = bench.callback()
    bench.painting = .noBuffer
    bench.content.needsFrame = true
    _ = bench.configure(3, 80, 60)
    #expect(bench.turn() == [.painted, .acknowledge(3), .commit])
  }

  @Test func `a buffer for which there is no memory is asked for again after a while, or at another size`() {
    var bench = Bench.shown()
    bench.painting = .noMemory
    _ = bench.configure(2, 8000, 6000)
    #expect(bench.turn() == [.resized(8000, 6000), .painted])
    #expect(bench.turn() == [] && bench.turn() == [])
    #expect(bench.model.nextTime == bench.now + WindowModel.memoryInterval)
    #expect(bench.pass(.seconds(1)) == [] && bench.turn() == [.painted])
    bench.painting = .new
    _ = bench.configure(3, 80, 60)
    #expect(bench.turn() == [.resized(80, 60), .painted, .acknowledge(3), .askForCallback, .commit])
    #expect(bench.model.nextTime == bench.now + WindowModel.callbackLimit)
  }

  // MARK: Frames

  @Test func `a frame is drawn when there is something new and no callback is pending`() {
    var bench = Bench.shown()
    #expect(bench.turn() == [])
    bench.content.needsFrame = true
    #expect(bench.turn() == frame)
    bench.content.needsFrame = true
    #expect(bench.turn() == [])
    bench.now = bench.now + .milliseconds(16)
    #expect(bench.callback() == [])
    #expect(bench.turn() == frame)
  }

  @Test func `an animation that changes no pixel still asks for the next callback, anything else commits nothing`() {
    var bench = Bench.shown()
    bench.painting = .nothing
    bench.content.needsFrame = true
    #expect(bench.turn() == [.painted])
    bench.content.isAnimating = true
    #expect(bench.turn() == frame)
    #expect(bench.model.frameNumber == 1, "only painted frames count")
  }

  @Test func `a frame that waits for input is due at a time, and then drawn`() {
    var bench = Bench.shown()
    // As many frames as it takes to know painting, and one for the rhythm.
    for _ in 0..<PaintTimes.memory + 1 {
      bench.content.needsFrame = true
      bench.now = bench.now + .milliseconds(4)
      _ = bench.after(.touch(at: bench.now))
      _ = bench.turn()
      bench.now = bench.now + .nanoseconds(12_666_667)
      _ = bench.callback()
    }
    bench.content.needsFrame = true
    #expect(bench.turn() == [])
    let due = bench.model.nextTime
    #expect(due.map { $0 > bench.now && $0 - bench.now < .milliseconds(8) } == true)
    #expect(bench.pass(.milliseconds(16)) == [] && bench.now == due)
    #expect(bench.turn() == frame)
  }

  @Test func `another scale or decoration lays out and draws everything, in the next frame`() {
    var bench = Bench.shown()
    bench.model.surfaceScale.fractional = Scale(2)
    #expect(bench.turn() == [.rescaleCursors, .resized(64, 48, at: Scale(2))] + frame)
    bench.now = bench.now + .milliseconds(16)
    _ = bench.callback()
    bench.content.decoration = DecorationExtent(
      insets: EdgeInsets(top: 20, left: 0, bottom: 0, right: 0),
      overhang: EdgeInsets(top: 5, left: 5, bottom: 5, right: 5))
    #expect(bench.turn() == [.resized(74, 58, at: Scale(2))] + frame)
    #expect(bench.model.layout.geometry == PixelRect(x: 5, y: 5, width: 64, height: 48))
  }

  @Test func `the surface is told of its size, scale and opaque part once for each that is new`() {
    let whole = Rect(x: 0, y: 0, width: 64, height: 48)
    for hasViewport in [true, false] {
      var bench = Bench { $0.hasViewport = hasViewport }
      bench.model.surfaceScale.ofOutputs = 2
      _ = bench.configure(1)
      _ = bench.effects(of: .turn(bench.content, now: bench.now))
      let painted = WindowModel.Event.painted(
        bench.content, isNew: true, opaque: whole, since: bench.now, now: bench.now)
      let first: [Effect] = [
        hasViewport ? .sendDestination(whole.size) : .sendBufferScale(2), .sendOpaque(whole), .acknowledge(1),
        .askForCallback, .commit,
      ]
      #expect(bench.effects(of: painted) == first)
      #expect(bench.effects(of: painted) == [.askForCallback, .commit])
    }
  }

  @Test func `presentation is asked for in the first frames and now and then, where it is told`() {
    var bench = Bench.shown { $0.reportsPresentation = true }
    var asked: [Int] = []
    for _ in 0..<40 {
      bench.content.needsFrame = true
      let number = bench.model.frameNumber
      if bench.turn().contains(.askForFeedback) { asked.append(number) }
      bench.now = bench.now + .milliseconds(16)
      _ = bench.callback()
    }
    #expect(asked == [1, 2, 3, 4, 5, 6, 7, 16, 32])
    var deaf = Bench.shown()
    deaf.content.needsFrame = true
    #expect(deaf.turn() == frame)
  }

  // MARK: Being seen

  @Test func `positions get another meaning when an output turns, and when the window goes to one that is turned`() {
    func output(_ transform: OutputTransform, scale: Int = 1, milliseconds: Int64 = 16) -> Output.State {
      let mapping = Output.Mapping(mode: PixelSize(width: 64, height: 48), scale: scale, transform: transform)
      return Output.State(scale: scale, refresh: .milliseconds(milliseconds), mapping: mapping)
    }
    let unknown = Output.State()
    let lost = [Effect.loseInput(.screenTurned)]
    typealias Row = (
      outputs: [Output.State], isTurned: Bool, effects: [Effect], transform: OutputTransform?, scale: Int
    )
    let rows: [Row] = [
      ([], false, [], nil, 1), ([unknown], false, [], nil, 1), ([unknown, output(.normal)], false, [], .normal, 1),
      ([output(.normal, scale: 2), output(.turned90, scale: 3)], false, [], .normal, 3),
      ([output(.normal, scale: 2)], true, lost, .normal, 2), ([output(.turned90)], false, lost, .turned90, 1),
      // The last one is kept, since the next output is usually the same one.
      ([], false, [], .turned90, 1), ([output(.turned90)], false, [], .turned90, 1),
    ]
    var bench = Bench.shown()
    for row in rows {
      #expect(bench.after(.outputs(row.outputs, isTurned: row.isTurned)) == row.effects, "\(row)")
      #expect(bench.model.transform == row.transform && bench.model.surfaceScale.value == Scale(Double(row.scale)))
    }
    _ = bench.after(.outputs([output(.normal), output(.normal, milliseconds: 8)], isTurned: false))
    #expect(bench.model.clock.refresh == .milliseconds(8))
  }

  @Test func `suspended hides once, and its end shows again`() {
    var bench = Bench.shown()
    #expect(bench.configure(2, 0, 0, .suspended) == [.forgetCallback] + hidden)
    #expect(bench.configure(3, 0, 0, .suspended) == [.forgetCallback])
    bench.content.needsFrame = true
    _ = bench.turn()
    #expect(bench.turn() == [], "nothing is drawn")
    #expect(bench.configure(4) == shown)
    #expect(bench.configure(5) == [])
  }

  @Test func `input that only a seen window gets shows it, and so does a callback`() {
    let hover = InputEvent.hover(SeatID(1), .zero)
    for sign in [WindowModel.Event.input(hover, isCancelling: false, now: .zero), .callback(now: .zero)] {
      var bench = Bench.shown()
      _ = bench.configure(2, 0, 0, .suspended)
      // It leaves, and what is told of a lifted finger.
      #expect(bench.after(.input(.hover(SeatID(1), nil), isCancelling: false, now: bench.now)) == [])
      #expect(bench.after(.touch(at: bench.now, isCancelling: true)) == [])
      #expect(bench.after(sign) == shown)
    }
  }

  @Test
  func `a callback that is missing for a second hides until it comes, or until suspended ends`() {
    var bench = Bench.shown()
    #expect(bench.model.nextTime == nil, "an idle window waits for nothing")
    bench.content.needsFrame = true
    _ = bench.turn()
    let committed = bench.now
    #expect(bench.pass(.milliseconds(999)) == [])
    #expect(bench.pass(.milliseconds(2)) == hidden && bench.now == committed + .seconds(1))
    #expect(bench.model.nextTime == nil, "hidden nothing wakes")
    #expect(bench.configure(2) == [], "a configure that ends no suspension shows nothing")
    #expect(bench.callback() == shown)
    bench.content.needsFrame = true
    _ = bench.turn()
    #expect(bench.pass(.seconds(1)) == hidden)
    #expect(
      bench.configure(3, 0, 0, .suspended) == [.forgetCallback],
      "late, as by mutter 48")
    #expect(bench.configure(4) == shown)
  }

  @Test func `content that keeps running is not told, and brought up to date while it is animated`() {
    var bench = Bench.shown { $0.keepsRunning = true }
    #expect(bench.configure(2, 0, 0, .suspended) == [.forgetCallback, .loseInput(.hidden)])
    _ = bench.turn()
    #expect(bench.model.nextTime == nil)
    bench.content.isAnimating = true
    #expect(bench.turn() == [] && bench.model.nextTime == bench.now + WindowModel.hiddenInterval)
    #expect(bench.pass(.seconds(1)) == [.bringUpToDate])
    _ = bench.turn()
    #expect(bench.pass(.seconds(1)) == [.bringUpToDate])
    _ = bench.turn()
    #expect(bench.configure(3) == [.forgetCallback])
    #expect(bench.model.nextTime == nil)
  }

  @Test func `the end is told once, and whatever was not told before it`() {
    let end: [Effect] = [.notify(.willResignActive), .notify(.didEnterBackground)]
    for (keepsRunning, isHidden, follows) in [
      (false, false, end), (false, true, []), (true, false, end), (true, true, end),
    ] {
      for isOrderly in [true, false] {
        var bench = Bench.shown { $0.keepsRunning = keepsRunning }
        if isHidden { _ = bench.configure(2, 0, 0, .suspended) }
        #expect(bench.after(.ended(orderly: isOrderly)) == follows + (isOrderly ? [.notify(.willTerminate)] : []))
        bench.content.needsFrame = true
        #expect(bench.after(.ended(orderly: true)) == [] && bench.turn() == [] && bench.callback() == [])
        #expect(!bench.model.isOpen && bench.model.nextTime == nil)
      }
    }
    var unmapped = Bench()
    #expect(unmapped.after(.ended(orderly: true)) == [.notify(.willTerminate)])
  }

  @Test func `the screen is kept awake exactly while that is wanted and the window is seen`() {
    var bench = Bench()
    #expect(bench.after(.keepAwake(true)) == [])
    #expect(bench.configure(1) == shown + [.keepAwake(true)])
    #expect(bench.configure(2, 0, 0, .suspended) == [.forgetCallback] + hidden + [.keepAwake(false)])
    #expect(bench.after(.keepAwake(false)) == [] && bench.after(.keepAwake(true)) == [])
    #expect(bench.configure(3) == shown + [.keepAwake(true)])
    #expect(bench.after(.keepAwake(false)) == [.keepAwake(false)])
  }

  // MARK: Waking

  @Test func `content is woken once at its time, seen or not, and the earliest of all times counts`() {
    var bench = Bench.shown()
    let start = bench.now
    _ = bench.after(.wakeWanted(start + .seconds(3)))
    bench.content.needsFrame = true
    _ = bench.turn()
    #expect(bench.model.nextTime == start + .seconds(1))
    #expect(bench.pass(.seconds(9)) == hidden)
    #expect(bench.pass(.seconds(9)) == [.wakeContent] && bench.now == start + .seconds(3))
    #expect(bench.model.nextTime == nil)
    _ = bench.after(.wakeWanted(start + .seconds(4)))
    _ = bench.after(.wakeWanted(nil))
    #expect(bench.model.nextTime == nil)
  }

  // MARK: Sizes

  @Test func `sizes that the compositor leaves open are the window's own, with its decoration and within bounds`() {
    var bench = Bench()
    bench.model.configure.noteBounds(width: 50, height: 100)
    #expect(bench.model.wantsDecoration == false)
    bench.model.mustDecorate = true
    #expect(bench.model.wantsDecoration)
    _ = bench.after(.decorated(EdgeInsets(top: 20, left: 1, bottom: 1, right: 1)))
    #expect(bench.model.configure.preferred == Size(width: 66, height: 69))
    _ = bench.configure(1)
    #expect(bench.model.configure.size == Size(width: 50, height: 69))
    _ = bench.configure(2, 800, 600, .maximized)
    _ = bench.configure(3)
    #expect(bench.model.configure.size == Size(width: 50, height: 69), "what it had before it was maximised")
    _ = bench.configure(4, Int32.max, -5)
    #expect(bench.model.configure.size == Size(width: ConfigureModel.maximumSide, height: 69))
  }

  @Test func `the smallest size is told when it is another one, as requests can carry it`() {
    var bench = Bench()
    #expect(bench.effects(of: .minimum(Size(width: 1, height: 10.2))) == [.sendMinimum(Size(width: 1, height: 11))])
    #expect(bench.effects(of: .minimum(Size(width: 0.5, height: 11))) == [])
    let odd = Size(width: .nan, height: .infinity)
    let most = Size(width: 0, height: ConfigureModel.maximumSide)
    #expect(bench.effects(of: .minimum(odd)) == [.sendMinimum(most)])
  }

  @Test func `the scale comes from the best source there is`() {
    var scale = SurfaceScale(wish: nil, allowsFractions: true)
    #expect(scale.value == .one)
    scale.ofOutputs = 2
    scale.ofOutputs = nil
    #expect(scale.value == Scale(2), "the last known one stays")
    scale.preferred = 3
    #expect(scale.value == Scale(3))
    scale.fractional = Scale(1.5)
    #expect(scale.value == Scale(1.5))
    var whole = SurfaceScale(wish: Scale(1.25), allowsFractions: false)
    whole.ofOutputs = 3
    #expect(whole.value == Scale(2))
  }
}

extension [UInt32] {
  // xdg_toplevel's array of states with one alone.
  fileprivate static var maximized: [UInt32] { [1] }
  fileprivate static var suspended: [UInt32] { [9] }
}

extension WindowModel.Event {
  /// A finger moves now.
  fileprivate static func touch(at now: MonotonicTime, isCancelling: Bool = false) -> WindowModel.Event {
    let point = TouchPoint(
      id: TouchID(seat: SeatID(1), contact: .finger(0)), phase: .moved, location: .zero, time: now)
    return .input(.touches([point]), isCancelling: isCancelling, now: now)
  }
}

extension WindowModel.Effect {
  /// A frame is painted, whenever it will be seen.
  fileprivate static let painted = WindowModel.Effect.paint(for: .zero)

  /// The content is laid out for a surface of so many points.
  fileprivate static func resized(_ width: Double, _ height: Double, at scale: Scale = .one) -> WindowModel.Effect {
    .resize(Size(width: width, height: height), scale)
  }
}

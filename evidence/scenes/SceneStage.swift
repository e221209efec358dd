import Controls
import UICore

/// Shows a scene and moves it with each frame. Everything that looks random is the same in each run.
public final class SceneStage {
  /// The tree that shows the scene.
  public let root = RootView()
  private var movements: [(_ seconds: Double) -> Void] = []
  private var begin: MonotonicTime?
  private var token: ObservationToken?
  private var random = SceneRandom()

  /// The distance of a scene's things from the screen's edges, and from its top, where LVGL shows a line of text.
  static let margin = 8.0
  static let top = 48.0

  /// Shows `scene` on a screen of `size` points.
  public init(_ scene: BenchScene, size: Size) {
    root.theme = .light
    root.backgroundColor = Color(hex: 0xf5f5f5)
    let maker = SceneMaker(stage: self, size: size)
    maker.make(scene)
    token = root.observeFrames { [unowned self] time in
      move(to: time)
      return true
    }
  }

  private func move(to time: MonotonicTime) {
    let begin = begin ?? time
    self.begin = begin
    let seconds = (time - begin) / .seconds(1)
    for movement in movements { movement(seconds) }
  }

  /// Has `body` called in each frame with the seconds since the first.
  func each(_ body: @escaping (_ seconds: Double) -> Void) { movements.append(body) }

  /// Moves `view` down by up to `distance` points and back up, for ever, there and back in a time of its own each, by whole points.
  func shake(_ view: View, _ distance: Double) {
    let wave = Wave(there: random.number(0.3, 3), back: random.number(0.3, 3))
    let start = view.frame.origin
    each { view.frame.origin = Point(x: start.x, y: (start.y + wave.share(at: $0) * distance).rounded()) }
  }

  /// Calls `body` with another colour in each frame.
  func recolor(_ body: @escaping (Color) -> Void) {
    var colors = SceneRandom(random.next())
    each { _ in body(Color(hex: UInt32(colors.next() & 0xff_ffff))) }
  }

  /// Calls `body` with a share that grows from 0 to 1 and shrinks again, there and back in one to three seconds each.
  func swing(_ body: @escaping (Double) -> Void) {
    let wave = Wave(there: random.number(1, 3), back: random.number(1, 3))
    each { body(wave.share(at: $0)) }
  }

  /// Moves the content of `view` up to its end and back, by so many points a second.
  func scroll(_ view: ScrollView, speed: Double = 130) {
    each { [unowned view] seconds in
      let way = max(view.contentSize.height - view.bounds.height, 1)
      let wave = Wave(there: way / speed, back: way / speed)
      view.contentOffset = Point(x: 0, y: (wave.share(at: seconds) * way).rounded())
    }
  }

  /// A number for a scene's things, from `low` to `high`.
  func number(_ low: Double, _ high: Double) -> Double { random.number(low, high) }
}

/// A movement there and back, for ever.
struct Wave {
  let (there, back): (Double, Double)

  init(there: Double, back: Double) { (self.there, self.back) = (there, back) }

  /// The share of the way at a time in seconds.
  func share(at seconds: Double) -> Double {
    let place = seconds.truncatingRemainder(dividingBy: there + back)
    return place < there ? place / there : 1 - (place - there) / back
  }
}

/// Numbers that are the same in each run (xorshift).
struct SceneRandom {
  private var state: UInt64

  init(_ seed: UInt64 = 0x9e37_79b9_7f4a_7c15) { state = seed | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func number(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / Double(1 << 53)
  }
}

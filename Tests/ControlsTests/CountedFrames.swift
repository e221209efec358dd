import CAllocations
import ControlHarness
import Controls

/// A window of 400 x 600 points whose frames are counted, and the pixels that it is drawn into.
@MainActor final class CountedFrames {
  let root = RootView()
  /// What the last frame allocated: to change and place views; to draw those that are new; to paint.
  private(set) var allocations = [0, 0, 0]
  private var pixels = Snapshot(garbage: PixelSize(width: 400, height: 600))
  private var time = MonotonicTime.zero

  static let size = Size(width: 400, height: 600)

  /// The offsets of a scroll by 3 points a frame and back.
  static let way = (0..<400).map { Double($0) * 3 } + (0..<400).reversed().map { Double($0) * 3 }

  /// Shows `view`, which fills the window.
  init(_ view: View) {
    root.addSubview(view)
    root.resize(to: Self.size, scale: .one)
    frame {}
  }

  /// A frame after `change`.
  func frame(_ change: () -> Void) {
    allocations_begin()
    change()
    time = time + .milliseconds(16)
    root.prepareFrame(for: time)
    let placing = Int(allocations_end())
    allocations_begin()
    let damage = root.takeDamage()
    let drawing = Int(allocations_end())
    allocations_begin()
    pixels.withBuffer { root.draw(damage, into: $0) }
    (allocations[0], allocations[1], allocations[2]) = (placing, drawing, Int(allocations_end()))
  }

  /// What the frames of `way` allocate, by parts: of all of them, and of the one with the least.
  ///
  /// Of two ways the one that allocates less counts: a table of a library, which other tests filled too, may grow once in the other.
  func count(_ scroll: (Double) -> Void) -> [Int] {
    // The first way makes what is kept.
    for offset in Self.way { frame { scroll(offset) } }
    var (fewest, least) = ([Int.max, .max, .max], [Int.max, .max, .max])
    for _ in 0..<2 {
      var all = [0, 0, 0]
      for offset in Self.way {
        frame { scroll(offset) }
        for part in 0..<3 {
          all[part] += allocations[part]
          least[part] = min(least[part], allocations[part])
        }
      }
      for part in 0..<3 { fewest[part] = min(fewest[part], all[part]) }
    }
    return fewest + least
  }
}

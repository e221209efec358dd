/// How rows move to their places after others came or went.
///
/// Rows are where they belong as soon as the list knows of a change; only what is shown follows, by distances that shrink to nothing. Each
/// change has distances of its own, and those of changes that overlap in time add up: a new one never makes a row jump.
nonisolated struct ListMotion: Hashable, Sendable {
  /// How long rows move, in seconds.
  static let duration = 0.25
  /// How many changes move rows at a time; of more the oldest are at their end.
  static let mostSlides = 8

  private struct Slide: Hashable, Sendable {
    /// The first row and the first section below the change.
    var row: Int
    let section: Int
    /// The distances of what is above and below the change from where it belongs, at the beginning.
    let above: Double
    let below: Double
    /// The rows that came.
    var inserted: Range<Int>
    var age = 0.0
    /// The part of the distances that is left.
    var rest = 1.0
  }

  private var slides: [Slide] = []

  /// True when everything is where it belongs.
  var isOver: Bool { slides.isEmpty }

  /// The greatest distance of anything from where it belongs.
  var reach: Double { slides.reduce(0) { $0 + max(abs($1.above), abs($1.below)) * $1.rest } }

  /// The distance at which a row is shown below where it belongs.
  func shift(ofRow row: Int) -> Double { slides.reduce(0) { $0 + (row < $1.row ? $1.above : $1.below) * $1.rest } }

  /// The same of a section's header.
  func shift(ofSection section: Int) -> Double {
    slides.reduce(0) { $0 + (section < $1.section ? $1.above : $1.below) * $1.rest }
  }

  /// The opacity of a row, which fades in if it has come.
  func opacity(ofRow row: Int) -> Double {
    slides.reduce(1) { $1.inserted.contains(row) ? min($0, Self.arrival(at: $1.age)) : $0 }
  }

  /// The opacity of a row that has come `age` seconds ago. It is never 0, so that fingers and assistive technology find it at once.
  static func arrival(at age: Double) -> Double { max(progress((age / duration - 0.4) / 0.6), 0.02) }

  /// The opacity of a row that has gone `age` seconds ago.
  static func departure(at age: Double) -> Double { 1 - progress(age / duration / 0.6) }

  private static func progress(_ time: Double) -> Double { TimingCurve.easeInOut.progress(at: time.clamped(to: 0...1)) }

  /// Begins to move what is above and below a change from these distances. Below it are the rows from `row` and the headers of sections from
  /// `section` on.
  mutating func begin(row: Int, section: Int, above: Double, below: Double, inserted: Range<Int>) {
    if slides.count >= Self.mostSlides { slides.removeFirst() }
    slides.append(Slide(row: row, section: section, above: above, below: below, inserted: inserted))
  }

  /// Gives what moves the numbers that it has after a change.
  mutating func apply(_ change: ListChange) {
    for index in slides.indices {
      slides[index].row = change.place(of: slides[index].row)
      let rows = slides[index].inserted
      let start = change.place(of: rows.lowerBound)
      slides[index].inserted = start..<max(change.place(of: rows.upperBound), start)
    }
  }

  /// Lets `seconds` pass.
  mutating func advance(by seconds: Double) {
    for index in slides.indices {
      slides[index].age += seconds
      slides[index].rest = 1 - Self.progress(slides[index].age / Self.duration)
    }
    // A tolerance: the frames' times are added up.
    slides.removeAll { $0.age >= Self.duration - 1e-6 }
  }

  /// Puts everything where it belongs.
  mutating func stop() { slides = [] }
}

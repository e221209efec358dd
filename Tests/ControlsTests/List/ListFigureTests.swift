import CAllocations
import ControlHarness
import Testing

@testable import Controls

/// Figures of a list of 100,000 rows beside one of 100: what scrolling and the start cost does not depend on the number of rows.
@MainActor @Suite(.serialized) struct ListFigureTests {
  private static let counts = [100, 100_000]

  /// A list in a window, in sections or not.
  private final class Scrolled {
    let list: ListView
    let frames: CountedFrames
    private let asks: Asks

    private final class Asks { var count = 0 }

    var asked: Int { asks.count }

    /// `length` is the number of rows of a section; 0 for no sections.
    init(_ count: Int, sectionsOf length: Int = 0, text: @escaping (Int) -> String = { _ in "" }) {
      list = ListView(frame: Rect(origin: .zero, size: CountedFrames.size))
      if length > 0 {
        list.sections = (0..<count / length).map { ListSection("Section \($0)", rowCount: length) }
      } else {
        list.rowCount = count
      }
      let asks = Asks()
      list.showRow = { row, index in
        asks.count += 1
        row.text = text(index)
      }
      self.asks = asks
      frames = CountedFrames(list)
    }

    func move(to offset: Double) {
      (list.subviews.first as? ScrollView)?.contentOffset = Point(x: 0, y: offset)
    }

    func scroll(to offset: Double) { frames.frame { move(to: offset) } }
  }

  @Test(arguments: [0, 5]) func `live rows are those in sight and at most four more, anywhere in a hundred thousand`(
    length: Int
  ) {
    let scrolled = Scrolled(100_000, sectionsOf: length)
    for offset in stride(from: 0.0, through: 4_400_000, by: 43_211.5) {
      scrolled.scroll(to: offset)
      #expect(scrolled.list.rowViewCount <= 15 + 4)
    }
    // A smaller window needs fewer.
    scrolled.list.frame.size.height = 200
    scrolled.scroll(to: 1000)
    #expect(scrolled.list.rowViewCount <= 6 + 4)
  }

  @Test(arguments: [0, 5]) func `scrolling asks for as many rows, and allocates as often, as in a list of a hundred`(
    length: Int
  ) {
    var figures: [[Int]] = []
    for count in Self.counts {
      let scrolled = Scrolled(count, sectionsOf: length) { $0.isMultiple(of: 2) ? "even" : "odd" }
      // The first way asks for those that come in sight for the first time.
      for offset in CountedFrames.way { scrolled.scroll(to: offset) }
      let before = scrolled.asked
      let allocations = scrolled.frames.count { scrolled.move(to: $0) }
      figures.append([(scrolled.asked - before) / 3] + allocations)
    }
    print(
      "sections of \(length): rows asked for; allocations to place, draw and paint in 800 frames, and in one: \(figures)"
    )
    #expect(figures[0] == figures[1])
  }

  @Test func `twenty thousand sections are taken as they are, and never turned to text`() {
    let sections = (0..<20_000).map { ListSection("Section \($0)", rowCount: 5) }
    func allocations(_ set: (ListView) -> Void) -> Int {
      let list = ListView()
      allocations_begin()
      set(list)
      return Int(allocations_end())
    }
    let text = ChoiceTitles.text(sections.map(\.text))
    _ = allocations { $0.sections = sections }
    let taken = allocations { $0.sections = sections }
    let read = allocations { ($0.headings, $0.rowCount) = (text, 100_000) }
    print("20,000 sections of a list: \(taken) allocations to take them, \(read) to read them as a text")
    // A development build allocates for each section that it looks at, a release build does not.
    #expect(taken < read)
  }

  @Test(arguments: [0, 5]) func `nothing in a frame of scrolling, and in the start, looks at all rows`(length: Int) {
    func make(_ count: Int) -> Scrolled { Scrolled(count, sectionsOf: length) { "Row \($0)" } }
    let clock = ContinuousClock()
    var lists = Self.counts.map(make)
    var frames: [Duration] = [.seconds(9), .seconds(9)]
    var starts = frames
    for round in 0..<60 {
      // In turn, so that a slow moment of the machine affects both; the least of many is what the work itself takes.
      for index in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
        let time = clock.measure { for step in 0..<50 { lists[index].scroll(to: Double(step) * 7) } }
        frames[index] = min(frames[index], time)
        starts[index] = min(starts[index], clock.measure { lists[index] = make(Self.counts[index]) })
      }
    }
    let (frame, start) = (frames[1] / frames[0], starts[1] / starts[0])
    print("sections of \(length): a frame of 100,000 rows takes \(frame) times that of 100, the start \(start) times")
    // Of a thousand times as many rows, anything that looks at each would take far longer than twice; how much less differs by what else the
    // machine does. Twenty thousand sections are made by the program before the list is.
    #expect(frame < 2 && (start < 2 || length > 0))
  }
}

import ControlHarness
import Testing

@testable import Controls

/// Tests of the grid: cells, columns, rows, and views in them.
@MainActor @Suite(.serialized) struct GridTests {
  private typealias Span = GridModel.Span

  private func cells(_ columns: Int, _ spans: [(Int, Int)]) -> [String] {
    GridModel(columnCount: columns).cells(of: spans.map { Span(columns: $0.0, rows: $0.1) }).map {
      "\($0.columns.lowerBound)-\($0.columns.upperBound - 1),\($0.rows.lowerBound)-\($0.rows.upperBound - 1)"
    }
  }

  @Test func `items go to the next free cells that have room`() {
    #expect(cells(3, [(1, 1), (1, 1), (1, 1), (1, 1)]) == ["0-0,0-0", "1-1,0-0", "2-2,0-0", "0-0,1-1"])
    #expect(cells(3, [(1, 1), (2, 1), (2, 1), (2, 1)]) == ["0-0,0-0", "1-2,0-0", "0-1,1-1", "0-1,2-2"])
    #expect(cells(2, [(1, 2), (1, 1), (1, 1), (1, 1)]) == ["0-0,0-1", "1-1,0-0", "1-1,1-1", "0-0,2-2"])
  }

  @Test func `a span beyond the grid takes a whole row, and one of nothing takes a cell`() {
    #expect(cells(2, [(9, 1), (0, 0), (1, 1)]) == ["0-1,0-0", "0-0,1-1", "1-1,1-1"])
  }

  private func model(_ weights: [Double], columns: Int = 3) -> GridModel {
    GridModel(columnCount: columns, weights: weights, columnSpacing: 10, rowSpacing: 5)
  }

  private func columns(_ weights: [Double], _ widths: [Double], in width: Double) -> [Double] {
    let model = model(weights)
    let cells = model.cells(of: widths.map { _ in Span() })
    return model.columns(cells, widths, in: width)
  }

  @Test(
    arguments: [
      ([], 320, [100, 100, 100]), ([1, 2], 420, [100, 200, 100]), ([0, 1, 1], 320, [30, 135, 135]),
      ([0, 0, 0], 320, [30, 50, 40]), ([0, 0, 0], 80, [15, 25, 20]), ([0, 1, 1], 20, [0, 0, 0]),
    ] as [([Double], Double, [Double])]) func `columns with a share get what the others leave, in proportion`(
      weights: [Double], width: Double, expected: [Double]
    )
  {
    #expect(columns(weights, [30, 50, 40], in: width) == expected)
  }

  @Test func `a grid wants the width in which everything has room in these proportions`() {
    let model = model([0, 1, 2])
    let cells = model.cells(of: [Span(), Span(), Span()])
    #expect(model.preferredWidth(cells, [30, 50, 40]) == 30 + 50 + 100 + 20)
    let wide = model.cells(of: [Span(columns: 3)])
    #expect(model.preferredWidth(wide, [320]) >= 320)
  }

  @Test func `a row is as high as what is in it, and one over several rows makes the last one higher`() {
    let model = model([])
    let cells = model.cells(of: [Span(rows: 2), Span(), Span(), Span(), Span()])
    #expect(model.rows(cells, [100, 20, 30, 10, 40]) == [30, 65])
    #expect(model.height([30, 65]) == 100)
  }

  @Test(arguments: [("", []), ("0 1 2.5", [0, 1, 2.5]), (" 1 ", [1])] as [(String, [Double])])
  func `shares are read from a text`(text: String, weights: [Double]) throws {
    let read = try #require(GridWeights(text: text))
    #expect(read.weights == weights)
    #expect(GridWeights(text: read.text) == read)
  }

  @Test(arguments: ["a", "1,2", "-1", "nan", "1001", "inf"]) func `a text that says no shares is an error`(text: String)
  {
    #expect(throws: InspectableError.self) { try GridWeights(json: .string(text)) }
  }

  // MARK: Views

  private func box(_ width: Double, _ height: Double) -> View {
    View(frame: Rect(x: 0, y: 0, width: width, height: height))
  }

  @Test func `views fill their cells, hidden ones take none, and from right to left columns are mirrored`() {
    let views = [box(30, 20), box(50, 40), box(40, 10), box(10, 10)]
    let grid = Grid(views, columnCount: 2)
    grid.frame = Rect(x: 0, y: 0, width: 208, height: 200)
    grid.layoutIfNeeded()
    #expect(
      views.map(\.frame) == [
        Rect(x: 0, y: 0, width: 100, height: 40), Rect(x: 108, y: 0, width: 100, height: 40),
        Rect(x: 0, y: 48, width: 100, height: 10), Rect(x: 108, y: 48, width: 100, height: 10),
      ])
    views[0].isHidden = true
    grid.layoutIfNeeded()
    #expect(views[1].frame.minX == 0 && views[3].frame == Rect(x: 0, y: 48, width: 100, height: 10))
    grid.layoutDirection = .rightToLeft
    grid.layoutIfNeeded()
    #expect(views[1].frame.minX == 108 && views[2].frame.minX == 0)
  }

  @Test func `a view that does not fill its cell is aligned in it`() {
    let views = [box(30, 20), box(50, 40)]
    let grid = Grid(views, columnCount: 2)
    (grid.fillsCells, grid.horizontalAlignment, grid.verticalAlignment) = (false, .trailing, .bottom)
    grid.frame = Rect(x: 0, y: 0, width: 208, height: 40)
    grid.layoutIfNeeded()
    #expect(views[0].frame == Rect(x: 70, y: 20, width: 30, height: 20))
  }

  @Test func `a view over several cells has their room and the space between`() {
    let wide = box(10, 10)
    let grid = Grid([box(30, 20)], columnCount: 3)
    grid.addSubview(wide, columnSpan: 2)
    grid.frame = Rect(x: 0, y: 0, width: 316, height: 100)
    grid.layoutIfNeeded()
    #expect(
      wide.superview?.frame == Rect(x: 108, y: 0, width: 208, height: 20)
        && wide.frame.size == Size(width: 208, height: 20))
    (wide.superview as? GridCell)?.columnSpan = 3
    grid.layoutIfNeeded()
    #expect(wide.superview?.frame == Rect(x: 0, y: 28, width: 316, height: 10))
  }

  @Test func `a text in a narrower column gets more lines, and the grid is higher`() {
    let label = Label("A rather long text that needs a second line when the column is narrow")
    label.numberOfLines = 0
    let grid = Grid([label, box(20, 20)], columnCount: 2)
    FontLibrary.shared = ControlHarness.fonts
    let (wide, narrow) = (
      grid.sizeThatFits(Size(width: 2000, height: 0)), grid.sizeThatFits(Size(width: 300, height: 0))
    )
    #expect(narrow.height > wide.height && narrow.width == 300 && wide.width > 300)
  }

  @Test func `a grid in a scene file has its views in columns`() throws {
    let harness = ControlHarness(size: Size(width: 208, height: 100))
    let grid = Grid()
    grid.columnWeights = [1, 3]
    for name in ["a", "b"] {
      let view = box(20, 20)
      view.name = name
      grid.addSubview(view)
    }
    grid.frame = harness.root.bounds
    harness.root.addSubview(grid)
    harness.frame()
    #expect(grid.subviews.map(\.frame.width) == [50, 150])
    grid.subviews[0].frame.size.height = 70
    grid.subviews[0].setNeedsLayout()
    harness.settle()
    #expect(grid.subviews.map(\.frame.height) == [70, 70], "its own size moves the others")
  }
}

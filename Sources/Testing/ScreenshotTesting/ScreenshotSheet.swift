/// A sheet of views with captions, for example a control in all of its states, which is viewed and compared as one image.
///
/// Cells are arranged in rows, from the side on which reading begins, and each view keeps its size. The colours are the
/// theme's.
public final class ScreenshotSheet: View {
  private struct Cell {
    let caption: Caption
    let view: View
    let size: Size
  }

  /// The space around and between cells, in points.
  static let margin = 16.0
  /// The height of a caption, in points.
  static let captionHeight = 18.0

  private let columns: Int
  private var cells: [Cell] = []

  /// A sheet with `columns` cells in a row, at least one.
  public init(columns: Int) {
    self.columns = max(columns, 1)
    super.init(frame: .zero)
  }

  /// Adds `view` under a caption, and resizes the sheet to fit. The view gets `size`, or keeps its own size if that is nil.
  public func add(_ caption: String, _ view: View, size: Size? = nil) {
    if let size { view.frame = Rect(origin: .zero, size: size) }
    let cell = Cell(caption: Caption(caption), view: view, size: view.bounds.size)
    cells.append(cell)
    addSubview(cell.caption)
    addSubview(view)
    frame = Rect(origin: frame.origin, size: sizeThatFits(.zero))
    setNeedsLayout()
  }

  /// As large as all cells and the margins between them.
  public override func sizeThatFits(_ size: Size) -> Size {
    let (columns, rows) = tracks
    return Size(
      width: columns.reduce(Self.margin) { $0 + $1 + Self.margin },
      height: rows.reduce(Self.margin) { $0 + $1 + Self.captionHeight + Self.margin })
  }

  /// Puts each view under its caption, at the side of its cell on which reading begins.
  public override func layoutSubviews() {
    let (widths, heights) = tracks
    let direction = effectiveLayoutDirection
    var y = Self.margin
    for (row, height) in heights.enumerated() {
      var x = Self.margin
      for (column, width) in widths.enumerated() {
        let index = row * columns + column
        guard index < cells.count else { break }
        let cell = cells[index]
        cell.caption.frame = direction.rect(
          Rect(x: x, y: y, width: width, height: Self.captionHeight), in: bounds.width)
        cell.view.frame = direction.rect(
          Rect(x: x, y: y + Self.captionHeight, width: cell.size.width, height: cell.size.height), in: bounds.width)
        x += width + Self.margin
      }
      y += height + Self.captionHeight + Self.margin
    }
  }

  private var tracks: (columns: [Double], rows: [Double]) {
    var widths = [Double](repeating: 0, count: min(columns, cells.count))
    var heights = [Double](repeating: 0, count: (cells.count + columns - 1) / columns)
    for (index, cell) in cells.enumerated() {
      widths[index % columns] = max(
        widths[index % columns], cell.size.width.rounded(.up), cell.caption.textWidth.rounded(.up))
      heights[index / columns] = max(heights[index / columns], cell.size.height.rounded(.up))
    }
    return (widths, heights)
  }
}

private final class Caption: View {
  private let text: String
  private let font = Font(size: 12)

  init(_ text: String) {
    self.text = text
    super.init(frame: .zero)
  }

  var textWidth: Double { FontLibrary.shared.layout(text, font: font).size.width }

  override func draw(_ canvas: Canvas) {
    draw(FontLibrary.shared.layout(text, font: font), leading: 0, y: 0, theme.secondaryLabel, on: canvas)
  }
}

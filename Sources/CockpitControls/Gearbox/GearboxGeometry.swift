/// The geometry of a gate with `gearCount` forward gears in a control of `size`.
///
/// Rows count from the top: row 0 is the fastest gear, then the slower ones, then N, then R. All literals are the source
/// article's, in *article points*: at 200 x 580 with ten gears, one article point is one logical point.
nonisolated public struct GearboxGeometry: Hashable, Sendable {
  /// How the gate uses the control's bounds.
  public enum Fit: String, CaseIterable, Hashable, Sendable, InspectableValue {
    /// The article's gate of 200 x 580 scaled as a whole, at the top and centred; scale 1 at 200 x 580. As in the article, the
    /// lower half stays empty.
    case proportional
    /// The gate fills the bounds: the height determines the distance of the rows, the width that of the strokes, and the lesser
    /// of the two the size of knob and letters. At 200 x 300 it equals the article's gate.
    case filling
  }

  /// How touches are assigned to rows.
  public enum Bands: String, CaseIterable, Hashable, Sendable, InspectableValue {
    /// Each touch chooses the nearest row: the borders lie midway between lines, including those of N and R.
    case even
    /// The article's thresholds: N takes 10 points of the slowest gear's half of the gap, and 10 of R's.
    case article
  }

  /// The numbers of forward gears that a gate can have.
  public static let gearCounts = 1...20

  /// The size for which the article's gate is drawn.
  public static let articleSize = Size(width: 200, height: 580)

  /// The control's size in logical points.
  public let size: Size
  /// The number of forward gears, within `gearCounts`.
  public let gearCount: Int
  /// How the gate uses the bounds.
  public let fit: Fit
  /// How touches are assigned to rows.
  public let bands: Bands
  /// The logical points in an article point, across and down; 0 if the control has no area.
  public let unit: Size
  /// The left end of the gate's 200 article points, in logical points.
  public let left: Double

  /// A gate for `gearCount` forward gears (clamped to `gearCounts`) in `size`. A size without area, or not finite, gives a gate
  /// that contains no point.
  public init(size: Size, gearCount: Int = 10, fit: Fit = .proportional, bands: Bands = .even) {
    let count = gearCount.clamped(to: GearboxGeometry.gearCounts)
    let usable = !size.isEmpty && size.width.isFinite && size.height.isFinite
    let across = usable ? size.width / GearboxGeometry.articleSize.width : 0
    self.size = size
    self.gearCount = count
    self.fit = fit
    self.bands = bands
    switch fit {
    case .proportional:
      // The empty lower half is as high as with ten gears, whatever their number, so that 580 fits ten exactly.
      let down = usable ? size.height / (GearboxGeometry.articleSize.height + Double(count - 10) * 20) : 0
      unit = Size(width: min(across, down), height: min(across, down))
    case .filling:
      // The knob is 4 article points from both ends.
      unit = Size(width: across, height: usable ? size.height / (Double(count + 5) * 20) : 0)
    }
    left = (size.width - 200 * unit.width) / 2
  }

  // MARK: Rows

  /// The number of rows: the forward gears, N and R.
  public var rowCount: Int { gearCount + 2 }

  /// The row of `gear`, which is clamped to the gears that exist.
  public func row(of gear: Gear) -> Int {
    switch gear.clamped(toGears: gearCount) {
    case .forward(let number): gearCount - number
    case .neutral: gearCount
    case .reverse: gearCount + 1
    }
  }

  /// The gear of `row`, clamped to the existing rows.
  public func gear(atRow row: Int) -> Gear {
    if row > gearCount { return .reverse }
    return row == gearCount ? .neutral : .forward(gearCount - max(row, 0))
  }

  /// The y of a row's lines in article points: 20 apart, with one row's gap before N and another before R.
  func articleY(ofRow row: Int) -> Double {
    let gaps: Int = max(0, row - gearCount + 1)
    return Double(row + 1 + gaps) * 20
  }

  /// The y of a row's lines, which is the knob's centre there, in logical points.
  public func y(ofRow row: Int) -> Double { articleY(ofRow: row) * unit.height }

  // MARK: Thresholds

  /// The row that a touch at `y` chooses. A forward row extends 10 article points to either side of its line, the lower end
  /// inclusive. The borders between the slowest gear and N, and between N and R, are 20 from both lines, or 10 and 30 below
  /// them with the article's bands. A `y` beyond either end of the gate is clamped to that end, where a lever stops. NaN is N.
  public func row(atArticleY y: Double) -> Int {
    guard !y.isNaN else { return gearCount }
    let lastForward = Double(gearCount) * 20
    let borders = bands == .even ? (20.0, 60.0) : (10.0, 70.0)
    if y > lastForward + borders.1 { return gearCount + 1 }
    if y > lastForward + borders.0 { return gearCount }
    return Int(((y - 30) / 20).rounded(.up).clamped(to: 0...Double(gearCount - 1)))
  }

  /// A logical y in article points; the y of N if the control has no area.
  public func articleY(_ y: Double) -> Double { unit.height > 0 ? y / unit.height : articleY(ofRow: gearCount) }

  // MARK: Shapes, in logical points

  /// The scale of the shapes that keep their proportions: knob and letters.
  public var shapeUnit: Double { min(unit.width, unit.height) }

  /// The area that takes touches by default: the gate's 200 article points across, from the control's top to the bottom of the
  /// knob in R. The empty part below it commands nothing.
  public var gate: Rect {
    Rect(x: left, y: 0, width: 200 * unit.width, height: (articleY(ofRow: gearCount + 1) + 16) * unit.height)
  }

  /// The knob's height, 32 article points. In a gate that fills its control it keeps its proportion to the numbers, which stay
  /// 12 points large in small gates, up to the distance of the rows.
  private var knobHeight: Double {
    fit == .filling ? max(32 * shapeUnit, min(numberSize * 32 / 18, 20 * unit.height)) : 32 * shapeUnit
  }

  /// The knob in `row`: 54 x 32 article points, centred on the row's lines.
  public func knob(inRow row: Int) -> Rect {
    let height = knobHeight
    let width = height * 54 / 32
    return Rect(
      x: left + 100 * unit.width - width / 2, y: y(ofRow: row) - height / 2, width: width, height: height)
  }

  /// The gear of a knob whose top left corner is at `position`: that of the row whose touch band contains the knob's middle. The
  /// knob never moves sideways, so x is ignored.
  public func gear(knobAt position: Point) -> Gear {
    gear(atRow: row(atArticleY: articleY(position.y + knobHeight / 2)))
  }

  /// The two lines of `row` as zero-height rectangles, left and right of the slot. The slowest forward gear's are the long
  /// ones.
  public func lines(inRow row: Int) -> (left: Rect, right: Rect) {
    let outer = row == gearCount - 1 ? 2.5 : 42.5
    let y = y(ofRow: row)
    func line(_ from: Double, _ to: Double) -> Rect {
      Rect(x: left + from * unit.width, y: y, width: (to - from) * unit.width, height: 0)
    }
    return (line(outer, 87.5), line(112.5, 200 - outer))
  }

  /// The width of the lines in logical points: 1 in the article's size. In a gate that fills its control it also grows with the distance
  /// of the rows, of which it is a 24th, so that the lines' colours are seen on a large screen.
  var lineWidth: Double { fit == .filling ? max(shapeUnit, 20 * unit.height / 24) : shapeUnit }

  /// The size of the letters N and R in logical points: the article's 20, and more in a gate that fills its control; never
  /// below 12, the smallest readable size.
  public var letterSize: Double { textSize(article: 20, filling: 24) }

  /// The size of the numbers of forward gears in logical points, 12 at least.
  public var numberSize: Double { textSize(article: 12, filling: 18) }

  private func textSize(article: Double, filling: Double) -> Double {
    guard shapeUnit > 0 else { return 0 }
    return max(fit == .filling ? (filling * shapeUnit).rounded() : article * shapeUnit, 12)
  }

  /// The middles of the columns of texts in a gate with numbers, and how far the columns reach to either side.
  var textColumns: (left: Double, right: Double, reach: Double) {
    (left + 27 * unit.width, left + 173 * unit.width, max(numberSize * 0.72, letterSize * 0.45) + 4)
  }

  /// The top left corner of the left letter of N or R, and the top right corner of the right letter, so that the two are
  /// symmetrical whatever the glyph's width; nil for forward rows.
  public func letterCorners(inRow row: Int) -> (left: Point, right: Point)? {
    guard row >= gearCount, row < rowCount else { return nil }
    let top = y(ofRow: row) - letterSize / 2
    let middle = left + 100 * unit.width
    return (Point(x: middle - 80 * unit.width, y: top), Point(x: middle + 80 * unit.width, y: top))
  }
}

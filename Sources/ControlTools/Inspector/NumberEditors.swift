/// How finely a number is shown and changed.
nonisolated struct NumberPrecision: Hashable, Sendable {
  /// The most digits after the point that a slider chooses.
  let digits: Int
  /// What one step of a drag or an arrow key is.
  let step: Double

  /// Whole numbers.
  static let whole = NumberPrecision(digits: 0, step: 1)

  private init(digits: Int, step: Double) {
    (self.digits, self.step) = (digits, step)
  }

  /// For numbers within `limits`: about a hundred steps from end to end.
  init(limits: ClosedRange<Double>) {
    var (digits, span) = (2, limits.upperBound - limits.lowerBound)
    while span >= 10, digits > 0 { (digits, span) = (digits - 1, span / 10) }
    while span < 1, span > 0, digits < 6 { (digits, span) = (digits + 1, span * 10) }
    self.init(digits: digits + 1, step: (0..<digits).reduce(1.0) { step, _ in step / 10 })
  }

  /// For numbers without limits, of which `value` is one: fractions in hundredths, others by whole ones.
  init(near value: Double) {
    self = value != value.rounded() && abs(value) < 10 ? NumberPrecision(digits: 3, step: 0.01) : .whole
  }
}

/// A number: by slider and keyboard where it has limits, else by dragging its field and by keyboard.
final class NumberEditor: ValueEditor<Double> {
  /// Beyond this many units from end to end a slider would skip most values.
  private static let greatestSpan = 1000.0
  private static let fieldWidth = 76.0
  private static let gap = 12.0

  private let slider: Slider?
  private let field = NumberField()
  private let precision: NumberPrecision?

  /// An editor of numbers. Where `property` has no limits that a slider could show, it goes over `reach`, and the field beyond.
  init(
    _ property: AnyProperty, of target: View, isWhole: Bool, reach: ClosedRange<Double>?,
    read: @escaping (View) -> Double, write: @escaping (Double, View) -> Void
  ) {
    let limits = property.limits
    let isNarrow = limits.map { $0.upperBound - $0.lowerBound <= Self.greatestSpan } ?? false
    let range = isNarrow ? limits : reach
    let precision = isWhole ? NumberPrecision.whole : (range ?? limits).map { NumberPrecision(limits: $0) }
    self.precision = precision
    slider = range == nil ? nil : Slider()
    super.init(property, of: target, read: read, write: write)
    if isWhole { field.fractionDigits = 0 }
    field.minimumValue = limits.flatMap { $0.lowerBound.isFinite ? $0.lowerBound : nil }
    field.maximumValue = limits.flatMap { $0.upperBound.isFinite ? $0.upperBound : nil }
    add(field, "field") { [unowned self] in set($0.value) }
    guard let slider, let range, let precision else { return }
    slider.minimumValue = range.lowerBound
    slider.maximumValue = range.upperBound
    if isWhole { slider.step = 1 }
    let format = NumberFormat(fractionDigits: precision.digits)
    add(slider, "slider") { [unowned self] in set(format.rounded($0.value)) }
  }

  override var idealWidth: Double { slider == nil ? 96 : 200 }

  override func show(_ number: Double) {
    if let slider, isFree(slider) { slider.value = number }
    if isFree(field) {
      field.stepValue = (precision ?? NumberPrecision(near: number)).step
      field.value = number
    }
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: field.sizeThatFits(size).height)
  }

  override func layoutSubviews() {
    let (width, direction) = (bounds.width, effectiveLayoutDirection)
    guard let slider else { return field.frame = bounds }
    let fieldWidth = min(Self.fieldWidth, width / 2)
    let place = Rect(x: 0, y: 0, width: max(width - fieldWidth - Self.gap, 0), height: bounds.height)
    slider.frame = direction.rect(place, in: width).insetBy(dx: 0, dy: max((bounds.height - 31) / 2, 0))
    field.frame = direction.rect(
      Rect(x: width - fieldWidth, y: 0, width: fieldWidth, height: bounds.height), in: width)
  }
}

/// Some numbers with a caption each, two in a row.
final class NumberGrid: View {
  private static let gap = 8.0
  let fields: [NumberField]
  /// True for captions of one letter.
  private let isShort: Bool
  private let captions: [Label]

  init(_ names: [String]) {
    isShort = names.allSatisfy { $0.count == 1 }
    fields = names.map { _ in NumberField() }
    captions = names.map { Label($0, style: .caption) }
    super.init(frame: .zero)
    for caption in captions { addSubview(caption) }
    themeDidChange()
  }

  var idealWidth: Double { isShort ? 176 : 256 }

  private var captionWidth: Double { isShort ? 16 : 52 }
  private var rowCount: Int { (fields.count + 1) / 2 }
  private var rowHeight: Double { fields.first?.sizeThatFits(.zero).height ?? 0 }

  override func themeDidChange() {
    for caption in captions { caption.textColor = theme.secondaryLabel }
  }

  override func didMoveToRoot() { themeDidChange() }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: Double(rowCount) * (rowHeight + Self.gap) - Self.gap)
  }

  override func layoutSubviews() {
    let (height, direction) = (rowHeight, effectiveLayoutDirection)
    let column = max((bounds.width - Self.gap) / 2, 0)
    for (index, field) in fields.enumerated() {
      let (x, y) = (Double(index % 2) * (column + Self.gap), Double(index / 2) * (height + Self.gap))
      let caption = min(captionWidth, column / 2)
      captions[index].frame = direction.rect(Rect(x: x, y: y, width: caption, height: height), in: bounds.width)
      field.frame = direction.rect(
        Rect(x: x + caption, y: y, width: column - caption, height: height), in: bounds.width)
    }
  }
}

/// A point, a size, a rectangle or insets, as a field for each number.
final class NumbersEditor: ValueEditor<[Double]> {
  private let grid: NumberGrid

  /// An editor of the numbers in `parts`, each with its caption.
  init<Value>(
    _ property: Property<Value>, of target: View, _ parts: [(caption: String, path: WritableKeyPath<Value, Double>)]
  ) {
    grid = NumberGrid(parts.map(\.caption))
    super.init(
      property, of: target,
      read: { view in
        let value = property.value(of: view)
        return parts.map { value[keyPath: $0.path] }
      },
      write: { numbers, view in
        var value = property.value(of: view)
        for (part, number) in zip(parts, numbers) { value[keyPath: part.path] = number }
        property.set(value, on: view)
      })
    for (index, field) in grid.fields.enumerated() {
      add(field, parts[index].caption.lowercased()) { [unowned self] in
        guard var value else { return }
        value[index] = $0.value
        set(value)
      }
      grid.addSubview(field)
    }
    addSubview(grid)
  }

  override var idealWidth: Double { grid.idealWidth }

  override func show(_ numbers: [Double]) {
    for (number, field) in zip(numbers, grid.fields) where isFree(field) {
      field.stepValue = NumberPrecision(near: number).step
      field.value = number
    }
  }

  override func sizeThatFits(_ size: Size) -> Size { grid.sizeThatFits(size) }
  override func layoutSubviews() { grid.frame = bounds }
}

/// A range: two fields, and a range slider over them where it has limits.
final class RangeEditor: ValueEditor<ClosedRange<Double>> {
  private static let sliderHeight = 44.0
  private let slider: RangeSlider?
  private let grid = NumberGrid(["From", "To"])

  init(_ property: Property<ClosedRange<Double>>, of target: View) {
    slider = property.limits.map { limits in
      let slider = RangeSlider()
      (slider.minimumValue, slider.maximumValue) = (limits.lowerBound, limits.upperBound)
      return slider
    }
    super.init(property, of: target, read: { property.value(of: $0) }, write: { property.set($0, on: $1) })
    for (index, field) in grid.fields.enumerated() {
      field.minimumValue = property.limits?.lowerBound
      field.maximumValue = property.limits?.upperBound
      add(field, index == 0 ? "from" : "to") { [unowned self] in set($0.value, at: index) }
      grid.addSubview(field)
    }
    addSubview(grid)
    guard let slider, let limits = property.limits else { return }
    let format = NumberFormat(fractionDigits: NumberPrecision(limits: limits).digits)
    add(slider, "slider") { [unowned self] slider in
      set(format.rounded(slider.lowerValue)...max(format.rounded(slider.lowerValue), format.rounded(slider.upperValue)))
    }
  }

  private func set(_ number: Double, at index: Int) {
    guard let value else { return }
    // The other end goes along where it would be passed.
    set(index == 0 ? number...max(value.upperBound, number) : min(value.lowerBound, number)...number)
  }

  override var idealWidth: Double { grid.idealWidth }

  override func show(_ value: ClosedRange<Double>) {
    if let slider, isFree(slider) {
      slider.lowerValue = value.lowerBound
      slider.upperValue = value.upperBound
      slider.lowerValue = value.lowerBound
    }
    for (number, field) in zip([value.lowerBound, value.upperBound], grid.fields) where isFree(field) {
      field.stepValue = (property.limits.map { NumberPrecision(limits: $0) } ?? NumberPrecision(near: number)).step
      field.value = number
    }
  }

  private var sliderSpace: Double { slider == nil ? 0 : Self.sliderHeight }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: grid.sizeThatFits(size).height + sliderSpace)
  }

  override func layoutSubviews() {
    slider?.frame = Rect(x: 0, y: 0, width: bounds.width, height: sliderSpace).insetBy(dx: 0, dy: 6.5)
    grid.frame = Rect(x: 0, y: sliderSpace, width: bounds.width, height: max(bounds.height - sliderSpace, 0))
  }
}

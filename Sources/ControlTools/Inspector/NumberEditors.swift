/// The precision with which a number is shown and changed.
nonisolated struct NumberPrecision: Hashable, Sendable {
  /// The number of decimals to which a slider rounds.
  let digits: Int
  /// The step of a drag or an arrow key.
  let step: Double

  static let whole = NumberPrecision(digits: 0, step: 1)

  private init(digits: Int, step: Double) {
    (self.digits, self.step) = (digits, step)
  }

  /// For numbers within `limits`: a hundred to a thousand steps from end to end, but steps of at most 1.
  init(limits: ClosedRange<Double>) {
    var (digits, span) = (2, limits.upperBound - limits.lowerBound)
    while span >= 10, digits > 0 { (digits, span) = (digits - 1, span / 10) }
    while span < 1, span > 0, digits < 6 { (digits, span) = (digits + 1, span * 10) }
    self.init(digits: digits + 1, step: (0..<digits).reduce(1.0) { step, _ in step / 10 })
  }

  /// For numbers without limits, by the present `value`: steps of 0.01 for a fraction below 10, otherwise steps of 1.
  init(near value: Double) {
    self = value != value.rounded() && abs(value) < 10 ? NumberPrecision(digits: 3, step: 0.01) : .whole
  }
}

/// An editor for a number: a field to drag and type in, with a slider beside it if the number has a range for one.
final class NumberEditor: ValueEditor<Double> {
  /// The greatest range of a slider; over a greater one it would skip most values.
  private static let greatestSpan = 1000.0
  private static let fieldWidth = 76.0
  private static let gap = 12.0

  private let slider: Slider?
  private let field = NumberField()
  private let precision: NumberPrecision?

  /// An editor of `property`. If its limits are absent or too far apart for a slider, the slider covers `reach`, and the field
  /// also takes numbers beyond.
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
    let width = bounds.width
    guard let slider else { return field.frame = bounds }
    let fieldWidth = min(Self.fieldWidth, width / 2)
    let place = Rect(x: 0, y: 0, width: max(width - fieldWidth - Self.gap, 0), height: bounds.height)
    slider.frame = mirrored(place).insetBy(dx: 0, dy: max((bounds.height - 31) / 2, 0))
    field.frame = mirrored(Rect(x: width - fieldWidth, y: 0, width: fieldWidth, height: bounds.height))
  }
}

/// An editor for the numbers of a point, a size, a rectangle, insets or a range: a captioned field for each, two in a row. A
/// range with limits also has a range slider above its fields.
final class NumbersEditor<Value: VectorValue>: ValueEditor<Value> {
  private let gap = 8.0
  private let fields = Value.numberNames.map { _ in NumberField() }
  private let captions = Value.numberNames.map { Label($0, style: .caption) }
  private let slider: RangeSlider?
  /// Whether every caption is a single letter.
  private let isShort = Value.numberNames.allSatisfy { $0.count == 1 }

  init(_ property: Property<Value>, of target: View) {
    let limits = property.limits
    slider = Value.self == ClosedRange<Double>.self && limits != nil ? RangeSlider() : nil
    super.init(property, of: target, read: { property.value(of: $0) }, write: { property.set($0, on: $1) })
    for caption in captions { addSubview(caption) }
    for (index, field) in fields.enumerated() {
      (field.minimumValue, field.maximumValue) = (limits?.lowerBound, limits?.upperBound)
      add(field, Value.numberNames[index].lowercased()) { [unowned self] in set($0.value, at: index) }
    }
    themeDidChange()
    guard let slider, let limits else { return }
    (slider.minimumValue, slider.maximumValue) = (limits.lowerBound, limits.upperBound)
    let format = NumberFormat(fractionDigits: NumberPrecision(limits: limits).digits)
    add(slider, "slider") { [unowned self] slider in
      let lower = format.rounded(slider.lowerValue)
      if let range = Value(numbers: [lower, max(lower, format.rounded(slider.upperValue))]) { set(range) }
    }
  }

  private func set(_ number: Double, at index: Int) {
    guard var numbers = value?.numbers else { return }
    numbers[index] = number
    // If one end of a range would pass the other, both get the new number.
    if let value = Value(numbers: numbers) ?? Value(numbers: numbers.map { _ in number }) { set(value) }
  }

  override func show(_ value: Value) {
    let numbers = value.numbers
    if let slider, isFree(slider) {
      slider.lowerValue = numbers[0]
      slider.upperValue = numbers[1]
      slider.lowerValue = numbers[0]
    }
    for (number, field) in zip(numbers, fields) where isFree(field) {
      field.stepValue = (property.limits.map { NumberPrecision(limits: $0) } ?? NumberPrecision(near: number)).step
      field.value = number
    }
  }

  override func themeDidChange() {
    for caption in captions { caption.textColor = theme.secondaryLabel }
  }

  // MARK: Layout

  override var idealWidth: Double { isShort ? 176 : 256 }

  private var rowHeight: Double { fields[0].sizeThatFits(.zero).height }
  private var sliderHeight: Double { slider == nil ? 0 : 44 }

  override func sizeThatFits(_ size: Size) -> Size {
    let rows = Double((fields.count + 1) / 2)
    return Size(width: size.width, height: rows * (rowHeight + gap) - gap + sliderHeight)
  }

  override func layoutSubviews() {
    slider?.frame = Rect(x: 0, y: 0, width: bounds.width, height: sliderHeight).insetBy(dx: 0, dy: 6.5)
    let height = rowHeight
    let column = max((bounds.width - gap) / 2, 0)
    for (index, field) in fields.enumerated() {
      let (x, y) = (Double(index % 2) * (column + gap), sliderHeight + Double(index / 2) * (height + gap))
      let caption = min(isShort ? 16 : 52, column / 2)
      captions[index].frame = mirrored(Rect(x: x, y: y, width: caption, height: height))
      field.frame = mirrored(Rect(x: x + caption, y: y, width: column - caption, height: height))
    }
  }
}

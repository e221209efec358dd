/// A button with a title, an image or both, each of which may differ by state.
///
/// A state without its own value uses that of a smaller state: selected and highlighted together fall back to selected, then to
/// highlighted, then to normal. A tap, or Space or Enter, sends `primaryActionTriggered`; a toggle button then also switches
/// and sends `valueChanged`.
@ListsProperties
public final class Button: Control {
  // MARK: Titles

  /// The title by state: `titles[.selected] = "On"`. A state without one uses that of a smaller state.
  public var titles = StateTable<String>() {
    didSet { didChange(from: oldValue, to: titles, normal: \Button.title) { \Button.titles[$0] } }
  }
  /// The title of every state without its own.
  @Inspectable(\Button.titles[.normal, default: ""], .layout) public var title: String
  /// The title while pressed; nil for `title`.
  @Inspectable(\Button.titles[.highlighted], .layout, group: "Title") private var highlightedTitle: String?
  /// The title while selected, such as a toggle button that is on; nil for `title`.
  @Inspectable(\Button.titles[.selected], .layout, group: "Title") private var selectedTitle: String?
  /// The title while selected and pressed; nil for that while selected, and then for that while pressed.
  @Inspectable(\Button.titles[[.selected, .highlighted]], .layout, group: "Title")
  private var selectedHighlightedTitle: String?
  /// The title while disabled; nil for `title`.
  @Inspectable(\Button.titles[.disabled], .layout, group: "Title") private var disabledTitle: String?
  /// The text style, which determines the theme's font size.
  @Inspectable(.layout) public var textStyle = Theme.TextStyle.body
  /// The font size in points, from 12 to 400; nil for the theme's.
  @Inspectable(.layout, normalise: Font.usableSize) public var fontSize: Double?
  /// The font weight of the title.
  @Inspectable(.layout) public var fontWeight = Font.Weight.regular

  // MARK: Pictures

  /// The image by state, from a file or made by code: `images[.selected].file`. A state without one uses that of a smaller
  /// state. `imageError` reports files that cannot be read.
  public var images = StateTable<ImageSource>() {
    didSet { didChange(from: oldValue, to: images, normal: \Button.images[.normal].file) { \Button.images[$0].file } }
  }
  /// The file of the image of every state without its own; nil for none.
  @Inspectable(\Button.images[.normal].file, .layout) private var imageFile: ImageReference?
  /// The file of the image while selected; nil for `imageFile`.
  @Inspectable(\Button.images[.selected].file, .layout, group: "Image") private var selectedImageFile: ImageReference?
  /// The side of the title on which the image is placed.
  @Inspectable(.layout) public var imagePlacement = ImagePlacement.leading
  /// The space between image and title, in points.
  @Inspectable(.layout) public var imageSpacing = 8.0
  /// True to draw the image's shape in the title's colour, for icons.
  @Inspectable(.display, group: "Image") public var tintsImage = false

  // MARK: Look

  /// How prominent the button is.
  @Inspectable(.display) public var style = ButtonStyle.standard
  /// The title's colour by state. A state without one uses the style's.
  public var titleColors = StateTable<Color>() {
    didSet { didChange(from: oldValue, to: titleColors, normal: \Button.titleColor) { \Button.titleColors[$0] } }
  }
  /// The title's colour in every state without its own; nil for the style's.
  @Inspectable(\Button.titleColors[.normal], .display) public var titleColor: Color?
  /// The background colour by state. A state without one uses the style's.
  public var fillColors = StateTable<Color>() {
    didSet { didChange(from: oldValue, to: fillColors, normal: \Button.fillColor) { \Button.fillColors[$0] } }
  }
  /// The background colour in every state without its own; nil for the style's.
  @Inspectable(\Button.fillColors[.normal], .display) public var fillColor: Color?
  /// The radius of the corners in points, at most half of the shorter side.
  @Inspectable(.display, normalise: { max($0, 0.0) }) public var cornerRadius = 10.0

  // MARK: Layout

  /// The distances from the edges to image and title. Left is the leading side.
  @Inspectable(.layout) public var contentInsets = EdgeInsets(top: 10, left: 16, bottom: 10, right: 16)
  /// Offsets the image after alignment, by left - right and top - bottom. Left is the leading side.
  @Inspectable(.layout) public var imageInsets = EdgeInsets.zero
  /// Offsets the title after alignment, by left - right and top - bottom. Left is the leading side.
  @Inspectable(.layout) public var titleInsets = EdgeInsets.zero
  /// The horizontal alignment of image and title.
  @Inspectable(.layout) public var horizontalAlignment = HorizontalAlignment.center
  /// The vertical alignment of image and title.
  @Inspectable(.layout) public var verticalAlignment = VerticalAlignment.center

  // MARK: Behaviour

  /// True when a tap turns `isSelected` over.
  @Inspectable(.none, group: "Control") public var isToggle = false

  /// Why one of the image files cannot be read; nil if all can.
  public var imageError: PictureError? { images.first(\.error) }

  /// Creates a button with a title, sized to fit.
  public convenience init(_ title: String, style: ButtonStyle = .standard) {
    self.init(frame: .zero)
    self.title = title
    self.style = style
    sizeToFit()
  }

  /// The title for the button's present state; empty if it has none.
  public var currentTitle: String { titles.value(for: state) ?? "" }

  /// The image for the button's present state; nil if it has none.
  public var currentImage: Picture? { images.picture(for: state) }

  // MARK: Control

  public override var hasPrimaryAction: Bool { true }

  public override var ownEvents: Event { super.ownEvents.union(.valueChanged) }

  /// The new state may have a different title or image.
  public override func stateDidChange(from old: State) {
    super.stateDidChange(from: old)
    let isSame = titles.value(for: old) == titles.value(for: state) && images.picture(for: old) === currentImage
    if !isSame { setNeedsLayout() }
  }

  /// Turns a toggle over, so that receivers of the action find it turned.
  override func willTrigger() {
    guard isToggle else { return }
    isSelected.toggle()
    sendActions(for: .valueChanged)
  }

  public override var accessibilityRole: AccessibilityRole { isToggle ? .toggle : .button }
  public override var accessibilityTitle: String { currentTitle.isEmpty ? name : currentTitle }
  public override var accessibilityIsOn: Bool? { isToggle ? isSelected : nil }

  // MARK: Geometry

  /// The effective font, from the theme and the button's properties.
  public var font: Font {
    Font(size: fontSize ?? theme.fontSizes[textStyle], weight: fontWeight)
  }

  /// The sizes of the shown image and of the title; nil for a button without one.
  private var parts: (image: Size?, title: Size?) {
    let title = currentTitle
    let size = title.isEmpty ? nil : FontLibrary.shared.layout(title, font: font).size
    return (currentImage?.size, size.map { Size(width: $0.width.rounded(.up), height: $0.height) })
  }

  /// The size that image, title and insets need, at least 44 points each way.
  public override func sizeThatFits(_ size: Size) -> Size {
    let (image, title) = parts
    let content = contentSize(image: image, title: title)
    return Size(
      width: max(content.width + contentInsets.left + contentInsets.right, Self.minimumTouchSide).rounded(.up),
      height: max(content.height + contentInsets.top + contentInsets.bottom, Self.minimumTouchSide).rounded(.up))
  }

  // MARK: Drawing

  public override func draw(_ canvas: Canvas) {
    guard !bounds.isEmpty else { return }
    let look = look
    if !isEnabled, !hasOwnColors(for: .disabled) { canvas.multiplyAlpha(theme.disabledAlpha) }
    drawGround(look, on: canvas)
    let (imageSize, titleSize) = parts
    let (imageFrame, titleFrame) = frames(image: imageSize, title: titleSize)
    if let image = currentImage, !imageFrame.isEmpty {
      canvas.draw(image, in: imageFrame, tint: tintsImage ? look.title : nil)
    }
    let title = currentTitle
    guard !title.isEmpty, titleFrame.width > 0 else { return }
    let limits = TextLimits(width: titleFrame.width, lineCount: 1, direction: effectiveLayoutDirection)
    canvas.draw(
      TextLayout(title, font: font, limits: limits), at: titleFrame.center, look.title, anchor: .center)
  }

  /// The style's look with the colours that were set.
  private var look: ButtonLook {
    var look = ButtonLook(style, state, theme)
    if let color = fillColors.value(for: state) { look.fill = color }
    if let color = titleColors.value(for: state) { look.title = color }
    // Pressing also changes the background, unless that has its own colour for it.
    if isHighlighted, isEnabled, !hasOwnColors(for: .highlighted), let fill = look.fill {
      let pressed = theme.pressed
      look.fill = fill.mixed(with: pressed.withAlpha(fill.alpha), pressed.alpha)
    }
    return look
  }

  /// True where the present state's colours were set with `part` in mind.
  private func hasOwnColors(for part: State) -> Bool {
    let without = state.subtracting(part)
    return fillColors.value(for: state) != fillColors.value(for: without)
      || titleColors.value(for: state) != titleColors.value(for: without)
  }

  private func drawGround(_ look: ButtonLook, on canvas: Canvas) {
    let radius = min(cornerRadius, min(bounds.width, bounds.height) / 2)
    if let fill = look.fill { canvas.fill(Path(roundedRect: bounds, cornerRadius: radius), fill) }
    if let edge = look.edge {
      let inner = bounds.insetBy(dx: look.edgeWidth / 2, dy: look.edgeWidth / 2)
      if !inner.isEmpty {
        canvas.stroke(
          Path(roundedRect: inner, cornerRadius: max(radius - look.edgeWidth / 2, 0)), edge, width: look.edgeWidth)
      }
    }
    if let bar = look.bar, bounds.height >= 24 {
      let width = min(24, bounds.width / 3)
      let place = Rect(x: bounds.midX - width / 2, y: bounds.maxY - 7, width: width, height: 3)
      canvas.fill(Path(roundedRect: place, cornerRadius: 1.5), bar)
    }
  }

  public override var inspection: Inspection {
    super.inspection.adding([
      "title": .string(currentTitle),
      "isSelected": isToggle ? .bool(isSelected) : nil,
      "imageError": imageError.map { .string($0.description) },
    ])
  }
}

extension StateTable where Value == ImageSource {
  /// The image set for `state` itself.
  public subscript(state: Control.State) -> ImageSource {
    get { self[state, default: ImageSource()] }
    set { self[state, default: ImageSource()] = newValue }
  }

  /// The effective image in `state`; nil if its file cannot be read.
  public func picture(for state: Control.State) -> Picture? { first(for: state, \.picture) }
}

/// The prominence of a button.
nonisolated public enum ButtonStyle: String, CaseIterable, InspectableValue {
  /// A plain background with a thin edge.
  case standard
  /// Filled, for the most likely choice.
  case prominent
  /// Only the title until it is pressed or selected.
  case plain
}

nonisolated struct ButtonLook: Equatable {
  /// The background; nil for none.
  var fill: Color?
  /// The outline and its width in points; nil for none.
  var edge: Color?
  var edgeWidth = 1.0
  /// The title, and signs beside it.
  var title: Color
  /// The bar that shows "on" without relying on colour; nil for none.
  var bar: Color?

  init(_ style: ButtonStyle, _ state: Control.State, _ theme: Theme) {
    let isSelected = state.contains(.selected)
    switch style {
    case .standard:
      (fill, edge, title) = (theme.fill, theme.hairline, theme.label)
    case .prominent:
      (fill, edge, title) = (theme.trackHighlight, nil, theme.onAccent)
    case .plain:
      (fill, edge, title) = (nil, nil, theme.accent)
    }
    if style == .prominent, state.contains(.disabled) {
      // Fading its own colours would make the title unreadable.
      (fill, title) = (theme.fill.mixed(with: theme.trackHighlight, 0.3), theme.label)
    }
    if isSelected {
      // On: teal, and a bar like the lamp of a switch in a car.
      fill = (style == .plain ? theme.background : theme.fill).mixed(with: theme.accent, 0.2)
      (edge, edgeWidth) = (theme.accent, 1.5)
      (title, bar) = (theme.label, theme.accent)
    }
    if state.contains(.highlighted), !state.contains(.disabled) {
      // Pressed: a lit rim instead of shadows.
      let isFilled = style == .prominent && !isSelected
      edge = isFilled ? theme.trackHighlight.mixed(with: theme.label, 0.5) : theme.trackHighlight
      edgeWidth = 2
    }
  }
}

import Controls

/// What a modifier changes for the views inside.
nonisolated enum LookChange: Equatable {
  case textStyle(Theme.TextStyle)
  case fontSize(Double)
  case fontWeight(Font.Weight)
  case foreground(Color?)
  case textAlignment(HorizontalAlignment)
  case lineLimit(Int)
  case disabled(Bool)
  case buttonStyle(ButtonStyle)
  case toggleStyle(ToggleStyle)
  case pickerStyle(PickerStyle)
  case label(String)
  case name(String)
  case toolTip(String)
  case opacity(Double)
  case background(Color)
  case grow(Double)
  case shrink(Double)

  func apply(to look: inout Look) {
    switch self {
    case .textStyle(let style): (look.environment.textStyle, look.environment.fontSize) = (style, nil)
    case .fontSize(let size): look.environment.fontSize = size
    case .fontWeight(let weight): look.environment.fontWeight = weight
    case .foreground(let color): look.environment.foreground = color
    case .textAlignment(let alignment): look.environment.textAlignment = alignment
    case .lineLimit(let count): look.environment.lineLimit = max(count, 0)
    case .disabled(let disabled): if disabled { look.environment.isEnabled = false }
    case .buttonStyle(let style): look.environment.buttonStyle = style
    case .toggleStyle(let style): look.environment.toggleStyle = style
    case .pickerStyle(let style): look.environment.pickerStyle = style
    case .label(let label): look.settings.label = label
    case .name(let name): look.settings.name = name
    case .toolTip(let text): look.settings.toolTip = text
    case .opacity(let opacity): look.settings.alpha = (look.settings.alpha ?? 1) * opacity
    case .background(let color): look.settings.background = color
    case .grow(let share): look.settings.grow = share
    case .shrink(let share): look.settings.shrink = share
    }
  }
}

/// A view with a change of what it inherits.
struct InheritingView<Content: View>: PrimitiveView, Builtin {
  let content: Content
  let change: LookChange

  func node(over old: Node?, at place: Place) -> Node {
    var place = place
    change.apply(to: &place.look)
    return build(content, over: old, at: place)
  }
}

extension View {
  private func inheriting(_ change: LookChange) -> InheritingView<Self> {
    InheritingView(content: self, change: change)
  }

  // MARK: For all views inside

  /// Writes texts in the theme's size for `style`.
  public func font(_ style: Theme.TextStyle) -> some View { inheriting(.textStyle(style)) }

  /// Writes texts in `size` points, from 12 to 400.
  public func font(size: Double) -> some View { inheriting(.fontSize(size)) }

  /// Writes texts and buttons in this weight.
  public func fontWeight(_ weight: Font.Weight) -> some View { inheriting(.fontWeight(weight)) }

  /// Writes texts in `color`; nil for the theme's.
  public func foregroundStyle(_ color: Color?) -> some View { inheriting(.foreground(color)) }

  /// Puts the lines of texts at this side of their frames; at the leading side unless set.
  public func multilineTextAlignment(_ alignment: HorizontalAlignment) -> some View {
    inheriting(.textAlignment(alignment))
  }

  /// Breaks texts into no more than `count` lines; nil for as many as fit.
  public func lineLimit(_ count: Int?) -> some View { inheriting(.lineLimit(count ?? 0)) }

  /// Makes controls take no input if `disabled`, whatever descriptions inside say.
  public func disabled(_ disabled: Bool) -> some View { inheriting(.disabled(disabled)) }

  /// Makes buttons this prominent.
  public func buttonStyle(_ style: ButtonStyle) -> some View { inheriting(.buttonStyle(style)) }

  /// Shows toggles this way.
  public func toggleStyle(_ style: ToggleStyle) -> some View { inheriting(.toggleStyle(style)) }

  /// Shows pickers this way.
  public func pickerStyle(_ style: PickerStyle) -> some View { inheriting(.pickerStyle(style)) }

  // MARK: For the outermost views inside

  /// Names the view for assistive technology, in place of its own title.
  public func accessibilityLabel(_ label: String) -> some View { inheriting(.label(label)) }

  /// Names the view for `--dump-tree` and tests (`View.name` of Controls); no user hears it.
  public func accessibilityIdentifier(_ name: String) -> some View { inheriting(.name(name)) }

  /// Explains the view when a pointer rests on it.
  public func help(_ text: String) -> some View { inheriting(.toolTip(text)) }

  /// Shows the view with this opacity, 0...1, times that of the views around it.
  public func opacity(_ opacity: Double) -> some View { inheriting(.opacity(opacity)) }

  /// Fills the view's frame under its drawing.
  public func background(_ color: Color) -> some View { inheriting(.background(color)) }

  /// Gives the view this share of the space that is left over in its stack, as in flexbox: `View.grow` of Controls.
  public func grow(_ share: Double = 1) -> some View { inheriting(.grow(share)) }

  /// Gives the view this share of the space that is missing in its stack, as in flexbox: `View.shrink` of Controls.
  public func shrink(_ share: Double = 1) -> some View { inheriting(.shrink(share)) }

  // MARK: Around it

  /// Leaves `length` points free around the view.
  public func padding(_ length: Double = 16) -> some View { padding(EdgeInsets(length)) }

  /// Leaves space free around the view.
  public func padding(_ insets: EdgeInsets) -> some View { FrameView(content: self, insets: insets) }

  /// Gives the view a width, a height or both, in points; it fills them. Nil leaves the view its own.
  public func frame(width: Double? = nil, height: Double? = nil) -> some View {
    FrameView(content: self, width: width, height: height)
  }

  /// Says which thing the view shows: another one is shown by other views, with states of its own.
  public func id<ID: Hashable>(_ id: ID) -> some View { IdentifiedView(content: self, id: id) }
}

/// A view with space around it, or with a size of its own.
struct FrameView<Content: View>: Container {
  let content: Content
  var insets = EdgeInsets.zero
  var width: Double?
  var height: Double?

  func makeHost() -> FrameStack { FrameStack() }

  func show(in host: FrameStack) {
    put(insets, over: host.insets) { host.insets = $0 }
    (host.width, host.height) = (width, height)
  }

  /// As much of what is left over as the view inside takes.
  func didArrange(_ host: FrameStack) {
    var grow = 0.0
    for index in host.subviews.indices { grow = max(grow, host.subviews[index].grow) }
    put(grow, over: host.grow) { host.grow = $0 }
  }
}

/// A view that its subviews fill, with space around them or a size of its own.
final class FrameStack: StackView {
  @Redraws(.layout) var width: Double?
  @Redraws(.layout) var height: Double?

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    distribution = .fillEqually
  }

  override func layoutSubviews() { if !placeOnlySubview() { super.layoutSubviews() } }

  override func sizeThatFits(_ size: Size) -> Size {
    let wanted = super.sizeThatFits(Size(width: width ?? size.width, height: height ?? size.height))
    return Size(width: width ?? wanted.width, height: height ?? wanted.height)
  }
}

extension StackView {
  /// Has the only subview fill the space inside the insets, without asking how much it needs; false where there is none, or more.
  func placeOnlySubview() -> Bool {
    guard subviews.count == 1, !subviews[0].isHidden else { return false }
    subviews[0].setPlacedFrame(bounds.inset(by: insets))
    return true
  }
}

/// A view of one thing among several.
struct IdentifiedView<Content: View, ID: Hashable>: PrimitiveView, Builtin {
  let content: Content
  let id: ID

  func node(over old: Node?, at place: Place) -> Node {
    place.branch(over: old, Self.self, id) { build(content, over: $0, at: $1) }
  }
}

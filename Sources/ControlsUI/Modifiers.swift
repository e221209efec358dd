import Controls

/// A view with a change of what it inherits.
struct InheritingView<Content: View>: PrimitiveView, Builtin {
  let content: Content
  let change: (inout Look) -> Void

  func node(over old: Node?, at place: Place) -> Node {
    var place = place
    change(&place.look)
    return build(content, over: old, at: place)
  }
}

extension View {
  private func inheriting(_ change: @escaping (inout Look) -> Void) -> InheritingView<Self> {
    InheritingView(content: self, change: change)
  }

  // MARK: For all views inside

  /// Writes texts in the theme's size for `style`.
  public func font(_ style: Theme.TextStyle) -> some View {
    inheriting { ($0.environment.textStyle, $0.environment.fontSize) = (style, nil) }
  }

  /// Writes texts in `size` points, from 12 to 400.
  public func font(size: Double) -> some View { inheriting { $0.environment.fontSize = size } }

  /// Writes texts and buttons in this weight.
  public func fontWeight(_ weight: Font.Weight) -> some View { inheriting { $0.environment.fontWeight = weight } }

  /// Writes texts in `color`; nil for the theme's.
  public func foregroundStyle(_ color: Color?) -> some View { inheriting { $0.environment.foreground = color } }

  /// Puts the lines of texts at this side of their frames; at the leading side unless set.
  public func multilineTextAlignment(_ alignment: HorizontalAlignment) -> some View {
    inheriting { $0.environment.textAlignment = alignment }
  }

  /// Breaks texts into no more than `count` lines; nil for as many as fit.
  public func lineLimit(_ count: Int?) -> some View { inheriting { $0.environment.lineLimit = max(count ?? 0, 0) } }

  /// Makes controls take no input if `disabled`, whatever descriptions inside say.
  public func disabled(_ disabled: Bool) -> some View {
    inheriting { if disabled { $0.environment.isEnabled = false } }
  }

  /// Makes buttons this prominent.
  public func buttonStyle(_ style: ButtonStyle) -> some View { inheriting { $0.environment.buttonStyle = style } }

  /// Shows toggles this way.
  public func toggleStyle(_ style: ToggleStyle) -> some View { inheriting { $0.environment.toggleStyle = style } }

  /// Shows pickers this way.
  public func pickerStyle(_ style: PickerStyle) -> some View { inheriting { $0.environment.pickerStyle = style } }

  // MARK: For the outermost views inside

  /// Names the view for assistive technology, in place of its own title.
  public func accessibilityLabel(_ label: String) -> some View { inheriting { $0.settings.label = label } }

  /// Names the view for `--dump-tree` and tests (`View.name` of Controls); no user hears it.
  public func accessibilityIdentifier(_ name: String) -> some View { inheriting { $0.settings.name = name } }

  /// Explains the view when a pointer rests on it.
  public func help(_ text: String) -> some View { inheriting { $0.settings.toolTip = text } }

  /// Shows the view with this opacity, 0...1, times that of the views around it.
  public func opacity(_ opacity: Double) -> some View {
    inheriting { $0.settings.alpha = ($0.settings.alpha ?? 1) * opacity }
  }

  /// Fills the view's frame under its drawing.
  public func background(_ color: Color) -> some View { inheriting { $0.settings.background = color } }

  /// Gives the view this share of the space that is left over in its stack, as in flexbox: `View.grow` of Controls.
  public func grow(_ share: Double = 1) -> some View { inheriting { $0.settings.grow = share } }

  /// Gives the view this share of the space that is missing in its stack, as in flexbox: `View.shrink` of Controls.
  public func shrink(_ share: Double = 1) -> some View { inheriting { $0.settings.shrink = share } }

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
    put(insets, host, \.insets)
    (host.width, host.height) = (width, height)
  }

  /// As much of what is left over as the view inside takes.
  func didArrange(_ host: FrameStack) { put(host.subviews.map(\.grow).max() ?? 0, host, \.grow) }
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
    guard subviews.count == 1, let view = subviews.first, !view.isHidden else { return false }
    view.setPlacedFrame(bounds.inset(by: insets))
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

import ControlExercises
import ControlTools
import Controls
import UICore
import WindowDecoration

/// Every control of a registry in every state, with editors for its properties, for authors of controls.
///
/// Wide windows have three columns. In others the properties follow the stage, and both scroll together.
final class CatalogueScene: DecoratedRootView {
  /// The width from which properties have a separate column.
  private static let wideWidth = 960.0

  private let registry: ViewRegistry
  private let bar = CatalogueBar()
  private let listScroll = CatalogueColumn("controls", line: .trailing)
  private let stageScroll = CatalogueColumn("stage")
  private let propertiesScroll = CatalogueColumn("properties", line: .leading)
  private let list: CatalogueList
  private let stage = CatalogueBoard()
  private let properties = CatalogueProperties()

  /// A catalogue of the types of `registry`.
  init(registry: ViewRegistry = .everyControl) {
    self.registry = registry
    let names = registry.typeNames
    let controls = Set(names.filter { registry.makeView($0) is Control })
    list = CatalogueList([
      "Controls": names.filter { controls.contains($0) }, "Views": names.filter { !controls.contains($0) },
    ])
    super.init(frame: .zero)
    name = "catalogue"
    list.name = "list"
    stage.name = "cells"
    listScroll.content.addSubview(list)
    stageScroll.content.addSubview(stage)
    stageScroll.content.addSubview(properties)
    // In Tab order.
    for view in [bar, listScroll, stageScroll, propertiesScroll] as [View] { addSubview(view) }
    connect()
    showTheme(isDark: bar.darkSwitch.isOn)
    if let first = list.names.first { show(first) }
  }

  override var minimumSize: Size { Size(width: 480, height: 320) }

  private func connect() {
    list.addAction(for: .valueChanged) { [unowned self] in $0.selection.map(show) }
    bar.darkSwitch.addAction(for: .valueChanged) { [unowned self] in showTheme(isDark: $0.isOn) }
    bar.rightToLeftSwitch.addAction(for: .valueChanged) { [unowned self] in
      layoutDirection = $0.isOn ? .rightToLeft : .leftToRight
    }
    properties.reset.addAction(for: .primaryActionTriggered) { [unowned self] _ in list.selection.map(show) }
    keyInterceptor = { [unowned self] in WindowCommands.handle($0, in: host) }
  }

  // MARK: Selection

  /// Shows a new `type` with its default values.
  func show(_ type: String) {
    list.selection = type
    stage.show(type, of: registry)
    properties.show(stage.subject, type)
    stageScroll.scroll.contentOffset = .zero
    propertiesScroll.scroll.contentOffset = .zero
    setNeedsLayout()
    revealSelection()
  }

  /// Scrolls to the chosen row, with one row's height above it for a heading.
  private func revealSelection() {
    guard !listScroll.bounds.isEmpty, let row = list.selection.flatMap({ list.rect(of: $0) }) else { return }
    listScroll.scroll.scrollRectToVisible(row.insetBy(dx: 0, dy: -CatalogueList.rowHeight), animated: false)
  }

  /// Whether a light theme has the colours of the source articles' figures; false at first.
  var looksLikeArticle = false {
    didSet {
      bar.darkSwitch.isOn = !looksLikeArticle
      showTheme(isDark: bar.darkSwitch.isOn)
    }
  }

  private func showTheme(isDark: Bool) {
    theme = isDark ? .dark : looksLikeArticle ? .article : .light
    backgroundColor = theme.background
  }

  // MARK: Layout

  override func layoutSubviews() {
    let (width, height) = (bounds.width, bounds.height)
    let isWide = width >= Self.wideWidth
    let home = isWide ? propertiesScroll : stageScroll
    if properties.superview !== home.content {
      properties.removeFromSuperview()
      home.content.addSubview(properties)
    }
    propertiesScroll.isHidden = !isWide
    let top = CatalogueBar.height
    let listWidth = min(max((width * 0.17).rounded(), 172), 240)
    let propertiesWidth = isWide ? min(max((width * 0.27).rounded(), 336), 440) : 0
    bar.frame = Rect(x: 0, y: 0, width: width, height: top)
    func place(_ view: View, _ x: Double, _ columnWidth: Double) {
      view.frame = mirrored(Rect(x: x, y: top, width: max(columnWidth, 0), height: max(height - top, 0)))
    }
    place(listScroll, 0, listWidth)
    place(stageScroll, listWidth, width - listWidth - propertiesWidth)
    place(propertiesScroll, width - propertiesWidth, propertiesWidth)
  }
}

/// A column that scrolls up and down. Beside the stage it is a panel with a hairline towards it.
private final class CatalogueColumn: View {
  let scroll = ScrollView()
  /// The scrolled views, one below the other.
  let content = StackView()
  /// The side of the hairline.
  private let line: HorizontalAlignment?

  init(_ name: String, line: HorizontalAlignment? = nil) {
    self.line = line
    super.init(frame: .zero)
    self.name = name
    scroll.scrollsHorizontally = false
    content.anchors = .topRow
    scroll.contentView.addSubview(content)
    addSubview(scroll)
  }

  override func layoutSubviews() {
    guard let line else { return scroll.frame = bounds }
    let place = Rect(x: line == .leading ? 1 : 0, y: 0, width: max(bounds.width - 1, 0), height: bounds.height)
    scroll.frame = mirrored(place)
  }

  override func draw(_ canvas: Canvas) {
    guard let line else { return }
    canvas.fill(theme.panel)
    let width = 1 / max(canvas.scale.factor, 1)
    let place = Rect(x: line == .leading ? 0 : bounds.width - width, y: 0, width: width, height: bounds.height)
    canvas.fill(mirrored(place), theme.hairline)
  }
}

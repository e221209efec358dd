import Controls
import UICore

/// Makes the views of a scene. How many there are follows from the screen's size, as in LVGL's benchmark.
struct SceneMaker {
  let stage: SceneStage
  let size: Size

  private var root: RootView { stage.root }
  private var screen: Rect { Rect(origin: .zero, size: size) }

  func make(_ scene: BenchScene) {
    switch scene {
    case .emptyScreen: stage.recolor { [root] in root.backgroundColor = $0 }
    case .movingWallpaper: makeWallpaper()
    case .singleRectangle: makeRectangles(columns: 1, rows: 1, share: 0.3)
    case .multipleRectangles: makeRectangles(columns: 3, rows: 3, share: 0.25)
    case .opaqueImages: shakeGrid(side: 116, bottom: 116, distance: 80) { _ in ImageView(ScenePictures.opaque) }
    case .clearImages: shakeGrid(side: 116, bottom: 116, distance: 80) { _ in ImageView(ScenePictures.clear) }
    case .rotatedImages:
      shakeGrid(side: 116, bottom: 116, distance: 80) { _ in
        TurnedPicture(ScenePictures.clear, radians: stage.number(0.17, 6.1))
      }
    case .multipleLabels: makeLabels()
    case .screenSizedText: makeText()
    case .multipleArcs: makeArcs()
    case .containers: makeCards { _ in }
    case .containersWithOverlay: makeOverlay()
    case .containersWithOpacity: makeCards { for part in $0.subviews { part.alpha = 0.5 } }
    case .containersInLayers: makeCards { $0.alpha = 0.5 }
    case .scrollingContainers: makeList()
    case .widgets: makeWidgets()
    }
  }

  // MARK: Plain shapes

  private func makeWallpaper() {
    let view = TiledPicture(ScenePictures.opaque)
    view.frame = Rect(x: 0, y: 0, width: size.width * 1.5, height: size.height * 1.5)
    root.addSubview(view)
    stage.shake(view, -size.height / 3)
  }

  private func makeRectangles(columns: Int, rows: Int, share: Double) {
    let (width, height) = ((size.width * share).rounded(), (size.height * share).rounded())
    let area =
      rows == 1
      ? screen : Rect(x: 0, y: SceneStage.top, width: size.width, height: size.height - SceneStage.top)
    for row in 0..<rows {
      for column in 0..<columns {
        let view = View(
          frame: Rect(
            x: spread(column, of: columns, width, from: area.minX, area.width),
            y: spread(row, of: rows, height, from: area.minY, area.height), width: width, height: height))
        root.addSubview(view)
        stage.recolor { [unowned view] in view.backgroundColor = $0 }
      }
    }
  }

  /// The place of the thing `index` of several of one length that are spread evenly over a length.
  private func spread(_ index: Int, of count: Int, _ length: Double, from start: Double, _ whole: Double) -> Double {
    let gap = (whole - Double(count) * length) / Double(count + 1)
    return (start + gap + Double(index) * (length + gap)).rounded()
  }

  /// Adds as many views as fit in a grid of `side` points, and moves each down and up.
  private func shakeGrid(side: Double, bottom: Double, distance: Double, _ view: (Int) -> View) {
    let columns = Int((size.width - 2 * SceneStage.margin) / side)
    let rows = Int((size.height - bottom) / side)
    for number in 0..<(columns * rows) {
      let view = view(number)
      let length = view.bounds.width
      view.frame.origin = Point(
        x: spread(number % columns, of: columns, length, from: 0, size.width),
        y: SceneStage.top + Double(number / columns) * (view.bounds.height + 20))
      root.addSubview(view)
      stage.shake(view, distance)
    }
  }

  // MARK: Texts

  private func makeLabels() {
    let sample = label("Hello there", 14)
    let columns = Int((size.width - 16) / (sample.bounds.width + 30))
    let rows = Int((size.height - 200) / (sample.bounds.height + 50))
    for number in 0..<(columns * rows) {
      let label = label("Hello there", 14)
      label.frame.origin = Point(
        x: spread(number % columns, of: columns, label.bounds.width, from: 0, size.width),
        y: SceneStage.top + Double(number / columns) * (label.bounds.height + 80).rounded())
      root.addSubview(label)
      stage.recolor { [unowned label] in label.textColor = $0 }
    }
  }

  private func makeText() {
    let label = label(SceneText.paragraphs(5, words: 85), 14)
    label.numberOfLines = 0
    let width = size.width - 2 * SceneStage.margin
    let height = label.sizeThatFits(Size(width: width, height: .infinity)).height.rounded(.up)
    label.frame = Rect(x: SceneStage.margin, y: 0, width: width, height: height)
    let view = scrollView(height: height)
    view.contentHost.addSubview(label)
  }

  private func label(_ text: String, _ size: Double) -> Label {
    let label = Label(text)
    label.fontSize = size
    label.textColor = .black
    label.sizeToFit()
    return label
  }

  private func scrollView(height: Double) -> ScrollView {
    let view = ScrollView(
      frame: Rect(x: 0, y: SceneStage.top, width: size.width, height: size.height - SceneStage.top))
    view.contentSize = Size(width: size.width, height: height)
    view.scrollsHorizontally = false
    root.addSubview(view)
    stage.scroll(view)
    return view
  }

  // MARK: Arcs

  private func makeArcs() {
    // LVGL's sizes on a screen of 130 dots an inch: 100 and 160 of its units.
    let (side, cell) = (81.0, 130.0)
    let columns = Int((size.width - 16) / cell), rows = Int((size.height - 16) / cell)
    for number in 0..<(columns * rows) {
      let view = ArcView(color: Color(hex: UInt32(stage.number(0, 0xff_ffff))))
      view.frame = Rect(
        x: spread(number % columns, of: columns, side, from: 0, size.width),
        y: SceneStage.top + Double(number / columns) * cell, width: side, height: side)
      root.addSubview(view)
      stage.swing { [unowned view] in view.share = $0 }
    }
  }

  // MARK: Cards

  private func card() -> View {
    let card = View(frame: Rect(x: 0, y: 0, width: 270, height: 120))
    let ground = CardGround(frame: card.bounds)
    let picture = ImageView(ScenePictures.portrait)
    picture.frame.origin = Point(x: 8, y: 22)
    let (name, about) = (label("Ada Example", 24), label("Builds things", 14))
    name.frame.origin = Point(x: 108, y: 8)
    about.frame.origin = Point(x: 108, y: 38)
    let button = Button("Connect", style: .prominent)
    button.frame.origin = Point(x: 108, y: 62)
    for view in [ground, picture, name, about, button] { card.addSubview(view) }
    return card
  }

  private func makeCards(_ change: (View) -> Void) {
    let columns = Int((size.width - 16) / 300), rows = Int((size.height - 16) / 150)
    for number in 0..<(columns * rows) {
      let card = card()
      change(card)
      card.frame.origin = Point(
        x: spread(number % columns, of: columns, 270, from: 0, size.width),
        y: SceneStage.top + Double(number / columns) * 128)
      root.addSubview(card)
      stage.shake(card, 30)
    }
  }

  private func makeOverlay() {
    makeCards { _ in }
    let sheet = View(frame: screen)
    root.addSubview(sheet)
    stage.recolor { [unowned sheet] in sheet.backgroundColor = $0.withAlpha(0.5) }
  }

  private func makeList() {
    let columns = Int((size.width - 8) / 278)
    let rows = (50 + columns - 1) / columns
    let view = scrollView(height: Double(rows) * 128)
    for number in 0..<50 {
      let card = card()
      card.frame.origin = Point(
        x: spread(number % columns, of: columns, 270, from: 0, size.width), y: Double(number / columns) * 128)
      view.contentHost.addSubview(card)
    }
  }

  // MARK: Widgets

  private func makeWidgets() {
    let tabs = TabView(frame: screen)
    tabs.titles = ["Profile", "Analytics", "Shop"]
    root.addSubview(tabs)
    for number in 0..<3 {
      let page = ScrollView(frame: screen)
      page.scrollsHorizontally = false
      tabs.contentHost.addSubview(page)
      let content = StackView()
      content.axis = .vertical
      content.spacing = 12
      content.insets = EdgeInsets(16)
      page.contentHost.addSubview(content)
      for view in widgets(number) { content.addSubview(view) }
      let height = content.sizeThatFits(Size(width: size.width, height: .infinity)).height
      content.frame = Rect(x: 0, y: 0, width: size.width, height: height)
      page.contentSize = Size(width: size.width, height: height)
      stage.scroll(page)
    }
    // Two seconds for each page.
    stage.each { [unowned tabs] seconds in tabs.selectedIndex = Int(seconds / 2) % 3 }
  }

  private func widgets(_ page: Int) -> [View] {
    switch page {
    case 0:
      let fields = (0..<4).map { _ in TextField() }
      for (field, text) in zip(fields, ["Ada", "Example", "Builds things", "1815"]) { field.text = text }
      return [card()] + fields + [Switch(), CheckBox(), Slider(), card()]
    case 1:
      let charts = (0..<3).map { number in
        let chart = Chart(frame: Rect(x: 0, y: 0, width: size.width - 32, height: 180))
        chart.addSeries()
        chart.append(contentsOf: (0..<40).map { _ in stage.number(0, 100) })
        chart.style = number == 1 ? .area : .line
        return chart
      }
      return charts + [ProgressBar(), Slider(), ProgressBar()]
    default: return (0..<8).map { _ in card() }
    }
  }
}

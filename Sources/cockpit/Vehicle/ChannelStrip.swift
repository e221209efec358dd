import Controls
import UICore

/// A row of controls at the window's foot for what the scene itself has no control for: arming, mode and channels of a vehicle's file.
///
/// Each is as wide as its words need. Where they do not fit into one row, a button at the end turns to the next page; arming is on the first.
final class ChannelStrip: View {
  /// The height of the row with captions, and that of one without in windows lower than `lowWindow`: below that the instruments would have no
  /// room for their words.
  private static let (height, lowHeight, lowWindow) = (60.0, 44.0, 310.0)

  /// The part of a window of this height that the row takes.
  static func height(inWindow height: Double) -> Double { height < lowWindow ? lowHeight : self.height }

  private static let gap = 10.0
  private static let margin = 8.0
  private static let captionHeight = 14.0

  private struct Item {
    let control: Control
    /// What stands above a control that does not say its own name.
    let caption: Label?
    let width: Double
    let height: Double
  }

  private var items: [Item] = []
  private let more = Button("›")
  private var page = 0 { didSet { setNeedsLayout() } }

  /// A row for the channels of those numbers, with arming and mode.
  init(_ channels: ChannelControls, _ numbers: [Int]) {
    super.init(frame: .zero)
    name = "channels"
    more.name = "more"
    more.addAction(for: .primaryActionTriggered) { [unowned self] _ in page += 1 }
    addSubview(more)
    if let arm = channels.arm { add(arm) }
    if let mode = channels.file.mode {
      let list = Self.list(mode.names)
      add(list, caption: Language.current.mode)
      channels.bindMode(list)
    }
    for number in numbers {
      let channel = channels.file.channels[number]
      let control: Control
      switch channel.kind {
      case .switch:
        let button = Button(channel.name)
        button.isToggle = true
        control = button
        add(button)
      case .momentary:
        control = Button(channel.name)
        add(control)
      case .axis:
        let slider = Slider()
        (slider.minimumValue, slider.maximumValue) = (0, 1)
        control = slider
        add(slider, caption: channel.name, least: 130)
      case .choice(let values):
        let list = Self.list(values.map(\.name))
        control = list
        add(list, caption: channel.name)
      }
      control.accessibilityLabel = channel.name
      channels.bind(control, to: number)
    }
  }

  /// True for a row with nothing in it.
  var isEmpty: Bool { items.isEmpty }

  private static func list(_ names: [String]) -> SelectionControl {
    let list: SelectionControl = names.count <= 3 ? ChoiceControl() : PopUpButton()
    list.titles = names
    return list
  }

  private func add(_ control: Control, caption: String? = nil, least: Double = 44) {
    var label: Label?
    if let caption {
      let made = Label(caption)
      made.textStyle = .caption
      label = made
      addSubview(made)
      control.accessibilityLabel = caption
    }
    if control.name.isEmpty { control.name = caption ?? (control as? Button)?.title ?? "" }
    let wanted = control.fittingSize(in: Size(width: .infinity, height: 44))
    let words = label.map { $0.fittingSize(in: Size(width: .infinity, height: 20)).width.rounded(.up) } ?? 0
    items.append(
      Item(
        control: control, caption: label, width: max(control is Slider ? 0 : wanted.width.rounded(.up), words, least),
        height: label == nil ? 44 : 36))
    addSubview(control)
  }

  /// The numbers of the items of each page, in a row of that width.
  private func pages(width: Double) -> [Range<Int>] {
    func length(_ range: Range<Int>) -> Double {
      range.reduce(0) { $0 + items[$1].width } + Double(range.count - 1) * Self.gap
    }
    let room = width - 2 * Self.margin
    if length(items.indices) <= room { return [items.indices] }
    let less = room - 44 - Self.gap
    var pages: [Range<Int>] = []
    var start = 0
    for index in items.indices where index > start && length(start..<index + 1) > less {
      pages.append(start..<index)
      start = index
    }
    return pages + [start..<items.count]
  }

  override func layoutSubviews() {
    guard !items.isEmpty else { return }
    let pages = pages(width: bounds.width)
    // A held control stays where its finger is.
    if page >= pages.count { page = 0 }
    let shown = pages[page]
    more.isHidden = pages.count == 1
    let all = shown.reduce(0) { $0 + items[$1].width } + Double(shown.count - 1) * Self.gap
    let rest = more.isHidden ? 0 : 44 + Self.gap
    var x = max(((bounds.width - all - rest) / 2).rounded(), Self.margin)
    for (index, item) in items.enumerated() {
      let isShown = shown.contains(index)
      item.control.isHidden = !isShown
      let isLow = bounds.height < Self.height
      item.caption?.isHidden = !isShown || isLow
      guard isShown else { continue }
      let width = min(item.width, bounds.width - 2 * Self.margin - rest)
      let top = item.caption == nil || isLow ? (bounds.height - item.height) / 2 : Self.captionHeight + 6
      item.control.frame = mirrored(Rect(x: x, y: top, width: width, height: item.height))
      item.caption?.frame = mirrored(Rect(x: x, y: 3, width: width, height: Self.captionHeight + 2))
      x += width + Self.gap
    }
    more.frame = mirrored(Rect(x: bounds.width - Self.margin - 44, y: (bounds.height - 44) / 2, width: 44, height: 44))
  }
}

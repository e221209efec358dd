import CockpitControls
import ControlExercises
import ControlTools
import Controls
import UICore

/// A view of a type with sample content.
struct CatalogueSample {
  /// The view itself.
  let subject: View
  /// The view on the stage: the subject, or the container that it needs.
  let view: View
  private let type: String

  /// A new view of `type`; nil if `registry` does not contain it.
  init?(_ type: String, of registry: ViewRegistry) {
    guard let subject = registry.makeView(type) else { return nil }
    self.type = type
    self.subject = subject
    view = Self.filled(subject)
  }

  /// The sample's size on a wide stage, or on an `isCompact` one: its own size within the available space.
  func size(isCompact: Bool) -> Size {
    let (roomy, isFixed) = Self.rooms[type] ?? (Size(width: 176, height: 120), false)
    let factor = isCompact && type != "ColorEditor" ? min(104 / roomy.width, 1) : 1
    let room = Size(width: roomy.width * factor, height: type == "Slider" ? 120 : roomy.height * factor)
    guard !isFixed else { return room.rounded }
    let wish = view.fittingSize(in: room)
    guard wish.width > 0, wish.height > 0 else { return room.rounded }
    return Size(width: min(wish.width, 280), height: min(wish.height, 280)).rounded
  }

  /// The available space for types with special needs; a fixed one is for types without their own size.
  private static let rooms: [String: (room: Size, isFixed: Bool)] = [
    "ThrottleGearbox": (Size(width: 112, height: 264), true), "SteeringWheel": (Size(width: 148, height: 148), true),
    "Horn": (Size(width: 96, height: 96), true), "ImageView": (Size(width: 112, height: 112), true),
    "ColorEditor": (Size(width: 232, height: 264), true), "PulseRadar": (Size(width: 128, height: 128), true),
    "ScrollView": (Size(width: 240, height: 160), true), "StickyHeaderView": (Size(width: 240, height: 200), true),
    "StackView": (Size(width: 200, height: 144), true), "GradientView": (Size(width: 240, height: 160), true),
    "Chart": (Size(width: 160, height: 80), true), "ListView": (Size(width: 160, height: 132), true),
    "TabView": (Size(width: 200, height: 100), true), "Keyboard": (Size(width: 176, height: 88), true),
    "Gauge": (Size(width: 150, height: 150), true), "Dialog": (Size(width: 260, height: 170), true),
    "Sheet": (Size(width: 200, height: 150), true), "Grid": (Size(width: 180, height: 110), true),
    "PageView": (Size(width: 180, height: 100), true), "TextView": (Size(width: 180, height: 110), true),
    "GridCell": (Size(width: 100, height: 50), true),
    "View": (Size(width: 200, height: 120), true), "NumberField": (Size(width: 112, height: 40), false),
  ]

  // MARK: Content

  private static let teal = Color(hex: 0x2dd4bf)
  private static let blue = Color(hex: 0x3d9bff)

  /// Fills `subject` with content; returns the view to show.
  private static func filled(_ subject: View) -> View {
    switch subject {
    case let button as Button: button.title = "Button"
    case let label as Label: label.text = "Label"
    case let field as TextField:
      field.text = "Text"
      field.placeholder = "Placeholder"
    case let view as TextView:
      view.text = "A text of several lines, which are wrapped.\n\nEnter begins a line."
      view.placeholder = "Placeholder"
    case let field as PasswordField: field.text = "password"
    case let field as NumberField: field.value = 42
    case let tabs as TabView:
      for (name, color) in [("One", teal), ("Two", blue), ("Three", Color(hex: 0xffb020))] {
        let page = CatalogueArt.Tile(name, color)
        page.name = name
        tabs.contentHost.addSubview(page)
      }
    case let book as PageView:
      for (name, color) in [("One", teal), ("Two", blue)] {
        let page = CatalogueArt.Tile(name, color)
        page.name = name
        book.contentHost.addSubview(page)
      }
      book.selectedIndex = 1
    case let choice as SelectionControl: choice.titles = ["One", "Two", "Three"]
    case let well as ColorWell: well.color = teal
    case let editor as ColorEditor: editor.color = teal
    case let gradient as GradientView: (gradient.startColor, gradient.endColor) = (teal, blue)
    case let image as ImageView: image.image = CatalogueArt.picture
    case let slider as Slider: slider.value = 0.4
    case let box as CheckBox: box.title = "Check box"
    case let bar as ProgressBar: bar.progress = 0.6
    case let chart as Chart:
      chart.addSeries()
      chart.append(contentsOf: [3, 5, 4, 8, 6, 9])
    case let list as ListView: list.texts = ["One", "Two", "Three", "Four"]
    case let dialog as Dialog:
      (dialog.title, dialog.message, dialog.answers) = ("Dialog", "A question", ["No", "Yes"])
      // It stays in its place, and the catalogue around it stays usable.
      (dialog.isModal, dialog.defaultIndex, dialog.isOpen) = (false, 1, true)
    case let sheet as Sheet:
      (sheet.title, sheet.height, sheet.isModal, sheet.isOpen) = ("Sheet", 100, false, true)
    case let toast as Toast: toast.text = "Saved"
    case let gauge as Gauge:
      (gauge.value, gauge.unit) = (64, "KM/H")
      gauge.bands = [GaugeBand(80...100, Color(hex: 0xff5147))]
    case let lamp as Lamp: (lamp.text, lamp.isLit) = ("READY", true)
    case let gearbox as ThrottleGearbox:
      gearbox.fit = .filling
      gearbox.gear = .forward(4)
      // Its gates are white, so they need a dark background even by day.
      gearbox.backgroundColor = Theme.dark.panel
    case let radar as PulseRadar:
      for color in [teal, blue, Color(hex: 0xffb020)] { radar.addElement(CatalogueArt.Dot(color)) }
    case let stack as StackView:
      stack.spacing = 8
      for (text, color) in [("One", teal), ("Two", blue), ("Three", Color(hex: 0xffb020))] {
        stack.addSubview(CatalogueArt.Tile(text, color))
      }
    case let grid as Grid:
      for (text, color) in [("1", teal), ("2", blue), ("3", Color(hex: 0xffb020)), ("4", teal)] {
        grid.addSubview(CatalogueArt.Tile(text, color))
      }
    case let cell as GridCell: cell.addSubview(CatalogueArt.Tile("Cell", blue))
    case let scroll as ScrollView: fill(scroll)
    case let header as StickyHeaderView: return around(header)
    case is Control: break
    default: if Swift.type(of: subject) == View.self { subject.backgroundColor = teal }
    }
    return subject
  }

  private static func fill(_ scroll: ScrollView) {
    let lines = CatalogueArt.Lines(frame: Rect(x: 0, y: 0, width: 320, height: 400))
    scroll.contentView.addSubview(lines)
  }

  /// A header with rows that scroll under it.
  private static func around(_ header: StickyHeaderView) -> View {
    let scroll = ScrollView()
    scroll.scrollsHorizontally = false
    let lines = CatalogueArt.Lines(frame: Rect(x: 0, y: 88, width: 240, height: 320))
    scroll.contentView.addSubview(lines)
    header.minimumHeight = 80
    header.backgroundColor = teal
    scroll.contentView.addSubview(header)
    return scroll
  }
}

extension Size {
  /// The size rounded up to whole points.
  fileprivate var rounded: Size { Size(width: width.rounded(.up), height: height.rounded(.up)) }
}

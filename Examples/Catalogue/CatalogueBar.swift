import Controls
import UICore

/// A title, and two switches with their names before them.
final class CatalogueBar: View {
  static let height = 56.0

  let darkSwitch = Switch()
  let rightToLeftSwitch = Switch()
  private let title = Label("Catalogue")
  private let darkLabel = Label("Dark", style: .caption)
  private let rightToLeftLabel = Label("Right to left", style: .caption)

  override init(frame: Rect = .zero) {
    super.init(frame: frame)
    title.fontSize = 20
    title.fontWeight = .semibold
    darkSwitch.name = "dark"
    // Before it is visible, because it would glide there.
    darkSwitch.isOn = true
    rightToLeftSwitch.name = "rightToLeft"
    (darkSwitch.accessibilityLabel, rightToLeftSwitch.accessibilityLabel) = (darkLabel.text, rightToLeftLabel.text)
    for view in [title, darkLabel, darkSwitch, rightToLeftLabel, rightToLeftSwitch] as [View] { addSubview(view) }
  }

  override func layoutSubviews() {
    let (width, height) = (bounds.width, bounds.height)
    let any = Size(width: Double.infinity, height: .infinity)
    var x = width - 16
    for (label, toggle) in [(rightToLeftLabel, rightToLeftSwitch), (darkLabel, darkSwitch)] {
      let size = Switch.preferredSize
      let labelSize = label.sizeThatFits(any)
      x -= size.width
      toggle.frame = mirrored(
        Rect(x: x, y: ((height - size.height) / 2).rounded(), width: size.width, height: size.height))
      x -= 10 + labelSize.width.rounded(.up)
      label.frame = mirrored(Rect(x: x, y: 0, width: labelSize.width.rounded(.up), height: height))
      x -= 24
    }
    title.frame = mirrored(Rect(x: 18, y: 0, width: max(x - 18, 0), height: height))
  }

  override func draw(_ canvas: Canvas) {
    canvas.fill(theme.panel)
    let line = 1 / max(canvas.scale.factor, 1)
    canvas.fill(Rect(x: 0, y: bounds.height - line, width: bounds.width, height: line), theme.hairline)
  }
}

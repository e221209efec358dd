import Controls
import UICore

/// A property's title with its editor beside it, or below it where that needs more room.
final class PropertyRow: View {
  private static let gap = 12.0
  private static let padding = 6.0
  /// The least height of what is beside a title.
  private static let leastHeight = 40.0

  let editor: PropertyEditor
  private let title = Label()
  private var expansion: View?

  init(_ editor: PropertyEditor) {
    self.editor = editor
    super.init(frame: .zero)
    title.text = editor.property.title
    title.fontSize = 14
    title.numberOfLines = 2
    addSubview(title)
    addSubview(editor)
  }

  override var placesSubviewsBySize: Bool { true }

  /// Where everything lies in `width` points.
  private struct Places {
    var title = Rect.zero
    var editor = Rect.zero
    var expansion = Rect.zero
    var height = 0.0
  }

  private func places(in width: Double) -> Places {
    var places = Places()
    let gap = Self.gap
    let fixed = editor is BoolEditor || editor is ColorPropertyEditor
    // The editors of one list begin at one line, those of fixed size end at the other.
    let column = fixed ? editor.idealWidth : max((width * 0.56).rounded(), 0)
    let titleWidth = max(width - column - gap, 0)
    let isBeside = editor.idealWidth <= column && titleWidth >= 64
    let y: Double
    if isBeside {
      let wanted = editor.fittingSize(in: Size(width: column, height: .infinity)).height
      let lines = title.sizeThatFits(Size(width: titleWidth, height: .infinity)).height
      let height = max(wanted, Self.leastHeight, lines)
      // A title stands beside the first line of what is high.
      let line = min(height, max(Self.leastHeight, lines))
      places.title = Rect(x: 0, y: Self.padding, width: titleWidth, height: line)
      places.editor = Rect(
        x: width - column, y: Self.padding + max((min(line, height) - wanted) / 2, 0), width: column, height: wanted)
      y = Self.padding + height
    } else {
      let lines = title.sizeThatFits(Size(width: width, height: .infinity)).height
      places.title = Rect(x: 0, y: Self.padding, width: width, height: lines)
      let top = places.title.maxY + Self.padding
      let wanted = editor.fittingSize(in: Size(width: width, height: .infinity)).height
      places.editor = Rect(x: 0, y: top, width: width, height: wanted)
      y = top + wanted + Self.padding
    }
    if let expansion = editor.expansion {
      let height = expansion.fittingSize(in: Size(width: width, height: .infinity)).height
      places.expansion = Rect(x: 0, y: y + 8, width: width, height: height)
      places.height = y + 8 + height + 2 * Self.padding
    } else {
      places.height = y + Self.padding
    }
    return places
  }

  override func sizeThatFits(_ size: Size) -> Size { Size(width: size.width, height: places(in: size.width).height) }

  override func layoutSubviews() {
    if expansion !== editor.expansion {
      expansion?.removeFromSuperview()
      expansion = editor.expansion
      if let expansion { addSubview(expansion) }
    }
    let places = places(in: bounds.width)
    let direction = effectiveLayoutDirection
    title.frame = direction.rect(places.title, in: bounds.width)
    editor.frame = direction.rect(places.editor, in: bounds.width)
    expansion?.frame = direction.rect(places.expansion, in: bounds.width)
  }
}

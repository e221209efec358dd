import ControlTools
import Controls
import UICore

/// A card for each state. A value set on the live one, by a finger or in a list of properties, is copied to the others.
final class CatalogueBoard: View {
  /// Narrower stages have smaller samples, so that two fit side by side.
  private static let compactWidth = 440.0
  private static let greatestCell = 360.0
  /// The properties that are not copied: those that make a state, and those of one view only.
  private static let uncopied: Set<String> = [
    "name", "isEnabled", "isSelected", "isOn", "isHidden", "isUserInteractionEnabled", "contentOffset",
  ]

  private(set) var cells: [CatalogueCell] = []
  private var observations: [ObservationToken] = []

  /// The view that is touched and edited.
  var subject: View? { cells.first?.sample.subject }

  /// Shows new views of `type`.
  func show(_ type: String, of registry: ViewRegistry) {
    for cell in cells { cell.removeFromSuperview() }
    guard let live = CatalogueSample(type, of: registry) else { return }
    live.subject.name = "sample"
    cells = CatalogueState.states(of: live.subject).compactMap { state in
      let sample = state.state == .normal ? live : CatalogueSample(type, of: registry)
      return sample.map { CatalogueCell($0, state) }
    }
    for cell in cells { addSubview(cell) }
    // A derived property follows from others, and from a size that the other cells may not have.
    let shared = live.subject.inspectables.filter { $0.derivedFrom == nil && !Self.uncopied.contains($0.name) }
    observations = shared.map { property in
      live.subject.observe(property) { [weak self] in self?.copy(property) }
    }
    setNeedsLayout()
  }

  private func copy(_ property: AnyProperty) {
    guard let value = subject.map({ property.json(of: $0) }) else { return }
    for cell in cells.dropFirst() {
      // The same type has the same property, and takes the same values.
      try? property.set(value, on: cell.sample.subject)
      cell.setNeedsLayout()
    }
    cells.first?.setNeedsLayout()
  }

  // MARK: Layout

  override var placesSubviewsBySize: Bool { true }

  /// The frames of the cells in `width` points, from left to right, and their height.
  private func places(in width: Double) -> (frames: [Rect], height: Double) {
    let isNarrow = width < Self.compactWidth
    let (margin, gap) = isNarrow ? (12.0, 8.0) : (20, 12)
    let room = max(width - 2 * margin, 0)
    for cell in cells { cell.isCompact = isNarrow && cells.count > 1 }
    let sizes = cells.map { $0.sizeThatFits(.zero) }
    let widest = sizes.reduce(0) { max($0, $1.width) }
    let highest = sizes.reduce(0) { max($0, $1.height) }
    let columns = min(max(Int((room + gap) / (widest + gap)), 1), max(cells.count, 1))
    let most = (room - gap * Double(columns - 1)) / Double(columns)
    let cell = max(min(most, max(Self.greatestCell, widest)), 0).rounded(.down)
    let frames = cells.indices.map { index in
      Rect(
        x: margin + Double(index % columns) * (cell + gap),
        y: margin + Double(index / columns) * (highest + gap), width: cell, height: highest)
    }
    return (frames, (frames.last?.maxY ?? 0) + margin)
  }

  override func sizeThatFits(_ size: Size) -> Size {
    Size(width: size.width, height: places(in: size.width).height)
  }

  override func layoutSubviews() {
    for (cell, frame) in zip(cells, places(in: bounds.width).frames) {
      cell.frame = mirrored(frame)
    }
  }
}

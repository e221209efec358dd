/// The side of a button's title on which its image is placed.
nonisolated public enum ImagePlacement: String, CaseIterable, InspectableValue {
  /// The leading side.
  case leading
  /// The trailing side.
  case trailing
  /// Above.
  case top
  /// Below.
  case bottom
}

/// The frames of a button's parts. Image and title are aligned together in the content; then each is offset by its own insets.
nonisolated package struct ButtonGeometry: Hashable, Sendable {
  package var imageSize, titleSize: Size?
  // As in `Button`, by the same names.
  package var bounds = Rect.zero
  package var contentInsets = EdgeInsets.zero
  package var imagePlacement = ImagePlacement.leading
  package var imageSpacing = 0.0
  package var horizontalAlignment = HorizontalAlignment.center
  package var verticalAlignment = VerticalAlignment.center
  package var imageInsets = EdgeInsets.zero
  package var titleInsets = EdgeInsets.zero
  package var direction = LayoutDirection.leftToRight

  package init() {}

  private var gap: Double { imageSize != nil && titleSize != nil ? imageSpacing : 0 }
  private var isStacked: Bool { imagePlacement == .top || imagePlacement == .bottom }

  /// The size of image and title together, without truncation.
  package var contentSize: Size {
    size(imageSize ?? .zero, titleSize ?? .zero)
  }

  /// The frames of image and title. If space is short, the title is narrowed first.
  package var frames: (image: Rect, title: Rect) {
    // Computed as if from left to right, and mirrored at the end.
    let content = bounds.inset(by: contentInsets)
    let image = imageSize ?? .zero
    var title = titleSize ?? .zero
    title.width = min(title.width, max(content.width - (isStacked ? 0 : image.width + gap), 0))
    let size = size(image, title)
    let leading = horizontalAlignment.leadingFraction(in: direction)
    let x = content.minX + (content.width - size.width) * leading
    let y = content.minY + (content.height - size.height) * verticalAlignment.fraction
    var (imageOrigin, titleOrigin) = (Point(x: x, y: y), Point(x: x, y: y))
    if isStacked {
      imageOrigin.x += (size.width - image.width) * leading
      titleOrigin.x += (size.width - title.width) * leading
      if imagePlacement == .top { titleOrigin.y += image.height + gap } else { imageOrigin.y += title.height + gap }
    } else {
      imageOrigin.y += (size.height - image.height) / 2
      titleOrigin.y += (size.height - title.height) / 2
      if imagePlacement == .leading { titleOrigin.x += image.width + gap } else { imageOrigin.x += title.width + gap }
    }
    func place(_ origin: Point, _ size: Size, _ insets: EdgeInsets) -> Rect {
      let moved = origin.offsetBy(dx: insets.left - insets.right, dy: insets.top - insets.bottom)
      return direction.rect(Rect(origin: moved, size: size), in: bounds.width)
    }
    return (place(imageOrigin, image, imageInsets), place(titleOrigin, title, titleInsets))
  }

  private func size(_ image: Size, _ title: Size) -> Size {
    isStacked
      ? Size(width: max(image.width, title.width), height: image.height + gap + title.height)
      : Size(width: image.width + gap + title.width, height: max(image.height, title.height))
  }
}

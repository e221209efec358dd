/// The side of a button's title on which its image is placed.
nonisolated public enum ImagePlacement: String, CaseIterable, InspectableValue {
  /// Before the title, in the direction of reading.
  case leading
  /// After the title, in the direction of reading.
  case trailing
  /// Above the title.
  case top
  /// Below the title.
  case bottom
}

extension Button {
  private var axis: Axis { imagePlacement == .top || imagePlacement == .bottom ? .vertical : .horizontal }

  private func spacing(_ image: Size?, _ title: Size?) -> Double { image != nil && title != nil ? imageSpacing : 0 }

  /// The size of an image and a title together, without truncation; nil for an absent part.
  package func contentSize(image: Size?, title: Size?) -> Size {
    let (image, title, gap) = (image ?? .zero, title ?? .zero, spacing(image, title))
    let breadth = max(image[axis.other], title[axis.other])
    return Size(image[axis] + gap + title[axis], along: axis, breadth: breadth)
  }

  /// The frames of an image and a title. They are aligned together in the content; then each is offset by its own insets. If
  /// space is short, the title is narrowed first.
  package func frames(image: Size?, title: Size?) -> (image: Rect, title: Rect) {
    // Computed as if from left to right, and mirrored at the end.
    let content = bounds.inset(by: contentInsets)
    let (direction, gap) = (effectiveLayoutDirection, spacing(image, title))
    let beside = axis == .horizontal ? (image?.width ?? 0) + gap : 0
    let title = title.map { Size(width: min($0.width, max(content.width - beside, 0)), height: $0.height) }
    let size = contentSize(image: image, title: title)
    let leading = horizontalAlignment.leadingFraction(in: direction)
    let start = Point(
      x: content.minX + (content.width - size.width) * leading,
      y: content.minY + (content.height - size.height) * verticalAlignment.fraction)
    func place(_ part: Size?, after other: Size?, _ insets: EdgeInsets) -> Rect {
      let part = part ?? .zero
      var origin = start
      if let other { origin[axis] += other[axis] + gap }
      origin[axis.other] += (size[axis.other] - part[axis.other]) * (axis == .vertical ? leading : 0.5)
      let moved = origin.offsetBy(dx: insets.left - insets.right, dy: insets.top - insets.bottom)
      return direction.rect(Rect(origin: moved, size: part), in: bounds.width)
    }
    let isImageFirst = imagePlacement == .leading || imagePlacement == .top
    return (
      place(image, after: isImageFirst ? nil : title, imageInsets),
      place(title, after: isImageFirst ? image : nil, titleInsets)
    )
  }
}

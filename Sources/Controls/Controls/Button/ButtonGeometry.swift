/// On which side of a button's title its picture stands.
nonisolated public enum ImagePlacement: String, CaseIterable, InspectableValue {
  /// Where reading begins.
  case leading
  /// Where reading ends.
  case trailing
  /// Above.
  case top
  /// Below.
  case bottom
}

/// A button's parts as rectangles (K17): picture and title stand together and are aligned in the content; then each is moved by
/// its own insets.
nonisolated public struct ButtonGeometry: Hashable, Sendable {
  /// The button's bounds.
  public var bounds = Rect.zero
  /// The distances from the bounds to the content. Left is where reading begins.
  public var contentInsets = EdgeInsets.zero
  /// The picture's size; nil without one.
  public var imageSize: Size?
  /// The title's size; nil without one.
  public var titleSize: Size?
  /// On which side of the title the picture stands.
  public var imagePlacement = ImagePlacement.leading
  /// The points between picture and title.
  public var spacing = 0.0
  /// Where both stand between left and right.
  public var horizontal = HorizontalAlignment.center
  /// Where both stand between top and bottom.
  public var vertical = VerticalAlignment.center
  /// What moves the picture once it is aligned: by left - right and top - bottom. Left is where reading begins.
  public var imageInsets = EdgeInsets.zero
  /// What moves the title once it is aligned: by left - right and top - bottom. Left is where reading begins.
  public var titleInsets = EdgeInsets.zero
  /// Which way reading goes.
  public var direction = LayoutDirection.leftToRight

  /// The geometry of nothing in nothing.
  public init() {}

  private var gap: Double { imageSize != nil && titleSize != nil ? spacing : 0 }
  private var isStacked: Bool { imagePlacement == .top || imagePlacement == .bottom }

  /// The size of picture and title together, with all of the title seen.
  public var contentSize: Size {
    size(imageSize ?? .zero, titleSize ?? .zero)
  }

  /// The places of picture and title; a title without enough room is made narrower, first of all.
  public var frames: (image: Rect, title: Rect) {
    // As if from left to right; mirrored at the end.
    let content = bounds.inset(by: contentInsets)
    let image = imageSize ?? .zero
    var title = titleSize ?? .zero
    title.width = min(title.width, max(content.width - (isStacked ? 0 : image.width + gap), 0))
    let size = size(image, title)
    let leading = horizontal.leadingFraction(in: direction)
    let x = content.minX + (content.width - size.width) * leading
    let y = content.minY + (content.height - size.height) * vertical.fraction
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

extension RangeSlider {
  /// The picture that stands for `part`; nil where it is drawn.
  public func image(for part: SliderImagePart) -> Picture? { images[part] }

  /// Has `picture` stand for `part`; nil has it drawn again. It takes the place of the part's file, whose property becomes
  /// nil.
  public func setImage(_ picture: Picture?, for part: SliderImagePart) {
    self[keyPath: Self.file(of: part)] = nil
    images[part] = picture
    imagesChanged()
  }

  /// Why files give no picture, by part; what they stand for is drawn.
  public var imageErrors: [SliderImagePart: PictureError] { images.errors }

  private static func file(of part: SliderImagePart) -> ReferenceWritableKeyPath<RangeSlider, ImageReference?> {
    switch part {
    case .track: \.trackImage
    case .trackHighlight: \.trackHighlightImage
    case .trackHighlightPressed: \.trackHighlightPressedImage
    case .thumb: \.thumbImage
    case .thumbPressed: \.thumbPressedImage
    }
  }

  /// Reads the file for `part`.
  func loadImage(_ part: SliderImagePart) {
    images.load(self[keyPath: Self.file(of: part)], for: part)
    imagesChanged()
  }

  private func imagesChanged() {
    setNeedsStaticDisplay()
    showThumbs()
  }
}

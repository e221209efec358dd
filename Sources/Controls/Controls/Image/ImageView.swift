/// A view that shows a picture.
///
/// It takes no input at first. Given `onTap`, or with `isUserInteractionEnabled` set, it is a small button (K17): touch,
/// pointer, Space and Enter tap it, and while `isEnabled` is false a tap does nothing.
open class ImageView: Control {
  /// The file of the picture; setting it reads the file at once. What cannot be read is told by `imageError`. Nil shows nothing.
  @Modelled(\ImageView.source.file) public var imageFile: ImageReference?
  /// How the picture is fitted into the view; it keeps its shape by default.
  @Inspectable public var contentMode = ContentMode.aspectFit
  /// A colour to show the picture's shape in instead of its own colours, for signs; nil for its own.
  @Inspectable public var tintColor: Color?

  /// Besides those of its superclass.
  open override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("imageFile", \ImageView.imageFile, .layout, isTold: true),
      Property("contentMode", \ImageView.contentMode, .display, isTold: true),
      Property("tintColor", \ImageView.tintColor, .display),
    ]
  }

  private var source = ImageSource() {
    didSet { if source != oldValue { didChange(\ImageView.imageFile) } }
  }
  /// Why `imageFile` gives no picture; nil while it does.
  public var imageError: PictureError? { source.error }

  /// Makes a view without a picture at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }

  /// Makes a view as large as `image`, in points. With `onTap` it can be tapped.
  public convenience init(_ image: Picture, onTap: (() -> Void)? = nil) {
    self.init(frame: Rect(origin: .zero, size: image.size))
    self.image = image
    self.onTap = onTap
    // A class' own initialisers do not call the observers of its properties.
    isUserInteractionEnabled = onTap != nil
  }

  /// The picture shown. Setting it takes the place of `imageFile`, which becomes nil.
  public var image: Picture? {
    get { source.picture }
    set { source.picture = newValue }
  }

  /// The size of the picture in points; the current size without a picture (K8).
  open override func sizeThatFits(_ size: Size) -> Size { image?.size ?? bounds.size }

  // MARK: Taps

  /// What a tap does; setting it lets the view be touched, nil lets it be touched no more (K17).
  public var onTap: (() -> Void)? {
    didSet { isUserInteractionEnabled = onTap != nil }
  }

  override func willTrigger() { onTap?() }

  /// True: a tap, or Space or Enter, is all that it is for.
  open override var hasPrimaryAction: Bool { true }

  /// True in the bounds, and around a small picture in what a finger needs to hit it.
  open override func point(inside point: Point) -> Bool { isInTouchArea(point) }

  /// A button where it can be tapped; else a picture, if it has a name.
  open override var accessibilityRole: AccessibilityRole {
    isUserInteractionEnabled ? .button : (accessibilityLabel ?? "").isEmpty ? .none : .image
  }

  /// The tap, where it can be tapped.
  open override var accessibilityActions: [AccessibilityAction] {
    isUserInteractionEnabled ? super.accessibilityActions : []
  }

  // MARK: Drawing

  /// Draws the picture in its place; pressed or disabled it is fainter.
  open override func draw(_ canvas: Canvas) {
    if imageError != nil { return drawMissing(on: canvas) }
    guard let image else { return }
    let rect = contentMode.rect(for: image.size, in: bounds)
    guard !rect.isEmpty else { return }
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) } else if isHighlighted { canvas.multiplyAlpha(0.6) }
    canvas.drawSharp(image, in: rect, tint: tintColor)
  }

  /// A quiet sign that a picture is missing, where there is room for one.
  private func drawMissing(on canvas: Canvas) {
    let box = bounds.insetBy(dx: 0.5, dy: 0.5)
    guard !box.isEmpty else { return }
    let radius = min(6, min(box.width, box.height) / 4)
    canvas.fill(Path(roundedRect: box, cornerRadius: radius), theme.fill)
    canvas.stroke(Path(roundedRect: box, cornerRadius: radius), theme.hairline, width: 1)
    let side = min(box.width, box.height, 48) / 2
    guard side >= 6 else { return }
    // A frame with a hill, struck through.
    let sign = Rect(x: box.midX - side / 2, y: box.midY - side * 0.4, width: side, height: side * 0.8)
    let style = StrokeStyle(width: max(1, side / 14), cap: .round, join: .round)
    canvas.stroke(Path(roundedRect: sign, cornerRadius: side / 10), theme.secondaryLabel, style)
    canvas.stroke(
      Path(
        from: Point(x: sign.minX - side * 0.15, y: sign.maxY + side * 0.15),
        to: Point(x: sign.maxX + side * 0.15, y: sign.minY - side * 0.15)),
      theme.secondaryLabel, style)
  }

  /// The file, what is wrong with it, and how the picture is fitted.
  open override var inspection: Inspection {
    super.inspection.adding(["imageError": imageError.map { .text($0.description) }])
  }
}

/// A picture that a file or code gives.
public struct ImageSource: Equatable {
  /// Why the file gives no picture; nil while it does.
  public private(set) var error: PictureError?
  private var shown: Picture?

  /// The file of the picture; another one is read at once, and nil takes the picture away.
  public var file: ImageReference? {
    didSet {
      guard file != oldValue else { return }
      (shown, error) = (nil, nil)
      do throws(PictureError) { shown = try file?.load() } catch { self.error = error }
    }
  }

  /// The picture. Setting it takes the place of the file, which becomes nil.
  public var picture: Picture? {
    get { shown }
    set {
      file = nil
      shown = newValue
    }
  }

  /// No picture.
  public init() {}

  /// True for the same picture of the same file.
  public static func == (a: ImageSource, b: ImageSource) -> Bool { a.shown === b.shown && a.file == b.file }
}

extension Canvas {
  /// Shows `picture` in `rect`, moved to whole pixels where that needs no scaling.
  func drawSharp(_ picture: Picture, in rect: Rect, tint: Color?) {
    let transform = toPixels
    let place = transform.apply(rect)
    let pixels = picture.pixelSize
    guard transform.isUpright, abs(place.width - Double(pixels.width)) < 0.01,
      abs(place.height - Double(pixels.height)) < 0.01, let back = transform.inverse
    else { return draw(picture, in: rect, tint: tint) }
    let snapped = Rect(
      x: place.minX.rounded(), y: place.minY.rounded(), width: Double(pixels.width), height: Double(pixels.height))
    draw(picture, in: back.apply(snapped), tint: tint)
  }
}

extension ImageReference {
  /// How many of the picture's pixels are one point: 2 for a name that ends in `@2x.png`, 1.5 for `@1.5x.png`, else 1.
  nonisolated public var scale: Scale {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let at = name.lastIndex(of: "@") else { return .one }
    let rest = name[name.index(after: at)...]
    guard let end = rest.firstIndex(of: "x"), let factor = Double(rest[..<end]), (0.1...100).contains(factor),
      rest[rest.index(after: end)...].first == "." || rest.index(after: end) == rest.endIndex
    else { return .one }
    return Scale(factor)
  }

  /// The picture in the file; each call reads it.
  @MainActor public func load() throws(PictureError) -> Picture {
    try Picture(contentsOf: path, scale: scale)
  }
}

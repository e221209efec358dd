import Linux

/// A view that shows an image.
///
/// By default it takes no input. With `onTap`, or with `isUserInteractionEnabled` set, it is a small button: touch, pointer,
/// Space and Enter tap it, and while `isEnabled` is false a tap does nothing.
@ListsProperties
open class ImageView: Control {
  /// The file of the image, PNG or JPEG; setting it reads the file at once, unless `loadsInBackground`. `imageError` reports a file
  /// that cannot be read. Nil shows nothing.
  @Inspectable(\ImageView.source.file, .layout, isReported: true) public var imageFile: ImageReference?
  /// How the image is fitted into the view; by default it keeps its proportions.
  @Inspectable(.display, isReported: true) public var contentMode = ContentMode.aspectFit
  /// The colour to draw the image's shape in, for icons; nil for its own colours.
  @Inspectable(.display) public var tintColor: Color?

  private var source = ImageSource() {
    didSet {
      if let request = source.request, request !== oldValue.request { wait(for: request) }
      if source != oldValue { didChange(\ImageView.imageFile) }
    }
  }
  /// Why `imageFile` cannot be read; nil if it can, or names no file.
  public var imageError: PictureError? { source.error }

  /// True to read the files that are set from then on in another thread, for photographs, which take a while. What is shown stays until
  /// the new image is there; of several files that are set meanwhile the last one is shown, and those between may never be read. False by
  /// default: the first frame then has the image.
  public var loadsInBackground: Bool {
    get { source.loadsInBackground }
    set { source.loadsInBackground = newValue }
  }
  /// True while another thread reads `imageFile`.
  public var isLoading: Bool { source.request != nil }
  /// Called when another thread has read `imageFile`, and the view has its image or its `imageError`.
  public var onLoad: (() -> Void)?

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }

  private func wait(for request: PictureRequest) {
    request.whenDone { [weak self, weak request] in
      guard let self, let request, request === source.request else { return }
      source.take(request)
      onLoad?()
    }
  }

  /// Creates a view as large as `image`, in points. With `onTap` it can be tapped.
  public convenience init(_ image: Picture, onTap: (() -> Void)? = nil) {
    self.init(frame: Rect(origin: .zero, size: image.size))
    self.image = image
    self.onTap = onTap
    // A class's own initialisers do not call its property observers.
    isUserInteractionEnabled = onTap != nil
  }

  /// The image that is shown. Setting it replaces `imageFile`, which becomes nil.
  public var image: Picture? {
    get { source.picture }
    set { source.picture = newValue }
  }

  /// The size of the image in points; without an image the size that was set.
  open override func sizeThatFits(_ size: Size) -> Size { image?.size ?? ownSize }

  // MARK: Taps

  /// The action of a tap. Setting it makes the view touchable, nil makes it untouchable.
  public var onTap: (() -> Void)? {
    didSet { isUserInteractionEnabled = onTap != nil }
  }

  override func willTrigger() { onTap?() }

  open override var hasPrimaryAction: Bool { true }

  open override var accessibilityRole: AccessibilityRole {
    isUserInteractionEnabled ? .button : (accessibilityLabel ?? "").isEmpty ? .none : .image
  }

  open override var accessibilityActions: [AccessibilityAction] {
    isUserInteractionEnabled ? super.accessibilityActions : []
  }

  // MARK: Drawing

  open override func draw(_ canvas: Canvas) {
    if imageError != nil { return drawMissing(on: canvas) }
    guard let image else { return }
    let rect = contentMode.rect(for: image.size, in: bounds)
    guard !rect.isEmpty else { return }
    if !isEnabled { canvas.multiplyAlpha(theme.disabledAlpha) } else if isHighlighted { canvas.multiplyAlpha(0.6) }
    canvas.draw(image, in: rect, tint: tintColor)
  }

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

  open override var inspection: Inspection {
    super.inspection.adding([
      "imageError": imageError.map { .string($0.description) }, "isLoading": isLoading ? .bool(true) : nil,
    ])
  }
}

/// An image set by file or by code.
public struct ImageSource: Equatable {
  /// The files that could not be read when they were last set, by their paths. Whatever shows an image reads it by an
  /// `ImageSource`, so a reader of layout files finds here what went wrong, without knowing the views.
  package private(set) static var failures: [String: PictureError] = [:]

  /// Why the file cannot be read; nil if it can, or if none is set.
  public private(set) var error: PictureError?
  private var shown: Picture?

  /// True to read files that are set from then on in another thread: what is shown stays until the new image is there.
  var loadsInBackground = false
  /// The reading of `file` in another thread; nil if there is none. Its owner calls `take(_:)` when it ends.
  private(set) var request: PictureRequest?

  /// The file as it was when it was read; nil if it could not be, or was written a moment before.
  private var stamp: FileStamp?

  /// The file of the image. It is read at once, or by another thread, and again when the same file is set after its contents changed;
  /// nil removes the image.
  public var file: ImageReference? {
    didSet {
      let now = file.flatMap { FileStamp(of: $0.path) }
      guard file != oldValue || file != nil && (now == nil || now != stamp) else { return }
      stamp = now
      if let file, loadsInBackground {
        let request = PicturePool.request(file, stamp: now)
        self.request = request
        // It may be shown elsewhere.
        if request.outcome != nil { take(request) }
        return
      }
      (shown, error, request) = (nil, nil, nil)
      guard let file else { return }
      do throws(PictureError) {
        shown = try PicturePool.picture(of: file, stamp: now)
      } catch {
        (self.error, stamp) = (error, nil)
      }
      Self.failures[file.path] = error
    }
  }

  /// The image. Setting it replaces the file, which becomes nil.
  public var picture: Picture? {
    get { shown }
    set {
      file = nil
      shown = newValue
    }
  }

  /// No image.
  public init() {}

  /// Takes what another thread has read, unless another file was set since.
  mutating func take(_ request: PictureRequest) {
    guard request === self.request, let outcome = request.outcome else { return }
    self.request = nil
    switch outcome {
    case .success(let picture): (shown, error) = (picture, nil)
    case .failure(let failure): (shown, error, stamp) = (nil, failure, nil)
    }
    if let file { Self.failures[file.path] = error }
  }

  /// True for the same image of the same file, and if both wait for it or neither does.
  public static func == (a: ImageSource, b: ImageSource) -> Bool {
    a.shown === b.shown && a.file == b.file && a.error == b.error && (a.request == nil) == (b.request == nil)
  }
}

extension ImageReference {
  /// The number of the image's pixels per point: 2 for a name that ends in `@2x.png` or `@2x.jpg`, 1.5 for `@1.5x.png`, otherwise 1.
  nonisolated public var scale: Scale {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let at = name.lastIndex(of: "@") else { return .one }
    let rest = name[name.index(after: at)...]
    guard let end = rest.firstIndex(of: "x"), let factor = Double(rest[..<end]), (0.1...100).contains(factor),
      rest[rest.index(after: end)...].first == "." || rest.index(after: end) == rest.endIndex
    else { return .one }
    return Scale(factor)
  }

  /// The image in the file; each call reads it.
  @MainActor public func load() throws(PictureError) -> Picture {
    try Picture(contentsOf: path, scale: scale)
  }
}

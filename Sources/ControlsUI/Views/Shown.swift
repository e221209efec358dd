import Controls

/// A text, in as many lines as its frame has room for. Font, colour and alignment are inherited.
public struct Text: ViewRepresentable, Equatable, Plain {
  private let text: String

  /// The text `text`.
  public init(_ text: String) { self.text = text }

  /// Makes the label.
  public func makeView(context: Context) -> Label { Label() }

  /// Gives the label the text and what it inherits.
  public func updateView(_ label: Label, context: Context) {
    let environment = context.environment
    put(text, over: label.text) { label.text = $0 }
    put(environment.textStyle, over: label.textStyle) { label.textStyle = $0 }
    put(environment.fontSize, over: label.fontSize) { label.fontSize = $0 }
    put(environment.fontWeight, over: label.fontWeight) { label.fontWeight = $0 }
    put(environment.foreground, over: label.textColor) { label.textColor = $0 }
    put(environment.textAlignment, over: label.textAlignment) { label.textAlignment = $0 }
    put(environment.lineLimit, over: label.numberOfLines) { label.numberOfLines = $0 }
  }
}

/// Shows a picture from a file or from memory, fitted into its frame by a content mode.
public struct Image: ViewRepresentable, Plain {
  private let (file, picture): (ImageReference?, Picture?)
  private let contentMode: ContentMode
  private let loadsInBackground: Bool

  /// The picture in `file`, PNG or JPEG, which is read at once; with `loadsInBackground` another thread reads it, and what was shown stays
  /// until it is there.
  public init(file: String, contentMode: ContentMode = .aspectFit, loadsInBackground: Bool = false) {
    (self.file, picture) = (ImageReference(path: file), nil)
    (self.contentMode, self.loadsInBackground) = (contentMode, loadsInBackground)
  }

  /// A picture that code has made.
  public init(_ picture: Picture, contentMode: ContentMode = .aspectFit) {
    (file, self.picture, self.contentMode, loadsInBackground) = (nil, picture, contentMode, false)
  }

  /// Makes the view.
  public func makeView(context: Context) -> ImageView { ImageView() }

  /// Gives the view the picture.
  public func updateView(_ view: ImageView, context: Context) {
    put(contentMode, over: view.contentMode) { view.contentMode = $0 }
    put(loadsInBackground, over: view.loadsInBackground) { view.loadsInBackground = $0 }
    if let picture, view.image !== picture { view.image = picture }
    if let file, view.imageFile != file { view.imageFile = file }
  }
}

/// How much of a task is done, or only that it goes on.
public struct ProgressView: PrimitiveView, Builtin {
  private enum Kind {
    case turning
    case bar(Double?)
  }

  private let kind: Kind

  /// Something goes on, and nobody knows how long.
  public init() { kind = .turning }

  /// `value` of `total` is done; nil while nobody knows how much.
  public init(value: Double?, total: Double = 1) { kind = .bar(value.map { total > 0 ? $0 / total : 0 }) }

  func node(over old: Node?, at place: Place) -> Node {
    switch kind {
    case .turning: build(TurningProgress(), over: old, at: place)
    case .bar(let value): build(BarProgress(value: value), over: old, at: place)
    }
  }
}

private struct TurningProgress: ViewRepresentable, Equatable, Plain {
  func makeView(context: Context) -> Spinner { Spinner() }
  func updateView(_ view: Spinner, context: Context) {}
}

private struct BarProgress: ViewRepresentable, Equatable, Plain {
  let value: Double?

  func makeView(context: Context) -> ProgressBar { ProgressBar() }

  func updateView(_ bar: ProgressBar, context: Context) {
    put(value == nil, over: bar.isIndeterminate) { bar.isIndeterminate = $0 }
    if let value { put(value, over: bar.progress) { bar.progress = $0 } }
  }
}

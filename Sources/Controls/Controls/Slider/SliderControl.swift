/// The base of `Slider`, `RangeSlider` and `Switch`: thumbs in front of a track, which a finger can still hold when it leaves
/// the track.
///
/// It is not for subclasses outside this library.
public class TrackControl: Control {
  /// Brings thumbs and track to where the values have them.
  func placeParts() {}

  /// True: a thumb is still held outside of the track.
  public override var staysHighlightedOutside: Bool { true }

  /// True inside the bounds, and around them in the area that a finger needs to hit a thumb.
  public override func point(inside point: Point) -> Bool { isInTouchArea(point) }

  public override func layoutSubviews() { placeParts() }

  public override func update() { placeParts() }

  /// Shows what changed while there was no window.
  public override func didMoveToRoot() { placeParts() }
}

/// The base of `Slider` and `RangeSlider`: appearance, geometry, drawing and keys.
///
/// It is not for subclasses outside this library.
@ListsProperties
public class SliderControl: TrackControl {
  /// The thumbs, from the minimum on.
  let thumbs: [SliderThumb]
  /// The lit part of the track in the last frame.
  @Redraws final var shown = SliderStretch()
  /// The keys that move a thumb and are still down.
  final private(set) var heldKeys: Set<Key> = []
  /// The images shown in place of drawn parts.
  public final var images = SliderImages() {
    didSet {
      setNeedsStaticDisplay()
      showThumbs()
      for part in SliderImagePart.allCases where images[part] != oldValue[part] {
        didChange(\SliderControl.images[part].file)
      }
    }
  }

  init(frame: Rect, thumbs names: [String]) {
    thumbs = names.map { name in
      let thumb = SliderThumb()
      thumb.name = name
      return thumb
    }
    super.init(frame: frame)
    for thumb in thumbs { addSubview(thumb) }
  }

  // MARK: Properties

  /// The axis of the slider; a vertical one has its minimum at the bottom.
  @Inspectable(.layout, group: "Layout") public final var orientation = Axis.horizontal
  /// The colour of the track; nil for the theme's.
  @Inspectable(.staticDisplay) public final var trackTintColor: Color?
  /// The colour of the lit part of the track, which shows the value; nil for the theme's.
  @Inspectable(.display) public final var trackHighlightTintColor: Color?
  /// The colour of the thumbs; nil for the theme's.
  @Inspectable(.none, then: SliderControl.showThumbs) public final var thumbTintColor: Color?
  /// The roundness of track and thumbs: 0 is square, 1, the default, fully round.
  @Inspectable(.staticDisplay, group: "Track", limits: 0...1, then: SliderControl.showThumbs) public final
    var curvaceousness = 1.0

  /// The model changed: the thumbs show it with the next frame.
  func showModel() { setNeedsUpdate() }

  /// Shows the new model and notifies observers of the properties that changed.
  final func modelDidChange<Owner: View, Model>(
    from old: Model, to new: Model, _ properties: [(path: PartialKeyPath<Owner>, value: (Model) -> Double?)]
  ) {
    guard properties.contains(where: { $0.value(new) != $0.value(old) }) else { return }
    showModel()
    for (path, value) in properties where value(new) != value(old) { didChange(path) }
  }

  // MARK: Fingers and keys

  /// An open hand over the slider, a closed one while a finger or button holds a part.
  public override var cursor: CursorShape { isEnabled ? (isTracking ? .closedHand : .openHand) : .arrow }

  /// The slider keeps a drag along its axis; one across it may belong to another view.
  public override var dragAxes: Axes { isEnabled ? Axes(orientation) : [] }

  /// Takes a key for a thumb: `move` moves it, and says whether that changed a value.
  final func handleKey(_ event: KeyEvent, _ move: (SliderKey) -> Bool) -> Bool {
    switch event.phase {
    case .down, .repeated:
      guard takesKey(event), let key = SliderKey(event.key, direction: effectiveLayoutDirection) else { return false }
      heldKeys.insert(event.key)
      noteEditing()
      // An observer may have cancelled the key.
      guard heldKeys.contains(event.key) else { return true }
      if move(key) { sendActions(for: .valueChanged) }
    case .up, .cancelled:
      guard heldKeys.remove(event.key) != nil else { return false }
      noteEditing(isCancelled: event.phase == .cancelled)
    }
    return true
  }

  // MARK: Layout

  /// The distances from the edges of the bounds to the ends of the scale; nil for half a thumb.
  var scaleInsets: EdgeInsets? { nil }

  /// The geometry of the parts in the current bounds.
  package final var geometry: SliderGeometry {
    SliderGeometry(
      size: bounds.size, orientation: orientation, direction: effectiveLayoutDirection, insets: scaleInsets)
  }

  final func position(of touch: Touch) -> Double { geometry.position(of: touch.location(in: self)) }

  /// As long as the available space, and 31 points high as in the source article.
  public override func sizeThatFits(_ size: Size) -> Size { SliderGeometry.size(fitting: size, orientation) }

  // MARK: Drawing

  /// True while `thumb` is shown as held.
  func isHeld(_ thumb: SliderThumb) -> Bool { isHighlighted }

  /// Gives the thumbs their look.
  final func showThumbs() {
    for thumb in thumbs {
      thumb.look = SliderThumb.Look(
        color: thumbTintColor, curvaceousness: curvaceousness, isHighlighted: isHeld(thumb), isEnabled: isEnabled,
        image: images[.thumb], pressedImage: images[.thumbPressed])
    }
  }

  /// Disabling dims everything; holding highlights the held part.
  public override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled) { setNeedsStaticDisplay() }
    showThumbs()
  }

  private var painter: SliderPainter {
    SliderPainter(theme: theme, isEnabled: isEnabled, curvaceousness: curvaceousness)
  }

  /// True: the track is drawn once and kept.
  public override var hasStaticDrawing: Bool { true }

  public override func drawStatic(_ canvas: Canvas) {
    painter.drawTrack(geometry.track, trackTintColor ?? theme.track, images[.track].picture, on: canvas)
  }

  /// Draws the lit part of the track; the thumbs are separate views in front of it.
  public override func draw(_ canvas: Canvas) {
    let geometry = geometry
    let pressed = shown.isPressed ? images[.trackHighlightPressed].picture : nil
    painter.drawPart(
      geometry.part(from: shown.from, to: shown.to), of: geometry.track,
      trackHighlightTintColor ?? theme.trackHighlight, pressed ?? images[.trackHighlight].picture,
      isPressed: shown.isPressed && pressed == nil, on: canvas)
  }
}

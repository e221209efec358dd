/// A stretch along a slider's axis, in points; its ends may come in any order.
nonisolated struct SliderStretch: Hashable, Sendable {
  var from = 0.0
  var to = 0.0
  var isPressed = false
}

/// The base of `Slider` and `RangeSlider`: appearance, geometry, drawing and keys.
///
/// It is not for subclasses outside this library.
@ListsProperties
public class SliderControl: TrackControl {
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

  override func valuesDidChange() {
    for thumb in thumbs { thumb.value = values[thumb.end] }
  }

  // MARK: Fingers and keys

  public override var cursor: CursorShape { isEnabled ? (isTracking ? .closedHand : .openHand) : .arrow }

  public override var isBeingEdited: Bool { model.isDragging || !heldKeys.isEmpty }

  public override var ownEvents: Event { .edits }

  override func willDrag() { noteEditing() }

  override func didDrag(isChanged: Bool) {
    if isChanged { sendActions(for: .valueChanged) }
  }

  final func handleKey(_ event: KeyEvent, on thumb: RangeSlider.Thumb) -> Bool {
    switch event.phase {
    case .down, .repeated:
      let steps = TrackModel.steps(event.key, direction: effectiveLayoutDirection)
      guard takesKey(event), let steps else { return false }
      heldKeys.insert(event.key)
      noteEditing()
      // An observer may have cancelled the key.
      guard heldKeys.contains(event.key) else { return true }
      stopMotion()
      if change({ $0.step(thumb, by: steps) }) { sendActions(for: .valueChanged) }
    case .up, .cancelled:
      guard heldKeys.remove(event.key) != nil else { return false }
      noteEditing(isCancelled: event.phase == .cancelled)
    }
    return true
  }

  /// Sets the nearest value that a user can choose, unless a finger or key holds a thumb.
  final func setByAssistance(_ thumb: RangeSlider.Thumb, _ number: Double) throws(AccessibilityRefusal) {
    guard isEnabled else { throw AccessibilityRefusal(AccessibilityWords.current.isDisabled) }
    guard !isTracking, heldKeys.isEmpty else { throw AccessibilityRefusal(AccessibilityWords.current.isHeld) }
    changeByAssistance { change { $0.choose(thumb, number) } }
  }

  // MARK: Layout

  /// The distances from the edges of the bounds to the ends of the scale; nil for half a thumb.
  var scaleInsets: EdgeInsets? { nil }

  package final override var geometry: TrackGeometry {
    TrackGeometry(
      size: bounds.size, orientation: orientation, direction: effectiveLayoutDirection, insets: scaleInsets)
  }

  /// As long as the available space, and 31 points high as in the source article.
  public override func sizeThatFits(_ size: Size) -> Size {
    let length = size[orientation]
    return Size(length.isFinite && length > 0 ? length : 200, along: orientation, breadth: 31)
  }

  // MARK: Drawing

  final override var thumbLook: SliderThumb.Look {
    SliderThumb.Look(
      color: thumbTintColor, curvaceousness: curvaceousness, image: images[.thumb], pressedImage: images[.thumbPressed])
  }

  private var painter: SliderPainter {
    SliderPainter(theme: theme, isEnabled: isEnabled, curvaceousness: curvaceousness)
  }

  public override var hasStaticDrawing: Bool { true }

  public override func drawStatic(_ canvas: Canvas) {
    painter.drawTrack(geometry.track, trackTintColor ?? theme.track, images[.track].picture, on: canvas)
  }

  public override func draw(_ canvas: Canvas) {
    let geometry = geometry
    let pressed = shown.isPressed ? images[.trackHighlightPressed].picture : nil
    painter.drawPart(
      geometry.part(from: shown.from, to: shown.to), of: geometry.track,
      trackHighlightTintColor ?? theme.trackHighlight, pressed ?? images[.trackHighlight].picture,
      isPressed: shown.isPressed && pressed == nil, on: canvas)
  }
}

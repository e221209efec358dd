/// The base of `Slider`, `RangeSlider` and `Switch`: thumbs in front of a track, which a finger can still hold when it leaves
/// the track.
///
/// It is not for subclasses outside this library.
public class TrackControl: Control {
  final private(set) var model: TrackModel
  /// The thumbs, from the minimum on.
  let thumbs: [SliderThumb]

  init(frame: Rect, _ values: TrackValues, thumbs names: KeyValuePairs<RangeSlider.Thumb, String>) {
    model = TrackModel(values)
    thumbs = names.map { SliderThumb($0, name: $1) }
    super.init(frame: frame)
    for thumb in thumbs { addSubview(thumb) }
  }

  // MARK: Values

  final var values: TrackValues {
    get { model.values }
    set { change { $0.values = newValue } }
  }

  /// Changes the model, shows its values with the next frame, and notifies observers of the properties that changed. Observers
  /// never see crossed limits or ends.
  @discardableResult final func change<Result>(_ body: (inout TrackModel) -> Result) -> Result {
    let old = model.values
    let result = body(&model)
    guard model.values != old else { return result }
    setNeedsUpdate()
    valuesDidChange()
    for (path, value) in Self.stored where value(values) != value(old) { didChange(path) }
    return result
  }

  /// The values that properties of subclasses show, by the paths at which they are stored.
  private static let stored: [(path: PartialKeyPath<TrackControl>, value: (TrackValues) -> Double?)] = [
    (\.values.minimum, \.minimum), (\.values.maximum, \.maximum), (\.values.step, \.step),
    (\.values.minimumSpan, \.minimumSpan), (\.values.maximumSpan, \.maximumSpan), (\.values.lower, \.lower),
    (\.values.upper, \.upper),
  ]

  /// The values changed, and observers are not notified yet.
  func valuesDidChange() {}

  // MARK: Fingers

  public override var staysHighlightedOutside: Bool { true }

  public override var ownEvents: Event { .valueChanged }

  /// The control keeps a drag along its axis; one across it may belong to another view.
  public override var dragAxes: Axes { isEnabled ? Axes(geometry.orientation) : [] }

  /// The finger's position on the track, whose present axis the model takes.
  final func position(of touch: Touch) -> Double {
    let geometry = geometry
    model.axis = geometry.axis
    return geometry.position(of: touch.location(in: self))
  }

  /// A finger takes the part that is meant, without moving it; a touch that means none is ignored.
  public override func beginTracking(_ touch: Touch) -> Bool {
    let position = position(of: touch)
    let part = model.part(
      at: position, thumbLength: geometry.thumbLength, touchLength: Self.minimumTouchSide)
    guard let part, model.grab(part, by: touch.id, at: position) else { return false }
    stopMotion()
    showThumbs()
    return true
  }

  public override func continueTracking(_ touch: Touch) -> Bool {
    let position = position(of: touch)
    let wasDragging = model.isDragging
    if model.beginDrag(touch.id, at: position), !wasDragging { willDrag() }
    // An observer may have cancelled the finger.
    guard model.isDragging(touch.id) else { return true }
    let isChanged = change { $0.drag(touch.id, to: position) }
    showThumbs()
    didDrag(isChanged: isChanged)
    return true
  }

  /// A finger was lifted: first nothing is held or highlighted any more.
  public override func endTracking(_ touch: Touch) { release(touch) }

  /// The finger is lost: the values stay as they are.
  public override func cancelTracking(_ touch: Touch?) {
    if let touch { release(touch) }
  }

  func release(_ touch: Touch) {
    model.release(touch.id)
    showThumbs()
  }

  /// A finger has moved far enough to drag, and nothing has changed yet.
  func willDrag() {}

  func didDrag(isChanged: Bool) {}

  /// Stops a thumb that moves by itself, because a finger or key takes it.
  func stopMotion() {}

  // MARK: Layout and appearance

  package var geometry: TrackGeometry { TrackGeometry(size: bounds.size) }

  /// The position of a thumb's middle on the axis.
  func position(of thumb: RangeSlider.Thumb) -> Double { model.position(of: thumb) }

  /// Brings thumbs and track to where the values have them.
  func placeParts() {
    let geometry = geometry
    model.axis = geometry.axis
    for thumb in thumbs { thumb.place(geometry.thumb(at: position(of: thumb.end))) }
  }

  public override func layoutSubviews() { placeParts() }

  public override func update() { placeParts() }

  /// Shows what changed while there was no window.
  public override func didMoveToRoot() { placeParts() }

  var thumbLook: SliderThumb.Look { SliderThumb.Look() }

  func isHeld(_ thumb: SliderThumb) -> Bool { isHighlighted }

  func showThumbs() {
    var look = thumbLook
    look.isEnabled = isEnabled
    for thumb in thumbs {
      look.isHighlighted = isHeld(thumb)
      thumb.look = look
    }
  }

  public override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled) { setNeedsStaticDisplay() }
    showThumbs()
  }
}

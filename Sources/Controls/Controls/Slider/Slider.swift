/// A track with one thumb that chooses a value.
///
/// A finger anywhere on the slider takes the thumb, which then follows the finger's travel: taking hold moves nothing. A tap
/// beside the thumb brings it there. Setting a property in code updates the picture and sends nothing; what cannot be is
/// brought within the limits, in whatever order properties are set. A person's change sends `valueChanged`, and only a
/// change does; around a drag, a tap or a held key there are `editingDidBegin` and `editingDidEnd`, or `editingDidCancel` when
/// the system took finger or key away. `SliderModel` has the rules.
public final class Slider: Control {
  private static let glideKey = "glide"
  /// How long the thumb takes to a place that was tapped.
  static let glideDuration = Duration.milliseconds(160)

  private(set) var model = SliderModel() {
    didSet { modelDidChange(from: oldValue) }
  }
  /// The lit part of the track in the last frame.
  private var shown = SliderStretch()
  /// Where the thumb is on its way to a place that was tapped, 0...1; nil when it stands at its value.
  private(set) var glide: Double?
  private var heldKeys: Set<Key> = []
  private var isTapped = false
  let thumb = SliderThumb()

  /// Makes a slider at 0 within 0 and 1 at `frame`, in points of the future superview.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    thumb.name = "thumb"
    addSubview(thumb)
  }

  // MARK: Values

  /// The least value that can be chosen; 0 by default. Above the maximum it takes the maximum along.
  public var minimumValue: Double {
    get { model.minimum }
    set { set(\.minimum, newValue, \Slider.minimumValue) }
  }
  /// The greatest value that can be chosen; 1 by default. Below the minimum it takes the minimum along.
  public var maximumValue: Double {
    get { model.maximum }
    set { set(\.maximum, newValue, \Slider.maximumValue) }
  }
  /// The distance between the values that a person can choose, counted from the minimum; 0, the default, for any value.
  public var step: Double {
    get { model.step }
    set { set(\.step, newValue, \Slider.step) }
  }
  /// The value; 0 by default.
  public var value: Double {
    get { model.value }
    set { set(\.value, newValue, \Slider.value) }
  }

  // MARK: Layout

  /// Which way the slider lies; a vertical one has its minimum at the bottom.
  @Inspectable public var orientation = Axis.horizontal

  // MARK: Appearance

  /// The colour of the track; nil for the theme's.
  @Inspectable public var trackTintColor: Color?
  /// The colour of the track from its beginning to the thumb; nil for the theme's.
  @Inspectable public var trackHighlightTintColor: Color?
  /// The colour of the thumb; nil for the theme's.
  @Inspectable public var thumbTintColor: Color?
  /// How round track and thumb are: 0 is square, 1, the default, is as round as can be.
  @Inspectable public var curvaceousness = 1.0

  /// Besides those of its superclass.
  public override class var inspectables: [AnyProperty] {
    super.inspectables + [
      Property("minimumValue", \Slider.minimumValue, .none, group: "Value", isTold: true),
      Property("maximumValue", \Slider.maximumValue, .none, group: "Value", isTold: true),
      Property("step", \Slider.step, .none, group: "Value"),
      Property("value", \Slider.value, .none, group: "Value", isTold: true),
      Property("orientation", \Slider.orientation, .layout, group: "Layout"),
      Property("trackTintColor", \Slider.trackTintColor, .staticDisplay),
      Property("trackHighlightTintColor", \Slider.trackHighlightTintColor, .display),
      Property("thumbTintColor", \Slider.thumbTintColor, .none, then: { $0.showThumb() }),
      Property(
        "curvaceousness", \Slider.curvaceousness, .staticDisplay, group: "Track", limits: 0...1,
        then: { $0.showThumb() }),
    ]
  }

  /// Has the picture show another model with the next frame, and tells who observes what is another.
  private func modelDidChange(from old: SliderModel) {
    guard model.limits != old.limits || model.value != old.value || model.step != old.step else { return }
    thumb.value = model.value
    setNeedsUpdate()
    if model.minimum != old.minimum { didChange(\Slider.minimumValue) }
    if model.maximum != old.maximum { didChange(\Slider.maximumValue) }
    if model.step != old.step { didChange(\Slider.step) }
    if model.value != old.value { didChange(\Slider.value) }
  }

  /// Has code set what the model says at `path`: the thumb is at its place at once.
  private func set(_ path: WritableKeyPath<SliderModel, Double>, _ value: Double, _ property: PartialKeyPath<Slider>) {
    endAnimation(of: property)
    guard value.isFinite, model[keyPath: path] != value else { return }
    endGlide()
    model[keyPath: path] = value
  }

  // MARK: Touches

  /// The thumb is held also outside of the slider.
  public override var staysHighlightedOutside: Bool { true }

  /// An open hand over the slider, a closed one while a finger or button holds it.
  public override var cursor: CursorShape { isEnabled ? (isTracking ? .closedHand : .openHand) : .arrow }

  /// True in the bounds, and around them in what a finger needs to hit the thumb.
  public override func point(inside point: Point) -> Bool { isInTouchArea(point) }

  /// A drag along the slider is its own; one across it may be another's.
  public override var dragAxes: Axes { isEnabled ? (orientation == .horizontal ? .horizontal : .vertical) : [] }

  private func position(of touch: Touch) -> Double { geometry.position(of: touch.location(in: self)) }

  /// True while the thumb is dragged, goes where somebody tapped, or follows a key.
  public override var isBeingEdited: Bool { isTapped || model.isDragging || !heldKeys.isEmpty }

  /// Takes the thumb, wherever the finger is, without moving it.
  public override func beginTracking(_ touch: Touch) -> Bool {
    syncGeometry()
    endGlide()
    return model.grab(touch.id, at: position(of: touch))
  }

  /// Moves the thumb by the finger's travel.
  public override func continueTracking(_ touch: Touch) -> Bool {
    syncGeometry()
    let position = position(of: touch)
    if model.beginDrag(touch.id, at: position) { noteEditing() }
    // Who heard of it may have taken the finger away.
    if model.isDragging, model.drag(touch.id, to: position) { sendActions(for: .valueChanged) }
    return true
  }

  /// Lets go of the thumb; after a tap beside it, brings it there.
  public override func endTracking(_ touch: Touch) {
    let wasTap = !model.isDragging && point(inside: touch.location(in: self))
    model.release(touch.id)
    syncGeometry()
    let position = position(of: touch)
    if wasTap, abs(position - model.position) > geometry.thumbLength / 2 { tap(position) }
  }

  /// The finger is lost: the value stays as it is.
  public override func cancelTracking(_ touch: Touch?) {
    if let touch { model.release(touch.id) }
  }

  private func tap(_ position: Double) {
    let old = model.fraction
    isTapped = true
    noteEditing()
    isTapped = false
    // Who heard of it may have taken the slider away.
    guard isEnabled, root != nil, isShown, model.point(at: position) else { return }
    startGlide(from: old)
    sendActions(for: .valueChanged)
  }

  // MARK: Keys

  /// With the focus: arrows move by a step or a hundredth, Page Up and Page Down by ten, Home and End to the ends.
  public override func handleKey(_ event: KeyEvent) -> Bool {
    switch event.phase {
    case .down, .repeated:
      guard isEnabled, event.modifiers.isDisjoint(with: [.control, .alt, .logo]),
        let key = SliderKey(event.key, direction: effectiveLayoutDirection)
      else { return false }
      endGlide()
      heldKeys.insert(event.key)
      noteEditing()
      guard heldKeys.contains(event.key) else { return true }
      let changed =
        switch key {
        case .step(let steps): model.step(by: steps)
        case .end(let upwards): model.stepToEnd(upwards: upwards)
        }
      if changed { sendActions(for: .valueChanged) }
    case .up, .cancelled:
      guard heldKeys.remove(event.key) != nil else { return false }
      noteEditing(isCancelled: event.phase == .cancelled)
    }
    return true
  }

  /// The ring around the slider is as round as its thumb.
  public override var focusRingCornerRadius: Double? { geometry.thumbLength * curvaceousness / 2 }

  // MARK: Gliding

  /// Has the thumb glide from `start`, 0...1, to its value.
  private func startGlide(from start: Double) {
    guard let root, !root.prefersReducedMotion else { return }
    let animation = Animation(from: start, to: model.fraction, duration: Self.glideDuration, curve: .easeOut)
    addAnimation(animation, forKey: Self.glideKey) { [weak self] fraction in
      self?.glide = fraction
      self?.setNeedsUpdate()
    } completion: { [weak self] _ in
      self?.glide = nil
      self?.setNeedsUpdate()
    }
  }

  private func endGlide() { removeAnimation(forKey: Self.glideKey) }

  // MARK: Layout and drawing

  /// Where the parts lie in the current bounds.
  public var geometry: SliderGeometry {
    SliderGeometry(size: bounds.size, orientation: orientation, direction: effectiveLayoutDirection)
  }

  private func syncGeometry() {
    let axis = geometry.axis
    if model.axis != axis { model.axis = axis }
  }

  /// As long as there is room for, and 31 points high (K8).
  public override func sizeThatFits(_ size: Size) -> Size { SliderGeometry.size(fitting: size, orientation) }

  /// Brings the thumb and the lit part to where the model has them.
  private func placeParts() {
    syncGeometry()
    let geometry = geometry
    let axis = geometry.axis
    let place = axis.start + axis.extent * (glide ?? model.fraction)
    thumb.place(geometry.thumb(at: place))
    // From the edge of the track, but nothing at the minimum.
    let length = orientation == .horizontal ? bounds.width : bounds.height
    let edge = axis.extent < 0 ? length : 0
    let now = SliderStretch(from: place == axis.start ? place : edge, to: place)
    guard now != shown else { return }
    shown = now
    setNeedsDisplay()
  }

  /// Puts the parts where the bounds want them, at once.
  public override func layoutSubviews() { placeParts() }

  /// Shows the last of the changes since the last frame.
  public override func update() { placeParts() }

  /// Shows what changed while there was no window.
  public override func didMoveToRoot() { placeParts() }

  private func showThumb() {
    thumb.look = SliderThumb.Look(
      color: thumbTintColor, curvaceousness: curvaceousness, isHighlighted: isHighlighted, isEnabled: isEnabled)
  }

  /// Being disabled dims everything; being held shows in the thumb.
  public override func stateDidChange(from old: State) {
    if state.contains(.disabled) != old.contains(.disabled) { setNeedsStaticDisplay() }
    showThumb()
  }

  private var painter: SliderPainter {
    SliderPainter(theme: theme, isEnabled: isEnabled, curvaceousness: curvaceousness)
  }

  /// True: the track is drawn once and kept.
  public override var hasStaticDrawing: Bool { true }

  /// Draws the track.
  public override func drawStatic(_ canvas: Canvas) {
    painter.drawTrack(geometry.track, trackTintColor ?? theme.track, on: canvas)
  }

  /// Draws the lit part of the track; the thumb is a view of its own, in front of it.
  public override func draw(_ canvas: Canvas) {
    let geometry = geometry
    painter.drawPart(
      geometry.part(from: shown.from, to: shown.to), of: geometry.track,
      trackHighlightTintColor ?? theme.trackHighlight, isPressed: false, on: canvas)
  }
}

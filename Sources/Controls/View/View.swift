/// A rectangle on the screen that draws, lays out views inside it, and takes part in input.
///
/// The part of a drawing or view outside its bounds is neither drawn nor touched. Bad input never traps: a frame with NaN or
/// infinite parts is ignored, negative sizes count as 0, `alpha` is clamped to 0...1.
@ListsProperties
open class View {
  /// The view that this one is placed in; nil for a root, and for a view outside of a tree.
  public internal(set) weak var superview: View?
  /// The views inside, from the back to the front.
  public internal(set) var subviews: [View] = [] {
    didSet { subviewIndex = nil }
  }
  /// The root of the tree that the view is in.
  public internal(set) weak var root: RootView?
  /// A name for users, by which `--dump-tree` and tests find the view.
  @Inspectable(.none, group: "View", then: View.nameChanged) public var name = ""
  private func nameChanged() {
    superview?.siblingWasRenamed()
    root?.note(.tree(self))
  }

  /// Counts moves in the tree. Code that calls handlers compares it to see whether a handler moved the view.
  var moveCount = 0
  /// The index of many subviews' frames; nil if unknown.
  var subviewIndex: SubviewIndex?
  /// The position in `superview.subviews`; valid while `superview.subviewIndex` is set.
  var numberInSuperview = 0
  var storedFrame = Rect.zero
  /// The size that the program or a layout file set last. A container that places the view, and may stretch it, leaves this as it
  /// is: a view without a preference of its own asks for it again, whatever room it was given before.
  package internal(set) var ownSize = Size.zero
  var needsLayout = true
  /// The subviews that need layout or have a view inside that does.
  var waitingForLayout: [View] = []
  var isLayingOut = false
  /// True if the superview's `waitingForLayout` contains this view.
  var isWaitingForLayout = false
  /// True when the view waits in its root's `updates`.
  var needsUpdate = false
  /// True when the view waits in its root's `stale`.
  var needsDisplay = false
  /// The drawing of `drawStatic`; nil until it is first visible.
  var staticLayer: Layer?
  /// The drawing of `draw`; nil until it is first visible.
  var layer: Layer?
  var animations: [RunningAnimation] = []
  var anchorBox: AnchorBox?
  /// The order in which subviews with anchors are positioned; nil if it must be determined.
  package var anchorPlan: AnchorPlan?
  package var hasAnchoredSubviews = false
  var storedRecognizers: [GestureRecognizer]?
  /// The observers and animations of its properties; nil for most views.
  var propertyState: PropertyState?
  /// The program's accessibility settings; nil for most views.
  var accessibilityBox: AccessibilityBox?

  /// Creates a view at `frame`, in points of the future superview. Subclasses override this initialiser; no other is required.
  public init(frame: Rect = .zero) {
    if frame.isFinite { storedFrame = View.usable(frame) }
    ownSize = storedFrame.size
  }

  // MARK: Geometry

  /// The position and size in the superview's coordinates, in points.
  public var frame: Rect {
    get { storedFrame }
    set {
      let before = storedFrame.size
      setPlacedFrame(newValue)
      if storedFrame.size != before { ownSize = storedFrame.size }
    }
  }

  /// The view's own rectangle: its size at the origin (0, 0).
  public var bounds: Rect { Rect(origin: .zero, size: storedFrame.size) }

  /// The middle of `frame`; setting it moves the view.
  public var center: Point {
    get { storedFrame.center }
    set {
      let size = storedFrame.size
      frame = Rect(
        x: newValue.x - size.width / 2, y: newValue.y - size.height / 2, width: size.width, height: size.height)
    }
  }

  // MARK: Appearance

  /// True when neither the view nor anything inside is drawn or touched.
  @Inspectable(.none, group: "View", then: View.isHiddenChanged) public var isHidden = false
  private func isHiddenChanged() {
    if isHidden {
      _isHidden = false
      damage()
      _isHidden = true
      dropLayers()
      root?.inputLost(by: self)
      // Handlers of a finger lost by it may have shown the view again, elsewhere.
      guard isHidden else { return damage() }
    } else {
      damage()
    }
    if superview?.placesSubviewsBySize ?? false { superview?.setNeedsLayout() }
    root?.note(.tree(self))
  }

  /// The colours and text sizes for a view without its own: its root's, or `Theme.light` without a root.
  public var theme: Theme { root?.theme ?? .light }

  /// The opacity of the view and its descendants as one image, 0...1. NaN is ignored.
  @Inspectable(\View.storedAlpha, .none, group: "View", limits: 0...1) public var alpha: Double
  private(set) var storedAlpha = 1.0 {
    willSet { if newValue != storedAlpha { damage() } }
    didSet {
      guard storedAlpha != oldValue else { return }
      damage()
      didChange(\View.alpha)
    }
  }

  /// The fill of the view under its drawing; nil for none. It fills every pixel that the view touches.
  @Inspectable(.none, group: "View", then: View.damage) public var backgroundColor: Color?

  /// True if the view's drawing covers every pixel that the view touches, so that views under it need not be drawn. Override it
  /// only for drawing that keeps the promise (`Canvas.fill(_:)` does).
  open var isOpaque: Bool {
    (backgroundColor?.alpha ?? 0) >= 1 || (hasStaticDrawing && isStaticDrawingOpaque)
  }

  /// The part of the view, in its coordinates, where everything behind it is taken away before its own drawing: see `Opening`.
  var clearedArea: Rect? { nil }

  // MARK: Input

  /// False if neither the view nor any view inside takes touches.
  @Inspectable(.none, group: "View", then: View.isUserInteractionEnabledChanged)
  public var isUserInteractionEnabled = true
  private func isUserInteractionEnabledChanged() { if !isUserInteractionEnabled { root?.inputLost(by: self) } }

  /// The direction in which items follow each other in the view and its descendants; nil for that of the superview. Controls
  /// that represent an object with a left and a right side, such as a steering wheel, ignore it.
  @Inspectable(\View.storedLayoutDirection, .none, group: "View") public var layoutDirection: LayoutDirection?
  private final var storedLayoutDirection: LayoutDirection? {
    didSet {
      guard layoutDirection != oldValue else { return }
      noteLayoutDirection(was: oldValue ?? superview?.effectiveLayoutDirection ?? .leftToRight)
      didChange(\View.layoutDirection)
    }
  }

  /// A short text that explains the view. It appears when a pointer rests on the view for half a second, and when the keyboard
  /// moves the focus there, but never by touch. It takes no input, and disappears with the next press or key, or when the
  /// pointer leaves. Nil, the default, for none.
  @Inspectable(\View.storedToolTip, .none, group: "View") public var toolTip: String?

  /// The view's share of the space that is left over along the axis of a stack, as in flexbox: 0, the default, for none. Views
  /// with 1 and 2 get one and two thirds of it; shares of less than 1 in all leave the rest free.
  @Inspectable(.none, group: "View", limits: 0...1000, then: View.shareChanged) public var grow = 0.0
  /// The view's share of the space that is missing along the axis of a stack, for each point of its preferred length, as in
  /// flexbox. 0 keeps that length; it is the default of controls and plain views. That of labels and of stacks is 1.
  @Inspectable(.none, group: "View", limits: 0...1000, then: View.shareChanged) public var shrink = 0.0
  private func shareChanged() {
    if superview?.placesSubviewsBySize ?? false { superview?.setNeedsLayout() }
  }

  /// True if several fingers at a time may hold this view; otherwise fingers after the first are ignored.
  public var isMultipleTouchEnabled = false

  /// The cursor image over the view.
  open var cursor: CursorShape { .arrow }

  /// The cursor image at `point`, in the view's coordinates; override it for a view that has several.
  open func cursor(at point: Point) -> CursorShape { cursor }

  /// True while a pointer is over the view or a view inside.
  public internal(set) var isHovered = false

  // MARK: For subclasses: layout

  /// Sets the frames of the views inside. Called before a frame is drawn if the size or the window's scale changed or
  /// `setNeedsLayout` was called, never twice for one reason. Must depend on `bounds` alone, not on an earlier result.
  open func layoutSubviews() {}

  /// The preferred size of the view inside `size`, in points; nil, the default, for no preference: the view then keeps the size
  /// that was set. An override may return a non-optional `Size`. It must not depend on `bounds`: those may be what a container
  /// gave the view for something that is no longer there.
  open func sizeThatFits(_ size: Size) -> Size? { nil }

  /// The length in points to which a stack may shrink the view along `axis`, from `size`, its preferred one. 0 by default.
  func leastLength(along axis: Axis, of size: Size) -> Double { 0 }

  /// True for the content of a view that scrolls along `axis`: there is room for everything.
  func scrolls(along axis: Axis) -> Bool { false }

  /// True for a view whose layout depends on the preferred sizes of its subviews (`sizeThatFits`): it is laid out whenever one
  /// of them needs layout for its own reasons, is shown or hidden.
  open var placesSubviewsBySize: Bool { false }

  /// The view to which a layout file adds the views written inside this one: this view, or a view inside it made for them.
  open var contentHost: View { self }

  /// Called when a file is shown anew that gives this view settings: what depends on layout, and nobody has changed since, is laid out
  /// as at the start.
  package func showSettingsAnew() {}

  /// Updates the view from its model, once per frame after `setNeedsUpdate`: after animations, before layout. Move views to the
  /// positions of their values here.
  open func update() {}

  // MARK: For subclasses: appearance

  /// Called after the theme changed, because the root's changed or the view moved to a different root. Everything is drawn
  /// again anyway; override it to discard values made for the old theme.
  open func themeDidChange() {}

  /// Called after `effectiveLayoutDirection` changed. The view is laid out and drawn again anyway.
  open func layoutDirectionDidChange() {}

  // MARK: For subclasses: drawing

  /// True when `drawStatic` draws something.
  open var hasStaticDrawing: Bool { false }

  /// True if the static drawing covers every pixel that the view touches; pixels that it leaves out are black.
  open var isStaticDrawingOpaque: Bool { false }

  /// Draws the part that changes rarely, under `draw`. The result is cached as pixels until the size, the scale or the view's
  /// position within a pixel changes, or `setNeedsStaticDisplay` is called.
  open func drawStatic(_ canvas: Canvas) {}

  /// True for a drawing that changes often, such as a turning wheel, and consists only of texts, and of paths and rectangles
  /// filled with colours or with gradients from top to bottom. Their coverage is then cached in place of pixels, which saves
  /// clearing, comparing, copying and memory; only what differs from the previous drawing is rasterised again. Lines along
  /// circles and rounded rectangles are such fills. If `draw` draws anything else (other lines and gradients, images, clips),
  /// pixels are cached all the same. When the value changes, call `setNeedsDisplay`. False by default.
  open var drawsPlainFills: Bool { false }

  /// Draws the part that changes often, all of it, in the view's coordinates: points from its upper left corner. The result is
  /// cached as pixels until `setNeedsDisplay` is called, or the size, the scale or the view's position within a pixel changes
  /// (see `drawsPlainFills`). The same state must draw the same. Must not add views or change anything.
  open func draw(_ canvas: Canvas) {}

  /// False if the view's subviews are seen and touched outside of its bounds too, as far as its superview reaches.
  var clipsSubviews: Bool { true }

  // MARK: For subclasses: hits

  /// True if `point`, in the view's coordinates, is in its active area; override it for other shapes. The right and bottom
  /// edges are outside. A small view's area may extend 22 points beyond its bounds, but not beyond its superview's area, and
  /// not over a control: a point inside the bounds of one is its own.
  open func point(inside point: Point) -> Bool { bounds.contains(point) }

  /// The view at `point`, in the view's coordinates, that takes touches: the front-most one whose bounds hold the point, or,
  /// outside of all controls, the nearest whose area reaches it. While one search goes on it is asked more than once.
  open func hitTest(_ point: Point) -> View? {
    if let step = HitSearch.step { return hit(point, step) }
    return HitSearch.view(at: point, in: self)
  }

  // MARK: For subclasses: input

  /// The next responder, which receives events that this view does not handle.
  open var next: View? { superview }

  /// Fingers came down on the view. Override all four touch methods or none; a view that does not override passes touches to
  /// `next`.
  open func touchesBegan(_ touches: [Touch]) { next?.touchesBegan(touches) }

  /// Fingers that began on the view moved.
  open func touchesMoved(_ touches: [Touch]) { next?.touchesMoved(touches) }

  /// Fingers that began on the view were lifted.
  open func touchesEnded(_ touches: [Touch]) { next?.touchesEnded(touches) }

  /// Fingers that began on the view were cancelled: trigger nothing, and end the actions that they hold.
  open func touchesCancelled(_ touches: [Touch]) { next?.touchesCancelled(touches) }

  /// The axes along which the view itself uses drags that begin on it. Along these no ancestor's recogniser takes the finger
  /// away, as a scroll view otherwise would.
  open var dragAxes: Axes { [] }

  /// A key changed while the view was the first responder or contained it. Return true if it is handled; the key's `up` or
  /// `cancelled` follows a handled `down` here too.
  open func handleKey(_ event: KeyEvent) -> Bool { false }

  /// An input method changed the text, or one is pasted, while the view was the first responder.
  open func handleText(_ edit: TextEdit) {}

  /// The middle button pastes `text` at `point` of the view. True when handled.
  func pasteSelection(_ text: TextEdit, at point: Point) -> Bool { false }

  /// The text that the view edits while it is the first responder, for input methods; nil if it edits none. Read in each frame
  /// while the view is the first responder.
  open var textInputState: TextInputState? { nil }

  /// True for a view whose fingers leave the focus where it is, even in a text that others outside would end.
  package var keepsFocusElsewhere: Bool { false }

  /// True for a view whose text must stay in it: records of a session keep as many other characters in its place.
  package var keepsTextSecret: Bool { false }

  /// A wheel or touchpad scrolled over the view, by points, positive rightwards and down. True when handled.
  open func handleScroll(at point: Point, dx: Double, dy: Double) -> Bool { false }

  /// The pointer entered or left the view; see `isHovered`.
  open func hoverDidChange() {}

  /// True when Tab stops at the view and `becomeFirstResponder` works.
  open var canBecomeFirstResponder: Bool { false }

  /// The corner radius, in points, of the ring around the view while it is the first responder: the view's own corner radius;
  /// nil, the default, for a slightly rounded one.
  open var focusRingCornerRadius: Double? { nil }

  /// True for views edited by keys: a finger that comes down outside of the view takes the focus away from it.
  open var losesFocusToTouchesOutside: Bool { false }

  /// True for a view that shows by itself that keys go to it: it gets no ring.
  open var showsFocusItself: Bool { false }

  /// The view became or stopped being the first responder.
  open func firstResponderDidChange() {}

  /// The view was added to a tree with a root, or removed from it.
  open func didMoveToRoot() {}

  // MARK: For subclasses: accessibility

  /// The view's role for assistive technology; none by default.
  open var accessibilityRole: AccessibilityRole { .none }

  /// The view's own title, which `accessibilityLabel` overrides: its name by default.
  open var accessibilityTitle: String { name }

  /// The value with its limits and text; nil, the default, for a view without a value.
  open var accessibilityValue: AccessibilityValue? { nil }

  /// The text with its caret; by default a label's is its name, and other views have none.
  open var accessibilityText: AccessibilityText? {
    accessibilityRole == .label ? AccessibilityText(accessibilityLabel ?? "") : nil
  }

  /// The layout of `accessibilityText`, by which assistive technology locates its characters; nil, the default, if it is
  /// unknown.
  open var accessibilityTextLayout: AccessibilityTextLayout? { nil }

  /// On or off; nil, the default, if the view is neither.
  open var accessibilityIsOn: Bool? { nil }

  /// Whether the view's menu or similar is open; nil, the default, if the view opens nothing.
  open var accessibilityIsExpanded: Bool? { nil }

  /// True for the selected view of several; by default a control that is selected.
  package var isAccessibilitySelected: Bool { (self as? Control)?.isSelected ?? false }

  /// True for the view that assistive technology reports as focused; by default the first responder.
  package var isAccessibilityFocused: Bool { isFirstResponder }

  /// The only views inside that assistive technology finds at present; nil, the default, for all of them.
  var accessibilityScope: [View]? { nil }

  /// The views inside in the order in which assistive technology reads them; nil, the default, from the back to the front.
  var accessibilityOrder: [View]? { nil }

  /// The actions, the main one first; none by default.
  open var accessibilityActions: [AccessibilityAction] { [] }

  /// Sets a finite number as the value, by the view's own rules. Refuses by default. Call `carryOut` instead of it.
  open func setAccessibilityValue(_ number: Double) throws(AccessibilityRefusal) {
    throw AccessibilityRefusal(AccessibilityWords.current.isImpossible)
  }

  /// Sets a text as the value, by the view's own rules. Refuses by default. Call `carryOut` instead of it.
  open func setAccessibilityText(_ text: String) throws(AccessibilityRefusal) {
    throw AccessibilityRefusal(AccessibilityWords.current.isImpossible)
  }

  // MARK: For subclasses: facts

  /// The facts about the view for `--dump-tree` and tests, besides its type, name and frame: the values of inspected
  /// properties, to which subclasses add others.
  open var inspection: Inspection {
    var inspection = Inspection()
    for property in inspectables where property.isReported {
      let value = property.json(of: self)
      if value != .null, value.items == nil { inspection.values[property.name] = value }
    }
    return inspection
  }
}

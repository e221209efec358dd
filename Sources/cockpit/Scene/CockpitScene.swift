import ControlTools
import Controls
import Desktop
import UICore

/// The scene: what a layout file says, the cockpit's own unless another is asked for. It connects the controls to the car and
/// the instruments; keys and windows are others' work.
///
/// A part that a file leaves out is there, but not seen: what is connected to it need not ask. It stays the same one for as long
/// as files leave it out.
final class CockpitScene: RootView {
  private(set) var cluster: InstrumentCluster
  private(set) var gearbox: ThrottleGearbox
  private(set) var wheel: SteeringWheel
  private(set) var horn: Horn
  /// What stands for parts that a file leaves out.
  private let standIns = (
    cluster: InstrumentCluster(), gearbox: ThrottleGearbox(), wheel: SteeringWheel(), horn: Horn()
  )
  private(set) var drive = DriveController()
  /// Called when a newer file brought other parts, for those who listen to them.
  var onPartsChange: (() -> Void)?
  private(set) lazy var inspector = SceneInspector(scene: self)
  /// Called when lever or wheel take a key, whoever has the focus.
  var onDrivingKey: ((KeyEvent) -> Void)?
  /// Where losses are told; made with the first one.
  private(set) var lossDisplay: LossDisplay?
  private var lossPlace: Observation?
  private let content: SceneView
  private var showsBeacon: Bool?
  /// Whether tilting steers, so that there is a lamp for it.
  var showsTilt = false {
    didSet { cluster.showsTilt = showsTilt }
  }
  /// True where the controls drive something: nothing may lie over them, nor over the gear that is shown.
  var mustStayInSight = false {
    didSet { if mustStayInSight { setNeedsLayout() } }
  }
  private var laidOutSize = Size.zero
  /// Waits for the fingers that hold what is to move.
  private var release: Observation?
  private var restart: Observation?

  /// The cockpit's own scene.
  convenience init() {
    do throws(LayoutFileError) {
      try self.init(file: CockpitScene.ownFile())
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The scene of `file`.
  ///
  /// - Throws: `LayoutFileError` for the first mistake in the file.
  init(file: LayoutFile) throws(LayoutFileError) {
    (cluster, gearbox, wheel, horn) = standIns
    weak var scene: CockpitScene?
    content = SceneView(
      registry: CockpitScene.registry, actions: CockpitScene.actions { scene })
    super.init(frame: .zero)
    scene = self
    theme = .dark
    layoutDirection = Language.direction
    name = "cockpit"
    try content.load(file)
    addSubview(content)
    findParts()
    drive.attach(to: self)
    content.onChange = { [unowned self] in partsMayHaveChanged() }
    restartAnimationsWhenActive()
    addGestureRecognizer(InspectorHold { [unowned self] in inspector.toggle() })
  }

  /// The inspector while it is open; one that nobody asked for is not made.
  var openInspector: SceneInspector? { isInspectorOpen ? inspector : nil }
  var isInspectorOpen = false {
    didSet { if isInspectorOpen != oldValue { setNeedsLayout() } }
  }

  override var minimumSize: Size { CockpitLayout.minimumSize }

  override func layoutSubviews() {
    let room = openInspector?.place(in: bounds.size) ?? bounds
    guard bounds.size == laidOutSize, room != content.frame, isHeld else {
      laidOutSize = bounds.size
      content.frame = room
      return
    }
    // What a finger holds does not move under it: the rest of the way when it is let go.
    release?.remove()
    release = addLayoutObserver { [unowned self] in
      guard !isHeld else { return }
      release?.remove()
      setNeedsLayout()
    }
  }

  /// True while a finger drives.
  var isHeld: Bool { gearbox.isTracking || wheel.isTracking || horn.isTracking }

  /// Tells the driver why nothing is commanded, nil for nothing, and marks the controls that are `ignored`.
  func showLoss(_ notice: LossNotice?, ignored: IgnoredControls) {
    if lossDisplay == nil {
      guard notice != nil || !ignored.isEmpty else { return }
      let display = LossDisplay(scene: self)
      lossDisplay = display
      insertSubview(display, at: 1)
      lossPlace = addLayoutObserver { [unowned self] in
        display.frame = content.frame
        display.follow()
      }
    }
    lossDisplay?.show(notice, ignored: ignored)
  }

  /// The views of the scene's file.
  var contentParts: [View] { content.subviews }

  /// Shows `file` instead, as far as it differs; what people set stays.
  ///
  /// - Throws: `LayoutFileError` for the first mistake in the file; the scene then stays as it is.
  func load(_ file: LayoutFile) throws(LayoutFileError) {
    try content.load(file)
  }

  /// Checks that the file at `path` could be shown.
  ///
  /// - Throws: `LayoutFileError` for the first mistake in the file.
  static func check(contentsOf path: String) throws(LayoutFileError) {
    try LayoutView.check(
      LayoutFile(contentsOf: path), registry: registry, actions: actions { nil })
  }

  /// Looks and moves as `look` says.
  func adopt(_ look: SceneLook) {
    theme = look.theme
    prefersReducedMotion = look.reducesMotion
  }

  /// The gear's colour is chosen by the gear, so it is chosen anew.
  override func themeDidChange() { drive.showControls() }

  private func findParts() {
    cluster = content.find(InstrumentCluster.self, "cluster") ?? standIns.cluster
    gearbox = content.find(ThrottleGearbox.self, "gearbox") ?? standIns.gearbox
    wheel = content.find(SteeringWheel.self, "wheel") ?? standIns.wheel
    horn = content.find(Horn.self, "horn") ?? standIns.horn
    if let showsBeacon { cluster.beacon.isEnabled = showsBeacon }
    cluster.showsTilt = showsTilt
  }

  private func partsMayHaveChanged() {
    let old: [View] = [cluster, gearbox, wheel, horn]
    findParts()
    if zip(old, [cluster, gearbox, wheel, horn] as [View]).contains(where: { $0 !== $1 }) {
      drive.attach(to: self)
      onPartsChange?()
    }
    drive.showControls()
    if isActive { drive.resume() }
  }

  /// Brings the scene to where the options want it, silently and without motion.
  func apply(_ options: Options) {
    if let gear = options.gear { gearbox.gear = gear }
    if let degrees = options.steeringDegrees { wheel.angle = degrees }
    adopt(SceneLook(DesktopPreferences(), choice: options.theme))
    showsBeacon = options.showsBeacon
    showsTilt = options.tilt != .off
    mustStayInSight = options.drive != nil
    if let showsBeacon { cluster.beacon.isEnabled = showsBeacon }
    drive.showControls()
  }

  /// As the guide on controls asks: what runs endlessly is removed in the background, so it is started again whenever the
  /// application becomes active; twice changes nothing (K13, K-D4).
  private func restartAnimationsWhenActive() {
    restart = addLifecycleObserver { [unowned self] event in
      if event == .didBecomeActive { drive.resume() }
    }
  }
}

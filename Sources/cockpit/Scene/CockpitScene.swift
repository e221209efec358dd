import CockpitControls
import ControlTools
import Controls
import Desktop
import Shell
import UICore
import WindowDecoration

/// The scene of a layout file, by default the cockpit's own. It connects the controls to the car and the instruments; it knows
/// neither keys nor windows.
///
/// Its parts are created once and live as long as it does: a file configures and positions them. A part that a file omits
/// exists but is not shown, so that nothing connected to it is optional.
final class CockpitScene: DecoratedRootView {
  let cluster = InstrumentCluster()
  let gearbox = SceneTypes.gearbox()
  let wheel = SteeringWheel()
  let horn = Horn()
  /// The picture of a camera, and the plates on it; shown by `videoMode`.
  let video = Video()
  let plates = VideoPlates()
  /// How the picture of a camera is shown.
  var videoMode = VideoMode.off { didSet { if videoMode != oldValue { arrangeVideo() } } }
  var videoPlace: ObservationToken?
  /// Chooses how the picture is shown; nil if no camera was named.
  var videoButton: Button?
  private(set) lazy var car = SimulatedCar(scene: self)
  private(set) lazy var inspector = SceneInspector(scene: self)
  /// Shows a keyboard for texts that fingers touch, where the desktop shows none.
  private(set) lazy var keyboard = makeKeyboard()
  /// Turns the controls into commands, and decides which keys and requests may move them; nil without a dead-man's switch.
  weak var driveOutput: DriveOutput?
  /// Moves lever and wheel by gamepads; nil without `--gamepad`.
  weak var gamepad: GamepadCommands?
  /// The emergency stop; nil if nothing real is driven.
  private(set) var stop: EmergencyStop?
  private var stopPlace: ObservationToken?
  /// True if no free area is left: the scene's file then leaves a band at the window's foot to the emergency stop.
  private var keepsBand = false
  /// The input of the last search for the stop's frame.
  private var stopArrangement: Int?
  /// The charge at which the battery counts as low, by the vehicle's file.
  private(set) var batteryAlarm: VehicleFile.Battery?
  /// The controls of the vehicle's channels; nil for a vehicle without any.
  private(set) var channels: ChannelControls?
  /// Those that the scene's file has no control for; nil if there are none.
  private(set) var channelStrip: ChannelStrip?
  private var stripNumbers: [Int]?
  /// The display of losses; created with the first loss.
  private(set) var lossDisplay: LossDisplay?
  private var lossPlace: ObservationToken?
  /// The scene's file, which positions the scene's own parts, in the window without the inspector and the band of the emergency
  /// stop.
  let content: LayoutView
  /// True when the controls drive a vehicle: nothing may cover them or the gear's letter.
  var mustStayInSight = false {
    didSet { if mustStayInSight { setNeedsLayout() } }
  }
  /// True from `apply` until the scene first becomes active: the needle then sweeps once over its scale.
  private var sweepsAtStart = false
  private var laidOutSize = Size.zero
  /// Lays out again when fingers release the controls that a new layout moves.
  private var release: ObservationToken?
  private var restart: ObservationToken?

  convenience init() {
    do throws(LayoutFileError) {
      try self.init(file: SceneTypes.own())
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The scene of `file`.
  ///
  /// - Throws: `LayoutFileError` for the first error in the file.
  init(file: LayoutFile) throws(LayoutFileError) {
    weak var scene: CockpitScene?
    content = LayoutView(
      registry: SceneTypes.registry, actions: SceneTypes.actions { scene },
      parts: [
        LayoutPart("InstrumentCluster", named: "cluster", cluster),
        LayoutPart("ThrottleGearbox", named: "gearbox", gearbox),
        LayoutPart("SteeringWheel", named: "wheel", wheel), LayoutPart("Horn", named: "horn", horn),
        LayoutPart("Video", named: "video", video),
      ])
    super.init(frame: .zero)
    scene = self
    theme = .dark
    layoutDirection = Language.direction
    name = "cockpit"
    Language.current.translateControls()
    gearbox.accessibilityLabel = Language.current.gearbox
    wheel.accessibilityLabel = Language.current.wheel
    horn.accessibilityLabel = Language.current.horn
    try content.load(file)
    addSubview(content)
    car.showControls()
    // The needle sweeps only the first time.
    restart = observeLifecycle { [unowned self] event in
      guard event == .didBecomeActive else { return }
      car.resume()
      if sweepsAtStart { cluster.speedometer.sweep() }
      sweepsAtStart = false
    }
    addGestureRecognizer(InspectorHold { [unowned self] in inspector.toggle() })
    _ = keyboard
  }

  var isInspectorOpen: Bool { inspector.panel != nil }

  override var minimumSize: Size { CockpitLayout.minimumSize }

  /// Stopping the vehicle is always allowed.
  override func accessibilityRefusal(of command: AccessibilityCommand, on view: View) -> AccessibilityRefusal? {
    view === stop ? nil : driveOutput?.assistanceRefusal(of: command, on: view)
  }

  /// True if a real vehicle is driven: the scene has an emergency stop in front of everything, nothing may cover the controls,
  /// and values of the simulated car are not shown.
  var drivesVehicle = false {
    didSet {
      guard drivesVehicle, stop == nil else { return }
      mustStayInSight = true
      if !car.followsTelemetry {
        car.followsTelemetry = true
        cluster.speedometer.isKnown = false
      }
      let made = EmergencyStop()
      stop = made
      addSubview(made)
      keptInSight = { [unowned self] in cluster.areasInSight }
      reachableOverModals = { [unowned self] in stop.map { [$0] } ?? [] }
      stopPlace = observeLayout { [unowned self] in placeStop() }
    }
  }

  /// A touch on the emergency stop goes to it, even if another view covers it.
  override func hitTest(_ point: Point) -> View? {
    if let stop, stop.point(inside: stop.convert(point, from: self)) { return stop }
    return super.hitTest(point)
  }

  /// A dialog lies in front: nobody sees all instruments, and no hand is on the controls. Fingers and keys are cancelled already; gamepads let go
  /// too, and a gear that nobody holds is left.
  override func modalDidOpen() {
    driveOutput?.noteCovered(at: now)
    gamepad?.cancel()
    channels?.noteLoss()
    horn.hold(false)
    gearbox.brake()
  }

  private func placeStop() {
    guard let stop, !stop.isTracking else { return }
    let arrangement = arrangement
    guard arrangement != stopArrangement else { return }
    stopArrangement = arrangement
    if keepsBand {
      let side = EmergencyStop.leastSide
      stop.frame = Rect(
        x: (content.frame.midX - side / 2).rounded(), y: content.frame.maxY + (EmergencyStop.band - side) / 2,
        width: side, height: side)
    } else if let place = placeOfStop(in: content.frame) {
      stop.frame = place
    } else {
      keepsBand = true
      setNeedsLayout()
    }
  }

  override func layoutSubviews() {
    if let stop, subviews.last !== stop { bringSubviewToFront(stop) }
    if bounds.size != laidOutSize { keepsBand = false }
    var room = isInspectorOpen ? inspector.place(in: bounds.size) : bounds
    if let channelStrip {
      let height = ChannelStrip.height(inWindow: room.height)
      room.size.height = max(room.height - height, 1)
      channelStrip.frame = Rect(x: room.minX, y: room.maxY, width: room.width, height: height)
    }
    if keepsBand { room.size.height = max(room.height - EmergencyStop.band, 1) }
    guard bounds.size == laidOutSize, room != content.frame, isHeld else {
      laidOutSize = bounds.size
      content.frame = room
      return
    }
    // A held control does not move under its finger; it moves when the finger is lifted.
    release?.remove()
    release = observeLayout { [unowned self] in
      guard !isHeld else { return }
      release?.remove()
      setNeedsLayout()
    }
  }

  /// True for a strip over other windows: the background is omitted, and touches outside its controls pass through to them.
  private(set) var isStrip = false

  /// The controls of a strip, the inspector and the emergency stop; nil for other windows.
  override var inputArea: [Rect]? {
    guard isStrip else { return nil }
    return ([gearbox, wheel, horn] as [View]).filter(\.isShown).map { view in
      let area = view.windowFrame.intersection(bounds)
      return Rect(
        x: area.minX.rounded(.down), y: area.minY.rounded(.down), width: area.width.rounded(.up) + 1,
        height: area.height.rounded(.up) + 1)
    } + [inspector.panel, stop, channelStrip, keyboard.keyboard].compactMap { $0?.windowFrame }
  }

  private func hideBackground() {
    guard isStrip else { return }
    backgroundColor = nil
    func hide(_ view: View) {
      if view is Backdrop { view.isHidden = true }
      view.subviews.forEach(hide)
    }
    hide(content)
  }

  /// True if the scene has instruments that say what is commanded.
  var showsInstruments: Bool { cluster.root === self && cluster.isShown }

  func takesInput(_ control: Control) -> Bool { control.root === self && control.isShown && control.isEnabled }

  /// Shifts the lever for a button of the scene. A button is not a hand on the lever: if something real is driven, it shifts
  /// nothing and the attempt is logged.
  func shift(_ step: (ThrottleGearbox) -> Void) {
    guard !mustStayInSight else {
      return Log.write(.app, .error, "a button shifts nothing that is real: only the lever does, and its keys")
    }
    step(gearbox)
  }

  /// True while a touch holds lever, wheel or horn.
  var isHeld: Bool { gearbox.isTracking || wheel.isTracking || horn.isTracking }

  /// Shows the driver why nothing is commanded, nil for nothing, and marks the controls that are `ignored`.
  func showLoss(_ notice: LossNotice?, ignored: IgnoredControls) {
    if lossDisplay == nil {
      guard notice != nil || !ignored.isEmpty else { return }
      let display = LossDisplay()
      lossDisplay = display
      // In front of the scene and of an inset picture; the stop and the inspector are in front of it.
      let below = subviews.lastIndex { $0 === content || $0 === video || $0 === videoButton } ?? 0
      insertSubview(display, at: below + 1)
      lossPlace = observeLayout { [unowned self] in
        display.frame = content.frame
        display.follow(self)
      }
    }
    // The picture and what stands on it leave the notice its place.
    if videoMode != .off, (lossDisplay?.banner.notice == nil) != (notice == nil) { setNeedsLayout() }
    lossDisplay?.show(notice, ignored: ignored, in: self)
  }

  /// Replaces the scene's file with `file`. Only differences take effect; values that the user set stay. A lever or wheel that
  /// it omits commands nothing.
  ///
  /// - Throws: `LayoutFileError` for the first error in the file; the scene then stays unchanged.
  func load(_ file: LayoutFile) throws(LayoutFileError) {
    if !placesVideo { video.removeFromSuperview() }
    try content.load(file)
    hideBackground()
    bindChannels()
    arrangeVideo()
    keepsBand = false
    if gearbox.superview == nil { gearbox.gear = .neutral }
    if wheel.superview == nil { wheel.angle = 0 }
    car.showControls()
    if isActive { car.resume() }
  }

  /// Binds the controls of the scene's file to channels of the vehicle, and puts those that have none into a strip at the foot. What is wrong
  /// with a file is said on standard error: another vehicle may have the channel.
  private func bindChannels() {
    guard let channels else {
      for (control, name) in content.channels {
        complain(control, "there is no channel \"\(shown(name))\" without a vehicle's file")
      }
      return
    }
    for (control, reason) in channels.bind(content.channels) { complain(control, reason) }
    let numbers = channels.unbound
    defer { channels.showAgain() }
    guard numbers != stripNumbers else { return }
    stripNumbers = numbers
    channels.unbind(ofScene: false)
    channelStrip?.removeFromSuperview()
    channelStrip = nil
    let strip = ChannelStrip(channels, numbers)
    if !strip.isEmpty {
      channelStrip = strip
      insertSubview(strip, at: 1)
    }
    setNeedsLayout()
  }

  private func complain(_ control: Control, _ reason: String) {
    Cockpit.complain("\(content.place(of: control).map { "\($0): " } ?? "")channel: \(reason)")
  }

  /// Names the pictures of the scene that cannot be read on standard error, the first twenty of them. They are no errors of the
  /// file: they may come later.
  func complainOfPictures() {
    for error in content.pictureErrors.prefix(20) { Cockpit.complain("\(error)") }
  }

  /// Takes the theme and motion of `look`.
  func adopt(_ look: SceneLook) {
    theme = look.theme
    prefersReducedMotion = look.reducesMotion
    if look.reducesMotion { cluster.speedometer.endSweep() }
  }

  /// Takes unit, alarm and channels of a vehicle; of none, what a vehicle without a file has.
  func adopt(_ vehicle: VehicleFile?) {
    cluster.speedometer.speedUnit = vehicle?.unit ?? .kilometresPerHour
    batteryAlarm = vehicle?.battery
    channels = vehicle.flatMap { ChannelControls($0, scene: self) }
    bindChannels()
  }

  /// Updates the colours of gate and gear from the new theme.
  override func themeDidChange() {
    gearbox.palette = palette.gate
    car.showControls()
  }

  /// Sets the values that the options request, without events and without motion.
  func apply(_ options: Options) {
    if let gear = options.gear { gearbox.gear = gear }
    if let degrees = options.steeringDegrees { wheel.angle = degrees }
    gearbox.followsFinger = options.throttle == .lever
    adopt(SceneLook(DesktopPreferences(), choice: options.theme))
    adopt(options.vehicleFile)
    cluster.showsTilt = options.tilt != .off
    mustStayInSight = options.receiver != nil
    if case .strip = options.role { isStrip = true }
    hideBackground()
    if !options.video.isEmpty {
      addVideoButton()
      videoMode = options.videoView
    }
    if let showsBeacon = options.showsBeacon { cluster.beacon.isEnabled = showsBeacon }
    sweepsAtStart = true
    car.showControls()
  }
}

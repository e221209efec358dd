// The cockpit as one tree of views: who is in it, where, and what they tell each other.

import Controls
import Interface

/// The scene: backdrop, instruments, gearbox, wheel and horn. It connects the controls to the car and the instruments;
/// keys and windows are others' work.
final class CockpitScene: RootView {
  let palette: CockpitTheme
  let backdrop: Backdrop
  let cluster: InstrumentCluster
  let gearbox = ThrottleGearbox()
  let wheel = SteeringWheel()
  let horn = Horn()
  private(set) var drive = DriveController()

  init(theme: CockpitTheme = .dark) {
    palette = theme
    backdrop = Backdrop(theme: theme)
    cluster = InstrumentCluster(theme: theme)
    super.init(frame: .zero)
    self.theme = .dark
    name = "cockpit"
    gearbox.name = "gearbox"
    gearbox.fit = .filling
    gearbox.showsGearNumbers = true
    gearbox.showsSlot = true
    wheel.name = "wheel"
    horn.name = "horn"
    // The hub belongs to the wheel's square but not to the wheel: the horn lies in front of it.
    for view in [backdrop, cluster, gearbox, wheel, horn] { addSubview(view) }
    drive.attach(to: self)
    restartAnimationsWhenActive()
  }

  override var minimumSize: Size { CockpitLayout.minimumSize }

  override func layoutSubviews() {
    let layout = CockpitLayout(size: bounds.size)
    backdrop.frame = bounds
    backdrop.dashboardEdge = layout.dashboardEdge
    backdrop.console = layout.gearbox
    cluster.frame = layout.cluster
    gearbox.frame = layout.gearbox
    wheel.frame = layout.wheel
    horn.frame = wheel.hubFrame
  }

  /// Brings the scene to where the options want it, silently and without motion.
  func apply(_ options: Options) {
    gearbox.gear = options.gear
    wheel.angle = options.steeringDegrees
    cluster.beacon.isEnabled = options.showsBeacon
    drive.showControls()
  }

  /// As the guide on controls asks: what runs endlessly is removed in the background, so it is started again whenever the
  /// application becomes active; twice changes nothing (K13, K-D4).
  private func restartAnimationsWhenActive() {
    addLifecycleObserver { [unowned self] event in
      if event == .didBecomeActive {
        cluster.beacon.start()
        drive.resume()
      }
    }
  }
}

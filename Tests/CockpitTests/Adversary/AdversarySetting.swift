import DriveLink
import Stage

/// The options of one session of the adversary.
nonisolated struct AdversarySetting: Hashable, Sendable {
  var isDeadMan = true
  var hasTilt = false
  /// A camera whose picture the driver looks at.
  var hasVideo = false
  /// A window with room for the inspector beside the scene.
  var isWide = false
  var compositor = Compositor.everything
  /// Limits and a ramp of the throttle, which a finger sets without steps.
  var isShaped = false
  /// A steering that is finer around the centre, and set off by a trim.
  var isTrimmed = false
  /// Two gamepads.
  var hasPads = false
  /// A watch for holds that give no sign.
  var isWatched = false
  /// A vehicle with channels, arming and mode.
  var hasChannels = false
  /// Every loss disarms it.
  var disarmsAtLoss = false
  /// The steps that are left out, by the names of their cases.
  var without: Set<String> = []

  enum Compositor: String, Sendable, CaseIterable { case everything, weston10, sway17, kwin527 }

  /// The setting of the session of that number.
  init(session: Int) {
    isDeadMan = session % 4 != 3
    hasTilt = session % 3 == 2
    hasVideo = session % 3 == 1
    isWide = session % 5 == 4
    isShaped = session % 6 == 1
    isTrimmed = session % 5 == 2
    isWatched = session % 7 == 3
    hasPads = session % 2 == 1
    hasChannels = session % 4 == 2 || session % 8 == 5
    disarmsAtLoss = session % 3 == 0
    compositor = Compositor.allCases[session / 2 % 4]
  }

  init() {}

  var shaping: DriveShaping {
    DriveShaping(
      limit: isShaped ? 0.6 : 1, reverseLimit: isShaped ? 0.3 : 1, ramp: isShaped ? 2 : 0, trim: isTrimmed ? 0.05 : 0,
      expo: isTrimmed ? 0.4 : 0)
  }

  /// How long a hold may give no sign; nil for ever.
  var vigilance: Duration? { isWatched ? .seconds(1) : nil }

  func leavesOut(_ step: Step) -> Bool {
    !without.isEmpty && without.contains(String(step.text.dropFirst().prefix { $0.isLetter }))
  }

  var globals: StageGlobals {
    switch compositor {
    case .everything: .everything
    case .weston10: .weston10
    case .sway17: .sway17
    case .kwin527: .kwin527
    }
  }
}

/// Makes steps by chance: mostly actions of hands, and now and then unexpected ones. The same seed makes the same steps.
struct StepSource {
  private var dice: Dice
  private let setting: AdversarySetting
  /// The control on which each finger that is down was put.
  private var fingers: [Int32: Step.Spot] = [:]
  private var keys: Set<Step.StageKey> = []
  private var isPressed = false
  private var isPenDown = false
  private var isFrozen = false
  private var stepsFrozen = 0
  private var isLinked = true
  private var isStopped = false
  private var away: Set<Step.Device> = []
  private var pointed: Step.Spot = .lever(0)
  /// The buttons of gamepads that are down.
  private var padButtons: [Int: Set<Step.PadButton>] = [:]
  /// How many steps a driver may still brake in because the lever no longer obeys.
  private var alarm = 0
  /// The steps that make lever and wheel usable again: most of the time driving is possible.
  private var mendings: [Step.Edit] = []

  init(seed: UInt64, setting: AdversarySetting) {
    dice = Dice(seed: seed)
    self.setting = setting
  }

  /// The next step.
  mutating func next() -> Step {
    while true {
      let step = draw()
      guard !setting.leavesOut(step) else { continue }
      note(step)
      return step
    }
  }

  private mutating func draw() -> Step {
    if isFrozen {
      stepsFrozen += 1
      if stepsFrozen > 12 { return .thaw }
    }
    if isStopped, dice.roll(20) == 0 { return .releaseStop }
    if alarm > 0 {
      alarm -= 1
      if dice.roll(3) == 0 { return brake() }
    }
    if let mending = mendings.first, dice.roll(15) == 0 { return .code(mending) }
    if setting.hasChannels, dice.roll(8) == 0 { return channel() }
    if setting.hasPads, dice.roll(4) == 0 { return pad() }
    switch dice.roll(1000) {
    case 0..<430: return touch()
    case 430..<540: return key()
    case 540..<610: return .pass([5, 20, 50, 120, 200, 400, 700, 1200][dice.roll(8)])
    case 610..<720: return .frame
    case 720..<790: return pointerOrPen()
    case 790..<815: return .assist(part(), wish())
    case 815..<835: return .edit(edit())
    case 835..<850: return .code(edit())
    case 850..<868: return .save(scene())
    case 868..<890:
      if setting.hasVideo { return .camera(dice.roll(10) < 6 ? .live : Step.Camera.allCases[dice.roll(5)]) }
      return setting.hasTilt ? .tilt((dice.roll(13) - 6) * 10) : .frame
    default: return upset()
    }
  }

  private mutating func touch() -> Step {
    let held = fingers.keys.sorted()
    if !held.isEmpty, dice.roll(10) < 6 {
      let finger = held[dice.roll(held.count)]
      if dice.roll(4) == 0 { return .up(finger) }
      switch fingers[finger] {
      case .lever: return .move(finger, dice.roll(20) == 0 ? spot() : .lever(dice.roll(12) - 1))
      case .rim: return .move(finger, dice.roll(20) == 0 ? spot() : .rim((dice.roll(25) - 12) * 15))
      default: return .move(finger, spot())
      }
    }
    let finger = Int32(dice.roll(4))
    return dice.roll(12) == 0 ? .tap(finger, spot()) : .down(finger, spot())
  }

  /// What happens to the channels' controls.
  private mutating func channel() -> Step {
    let channel = Step.Channel.allCases[dice.roll(Step.Channel.allCases.count)]
    let spot = Step.Spot.channel(channel, dice.roll(100))
    switch dice.roll(20) {
    case 0...4: return .tap(Int32(dice.roll(4)), spot)
    case 5...9: return .down(Int32(dice.roll(4)), spot)
    case 10, 11: return .move(Int32(dice.roll(4)), spot)
    case 12...14: return .arm([200, 450, 700, 700][dice.roll(4)])
    case 15: return .assist(.channel(channel), dice.roll(3) == 0 ? .value(dice.roll(2)) : .press)
    case 16: return .point(spot)
    default:
      guard setting.hasPads else { return .down(Int32(dice.roll(4)), .channel(.winch, 50)) }
      let number = dice.roll(2)
      if dice.roll(2) == 0 { return .pad(number, .rightStick, [0, 100, -60][dice.roll(3)]) }
      let button: Step.PadButton = dice.roll(2) == 0 ? .lights : .winch
      return .padButton(number, button, padButtons[number]?.contains(button) != true)
    }
  }

  private mutating func pad() -> Step {
    let number = dice.roll(5) == 0 ? 1 : 0
    switch dice.roll(40) {
    case 0..<10: return .pad(number, .throttle, [0, 30, 60, 100, 100][dice.roll(5)])
    case 10..<13: return .pad(number, .brake, [0, 0, 30, 100][dice.roll(4)])
    case 13..<20: return .pad(number, .stick, [0, -100, 100, 50, -30, 5][dice.roll(6)])
    case 20..<33:
      let button = [Step.PadButton.up, .up, .up, .down, .grip, .grip][dice.roll(6)]
      return .padButton(number, button, padButtons[number]?.contains(button) != true)
    case 33: return .padButton(number, .stop, dice.roll(4) == 0)
    case 34: return .padNoise(number)
    case 35: return .padUnplug(number)
    case 36, 37: return .padPlug(number)
    case 38: return .padDrop(number, [0, 100][dice.roll(2)])
    default: return .activate(dice.roll(3) != 0)
    }
  }

  private mutating func key() -> Step {
    let key = Step.StageKey.allCases[[0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7][dice.roll(14)]]
    return .key(key, !keys.contains(key) || dice.roll(10) == 0)
  }

  private mutating func pointerOrPen() -> Step {
    switch dice.roll(12) {
    case 0: return .point(spot())
    case 1...3: return isPressed ? .point(near(pointed)) : .press
    case 4: return .release
    case 5: return .pointerLeave
    case 6: return .pen(spot())
    case 7, 8: return isPenDown ? .pen(near(pointed)) : .penDown
    case 9: return .penUp
    case 10: return dice.roll(4) == 0 ? .penGone : .penLeave
    default: return dice.roll(4) == 0 ? .unfocus : .focus
    }
  }

  /// One of the ways to brake.
  private mutating func brake() -> Step {
    switch dice.roll(4) {
    case 0: .assist(.lever, .action(.brake))
    case 1: .tap(Int32(dice.roll(4)), .button(.brake))
    default: .key(.space, !keys.contains(.space))
    }
  }

  /// The steps that happen to a session from outside.
  private mutating func upset() -> Step {
    switch dice.roll(60) {
    case 0, 1: .touchCancel
    case 2, 3: .unplug(Step.Device.allCases[dice.roll(3)])
    case 4...9: .plug(away.first ?? .touch)
    case 10...12: .look(isLight: dice.roll(2) == 0, hasHighContrast: dice.roll(3) == 0)
    case 13: .language(isChinese: dice.roll(2) == 0)
    case 14...16: .turn(dice.roll(4))
    case 17: .mode(640 + 160 * dice.roll(5), 480 + 120 * dice.roll(3))
    case 18: .outputGone
    case 19...21: .outputCame
    case 22: .resize(480 + 40 * dice.roll(12), 320 + 40 * dice.roll(4))
    case 23: .suspend
    case 24...28: .resume
    case 29, 30: .freeze
    case 31...35: .thaw
    case 36: .starve
    case 37...40: .feed
    case 41: .kill
    case 42...44: isLinked ? [.linkLost, .linkLost, .linkStalled][dice.roll(3)] : .linkBack
    case 45...48: isLinked ? .frame : .linkBack
    case 49, 50: .stall([20, 100, 150, 250, 600][dice.roll(5)])
    case 51: setting.hasTilt ? .tiltFails : .frame
    case 52...54: setting.hasTilt ? .tiltWorks : .frame
    case 55, 56: .save(.own)
    case 57: setting.hasTilt ? .turn(dice.roll(4)) : .save(.own)
    case 58: dice.roll(3) == 0 ? .stop : .sleep([50, 200, 5000][dice.roll(3)])
    default: dice.roll(3) == 0 ? .releaseStop : .focus
    }
  }

  private mutating func spot() -> Step.Spot {
    switch dice.roll(20) {
    case 0...8: .lever(dice.roll(12) - 1)
    case 9...14: .rim((dice.roll(25) - 12) * 15)
    case 15: .horn
    case 16: .tiltLamp
    case 17: .button(action())
    case 18: .panel(dice.roll(100), dice.roll(100))
    default: .free(dice.roll(48) * 10, dice.roll(32) * 10)
    }
  }

  private mutating func near(_ spot: Step.Spot) -> Step.Spot {
    switch spot {
    case .lever: .lever(dice.roll(12) - 1)
    case .rim: .rim((dice.roll(25) - 12) * 15)
    default: self.spot()
    }
  }

  private mutating func action() -> Step.Wish.Action {
    [.shiftUp, .shiftUp, .shiftDown, .brake][dice.roll(4)]
  }

  private mutating func part() -> Step.Part {
    switch dice.roll(12) {
    case 0, 1, 2: .lever
    case 3, 4: .wheel
    case 5: .horn
    case 6: dice.roll(6) == 0 ? .stop : .tiltLamp
    case 7...9: .button(action())
    default: .panel(dice.roll(40))
    }
  }

  private mutating func wish() -> Step.Wish {
    switch dice.roll(8) {
    case 0, 1: .value(dice.roll(13) - 2)
    case 2: .value((dice.roll(13) - 6) * 60)
    case 3: .action([.shiftUp, .shiftDown, .brake, .turnLeft, .straighten][dice.roll(5)])
    case 4: .focus
    default: .press
    }
  }

  private mutating func edit() -> Step.Edit {
    switch dice.roll(16) {
    case 0, 1: .gear(dice.roll(12) - 1)
    case 2, 3: .gearCount([2, 3, 5, 10, 10, 14][dice.roll(6)])
    case 4, 5: .leverEnabled(false)
    case 6: .leverEnabled(true)
    case 7: .leverHidden(dice.roll(2) == 0)
    case 8: .angle((dice.roll(11) - 5) * 60)
    case 9, 10: .lock([90, 180, 450, 450][dice.roll(4)])
    case 11: .springsBack(dice.roll(2) == 0)
    case 12: .wheelEnabled(false)
    case 13: .wheelEnabled(true)
    case 14: .wheelHidden(dice.roll(2) == 0)
    default: .brake
    }
  }

  private mutating func scene() -> Step.SceneText {
    switch dice.roll(20) {
    case 0...3: .own
    case 4: .bare
    case 5: .noLever
    case 6: .noWheel
    case 7: .noDial
    case 8, 9: .looseWheel
    case 10...12: .buttons
    case 13: .broken
    case 14...17: .lever(edit())
    default: .wheel(edit())
    }
  }

  /// Keeps in mind what the step does to hands and devices.
  private mutating func note(_ step: Step) {
    switch step {
    case .down(let finger, let spot): if fingers[finger] == nil { fingers[finger] = spot }
    case .up(let finger): fingers[finger] = nil
    case .touchCancel: fingers = [:]
    case .point(let spot), .pen(let spot): pointed = spot
    case .padButton(let number, let button, let isDown):
      if isDown { padButtons[number, default: []].insert(button) } else { padButtons[number]?.remove(button) }
      if button == .stop, isDown { isStopped = true }
    case .padUnplug(let number): padButtons[number] = nil
    case .press: isPressed = true
    case .release, .pointerLeave: isPressed = false
    case .penDown: isPenDown = true
    case .penUp, .penLeave, .penGone: isPenDown = false
    case .key(let key, let isDown): if isDown { keys.insert(key) } else { keys.remove(key) }
    case .unfocus: keys = []
    case .unplug(let device):
      away.insert(device)
      if device == .touch { fingers = [:] }
      if device == .keyboard { keys = [] }
    case .plug(let device): away.remove(device)
    case .freeze: (isFrozen, stepsFrozen) = (true, 0)
    case .thaw: isFrozen = false
    case .kill: (fingers, keys, isPressed, isPenDown, isFrozen) = ([:], [], false, false, false)
    case .stop, .assist(.stop, _): isStopped = true
    case .releaseStop: isStopped = false
    case .linkLost, .linkStalled: isLinked = false
    case .linkBack: isLinked = true
    case .save(.lever(let edit)), .save(.wheel(let edit)), .edit(let edit), .code(let edit):
      mendings.removeAll { $0 == edit }
      if let mending = edit.mending { mendings.append(mending) }
      if [.leverEnabled(false), .leverHidden(true)].contains(edit) { alarm = 6 }
    default: break
    }
  }
}

extension Step.Edit {
  /// The step that shows or enables the views that this step hides or disables.
  fileprivate var mending: Step.Edit? {
    switch self {
    case .leverEnabled(false): .leverEnabled(true)
    case .leverHidden(true): .leverHidden(false)
    case .wheelEnabled(false): .wheelEnabled(true)
    case .wheelHidden(true): .wheelHidden(false)
    default: nil
    }
  }
}

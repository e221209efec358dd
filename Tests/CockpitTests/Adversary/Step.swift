/// One thing that happens to a cockpit that drives a vehicle. Printed, it is the Swift that makes it.
nonisolated enum Step: Hashable, Sendable {
  // The touchscreen: fingers by their numbers.
  case down(Int32, Spot), move(Int32, Spot), up(Int32)
  /// Down and up in one batch of events.
  case tap(Int32, Spot)
  case touchCancel
  // The mouse.
  case point(Spot), press, release, pointerLeave
  // A drawing tablet's pen.
  case pen(Spot), penDown, penUp, penLeave, penGone
  // The keyboard.
  case focus, unfocus, key(StageKey, Bool)
  // Gamepads by their numbers: a part moves to so many hundredths, a button goes down or up.
  case pad(Int, PadPart, Int), padButton(Int, PadButton, Bool)
  /// A gamepad trembles; goes; comes; loses events, and its throttle is at so many hundredths since.
  case padNoise(Int), padUnplug(Int), padPlug(Int), padDrop(Int, Int)
  /// The window is in use, or is not.
  case activate(Bool)
  /// A device of the seat goes, or comes.
  case unplug(Device), plug(Device)
  /// The device is tilted to so many degrees, right positive, and held so for a while.
  case tilt(Int)
  /// The tilt sensor fails, or is there again.
  case tiltFails, tiltWorks
  /// The camera's pictures live, or do not.
  case camera(Camera)
  /// Assistive technology wishes something.
  case assist(Part, Wish)
  /// The watched file is saved, or a different file dropped.
  case save(SceneText)
  /// A hand edits a value in the inspector.
  case edit(Edit)
  /// The program itself sets a value.
  case code(Edit)
  case look(isLight: Bool, hasHighContrast: Bool), language(isChinese: Bool)
  /// The output turns by quarters, gets a mode, goes, or comes.
  case turn(Int), mode(Int, Int), outputGone, outputCame
  case resize(Int, Int), suspend, resume
  /// The compositor stops, goes on, gives no frames, or is killed.
  case freeze, thaw, starve, feed, kill
  /// The consumer of the messages goes, takes none, or is there again.
  case linkLost, linkStalled, linkBack
  /// The loop hangs, or the machine sleeps, for so many milliseconds.
  case stall(Int), sleep(Int)
  /// A hand presses the emergency stop, or releases it.
  case stop, releaseStop
  /// A finger that does nothing else is on the button that arms for so many milliseconds.
  case arm(Int)
  /// So many milliseconds pass.
  case pass(Int)
  /// A refresh of the display.
  case frame

  /// A place for a finger.
  enum Spot: Hashable, Sendable {
    /// On the lever's gate at the row of a gear, R is -1.
    case lever(Int)
    /// On the wheel's rim, so many degrees clockwise from its left end.
    case rim(Int)
    case horn, tiltLamp
    /// On a control of the channels, in hundredths of its width.
    case channel(Channel, Int)
    /// A button of the scene `.buttons`.
    case button(Wish.Action)
    /// In the inspector's panel, in hundredths of its sides.
    case panel(Int, Int)
    /// Anywhere, in points.
    case free(Int, Int)
  }

  /// The controls of the strip, by their names.
  enum Channel: String, Hashable, Sendable, CaseIterable { case arm, lights, pan, gears, winch, mode, more }

  enum StageKey: String, Hashable, Sendable, CaseIterable {
    case up, down, left, right, space, f12, escape, tab
    /// True for the keys that shift.
    var shifts: Bool { self == .up || self == .down }
    /// True for the keys that steer.
    var steers: Bool { self == .left || self == .right }
  }

  enum Camera: Hashable, Sendable, CaseIterable { case live, frozen, repeating, undecodable, gone }

  enum PadPart: Hashable, Sendable { case throttle, brake, stick, rightStick }

  enum PadButton: Hashable, Sendable, CaseIterable { case grip, up, down, stop, lights, winch }

  enum Device: Hashable, Sendable, CaseIterable { case touch, pointer, keyboard }

  enum Part: Hashable, Sendable {
    case lever, wheel, horn, tiltLamp, stop, button(Wish.Action), channel(Channel)
    /// The element of that number in the inspector's panel.
    case panel(Int)
  }

  enum Wish: Hashable, Sendable {
    case value(Int), action(Action), focus
    /// The effect of the first of the view's actions.
    case press

    enum Action: String, Hashable, Sendable {
      case shiftUp = "shift up"
      case shiftDown = "shift down"
      case brake
      case turnLeft = "turn left"
      case straighten
    }
  }

  /// A value of lever or wheel.
  enum Edit: Hashable, Sendable {
    case gear(Int), gearCount(Int), leverEnabled(Bool), leverHidden(Bool), angle(Int), lock(Int), springsBack(Bool)
    case wheelEnabled(Bool), wheelHidden(Bool), brake
  }

  /// A scene's file.
  enum SceneText: Hashable, Sendable {
    case own, bare, noLever, noWheel, noDial, looseWheel, buttons, broken
    case lever(Edit), wheel(Edit)
  }
}

extension Step {
  /// The Swift that makes the step. (No `description`: the names of cases without values come from Swift's own.)
  nonisolated var text: String { swiftText(self) }
}

/// The Swift that makes an enumeration's value, by its cases and what they carry.
nonisolated private func swiftText(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return "\(value)" }
  guard let child = mirror.children.first else {
    // A case without values.
    return ".\(value)"
  }
  let payload = Mirror(reflecting: child.value)
  guard payload.displayStyle == .tuple else { return ".\(child.label ?? "")(\(swiftText(child.value)))" }
  let parts = payload.children.map { label, value in
    let name = label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
    return name + swiftText(value)
  }
  return ".\(child.label ?? "")(\(parts.joined(separator: ", ")))"
}

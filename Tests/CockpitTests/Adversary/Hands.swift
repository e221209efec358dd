import UICore

/// The holds of the stage's devices, as a bystander sees them: which fingers, buttons and keys are down, and on what. It knows
/// nothing of the cockpit's own book-keeping.
nonisolated struct Hands {
  enum Contact: Hashable {
    case finger(Int32), pointer, pen
    case key(Step.StageKey)
    /// A hand on a gamepad is on the lever and on the wheel at once.
    case pad(Int, Control)

    init(_ id: TouchID) {
      switch id.contact {
      case .finger(let number): self = .finger(number)
      case .pointer: self = .pointer
      case .pen: self = .pen
      }
    }

    /// The key's contact; nil for keys that no step presses.
    init?(_ key: Key) {
      switch key {
      case .up: self = .key(.up)
      case .down: self = .key(.down)
      case .left: self = .key(.left)
      case .right: self = .key(.right)
      default: return nil
      }
    }

    /// True for what acts on one control wherever it is.
    var isFixed: Bool { isKey || isPad }
    var isPad: Bool { if case .pad = self { true } else { false } }
    var isKey: Bool { if case .key = self { true } else { false } }
    var isOfTouchscreen: Bool { if case .finger = self { true } else { false } }
  }

  enum Control: Hashable { case lever, wheel, other }

  struct Hold {
    /// The number of the step in which it went down at its device.
    let began: Int
    /// The number of the step in which the cockpit got it: later, where a compositor stood still.
    let arrived: Int
    /// Its place among all that the cockpit got.
    var order = 0
    var control: Control
  }

  /// An action of a hand, with the time at which it reached the cockpit.
  struct Act {
    /// The kinds of actions.
    enum Kind { case began, moved, ended }
    let kind: Kind
    let contact: Contact
    /// The number of the step in which it happened at the device.
    let step: Int
    /// True for what a contact did that the cockpit knew already when this and the acts with it arrived.
    var isOfKnown = false
  }

  /// The holds that the cockpit can know of.
  private(set) var holds: [Contact: Hold] = [:]
  /// The actions that a frozen compositor has not passed on.
  private var pending: [Act] = []
  /// The contacts at the devices.
  private(set) var isDown: Set<Contact> = []

  /// Notes that a hand did something in the step of that number.
  mutating func note(_ kind: Act.Kind, _ contact: Contact, step: Int) {
    if kind == .began { isDown.insert(contact) } else if kind == .ended { isDown.remove(contact) }
    pending.append(Act(kind: kind, contact: contact, step: step))
  }

  /// All that is pending reaches the cockpit in the step of that number, or what gamepads did alone, which needs no compositor; what it was.
  mutating func deliver(step: Int, onlyPads: Bool = false) -> [Act] {
    let known = holds
    let waiting = onlyPads ? pending.filter { !$0.contact.isPad } : []
    pending.removeAll { onlyPads && !$0.contact.isPad }
    defer { pending = waiting }
    for (index, act) in pending.enumerated() {
      pending[index].isOfKnown = known[act.contact] != nil && known[act.contact]?.began == holds[act.contact]?.began
      switch act.kind {
      case .began: holds[act.contact] = Hold(began: act.step, arrived: step, control: Hands.control(of: act.contact))
      case .moved: break
      case .ended: holds[act.contact] = nil
      }
    }
    return pending
  }

  /// The connection ended, and everything with it.
  mutating func drop() { (holds, pending, isDown) = ([:], [], []) }

  /// A touch or press was found to begin on `control`.
  mutating func place(_ contact: Contact, on control: Control, order: Int) {
    holds[contact]?.control = control
    holds[contact]?.order = order
  }

  /// The control that a contact acts on by itself: a key by its meaning.
  static func control(of contact: Contact) -> Control {
    if case .pad(_, let control) = contact { return control }
    guard case .key(let key) = contact else { return .other }
    return key.shifts ? .lever : key.steers ? .wheel : .other
  }
}

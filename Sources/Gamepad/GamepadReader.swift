@_spi(Devices) import UICore

/// A gamepad's readings, from a device or from a test that plays one.
package protocol GamepadSource: AnyObject {
  /// The device's file.
  var path: String { get }
  /// What the device says of itself.
  var description: DeviceDescription { get }
  /// The descriptor to watch: it is readable when there are events, and when the device is gone.
  var descriptor: Int32 { get }
  /// Passes on what has arrived, oldest first.
  func read(_ body: (EvdevDevice.Reading) -> Void)
  /// Shakes the hand that holds the device, if it can, without waiting.
  func rumble()
  /// Has the device tell of all its controls, or only of those with a meaning in `layout`, as after its opening; further buttons and the right
  /// stick have one if it `keepsExtras`. Returns what its controls are.
  func tell(all: Bool, of layout: GamepadLayout, keepsExtras: Bool) -> GamepadValues
}

/// Makes events of what one gamepad reports. Watch `descriptor`, and call `read` when it is readable.
///
/// This is the one place where the proof of a gamepad's hand is made (`Hand`): from what its file gives, and from nothing else.
public final class GamepadReader {
  /// What became of the device's reports.
  public enum News: Hashable, Sendable {
    /// The driver asks for something else.
    case event(GamepadEvent)
    /// Input was lost, because it was old or because the kernel dropped some. An event without a hold follows.
    case inputLost
    /// The device is gone.
    case gone
  }

  /// The gamepad, as events name it.
  public var seat: SeatID { hand.seat }
  /// The device's file.
  public var path: String { source.path }
  /// The device's name.
  public var name: String { source.description.name }
  /// What the device is.
  public var kind: GamepadLayout.Kind { model.layout.kind }
  /// The descriptor to watch.
  public var descriptor: Int32 { source.descriptor }
  /// True while the device asks for anything.
  public var isActive: Bool { model.state != GamepadState() }

  /// True if further buttons and the right stick are told too.
  public var tellsExtras: Bool {
    get { model.tellsExtras }
    set { model.tellsExtras = newValue }
  }

  private let source: any GamepadSource
  private let hand: Hand
  /// Called after each report while the device is looked at, nil while nobody looks. A device that is looked at tells of all its
  /// controls; what they command stays the same.
  public var onReading: (() -> Void)? {
    didSet {
      guard (onReading == nil) != (oldValue == nil) else { return }
      let present = source.tell(all: onReading != nil, of: model.layout, keepsExtras: tellsExtras)
      values = onReading == nil ? nil : present
    }
  }
  /// What the device sends and how that is understood; nil while nobody looks.
  public var reading: GamepadReading? { values.map { model.reading(source.description, $0) } }
  /// What the controls are; nil while nobody looks.
  private var values: GamepadValues?

  /// What the device's controls mean.
  package private(set) var model: GamepadModel

  /// Opens the gamepad at `path`, whose hand has the number `seat`; further buttons and the right stick count only if it `tellsExtras`.
  ///
  /// - Throws: `GamepadError` if it cannot be opened, or is none whose controls are known.
  public convenience init(path: String, seat: SeatID, tellsExtras: Bool = false) throws(GamepadError) {
    let device = try EvdevDevice(path: path)
    guard let layout = GamepadLayout(device.description) else {
      throw .notAGamepad(path: path, name: device.description.name)
    }
    device.leaveOut(allBut: layout, keepsExtras: tellsExtras)
    self.init(device, layout, seat: seat)
    self.tellsExtras = tellsExtras
  }

  private init(_ source: any GamepadSource, _ layout: GamepadLayout, seat: SeatID) {
    (self.source, hand) = (source, Hand(.gamepad, seat: seat))
    model = GamepadModel(source.description, layout)
  }

  /// A reader of a gamepad that a test plays; nil if it is none.
  package convenience init?(playing source: any GamepadSource, seat: SeatID) {
    guard let layout = GamepadLayout(source.description) else { return nil }
    self.init(source, layout, seat: seat)
  }

  /// Passes on what the reports that have arrived mean, oldest first. It is `now`, and input `counts` while the window is in use.
  public func read(now: () -> MonotonicTime, counts: () -> Bool, _ body: (News) -> Void) {
    var hasReport = false
    source.read { reading in
      if values != nil, case .event(let type, let code, let value, _) = reading {
        values?.note(type, code, value)
        hasReport = true
      }
      switch reading {
      case .event(InputCode.synchronization, InputCode.report, _, let time):
        guard let state = model.report(at: time, now: now(), counts: counts()) else { return }
        if model.hasLostInput { body(.inputLost) }
        body(.event(GamepadEvent(phase: .changed, state: state, time: time, hand: hand)))
      case .event(let type, let code, let value, _): model.note(type, code, value)
      case .dropped: model.noteDropped()
      case .gone: body(.gone)
      }
    }
    if hasReport { onReading?() }
  }

  /// Ends what the gamepad holds: it counts once it was let go. Returns the event of that.
  public func cancel(at time: MonotonicTime) -> GamepadEvent {
    model.block()
    return GamepadEvent(phase: .cancelled, state: GamepadState(), time: time, hand: hand)
  }

  /// Shakes the hand that holds the device, if it can.
  public func rumble() { source.rumble() }
}

import Glibc
import Wayland

/// The globals that the compositor announces on a new connection, and those that come and go later.
final class Greeting {
  let connection: Connection
  let registry: WlRegistry
  private(set) var offers: [GlobalOffer] = []
  /// Called for each global that comes, or goes.
  var onChange: ((GlobalOffer, _ isNew: Bool) -> Void)?
  /// Start-up never blocks. The answer to this sync arrives after every global has been announced.
  private let answer: WlCallback

  /// Requests the globals, and calls `completion` when all are announced.
  init(_ connection: Connection, completion: @escaping (Greeting) -> Void) {
    self.connection = connection
    registry = connection.root.getRegistry()
    answer = connection.root.sync()
    registry.onEvent = { [unowned self] in
      switch $0 {
      case .global(let name, let interface, let version):
        let offer = GlobalOffer(name: name, interface: interface, version: version)
        offers.append(offer)
        onChange?(offer, true)
      case .globalRemove(let name):
        if let index = offers.firstIndex(where: { $0.name == name }) { onChange?(offers.remove(at: index), false) }
      }
    }
    answer.onEvent = { [unowned self] _ in completion(self) }
  }
}

/// The objects of one connection, from the compositor's first answer to the end of the connection: its globals, seats and outputs.
final class ServerObjects {
  var connection: Connection { greeting.connection }
  let globals: Globals
  private(set) var seats: [Seat] = []
  private(set) var outputs: [Output] = []
  let freezeDetector: FreezeDetector

  private weak var application: Application?
  private let greeting: Greeting
  /// The last press or touch, with its seat.
  private var lastPress: (seat: SeatID, serial: UInt32)?
  /// Removed objects whose last events may still be in flight, each with the sync that ends them.
  private var leaving: [(object: any CreatesServerObjects, answer: WlCallback)] = []
  private var inspection: WlCallback?

  /// Binds the globals that `greeting` was offered; `start` binds seats and outputs.
  ///
  /// - Throws: The global that the compositor lacks.
  init(_ greeting: Greeting, application: Application, answerLimit: Duration) throws(ShellError) {
    globals = try Globals(registry: greeting.registry, offers: greeting.offers)
    (self.greeting, self.application) = (greeting, application)
    freezeDetector = FreezeDetector(root: greeting.connection.root, loop: application.loop, limit: answerLimit)
    freezeDetector.onFreeze = { [weak application] in application?.compositorFroze() }
  }

  /// Binds the seats and outputs that were offered, and those that come later.
  func start() {
    greeting.onChange = { [unowned self] in if $1 { adopt($0) } else { remove($0.name) } }
    for offer in greeting.offers { adopt(offer) }
  }

  /// Binds a global of a kind that may exist any number of times.
  private func adopt(_ offer: GlobalOffer) {
    guard let application, let row = GlobalRequirement.of(offer.interface),
      let version = try? row.version(offered: offer.version)
    else { return }
    switch offer.interface {
    case "wl_seat":
      let proxy = greeting.registry.bind(name: offer.name, WlSeat.self, version: version)
      seats.append(Seat(proxy: proxy, globalName: offer.name, globals: globals, application: application))
    case "wl_output":
      let proxy = greeting.registry.bind(name: offer.name, WlOutput.self, version: version)
      let output = Output(proxy: proxy, globalName: offer.name)
      output.onChange = { [unowned self, unowned output] in notifyWindows(turned: $0 ? output : nil) }
      outputs.append(output)
      application.outputAppeared()
    default:
      break
    }
  }

  /// A global was removed. Seats and outputs are destroyed; other bindings are kept but unused.
  private func remove(_ name: UInt32) {
    if let index = seats.firstIndex(where: { $0.globalName == name }) { seats.remove(at: index).end() }
    if let index = outputs.firstIndex(where: { $0.globalName == name }) {
      outputs.remove(at: index).end()
      notifyWindows(turned: nil)
    }
  }

  /// Has the windows read the outputs again; `turned` is one whose mapping of positions changed.
  private func notifyWindows(turned: Output?) {
    for window in application?.windows ?? [] { window.outputsChanged(turned: turned) }
  }

  /// Records a press or touch; the next copy uses its serial.
  func pressed(_ serial: UInt32, on seat: SeatID) { lastPress = (seat, serial) }

  /// Offers `text` for pasting, on the seat of the last press. Returns false if there was no press or the compositor has no
  /// clipboard.
  func copy(_ text: String) -> Bool {
    guard let lastPress, let seat = seats.first(where: { $0.id == lastPress.seat }) else { return false }
    return seat.copy(text, serial: lastPress.serial)
  }

  /// Makes `text` the primary selection of the seat of the last press. Returns false as `copy` does.
  func select(_ text: String) -> Bool {
    guard let lastPress, let seat = seats.first(where: { $0.id == lastPress.seat }) else { return false }
    return seat.select(text, serial: lastPress.serial)
  }

  /// The present offset from the clock of presentation times to `now`'s clock; zero if both are CLOCK_MONOTONIC. Nil while it is
  /// unknown, or if the clock cannot be read.
  func presentationOffset(now: MonotonicTime) -> Duration? {
    guard let number = globals.presentationClockID.map(Int32.init(truncatingIfNeeded:)) else { return nil }
    if number == CLOCK_MONOTONIC { return .zero }
    return MonotonicTime(onClock: number).map { now - $0 }
  }

  /// Sends a sync whose answer follows the events of seats and outputs, which may have just been bound; then calls `handler` with a
  /// report. Does nothing while a report is pending.
  func inspect(_ handler: @escaping (CompositorReport) -> Void) {
    guard inspection == nil else { return }
    inspection = connection.root.sync()
    inspection?.onEvent = { [unowned self] _ in
      inspection = nil
      var report = CompositorReport(offers: greeting.offers)
      report.seats = seats.map(\.summary)
      report.outputs = outputs.map(\.summary)
      report.displays = outputs.compactMap(\.display)
      handler(report)
    }
  }

  /// Destroys `object`, which the compositor removed, after the last event that is in flight to it, and keeps it until then.
  func retire(_ object: any CreatesServerObjects) {
    let answer = connection.root.sync()
    leaving.append((object, answer))
    answer.onEvent = { [unowned self, unowned object] _ in
      object.endObjects()
      leaving.removeAll { $0.object === object }
    }
  }

  /// Destroys every object; the windows must be destroyed before.
  func end() {
    for seat in seats { seat.end() }
    seats.removeAll()
    lastPress = nil
    // No more events will arrive.
    for (object, _) in leaving { object.endObjects() }
    leaving.removeAll()
    for output in outputs { output.end() }
    outputs.removeAll()
    if let fixes = globals[WlFixes.self] {
      fixes.destroyRegistry(registry: greeting.registry)
      greeting.registry.end()
    }
    globals.end()
    freezeDetector.end()
    inspection = nil
  }
}

/// Protocol objects some of whose events create objects.
///
/// The compositor numbers its objects without gaps. libwayland drops an event of a destroyed object together with the object
/// that the event created; the next number then looks wrong and ends the connection. Therefore, destroy such an object only
/// after the compositor has removed it and has answered a `wl_display.sync`, which follows everything it sent before
/// (`ServerObjects.retire`).
protocol CreatesServerObjects: AnyObject {
  /// Destroys the objects, including those that events created since the compositor removed their maker.
  func endObjects()
}

import CLinux
import Glibc

/// A scripted compositor. A script says what it sends; `step()` moves messages; every request of every client is
/// checked, and breaches of rules are in `violations`.
///
/// Nothing is sent to clients outside `step()`, so that all events between two steps arrive together.
@MainActor package final class Stage {
  /// libwayland's display.
  package let display: ServerDisplay
  /// The globals that were announced at the start.
  package let globals: StageGlobals
  /// It starts late enough that no event's time is 0, which would mean unknown.
  package let clock = ManualClock(now: MonotonicTime(milliseconds: 10_000))
  /// False: nothing is checked and no pixels are copied, for measuring.
  package let checks: Bool
  /// Every connection, oldest first.
  package private(set) var clients: [StageClient] = []
  /// The surfaces alive, oldest first.
  package private(set) var surfaces: [StageSurface] = []
  /// The windows alive, oldest first.
  package internal(set) var toplevels: [StageToplevel] = []
  /// The popups alive, oldest first.
  package internal(set) var popups: [StagePopup] = []
  /// The corner of every window on the screen, where popups have as much room as the first output.
  package var windowPlace = Point.zero
  /// The surfaces of a car's display, oldest first.
  package internal(set) var iviSurfaces: [StageIVISurface] = []
  /// The strips, oldest first.
  package internal(set) var layerSurfaces: [StageLayerSurface] = []
  /// The text that can be pasted; nil without one.
  package internal(set) var clipboard: StageCopy?
  /// The objects by which clients copy and paste.
  var dataDevices: [WlDataDeviceResource] = []
  /// False for a compositor that tells nobody what can be pasted, as on a seat without a keyboard.
  package var tellsClipboard = true
  /// False for a compositor that drops without having told an action.
  package var givesDragActions = true
  package internal(set) var seats: [StageSeat] = []
  package internal(set) var outputs: [StageOutput] = []
  /// The clients' breaches of rules, oldest first.
  package private(set) var violations: [Violation] = []
  /// Legal acts of clients that are worth knowing: buffers destroyed while they were held.
  package private(set) var notes: [String] = []
  /// The number of times that clients asked for an answer (wl_display.sync).
  package private(set) var questions = 0

  /// Called for each violation; a test records an issue.
  package var onViolation: ((Violation) -> Void)?
  /// Called after each commit, while its buffer is held.
  package var onCommit: ((StageSurface, CommitRecord) -> Void)?
  /// The time at which buffers are released.
  package var releasePolicy = ReleasePolicy.atFrame
  /// The answer to a window's first commit; nil leaves it to the script.
  package var initialConfigure: Configure? = Configure(width: 0, height: 0)
  /// The scale that new surfaces are told.
  package var scale = Scale.one
  /// True: a window is told that it is on the first output as soon as it shows something.
  package var entersOutput = true
  /// The room for a window that new windows are told, in logical points; zero is unknown.
  package var bounds = PixelSize.zero
  /// The bytes of a client's unread messages that the system keeps (SO_SNDBUF); nil for the usual number.
  package var clientRoom: Int32?
  /// The time that clients' messages lie unread, which delays every answer by as much; events of the script's own are
  /// not delayed.
  package var answerDelay: Duration = .zero
  /// The presentation time told for a refresh at the given time; nil tells that time. See `PresentationTime`.
  package var presentationTime: ((MonotonicTime) -> PresentationTime)?
  /// True from `freeze()` to `thaw()`.
  package internal(set) var isFrozen = false
  /// The decoration mode that the compositor insists on; nil for the client's wish.
  package var decorationMode: ZxdgToplevelDecorationV1Resource.Mode?

  /// The number of steps so far: messages sent in one have been read, at the earliest, in the next.
  var epoch = 0
  /// The time at which the stage last read every message.
  var lastRead = MonotonicTime.zero
  /// Since when something lies unread for `answerDelay`.
  private var unreadSince: MonotonicTime?
  var heldBuffers: [StageBuffer] = []
  var sequence: UInt64 = 0
  var bases: [XdgWmBaseResource] = []
  var pings: [UInt32] = []
  var xdgSurfaces: [StageXDGSurface] = []
  /// Every global that was announced, withdrawn or not.
  var roots: [Global] = []
  /// Seats and outputs that were taken away: clients may bind them before they know.
  var going: [AnyObject] = []
  /// True while the stage itself posts an error, not libwayland.
  private var isOwnError = false
  let shm = LiveMemory()
  private var models: [ObjectIdentifier: AnyObject] = [:]
  private var logger: ProtocolLogger?

  /// A stage with `globals`; a seat with every device and one output are there unless the script wants others.
  package init(
    globals: StageGlobals = .everything, checks: Bool = true,
    capabilities: WlSeatResource.Capability? = [.pointer, .keyboard, .touch],
    output: PixelSize? = PixelSize(width: 1280, height: 720)
  ) {
    guard let display = ServerDisplay() else { preconditionFailure("no memory for a display") }
    self.display = display
    self.globals = globals
    self.checks = checks
    announce()
    if let output { addOutput(mode: output) }
    if let capabilities { addSeat(capabilities: capabilities) }
    if checks { logger = ProtocolLogger(display) { [weak self] in self?.watch($0) } }
  }

  isolated deinit {
    logger?.end()
    roots.forEach { $0.remove() }
  }

  // MARK: Connections

  /// Connects a client: its end of the socket, which it owns. `sendBuffer` makes the room for messages that the client
  /// has not read smaller than usual.
  package func connectClient(sendBuffer: Int32? = nil) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return nil
    }
    for (end, room) in zip(ends, [sendBuffer, clientRoom]) {
      if var room { setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size)) }
    }
    guard let raw = display.connect(descriptor: ends[0]) else {
      close(ends[0])
      close(ends[1])
      return nil
    }
    clients.append(StageClient(raw, clientDescriptor: ends[1]) { [weak self] in self?.ended($0) })
    return ends[1]
  }

  /// The last step that the client of `resource` had read.
  func readEpoch(of resource: Resource) -> Int { resource.client.map { client(of: $0).readEpoch } ?? -1 }

  /// The connection of an object, for clients that came over a socket.
  func client(of raw: OpaquePointer) -> StageClient {
    if let known = clients.first(where: { $0.end == nil && $0.connection.raw == raw }) { return known }
    let new = StageClient(raw, clientDescriptor: nil) { [weak self] in self?.ended($0) }
    clients.append(new)
    return new
  }

  private func ended(_ client: StageClient) {
    // Nobody writes into its buffers any more, and their memory must not stay.
    heldBuffers.removeAll { $0.client == client.connection.raw }
    guard checks else { return }
    switch client.end {
    case .closed:
      let left = client.objects.filter(Destructors.canEnd).map { "\($0.interface)@\($0.id)" }
      if !left.isEmpty { report(.objectsLeft, left.joined(separator: ", ")) }
    case .unread: report(.unreadEvents, "the client's socket was full")
    default: break
    }
  }

  // MARK: Steps

  /// Reads the clients' messages, then sends the script's events. Does nothing while the stage is frozen.
  package func step() {
    guard !isFrozen else { return }
    checkHeldBuffers()
    if isReadingDue {
      clients.forEach { $0.begin(epoch) }
      readAll()
      if clients.filter({ $0.noticeClosing() }).count > 0 { readAll() }
      lastRead = clock.now
    }
    xdgSurfaces.forEach { $0.checkAnswers(in: epoch, atEnd: false) }
    display.flush()
    epoch += 1
    clients.forEach { $0.measure() }
  }

  /// True when unread messages have waited for `answerDelay`.
  private var isReadingDue: Bool {
    guard answerDelay > .zero, hasInput else {
      unreadSince = nil
      return true
    }
    let since = unreadSince ?? clock.now
    unreadSince = since
    guard clock.now - since >= answerDelay else { return false }
    unreadSince = nil
    return true
  }

  /// The end of a test: everything that should be over by now is looked at, and the violations of the whole test given.
  package func finish() -> [Violation] {
    thaw()
    answerDelay = .zero
    step()
    step()
    xdgSurfaces.forEach { $0.checkAnswers(in: epoch, atEnd: true) }
    if !pings.isEmpty { report(.pingUnanswered, "\(pings.count) ping(s)") }
    if clients.allSatisfy({ $0.end != nil }) && (shm.pools > 0 || shm.buffers > 0 || shm.mappings > 0) {
      report(.memoryLeft, "\(shm.pools) pool(s), \(shm.buffers) buffer(s), \(shm.mappings) mapping(s)")
    }
    return violations
  }

  private func readAll() {
    // Bounded, should a client ever answer itself without end.
    for _ in 0..<1000 {
      guard hasInput else { return }
      display.dispatch()
    }
  }

  private var hasInput: Bool {
    var poll = pollfd(fd: display.descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  // MARK: Reports

  /// Notes a broken rule.
  func report(_ rule: Violation.Rule, _ message: String) {
    guard checks else { return }
    let violation = Violation(rule: rule, message: message, time: clock.now)
    violations.append(violation)
    onViolation?(violation)
  }

  /// Notes a broken rule and ends the client for it, as the protocol wants.
  func forbid<Kind: GivesErrors>(
    _ message: String, as rule: Violation.Rule = .protocolError, on resource: Kind?, _ code: Kind.ErrorCode
  ) {
    report(rule, message)
    if let resource { post(code.rawValue, message, on: resource) }
  }

  /// Ends a client with an error that the stage itself has reason for.
  private func post(_ code: UInt32, _ message: String, on resource: Resource) {
    isOwnError = true
    resource.postError(code, message)
    isOwnError = false
  }

  /// Ends every client with a protocol error on its xdg_wm_base.
  package func postProtocolError(code: UInt32, _ message: String) {
    bases.forEach { post(code, message, on: $0) }
  }

  /// Notes something legal.
  func note(_ text: String) { notes.append(text) }

  /// Sees the messages of the display itself, which libwayland answers and sends.
  private func watch(_ message: ProtocolLogger.Message) {
    guard message.interface == "wl_display" else { return }
    if message.name == "sync" { questions += 1 }
    guard message.name == "error" else { return }
    let interface = message.interface(ofArgument: 0)
    let text = message.arguments[2].s.map { String(cString: $0) } ?? ""
    client(of: message.client).errorSent(interface: interface, code: message.arguments[1].u, message: text)
    if !isOwnError { report(.protocolError, "\(interface): \(text)") }
  }

  // MARK: Models

  /// Keeps `model` as the object for `resource`, and in `list` where one is given, until that ends.
  func own<Model: AnyObject>(
    _ model: Model, for resource: Resource, in list: ReferenceWritableKeyPath<Stage, [Model]>? = nil
  ) {
    let key = ObjectIdentifier(resource)
    models[key] = model
    if let list { self[keyPath: list].append(model) }
    resource.whenDestroyed { [weak self] in
      self?.models[key] = nil
      if let list { self?[keyPath: list].removeAll { $0 === model } }
    }
  }

  /// Keeps `made` in a list of `owner` until it ends.
  func list<Owner: AnyObject, T: Resource>(_ made: T, in list: ReferenceWritableKeyPath<Owner, [T]>, of owner: Owner) {
    owner[keyPath: list].append(made)
    made.whenDestroyed { [weak owner, weak made] in owner?[keyPath: list].removeAll { $0 === made } }
  }

  /// The object for `resource`.
  func model<T>(_ resource: Resource?) -> T? { resource.flatMap { models[ObjectIdentifier($0)] as? T } }

  /// Keeps a new surface until its object ends.
  func adopt(_ surface: StageSurface) {
    own(surface, for: surface.resource, in: \.surfaces)
    surface.resource.whenDestroyed { [weak self] in
      guard let self else { return }
      surface.ended()
      self.seats.forEach { $0.forget(surface) }
    }
  }

  /// The first window's surface, where scripts' input goes unless they say otherwise.
  package var frontSurface: StageSurface? { toplevels.first?.surface }

  // MARK: Frames

  /// The time from one refresh to the next.
  package var refreshInterval: Duration {
    .nanoseconds(1_000_000_000_000 / Int64(max(1, outputs.first?.refresh ?? 60_000)))
  }

  /// Makes a refresh happen now: frame callbacks and presentation feedback are answered for every visible surface, and
  /// buffers are released by the policy. Leaving it out is a missing frame; a frozen stage has none.
  package func finishFrame() {
    guard !isFrozen else { return }
    sequence += 1
    let refresh = UInt32(clamping: refreshInterval.inNanoseconds)
    for surface in surfaces where !surface.isStarved { surface.finishFrame(refresh: refresh, sequence: sequence) }
    if releasePolicy == .atFrame { releaseBuffers() }
  }

  /// The clock moves on to the next refresh, and that happens.
  package func nextRefresh() {
    let interval = refreshInterval.inNanoseconds
    clock.advance(by: .nanoseconds(interval - clock.now.nanoseconds % interval))
    finishFrame()
  }

  /// Gives or denies a surface its frame callbacks.
  package func starve(_ surface: StageSurface, _ isStarved: Bool) {
    surface.isStarved = isStarved
    surface.excusedCallbacks = surface.callbacks.count
    surface.starvingEpoch = epoch
  }

  /// Tells a client that its content was never seen.
  func discard(_ feedback: WpPresentationFeedbackResource) {
    feedback.sendDiscarded()
    feedback.destroy()
  }

  /// Stops the compositor as SIGSTOP does: until `thaw()` steps read and send nothing and refreshes do not happen,
  /// while every socket stays open.
  ///
  /// The script's events wait meanwhile, with the times at which they were made, as input waits in the kernel. Up to 4
  /// KiB for each client: beyond that libwayland sends by itself.
  package func freeze() {
    // Earlier events have been sent by then.
    if !isFrozen { display.flush() }
    isFrozen = true
  }

  /// Lets the compositor go on: the next step reads all that clients sent meanwhile and sends all that waited.
  package func thaw() { isFrozen = false }
}

/// An object whose misuse has error codes in the protocol, its own or those of the object that it belongs to.
protocol GivesErrors: Resource {
  associatedtype ErrorCode: RawRepresentable<UInt32>
}

extension WlPointerResource: GivesErrors {}
extension WlSeatResource: GivesErrors {}
extension WlShmResource: GivesErrors {}
extension WlShmPoolResource: GivesErrors { typealias ErrorCode = WlShmResource.ErrorCode }
extension WlSurfaceResource: GivesErrors {}
extension WpFractionalScaleManagerV1Resource: GivesErrors {}
extension WpViewporterResource: GivesErrors {}
extension WpViewportResource: GivesErrors {}
extension XdgSurfaceResource: GivesErrors {}
extension XdgWmBaseResource: GivesErrors {}
extension ZxdgDecorationManagerV1Resource: GivesErrors {
  typealias ErrorCode = ZxdgToplevelDecorationV1Resource.ErrorCode
}
extension ZxdgToplevelDecorationV1Resource: GivesErrors {}

/// A presentation time as it goes over the wire; nothing says that it makes sense.
nonisolated package struct PresentationTime: Hashable, Sendable {
  /// Whole seconds; all 64 bits are possible.
  package var seconds: UInt64
  /// Nanoseconds of the second; compositors send less than a billion.
  package var nanoseconds: UInt32
  /// Nanoseconds from one refresh to the next; 0 for unknown.
  package var refresh: UInt32

  /// A time of any numbers.
  package init(seconds: UInt64, nanoseconds: UInt32, refresh: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.refresh = refresh
  }

  /// A true time.
  package init(_ time: MonotonicTime, refresh: UInt32) {
    self.init(
      seconds: UInt64(max(0, time.nanoseconds)) / 1_000_000_000,
      nanoseconds: UInt32(max(0, time.nanoseconds) % 1_000_000_000), refresh: refresh)
  }
}

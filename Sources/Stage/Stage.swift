import CLinux
import Glibc

/// The scripted test compositor. A script decides what it sends; `step()` exchanges messages; every request of every client is
/// checked, and broken rules are recorded in `violations`.
///
/// Nothing is sent to clients outside `step()`, so all events between two steps arrive together.
@MainActor package final class Stage {
  /// libwayland's display.
  package let display: ServerDisplay
  /// The globals announced at the start.
  package let globals: StageGlobals
  /// It starts late enough that no event's time is 0, which would mean unknown.
  package let clock = ManualClock(now: MonotonicTime(milliseconds: 10_000))
  /// False to check nothing and copy no pixels, for measuring.
  package let checks: Bool
  /// Every connection, oldest first.
  package private(set) var clients: [StageClient] = []
  /// The surfaces alive, oldest first.
  package private(set) var surfaces: [StageSurface] = []
  /// The windows alive, oldest first.
  package internal(set) var toplevels: [StageToplevel] = []
  /// The popups alive, oldest first.
  package internal(set) var popups: [StagePopup] = []
  /// The position of every window on the screen. The stage keeps popups within the first output.
  package var windowPlace = Point.zero
  /// The ivi surfaces (in-vehicle displays), oldest first.
  package internal(set) var iviSurfaces: [StageIVISurface] = []
  /// The layer surfaces, oldest first.
  package internal(set) var layerSurfaces: [StageLayerSurface] = []
  /// The client's source on the clipboard; nil if the clipboard is empty or another client's.
  package internal(set) var clipboard: StageCopy?
  /// The objects by which clients copy and paste.
  var dataDevices: [WlDataDeviceResource] = []
  /// False to announce the clipboard to no client, as on a seat without a keyboard.
  package var sendsClipboard = true
  /// False to drop without having announced an action.
  package var givesDragActions = true
  package internal(set) var seats: [StageSeat] = []
  package internal(set) var outputs: [StageOutput] = []
  /// The clients' breaches of rules, oldest first.
  package private(set) var violations: [Violation] = []
  /// Legal but notable acts of clients, such as destroying a held buffer.
  package private(set) var notes: [String] = []
  /// The number of wl_display.sync requests by clients.
  package private(set) var questions = 0

  /// Called for each violation; a test records an issue.
  package var onViolation: ((Violation) -> Void)?
  /// Called after each commit, while its buffer is held.
  package var onCommit: ((StageSurface, CommitRecord) -> Void)?
  /// The policy for releasing buffers.
  package var releasePolicy = ReleasePolicy.atFrame
  /// The answer to a window's first commit; nil leaves it to the script.
  package var initialConfigure: Configure? = Configure(width: 0, height: 0)
  /// The scale sent to new surfaces.
  package var scale = Scale.one
  /// True to send `enter` for the first output as soon as a window shows something.
  package var entersOutput = true
  /// The bounds sent to new windows, in logical points; zero is unknown.
  package var bounds = PixelSize.zero
  /// The size of a client's receive buffer for unread messages (SO_SNDBUF); nil for the default.
  package var clientRoom: Int32?
  /// The time that clients' messages stay unread, which delays every answer by as much; events of the script itself are not
  /// delayed.
  package var answerDelay: Duration = .zero
  /// The presentation time sent for a refresh at the given time; nil sends that time. See `PresentationTime`.
  package var presentationTime: ((MonotonicTime) -> PresentationTime)?
  /// True from `freeze()` to `thaw()`.
  package internal(set) var isFrozen = false
  /// The decoration mode that the compositor enforces; nil for the client's choice.
  package var decorationMode: ZxdgToplevelDecorationV1Resource.Mode?

  /// The number of steps so far. Messages sent in one are read, at the earliest, in the next.
  var epoch = 0
  /// The time at which the stage last read every message.
  var lastRead = MonotonicTime.zero
  /// The time since which a message stays unread for `answerDelay`.
  private var unreadSince: MonotonicTime?
  var heldBuffers: [StageBuffer] = []
  var sequence: UInt64 = 0
  var bases: [XdgWmBaseResource] = []
  var pings: [UInt32] = []
  var xdgSurfaces: [StageXDGSurface] = []
  /// Every global that was announced, withdrawn or not.
  var roots: [Global] = []
  /// Removed seats and outputs: clients may still bind them before they know.
  var going: [AnyObject] = []
  /// True while the stage itself posts an error, not libwayland.
  private var isOwnError = false
  let shm = LiveMemory()
  private var models: [ObjectIdentifier: AnyObject] = [:]
  private var logger: ProtocolLogger?

  /// A stage with `globals`, a seat with every device and one output, unless the script asks for others.
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

  /// Connects a client: returns its end of the socket, which it owns. `sendBuffer` makes the space for messages that the client
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

  /// The connection of an object, for clients connected over a socket.
  func client(of raw: OpaquePointer) -> StageClient {
    if let known = clients.first(where: { $0.end == nil && $0.connection.raw == raw }) { return known }
    let new = StageClient(raw, clientDescriptor: nil) { [weak self] in self?.ended($0) }
    clients.append(new)
    return new
  }

  private func ended(_ client: StageClient) {
    // The client no longer writes into its buffers, and their memory must be freed.
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

  /// Whether unread messages have waited for `answerDelay`.
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

  /// Ends a test: checks for missing answers and leaked shared memory, and returns the violations of the whole test.
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
    // Bounded, in case a client's answers cause new ones indefinitely.
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

  /// Records a broken rule.
  func report(_ rule: Violation.Rule, _ message: String) {
    guard checks else { return }
    let violation = Violation(rule: rule, message: message, time: clock.now)
    violations.append(violation)
    onViolation?(violation)
  }

  /// Records a broken rule and disconnects the client for it, as the protocol requires.
  func forbid<Kind: GivesErrors>(
    _ message: String, as rule: Violation.Rule = .protocolError, on resource: Kind?, _ code: Kind.ErrorCode
  ) {
    report(rule, message)
    if let resource { post(code.rawValue, message, on: resource) }
  }

  /// Disconnects a client with a protocol error posted by the stage.
  private func post(_ code: UInt32, _ message: String, on resource: Resource) {
    isOwnError = true
    resource.postError(code, message)
    isOwnError = false
  }

  /// Disconnects every client with a protocol error on its xdg_wm_base.
  package func postProtocolError(code: UInt32, _ message: String) {
    bases.forEach { post(code, message, on: $0) }
  }

  /// Records a legal event.
  func note(_ text: String) { notes.append(text) }

  /// Observes the messages of wl_display, which libwayland itself handles.
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

  /// Keeps `model` as the object for `resource`, and in `list` if one is given, until the resource is destroyed.
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

  /// Keeps `made` in a list of `owner` until it is destroyed.
  func list<Owner: AnyObject, T: Resource>(_ made: T, in list: ReferenceWritableKeyPath<Owner, [T]>, of owner: Owner) {
    owner[keyPath: list].append(made)
    made.whenDestroyed { [weak owner, weak made] in owner?[keyPath: list].removeAll { $0 === made } }
  }

  /// The object for `resource`.
  func model<T>(_ resource: Resource?) -> T? { resource.flatMap { models[ObjectIdentifier($0)] as? T } }

  /// Keeps a new surface until its object is destroyed.
  func adopt(_ surface: StageSurface) {
    own(surface, for: surface.resource, in: \.surfaces)
    surface.resource.whenDestroyed { [weak self] in
      guard let self else { return }
      surface.ended()
      self.seats.forEach { $0.forget(surface) }
    }
  }

  /// The first window's surface, the default target of scripts' input.
  package var frontSurface: StageSurface? { toplevels.first?.surface }

  // MARK: Frames

  /// The time from one refresh to the next.
  package var refreshInterval: Duration {
    .nanoseconds(1_000_000_000_000 / Int64(max(1, outputs.first?.refresh ?? 60_000)))
  }

  /// Simulates a refresh now: answers frame callbacks and presentation feedback for every visible surface, and releases buffers
  /// by the policy. Omitting it simulates a missed frame; a frozen stage has no refresh.
  package func finishFrame() {
    guard !isFrozen else { return }
    sequence += 1
    let refresh = UInt32(clamping: refreshInterval.inNanoseconds)
    for surface in surfaces where !surface.isStarved { surface.finishFrame(refresh: refresh, sequence: sequence) }
    if releasePolicy == .atFrame { releaseBuffers() }
  }

  /// Advances the clock to the next refresh and performs it.
  package func nextRefresh() {
    let interval = refreshInterval.inNanoseconds
    clock.advance(by: .nanoseconds(interval - clock.now.nanoseconds % interval))
    finishFrame()
  }

  /// Stops or resumes a surface's frame callbacks.
  package func starve(_ surface: StageSurface, _ isStarved: Bool) {
    surface.isStarved = isStarved
    surface.excusedCallbacks = surface.callbacks.count
    surface.starvingEpoch = epoch
  }

  /// Notifies a client that its content was never visible.
  func discard(_ feedback: WpPresentationFeedbackResource) {
    feedback.sendDiscarded()
    feedback.destroy()
  }

  /// Stops the compositor as SIGSTOP does: until `thaw()` steps read and send nothing and refreshes do not happen, while every
  /// socket stays open.
  ///
  /// The script's events wait meanwhile and keep their original times, as input waits in the kernel. The limit is 4
  /// KiB for each client: beyond that libwayland sends by itself.
  package func freeze() {
    // Earlier events have been sent by then.
    if !isFrozen { display.flush() }
    isFrozen = true
  }

  /// Resumes the compositor: the next step reads everything that clients sent meanwhile and sends everything that waited.
  package func thaw() { isFrozen = false }
}

/// An object with protocol error codes for its misuse, its own or those of its parent object.
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

/// A presentation time as it is sent on the wire; it may be invalid.
nonisolated package struct PresentationTime: Hashable, Sendable {
  /// Whole seconds; all 64 bits are possible.
  package var seconds: UInt64
  /// Nanoseconds of the second; compositors send less than a billion.
  package var nanoseconds: UInt32
  /// Nanoseconds from one refresh to the next; 0 if unknown.
  package var refresh: UInt32

  /// Creates a time from any numbers, valid or not.
  package init(seconds: UInt64, nanoseconds: UInt32, refresh: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.refresh = refresh
  }

  /// Creates a valid time.
  package init(_ time: MonotonicTime, refresh: UInt32) {
    self.init(
      seconds: UInt64(max(0, time.nanoseconds)) / 1_000_000_000,
      nanoseconds: UInt32(max(0, time.nanoseconds) % 1_000_000_000), refresh: refresh)
  }
}

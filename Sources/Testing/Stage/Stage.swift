import CLinux
import Glibc
public import WaylandServer

/// The scripted test compositor: a script decides which events it sends, `step()` exchanges messages, and the rules that clients
/// break are recorded in `violations`.
///
/// Events wait for the next `step()` and arrive together. Only `freeze()`, `StageClient.inject` and `hangUp`, and more than 4 KiB
/// of events for one client send them earlier.
///
/// The stage owns its surfaces, windows, seats and so on. A script may keep one longer than the stage: its methods then do nothing,
/// and the serials that they return are 0.
@MainActor public final class Stage {
  let display: ServerDisplay
  /// The globals announced at the start.
  public let globals: StageGlobals
  /// The time of events. It starts at 10 s, because 0 would mean an unknown time.
  public let clock = ManualClock(now: MonotonicTime(milliseconds: 10_000))
  /// False for benchmarks and long runs: no violations and no copies of pixels. `questions` and the protocol errors of
  /// `StageClient.end` are not recorded either.
  public let checks: Bool
  /// Every connection, closed or open, oldest first.
  public private(set) var clients: [StageClient] = []
  /// The surfaces alive, oldest first.
  public private(set) var surfaces: [StageSurface] = []
  /// The windows alive, oldest first.
  public internal(set) var toplevels: [StageToplevel] = []
  /// The popups alive, oldest first.
  public internal(set) var popups: [StagePopup] = []
  /// The top-left corner of every window on the screen, by which popups are kept within the first output.
  public var windowPlace = Point.zero
  /// The ivi surfaces alive (windows on in-vehicle displays), oldest first.
  public internal(set) var iviSurfaces: [StageIVISurface] = []
  /// The layer surfaces alive, oldest first.
  public internal(set) var layerSurfaces: [StageLayerSurface] = []
  /// The client's source on the clipboard, alive or not; nil if the clipboard is empty or holds the text of `copyElsewhere`.
  public internal(set) var clipboard: StageCopy?
  /// The number of registries that clients have destroyed (wl_fixes.destroy_registry).
  public internal(set) var registriesEnded = 0
  /// The surfaces for which clients rang the bell of the desktop (xdg_system_bell_v1), the first first; nil for a ring without one.
  public internal(set) var bells: [StageSurface?] = []
  /// The edges of icons that clients are asked for, in logical points. Changing it affects later bindings only.
  public var iconSizes = [32, 64]
  var icons: [StageIcon] = []
  var fixes: [WlFixesResource] = []
  /// The sessions of applications that are in use, oldest first.
  public internal(set) var appSessions: [StageAppSession] = []
  /// What is remembered of each session's windows, by their names.
  var storedSessions: [String: [String: Configure]] = [:]
  /// The lock of the session, requested or done; nil if nobody has locked it.
  public internal(set) var sessionLock: StageSessionLock?
  /// True while the session is locked, even if the client that did so has died: other clients' surfaces get no frame callbacks.
  public internal(set) var isLocked = false
  var idleNotifications: [StageIdleNotification] = []
  /// The clients' primary selection, such as text that is marked.
  public internal(set) var primary: StagePrimaryCopy?
  var primaryDevices: [ZwpPrimarySelectionDeviceV1Resource] = []
  /// The pointer constraints alive, oldest first.
  var constraints: [StageConstraint] = []
  /// The clients' wl_data_device objects.
  var dataDevices: [WlDataDeviceResource] = []
  /// The drags that clients started, oldest first.
  public internal(set) var startedDrags: [StageCopy] = []
  /// False to announce no client's source as the clipboard, as on a seat without a keyboard. `copyElsewhere` announces its text
  /// even then.
  public var sendsClipboard = true
  /// False to announce no action for a drag, even for one that is dropped.
  public var givesDragActions = true
  /// The seats announced now, oldest first.
  public internal(set) var seats: [StageSeat] = []
  /// The outputs announced now, oldest first.
  public internal(set) var outputs: [StageOutput] = []
  /// The rules that clients broke, oldest first.
  public private(set) var violations: [Violation] = []
  /// Legal but notable acts of clients, such as destroying a held buffer.
  public private(set) var notes: [String] = []
  /// The number of wl_display.sync requests by clients; 0 if `checks` is false.
  public private(set) var questions = 0

  /// Called for each violation; a test records an issue.
  public var onViolation: ((Violation) -> Void)?
  /// Called after each commit, before its buffer is released.
  public var onCommit: ((StageSurface, CommitRecord) -> Void)?
  /// The policy for releasing buffers.
  public var releasePolicy = ReleasePolicy.atFrame
  /// The answer to a toplevel's first commit; nil leaves it to the script.
  public var initialConfigure: Configure? = Configure(width: 0, height: 0)
  /// The scale sent when a client creates the fractional-scale object of a surface. Changing it affects later objects only; for
  /// the others see `StageSurface.prefer`.
  public var scale = Scale.one
  /// True to send `enter` for the first output each time a window starts to show a buffer.
  public var entersOutput = true
  /// The bounds sent to new windows, in logical points; zero if unknown.
  public var bounds = PixelSize.zero
  /// The size in bytes of new clients' send buffer (SO_SNDBUF), which holds requests that the stage has not read; nil for the
  /// default.
  public var clientRoom: Int32?
  /// How long clients' messages stay unread, and thus how late every answer is. The script's own events are not delayed.
  public var answerDelay: Duration = .zero
  /// Maps the time of a refresh to the presentation time that is sent for it, which may be invalid; nil sends the true time.
  public var presentationTime: ((MonotonicTime) -> PresentationTime)?
  /// True to show content one refresh after its frame callback, as on displays that flip between pictures: the feedback about it
  /// comes with that refresh, after that about newer content which is replaced meanwhile.
  package var showsOneRefreshLater = false
  /// True from `freeze()` to `thaw()`.
  public internal(set) var isFrozen = false
  /// True to show buffers that come before the first configure, as several compositors do; the rule is reported all the same.
  public var acceptsEarlyBuffers = false
  /// True to let a popup grab with the serial of any recent action, even a release, as compositors do; a desktop does so anyway.
  public var acceptsRecentActions = false
  /// The window manager; nil if the script places windows and chooses the focus itself. See `manage()`.
  public internal(set) var desktop: StageDesktop?
  /// The decoration mode that the compositor enforces; nil for the client's choice.
  public var decorationMode: StageDecoration.Mode?

  /// The number of steps so far, without those of a frozen stage. Requests that answer one step's events are read in the next
  /// step at the earliest.
  var epoch = 0
  /// The time of the last step that read the clients' messages.
  var lastRead = MonotonicTime.zero
  /// When the stage first saw the messages that `answerDelay` holds back; nil without such messages.
  private var unreadSince: MonotonicTime?
  var heldBuffers: [StageBuffer] = []
  var sequence: UInt64 = 0
  var bases: [XdgWmBaseResource] = []
  var pings: [UInt32] = []
  var xdgSurfaces: [StageXDGSurface] = []
  /// Every global that was announced, withdrawn or not.
  var roots: [Global] = []
  /// Removed seats and outputs, kept because clients that do not know yet may still bind them.
  var going: [AnyObject] = []
  /// True while the stage itself posts an error. Only libwayland's errors are reported as violations when they are observed:
  /// `forbid` reports its own, and the script's errors are not the client's fault.
  private var isOwnError = false
  /// The request that is being handled; nil between requests, or if `checks` is false.
  private var request: ClientRequest?
  let shm = LiveMemory()
  private var models: [ObjectIdentifier: AnyObject] = [:]
  private var logger: ProtocolLogger?

  /// Creates a stage with one seat and one output; nil for `capabilities` or `output` omits it.
  public init(
    globals: StageGlobals = .everything, checks: Bool = true,
    capabilities: StageSeat.Capabilities? = [.pointer, .keyboard, .touch],
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

  /// Connects a client and returns its end of the socket, which it owns; nil on failure. `sendBuffer` is the size in bytes of the
  /// buffer for events that the client has not read (SO_SNDBUF); nil for the default. `isRemote` is true if the client is in
  /// another process: the caller passes the descriptor on and closes its own.
  public func connectClient(sendBuffer: Int32? = nil, isRemote: Bool = false) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return nil
    }
    for (end, room) in zip(ends, [sendBuffer, clientRoom]) {
      if var room { unsafe setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size)) }
    }
    guard let raw = unsafe display.connect(descriptor: ends[0]) else {
      close(ends[0])
      close(ends[1])
      return nil
    }
    unsafe clients.append(
      StageClient(raw, clientDescriptor: isRemote ? nil : ends[1]) { [weak self] in self?.ended($0) })
    return ends[1]
  }

  /// Lets programs connect as clients by the socket `name` in XDG_RUNTIME_DIR, as they do if WAYLAND_DISPLAY names it. Returns false
  /// if that fails; `errno` holds the reason.
  public func listen(as name: String) -> Bool { display.addSocket(name: name) }

  /// A descriptor to poll: it is readable while clients have sent messages or want to connect, for `step()` to read.
  public var descriptor: Int32 { display.descriptor }

  /// Sends the script's events without reading what clients sent.
  public func flush() { display.flush() }

  /// The last step whose events the client of `resource` has certainly read; -1 before the first, or if `resource` is destroyed.
  func readEpoch(of resource: Resource) -> Int { client(of: resource)?.readEpoch ?? -1 }

  /// Returns the connection that an object belongs to; nil if the object is destroyed.
  func client(of resource: Resource) -> StageClient? { unsafe resource.client.map { unsafe client(of: $0) } }

  /// Returns the connection with libwayland's client `raw`, and creates its record if another process has connected.
  func client(of raw: OpaquePointer) -> StageClient {
    if let known = clients.first(where: { unsafe $0.end == nil && $0.connection.raw == raw }) { return known }
    let new = unsafe StageClient(raw, clientDescriptor: nil) { [weak self] in self?.ended($0) }
    clients.append(new)
    return new
  }

  private func ended(_ client: StageClient) {
    request = nil
    // Free the buffers' memory: the client no longer writes into them.
    heldBuffers.removeAll { $0.client === client }
    guard checks else { return }
    switch client.end {
    case .closed:
      let left = client.objects.filter { $0.canBeDestroyed && !client.destroyedUnread.contains($0.number) }
      if !left.isEmpty { report(.objectsLeft, left.map(\.description).joined(separator: ", ")) }
    case .unread: report(.unreadEvents, "the client's socket was full")
    case .unreadable: report(.messageTooLong, "libwayland gave up on what the client sent")
    default: break
    }
  }

  // MARK: Steps

  /// Reads the clients' messages, then sends the script's events. Does nothing while the stage is frozen.
  public func step() {
    guard !isFrozen else { return }
    checkHeldBuffers()
    if isReadingDue {
      clients.forEach { $0.begin(epoch) }
      readAll()
      if clients.filter({ $0.noticeClosing() }).count > 0 { readAll() }
      lastRead = clock.now
    }
    applyReady()
    judgeDamage()
    xdgSurfaces.forEach { $0.checkAnswers(in: epoch, atEnd: false) }
    display.flush()
    epoch += 1
    clients.forEach { $0.measure() }
  }

  /// Whether unread messages have waited for `answerDelay`.
  var isReadingDue: Bool {
    guard answerDelay > .zero, hasUnreadMessages else {
      unreadSince = nil
      return true
    }
    let since = unreadSince ?? clock.now
    unreadSince = since
    guard clock.now - since >= answerDelay else { return false }
    unreadSince = nil
    return true
  }

  /// Ends a test: takes two last steps, checks for missing answers and, once every client has disconnected, for leaked shared
  /// memory. Returns the violations of the whole test.
  public func finish() -> [Violation] {
    thaw()
    answerDelay = .zero
    step()
    step()
    xdgSurfaces.forEach { $0.checkAnswers(in: epoch, atEnd: true) }
    clients.forEach { $0.checkRemovals(before: epoch, on: self) }
    if !pings.isEmpty { report(.pingUnanswered, "\(pings.count) ping(s)") }
    if clients.allSatisfy({ $0.end != nil }) && (shm.pools > 0 || shm.buffers > 0 || shm.files > 0) {
      report(.memoryLeft, "\(shm.pools) pool(s), \(shm.buffers) buffer(s), \(shm.files) file(s)")
    }
    return violations
  }

  func readAll() {
    // Bounded, because a client in another process may send without end.
    defer { request = nil }
    for _ in 0..<1000 {
      guard hasUnreadMessages else { return }
      display.dispatch()
    }
  }

  /// Whether clients have sent messages that the stage has not read.
  package var hasUnreadMessages: Bool {
    var poll = pollfd(fd: display.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe Glibc.poll(&poll, 1, 0) > 0
  }

  // MARK: Reports

  /// Records a broken rule; does nothing if `checks` is false.
  func report(_ rule: Violation.Rule, _ message: String) { report(violation(rule, message)) }

  /// Records a violation; does nothing if `checks` is false.
  func report(_ violation: Violation) {
    guard checks else { return }
    violations.append(violation)
    onViolation?(violation)
  }

  /// Returns the violation of a rule by the request that the stage handles.
  func violation(_ rule: Violation.Rule, _ message: String) -> Violation {
    Violation(rule: rule, message: message, time: clock.now, request: request)
  }

  /// Records a broken rule and disconnects the client with the rule's protocol error on `resource`, unless that is nil.
  func forbid(_ rule: Violation.Rule, _ message: String, on resource: Resource?) {
    report(rule, message)
    // libwayland cuts the text at 127 bytes.
    if let resource, let error = rule.error { post(error.code, "\(rule.rawValue): \(message)", on: resource) }
  }

  /// Records a buffer before the first configure, and disconnects the client unless the stage accepts it.
  func forbidEarlyBuffer(_ rule: Violation.Rule, of surface: StageSurface, on resource: Resource) {
    let message = "wl_surface@\(surface.resource.id) has a buffer"
    if acceptsEarlyBuffers { report(rule, message) } else { forbid(rule, message, on: resource) }
  }

  /// Disconnects a client with a protocol error posted by the stage.
  private func post(_ code: UInt32, _ message: String, on resource: Resource) {
    isOwnError = true
    resource.postError(code, message)
    isOwnError = false
  }

  /// Disconnects every client with a protocol error on its xdg_wm_base.
  public func postProtocolError(code: UInt32, _ message: String) {
    bases.forEach { post(code, message, on: $0) }
  }

  /// The place of the request that is being handled among all of its client, from 1; nil between requests.
  package var requestNumber: Int? { request?.number }

  /// Records a legal but notable act.
  func note(_ text: String) { notes.append(text) }

  /// Remembers the request that comes next, and records the protocol errors that libwayland itself sends.
  private func watch(_ message: ProtocolLogger.Message) {
    if message.isRequest {
      let client = unsafe client(of: message.client)
      client.requestCount += 1
      request = ClientRequest(
        number: client.requestCount, interface: message.interface, object: message.object, name: message.name)
      if message.interface == "wl_display", message.name == "sync" { questions += 1 }
    } else if message.interface == "wl_display", message.name == "error" {
      let interface = message.interface(ofArgument: 0)
      let text = unsafe message.arguments[2].s.map { unsafe String(cString: $0) } ?? ""
      unsafe client(of: message.client).errorSent(interface: interface, code: message.arguments[1].u, message: text)
      guard !isOwnError else { return }
      // libwayland refuses a request before it logs it, except one that an object of its own handles.
      if interface == "wl_display" { request = nil }
      report(.invalidRequest, "\(interface): \(text)")
    }
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

  /// The stage's object for `resource`; nil if it has no object or one of a different type.
  func model<T>(_ resource: Resource?) -> T? {
    // The cast must not meet the optional: optimised, Swift 6.3 casts an empty `AnyObject?` to a class by reading address 0.
    guard let resource, let found = models[ObjectIdentifier(resource)] else { return nil }
    return found as? T
  }

  /// Keeps a new surface until its object is destroyed.
  func adopt(_ surface: StageSurface) {
    own(surface, for: surface.resource, in: \.surfaces)
    surface.resource.whenDestroyed { [weak self] in
      guard let self else { return }
      surface.ended()
      self.seats.forEach { $0.forget(surface) }
      self.desktop?.forget(surface)
    }
  }

  /// The surface of the oldest toplevel, the default target of scripts' input.
  public var frontSurface: StageSurface? { toplevels.first?.surface }

  // MARK: Frames

  /// The time from one refresh to the next.
  public var refreshInterval: Duration {
    .nanoseconds(1_000_000_000_000 / Int64(max(1, outputs.first?.refresh ?? 60_000)))
  }

  /// Simulates a refresh now: answers the frame callbacks and presentation feedback of every surface that is not starved, and
  /// releases all buffers if the policy is `atFrame`. Commits whose time has come are shown with it, and those that waited for it apply
  /// after it, also of hidden windows. Does nothing while the stage is frozen.
  public func finishFrame() {
    guard !isFrozen else { return }
    applyReady()
    sequence += 1
    let refresh = UInt32(clamping: refreshInterval.inNanoseconds)
    sessionLock?.lock()
    for surface in surfaces where surface.getsFrames { surface.finishFrame(refresh: refresh, sequence: sequence) }
    if releasePolicy == .atFrame { releaseBuffers() }
    for surface in surfaces { surface.hasBarrier = false }
    applyReady()
  }

  /// Applies the commits that waited and are ready, and tells whose time is over that nobody uses a seat.
  func applyReady() {
    checkIdleness()
    for surface in surfaces where surface.waitingCommits > 0 { surface.applyReady() }
  }

  /// Advances the clock to the next refresh and performs it.
  public func nextRefresh() {
    let interval = refreshInterval.inNanoseconds
    clock.advance(by: .nanoseconds(interval - clock.now.nanoseconds % interval))
    finishFrame()
  }

  /// Stops (`isStarved`) or resumes a surface's frame callbacks and presentation feedback.
  public func starve(_ surface: StageSurface, _ isStarved: Bool) {
    surface.isStarved = isStarved
    surface.excusedCallbacks = surface.callbacks.count
    surface.starvingEpoch = epoch
  }

  /// Answers presentation feedback for content that was never shown.
  func discard(_ feedback: WpPresentationFeedbackResource) {
    feedback.sendDiscarded()
    feedback.destroy()
  }

  /// Stops the compositor as SIGSTOP does: until `thaw()`, steps read and send nothing, and there are no refreshes. Every socket
  /// stays open.
  ///
  /// The script's events wait and keep their times, as input waits in the kernel, up to 4 KiB for each client: beyond that,
  /// libwayland sends them by itself.
  public func freeze() {
    // Events from before the freeze must still arrive.
    if !isFrozen { display.flush() }
    isFrozen = true
  }

  /// Resumes the compositor: the next step reads the requests and sends the events that waited.
  public func thaw() { isFrozen = false }
}

/// A presentation time as it is sent on the wire; it may be invalid.
nonisolated public struct PresentationTime: Hashable, Sendable {
  /// Whole seconds; all 64 bits are possible.
  public var seconds: UInt64
  /// Nanoseconds of the second; valid below 1,000,000,000.
  public var nanoseconds: UInt32
  /// Nanoseconds from one refresh to the next; 0 if unknown.
  public var refresh: UInt32

  /// Creates a time from any numbers, valid or not.
  public init(seconds: UInt64, nanoseconds: UInt32, refresh: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.refresh = refresh
  }

  /// Creates the time that a correct compositor sends; `refresh` is in nanoseconds.
  public init(_ time: MonotonicTime, refresh: UInt32) {
    self.init(
      seconds: UInt64(max(0, time.nanoseconds)) / 1_000_000_000,
      nanoseconds: UInt32(max(0, time.nanoseconds) % 1_000_000_000), refresh: refresh)
  }
}

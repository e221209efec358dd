import CLinux
import Glibc
import UICore
import WaylandServer

/// A scripted compositor. A script says what it sends; `step()` moves messages; every request of every client is
/// checked, and what breaks a rule is in `violations`.
///
/// Nothing is sent to clients outside `step()`, so that what a script says between two steps arrives together.
@MainActor public final class Stage {
  /// libwayland's display.
  public let display: ServerDisplay
  /// What was announced at the start.
  public let globals: StageGlobals
  /// The time.
  public let clock: StageClock
  /// False: nothing is checked and no pixels are copied, for measuring.
  public let checks: Bool
  /// Every connection, oldest first.
  public private(set) var clients: [StageClient] = []
  /// The surfaces alive, oldest first.
  public private(set) var surfaces: [StageSurface] = []
  /// The windows alive, oldest first.
  public internal(set) var toplevels: [StageToplevel] = []
  /// What can be pasted; nil for nothing.
  public internal(set) var clipboard: StageCopy?
  /// What clients made to copy and paste with.
  var dataDevices: [WlDataDeviceResource] = []
  /// The seats there are.
  public internal(set) var seats: [StageSeat] = []
  /// The outputs there are.
  public internal(set) var outputs: [StageOutput] = []
  /// What clients did wrong, oldest first.
  public private(set) var violations: [Violation] = []
  /// What clients did that is legal and worth knowing: buffers destroyed while they were held.
  public private(set) var notes: [String] = []
  /// How many times clients asked for an answer (wl_display.sync).
  public private(set) var questions = 0

  /// Called for each violation; a test records an issue.
  public var onViolation: ((Violation) -> Void)?
  /// Called after each commit, while its buffer is held.
  public var onCommit: ((StageSurface, CommitRecord) -> Void)?
  /// When buffers are given back.
  public var releasePolicy = ReleasePolicy.atFrame
  /// What answers a window's first commit; nil leaves it to the script.
  public var initialConfigure: Configure? = Configure(width: 0, height: 0)
  /// The scale that new surfaces are told.
  public var scale = Scale.one
  /// True: a window is told that it is on the first output as soon as it shows something.
  public var entersOutput = true
  /// The room for a window that new windows are told, in logical points; zero is unknown.
  public var bounds = PixelSize.zero
  /// The bytes that the system keeps of what a client sent and the stage has not read (SO_SNDBUF); nil for as many as usual.
  public var clientRoom: Int32?
  /// How long what a client sends lies unread, which makes every answer that late; events of the script's own are not.
  public var answerDelay: Duration = .zero
  /// The presentation time told for a refresh at the given time; nil tells that time. See `PresentationTime`.
  public var presentationTime: ((MonotonicTime) -> PresentationTime)?
  /// True from `freeze()` to `thaw()`.
  public internal(set) var isFrozen = false
  /// The decorations the compositor insists on; nil: what the client asks for.
  public var decorationMode: ZxdgToplevelDecorationV1Resource.Mode?

  /// The steps so far: what was sent in one has been read, at the earliest, in the next.
  var epoch = 0
  /// When the stage last read everything there was.
  var lastRead = MonotonicTime.zero
  /// Since when something lies unread for `answerDelay`.
  private var unreadSince: MonotonicTime?
  var heldBuffers: [StageBuffer] = []
  var starved: [ObjectIdentifier] = []
  var sequence: UInt64 = 0
  var bases: [XdgWmBaseResource] = []
  var pings: [UInt32] = []
  var xdgSurfaces: [StageXDGSurface] = []
  var roots: [any AnyGlobal] = []
  var goingSeats: [StageSeat] = []
  /// True while the stage itself posts an error, not libwayland.
  private var isOwnError = false
  var goingOutputs: [StageOutput] = []
  let shm = LiveMemory()
  private var models: [ObjectIdentifier: AnyObject] = [:]
  private var logger: ProtocolLogger?

  /// A stage with `globals`; a seat with every device and one output are there unless the script wants others.
  public init(
    globals: StageGlobals = .everything, clock: StageClock = StageClock(), checks: Bool = true,
    capabilities: WlSeatResource.Capability? = [.pointer, .keyboard, .touch],
    output: PixelSize? = PixelSize(width: 1280, height: 720)
  ) {
    guard let display = ServerDisplay() else { preconditionFailure("no memory for a display") }
    self.display = display
    self.globals = globals
    self.clock = clock
    self.checks = checks
    announce()
    if let output { addOutput(mode: output) }
    if let capabilities { addSeat(capabilities: capabilities) }
    if checks { logger = ProtocolLogger(display) { [weak self] in self?.watch($0) } }
  }

  isolated deinit {
    logger?.end()
    roots.removeAll()
    (seats + goingSeats).forEach { $0.remove() }
    (outputs + goingOutputs).forEach { $0.remove() }
  }

  // MARK: Connections

  /// Connects a client: its end of the socket, which it owns. `sendBuffer` makes the room smaller than usual that there is for
  /// what it has not read.
  public func connectClient(sendBuffer: Int32? = nil) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return nil
    }
    if var sendBuffer {
      setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &sendBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    if var room = clientRoom {
      setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
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

  /// Reads what clients have sent, then sends what the script said. Does nothing while the stage is frozen.
  public func step() {
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

  /// True when what lies unread has waited for `answerDelay`.
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
  public func finish() -> [Violation] {
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
    var rounds = 0
    while rounds < 1000, hasInput {
      display.dispatch()
      rounds += 1
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
  func forbid<Code: RawRepresentable<UInt32>>(
    _ rule: Violation.Rule, _ message: String, on resource: Resource, code: Code
  ) {
    report(rule, message)
    post(code.rawValue, message, on: resource)
  }

  /// Notes a broken rule and ends the client with an error on its xdg_wm_base.
  func forbid(
    _ rule: Violation.Rule, _ message: String, onBaseOf window: StageXDGSurface, code: XdgWmBaseResource.ErrorCode
  ) {
    report(rule, message)
    if let base = bases.first(where: { $0.client == window.resource.client }) { post(code.rawValue, message, on: base) }
  }

  /// Ends a client with an error that the stage itself has reason for.
  func post(_ code: UInt32, _ message: String, on resource: Resource) {
    isOwnError = true
    resource.postError(code, message)
    isOwnError = false
  }

  /// Ends every client with a protocol error on its xdg_wm_base.
  public func postProtocolError(code: UInt32, _ message: String) {
    bases.forEach { post(code, message, on: $0) }
  }

  /// Notes something legal.
  func note(_ text: String) { notes.append(text) }

  /// Sees what libwayland itself answers and sends: the display's own messages.
  private func watch(_ message: ProtocolLogger.Message) {
    if message.isRequest, message.interface == "wl_display", message.name == "sync" { questions += 1 }
    guard !message.isRequest, message.interface == "wl_display", message.name == "error",
      message.arguments.count == 3
    else { return }
    let interface = message.interface(ofArgument: 0)
    let text = message.arguments[2].s.map { String(cString: $0) } ?? ""
    client(of: message.client).errorSent(interface: interface, code: message.arguments[1].u, message: text)
    if !isOwnError { report(.protocolError, "\(interface): \(text)") }
  }

  // MARK: Models

  /// Keeps `model` as what stands for `resource`, until that ends.
  func own(_ model: AnyObject, for resource: Resource, onEnd: @escaping () -> Void = {}) {
    let key = ObjectIdentifier(resource)
    models[key] = model
    resource.onDestroy = { [weak self] in
      self?.models[key] = nil
      onEnd()
    }
  }

  /// What stands for `resource`.
  func model<T>(_ resource: Resource) -> T? { models[ObjectIdentifier(resource)] as? T }

  /// Keeps a new surface until its object ends.
  func adopt(_ surface: StageSurface) {
    surfaces.append(surface)
    own(surface, for: surface.resource) { [weak self] in
      guard let self else { return }
      surface.ended()
      self.surfaces.removeAll { $0 === surface }
      self.seats.forEach { $0.forget(surface) }
    }
  }

  /// The first window's surface, where scripts' input goes unless they say otherwise.
  public var frontSurface: StageSurface? { toplevels.first?.surface }
}

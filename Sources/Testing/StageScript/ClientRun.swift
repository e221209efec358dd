import CLinux
import Glibc
import JSON
import Linux
import Stage

/// A stage with one client in a process of its own, on which steps are carried out.
final class ClientRun {
  let stage: Stage
  let setup: Setup
  let process: ClientProcess
  let folders: Folders
  /// The rules that the client broke, oldest first.
  private(set) var findings: [Finding] = []
  /// The step that is carried out; nil before the first and after the last.
  var step: Int?
  /// Whether a step awaited the client's exit.
  var hasExpectedExit = false
  /// Whether a step has cut the client's connection.
  var isCut = false
  /// The pseudo-random numbers of the script.
  var random: UInt64
  /// The stylus, once a step has used it.
  var stylus: StagePen?
  /// The keys that are held, by their codes.
  var heldKeys: [UInt32] = []
  /// Who makes the film and the page of the run; nil if neither is asked for.
  let watcher: RunWatcher?
  private let display: PrivateDisplay
  private let signals: ProgramSignals
  /// Whether the client has once not come to rest. From then on, each step waits only briefly.
  private var isRestless = false
  /// Whether the client has come to rest without the commit that it owes, and need not be waited for again.
  private var isExcused = false
  /// The frames that each surface has shown since the last refresh, without those that answer a configure.
  private var frameCounts: [ObjectIdentifier: Int] = [:]

  /// Where screenshots are written, and which ones they are compared with; nil for nowhere.
  struct Folders {
    var output: String?
    var against: String?
  }

  /// Sets up the stage and starts the client. If that fails, the page says so.
  static func start(
    _ command: [String], setup: Setup, folders: Folders, watcher: RunWatcher?
  ) throws(CommandError) -> ClientRun {
    do throws(CommandError) {
      return try ClientRun(command, setup: setup, folders: folders, watcher: watcher)
    } catch {
      watcher?.save(RunWatcher.Ending(exitCode: error.exitCode, death: error.message, hasStarted: false))
      throw error
    }
  }

  private init(_ command: [String], setup: Setup, folders: Folders, watcher: RunWatcher?) throws(CommandError) {
    self.setup = setup
    self.folders = folders
    self.watcher = watcher
    random = UInt64(truncatingIfNeeded: setup.seed) &* 0x9e37_79b9_7f4a_7c15 | 1
    stage = Stage(globals: setup.globals, capabilities: setup.devices, output: setup.output)
    stage.acceptsRecentActions = true
    for seat in stage.seats { seat.keymap = KeyTable.keymap }
    guard let display = PrivateDisplay(), stage.listen(as: display.name) else {
      throw CommandError("can't make a socket: \(systemMessage(errno))", exitCode: StageCommand.Code.client)
    }
    self.display = display
    guard let signals = ProgramSignals() else {
      throw CommandError("can't receive signals: \(systemMessage(errno))", exitCode: StageCommand.Code.client)
    }
    self.signals = signals
    process = try display.start(command, output: watcher?.output?.writer)
    watcher?.output?.leaveWriter()
    watcher?.begin(stage)
    stage.onViolation = { [weak self] in self?.found($0) }
    stage.onCommit = { [weak self] surface, record in
      guard let self else { return }
      if record.hasContent, record.acknowledged == nil { frameCounts[ObjectIdentifier(surface), default: 0] += 1 }
      if let watcher, record.hasContent || record.unmaps { watcher.see(stage) }
    }
  }

  private func found(_ violation: Violation) {
    guard !setup.allowed.contains(violation.rule) else { return }
    findings.append(Finding(violation: violation, step: step, isAdvice: !setup.isStrict && violation.rule.isAdvice))
    watcher?.see(violation, stage)
  }

  /// Marks the findings of a rule so far as expected; returns false if there is no new one.
  func claim(_ rule: Violation.Rule) -> Bool {
    let indices = findings.indices.filter { findings[$0].violation.rule == rule && !findings[$0].isExpected }
    for index in indices { findings[index].isExpected = true }
    watcher?.forget(rule)
    return !indices.isEmpty
  }

  /// Whether the client runs and is connected.
  var isClientPresent: Bool { process.status == nil && stage.clients.contains { $0.end == nil } }

  /// The protocol error by which the client lost a connection; nil if it lost none so.
  var protocolError: (interface: String, code: UInt32, message: String)? {
    for client in stage.clients {
      if case .protocolError(let interface, let code, let message) = client.end { return (interface, code, message) }
    }
    return nil
  }

  // MARK: Real time

  /// Waits until messages or signals come, at most `duration`, and handles them. Returns whether the descriptor `extra`, for which
  /// it waits too, is readable.
  @discardableResult
  func wait(_ duration: Duration, also extra: Int32 = -1) -> Bool {
    var files = [
      pollfd(fd: stage.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: extra, events: Int16(POLLIN), revents: 0),
    ]
    // A frozen stage reads nothing, so that its clients' messages would end each wait at once.
    if stage.isFrozen || stage.answerDelay > .zero { files[0].fd = -1 }
    if let output = watcher?.output { files.append(pollfd(fd: output.reader, events: Int16(POLLIN), revents: 0)) }
    _ = unsafe cockpit_poll(&files, UInt(files.count), max(0, duration.inNanoseconds))
    if files[1].revents != 0 {
      signals.take { signal in
        close()
        watcher?.save(RunWatcher.Ending(exitCode: 128 + signal, findings: judgedFindings, signal: signal))
      }
      process.reap()
    }
    if files.count > 3, files[3].revents != 0 { watcher?.output?.take() }
    stage.exchange()
    // A client that draws all the time, as games do, never rests: without refreshes it would run out of buffers, of which Mesa has
    // four.
    if stage.heldBufferCount >= 3, frameCounts.values.contains(where: { $0 >= 3 }) {
      isRestless = true
      performRefresh()
    }
    return files[2].revents != 0
  }

  /// Exchanges messages until the client is at rest: it has read everything, none of its threads runs, and it has answered every
  /// configure. Returns false if that takes longer than `limit` of real time.
  @discardableResult
  func awaitRest(within limit: Duration = .seconds(1)) -> Bool {
    let canAnswer = !stage.isFrozen && stage.answerDelay == .zero
    stage.exchange()
    if isRestless { return awaitPong(canAnswer ? .milliseconds(250) : .milliseconds(30)) }
    let end = MonotonicTime.system + limit
    // Toolkits draw up to some frames after a configure, by timers.
    let excuse = MonotonicTime.system + .milliseconds(150)
    while process.status == nil {
      if !stage.owesCommit { isExcused = false }
      let owes = canAnswer && stage.owesCommit && !isExcused
      // It also sleeps if it waits for its output to be read.
      let isAsleep =
        process.isAsleep && watcher?.output?.take() != true && !(canAnswer && stage.hasUnreadMessages)
      if isAsleep, !owes { break }
      if isAsleep, MonotonicTime.system >= excuse {
        isExcused = true
        break
      }
      guard MonotonicTime.system < end else {
        // A client that is still starting takes its time.
        if !isAsleep, stage.surfaces.contains(where: \.isMapped) { isRestless = true }
        return false
      }
      wait(isAsleep ? .milliseconds(5) : .microseconds(200))
    }
    // What the client sent before it ended.
    stage.exchange()
    // A configure that waits for the next frame is not unanswered yet.
    if canAnswer, !stage.owesCommitWithFrame { stage.step() }
    return true
  }

  /// Waits until a client that never rests has at least read everything; returns false if that takes longer than `limit`.
  private func awaitPong(_ limit: Duration) -> Bool {
    let end = MonotonicTime.system + limit
    stage.ping()
    stage.exchange()
    while stage.unansweredPings > 0, process.status == nil {
      guard MonotonicTime.system < end else { return false }
      wait(.milliseconds(2))
    }
    return true
  }

  /// Waits up to `limit` of real time until `isDone`; refreshes for which the client waits go on meanwhile.
  func wait(within limit: Duration, until isDone: () -> Bool) -> Bool {
    let end = MonotonicTime.system + limit
    while !isDone() {
      guard MonotonicTime.system < end, process.status == nil || stage.hasUnreadMessages else { return isDone() }
      wait(.milliseconds(2))
      if stage.waitsForRefresh, process.isAsleep, !isDone() { performRefresh() }
    }
    return true
  }

  private func performRefresh() {
    frameCounts = [:]
    stage.nextRefresh()
    stage.exchange()
  }

  // MARK: Virtual time

  /// Performs the next refresh, and lets the client answer it.
  func refresh() {
    frameCounts = [:]
    stage.nextRefresh()
    awaitRest()
  }

  /// Moves the time of the script on by `duration`, with every refresh in it.
  func advance(by duration: Duration, each step: () -> Void = {}) {
    let end = stage.clock.now + duration
    let interval = stage.refreshInterval.inNanoseconds
    while true {
      let now = stage.clock.now.nanoseconds
      let next = MonotonicTime(nanoseconds: now + interval - now % interval)
      guard next <= end else { break }
      stage.clock.now = next
      step()
      let isAwaited = stage.waitsForRefresh
      frameCounts = [:]
      stage.finishFrame()
      if isAwaited { awaitRest() }
    }
    stage.clock.now = end
    awaitRest()
  }

  // MARK: The end

  /// Ends the script: undoes freezes, lets two more refreshes pass, and has the stage make its last checks.
  func finish() {
    stage.thaw()
    stage.answerDelay = .zero
    if isClientPresent {
      stage.resumeAll()
      for _ in 0..<2 { refresh() }
    }
    _ = stage.unansweredPings
    _ = stage.finish()
    close()
  }

  /// Disconnects and ends the client, and removes the socket.
  func close() {
    for client in stage.clients where client.end == nil { client.hangUp() }
    process.end { watcher?.output?.take() }
    watcher?.output?.take()
    display.remove()
  }
}

/// A rule that the client broke during a step.
struct Finding {
  let violation: Violation
  /// The index of the step; nil before the first and after the last.
  let step: Int?
  let isAdvice: Bool
  /// Whether the script expects it.
  var isExpected = false
}

/// A Wayland socket for one client, in XDG_RUNTIME_DIR or, without that variable, in a folder made for it.
struct PrivateDisplay {
  let folder: String
  let name: String
  private let isOwnFolder: Bool
  private static var count = 0

  /// Names a socket; nil if there is no folder for it, with the reason in `errno`.
  init?() {
    if let folder = unsafe getenv("XDG_RUNTIME_DIR").map({ unsafe String(cString: $0) }),
      unsafe access(folder, W_OK) == 0
    {
      (self.folder, isOwnFolder) = (folder, false)
    } else {
      var template = Array("/tmp/stage-XXXXXX".utf8CString)
      guard unsafe mkdtemp(&template) != nil else { return nil }
      folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      isOwnFolder = true
      unsafe setenv("XDG_RUNTIME_DIR", folder, 1)
    }
    Self.count += 1
    name = "stage-\(getpid())-\(Self.count)"
  }

  /// Starts a client that knows only this socket; what it prints goes to `output`, by default to the standard error. If that fails,
  /// removes the socket's files.
  func start(_ command: [String], output: Int32? = nil) throws(CommandError) -> ClientProcess {
    do {
      return try ClientProcess(
        command,
        environment: [
          "WAYLAND_DISPLAY": name, "XDG_RUNTIME_DIR": folder, "XDG_SESSION_TYPE": "wayland", "WAYLAND_SOCKET": nil,
          "DISPLAY": nil,
        ], output: output)
    } catch {
      remove()
      throw CommandError("can't start \(command[0]): \(error)", exitCode: StageCommand.Code.client)
    }
  }

  /// Removes the socket's files.
  func remove() {
    unsafe unlink("\(folder)/\(name)")
    unsafe unlink("\(folder)/\(name).lock")
    if isOwnFolder {
      unsafe rmdir(folder)
      unsafe unsetenv("XDG_RUNTIME_DIR")
    }
  }
}

import CockpitControls
import Controls
import DriveLink
import Shell
import UICore
import Witnessing

/// Has every frame read by a witness, which knows nothing but its pixels, and ends the drive if gear, speed or lamps are not what the drive
/// commands and says, cannot be read, are not proved in time, or if the witness is silent or gone.
final class DisplayWatch: SessionPart {
  /// The longest time from a command to the answer that a frame shows it: the line that ends the drive then leaves within 200 ms.
  static let limit = Duration.milliseconds(190)
  /// The longest time from a question to its answer. A right witness takes less than a millisecond.
  static let patience = Duration.milliseconds(150)
  /// While something is driven, the newest frame is read again this long after the last question: its memory may have been spoiled, or the
  /// witness stopped. Together with `patience` less than 200 ms.
  static let askPeriod = Duration.milliseconds(25)
  /// The number of frames that wait for an answer at most: each lies in a buffer of its own, and a window has three.
  private static let mostFrames = 3
  /// The time until a witness that ended is replaced.
  static let restartDelay = Duration.seconds(1)

  private struct Question {
    let number: UInt64
    let picture: Picture
    let time: MonotonicTime
  }

  /// A committed frame, and what it must show: the state when it was drawn. A frame must not allocate, so pictures that nothing refers to
  /// any more are used again.
  private final class Picture {
    /// Nil while the picture waits to be used again: frames hold their memory.
    var frame: CommittedFrame?
    var shape: FrameShape
    var cells: [Cell] = []
    var state: ShownState
    /// True if something lay over the instruments, as a card may before a drive: what cannot be read then is no fault, and proves
    /// nothing.
    var isOverlaid = false

    init(_ shape: FrameShape, _ state: ShownState) {
      (self.shape, self.state) = (shape, state)
      cells.reserveCapacity(Cell.Subject.allCases.count)
    }
  }

  private let scene: CockpitScene
  private let session: DrivePart
  private let loop: EventLoop
  private let start: () -> (any DisplayWitness)?
  private var witness: (any DisplayWitness)?
  private weak var window: Window?
  /// The questions without an answer yet, the oldest first.
  private var questions: [Question] = []
  private var lastNumber: UInt64 = 0
  private var lastAsk = MonotonicTime.zero
  /// What must be shown, and since when.
  private var wanted: (state: ShownState, since: MonotonicTime)?
  /// Since when something is driven; nil while nothing is.
  private var drivenSince: MonotonicTime?
  /// What an answer has proved to be shown.
  private var proved: ShownState?
  /// The newest frame.
  private var front: Picture?
  /// Pictures for further frames.
  private var pictures: [Picture] = []
  /// Where the scene's part of the newest frame lies in this process.
  private var drawn: (address: Int, size: PixelSize, stride: Int)?
  private var shape: FrameShape?
  /// What the witness reads, a bit for each subject; nil before the first frame.
  private var subjects: UInt8?
  /// The fault that was reported last; nil if the screen was right since.
  private(set) var fault: String?
  /// Called for each fault that is reported.
  var onFault: ((String) -> Void)?
  private var restartTime: MonotonicTime?
  private lazy var timer = LoopTimer(loop: loop) { [unowned self] in timeCame() }

  /// `start` starts a witness; nil if that fails.
  init(scene: CockpitScene, session: DrivePart, loop: EventLoop, start: @escaping () -> (any DisplayWitness)?) {
    (self.scene, self.session, self.loop, self.start) = (scene, session, loop, start)
    restart()
  }

  /// The line for standard error at the start of a drive without a witness.
  static let complaint =
    "cockpit-witness is missing beside the program or cannot be started: nothing can be driven, each touch ends with display-fault"

  /// True if there is a witness that can be asked.
  var hasWitness: Bool { witness != nil }

  // MARK: Frames

  func follow(_ window: Window) {
    self.window = window
    (front, drawn, shape, proved) = (nil, nil, nil, nil)
    forgetQuestions()
    window.onCommit = { [weak self] in self?.didCommit($0) }
  }

  func didDraw(_ buffer: PixelBuffer) {
    drawn = (unsafe buffer.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }, buffer.size, buffer.stride)
  }

  private func didCommit(_ frame: CommittedFrame) {
    if let drawn, drawn.address >= frame.address, drawn.address < frame.address + frame.byteCount {
      shape = FrameShape(
        width: drawn.size.width, height: drawn.size.height, stride: drawn.stride / 4,
        offset: (drawn.address - frame.address) / 4)
    }
    // Without a shape the decoration alone was drawn, which comes before every first picture of the scene.
    guard let shape else { return }
    let state = state
    if let old = front {
      front = nil
      if !questions.contains(where: { $0.picture === old }) { recycle(old) }
    }
    let picture = takePicture(shape, state)
    (picture.frame, picture.shape, picture.state) = (frame, shape, state)
    scene.cluster.write(&picture.cells, showing: state, factor: scene.scale.factor, in: scene.content)
    picture.isOverlaid = scene.cluster.isOverlaid(on: scene.content)
    front = picture
    note(picture.cells)
    askAboutFront()
    update(at: loop.clock.now)
  }

  private func note(_ cells: [Cell]) {
    let new = cells.reduce(UInt8(0)) { $0 | 1 << $1.subject.rawValue }
    guard new != subjects else { return }
    subjects = new
    if cells.isEmpty {
      Log.write(.drive, .error, "the scene shows no instruments that a witness could read: nothing is judged")
    } else {
      Log.write(.drive, .info, "the witness reads \(cells.map { "\($0.subject)" }.joined(separator: ", "))")
    }
  }

  /// Asks what the newest frame shows.
  private func askAboutFront() {
    guard let front else { return }
    guard !front.cells.isEmpty else {
      proved = front.state
      return
    }
    lastAsk = loop.clock.now
    lastNumber += 1
    guard let witness, let frame = front.frame, witness.ask(lastNumber, frame, front.shape, front.cells) else {
      // An earlier frame's proof says nothing of one that cannot be asked about; the clock finds that nothing is proved.
      proved = nil
      return
    }
    frame.beginReading()
    questions.append(Question(number: lastNumber, picture: front, time: lastAsk))
  }

  private func answered(_ number: UInt64, _ answer: WitnessAnswer) {
    guard let index = questions.firstIndex(where: { $0.number == number }) else { return }
    let picture = questions[index].picture
    forgetQuestions(index + 1)
    switch answer {
    case .right(let count) where count == picture.cells.count: (proved, fault) = (picture.state, nil)
    case .right: lose("the witness of the screen answers something else")
    case .readings(let readings) where picture.isOverlaid && readings.count == picture.cells.count: proved = nil
    case .readings(let readings):
      proved = nil
      let wrong = zip(picture.cells, readings).filter { $0.1 != .right }
      report("the screen is wrong: \(wrong.map { "\($0.subject) \($0.text) is \($1)" }.joined(separator: ", "))")
    }
    update(at: loop.clock.now)
  }

  /// Ends the oldest questions, or all of them.
  private func forgetQuestions(_ count: Int = .max) {
    let count = min(count, questions.count)
    for index in 0..<count {
      let picture = questions[index].picture
      picture.frame?.endReading()
      let isAsked = questions[(index + 1)...].contains { $0.picture === picture }
      if picture !== front, !isAsked { recycle(picture) }
    }
    questions.removeFirst(count)
  }

  /// A picture that nothing refers to. The first frame makes all of them: on a busy machine, where answers come late, a later one would.
  private func takePicture(_ shape: FrameShape, _ state: ShownState) -> Picture {
    if let picture = pictures.popLast() { return picture }
    for _ in 1..<Self.mostFrames { pictures.append(Picture(shape, state)) }
    questions.reserveCapacity(Self.mostFrames)
    return Picture(shape, state)
  }

  private func recycle(_ picture: Picture) {
    picture.frame = nil
    pictures.append(picture)
  }

  // MARK: Judgement

  private var state: ShownState {
    ShownState(gear: Gear(number: session.output.stream.line.command.gear), lamp: session.output.lamp)
  }

  func didHandle(_ event: () -> SessionEvent, at time: MonotonicTime) { update(at: time) }

  /// Takes in the state of the drive, and what is due when.
  func update(at time: MonotonicTime) {
    let state = state
    if wanted?.state != state { wanted = (state, time) }
    let isDriven = session.output.isHeld || session.output.isCommanding
    if isDriven != (drivenSince != nil) { drivenSince = isDriven ? time : nil }
    var next = restartTime
    func add(_ time: MonotonicTime?) {
      if let time { next = next.map { min($0, time) } ?? time }
    }
    add(questions.first.map { $0.time + Self.patience })
    add(proofTime)
    add(missingTime)
    if drivenSince != nil, questions.isEmpty, witness != nil, isJudged { add(lastAsk + Self.askPeriod) }
    timer.time = next
  }

  /// True unless the newest frame has nothing to read.
  private var isJudged: Bool { front?.cells.isEmpty != true }

  /// The time at which what is driven must be proved; nil if it is, or nothing is driven.
  private var proofTime: MonotonicTime? {
    guard let drivenSince, let wanted, isJudged, proved != wanted.state else { return nil }
    return max(wanted.since, drivenSince) + Self.limit
  }

  /// The time since which something is driven without a witness: that has no chance to be proved.
  private var missingTime: MonotonicTime? { witness == nil && isJudged ? drivenSince : nil }

  /// Answers were taken in before: the loop runs timers after what has arrived.
  private func timeCame() {
    let now = loop.clock.now
    if let restartTime, now >= restartTime { restart() }
    if let oldest = questions.first, now >= oldest.time + Self.patience { lose("the witness of the screen is silent") }
    if missingTime != nil { report("nobody reads the screen: there is no witness") }
    if let proofTime, now >= proofTime { report("no frame shows in time what is commanded") }
    if questions.isEmpty, drivenSince != nil, now >= lastAsk + Self.askPeriod { askAboutFront() }
    update(at: now)
  }

  /// Reports a fault of the screen: it ends the drive if there is one, and the next frame is drawn whole.
  private func report(_ text: String) {
    if fault != text {
      Log.write(.drive, .error, text)
      window?.drawWhole()
    }
    fault = text
    onFault?(text)
    guard session.output.isHeld || session.output.isCommanding else { return }
    session.reportLoss(.displayFault)
    // What is driven in spite of that, such as a horn, is reported again, but not at once.
    if drivenSince != nil { drivenSince = loop.clock.now + Self.limit }
  }

  // MARK: The witness

  private func lose(_ reason: String) {
    witness?.end()
    witness = nil
    proved = nil
    forgetQuestions()
    restartTime = loop.clock.now + Self.restartDelay
    report(reason)
  }

  private func restart() {
    restartTime = nil
    witness = start()
    guard let witness else {
      // A program that has run once may run again.
      if lastNumber > 0 { restartTime = loop.clock.now + Self.restartDelay * 10 }
      return
    }
    witness.onAnswer = { [weak self] in self?.answered($0, $1) }
    witness.onEnd = { [weak self] in
      guard let self else { return }
      lose("the witness of the screen has ended")
      update(at: loop.clock.now)
    }
    askAboutFront()
  }

  func end() {
    timer.time = nil
    forgetQuestions()
    witness?.end()
    witness = nil
  }
}

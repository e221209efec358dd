import Glibc
import Linux
import PNGFiles
import Stage

/// Watches a run for those who look at it afterwards: it makes the film, and keeps what the page shows. A run of which neither is wanted has no
/// watcher, and copies no picture.
final class RunWatcher {
  /// Where the film and the page are written; nil for nowhere.
  struct Files {
    var film: String?
    var page: String?
  }

  /// How a run ended.
  struct Ending {
    let exitCode: Int32
    var findings: [Finding] = []
    /// How the client died, or why it could not be started; nil if neither.
    var death: String?
    var hasStarted = true
    /// The signal that ended the stage; nil if none did.
    var signal: Int32?
  }

  /// What the client prints; nil without a page, which then goes to the standard error directly.
  let output: ClientOutput?
  private let files: Files
  private var film: PNGFilm?
  private(set) var account: RunAccount
  /// The last scenes that showed something, oldest first, each with the number of the request that made it.
  private var scenes: [(scene: StageScene, request: Int?)] = []
  /// The rules whose first violation waits for the picture after it.
  private var waiting: [Violation.Rule] = []
  /// What was shown last; only once the film is full.
  private var lastScene: (scene: StageScene, time: MonotonicTime)?
  /// The bytes of the pictures that the page has.
  private var byteCount = 0
  /// When the present step began, in real time.
  private var realStart = MonotonicTime.zero
  private var isSaved = false

  /// The longest side of a picture in pixels.
  private static let side = 4096
  /// The most bytes of the page's pictures, and of a film in it. Base64 makes a third more of them.
  private static let (pictureLimit, filmLimit) = (12 << 20, 4 << 20)
  private static let sceneCount = 4

  /// Watches a run whose page says `account`. Throws if one of the files can't be written, or there are no descriptors left.
  init(_ files: Files, _ account: RunAccount) throws(CommandError) {
    (self.files, self.account) = (files, account)
    film = files.film.map { _ in PNGFilm() }
    // The page of an earlier run would tell something else, and so would its film, if this one is killed.
    for (path, text) in [(files.film, ""), (files.page, RunPage.unfinished)] {
      guard let path else { continue }
      guard let file = unsafe Descriptor(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)) else {
        throw CommandError("can't write \(path): \(systemMessage(errno))")
      }
      if text.isEmpty { StageCommand.remove(path) } else { _ = Descriptor.write(Array(text.utf8), to: file.number) }
    }
    output = files.page == nil ? nil : ClientOutput()
    guard files.page == nil || output != nil else {
      throw CommandError("can't make a pipe: \(systemMessage(errno))", exitCode: StageCommand.Code.client)
    }
  }

  private var hasPage: Bool { files.page != nil }

  // MARK: The run

  /// The run begins.
  func begin(_ stage: Stage) { account.start = stage.clock.now }

  /// A step begins.
  func begin(_ step: Step, _ stage: Stage) {
    guard hasPage else { return }
    realStart = .system
    account.begin(step.title, at: stage.clock.now)
  }

  /// The step that began last has ended.
  func end(_ outcome: Report.Outcome, _ stage: Stage) {
    // Windows and popups also disappear without a commit.
    let scene = stage.scene
    show(scene, at: stage.clock.now)
    guard hasPage else { return }
    var failure: RunAccount.Failure?
    if case .failed(let message) = outcome {
      failure = RunAccount.Failure(
        message: message, picture: (scene.isEmpty ? scenes.last?.scene : scene).flatMap(picture))
    }
    account.end(failure, at: stage.clock.now, after: MonotonicTime.system - realStart)
  }

  /// A commit has changed what a surface shows.
  func see(_ stage: Stage) {
    let scene = stage.scene
    show(scene, at: stage.clock.now)
    guard hasPage else { return }
    if !scene.isEmpty {
      scenes.append((scene, stage.requestNumber))
      if scenes.count > Self.sceneCount { scenes.removeFirst() }
    }
    for rule in waiting { account.evidence[rule]?.after = scene.isEmpty ? nil : picture(of: scene) }
    waiting = []
  }

  /// The client has broken a rule. Some rules are judged only after the commit that broke them has been applied.
  func see(_ violation: Violation, _ stage: Stage) {
    guard hasPage, account.evidence[violation.rule] == nil else { return }
    let later = scenes.firstIndex { entry in
      guard let number = violation.request?.number, let request = entry.request else { return false }
      return request >= number
    }
    let earlier = (later ?? scenes.count) - 1
    account.evidence[violation.rule] = RunAccount.Evidence(
      before: scenes.indices.contains(earlier) ? picture(of: scenes[earlier].scene) : nil,
      after: later.flatMap { picture(of: scenes[$0].scene) })
    if later == nil { waiting.append(violation.rule) }
  }

  /// The violations of a rule so far are expected: those that come are shown.
  func forget(_ rule: Violation.Rule) {
    account.evidence[rule] = nil
    waiting.removeAll { $0 == rule }
  }

  /// A step has written a screenshot, and has compared it with the file at `reference` if that is not nil.
  func took(_ name: String, _ path: String, reference: String?, difference: String, isEqual: Bool) {
    guard hasPage else { return }
    var shot = RunAccount.Shot(name: name, reference: reference, isEqual: isEqual, new: file(path, or: path))
    if let reference, !isEqual {
      shot.expected = file(reference, or: reference)
      // It is absent if the sizes differ.
      if unsafe access(difference, R_OK) == 0 { shot.difference = file(difference, or: difference) }
    }
    account.shots.append(shot)
  }

  // MARK: Pictures

  private func show(_ scene: StageScene, at time: MonotonicTime) {
    guard film != nil else { return }
    guard film?.end == nil else {
      lastScene = (scene, time)
      return
    }
    let image = scene.drawn(over: PNGFilm.ground, atMost: Self.side)
    account.isCropped = account.isCropped || image.isCropped
    film?.add(image.pixels, image.size, at: time)
  }

  private func picture(of scene: StageScene) -> RunAccount.Picture? {
    let image = scene.drawn(over: PNGFilm.ground, atMost: Self.side)
    guard !image.size.isEmpty else { return nil }
    return keep(PNG.encoded(image.pixels, image.size), image.size, or: nil)
  }

  private func file(_ path: String, or name: String) -> RunAccount.Picture? {
    guard let bytes = try? FileReader.bytes(of: path, atMost: Self.pictureLimit),
      let size = PNG.declaredSize(contentsOf: path)
    else { return RunAccount.Picture(size: .zero, content: .leftOut(name)) }
    return keep(bytes, size, or: name)
  }

  /// Keeps a picture for the page, unless it has too many.
  private func keep(_ bytes: [UInt8]?, _ size: PixelSize, or name: String?) -> RunAccount.Picture? {
    guard let bytes else { return nil }
    guard byteCount + bytes.count <= Self.pictureLimit else {
      return RunAccount.Picture(size: size, content: .leftOut(name))
    }
    byteCount += bytes.count
    return RunAccount.Picture(size: size, content: .png(bytes))
  }

  // MARK: The end

  /// Writes the film and the page. Complains if that fails, which changes no exit code.
  func save(_ ending: Ending) {
    guard !isSaved else { return }
    isSaved = true
    saveFilm()
    guard let path = files.page else { return }
    if ending.death != nil, let last = scenes.last { account.last = picture(of: last.scene) }
    if let output { account.output = output.kept }
    if !StageCommand.save(RunPage(account, ending).html.utf8, to: path) {
      StageCommand.complain("can't write \(path): \(systemMessage(errno))")
    }
  }

  private func saveFilm() {
    guard let path = files.film, var film else { return }
    if let lastScene {
      let image = lastScene.scene.drawn(over: PNGFilm.ground, atMost: Self.side)
      film.add(image.pixels, image.size, at: lastScene.time)
    }
    guard let bytes = film.file() else {
      account.film = "The client has shown no window, so that there is no film."
      return StageCommand.complain("there is no film: the client has shown no window")
    }
    if let end = film.end {
      let place = (end - account.start).inSeconds
      account.film =
        "The film has the first \(film.frameCount) frames, until \(RunPage.number(place)) s of the stage's time, and the last picture: it has reached its limit."
      StageCommand.complain(
        "the film ends \(RunPage.number(place)) s after the start, with \(film.frameCount) frames, and has then the last picture: it has reached its limit"
      )
    }
    if account.isCropped { StageCommand.complain("the film shows at most \(Self.side) pixels to a side") }
    guard StageCommand.save(bytes, to: path) else {
      return StageCommand.complain("can't write \(path): \(systemMessage(errno))")
    }
    account.filmPicture = RunAccount.Picture(
      size: film.canvas, content: bytes.count <= Self.filmLimit ? .png(bytes) : .leftOut(path))
  }
}

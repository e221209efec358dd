import Linux
import Synchronization

/// A picture that another thread reads from a file. Once nobody holds the request, a reading that has not begun never does.
final class PictureRequest {
  /// The picture, or why there is none; nil as long as neither is known.
  private(set) var outcome: Result<Picture, PictureError>?
  private var waiting: [() -> Void] = []
  private let errand: PictureErrand?

  /// A request for the picture in `file`. `note` is told the outcome before those who wait for it.
  init(_ file: ImageReference, note: @escaping (Result<Picture, PictureError>) -> Void) {
    let errand = PictureErrand(file.path, within: Picture.limits)
    self.errand = errand
    errand.onEnd = { [weak self] content in
      guard let self else { return }
      let outcome = content.map { Picture($0, scale: file.scale) }
      note(outcome)
      end(outcome)
    }
    PictureThread.shared.add(errand)
  }

  /// A request for a picture that is known.
  init(_ picture: Picture) { (outcome, errand) = (.success(picture), nil) }

  deinit { errand?.cancel() }

  /// Calls `body` when the outcome is known: at once, or later on the main thread.
  func whenDone(_ body: @escaping () -> Void) {
    if outcome == nil { waiting.append(body) } else { body() }
  }

  private func end(_ outcome: Result<Picture, PictureError>) {
    self.outcome = outcome
    let bodies = waiting
    waiting.removeAll()
    for body in bodies { body() }
  }
}

/// One file that the thread reads.
nonisolated private final class PictureErrand: Sendable {
  private let path: String
  private let limits: PictureLimits
  private let isCancelled = Mutex(false)
  /// Called once, on the main thread, unless it was cancelled.
  @MainActor var onEnd: ((Result<PictureFile.Content, PictureError>) -> Void)?

  init(_ path: String, within limits: PictureLimits) { (self.path, self.limits) = (path, limits) }

  func cancel() { isCancelled.withLock { $0 = true } }

  /// Reads the file, unless nobody waits for it any more.
  func run() {
    guard !isCancelled.withLock({ $0 }) else { return }
    let content = Result { () throws(PictureError) in try PictureFile.read(path, within: limits) }
    Task { @MainActor [self] in
      let body = onEnd
      onEnd = nil
      body?(content)
    }
  }
}

/// The thread on which pictures are read, one after the other, so that only one of them takes memory for its decoding. It ends
/// when none is left.
nonisolated private final class PictureThread: Sendable {
  static let shared = PictureThread()

  private struct State {
    var errands: [PictureErrand] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  func add(_ errand: PictureErrand) {
    let starts = state.withLock { state in
      state.errands.append(errand)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    // Without a thread they are read here, and what is shown waits.
    if starts, startThread("pictures", { [self] in run() }) != 0 { run() }
  }

  private func run() { while let errand = next() { errand.run() } }

  private func next() -> PictureErrand? {
    state.withLock { state in
      guard state.errands.isEmpty else { return state.errands.removeFirst() }
      state.isRunning = false
      return nil
    }
  }
}

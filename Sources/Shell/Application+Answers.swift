// Owns asking the compositor whether it still answers, and what follows when it does not.
// Must not know why a window needs to know.

import Interface
import Wayland

extension Application {
  /// How long the compositor may leave a question without an answer while a window `needsAnswers`, before it counts as frozen:
  /// 100 milliseconds to 2 seconds, 300 milliseconds at first. A window's input is then lost by then, counted from the
  /// compositor's last sign of life.
  public var answerLimit: Duration {
    get { answers.limit }
    set { answers.limit = newValue }
  }

  /// True while the compositor does not answer, and until it has proved that it does again. What a person begins meanwhile
  /// is kept from contents.
  public var isCompositorFrozen: Bool { answers.isFrozen }

  /// Another window needs answers, or one fewer.
  func answerNeedChanged() {
    answers.setNeeded(windows.contains { $0.isOpen && $0.needsAnswers }, at: now)
    setAnswerTimer()
  }

  /// The connection goes.
  func forgetQuestion() {
    question?.discard()
    question = nil
    answers.reset()
    setAnswerTimer()
  }

  private func setAnswerTimer() {
    guard answers.nextTime != answerTime else { return }
    loop.cancel(answerTimer)
    answerTime = answers.nextTime
    answerTimer = answerTime.map { loop.schedule(at: $0, answerDue) }
  }

  func answersDue() {
    (answerTimer, answerTime) = (nil, nil)
    take(answers.advance(to: now))
    setAnswerTimer()
  }

  private func answered() {
    let wasFrozen = answers.isFrozen
    take(answers.noteAnswer(at: now))
    if wasFrozen, !answers.isFrozen { Log.write(.connection, .info, "the compositor answers again") }
    setAnswerTimer()
  }

  private func take(_ step: AnswerWatch.Step) {
    switch step {
    case .nothing:
      break
    case .ask:
      guard let root = connection?.root else { return }
      let asked = root.sync(inPlaceOf: &question)
      guard asked !== question else { return }
      asked.onEvent = { [unowned self] _ in answered() }
      question = asked
    case .freeze:
      Log.write(.connection, .error, "the compositor has not answered for \(answers.limit)")
      for window in windows { window.letGo(.compositorFrozen) }
      outbox.deliver()
    }
  }
}

extension InputEvent {
  /// The event without what a person begins by it; nil when nothing is left. Ends and losses always count.
  var withoutBeginnings: InputEvent? {
    switch self {
    case .touches(let points):
      let rest = points.filter { $0.phase != .began }
      return rest.isEmpty ? nil : .touches(rest)
    case .key(let event): return event.phase == .down || event.phase == .repeated ? nil : self
    case .scroll: return nil
    case .hover, .keyboardFocus, .lost: return self
    }
  }
}

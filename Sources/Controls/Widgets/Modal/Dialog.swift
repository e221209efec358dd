/// A question in front of everything else, with a button for each answer.
///
/// Enter gives the default answer and Escape that which cancels; a button that has the focus takes Enter itself. An answer closes the dialog,
/// and sends `valueChanged`. In code:
///
///     let dialog = Dialog("Delete the record?", message: "It cannot be restored.", answers: ["Cancel", "Delete"])
///     dialog.present(over: view) { answer in if answer == 1 { delete() } }
@ListsProperties
public final class Dialog: ModalView {
  /// The text below the title, in as many lines as it needs.
  @Inspectable(.layout, then: Dialog.messageChanged) public var message = ""
  /// The answers, with a vertical bar between them: `Cancel|Delete`. In an answer a bar is written `\|`, and a backslash `\\`.
  @Inspectable(.layout, then: Dialog.choicesChanged) public var choices = "OK"
  /// The number of the answer that Enter gives, from 0; -1 for none.
  @Inspectable(\Dialog.model.defaultIndex, .none) public var defaultIndex: Int
  /// The number of the answer that Escape gives, from 0; -1 for none, so that Escape does nothing.
  @Inspectable(\Dialog.model.cancelIndex, .none) public var cancelIndex: Int

  /// The number of the last answer; nil before the first.
  public private(set) var answer: Int?

  private var model = DialogModel(titles: ["OK"]) {
    didSet {
      guard model != oldValue else { return }
      styleButtons()
      if model.defaultIndex != oldValue.defaultIndex { didChange(\Dialog.defaultIndex) }
      if model.cancelIndex != oldValue.cancelIndex { didChange(\Dialog.cancelIndex) }
    }
  }
  private let messageLabel = Label()
  private var buttons: [Button] = []
  private var onAnswer: ((Int) -> Void)?

  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    messageLabel.numberOfLines = 0
    card.addSubview(messageLabel)
    makeButtons()
  }

  /// A dialog that asks. Escape gives the first answer and Enter the last, unless `cancelIndex` and `defaultIndex` are set.
  public convenience init(_ title: String, message: String = "", answers: [String]) {
    self.init(frame: .zero)
    (self.title, self.message, self.answers) = (title, message, answers)
    defaultIndex = answers.count - 1
  }

  /// The answers, one by one.
  public var answers: [String] {
    get { model.titles }
    set { choices = ChoiceTitles.text(newValue) }
  }

  /// Asks over the whole window of `view`; `onAnswer` gets the number of the answer, after the dialog has closed.
  public func present(over view: View, onAnswer: @escaping (_ answer: Int) -> Void) {
    self.onAnswer = onAnswer
    present(over: view)
  }

  private func messageChanged() { messageLabel.text = message }

  private func choicesChanged() {
    model.titles = ChoiceTitles.titles(choices)
    makeButtons()
  }

  private func makeButtons() {
    for button in buttons { button.removeFromSuperview() }
    buttons = model.titles.enumerated().map { index, title in
      let button = Button(title)
      button.addAction(for: .primaryActionTriggered) { [unowned self] _ in respond(index) }
      card.addSubview(button)
      return button
    }
    styleButtons()
  }

  private func styleButtons() {
    for (index, button) in buttons.enumerated() {
      button.style = index == model.defaultIndex ? .prominent : .standard
    }
  }

  /// Closes the dialog with an answer on behalf of the user.
  private func respond(_ index: Int) {
    guard isOpen, isEnabled else { return }
    answer = index
    isOpen = false
    let body = onAnswer
    onAnswer = nil
    body?(index)
    sendActions(for: .valueChanged)
  }

  // MARK: Layout

  override func placeCard() {
    let wishes = buttons.map { $0.fittingSize(in: bounds.size) }
    let inner = Size(
      width: DialogGeometry.innerWidth(in: bounds.size, button: wishes.map(\.width).max() ?? 0), height: .infinity)
    func height(_ view: Label) -> Double { view.text.isEmpty ? 0 : view.sizeThatFits(inner).height }
    let geometry = DialogGeometry(
      size: bounds.size, title: height(titleLabel), message: height(messageLabel),
      content: contentHeight(width: inner.width), buttons: wishes,
      direction: effectiveLayoutDirection)
    // It rises a little while it appears.
    card.frame = geometry.card.offsetBy(dx: 0, dy: ((1 - reveal.value) * 16).rounded())
    card.alpha = 0.3 + 0.7 * reveal.value
    (titleLabel.frame, messageLabel.frame) = (geometry.title, geometry.message)
    placeContent(geometry.content)
    for (button, frame) in zip(buttons, geometry.buttons) { button.frame = frame }
  }

  public override func themeDidChange() { messageLabel.textColor = theme.secondaryLabel }

  // MARK: Keys

  override var firstFocus: View? { buttons.indices.contains(model.defaultIndex) ? buttons[model.defaultIndex] : nil }

  public override func handleKey(_ event: KeyEvent) -> Bool {
    guard isOpen, takesKey(event), let answer = model.answer(to: event.key) else { return false }
    if event.phase == .up { respond(answer) }
    return true
  }

  // MARK: Accessibility

  override var announcement: String { [title, message].filter { !$0.isEmpty }.joined(separator: ". ") }

  public override var inspection: Inspection {
    super.inspection.adding(["answer": answer.map { .number(Double($0)) }])
  }
}

extension GestureRecognizer {
  /// Lets this gesture be recognised only after `other` has failed: a single tap that waits whether a second one follows.
  /// If `other` is recognised, this one fails. A requirement that would have both wait for each other is ignored.
  public func require(toFail other: GestureRecognizer) {
    guard !requires(other), !other.waits(for: self) else { return }
    requirements.removeAll { $0.recognizer == nil }
    requirements.append(WeakRecognizer(recognizer: other))
  }

  /// For subclasses: takes a new state. From `possible` the first of `began`, `changed` and `ended` recognises the gesture,
  /// if nothing speaks against it; a state that does not follow the present one is ignored.
  public func transition(to new: State) {
    switch (state, new) {
    case (.possible, .failed), (.possible, .cancelled): fail()
    case (.possible, .began), (.possible, .changed): attempt(.began)
    case (.possible, .ended): attempt(.ended)
    case (.began, .changed), (.changed, .changed):
      state = .changed
      tell()
    case (.began, .ended), (.began, .cancelled), (.changed, .ended), (.changed, .cancelled):
      cancelWake()
      state = new
      tell()
    case (.began, .failed), (.changed, .failed): transition(to: .cancelled)
    default: break
    }
  }

  /// It is none.
  func fail() {
    guard state == .possible else { return }
    cancelWake()
    pending = nil
    state = .failed
    for other in rivals where other.pending != nil && other.requires(self) { other.attempt(other.pending ?? .began) }
  }

  /// True when this must wait for `other`, or for one that waits for it, or is it.
  private func waits(for other: GestureRecognizer) -> Bool {
    self === other || requirements.contains { $0.recognizer?.waits(for: other) ?? false }
  }

  private func requires(_ other: GestureRecognizer) -> Bool {
    requirements.contains { $0.recognizer === other }
  }

  /// The others that see a finger of this one.
  private var rivals: [GestureRecognizer] {
    guard let dispatcher = view?.root?.touchDispatcher else { return [] }
    return dispatcher.recognizers.filter { other in
      other !== self && other.sequence.contains { touch in sequence.contains { $0 === touch } }
    }
  }

  /// True when this one, being recognised, makes `other` fail.
  private func excludes(_ other: GestureRecognizer) -> Bool {
    canPrevent(other) && !allowsSimultaneous(with: other) && !other.allowsSimultaneous(with: self)
  }

  /// Takes `new` if nothing speaks against it, or waits for those that must fail first.
  private func attempt(_ new: State) {
    guard view?.root != nil, !sequence.isEmpty else { return fail() }
    let rivals = rivals
    let isPrevented = rivals.contains { other in
      (other.state.isActive || other.state == .ended) && (requires(other) || other.excludes(self))
    }
    guard !isPrevented else { return fail() }
    if rivals.contains(where: { $0.state == .possible && requires($0) }) {
      pending = new
      return
    }
    guard shouldBegin?() ?? true else { return fail() }
    recognize(new, rivals)
  }

  private func recognize(_ new: State, _ rivals: [GestureRecognizer]) {
    if new == .ended { cancelWake() }
    pending = nil
    state = new
    for other in rivals where other.state == .possible && (other.requires(self) || excludes(other)) { other.fail() }
    if cancelsTouchesInView { view?.root?.touchDispatcher.withdraw(sequence) }
    tell()
  }

  private func tell() {
    actions.tell(self)
  }
}

/// What lets an action take the recogniser as the type that it was added to.
public protocol GestureActionSender: AnyObject {}

extension GestureRecognizer: GestureActionSender {}

extension GestureActionSender where Self: GestureRecognizer {
  /// Has `action` called at every new state but `possible` and `failed`, in the order of registration. Like a control's, an action
  /// stays until the token's `remove()`: the recogniser holds the token itself.
  @discardableResult public func addAction(_ action: @escaping (_ recognizer: Self) -> Void) -> Observation {
    let token = actions.add { recognizer in
      if let sender = recognizer as? Self { action(sender) }
    }
    actionTokens.removeAll(where: \.isRemoved)
    actionTokens.append(token)
    return token
  }
}

/// State that few views have: that of their observed or animated properties.
final class PropertyState {
  private(set) var observers: [ObjectIdentifier: ObserverList<Void, Void>] = [:]
  /// The property that an animation sets at the moment.
  fileprivate weak var stepping: AnyProperty?

  func addObserver(of property: AnyProperty, _ body: @escaping () -> Void) -> ObservationToken {
    let observers = self.observers[ObjectIdentifier(property)] ?? ObserverList()
    self.observers[ObjectIdentifier(property)] = observers
    return observers.add(body)
  }

  func notifyObservers(of property: AnyProperty) { observers[ObjectIdentifier(property)]?.notify(()) }
}

extension View {
  func makePropertyState() -> PropertyState {
    let state = propertyState ?? PropertyState()
    propertyState = state
    return state
  }

  /// Animates the property at `path` to `goal` within `duration`. Setting it meanwhile ends that, as does another animation; a
  /// view without a window is set at once. `path` names the class that declares it: `animate(\Dial.value, to: 1)`.
  ///
  /// `completion` is called once, with false if the animation did not come to its end.
  public func animate<Owner: View, Value: InspectableValue & Animatable>(
    _ path: ReferenceWritableKeyPath<Owner, Value>, to goal: Value, duration: Duration = .milliseconds(200),
    curve: TimingCurve = .easeInOut, completion: ((_ finished: Bool) -> Void)? = nil
  ) {
    animate(path, Animation(duration: duration, curve: curve), to: goal, completion)
  }

  /// Animates the property at `path` to `goal` on a spring, otherwise like the animation with a duration.
  public func animate<Owner: View, Value: InspectableValue & Animatable>(
    _ path: ReferenceWritableKeyPath<Owner, Value>, to goal: Value, spring: Spring,
    completion: ((_ finished: Bool) -> Void)? = nil
  ) {
    animate(path, Animation(from: 0, to: 1, spring: spring), to: goal, completion)
  }

  private func animate<Owner: View, Value: InspectableValue & Animatable>(
    _ path: ReferenceWritableKeyPath<Owner, Value>, _ animation: Animation, to goal: Value,
    _ completion: ((Bool) -> Void)?
  ) {
    guard goal.isUsable else {
      completion?(false)
      return
    }
    let property = PropertyTable.property(path, of: self)
    let (start, state) = (property.value(of: self), makePropertyState())
    addAnimation(animation, forKey: property.animationKey) { [weak self] fraction in
      guard let self else { return }
      state.stepping = property
      // Exactly the goal at the end, whatever the rounding before.
      property.set(fraction == 1 ? goal : start.mixed(with: goal, fraction), on: self)
      state.stepping = nil
    } completion: {
      completion?($0)
    }
  }

  /// Ends the animation of a property that is being set. With `forStep`, values set again during an animation's step are not
  /// part of it.
  func endAnimation(of property: AnyProperty, forStep: Bool = false) {
    guard let state = propertyState, hasAnimation(forKey: property.animationKey), !property.isReacting(of: self) else {
      return
    }
    if state.stepping === property {
      if forStep { state.stepping = nil }
      return
    }
    stopAnimation(forKey: property.animationKey)
  }
}

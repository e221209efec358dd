/// The registration of an action: hold it to remove the action again; dropping it does not.
public final class ActionToken {
  let events: Control.Event
  private(set) var action: ((Control) -> Void)?
  private weak var target: AnyObject?
  private let hasTarget: Bool

  init(_ events: Control.Event, target: AnyObject?, _ action: @escaping (Control) -> Void) {
    self.events = events
    self.target = target
    self.action = action
    hasTarget = target != nil
  }

  /// True until the action is removed or its target is gone.
  public var isActive: Bool { action != nil && (!hasTarget || target != nil) }

  /// Removes the action: it is not called again, not even by an event that is being told at the moment.
  public func remove() {
    action = nil
  }

  func isFor(_ target: AnyObject) -> Bool { self.target === target }
}

/// Lets an action take its control or gesture recogniser as the type that it was added to.
public protocol ActionSender: AnyObject {}

extension Control: ActionSender {}

extension ActionSender where Self: Control {
  /// Has `action` called at each of `events`, in the order of registration.
  @discardableResult public func addAction(
    for events: Control.Event, _ action: @escaping (_ sender: Self) -> Void
  ) -> ActionToken {
    add(events, target: nil) { control in
      if let sender = control as? Self { action(sender) }
    }
  }

  /// Has a method of `target`, such as `Dashboard.gearChanged`, called with the control at each of `events`, as long as
  /// the target lives; the control does not keep it alive.
  @discardableResult public func addTarget<Target: AnyObject>(
    _ target: Target, action: @escaping (Target) -> (Self) -> Void, for events: Control.Event
  ) -> ActionToken {
    add(events, target: target) { [weak target] control in
      if let target, let sender = control as? Self { action(target)(sender) }
    }
  }

  /// Has a method of `target` without parameters called at each of `events`, as long as the target lives.
  @discardableResult public func addTarget<Target: AnyObject>(
    _ target: Target, action: @escaping (Target) -> () -> Void, for events: Control.Event
  ) -> ActionToken {
    add(events, target: target) { [weak target] _ in
      if let target { action(target)() }
    }
  }
}

extension Control {
  fileprivate func add(
    _ events: Event, target: AnyObject?, _ action: @escaping (Control) -> Void
  ) -> ActionToken {
    let token = ActionToken(events, target: target, action)
    actions.removeAll { !$0.isActive }
    actions.append(token)
    return token
  }

  /// Removes every action of `target`, or those for any of `events` only.
  public func removeTarget(_ target: AnyObject, for events: Event = .allEvents) {
    for token in actions where token.isFor(target) && !token.events.isDisjoint(with: events) { token.remove() }
    actions.removeAll { !$0.isActive }
  }

  /// Calls every action that listens to any of `events`, in the order of registration (R17). Actions added meanwhile
  /// wait for the next time.
  ///
  /// One event after the other: events that an action makes the control send follow when all actions have got the
  /// first, so that no action hears of an end before its begin.
  public func sendActions(for events: Event) {
    root?.note(.control(self, events))
    if events.contains(.primaryActionTriggered) { willTrigger() }
    guard !actions.isEmpty else { return }
    guard !isTellingEvents else { return waitingEvents.append(events) }
    isTellingEvents = true
    tell(events)
    while !waitingEvents.isEmpty { tell(waitingEvents.removeFirst()) }
    isTellingEvents = false
  }

  private func tell(_ events: Event) {
    for token in actions where !token.events.isDisjoint(with: events) && token.isActive { token.action?(self) }
  }
}

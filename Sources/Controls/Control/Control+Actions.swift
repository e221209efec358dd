/// An action of a control. It lasts until its token's `remove()`, or until its target is gone.
struct ControlAction {
  let events: Control.Event
  let token = ObservationToken()
  weak var target: AnyObject?
  let hasTarget: Bool
  let body: (Control) -> Void

  var isActive: Bool { !token.isRemoved && (!hasTarget || target != nil) }
}

/// Lets an action take its control or gesture recogniser as the type that it was added to.
public protocol ActionSender: AnyObject {}

extension Control: ActionSender {}

extension ActionSender where Self: Control {
  /// Adds `action`, which is called at each of `events`, in the order of registration, until the token's `remove()`; the
  /// control holds the token itself.
  @discardableResult public func addAction(
    for events: Control.Event, _ action: @escaping (_ sender: Self) -> Void
  ) -> ObservationToken {
    add(events, target: nil) { control in
      if let sender = control as? Self { action(sender) }
    }
  }

  /// Adds a method of `target`, such as `Dashboard.gearChanged`, which is called with the control at each of `events`, as long
  /// as the target lives; the control does not keep it alive.
  @discardableResult public func addTarget<Target: AnyObject>(
    _ target: Target, action: @escaping (Target) -> (Self) -> Void, for events: Control.Event
  ) -> ObservationToken {
    add(events, target: target) { [weak target] control in
      if let target, let sender = control as? Self { action(target)(sender) }
    }
  }

  /// Has a method of `target` without parameters called at each of `events`, as long as the target lives.
  @discardableResult public func addTarget<Target: AnyObject>(
    _ target: Target, action: @escaping (Target) -> () -> Void, for events: Control.Event
  ) -> ObservationToken {
    add(events, target: target) { [weak target] _ in
      if let target { action(target)() }
    }
  }
}

extension Control {
  fileprivate func add(
    _ events: Event, target: AnyObject?, _ action: @escaping (Control) -> Void
  ) -> ObservationToken {
    let entry = ControlAction(events: events, target: target, hasTarget: target != nil, body: action)
    actions.removeAll { !$0.isActive }
    actions.append(entry)
    return entry.token
  }

  /// Removes every action of `target`, or those for any of `events` only.
  public func removeTarget(_ target: AnyObject, for events: Event = .allEvents) {
    for entry in actions where entry.target === target && !entry.events.isDisjoint(with: events) {
      entry.token.remove()
    }
    actions.removeAll { !$0.isActive }
  }

  /// Calls every action registered for any of `events`, in the order of registration. Actions added meanwhile wait for the next
  /// time.
  ///
  /// Events are sent sequentially: events that an action makes the control send follow when all actions have received the
  /// first, so that no action receives an end before its begin.
  public func sendActions(for events: Event) {
    root?.note(.control(self, events))
    if events.contains(.primaryActionTriggered) { willTrigger() }
    guard !actions.isEmpty else { return }
    guard !isSendingEvents else { return waitingEvents.append(events) }
    isSendingEvents = true
    send(events)
    while !waitingEvents.isEmpty { send(waitingEvents.removeFirst()) }
    isSendingEvents = false
  }

  private func send(_ events: Event) {
    for entry in actions where !entry.events.isDisjoint(with: events) && entry.isActive {
      sentEvents = entry.events.intersection(events)
      entry.body(self)
    }
    sentEvents = []
  }
}

// Whether a window is seen, from facts, and the lifecycle events that follow. Pure.

import Interface

/// Turns what the compositor does into lifecycle events (behaviours 19 to 22).
///
/// Facts: `suspended` where xdg-shell has it (version 6), else a frame callback that stays away for a second. Input shows a
/// window again whatever was said before, and so does a callback that was asked for since. `activated` plays no part.
nonisolated struct VisibilityModel: Sendable {
  /// How long a pending frame callback may stay away before the window counts as hidden.
  static let patience: Duration = .seconds(1)

  /// The window's state.
  enum State: Sendable {
    case unmapped
    case visible
    case hidden
    case ended
  }

  private(set) var state: State = .unmapped
  /// True when the compositor itself says when the window is not seen: then a late callback means nothing.
  var isSuspensionKnown = false

  init() {}

  /// True when frames may be drawn.
  var isVisible: Bool { state == .visible }

  /// The window got its first configure.
  mutating func noteMapped() -> [LifecycleEvent] {
    state == .unmapped ? show() : []
  }

  /// A configure said whether the window is suspended.
  mutating func noteSuspended(_ suspended: Bool) -> [LifecycleEvent] {
    if suspended { return hide() }
    return state == .hidden ? show() : []
  }

  /// A frame callback has been pending since `since`; asked again at `since` plus the patience.
  mutating func noteWaiting(since: MonotonicTime, now: MonotonicTime) -> [LifecycleEvent] {
    guard !isSuspensionKnown, now - since >= VisibilityModel.patience else { return [] }
    return hide()
  }

  /// A sign of being seen: a frame callback or input.
  mutating func noteSignOfLife() -> [LifecycleEvent] {
    state == .hidden ? show() : []
  }

  /// The window ends, in an orderly way or not.
  mutating func noteEnd(orderly: Bool) -> [LifecycleEvent] {
    guard state != .ended else { return [] }
    let events = hide()
    state = .ended
    return orderly ? events + [.willTerminate] : events
  }

  private mutating func show() -> [LifecycleEvent] {
    guard state != .ended else { return [] }
    state = .visible
    return [.willEnterForeground, .didBecomeActive]
  }

  private mutating func hide() -> [LifecycleEvent] {
    guard state == .visible else { return [] }
    state = .hidden
    return [.willResignActive, .didEnterBackground]
  }
}

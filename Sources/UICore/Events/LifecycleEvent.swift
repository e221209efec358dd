/// A step of a window's lifecycle. It depends on actual visibility, not on the compositor's `activated` hint.
///
/// Order: `willEnterForeground`, `didBecomeActive`, then `willResignActive`, `didEnterBackground`, and so on in turn;
/// `willTerminate` at most once, last.
public enum LifecycleEvent: String, Hashable, Sendable {
  /// The content will become visible soon.
  case willEnterForeground
  /// The content is visible. Restart the animations that were removed in the background and are still wanted.
  case didBecomeActive
  /// The content will stop being visible. Fingers and keys are cancelled.
  case willResignActive
  /// The content is not visible. Nothing is drawn, and running animations are removed.
  case didEnterBackground
  /// The application ends, by a close, SIGINT or SIGTERM.
  case willTerminate
}

/// A step of a window's life. Facts make it, not the compositor's `activated` hint (behaviours 22).
///
/// Order: `willEnterForeground`, `didBecomeActive`, then `willResignActive`, `didEnterBackground`, and so on in turn;
/// `willTerminate` at most once, last.
public enum LifecycleEvent: Hashable, Sendable {
  /// The content will be seen soon.
  case willEnterForeground
  /// The content is seen: start again the animations that were removed in the background and are still wanted (K13).
  case didBecomeActive
  /// The content will stop being seen: fingers and keys are cancelled.
  case willResignActive
  /// The content is not seen: nothing is drawn, running animations are removed (K13).
  case didEnterBackground
  /// The application ends: by a close, SIGINT or SIGTERM.
  case willTerminate
}

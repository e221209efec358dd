package enum RootActivity {
  /// A view receives touches.
  case touches(View, [Touch], TouchPoint.Phase)
  /// A control sends events, whether or not any action is registered.
  case control(Control, Control.Event)
  /// A step of the window's lifecycle.
  case lifecycle(LifecycleEvent)
  /// The view's subviews or name changed, or it was hidden or shown.
  case tree(View)
  /// Something that assistive technology is to say at once.
  case announcement(String)
}

extension RootView {
  /// Adds `body`, which is called in every frame after layout, before anything is drawn: for views that follow others, such as
  /// a mark around one of them. No frame is drawn for it. It may mark views for layout and drawing; all observers are then called again in
  /// the same frame, at most four times. It is called as long as the token is held.
  public func observeLayout(_ body: @escaping () -> Void) -> ObservationToken {
    layoutObservers.add(body)
  }

  package func observeActivity(_ body: @escaping (RootActivity) -> Void) -> ObservationToken {
    activityObservers.add(body)
  }

  func note(_ activity: @autoclosure () -> RootActivity) {
    if activityObservers.hasAwake { activityObservers.notify(activity()) }
  }
}

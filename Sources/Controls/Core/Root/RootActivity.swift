/// Something that happened in a tree.
package enum RootActivity {
  /// A view is told of fingers.
  case touches(View, [Touch], TouchPoint.Phase)
  /// A control tells of events, whether anybody listens or not.
  case control(Control, Control.Event)
  /// The window's life went on.
  case lifecycle(LifecycleEvent)
  /// The view has other subviews than before, or another name, or was hidden or shown.
  case tree(View)
  /// Something that assistive technology is to say at once.
  case announcement(String)
}

extension RootView {
  /// Has `body` called in every frame once all is laid out, before anything is drawn: for views that follow others,
  /// such as a mark around one of them. No frame is made for it. It may mark views for layout and drawing. It is called
  /// as long as the token is held.
  public func addLayoutObserver(_ body: @escaping () -> Void) -> Observation {
    layoutObservers.add(body)
  }

  /// Has `body` called at everything that happens in the tree, as long as the token is held.
  package func addActivityObserver(_ body: @escaping (RootActivity) -> Void) -> Observation {
    activityObservers.add(body)
  }

  /// Tells the observers of all activity.
  func note(_ activity: @autoclosure () -> RootActivity) {
    if activityObservers.hasAwake { activityObservers.tell(activity()) }
  }
}

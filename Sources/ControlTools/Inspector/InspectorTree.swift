/// Numbers the views of a root; a view keeps its number as long as it exists.
final class InspectorTree {
  private struct Known {
    weak var view: View?
    let id: Int
  }

  private var known: [ObjectIdentifier: Known] = [:]
  private var lastID = 0

  var count: Int { known.count }

  /// The view with the number `id`; nil if it no longer exists.
  func view(_ id: Int?) -> View? { known.values.first { $0.id == id }?.view }

  /// The number of `view`; a new one if it was unknown.
  func id(of view: View) -> Int {
    let key = ObjectIdentifier(view)
    if let found = known[key], found.view === view { return found.id }
    lastID += 1
    known[key] = Known(view: view, id: lastID)
    return lastID
  }

  func typeName(of view: View) -> String { String(describing: type(of: view)) }

  /// The view's title in lists of events.
  func title(of view: View) -> String { view.name.isEmpty ? typeName(of: view) : view.name }

  /// The outline's items for `views` and their descendants.
  func items(_ views: [View]) -> [OutlineItem] {
    forgetTheGone()
    return views.map { item($0) }
  }

  private func item(_ view: View) -> OutlineItem {
    OutlineItem(
      id: id(of: view), title: typeName(of: view), detail: view.name.isEmpty ? "" : "“\(view.name)”",
      isDimmed: view.isHidden, children: view.subviews.map { item($0) })
  }

  /// Drops the numbers of destroyed views, which would otherwise accumulate.
  private func forgetTheGone() {
    guard known.count > 100 else { return }
    known = known.filter { $0.value.view != nil }
  }
}

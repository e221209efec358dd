/// Numbers the views of a root; a view keeps its number as long as it exists.
final class InspectorTree {
  private var numbers = ViewNumbers(after: 0, limit: 100)

  var count: Int { numbers.count }

  /// The view with the number `id`; nil if it no longer exists.
  func view(_ id: Int?) -> View? { id.flatMap(numbers.view) }

  func id(of view: View) -> Int { numbers.number(of: view).number }

  func typeName(of view: View) -> String { String(describing: type(of: view)) }

  func title(of view: View) -> String { view.name.isEmpty ? typeName(of: view) : view.name }

  func items(_ views: [View]) -> [OutlineItem] {
    views.map { view in
      OutlineItem(
        id: id(of: view), title: typeName(of: view), detail: view.name.isEmpty ? "" : "“\(view.name)”",
        isDimmed: view.isHidden, children: items(view.subviews))
    }
  }
}

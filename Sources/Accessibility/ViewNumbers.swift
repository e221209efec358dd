import Controls

/// Numbers for views, each for as long as its view exists. The views are referenced weakly.
struct ViewNumbers {
  private struct WeakView { weak var view: View? }

  private var views: [Int: WeakView] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var last: Int
  /// The number of entries at which entries of destroyed views are removed, and its minimum.
  private var limit: Int
  private let minimumLimit: Int

  /// Numbers that begin after `first`; up to `limit` of them are kept without checking for destroyed views.
  init(after first: Int, limit: Int) {
    (last, self.limit, minimumLimit) = (first, limit, limit)
  }

  /// The number of entries, of living views and of some destroyed ones.
  var count: Int { views.count }

  /// The view with a number; nil if it is destroyed, or never existed.
  func view(_ number: Int) -> View? { views[number]?.view }

  /// The view's number. Adding one may remove those of destroyed views, except numbers that are `kept`.
  mutating func number(of view: View, kept: (Int) -> Bool) -> (number: Int, removed: [Int]) {
    if let number = numbers[ObjectIdentifier(view)], self.view(number) === view { return (number, []) }
    var removed: [Int] = []
    if views.count >= limit {
      removed = views.filter { $0.value.view == nil && !kept($0.key) }.map(\.key)
      for number in removed { views[number] = nil }
      numbers = numbers.filter { views[$0.value] != nil }
      limit = max(minimumLimit, 2 * views.count)
    }
    last += 1
    numbers[ObjectIdentifier(view)] = last
    views[last] = WeakView(view: view)
    return (last, removed)
  }

  mutating func remove(_ number: Int) {
    views[number] = nil
    numbers = numbers.filter { $0.value != number }
  }
}

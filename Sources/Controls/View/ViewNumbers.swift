/// Numbers for views, each for as long as its view exists. The views are referenced weakly.
package struct ViewNumbers {
  private var views: [Int: Weak<View>] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var last: Int
  /// The number of entries at which entries of destroyed views are removed, and its minimum.
  private var limit: Int
  private let minimumLimit: Int

  /// Numbers that begin after `first`; up to `limit` of them are kept without checking for destroyed views.
  package init(after first: Int, limit: Int) {
    (last, self.limit, minimumLimit) = (first, limit, limit)
  }

  /// The number of entries, of living views and of some destroyed ones.
  package var count: Int { views.count }

  /// The view with a number; nil if it is destroyed, or never existed.
  package func view(_ number: Int) -> View? { views[number]?.object }

  /// The view's number. Adding one may remove those of destroyed views, except numbers that are `kept`.
  package mutating func number(of view: View, kept: (Int) -> Bool = { _ in false }) -> (number: Int, removed: [Int]) {
    if let number = numbers[ObjectIdentifier(view)], self.view(number) === view { return (number, []) }
    var removed: [Int] = []
    if views.count >= limit {
      removed = views.filter { $0.value.object == nil && !kept($0.key) }.map(\.key)
      for number in removed { views[number] = nil }
      numbers = numbers.filter { views[$0.value] != nil }
      limit = max(minimumLimit, 2 * views.count)
    }
    last += 1
    numbers[ObjectIdentifier(view)] = last
    views[last] = Weak(object: view)
    return (last, removed)
  }

  package mutating func remove(_ number: Int) {
    views[number] = nil
    numbers = numbers.filter { $0.value != number }
  }
}

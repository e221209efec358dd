import Controls

/// Numbers for views, each for as long as the view is there. It keeps no view alive.
struct ViewNumbers {
  private struct WeakView { weak var view: View? }

  private var views: [Int: WeakView] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var last: Int
  /// The number of entries at which entries of destroyed views are searched for.
  private var limit: Int
  private let most: Int

  /// Numbers that begin after `first`; up to `most` of them are kept without checking for destroyed views.
  init(after first: Int, most: Int) {
    (last, limit, self.most) = (first, most, most)
  }

  /// The number of entries, of living views and of some destroyed ones.
  var count: Int { views.count }

  /// The view with a number; nil if it is destroyed, or never existed.
  func view(_ number: Int) -> View? { views[number]?.view }

  /// The view's number. A new one may remove those of destroyed views, except numbers that are `kept`; `gone` are the removed
  /// ones.
  mutating func number(of view: View, kept: (Int) -> Bool) -> (number: Int, gone: [Int]) {
    if let number = numbers[ObjectIdentifier(view)], self.view(number) === view { return (number, []) }
    var gone: [Int] = []
    if views.count >= limit {
      gone = views.filter { $0.value.view == nil && !kept($0.key) }.map(\.key)
      for number in gone { views[number] = nil }
      numbers = numbers.filter { views[$0.value] != nil }
      limit = max(most, 2 * views.count)
    }
    last += 1
    numbers[ObjectIdentifier(view)] = last
    views[last] = WeakView(view: view)
    return (last, gone)
  }

  /// Gives the number up.
  mutating func forget(_ number: Int) {
    views[number] = nil
    numbers = numbers.filter { $0.value != number }
  }
}

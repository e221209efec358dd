/// A property of a description that speaks of a value elsewhere.
protocol PlacedProperty {
  /// True if both are known to speak of the same value.
  func isSame(as other: Any) -> Bool
}

/// True if two values are known to be the same: one object, or equal. What cannot be compared, such as a closure, counts as another.
func isSame(_ one: Any, _ other: Any) -> Bool {
  // Objects first: two that are equal may change apart.
  if type(of: one) is AnyClass { return type(of: other) is AnyClass && (one as AnyObject) === (other as AnyObject) }
  if let placed = one as? any PlacedProperty { return placed.isSame(as: other) }
  return (one as? any Equatable).map { equals($0, other) } ?? false
}

/// True if the two are equal and can say so.
func areEqual<Value>(_ one: Value, _ other: Value) -> Bool {
  (one as? any Equatable).map { equals($0, other) } ?? false
}

private func equals<Value: Equatable>(_ one: Value, _ other: Any) -> Bool { (other as? Value) == one }

/// True if a description need not be evaluated: each of its properties is known to be the same as in the older one. States are not compared:
/// they belong to the place.
func describesSame<Description>(_ one: Description, _ other: Description) -> Bool {
  if let one = one as? any Equatable { return equals(one, other) }
  let (mine, others) = (Mirror(reflecting: one), Mirror(reflecting: other))
  // What is no structure has values that are not among its properties.
  guard mine.displayStyle == .struct, mine.children.count == others.children.count else { return false }
  return zip(mine.children, others.children).allSatisfy { $0.value is any StateProperty || isSame($0.value, $1.value) }
}

/// Makes the states of `description` speak of the values that those of `older` have.
func adoptStates<Description>(of older: Description, by description: Description) {
  for (new, old) in zip(Mirror(reflecting: description).children, Mirror(reflecting: older).children) {
    (new.value as? any StateProperty)?.adopt(old.value)
  }
}

// A value that the client was told, and which values it may still not know.

/// The history of one told value. What was said after the last flush the client cannot have heard.
struct Told<Value: Equatable> {
  private var heard: Value
  private var unheard: [(value: Value, epoch: Int)] = []

  init(_ value: Value) {
    heard = value
  }

  /// The newest value.
  var newest: Value { unheard.last?.value ?? heard }

  /// Notes that `value` is said in the flush that ends `epoch`.
  mutating func say(_ value: Value, epoch: Int) {
    unheard.append((value, epoch))
  }

  /// The values that a client may act on whose messages are read in `epoch`.
  mutating func acceptable(in epoch: Int) -> [Value] {
    while let first = unheard.first, first.epoch < epoch {
      heard = first.value
      unheard.removeFirst()
    }
    return [heard] + unheard.map(\.value)
  }
}

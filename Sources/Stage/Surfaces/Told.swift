/// The history of one told value: what the client has not read it need not act on.
struct Told<Value: Equatable> {
  private var heard: Value
  private var unheard: [(value: Value, epoch: Int)] = []

  init(_ value: Value) {
    heard = value
  }

  /// The newest value.
  var newest: Value { unheard.last?.value ?? heard }

  /// Notes that `value` is sent with the step `epoch`.
  mutating func say(_ value: Value, epoch: Int) {
    unheard.append((value, epoch))
  }

  /// The values that a client may act on that has read what was sent up to the step `epoch`.
  mutating func acceptable(havingRead epoch: Int) -> [Value] {
    while let first = unheard.first, first.epoch <= epoch {
      heard = first.value
      unheard.removeFirst()
    }
    return [heard] + unheard.map(\.value)
  }
}

/// Memory that grows and is kept, for loops that run thousands of times in a frame: every index is checked in a debug build, and in
/// no other.
@safe nonisolated struct Scratch<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int

  init(_ capacity: Int) {
    unsafe base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe base.deallocate()
  }

  @unsafe subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < capacity, "an index outside of the memory")
      return unsafe base[index]
    }
    nonmutating _modify {
      assert(index >= 0 && index < capacity, "an index outside of the memory")
      yield unsafe &base[index]
    }
  }

  /// Reserves `wanted` elements; the first `count` keep their values.
  mutating func reserve(_ wanted: Int, keeping count: Int) {
    guard wanted > capacity else { return }
    move(to: max(wanted, 2 * capacity), keeping: count)
  }

  /// Reserves `wanted` elements; if that grows the memory, all of them become `value`.
  mutating func reserve(_ wanted: Int, filledWith value: Element) {
    guard wanted > capacity else { return }
    move(to: wanted, keeping: 0)
    unsafe base.initialize(repeating: value, count: capacity)
  }

  /// Frees all but the first `count` elements.
  mutating func trim(_ count: Int) { move(to: count, keeping: count) }

  private mutating func move(to capacity: Int, keeping count: Int) {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    unsafe new.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe (base, self.capacity) = unsafe (new, capacity)
  }
}

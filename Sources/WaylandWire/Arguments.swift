import CWaylandUtil

/// Calls `body` with room for `count` arguments on the stack.
public func withWireArguments<R>(_ count: Int, _ body: (UnsafeMutablePointer<wl_argument>) -> R) -> R {
  withUnsafeTemporaryAllocation(of: wl_argument.self, capacity: max(1, count)) { room in
    room.initialize(repeating: wl_argument())
    return room.baseAddress.map(body) ?? body(UnsafeMutablePointer(bitPattern: 16).unsafelyUnwrapped)
  }
}

/// Calls `body` with the bytes of `text`, NUL at the end; nil stays nil.
public func withWireText<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}

/// Calls `body` with `bytes` as a wl_array.
public func withWireBytes<R>(_ bytes: [UInt8], _ body: (UnsafeMutablePointer<wl_array>?) -> R) -> R {
  var copy = bytes
  return copy.withUnsafeMutableBytes { memory in
    var array = wl_array(size: memory.count, alloc: memory.count, data: memory.baseAddress)
    return withUnsafeMutablePointer(to: &array) { body($0) }
  }
}

/// A number as wl_fixed_t: 24.8 bits; NaN is 0 and numbers out of range are clamped.
public func wireFixed(_ value: Double) -> wl_fixed_t {
  value.isNaN ? 0 : wl_fixed_t(min(max((value * 256).rounded(), -2_147_483_648), 2_147_483_647))
}

/// An enum's number as the wire's unsigned integer.
public func wireUInt<T: RawRepresentable>(_ value: T) -> UInt32 where T.RawValue == UInt32 { value.rawValue }

/// An enum's number as the wire's signed integer.
public func wireInt<T: RawRepresentable>(_ value: T) -> Int32 where T.RawValue == UInt32 {
  Int32(bitPattern: value.rawValue)
}

/// A plain number, passed unchanged; for an enum of a protocol that is not loaded.
public func wireUInt(_ value: UInt32) -> UInt32 { value }

/// A plain number, passed unchanged; for an enum of a protocol that is not loaded.
public func wireInt(_ value: Int32) -> Int32 { value }

/// A received string; the empty one for NULL, and repaired where it is not UTF-8.
public func text(_ argument: wl_argument) -> String { optionalText(argument) ?? "" }

/// A received string that may be NULL.
public func optionalText(_ argument: wl_argument) -> String? { argument.s.map { String(cString: $0) } }

/// The bytes of a received array.
public func bytes(_ argument: wl_argument) -> [UInt8] {
  guard let array = argument.a, array.pointee.size > 0, let data = array.pointee.data else { return [] }
  return Array(UnsafeRawBufferPointer(start: data, count: array.pointee.size))
}

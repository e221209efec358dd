import CWaylandUtil

/// Calls `body` with `count` zeroed arguments on the stack. They are valid only during the call.
public func withWireArguments<R>(_ count: Int, _ body: (UnsafeMutablePointer<wl_argument>) -> R) -> R {
  withUnsafeTemporaryAllocation(of: wl_argument.self, capacity: max(1, count)) { room in
    room.initialize(repeating: wl_argument())
    return room.baseAddress.map(body) ?? body(UnsafeMutablePointer(bitPattern: 16).unsafelyUnwrapped)
  }
}

/// Calls `body` with `text` as a NUL-terminated string, or with nil if `text` is nil. The string is valid only during the call.
public func withWireText<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}

/// Calls `body` with a copy of `bytes` as a wl_array. It is valid only during the call.
public func withWireBytes<R>(_ bytes: [UInt8], _ body: (UnsafeMutablePointer<wl_array>?) -> R) -> R {
  var copy = bytes
  return copy.withUnsafeMutableBytes { memory in
    var array = wl_array(size: memory.count, alloc: memory.count, data: memory.baseAddress)
    return withUnsafeMutablePointer(to: &array) { body($0) }
  }
}

/// A number as wl_fixed_t, rounded to 1/256. NaN becomes 0, and numbers out of range are clamped.
public func wireFixed(_ value: Double) -> wl_fixed_t {
  value.isNaN ? 0 : wl_fixed_t(min(max((value * 256).rounded(), -2_147_483_648), 2_147_483_647))
}

/// An enum's value as an unsigned integer on the wire.
public func wireUInt<T: RawRepresentable>(_ value: T) -> UInt32 where T.RawValue == UInt32 { value.rawValue }

/// An enum's value as a signed integer on the wire, with the same bits.
public func wireInt<T: RawRepresentable>(_ value: T) -> Int32 where T.RawValue == UInt32 {
  Int32(bitPattern: value.rawValue)
}

/// Returns `value` unchanged, for an enum of a protocol that is not loaded.
public func wireUInt(_ value: UInt32) -> UInt32 { value }

/// Returns `value` unchanged, for an enum of a protocol that is not loaded.
public func wireInt(_ value: Int32) -> Int32 { value }

/// A received string: empty for NULL, with U+FFFD in place of invalid UTF-8.
public func text(_ argument: wl_argument) -> String { optionalText(argument) ?? "" }

/// A received string, with U+FFFD in place of invalid UTF-8; nil for NULL.
public func optionalText(_ argument: wl_argument) -> String? { argument.s.map { String(cString: $0) } }

/// A copy of the bytes of a received array.
public func bytes(_ argument: wl_argument) -> [UInt8] {
  guard let array = argument.a, array.pointee.size > 0, let data = array.pointee.data else { return [] }
  return Array(UnsafeRawBufferPointer(start: data, count: array.pointee.size))
}

import CWaylandUtil
import Glibc

/// The arguments of a message, by their positions on the wire. They are valid only during the call that they are passed to.
///
/// The generated bindings read and set them with the positions and types of the message's description.
@safe public struct WireArguments {
  /// libwayland's arguments.
  public let pointer: UnsafeMutablePointer<wl_argument>
  /// Copies of the texts and arrays to be sent.
  private var copies: [UnsafeMutableRawPointer] = unsafe []

  /// Wraps libwayland's arguments.
  public init(_ pointer: UnsafeMutablePointer<wl_argument>) { unsafe self.pointer = pointer }

  /// Calls `body` with `count` zeroed arguments on the stack.
  public static func with<R>(_ count: Int, _ body: (inout WireArguments) -> R) -> R {
    unsafe withUnsafeTemporaryAllocation(of: wl_argument.self, capacity: max(1, count)) { room in
      unsafe room.initialize(repeating: wl_argument())
      guard let start = room.baseAddress else { preconditionFailure("memory on the stack has an address") }
      var arguments = unsafe WireArguments(start)
      defer { unsafe arguments.copies.forEach { unsafe free($0) } }
      return body(&arguments)
    }
  }

  // MARK: To be sent

  /// Sets a signed integer, or a file descriptor, of which libwayland sends a duplicate.
  public func set(_ index: Int, _ value: Int32) { unsafe pointer[index].i = value }

  /// Sets an unsigned integer.
  public func set(_ index: Int, _ value: UInt32) { unsafe pointer[index].u = value }

  /// Sets an enum's value; a signed one has the same bits.
  public func set(_ index: Int, _ value: some RawRepresentable<UInt32>) { set(index, value.rawValue) }

  /// Sets a number as wl_fixed_t, rounded to 1/256. NaN becomes 0, and numbers out of range are clamped.
  public func set(_ index: Int, _ value: Double) {
    unsafe pointer[index].f =
      value.isNaN ? 0 : wl_fixed_t(min(max((value * 256).rounded(), -2_147_483_648), 2_147_483_647))
  }

  /// Sets a copy of `text`; NULL for nil.
  public mutating func set(_ index: Int, _ text: String?) {
    guard let text, let copy = unsafe strdup(text) else { return }
    unsafe copies.append(copy)
    unsafe pointer[index].s = UnsafePointer(copy)
  }

  /// Sets a copy of `bytes` as an array.
  public mutating func set(_ index: Int, _ bytes: [UInt8]) {
    guard let copy = unsafe malloc(MemoryLayout<wl_array>.size + bytes.count) else { return }
    unsafe copies.append(copy)
    let (array, data) = unsafe (copy.assumingMemoryBound(to: wl_array.self), copy + MemoryLayout<wl_array>.size)
    unsafe array.initialize(to: wl_array(size: bytes.count, alloc: bytes.count, data: data))
    unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyBytes(from: bytes)
    unsafe pointer[index].a = array
  }

  /// Sets the name of an interface.
  public func set(_ index: Int, _ interface: WireInterface) {
    unsafe pointer[index].s = interface.pointer.pointee.name
  }

  // MARK: Received

  /// A signed integer, or a received file descriptor.
  public func int(_ index: Int) -> Int32 { unsafe pointer[index].i }

  /// An unsigned integer, or an enum's value.
  public func uint(_ index: Int) -> UInt32 { unsafe pointer[index].u }

  /// A number that was sent as wl_fixed_t.
  public func fixed(_ index: Int) -> Double { unsafe Double(pointer[index].f) / 256 }

  /// A string: empty for NULL, with U+FFFD in place of invalid UTF-8.
  public func text(_ index: Int) -> String { optionalText(index) ?? "" }

  /// A string, with U+FFFD in place of invalid UTF-8; nil for NULL.
  public func optionalText(_ index: Int) -> String? { unsafe pointer[index].s.map { unsafe String(cString: $0) } }

  /// The 32-bit numbers of an array; leftover bytes are ignored.
  public func numbers(_ index: Int) -> [UInt32] {
    guard let array = unsafe pointer[index].a?.pointee, let data = unsafe array.data else { return [] }
    return unsafe (0..<array.size / 4).map { unsafe data.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
  }
}

import CLaboratory
import Glibc
import Linux

/// A file descriptor that several objects of the laboratory use, and that one of them may close before the others let go.
final class SharedDescriptor {
  private var owned: Descriptor?

  /// The number; -1 once closed.
  var number: Int32 { owned?.number ?? -1 }

  /// Takes ownership of a descriptor that a call returned; closed if it is negative.
  init(_ number: Int32) { owned = Descriptor(number) }

  func close() { owned = nil }

  /// Opens a file. Like all of the laboratory's descriptors it is closed on exec.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(LabError) -> SharedDescriptor {
    let number = Glibc.open(path, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw .failed(operation: "opening \(path)", errno: errno) }
    return SharedDescriptor(number)
  }

  /// The two ends of a pipe.
  static func pipe() throws(LabError) -> (reading: SharedDescriptor, writing: SharedDescriptor) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .failed(operation: "pipe2", errno: errno) }
    return (SharedDescriptor(ends[0]), SharedDescriptor(ends[1]))
  }

  /// Two connected sockets: one to read from, and one for `send`, which raises no signal if the other side is gone.
  static func socketPair() throws(LabError) -> (reading: SharedDescriptor, writing: SharedDescriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .failed(operation: "socketpair", errno: errno) }
    return (SharedDescriptor(ends[0]), SharedDescriptor(ends[1]))
  }

  /// Waits for bytes and returns at most 64 KiB of them; empty at the end of the file or after an error.
  func readSome() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var length = 0
      repeat {
        length = read(number, buffer.baseAddress, buffer.count)
      } while length < 0 && errno == EINTR
      count = max(0, length)
    }
  }

  /// All bytes up to the end of the file, or nil if that does not come in time.
  func readToEnd(until deadline: Deadline) -> [UInt8]? {
    var bytes: [UInt8] = []
    while !readable([number], until: deadline).isEmpty {
      let more = readSome()
      if more.isEmpty { return bytes }
      bytes += more
    }
    return nil
  }

  /// Writes all bytes to a file. Returns false if it takes no more.
  func write(_ bytes: [UInt8]) -> Bool {
    put(bytes) { Glibc.write(self.number, $0.baseAddress, $0.count) }
  }

  /// Writes all bytes to a socket. Returns false if the other side is gone.
  func send(_ bytes: [UInt8]) -> Bool {
    put(bytes) { Glibc.send(self.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  private func put(_ bytes: [UInt8], _ attempt: (UnsafeRawBufferPointer) -> Int) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes(attempt)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}

/// The text of a file; empty if it cannot be read.
func contents(ofFile path: String) -> String {
  guard let file = try? SharedDescriptor.open(path, O_RDONLY) else { return "" }
  return String(decoding: file.readToEnd(until: Deadline(in: .seconds(1))) ?? [], as: UTF8.self)
}

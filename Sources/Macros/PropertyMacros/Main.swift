import Glibc
import PropertyExpansion

/// The program that expands the macros of `Controls`: `@Inspectable` and `@ListsProperties`.
///
/// The compiler starts it and asks it to expand one macro after the other, as it asks every macro of a package: a message is
/// its length as a little-endian 64-bit number, followed by that many bytes of JSON. Fields that this program does not know are
/// skipped, and answers that it omits are the compiler's defaults, so that it works with earlier and later compilers.
@main struct Main {
  static func main() {
    while let request = Pipe.read() {
      guard let answer = Answer(to: request) else { exit(1) }
      Pipe.write(answer.text)
    }
  }
}

/// Messages from and to the compiler, by standard input and output.
enum Pipe {
  /// The next message; nil when the compiler has no more.
  static func read() -> [UInt8]? {
    guard let header = read(count: 8) else { return nil }
    return read(count: header.reversed().reduce(0) { $0 << 8 | Int($1) })
  }

  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    let header = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    let message = header + bytes
    var sent = 0
    while sent < message.count {
      let count = message.withUnsafeBytes { Glibc.write(1, $0.baseAddress?.advanced(by: sent), message.count - sent) }
      guard count > 0 else { exit(1) }
      sent += count
    }
  }

  private static func read(count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    while got < count {
      let more = bytes.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress?.advanced(by: got), count - got) }
      guard more > 0 else { return nil }
      got += more
    }
    return bytes
  }
}

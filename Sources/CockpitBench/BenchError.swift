import Glibc

/// A reason for a person, in one line.
enum BenchError: Error, CustomStringConvertible {
  /// The command line was not understood.
  case usage(String)
  /// A system call failed.
  case system(operation: String, errno: Int32)
  /// A client did not do what was waited for.
  case client(name: String, String)

  var description: String {
    switch self {
    case .usage(let text): text
    case .system(let operation, let errno): "\(operation): \(String(cString: strerror(errno)))"
    case .client(let name, let text): "\(name) \(text)"
    }
  }

  /// What the process ends with.
  var exitCode: Int32 {
    if case .usage = self { 64 } else { 70 }
  }
}

import Glibc
import Testing

/// An executable of this package.
enum Product: String {
  case cockpit
  /// The program that sends input.
  case input = "CompositorInput"

  /// The path: beside the test bundle, which is the program that runs.
  var path: String {
    get throws {
      let program = try #require(realpath("/proc/self/exe", nil))
      defer { free(program) }
      let folder = String(cString: program).split(separator: "/").dropLast().joined(separator: "/")
      let path = "/\(folder)/\(rawValue)"
      try #require(access(path, X_OK) == 0, "\(path) is not built: run `swift build` first")
      return path
    }
  }
}

import Glibc

/// A program of this package, built beside the test bundle.
package enum Product: String, Error {
  case cockpit
  case catalogue = "cockpit-catalogue"
  case stage
  case witness = "cockpit-witness"
  case video = "cockpit-video"
  /// The program that sends input to a real compositor.
  case input = "CompositorInput"

  /// The program's path. Throws the product if it is not built. COCKPIT_STAGE names another stage, such as an optimised one.
  package var path: String {
    get throws {
      if self == .stage, let named = getenv("COCKPIT_STAGE"), named.pointee != 0 { return String(cString: named) }
      // The test bundle is the program that runs.
      guard let program = realpath("/proc/self/exe", nil) else { throw self }
      defer { free(program) }
      let folder = String(cString: program).split(separator: "/").dropLast().joined(separator: "/")
      let path = "/\(folder)/\(rawValue)"
      guard access(path, X_OK) == 0 else { throw self }
      return path
    }
  }

  /// Runs the program as a shell does, without a display, for at most `seconds`, with `configuration` as the folder of configuration
  /// files and further `variables` as a shell writes them. Returns the output, both streams together, and the exit status.
  package func run(
    _ arguments: String, configuration: String = "/nowhere", variables: String = "", within seconds: Int = 20
  ) throws -> (output: String, status: Int32) {
    let environment = "XDG_RUNTIME_DIR=/nowhere XDG_CONFIG_HOME=\(configuration) \(variables)"
    let command =
      "env -u WAYLAND_DISPLAY -u WAYLAND_SOCKET \(environment) timeout \(seconds) \(try path) \(arguments) 2>&1"
    guard let pipe = popen(command, "r") else { throw self }
    var output = ""
    var buffer = [CChar](repeating: 0, count: 4096)
    while let line = fgets(&buffer, 4096, pipe) { output += String(cString: line) }
    return (output, (pclose(pipe) >> 8) & 0xff)
  }
}

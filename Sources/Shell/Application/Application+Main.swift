import Glibc

extension Application {
  /// Runs a whole program: connects to the compositor, calls `start`, which opens the windows, and returns after the last of them has closed.
  ///
  /// An error is one line on standard error, and then the process ends with the exit code 1: that there is no compositor, that it has gone
  /// (unless `reconnection` waits for the next one), or what `start` throws. A program whose own `main` throws traps instead.
  ///
  ///     @main enum Main {
  ///       static func main() {
  ///         let options = WindowOptions(title: "Waves", applicationID: "org.example.Waves", size: Size(width: 640, height: 400))
  ///         Application.main { $0.openWindow(content: Waves(), options: options) }
  ///       }
  ///     }
  public static func main(_ start: (_ application: Application) throws -> Void) {
    do {
      let application = try Application()
      try start(application)
      try application.run()
    } catch {
      let program = CommandLine.arguments.first?.split(separator: "/").last ?? "program"
      _ = Log.put("\(program): \(error)", to: STDERR_FILENO)
      exit(EXIT_FAILURE)
    }
  }
}

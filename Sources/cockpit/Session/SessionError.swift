import Linux

/// A failure that ends the program with one line. Like the help and the log, errors are in English; what a driver reads on the
/// screen is in the driver's language.
nonisolated struct SessionError: Error, CustomStringConvertible {
  let description: String
  var exitCode: Int32 = 1

  init(_ description: String, exitCode: Int32 = 1) { (self.description, self.exitCode) = (description, exitCode) }

  /// The end by an error of another module.
  init(_ error: some Error & CustomStringConvertible) { self.init(error.description) }

  /// The end by an error on the command line, or in the file of options.
  static func usage(_ error: some Error & CustomStringConvertible) -> Self {
    Self(error.description, exitCode: OptionError.exitCode)
  }

  static func cannotWrite(_ path: String) -> Self {
    Self("cannot write \(path): choose a folder that exists and that you may write to")
  }
}

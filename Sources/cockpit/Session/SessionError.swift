import ControlTools
import Controls
import DriveLink
import Linux
import Shell
import Tilt
import UICore

/// A failure that ends the program with one line.
nonisolated enum SessionError: Error, CustomStringConvertible {
  case options(OptionError)
  case shell(ShellError)
  case tilt(TiltError)
  case cannotWrite(String)
  case pictureTooLarge(PixelSize)
  case drive(DriveLinkError)
  case cannotRead(String, FileReader.Failure)
  case record(RecordError)
  case scene(LayoutFileError)

  /// The line, without the program's name.
  var description: String {
    switch self {
    case .options(let error): "\(error)"
    case .shell(let error): "\(error)"
    case .drive(let error): "\(error)"
    case .tilt(let error): "\(error)"
    case .record(let error): "\(error)"
    case .scene(let error): "\(error)"
    case .cannotRead(let path, let failure): "cannot read \(path): \(failure)"
    case .cannotWrite(let path):
      "cannot write \(path): choose a folder that exists and that you may write to"
    case .pictureTooLarge(let size):
      "a picture of \(size.width) x \(size.height) pixels is too large: choose a smaller --size or --scale"
    }
  }

  /// The program's exit code.
  var exitCode: Int32 { if case .options = self { OptionError.exitCode } else { 1 } }

  /// Runs `body`, and turns its error into a `SessionError` by `make`.
  @MainActor static func wrap<Failure: Error, Result>(
    _ make: (Failure) -> SessionError, _ body: () throws(Failure) -> Result
  ) throws(SessionError) -> Result {
    do { return try body() } catch { throw make(error) }
  }
}

import ScreenshotTesting
import TestSupport

extension TemporaryFolder {
  /// The references beside a test file in this folder, under an environment of the test's own.
  func references(_ environment: [String: String] = [:]) -> ScreenshotReferences {
    var environment = environment
    if environment["SCREENSHOT_ARTIFACTS"] == nil { environment["SCREENSHOT_ARTIFACTS"] = path + "/left" }
    return ScreenshotReferences(besideFile: path + "/Tests.swift", environment: environment)
  }

  /// The names of all files below, with their folders, sorted.
  var files: [String] { contents.filter { $0.contains(".") } }
}

/// The error that `body` throws.
func failure(_ body: () throws(ScreenshotFailure) -> Void) -> ScreenshotFailure? {
  do throws(ScreenshotFailure) { try body() } catch { return error }
  return nil
}

/// A picture of one colour.
func picture(_ pixel: UInt32, width: Int = 10, height: Int = 10) -> Snapshot {
  var snapshot = Snapshot(garbage: PixelSize(width: width, height: height))
  for index in snapshot.pixels.indices { snapshot.pixels[index] = pixel }
  return snapshot
}

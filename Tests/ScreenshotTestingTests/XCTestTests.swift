import ScreenshotTesting
import TestSupport
import XCTest

/// Tests that screenshots work in XCTest as they do in Swift Testing.
nonisolated final class XCTestTests: XCTestCase {
  /// The reference is that of the other framework's test, in the same folder.
  @MainActor func testReferencesAreMet() async throws {
    try verifyScreenshots(of: "badge", scales: [.one, Scale(1.5)], themes: [.light, .dark], tolerance: .text) {
      VerifyTests.sheet()
    }
  }

  /// XCTest on Linux calls what is not `async` without knowing of actors, on the main thread.
  func testASynchronousTestWorksToo() throws {
    try MainActor.assumeIsolated {
      try verifyScreenshots(of: "badge", tolerance: .text) { VerifyTests.sheet() }
    }
  }

  @MainActor func testAMissingReferenceThrows() async throws {
    let folder = try TemporaryFolder()
    XCTAssertThrowsError(try verifyScreenshots(of: "none", references: folder.references()) { Badge() }) { error in
      XCTAssertEqual((error as? ScreenshotFailure)?.problems.map(\.reason), [.missingReference])
      XCTAssertTrue("\(error)".contains("none@1.0: there is no reference"))
    }
  }

  @MainActor func testADifferenceThrowsAndLeavesPictures() async throws {
    let folder = try TemporaryFolder()
    try verifyScreenshots(of: "b", references: folder.references(["SCREENSHOT_RECORD": "all"])) { Badge() }
    XCTAssertThrowsError(
      try verifyScreenshots(of: "b", references: folder.references()) {
        let badge = Badge()
        badge.text = "Other"
        return badge
      }
    ) { error in
      let problem = (error as? ScreenshotFailure)?.problems.first
      XCTAssertNotNil(problem?.newPicture.flatMap(Snapshot.read))
      XCTAssertNotNil(problem?.differencePicture.flatMap(Snapshot.read))
    }
  }
}

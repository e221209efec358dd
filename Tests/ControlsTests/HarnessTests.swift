import ControlHarness
import Controls
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the harness itself: what it must catch, it catches.
@MainActor @Suite(.serialized) struct HarnessTests {
  /// The faults that the harness finds while `body` runs.
  private func faults(of harness: ControlHarness, _ body: () -> Void) -> [String] {
    var found: [String] = []
    harness.onFault = { found.append($0) }
    body()
    harness.onFault = nil
    return found
  }

  @Test func `a view that changes without saying so is caught`() {
    let view = ProbeView()
    let harness = ControlHarness(view, size: Size(width: 20, height: 20))
    view.color = .white
    #expect(faults(of: harness) { harness.frame() }.contains { $0.contains("differs from painting everything") })
  }

  @Test func `a direct view that changes without saying so is caught`() {
    final class Direct: View {
      var place = 0.0
      override var drawsPlainFills: Bool { true }
      override func draw(_ canvas: Canvas) {
        canvas.fill(Rect(x: place, y: 0, width: 5, height: 5), .white)
      }
    }
    let view = Direct()
    let harness = ControlHarness(view, size: Size(width: 40, height: 20))
    view.place = 20
    #expect(!faults(of: harness) { harness.frame() }.isEmpty)
    view.setNeedsDisplay()
    harness.frame()
  }

  @Test func `a golden that is missing, or differs by more than allowed, fails as the comparison says`() throws {
    let view = ProbeView()
    let harness = ControlHarness(view, size: Size(width: 20, height: 20))
    let files = try TemporaryFolder()
    let folder = files.path
    try FileManager.default.createDirectory(atPath: folder + "/Goldens", withIntermediateDirectories: true)
    let references = ScreenshotReferences(
      besideFile: folder + "/Test.swift", folderName: "Goldens", environment: ["SCREENSHOT_ARTIFACTS": folder + "/left"]
    )
    func found(_ tolerance: Tolerance = .exact) -> [String] {
      faults(of: harness) { harness.expectGolden("ball", tolerance: tolerance, references: references) }
    }
    #expect(found().contains { $0.contains("there is no reference") })
    #expect(harness.shown.write(to: folder + "/Goldens/ball.png"))
    #expect(found().isEmpty)
    // The change is drawn before it is compared.
    view.color = Color(hex: 0x33669a)
    view.setNeedsDisplay()
    #expect(found().contains { $0.contains("by up to 1 levels") && $0.contains("ball.diff.png") })
    #expect(found(Tolerance(levels: 1)).isEmpty)
  }

  @Test func `pictures survive being files`() {
    let harness = ControlHarness(ProbeView(), size: Size(width: 20, height: 20))
    let path = "/tmp/cockpit-harness-test.png"
    #expect(harness.shown.write(to: path))
    #expect(Snapshot.read(path) == harness.shown)
    let picture = try? Picture(contentsOf: path, scale: Scale(2))
    #expect(picture?.size == Size(width: 10, height: 10))
    var copy = Snapshot(garbage: PixelSize(width: 20, height: 20))
    copy.withBuffer { buffer in
      Canvas.draw(into: buffer, scale: Scale(2)) { canvas in
        if let picture { canvas.draw(picture, at: .zero) }
      }
    }
    #expect(copy == harness.shown)
    #expect(!harness.shown.write(to: "/nowhere/x.png"))
  }
}

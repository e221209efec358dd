import ControlHarness
import Testing

@testable import Controls

/// Tests of what shows that something is going on: progress bar and spinner.
@MainActor @Suite(.serialized) struct ProgressTests {
  private func shown(_ view: View, direction: LayoutDirection = .leftToRight) -> ControlHarness {
    let root = RootView()
    root.layoutDirection = direction
    let harness = ControlHarness(size: Size(width: 200, height: 60), root: root)
    view.frame = Rect(x: 20, y: 20, width: view is Spinner ? 28 : 160, height: view is Spinner ? 28 : 6)
    root.addSubview(view)
    harness.frame()
    return harness
  }

  // MARK: Geometry

  @Test(arguments: [(0.0, 0.0), (0.25, 40), (1, 160), (-3, 0), (7, 160)])
  func `the part that is done grows from the leading side`(progress: Double, width: Double) {
    let size = Size(width: 160, height: 6)
    let left = ProgressGeometry(size: size, direction: .leftToRight).done(progress)
    #expect(left == Rect(x: 0, y: 0, width: width, height: 6))
    let right = ProgressGeometry(size: size, direction: .rightToLeft).done(progress)
    #expect(right.maxX == 160 && right.width == width)
  }

  @Test func `the running piece comes from outside, is whole on its way, and leaves`() {
    let geometry = ProgressGeometry(size: Size(width: 100, height: 6), direction: .leftToRight)
    #expect(geometry.running(at: 0).width == 0 && geometry.running(at: 1).width == 0)
    let middle = geometry.running(at: 0.5)
    #expect(abs(middle.width - 35) < 1e-9 && abs(middle.midX - 50) < 1e-9)
    #expect(geometry.running(at: 0.1).minX == 0 && abs(geometry.running(at: 0.95).maxX - 100) < 1e-9)
  }

  @Test func `a track is no higher than the bar, and lies in its middle`() {
    #expect(ProgressGeometry(size: Size(width: 10, height: 20), direction: .leftToRight).track.minY == 7)
    #expect(ProgressGeometry(size: Size(width: 10, height: 2), direction: .leftToRight).track.height == 2)
    #expect(ProgressGeometry(size: .zero, direction: .rightToLeft).track.isEmpty)
  }

  // MARK: The bar

  @Test func `a value is clamped to 0 to 1, and a change redraws no more than the bar`() {
    let bar = ProgressBar()
    let harness = shown(bar)
    bar.progress = 2
    #expect(bar.progress == 1)
    bar.progress = .nan
    #expect(bar.progress == 1)
    harness.frame()
    #expect(harness.lastDamage.rects.allSatisfy { $0.width <= 160 && $0.height <= 6 })
    #expect(!harness.root.needsFrame, "it stands still")
  }

  @Test func `assistive technology hears the value, and none while nobody knows it`() {
    let bar = ProgressBar()
    bar.progress = 0.256
    #expect(bar.accessibilityRole == .indicator && bar.accessibilityValue?.text == "26 %")
    bar.isIndeterminate = true
    #expect(bar.accessibilityValue == nil)
  }

  // MARK: Frames

  /// What runs, and what ends that.
  private func expectFramesOnlyWhileSeen(_ view: View, isRunning: () -> Bool, stop: () -> Void, start: () -> Void) {
    let harness = shown(view)
    #expect(isRunning() && harness.advance(by: .milliseconds(500)) > 20)
    view.isHidden = true
    harness.settle(limit: 3)
    #expect(harness.advance(by: .seconds(2)) == 0, "hidden")
    view.isHidden = false
    #expect(harness.advance(by: .milliseconds(500)) > 20)
    stop()
    harness.settle(limit: 3)
    #expect(!isRunning() && harness.advance(by: .seconds(2)) == 0, "finished")
    start()
    #expect(harness.advance(by: .milliseconds(500)) > 20)
    harness.enterBackground()
    #expect(!isRunning() && !harness.root.isAnimating, "in the background")
    harness.enterForeground()
    #expect(isRunning())
    harness.root.prefersReducedMotion = true
    harness.settle(limit: 3)
    #expect(!isRunning() && harness.advance(by: .seconds(2)) == 0, "less motion is wanted")
    harness.root.prefersReducedMotion = false
    #expect(isRunning())
    view.removeFromSuperview()
    harness.settle(limit: 3)
    #expect(!isRunning() && harness.advance(by: .seconds(2)) == 0, "removed")
  }

  @Test func `a bar without a value asks for frames only while it is seen`() {
    let bar = ProgressBar()
    bar.isIndeterminate = true
    expectFramesOnlyWhileSeen(
      bar, isRunning: { bar.isRunning }, stop: { bar.isIndeterminate = false }, start: { bar.isIndeterminate = true })
  }

  @Test func `a spinner asks for frames only while it is seen`() {
    let spinner = Spinner()
    expectFramesOnlyWhileSeen(
      spinner, isRunning: { spinner.isRunning }, stop: { spinner.isSpinning = false },
      start: { spinner.isSpinning = true })
  }

  @Test func `a spinner that stops is nothing to assistive technology`() {
    let spinner = Spinner()
    #expect(spinner.accessibilityRole == .indicator)
    spinner.isSpinning = false
    #expect(spinner.accessibilityRole == .none)
  }
}

import CockpitControls
import Controls
import Testing
import UICore

@testable import cockpit

@MainActor @Suite(.serialized) struct CockpitLayoutTests {
  nonisolated static let sizes: [Size] = [
    (480, 320), (320, 480), (568, 320), (640, 480), (800, 480), (800, 600), (1024, 600), (1000, 1000), (800, 1280),
    (1280, 720), (1280, 800), (1920, 1080), (1080, 1920), (2560, 1080), (3840, 1080), (3840, 2160), (7680, 4320),
    (4320, 7680), (7680, 1080),
  ].map { Size(width: $0.0, height: $0.1) }

  @Test(arguments: sizes) func `nothing overlaps and nothing leaves the window, at any size`(size: Size) {
    let layout = CockpitLayout(size: size)
    let window = Rect(origin: .zero, size: size)
    let parts = [layout.gearbox, layout.wheel, layout.cluster]
    for (index, part) in parts.enumerated() {
      #expect(!part.isEmpty)
      #expect(part.minX >= window.minX && part.maxX <= window.maxX, "\(part)")
      #expect(part.minY >= window.minY && part.maxY <= window.maxY, "\(part)")
      for other in parts[(index + 1)...] { #expect(!part.intersects(other), "\(part) over \(other)") }
    }
    #expect(abs(layout.wheel.width - layout.wheel.height) < 1e-9)
  }

  @Test(arguments: sizes) func `G3: gearbox left, wheel right, in thumbs' reach`(size: Size) {
    let layout = CockpitLayout(size: size)
    #expect(layout.gearbox.maxX < layout.wheel.minX)
    #expect(layout.gearbox.minX <= size.width * 0.1)
    #expect(size.width - layout.wheel.maxX <= size.width * 0.1)
    #expect(layout.wheel.height <= size.height * 0.72 + 1)
  }

  @Test(arguments: sizes.filter { $0.width >= $0.height * 1.25 })
  func `gate, dial and wheel stand on one foot, and telemetry and a notice have room above them`(size: Size) throws {
    let scene = CockpitScene()
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    let dial = scene.cluster.speedometer.windowFrame
    let layout = CockpitLayout(size: size)
    #expect(dial.maxY == layout.wheel.maxY && dial.maxY == layout.gearbox.maxY && dial.height == layout.wheel.height)
    #expect(layout.notice.height >= 76)
    scene.cluster.showTelemetry(TelemetryPanel.Content(nil, isStale: true))
    scene.prepareFrame(for: .zero)
    #expect(scene.cluster.speedometer.windowFrame == dial, "telemetry makes the dial no smaller")
    #expect(try #require(scene.cluster.telemetry).windowFrame.minY >= layout.gearbox.minY)
  }

  @Test(arguments: [Size(width: 600, height: 600), Size(width: 716, height: 574), Size(width: 1000, height: 1000)])
  func `dial and wheel of a nearly square window take a third of its width each`(size: Size) {
    let scene = CockpitScene()
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    let (dial, wheel) = (scene.cluster.speedometer.windowFrame, scene.wheel.windowFrame)
    #expect(min(dial.width, wheel.width) >= size.width * 0.32, "\(dial.width) and \(wheel.width)")
    scene.cluster.beacon.status = .driving
    scene.cluster.showTelemetry(TelemetryPanel.Content(nil, isStale: true))
    scene.prepareFrame(for: .zero)
    #expect(scene.cluster.speedometer.windowFrame == dial, "words and telemetry make the dial no smaller")
  }

  @Test(arguments: sizes)
  func `the dashboard's hood follows the dial, whatever stands above it`(size: Size) throws {
    let scene = CockpitScene()
    scene.resize(to: size, scale: .one)
    let backdrop = try #require(scene.view(named: "backdrop") as? Backdrop)
    func check(_ what: String) {
      scene.prepareFrame(for: .zero)
      let dial = scene.cluster.speedometer.windowFrame
      #expect(backdrop.dial.isEmpty || backdrop.dial == dial, "\(what): \(backdrop.dial) instead of \(dial)")
    }
    check("at first")
    scene.cluster.beacon.status = .driving
    check("with words")
    scene.cluster.showTelemetry(TelemetryPanel.Content(nil, isStale: true))
    check("with telemetry")
    scene.cluster.showsTilt = true
    check("with tilt")
    scene.cluster.showsTilt = false
    check("without tilt")
  }

  @Test(arguments: sizes.filter { $0.width >= $0.height * 1.25 })
  func `the dial stands in the middle between gate and wheel`(size: Size) {
    let layout = CockpitLayout(size: size)
    let (left, right) = (layout.cluster.minX - layout.gearbox.maxX, layout.wheel.minX - layout.cluster.maxX)
    #expect(abs(left - right) <= 1 && left >= 8, "\(left) and \(right)")
  }

  /// A row of the gate is no place to touch: a finger anywhere in the gate takes the lever and chooses a row by its way, so a low row
  /// costs no wrong gear that the next motion would not mend. Twelve rows of 44 points need 660 points; lower gates divide what they have.
  @Test(arguments: sizes) func `a gear has 44 points, or a fifteenth of a gate that is too low for that`(size: Size) {
    let gate = CockpitLayout(size: size).gearbox
    let rows = GearboxGeometry(size: gate.size, fit: .filling)
    let height = rows.knob(inRow: 1).midY - rows.knob(inRow: 0).midY
    #expect(height >= min(44, gate.height / 15 - 0.01), "\(height) of \(gate.height)")
  }

  @Test(arguments: sizes) func `the instruments' parts do not overlap either`(size: Size) {
    let scene = CockpitScene()
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    let parts = scene.cluster.subviews.map(\.frame)
    for (index, part) in parts.enumerated() {
      #expect(!part.isEmpty && scene.cluster.bounds.union(part) == scene.cluster.bounds, "\(part)")
      for other in parts[(index + 1)...] { #expect(!part.intersects(other), "\(part) over \(other)") }
    }
  }

  @Test(arguments: [Size(width: 1, height: 1), Size(width: 3, height: 900), Size(width: 32767, height: 1)])
  func `sizes below the minimum trap nowhere`(size: Size) {
    let scene = CockpitScene()
    scene.resize(to: size, scale: .one)
    scene.prepareFrame(for: .zero)
    #expect(scene.wheel.frame.width >= 1)
  }
}

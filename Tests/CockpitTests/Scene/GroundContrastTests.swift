import CockpitControls
import ControlHarness
import Controls
import ScreenJudging
import ScreenshotTesting
import Testing
import UICore

@testable import cockpit

/// The interior behind the instruments takes nothing from them: each stands out from it at least as much as from a plain ground, by the
/// pixels on both sides of its edges.
@MainActor @Suite(.serialized) struct GroundContrastTests {
  nonisolated static let sizes = [
    (480, 320), (800, 480), (1280, 800), (2560, 1080), (600, 600), (400, 640), (720, 1280),
  ].map { Size(width: Double($0.0), height: Double($0.1)) }

  @Test(arguments: sizes, SceneGoldenTests.Look.all)
  func `each instrument stands out at least as from a plain ground`(size: Size, look: SceneGoldenTests.Look) throws {
    let plain = try picture(size, look.look, isPlain: true)
    let interior = try picture(size, look.look, isPlain: false)
    #expect(plain.areas.keys == interior.areas.keys && plain.areas.count >= 7, "\(plain.areas.keys)")
    for (name, area) in plain.areas {
      let (before, now) = (Self.contrasts(in: area, of: plain), Self.contrasts(in: area, of: interior))
      let (was, shows) = (Edge(before), Edge(now))
      try #require(was.count > 30 && shows.count > 30, "\(name)")
      // Half a hundredth is less than one step of a colour.
      #expect(shows.middle >= was.middle * 0.995, "\(name): \(shows.middle) on the interior, \(was.middle) before")
      #expect(shows.weak >= was.weak * 0.995, "\(name), its weakest tenth: \(shows.weak), before \(was.weak)")
    }
  }

  /// The contrast of edges: in the middle, and what all but a tenth reach.
  private struct Edge {
    let count: Int
    let middle, weak: Double

    init(_ contrasts: [Double]) {
      let sorted = contrasts.sorted()
      count = sorted.count
      (middle, weak) = sorted.isEmpty ? (0, 0) : (sorted[count / 2], sorted[count / 10])
    }
  }

  private struct Picture {
    let whole, ground: Snapshot
    /// The frames of the instruments, by name.
    let areas: [String: PixelRect]

    func isGround(_ x: Int, _ y: Int) -> Bool { whole[x, y] == ground[x, y] }
  }

  /// The contrasts at the edges of an instrument: of each pixel of the ground that lies beside it, to the clearest of the instrument's pixels
  /// up to eight pixels behind the edge, such as a rim of light.
  private static func contrasts(in area: PixelRect, of picture: Picture) -> [Double] {
    let size = picture.whole.size
    let reach = 8
    var found: [Double] = []
    for y in max(area.y, reach)..<min(area.y + area.height, size.height - reach) {
      for x in max(area.x, reach)..<min(area.x + area.width, size.width - reach) where picture.isGround(x, y) {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] where !picture.isGround(x + dx, y + dy) {
          let ratios = (1...reach).lazy.map { (x + $0 * dx, y + $0 * dy) }.prefix { !picture.isGround($0.0, $0.1) }
            .map { Contrast.ratio(picture.whole[$0.0, $0.1], picture.whole[x, y]) }
          found.append(ratios.max() ?? 1)
        }
      }
    }
    return found
  }

  private func picture(_ size: Size, _ look: SceneLook, isPlain: Bool) throws -> Picture {
    let scene = CockpitScene()
    scene.adopt(look)
    scene.car.followsTelemetry = true
    scene.drivesVehicle = true
    scene.gearbox.gear = .forward(7)
    scene.wheel.angle = 40
    scene.car.showControls()
    let harness = ControlHarness(size: size, root: scene, fonts: ControlHarness.screenFonts)
    harness.checksDamage = false
    let panel = try #require(scene.wheel.superview)
    let backdrop = try #require(panel.subviews.lazy.compactMap { $0 as? Backdrop }.first)
    let ground = PlainGround(backdrop)
    if isPlain {
      panel.insertSubview(ground, at: 1)
      ground.frame = backdrop.frame
    }
    harness.advance(by: .seconds(3))
    let whole = harness.shown
    var areas: [String: PixelRect] = [:]
    let spokes = scene.wheel.windowFrame.insetBy(
      dx: scene.wheel.frame.width * 0.15, dy: scene.wheel.frame.height * 0.15)
    for (name, frame) in [
      ("dial", scene.cluster.speedometer.windowFrame), ("wheel", scene.wheel.windowFrame), ("spokes", spokes),
      ("beacon", scene.cluster.beacon.windowFrame), ("brake", scene.cluster.brake.windowFrame),
      ("gearbox", scene.gearbox.windowFrame), ("stop", scene.stop?.windowFrame ?? .zero),
    ] where !frame.isEmpty { areas[name] = Scale.one.pixelRect(covering: frame) }
    for view in panel.subviews where view !== backdrop && view !== ground { view.isHidden = true }
    for view in scene.subviews where !panel.isDescendant(of: view) { view.isHidden = true }
    harness.frame()
    return Picture(whole: whole, ground: harness.shown, areas: areas)
  }
}

/// The ground of the cockpit without an interior: a gradient for the sky, and the dashboard with a light on its edge. By it the interior is
/// measured.
private final class PlainGround: PassiveView {
  private let backdrop: Backdrop

  init(_ backdrop: Backdrop) {
    self.backdrop = backdrop
    super.init("plain")
  }

  override func draw(_ canvas: Canvas) {
    let (area, edge, rise) = (bounds, backdrop.dashboardEdge, min(bounds.width, bounds.height) * 0.05)
    let sky =
      theme.isDark
      ? [Color(hex: 0x0a0e14).mixed(with: .black, 0.25), Color(hex: 0x0a0e14)]
      : [Color(hex: 0xb9c7d6), Color(hex: 0xe6edf3)]
    canvas.fill(area, .linear(from: .zero, to: Point(x: 0, y: area.height), sky[0], sky[1]))
    var line = Path()
    line.move(to: Point(x: 0, y: edge))
    line.curve(
      to: Point(x: area.width, y: edge), control1: Point(x: area.width * 0.3, y: edge - rise),
      control2: Point(x: area.width * 0.7, y: edge - rise))
    var dashboard = line
    dashboard.line(to: Point(x: area.width, y: area.height))
    dashboard.line(to: Point(x: 0, y: area.height))
    dashboard.close()
    let paint = Gradient.linear(
      from: Point(x: 0, y: edge - rise), to: Point(x: 0, y: area.height),
      stops: [
        .init(0, palette.dashboard[0]), .init(0.12, palette.dashboard[1]), .init(1, palette.dashboard[2]),
      ])
    canvas.fill(dashboard, paint)
    let light = Gradient.linear(
      from: .zero, to: Point(x: area.width, y: 0),
      stops: [.init(0, palette.edge[0]), .init(0.5, palette.edge[1]), .init(1, palette.edge[0])])
    canvas.stroke(line, light, StrokeStyle(width: max(1, area.height / 540)))
    let (width, none) = ((area.width * 0.16).rounded(), palette.shade.withAlpha(0))
    let right = area.width - width
    canvas.fill(
      Rect(x: 0, y: 0, width: width, height: area.height),
      .linear(from: .zero, to: Point(x: width, y: 0), palette.shade, none))
    canvas.fill(
      Rect(x: right, y: 0, width: width, height: area.height),
      .linear(from: Point(x: right, y: 0), to: Point(x: area.width, y: 0), none, palette.shade))
    drawPlate(canvas)
    if !theme.isDark { drawShadow(canvas, on: dashboard) }
  }

  private func drawPlate(_ canvas: Canvas) {
    let plate = backdrop.console.insetBy(dx: 0.5, dy: 0.5)
    let shape = Path(roundedRect: plate, cornerRadius: min(plate.width, plate.height) * 0.1)
    canvas.fill(shape, palette.plate)
    canvas.stroke(shape, palette.hairline, width: 1)
  }

  private func drawShadow(_ canvas: Canvas, on dashboard: Path) {
    let (geometry, wheel) = (WheelGeometry(size: backdrop.wheel.size), backdrop.wheel)
    let radius = geometry.outerRadius
    canvas.saved {
      canvas.clip(to: dashboard)
      for (fall, wider) in [(0.03, 0.0), (0.05, 0.015)] {
        let center = wheel.center.offsetBy(dx: 0, dy: radius * fall)
        var shape = Path(circleAt: center, radius: radius * (1 + wider))
        shape.addCircle(center: center, radius: geometry.rimInnerRadius - radius * wider)
        shape.addCircle(center: center, radius: geometry.hubRadius + radius * wider)
        canvas.fill(shape, Color.black.withAlpha(0.09), rule: .evenOdd)
      }
    }
  }
}

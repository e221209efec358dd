import Foundation
import Glibc
import UICore

/// Measures the cost of a start and of a frame against the window's size and against the number of controls.
struct Sweep {
  let options: BenchOptions

  private static let sizes = [(480, 320), (1280, 720), (1920, 1080), (3840, 2160), (7680, 4320)].map {
    PixelSize(width: $0.0, height: $0.1)
  }
  private static let counts = [10, 100, 1000, 10_000, 100_000]
  private static let window = PixelSize(width: 1280, height: 720)
  private static let frame = "wheel: CPU a frame"

  /// A measurer for each client at each size, and for the cockpit with each scene of controls.
  func measurers() throws(BenchError) -> [Measurer] {
    var result: [Measurer] = []
    guard let first = options.cockpit ?? options.bare else { return [] }
    for size in Sweep.sizes {
      let places = try Places(of: first, size: size)
      let wheel = places.wheel
      var bare = options.bare
      bare?.words += ["--wheel", "\(wheel.center.x),\(wheel.center.y),\(wheel.radius)"]
      for client in [options.cockpit, bare].compactMap(\.self) {
        // A session with a scene's name learns no images; the sweep shows no latency.
        let plan = MeasurementPlan(starts: 3, uses: [.wheel], scene: size.text)
        result.append(Measurer(client, size: size, places: places, plan: plan, seconds: options.seconds))
      }
    }
    guard let client = options.cockpit else { return result }
    let places = Places(wheel: WheelPlace(center: Point(x: 970, y: 350), radius: 250))
    for count in Sweep.counts {
      let path = Sweep.path(count)
      do {
        try Sweep.scene(count).write(toFile: path, atomically: true, encoding: .utf8)
      } catch {
        throw .usage("\(path): \(error.localizedDescription)")
      }
      let plan = MeasurementPlan(arguments: ["--scene", path], starts: 3, uses: [.wheel], scene: "\(count) controls")
      result.append(Measurer(client, size: Sweep.window, places: places, plan: plan, seconds: options.seconds))
    }
    return result
  }

  private static func path(_ count: Int) -> String {
    NSTemporaryDirectory() + "cockpit-bench-\(getpid())-\(count).json"
  }

  /// Removes the scenes' files.
  func clean() { Sweep.counts.forEach { unlink(Sweep.path($0)) } }

  /// A wheel beside `count` sliders in a scroll view, in rows of ten.
  private static func scene(_ count: Int) -> String {
    var text = #"{"type": "View", "subviews": [{"type": "ScrollView", "frame": [0, 0, 640, 720], "subviews": ["#
    for row in 0..<count / 10 {
      text += #"{"type": "View", "frame": [0, \#(row * 40), 640, 40], "subviews": ["#
      for column in 0..<10 { text += #"{"type": "Slider", "frame": [\#(column * 64), 0, 64, 40], "value": 0.25},"# }
      text += "]},\n"
    }
    return text + #"]}, {"type": "SteeringWheel", "frame": [720, 100, 500, 500]}]}"#
  }

  /// Tables for docs/performance.md.
  static func tables(_ figures: Figures) -> [String] {
    func cell(_ name: String, _ client: String, _ scene: String) -> String {
      text(figures[name, client, scene]?.median)
    }
    var sizes = """
      | size | CPU ms a frame | bare C | changed pixels a frame | start ms | bare C | missed refreshes, % |
      |---|---|---|---|---|---|---|

      """
    for size in Sweep.sizes {
      let damage = (figures["wheel: damage", "cockpit", size.text]?.median ?? .infinity) / 100
      let changed = damage.isFinite ? "\(Int(damage * Double(size.area)))" : "-"
      let cells = [
        size.text, cell(Sweep.frame, "cockpit", size.text), cell(Sweep.frame, "bare", size.text), changed,
        cell("start", "cockpit", size.text), cell("start", "bare", size.text),
        cell("wheel: missed refreshes", "cockpit", size.text),
      ]
      sizes += "| \(cells.joined(separator: " | ")) |\n"
    }
    var controls = "| controls at rest | CPU ms a frame | start ms |\n|---|---|---|\n"
    for count in Sweep.counts {
      let scene = "\(count) controls"
      controls += "| \(count) | \(cell(Sweep.frame, "cockpit", scene)) | \(cell("start", "cockpit", scene)) |\n"
    }
    return [sizes, controls]
  }

  /// The figures of the tables as a plot.
  static func plot(_ figures: Figures) -> Plot {
    func panel(_ title: String, _ axis: String, _ name: String, _ places: [(x: Double, label: String, scene: String)])
      -> Plot.Panel
    {
      let lines = ["cockpit", "bare"].map { client in
        let points = places.compactMap { place in
          figures[name, client, place.scene].map { Plot.Point(x: place.x, y: $0.median) }
        }
        return Plot.Line(name: client, points: points.filter { $0.y.isFinite && $0.y > 0 })
      }
      return Plot.Panel(
        title: title, axis: axis, ticks: places.map { ($0.x, $0.label) }, lines: lines.filter { !$0.points.isEmpty })
    }
    let sizes = Sweep.sizes.map { (Double($0.area), $0.text, $0.text) }
    let counts = Sweep.counts.map { (Double($0), "\($0)", "\($0) controls") }
    return Plot(panels: [
      panel("CPU of a frame, ms", "pixels of the window", Sweep.frame, sizes),
      panel("start to the first frame, ms", "pixels of the window", "start", sizes),
      panel("CPU of a frame, ms", "controls that rest in a scroll view", Sweep.frame, counts),
      panel("start to the first frame, ms", "controls in a scroll view", "start", counts),
    ])
  }
}

/// Panels of lines on logarithmic axes, as SVG.
struct Plot {
  struct Point {
    var x: Double
    var y: Double
  }

  struct Line {
    var name: String
    var points: [Point]
  }

  struct Panel {
    var title: String
    /// The label of the horizontal axis.
    var axis: String
    /// The positions and labels of its ticks.
    var ticks: [(x: Double, label: String)]
    var lines: [Line]
  }

  var panels: [Panel]
  private static let side = (width: 460.0, height: 300.0)
  private static let inset = (left: 60.0, right: 40.0, top: 40.0, bottom: 60.0)
  private static let colors = ["#1d6fd1", "#d1641d", "#3a8f3a"]

  /// The plot as SVG, two panels in a row.
  var svg: String {
    let rows = (panels.count + 1) / 2
    let (width, height) = (Int(Plot.side.width) * 2, Int(Plot.side.height) * rows)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>

      """
    for (index, panel) in panels.enumerated() {
      let origin = (Plot.side.width * Double(index % 2), Plot.side.height * Double(index / 2))
      text += "<g transform=\"translate(\(origin.0) \(origin.1))\">\n\(svg(of: panel))</g>\n"
    }
    return text + "</svg>\n"
  }

  func save(to path: String) throws(BenchError) {
    do {
      try svg.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw .usage("\(path): \(error.localizedDescription)")
    }
  }

  private func svg(of panel: Panel) -> String {
    let (side, inset) = (Plot.side, Plot.inset)
    let values = panel.lines.flatMap { $0.points.map(\.y) }
    guard let least = values.min(), let most = values.max(), let first = panel.ticks.first, let last = panel.ticks.last
    else { return "" }
    // The vertical axis spans whole powers of ten.
    let decades =
      Int(log10(least).rounded(.down))...max(Int(log10(most).rounded(.up)), Int(log10(least).rounded(.down)) + 1)
    func horizontal(_ x: Double) -> String {
      let part = log(x / first.x) / log(last.x / first.x)
      return String(format: "%.1f", inset.left + part * (side.width - inset.left - inset.right))
    }
    func vertical(_ y: Double) -> String {
      let part = (log10(y) - Double(decades.lowerBound)) / Double(decades.count - 1)
      return String(format: "%.1f", side.height - inset.bottom - part * (side.height - inset.top - inset.bottom))
    }
    let (left, right) = (horizontal(first.x), horizontal(last.x))
    var text = "<text x=\"\(left)\" y=\"20\" font-weight=\"bold\">\(panel.title)</text>\n"
    text += "<text x=\"\(right)\" y=\"\(side.height - 12)\" text-anchor=\"end\">\(panel.axis)</text>\n"
    for decade in decades {
      let y = pow(10, Double(decade))
      text += "<path d=\"M\(left) \(vertical(y))H\(right)\" stroke=\"#cccccc\"/>\n"
      text +=
        "<text x=\"\(inset.left - 6)\" y=\"\(vertical(y))\" text-anchor=\"end\" dy=\"4\">\(String(format: "%g", y))</text>\n"
    }
    for tick in panel.ticks {
      let y = side.height - inset.bottom + 18
      text +=
        "<text x=\"\(horizontal(tick.x))\" y=\"\(y)\" text-anchor=\"middle\" font-size=\"9\">\(tick.label)</text>\n"
    }
    for (line, color) in zip(panel.lines, Plot.colors) {
      let points = line.points.map { "\(horizontal($0.x)),\(vertical($0.y))" }
      text +=
        "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>\n"
      for point in line.points {
        text += "<circle cx=\"\(horizontal(point.x))\" cy=\"\(vertical(point.y))\" r=\"3\" fill=\"\(color)\"/>\n"
      }
      if let end = line.points.last {
        text += "<text x=\"\(horizontal(end.x))\" y=\"\(vertical(end.y))\" dx=\"-4\" dy=\"-8\" text-anchor=\"end\" "
        text += "fill=\"\(color)\">\(line.name)</text>\n"
      }
    }
    return text
  }
}

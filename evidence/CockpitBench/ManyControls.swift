import ControlTools
import Controls
import Linux
import UICore

/// Figures of a scene with many controls, measured in this process.
struct ManyControls {
  /// The number of controls of the large scene and of the small one.
  static let counts = (large: 10_000, small: 10)
  private static let window = Size(width: 1280, height: 720)
  /// The number of sliders side by side.
  private static let columns = 100

  /// Milliseconds to read the large scene's file and make its views, median of five.
  var load: Double
  /// Microseconds for finding the view at a point of the large scene, median of 2,000 points spread over it.
  var hitTest: Double
  /// Microseconds for a frame in which one control has changed, in the large and in the small scene.
  private var changeLarge: Double
  private var changeSmall: Double

  /// Measures everything; takes a few seconds.
  init() throws(BenchError) {
    let text = Self.scene(Self.counts.large)
    var times: [Double] = []
    var large = try Self.root(text)
    for _ in 0..<5 {
      times.append(try Self.microseconds { () throws(BenchError) in large = try Self.root(text) } / 1e3)
    }
    load = Statistics.median(times) ?? .infinity
    let small = try Self.root(Self.scene(Self.counts.small))
    let frames = (large: FrameMaker(large), small: FrameMaker(small))
    hitTest = Self.hitTest(large)
    // The scenes alternate, so that a slow moment of the machine affects both. Ten controls of each change; those of the large
    // scene are far apart.
    var changes: (large: [Double], small: [Double]) = ([], [])
    for round in 0..<400 {
      changes.large.append(frames.large.change(round % Self.counts.small * 997))
      changes.small.append(frames.small.change(round % Self.counts.small))
    }
    changeLarge = Statistics.median(changes.large) ?? .infinity
    changeSmall = Statistics.median(changes.small) ?? .infinity
  }

  func record(in figures: inout Figures) {
    figures.record(load, "reading a scene of 10,000 controls", "ms")
    figures.record(hitTest, "finding the control at a point among 10,000", "us")
    figures.record(changeLarge / changeSmall, "a change of one among 10,000 beside one among ten", "times")
  }

  /// A layout file of `count` sliders, each at its position in the large scene.
  private static func scene(_ count: Int) -> String {
    // Sizes in whole points, so that a change touches no pixel of a neighbour.
    let width = (window.width / Double(columns)).rounded(.down)
    let height = (window.height / Double(counts.large / columns)).rounded(.down)
    var text = "{\"type\": \"View\", \"subviews\": [\n"
    for number in 0..<count {
      let (x, y) = (Double(number % columns) * width, Double(number / columns) * height)
      text += """
        {"type": "Slider", "name": "slider \(number)", "frame": [\(x), \(y), \(width), \(height)], "value": 0.25},

        """
    }
    return text + "]}"
  }

  private static func root(_ text: String) throws(BenchError) -> RootView {
    let root = RootView()
    let holder = LayoutView(registry: .controls)
    root.addSubview(holder)
    do throws(LayoutFileError) {
      try holder.load(LayoutFile(text: text, name: "sliders"))
    } catch {
      throw .usage("the scene of many controls: \(error)")
    }
    holder.frame = Rect(origin: .zero, size: window)
    root.resize(to: window, scale: .one)
    return root
  }

  private static func hitTest(_ root: RootView) -> Double {
    var times: [Double] = []
    for number in 0..<2000 {
      // Scattered points, so that the order of the views does not matter.
      let point = Point(x: Double(number * 7919 % 1280) + 0.5, y: Double(number * 104_729 % 720) + 0.5)
      var hit: View?
      let time = microseconds { hit = root.hitTest(point) }
      if hit !== root { times.append(time) }
    }
    return Statistics.median(times) ?? .infinity
  }

  /// The microseconds that `body` takes.
  fileprivate static func microseconds<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
    let begin = Time.now
    try body()
    return Double(Time.now - begin) / 1e3
  }
}

/// Draws frames of a view tree into memory.
private final class FrameMaker {
  private let root: RootView
  private var controls: [Slider] = []
  private let pixels: PixelMemory?
  private var time = MonotonicTime.zero

  init(_ root: RootView) {
    self.root = root
    let size = PixelSize(width: Int(root.bounds.width), height: Int(root.bounds.height))
    pixels = PixelMemory(size)
    func collect(_ view: View) {
      if let slider = view as? Slider { controls.append(slider) }
      view.subviews.forEach(collect)
    }
    collect(root)
    frame()
  }

  /// Changes one control, draws the frame, and returns the microseconds that both took.
  func change(_ number: Int) -> Double {
    let slider = controls[number % controls.count]
    return ManyControls.microseconds {
      slider.value = slider.value < 0.5 ? 0.75 : 0.25
      frame()
    }
  }

  private func frame() {
    time = time + .milliseconds(16)
    root.prepareFrame(for: time)
    pixels?.withBuffer { root.draw(root.takeDamage(), into: $0) }
  }
}

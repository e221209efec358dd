import Wayland

/// An output of the compositor. A compositor may have no output, and may remove each at any time.
final class Output {
  let globalName: UInt32
  let proxy: WlOutput
  /// The integer scale (wl_output.scale), for compositors without fractional scales.
  private(set) var scale = 1
  private var name = ""
  private var mode = PixelSize.zero
  /// The sides of the panel in millimetres; zero if unknown.
  private var panel = Size.zero
  /// The transform of the output's content.
  private var transform = OutputTransform.normal
  /// The time between refreshes; nil if unknown.
  private(set) var refresh: Duration?
  /// The values that map positions on the panel to positions in windows, as announced last; nil before that.
  private(set) var mapping: Mapping?
  /// Called when the scale or mode changed; true if the mapping of positions changed.
  var onChange: ((_ isTurned: Bool) -> Void)?

  /// The values that map positions on the panel to positions in windows.
  struct Mapping: Hashable {
    var mode: PixelSize
    var scale: Int
    var transform: OutputTransform
  }

  init(proxy: WlOutput, globalName: UInt32) {
    self.proxy = proxy
    self.globalName = globalName
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  private var title: String { name.isEmpty ? "output \(globalName)" : name }

  /// The output's extent in the orientation of its content; nil if its size in millimetres is unknown.
  var display: CompositorReport.Display? {
    guard !panel.isEmpty, !mode.isEmpty else { return nil }
    let points = Size(width: Double(mode.width) / Double(scale), height: Double(mode.height) / Double(scale))
    // Odd transforms are quarter turns.
    func turned(_ size: Size) -> Size {
      transform.rawValue % 2 == 1 ? Size(width: size.height, height: size.width) : size
    }
    return CompositorReport.Display(name: title, size: turned(points), millimetres: turned(panel))
  }

  /// The output in a few words.
  var summary: String {
    let rate = refresh.map { " at \((10 / $0.inSeconds).rounded() / 10) Hz" } ?? ""
    let extent = panel.isEmpty ? "" : ", \(Int(panel.width)) x \(Int(panel.height)) mm"
    return "\(title): \(mode.width) x \(mode.height)\(rate), scale \(scale)\(extent)"
  }

  /// Destroys the removed output.
  func end() {
    onChange = nil
    proxy.end()
  }

  private func handle(_ event: WlOutput.Event) {
    switch event {
    case .scale(let factor):
      scale = min(max(Int(factor), 1), 100)
    // Before version 2 there is no `done`, but no scale either; the mode follows the geometry.
    case .mode(let flags, let width, let height, let milliHertz):
      guard flags.contains(.current) else { return }
      mode = PixelSize(width: Int(width), height: Int(height))
      refresh = (1_000...1_000_000).contains(milliHertz) ? .nanoseconds(1_000_000_000_000 / Int64(milliHertz)) : nil
      if proxy.version < 2 { announced() }
    case .name(let name):
      self.name = name
    case .geometry(_, _, let width, let height, _, _, _, let transform):
      panel = Size(width: Double(max(width, 0)), height: Double(max(height, 0)))
      self.transform = OutputTransform(rawValue: Int(transform.rawValue)) ?? .normal
    case .done:
      announced()
    default:
      break
    }
  }

  /// Applies the announced values.
  private func announced() {
    let old = mapping
    let new = Mapping(mode: mode, scale: scale, transform: transform)
    mapping = new
    onChange?(old != nil && old != new)
  }
}

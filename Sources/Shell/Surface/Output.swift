import Wayland

/// An output of the compositor. A compositor may have no output, and may remove each at any time.
final class Output {
  let globalName: UInt32
  let proxy: WlOutput
  private(set) var state = State()
  private var name = ""
  private var mode = PixelSize.zero
  /// The sides of the panel in millimetres; zero if unknown.
  private var panel = Size.zero
  /// The transform of the output's content.
  private var transform = OutputTransform.normal
  /// Called when the scale or mode changed; true if the mapping of positions changed.
  var onChange: ((_ isTurned: Bool) -> Void)?

  /// The properties of an output that matter to the windows that it shows.
  nonisolated struct State: Hashable, Sendable {
    /// The integer scale (wl_output.scale), for compositors without fractional scales.
    var scale = 1
    /// The time between refreshes; nil if unknown.
    var refresh: Duration?
    /// The values that map positions on the panel to positions in windows, as announced last; nil before that.
    var mapping: Mapping?
  }

  /// The values that map positions on the panel to positions in windows.
  nonisolated struct Mapping: Hashable, Sendable {
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
    guard !panel.isEmpty, let points = points() else { return nil }
    return CompositorReport.Display(name: title, size: points, millimetres: turned(panel))
  }

  /// The output's extent in points, in the orientation of its content; nil if unknown. `scale` is its scale, if that is known
  /// better than as a whole number.
  func points(atScale scale: Double? = nil) -> Size? {
    guard !mode.isEmpty else { return nil }
    let scale = scale ?? Double(state.scale)
    return turned(Size(width: Double(mode.width) / scale, height: Double(mode.height) / scale))
  }

  /// Odd transforms are quarter turns.
  private func turned(_ size: Size) -> Size {
    transform.rawValue % 2 == 1 ? Size(width: size.height, height: size.width) : size
  }

  /// The output in a few words.
  var summary: String {
    let rate = state.refresh.map { " at \((10 / $0.inSeconds).rounded() / 10) Hz" } ?? ""
    let extent = panel.isEmpty ? "" : ", \(Int(panel.width)) x \(Int(panel.height)) mm"
    return "\(title): \(mode.width) x \(mode.height)\(rate), scale \(state.scale)\(extent)"
  }

  func end() {
    onChange = nil
    proxy.end()
  }

  private func handle(_ event: WlOutput.Event) {
    switch event {
    case .scale(let factor):
      state.scale = min(max(Int(factor), 1), 100)
    // Before version 2 there is no `done`, but no scale either; the mode follows the geometry.
    case .mode(let flags, let width, let height, let milliHertz):
      guard flags.contains(.current) else { return }
      mode = PixelSize(width: Int(width), height: Int(height))
      state.refresh =
        (1_000...1_000_000).contains(milliHertz) ? .nanoseconds(1_000_000_000_000 / Int64(milliHertz)) : nil
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

  private func announced() {
    let old = state.mapping
    let new = Mapping(mode: mode, scale: state.scale, transform: transform)
    state.mapping = new
    onChange?(old != nil && old != new)
  }
}

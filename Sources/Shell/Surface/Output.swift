import Wayland

/// An output of the compositor. There may be none, and each may go at any time (behaviour 36).
final class Output {
  let globalName: UInt32
  let proxy: WlOutput
  /// The whole-number scale (wl_output.scale), for compositors without a fractional one.
  private(set) var scale = 1
  private var name = ""
  private var mode = PixelSize.zero
  /// The way in which it turns its content.
  private(set) var transform = OutputTransform.normal
  /// The time between refreshes; nil where unknown.
  private(set) var refresh: Duration?
  /// Called when scale or mode changed.
  var onChange: (() -> Void)?

  init(proxy: WlOutput, globalName: UInt32) {
    self.proxy = proxy
    self.globalName = globalName
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  /// The output in a few words.
  var summary: String {
    let rate = refresh.map { " at \((10 / $0.inSeconds).rounded() / 10) Hz" } ?? ""
    return "\(name.isEmpty ? "output \(globalName)" : name): \(mode.width) x \(mode.height)\(rate), scale \(scale)"
  }

  /// The output went.
  func end() {
    onChange = nil
    proxy.end()
  }

  private func handle(_ event: WlOutput.Event) {
    switch event {
    case .scale(let factor):
      scale = min(max(Int(factor), 1), 100)
    // Before version 2 there is no `done`, but no scale either.
    case .mode(let flags, let width, let height, let milliHertz):
      guard flags.contains(.current) else { return }
      mode = PixelSize(width: Int(width), height: Int(height))
      refresh = (1_000...1_000_000).contains(milliHertz) ? .nanoseconds(1_000_000_000_000 / Int64(milliHertz)) : nil
    case .name(let name):
      self.name = name
    case .geometry(_, _, _, _, _, _, _, let transform):
      self.transform = OutputTransform(rawValue: Int(transform.rawValue)) ?? .normal
    case .done:
      onChange?()
    default:
      break
    }
  }
}

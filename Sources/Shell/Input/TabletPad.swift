// The buttons, rings and strips on a tablet, which do nothing here.

import Wayland

/// A tablet's pad. It is kept with its parts until it is removed, or goes with its seat's other tablets (`MakesObjects`).
final class TabletPad {
  private let proxy: ZwpTabletPadV2
  private var parts: [Proxy] = []

  /// Called when the pad was taken away.
  var onRemoved: ((TabletPad) -> Void)?

  init(proxy: ZwpTabletPadV2) {
    self.proxy = proxy
    proxy.onEvent = { [unowned self] in
      switch $0 {
      case .group(let group): keep(group)
      case .removed: onRemoved?(self)
      default: break
      }
    }
  }

  /// Ends the objects.
  func end() {
    for part in parts.reversed() { part.end() }
    parts.removeAll()
    proxy.end()
  }

  private func keep(_ group: ZwpTabletPadGroupV2) {
    parts.append(group)
    group.onEvent = { [unowned self] in
      switch $0 {
      case .ring(let ring): parts.append(ring)
      case .strip(let strip): parts.append(strip)
      default: break
      }
    }
  }
}

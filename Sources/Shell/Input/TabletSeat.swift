import Wayland

/// The tablets of one seat (tablet-v2). Their styluses are devices of the seat from their first use on. Tablets themselves and
/// their button pads are unused, and kept until they are removed.
final class TabletSeat: InputDevice {
  private let proxy: ZwpTabletSeatV2
  private let seat: SeatContext
  private var penCount: UInt32 = 0
  /// Tablets and pads, each pad followed by its parts.
  private var kept: [[Proxy]] = []
  /// True once the seat is removed. Later objects are kept only to be destroyed.
  private var isLeaving = false

  init(proxy: ZwpTabletSeatV2, seat: SeatContext) {
    self.proxy = proxy
    self.seat = seat
    proxy.onEvent = { [unowned self] in handle($0) }
  }

  func end() {
    isLeaving = true
    seat.application?.retire(self)
  }

  private func handle(_ event: ZwpTabletSeatV2.Event) {
    switch event {
    case .toolAdded(let tool):
      guard !isLeaving else { return tool.end() }
      penCount += 1
      seat.seat?.add(PenDevice(proxy: tool, number: penCount, seat: seat), .pen)
      Log.write(.input, .info, "seat \(seat.id.value) has a pen")
    case .tabletAdded(let tablet):
      kept.append([tablet])
      tablet.onEvent = { [unowned self, unowned tablet] in
        if case .removed = $0 { end(tablet) }
      }
    case .padAdded(let pad):
      kept.append([pad])
      pad.onEvent = { [unowned self, unowned pad] in
        switch $0 {
        case .group(let group): keep(group, of: pad)
        case .removed: end(pad)
        default: break
        }
      }
    }
  }

  private func keep(_ group: ZwpTabletPadGroupV2, of pad: Proxy) {
    append(group, to: pad)
    group.onEvent = { [unowned self, unowned pad] in
      switch $0 {
      case .ring(let ring): append(ring, to: pad)
      case .strip(let strip): append(strip, to: pad)
      default: break
      }
    }
  }

  private func append(_ part: Proxy, to pad: Proxy) {
    if let index = kept.firstIndex(where: { $0[0] === pad }) { kept[index].append(part) }
  }

  /// Destroys a removed tablet or pad, parts before their whole.
  private func end(_ object: Proxy) {
    guard let index = kept.firstIndex(where: { $0[0] === object }) else { return }
    for part in kept.remove(at: index).reversed() { part.end() }
  }
}

extension TabletSeat: CreatesServerObjects {
  func endObjects() {
    while let object = kept.last?.first { end(object) }
    proxy.end()
  }
}

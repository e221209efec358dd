import CLinux
import Glibc
import WaylandServer

/// Something that a client offers for pasting.
public final class StageCopy {
  /// The types that it can be had in.
  public private(set) var types: [String] = []
  /// The serial that it was put on the clipboard with; nil as long as it was not.
  public internal(set) var serial: UInt32?
  /// True until the client ends it.
  public var isAlive: Bool { resource.isAlive }

  let resource: WlDataSourceResource

  init(resource: WlDataSourceResource) {
    self.resource = resource
    resource.onRequest = { [weak self] in
      if case .offer(let type) = $0 { self?.types.append(type) }
    }
  }

  /// Pastes it as `type`: the file to read it from, without blocking, which the caller closes.
  public func paste(as type: String) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    resource.sendSend(mimeType: type, fd: ends[1])
    close(ends[1])
    return ends[0]
  }
}

extension Stage {
  /// Serves a bound wl_data_device_manager.
  func serve(_ manager: WlDataDeviceManagerResource) {
    manager.onRequest = { [weak self] request in
      guard let self else { return }
      switch request {
      case .createDataSource(let made):
        self.own(StageCopy(resource: made), for: made)
      case .getDataDevice(let device, _):
        self.dataDevices.append(device)
        device.onDestroy = { [weak self, weak device] in self?.dataDevices.removeAll { $0 === device } }
        device.onRequest = { [weak self] in
          if case .setSelection(let source, let serial) = $0 { self?.select(source, serial) }
        }
      }
    }
  }

  private func select(_ source: WlDataSourceResource?, _ serial: UInt32) {
    let copy: StageCopy? = source.flatMap { self.model($0) }
    if let copy, copy.serial != nil { report(.protocolError, "a data source used twice") }
    copy?.serial = serial
    if let old = clipboard, old !== copy, old.isAlive { old.resource.sendCancelled() }
    clipboard = copy
  }

  /// Another client copies something: what is on the clipboard is not any more, and clients are offered the new text.
  public func copyElsewhere() {
    if let clipboard, clipboard.isAlive { clipboard.resource.sendCancelled() }
    clipboard = nil
    for device in dataDevices {
      guard let offer = device.make(WlDataOfferResource.self) else { continue }
      device.sendDataOffer(id: offer)
      offer.sendOffer(mimeType: "text/plain")
      device.sendSelection(id: offer)
    }
  }
}

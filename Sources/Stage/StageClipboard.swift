import Glibc
import Linux

/// Something that a client offers for pasting.
package final class StageCopy {
  /// The types that it can be had in.
  package private(set) var types: [String] = []
  /// The serial that it was put on the clipboard with; nil as long as it was not.
  package internal(set) var serial: UInt32?
  /// True until the client ends it.
  package var isAlive: Bool { resource.isAlive }

  let resource: WlDataSourceResource

  init(resource: WlDataSourceResource) {
    self.resource = resource
    resource.onRequest = { [unowned self] in
      if case .offer(let type) = $0 { types.append(type) }
    }
  }

  /// Pastes it as `type`: the file to read it from, without blocking; nil where there are no descriptors left.
  package func paste(as type: String) -> Descriptor? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let output = Descriptor(ends[0]), let input = Descriptor(ends[1]) else { return nil }
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    resource.sendSend(mimeType: type, fd: input.number)
    return output
  }
}

extension Stage {
  /// Takes a request of a data device manager.
  func handle(_ request: WlDataDeviceManagerResource.Request) {
    switch request {
    case .createDataSource(let made):
      own(StageCopy(resource: made), for: made)
    case .getDataDevice(let device, _):
      list(device, in: \.dataDevices, of: self)
      device.onRequest = { [unowned self] in
        if case .setSelection(let source, let serial) = $0 { select(source, serial) }
      }
    }
  }

  private func select(_ source: WlDataSourceResource?, _ serial: UInt32) {
    let copy: StageCopy? = model(source)
    if let copy, copy.serial != nil { report(.protocolError, "a data source used twice") }
    copy?.serial = serial
    if let old = clipboard, old !== copy, old.isAlive { old.resource.sendCancelled() }
    clipboard = copy
  }

  /// Another client copies something: the present copy is cancelled, and clients are offered the new text.
  package func copyElsewhere() {
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

import Glibc
import Linux

/// A client's data source for the clipboard.
package final class StageCopy {
  /// The MIME types that the source offers.
  package private(set) var types: [String] = []
  /// The serial of the request that put the source on the clipboard; nil until then.
  package internal(set) var serial: UInt32?
  /// True until the client destroys the source.
  package var isAlive: Bool { resource.isAlive }

  let resource: WlDataSourceResource

  init(resource: WlDataSourceResource) {
    self.resource = resource
    resource.onRequest = { [unowned self] in
      if case .offer(let type) = $0 { types.append(type) }
    }
  }

  /// Notifies the client that its data is no longer on the clipboard, as when another client copies. `Stage.clipboard` stays.
  package func takeAway() { resource.sendCancelled() }

  /// Requests the data as `type`. Returns the pipe to read it from, which does not block; nil if no descriptors are left.
  package func paste(as type: String) -> Descriptor? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let output = Descriptor(ends[0]), let input = Descriptor(ends[1]) else { return nil }
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    resource.sendSend(mimeType: type, fd: input.number)
    return output
  }
}

extension Stage {
  /// Handles a request to a data device manager.
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
    if let old = clipboard, old !== copy, old.isAlive { old.takeAway() }
    clipboard = copy
    guard sendsClipboard else { return }
    // Compositors announce the selection to the client that set it too.
    for device in dataDevices {
      guard let copy else {
        device.sendSelection(id: nil)
        continue
      }
      guard let offer = device.make(WlDataOfferResource.self) else { continue }
      device.sendDataOffer(id: offer)
      copy.types.forEach { offer.sendOffer(mimeType: $0) }
      offer.onRequest = { [weak copy] in
        guard case .receive(let type, let fd) = $0, let copy, copy.isAlive, let file = fd.take() else { return }
        copy.resource.sendSend(mimeType: type, fd: file.number)
      }
      device.sendSelection(id: offer)
    }
  }

  /// Simulates a copy by another client: cancels the current source and offers `text` to all clients as `type`.
  package func copyElsewhere(_ text: String = "", as type: String = "text/plain") {
    if let clipboard, clipboard.isAlive { clipboard.takeAway() }
    clipboard = nil
    for device in dataDevices {
      guard let offer = makeOffer(of: text, as: type, on: device) else { continue }
      device.sendSelection(id: offer)
    }
  }

  /// Starts another client's drag of `text` as `type` over `surface` (by default the first window's); the script ends it. Returns
  /// nil without a surface or a wl_data_device; the oldest one gets the drag.
  package func dragElsewhere(_ text: String, as type: String, over surface: StageSurface? = nil) -> StageDrag? {
    guard let surface = surface ?? frontSurface, let device = dataDevices.first,
      let offer = makeOffer(of: text, as: type, on: device)
    else { return nil }
    let drag = StageDrag(device: device, offer: offer)
    own(drag, for: offer)
    if offer.version >= 3 { offer.sendSourceActions(sourceActions: .copy) }
    device.sendEnter(serial: display.nextSerial(), surface: surface.resource, x: 5, y: 5, id: offer)
    return drag
  }

  private func makeOffer(of text: String, as type: String, on device: WlDataDeviceResource) -> WlDataOfferResource? {
    guard let offer = device.make(WlDataOfferResource.self) else { return nil }
    device.sendDataOffer(id: offer)
    offer.sendOffer(mimeType: type)
    offer.onRequest = { [unowned self, unowned offer] request in
      switch request {
      case .receive(let wanted, let fd):
        guard wanted == type, let file = fd.take() else { return report(.protocolError, "\(wanted) was not offered") }
        _ = Array(text.utf8).withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
      case .accept(_, let type): (model(offer) as StageDrag?)?.accepted = type
      case .finish:
        let drag: StageDrag? = model(offer)
        if drag?.accepted == nil || drag?.hasAction != true {
          forbid("a drag is finished that was not accepted, or has no action", on: offer, .invalidFinish)
        }
        drag?.isFinished = true
      case .setActions(_, let preferred):
        guard givesDragActions else { return }
        (model(offer) as StageDrag?)?.hasAction = true
        offer.sendAction(dndAction: preferred)
      case .destroy: break
      }
    }
    return offer
  }
}

/// A drag by another client over a window.
package final class StageDrag {
  /// The type that the client accepts; nil if it accepts no type.
  package internal(set) var accepted: String?
  /// True once the stage has announced an action.
  fileprivate(set) var hasAction = false
  /// True once the client has finished the drop.
  package internal(set) var isFinished = false
  private let device: WlDataDeviceResource
  private let offer: WlDataOfferResource

  init(device: WlDataDeviceResource, offer: WlDataOfferResource) { (self.device, self.offer) = (device, offer) }

  /// True until the client destroys the offer.
  package var isAlive: Bool { offer.isAlive }

  /// Drops the data and leaves the window. If the client accepted no type, the drag only leaves.
  package func drop() {
    if accepted != nil { device.sendDrop() }
    device.sendLeave()
  }

  /// Moves the drag out of the window.
  package func leave() { device.sendLeave() }
}

extension WlDataOfferResource: GivesErrors {}

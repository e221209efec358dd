import Linux
internal import WaylandServer

/// A client's source for the primary selection.
public final class StagePrimaryCopy {
  /// The MIME types that the source offers.
  public private(set) var types: [String] = []
  let resource: ZwpPrimarySelectionSourceV1Resource

  init(resource: ZwpPrimarySelectionSourceV1Resource) {
    self.resource = resource
    resource.onRequest = { [unowned self] in if case .offer(let type) = $0 { types.append(type) } }
  }
}

extension Stage {
  func handle(_ request: ZwpPrimarySelectionDeviceManagerV1Resource.Request) {
    switch request {
    case .destroy: break
    case .createSource(let made): own(StagePrimaryCopy(resource: made), for: made)
    case .getDevice(let device, _):
      list(device, in: \.primaryDevices, of: self)
      device.onRequest = { [unowned self] in
        guard case .setSelection(let source, _) = $0 else { return }
        let copy: StagePrimaryCopy? = model(source)
        if let old = primary, old !== copy { old.resource.sendCancelled() }
        primary = copy
        for device in primaryDevices where desktop?.hasFocus(device) != false { announcePrimary(to: device) }
      }
      if desktop?.hasFocus(device) == true { announcePrimary(to: device) }
    }
  }

  private func announcePrimary(to device: ZwpPrimarySelectionDeviceV1Resource) {
    guard let copy = primary, copy.resource.isAlive else { return device.sendSelection(id: nil) }
    guard let offer = device.make(ZwpPrimarySelectionOfferV1Resource.self) else { return }
    device.sendDataOffer(offer: offer)
    copy.types.forEach { offer.sendOffer(mimeType: $0) }
    offer.onRequest = { [unowned self, weak copy] in
      guard case .receive(let type, let file) = $0, let copy else { return }
      guard copy.types.contains(type) else { return report(.typeNotOffered, type) }
      if let file = file.take() { copy.resource.sendSend(mimeType: type, fd: file.number) }
    }
    device.sendSelection(id: offer)
  }

  /// Simulates another client in which the user selects `text`, and offers it to all clients as `type`.
  public func selectElsewhere(_ text: String, as type: String = "text/plain;charset=utf-8") {
    if let primary, primary.resource.isAlive { primary.resource.sendCancelled() }
    primary = nil
    for device in primaryDevices {
      guard let offer = device.make(ZwpPrimarySelectionOfferV1Resource.self) else { continue }
      device.sendDataOffer(offer: offer)
      offer.sendOffer(mimeType: type)
      offer.onRequest = { [unowned self] in
        guard case .receive(let wanted, let file) = $0 else { return }
        guard wanted == type else { return report(.typeNotOffered, wanted) }
        if let file = file.take() { _ = Descriptor.write(Array(text.utf8), to: file.number) }
      }
      device.sendSelection(id: offer)
    }
  }

  /// Reads the primary selection of a client as `type`; nil if it offers no such type.
  public func pasteSelection(as type: String) -> StagePaste? {
    guard let primary, primary.resource.isAlive, primary.types.contains(type) else { return nil }
    return StagePaste.make { primary.resource.sendSend(mimeType: type, fd: $0) }
  }

  /// Offers the clipboard and the primary selection to a client that gets the keyboard focus.
  func announceSelections(toClientOf surface: WlSurfaceResource) {
    for device in dataDevices where device.hasClient(of: surface) { announceClipboard(to: device) }
    for device in primaryDevices where device.hasClient(of: surface) { announcePrimary(to: device) }
  }
}

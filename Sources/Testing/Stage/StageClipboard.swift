import CLinux
import Glibc
import Linux
public import WaylandServer

/// A client's data source, for the clipboard or a drag.
public final class StageCopy {
  /// The actions that dragged data permits (wl_data_device_manager.dnd_action).
  public typealias Actions = WlDataDeviceManagerResource.DndAction

  /// The MIME types that the source offers.
  public private(set) var types: [String] = []
  /// The actions that the source permits for a drag; nil if the client set none.
  public private(set) var actions: Actions?
  /// The serial of the request that put the source on the clipboard or started a drag; nil until then.
  public internal(set) var serial: UInt32?
  /// True until the client destroys the source.
  public var isAlive: Bool { resource.isAlive }

  let resource: WlDataSourceResource

  init(resource: WlDataSourceResource, stage: Stage) {
    self.resource = resource
    resource.onRequest = { [unowned self, weak stage] in
      guard let stage else { return }
      switch $0 {
      case .offer(let type): types.append(type)
      case .setActions(let mask):
        if mask.rawValue & ~7 != 0 {
          stage.forbid(.sourceActions, "the actions \(mask.rawValue)", on: resource)
        } else if actions != nil || serial != nil {
          stage.forbid(.sourceMisused, "actions for a source that has some or is in use", on: resource)
        }
        actions = mask
      case .destroy: break
      }
    }
  }

  /// Notifies the client that its data is no longer on the clipboard, as when another client copies. `Stage.clipboard` stays.
  public func takeAway() { resource.sendCancelled() }

  /// Requests the data as `type`. The client writes it while it handles its messages. Returns nil if no descriptors are left.
  public func paste(as type: String) -> StagePaste? {
    StagePaste.make { resource.sendSend(mimeType: type, fd: $0) }
  }
}

/// The data of a paste, as far as the client has written it. Drop the object to stop reading, as a program does that ends.
public final class StagePaste {
  /// True once the client has closed its end of the pipe and all data is read.
  public private(set) var isComplete = false
  private let file: Descriptor

  private init(_ file: consuming Descriptor) { self.file = file }

  /// Requests data by `send`, which passes the descriptor that it gets to the client. nil if no descriptors are left.
  static func make(_ send: (Int32) -> Void) -> StagePaste? {
    var ends: [Int32] = [-1, -1]
    guard unsafe cockpit_pipe(&ends) == 0, let output = Descriptor(ends[0]), let input = Descriptor(ends[1]) else {
      return nil
    }
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    send(input.number)
    return StagePaste(output)
  }

  /// Returns the bytes that have arrived since the last call, but no more than `limit`. Does not wait.
  public func read(atMost limit: Int = .max) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: min(65_536, max(1, limit)))
    while bytes.count < limit {
      let count = unsafe Glibc.read(file.number, &part, min(part.count, limit - bytes.count))
      if count == 0 { isComplete = true }
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    return bytes
  }
}

/// A client's request for data that another client has copied. Drop the object to close the pipe, which completes the data.
public final class StagePasteRequest {
  private let file: Descriptor

  init(_ file: consuming Descriptor) {
    self.file = file
    _ = fcntl(self.file.number, F_SETFL, O_NONBLOCK)
  }

  /// Writes as many of `bytes` as the pipe takes now, and returns their number. Does not wait; 0 if the client has closed the pipe.
  public func write(_ bytes: [UInt8]) -> Int {
    isOpen ? unsafe max(bytes.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }, 0) : 0
  }

  /// False once the client has closed its end of the pipe.
  public var isOpen: Bool {
    var entry = pollfd(fd: file.number, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) == 0
  }
}

extension Stage {
  func handle(_ request: WlDataDeviceManagerResource.Request) {
    switch request {
    case .createDataSource(let made):
      own(StageCopy(resource: made, stage: self), for: made)
    case .getDataDevice(let device, _):
      list(device, in: \.dataDevices, of: self)
      device.onRequest = { [unowned self, unowned device] in
        switch $0 {
        case .setSelection(let source, let serial): select(model(source), serial, on: device)
        case .startDrag(let source, _, let icon, let serial): startDrag(model(source), icon, serial, on: device)
        case .release: break
        }
      }
      if let desktop, desktop.hasFocus(device) { announceClipboard(to: device) }
    }
  }

  private func use(_ copy: StageCopy, _ serial: UInt32, on device: WlDataDeviceResource) {
    if copy.serial != nil { forbid(.sourceUsedTwice, "wl_data_source@\(copy.resource.id)", on: device) }
    copy.serial = serial
  }

  private func select(_ copy: StageCopy?, _ serial: UInt32, on device: WlDataDeviceResource) {
    if let copy {
      use(copy, serial, on: device)
      if copy.actions != nil { forbid(.sourceMisused, "a source with actions as the selection", on: copy.resource) }
    }
    if let old = clipboard, old !== copy, old.isAlive { old.takeAway() }
    clipboard = copy
    guard sendsClipboard else { return }
    // Compositors announce the selection to the client that set it too.
    for device in dataDevices where desktop?.hasFocus(device) != false { announceClipboard(to: device) }
  }

  /// Offers the clipboard's content to a data device.
  func announceClipboard(to device: WlDataDeviceResource) {
    guard let copy = clipboard, copy.isAlive else { return device.sendSelection(id: nil) }
    guard let offer = device.make(WlDataOfferResource.self) else { return }
    device.sendDataOffer(id: offer)
    copy.types.forEach { offer.sendOffer(mimeType: $0) }
    serve(offer, types: copy.types) { [weak copy] type, file in
      if let copy, copy.isAlive { copy.resource.sendSend(mimeType: type, fd: file.number) }
    }
    device.sendSelection(id: offer)
  }

  private func startDrag(
    _ copy: StageCopy?, _ icon: WlSurfaceResource?, _ serial: UInt32, on device: WlDataDeviceResource
  ) {
    if let icon: StageSurface = model(icon), !icon.take(.dragIcon) {
      forbid(.dragIconRole, "wl_surface@\(icon.resource.id)", on: device)
    }
    if !seats.contains(where: { $0.isPress(serial) }) {
      report(.wrongSerial, "wl_data_device.start_drag with \(serial), which is no press held now")
    }
    guard let copy else { return }
    use(copy, serial, on: device)
    startedDrags.append(copy)
  }

  /// Simulates a copy by another client: cancels the current source and offers `text` to all clients as `type`.
  /// A paste receives as much of the text as a pipe holds, 64 KiB.
  public func copyElsewhere(_ text: String = "", as type: String = "text/plain") {
    copyElsewhere(as: type) { _ = $0.write(Array(text.utf8)) }
  }

  /// Simulates a copy by another client, which decides what it writes and when: it receives each paste by `onPaste`.
  public func copyElsewhere(as type: String = "text/plain", onPaste: @escaping (StagePasteRequest) -> Void) {
    if let clipboard, clipboard.isAlive { clipboard.takeAway() }
    clipboard = nil
    for device in dataDevices {
      guard let offer = makeOffer(as: type, on: device, onPaste) else { continue }
      device.sendSelection(id: offer)
    }
  }

  /// Starts another client's drag of `text` as `type` over `surface` (by default the first window's); the script ends it. Returns
  /// nil without a surface or a wl_data_device; the oldest one gets the drag.
  public func dragElsewhere(_ text: String, as type: String, over surface: StageSurface? = nil) -> StageDrag? {
    dragElsewhere(as: type, over: surface) { _ = $0.write(Array(text.utf8)) }
  }

  /// Starts another client's drag as `dragElsewhere(_:as:over:)` does; `onRead` decides what is written, and when.
  public func dragElsewhere(
    as type: String, over surface: StageSurface? = nil, onRead: @escaping (StagePasteRequest) -> Void
  ) -> StageDrag? {
    guard let surface = surface ?? frontSurface, let device = dataDevices.first,
      let offer = makeOffer(as: type, on: device, onRead)
    else { return nil }
    let drag = StageDrag(device: device, offer: offer)
    own(drag, for: offer)
    if offer.version >= 3 { offer.sendSourceActions(sourceActions: .copy) }
    device.sendEnter(serial: display.nextSerial(), surface: surface.resource, x: 5, y: 5, id: offer)
    return drag
  }

  private func makeOffer(
    as type: String, on device: WlDataDeviceResource, _ onPaste: @escaping (StagePasteRequest) -> Void
  ) -> WlDataOfferResource? {
    guard let offer = device.make(WlDataOfferResource.self) else { return nil }
    device.sendDataOffer(id: offer)
    offer.sendOffer(mimeType: type)
    serve(offer, types: [type]) { onPaste(StagePasteRequest($1)) }
    return offer
  }

  /// Handles an offer's requests; `send` writes the data of a type into a file.
  private func serve(
    _ offer: WlDataOfferResource, types: [String], send: @escaping (String, consuming Descriptor) -> Void
  ) {
    offer.onRequest = { [unowned self, unowned offer] request in
      let drag: StageDrag? = model(offer)
      switch request {
      case .receive(let type, let file):
        guard types.contains(type) else { return report(.typeNotOffered, type) }
        if let file = file.take() { send(type, file) }
      case .accept(_, let type): drag?.accepted = type
      case .finish:
        if drag?.accepted == nil || drag?.hasAction != true || drag?.isDropped != true {
          forbid(.finishTooEarly, "wl_data_offer@\(offer.id)", on: offer)
        }
        drag?.isFinished = true
      case .setActions(let mask, let preferred):
        let bit = preferred.rawValue
        if mask.rawValue & ~7 != 0 {
          forbid(.offerActions, "the actions \(mask.rawValue)", on: offer)
        } else if bit & (bit &- 1) != 0 || bit & ~mask.rawValue != 0 {
          forbid(.offerPreferredAction, "the action \(bit) of \(mask.rawValue)", on: offer)
        } else if let drag {
          guard givesDragActions else { return }
          drag.hasAction = bit != 0
          offer.sendAction(dndAction: preferred)
        } else {
          forbid(.offerMisused, "actions for a selection", on: offer)
        }
      case .destroy: break
      }
    }
  }
}

/// A drag by another client over a window.
public final class StageDrag {
  /// The type that the client accepts; nil if it accepts no type.
  public internal(set) var accepted: String?
  /// True once the stage has announced an action.
  fileprivate(set) var hasAction = false
  private(set) var isDropped = false
  /// True once the client has finished the drop.
  public internal(set) var isFinished = false
  private let device: WlDataDeviceResource
  private let offer: WlDataOfferResource

  init(device: WlDataDeviceResource, offer: WlDataOfferResource) { (self.device, self.offer) = (device, offer) }

  /// True until the client destroys the offer.
  public var isAlive: Bool { offer.isAlive }

  /// Drops the data and leaves the window. If the client accepted no type, the drag only leaves.
  public func drop() {
    if accepted != nil { device.sendDrop() }
    isDropped = accepted != nil
    device.sendLeave()
  }

  /// Moves the drag out of the window.
  public func leave() { device.sendLeave() }
}

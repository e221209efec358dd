import Wayland

/// The bound singletons. A missing optional one is a capability that isn't there, not an error.
final class Globals {
  let compositor: WlCompositor
  let shm: WlShm
  let wmBase: XdgWmBase
  let viewporter: WpViewporter?
  let fractionalScale: WpFractionalScaleManagerV1?
  let presentation: WpPresentation?
  let decoration: ZxdgDecorationManagerV1?
  let cursorShape: WpCursorShapeManagerV1?
  let tablets: ZwpTabletManagerV2?
  let activation: XdgActivationV1?
  let idleInhibit: ZwpIdleInhibitManagerV1?
  let dataDevices: WlDataDeviceManager?
  /// The clock of presentation times (wp_presentation.clock_id), once it is known.
  var presentationClockID: UInt32?

  /// Binds what `offers` names.
  init(registry: WlRegistry, offers: [GlobalOffer]) throws(ShellError) {
    compositor = try Globals.need(WlCompositor.self, registry, offers)
    shm = try Globals.need(WlShm.self, registry, offers)
    wmBase = try Globals.need(XdgWmBase.self, registry, offers)
    viewporter = try Globals.find(WpViewporter.self, registry, offers)
    fractionalScale = try Globals.find(WpFractionalScaleManagerV1.self, registry, offers)
    presentation = try Globals.find(WpPresentation.self, registry, offers)
    decoration = try Globals.find(ZxdgDecorationManagerV1.self, registry, offers)
    cursorShape = try Globals.find(WpCursorShapeManagerV1.self, registry, offers)
    tablets = try Globals.find(ZwpTabletManagerV2.self, registry, offers)
    activation = try Globals.find(XdgActivationV1.self, registry, offers)
    idleInhibit = try Globals.find(ZwpIdleInhibitManagerV1.self, registry, offers)
    dataDevices = try Globals.find(WlDataDeviceManager.self, registry, offers)
    presentation?.onEvent = { [unowned self] in
      if case .clockId(let clock) = $0 { presentationClockID = clock }
    }
    wmBase.onEvent = { [unowned wmBase] in
      if case .ping(let serial) = $0 { wmBase.pong(serial: serial) }
    }
  }

  /// Ends every object, last bound first; windows must be gone.
  func end() {
    let all: [Proxy?] = [
      dataDevices, idleInhibit, activation, tablets, cursorShape, decoration, presentation, fractionalScale, viewporter,
      wmBase, shm,
      compositor,
    ]
    for proxy in all { proxy?.end() }
  }

  private static func find<T: Proxy>(
    _ type: T.Type, _ registry: WlRegistry, _ offers: [GlobalOffer]
  ) throws(ShellError) -> T? {
    let name = String(cString: type.interface.pointee.name)
    guard let row = GlobalRequirement.of(name), let offer = offers.first(where: { $0.interface == name }) else {
      return nil
    }
    let version = try row.version(offered: offer.version)
    Log.write(.connection, .info, "\(name) version \(version) of \(offer.version)")
    return registry.bind(name: offer.name, type, version: version)
  }

  private static func need<T: Proxy>(
    _ type: T.Type, _ registry: WlRegistry, _ offers: [GlobalOffer]
  ) throws(ShellError) -> T {
    if let found = try find(type, registry, offers) { return found }
    let name = String(cString: type.interface.pointee.name)
    throw .missingGlobal(interface: name, needed: GlobalRequirement.of(name)?.required ?? 1)
  }
}

/// A global as the compositor announced it.
struct GlobalOffer {
  let name: UInt32
  let interface: String
  let version: UInt32
}

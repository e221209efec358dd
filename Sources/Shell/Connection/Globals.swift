import Wayland

/// A global of the compositor with the oldest version that the shell needs and the newest that it knows.
struct GlobalRequirement {
  let interface: String
  /// The oldest version that works; nil if the shell works without the global.
  let required: UInt32?
  /// The newest version that the shell speaks.
  let preferred: UInt32
  let bind: (_ registry: WlRegistry, _ name: UInt32, _ version: UInt32) -> Proxy

  init<T: Proxy>(_ type: T.Type, required: UInt32? = nil, preferred: UInt32 = 1) {
    // An event that the bindings do not know would end the program in libwayland.
    (interface, self.required) = (T.interface.name, required)
    self.preferred = min(preferred, UInt32(T.interface.version))
    bind = { $0.bind(name: $1, T.self, version: $2) }
  }

  /// One row for each global that a connection binds once.
  static let singletons: [GlobalRequirement] = [
    // Version 4: damage in buffer pixels (wl_surface.damage_buffer).
    .init(WlCompositor.self, required: 4, preferred: 6),
    // Version 2: it can be released.
    .init(WlShm.self, required: 1, preferred: 2),
    .init(XdgWmBase.self, required: 1, preferred: 6),
    .init(WlFixes.self),
    .init(WlSubcompositor.self),
    .init(WpViewporter.self),
    .init(WpFractionalScaleManagerV1.self),
    .init(WpPresentation.self),
    .init(ZxdgDecorationManagerV1.self),
    .init(WpCursorShapeManagerV1.self),
    .init(ZwpTabletManagerV2.self),
    .init(ZwpInputTimestampsManagerV1.self),
    .init(XdgActivationV1.self),
    .init(ZwpIdleInhibitManagerV1.self),
    .init(XdgSystemBellV1.self),
    .init(IviApplication.self),
    .init(ZwlrLayerShellV1.self, preferred: 4),
    .init(ZwpTextInputManagerV3.self),
    // Version 2: data devices that can be released.
    .init(WlDataDeviceManager.self, preferred: 3),
    .init(ZwpPrimarySelectionDeviceManagerV1.self),
  ]

  /// The rows of all interfaces: after the singletons, seats and outputs, which come and go.
  static let table =
    singletons + [
      // Version 5: pointer frames and release requests; older seats are used as they are. Version 8: fractions of a wheel's
      // detent. Version 9: inverted scrolling. Version 10: a compositor that repeats keys itself.
      .init(WlSeat.self, preferred: 10),
      .init(WlOutput.self, preferred: 4),
    ]

  static func of(_ interface: String) -> GlobalRequirement? { table.first { $0.interface == interface } }

  /// The version of an offered global to bind.
  ///
  /// - Throws: The reason why it cannot be used.
  func version(offered: UInt32) throws(ShellError) -> UInt32 {
    if let required, offered < required {
      throw .oldGlobal(interface: interface, offered: offered, needed: required)
    }
    return min(offered, preferred)
  }
}

struct GlobalOffer {
  let name: UInt32
  let interface: String
  let version: UInt32
}

/// The bound singletons. A missing optional global is a missing capability, not an error.
final class Globals {
  private(set) lazy var compositor: WlCompositor = needed()
  private(set) lazy var shm: WlShm = needed()
  private(set) lazy var wmBase: XdgWmBase = needed()
  /// In the order in which they were bound.
  private var bound: [Proxy] = []
  /// The clock of presentation times (wp_presentation.clock_id), once it is known.
  private(set) var presentationClockID: UInt32?
  /// The user's cursor, where the program draws it.
  var cursor = CursorPreference()

  init(registry: WlRegistry, offers: [GlobalOffer]) throws(ShellError) {
    for row in GlobalRequirement.singletons {
      guard let offer = offers.first(where: { $0.interface == row.interface }) else {
        if let needed = row.required { throw .missingGlobal(interface: row.interface, needed: needed) }
        continue
      }
      let version = try row.version(offered: offer.version)
      Log.write(.connection, .info, "\(row.interface) version \(version) of \(offer.version)")
      bound.append(row.bind(registry, offer.name, version))
    }
    self[WpPresentation.self]?.onEvent = { [unowned self] in
      if case .clockId(let clock) = $0 { presentationClockID = clock }
    }
    wmBase.onEvent = { [unowned wmBase] in
      if case .ping(let serial) = $0 { wmBase.pong(serial: serial) }
    }
  }

  /// The global of a class of objects; nil if the compositor has none.
  subscript<T: Proxy>(_ type: T.Type) -> T? { bound.first { Swift.type(of: $0) == type } as? T }

  private func needed<T: Proxy>() -> T {
    guard let found = self[T.self] else { preconditionFailure("the row of \(T.self) must require it") }
    return found
  }

  /// Destroys every object, the last bound first; the windows must be destroyed before.
  func end() {
    for proxy in bound.reversed() { proxy.end() }
  }
}

import Wayland

/// A global of the compositor with the oldest version that the shell needs and the newest that it knows.
struct GlobalRequirement {
  let interface: String
  /// The oldest version that works; nil if the shell works without the global.
  let required: UInt32?
  /// The newest version that the shell speaks.
  let preferred: UInt32

  /// One row per interface: first singletons, then seats and outputs, which come and go.
  static let table: [GlobalRequirement] = [
    // Version 4: damage in buffer pixels (wl_surface.damage_buffer).
    .init(interface: "wl_compositor", required: 4, preferred: 6),
    .init(interface: "wl_shm", required: 1, preferred: 1),
    .init(interface: "xdg_wm_base", required: 1, preferred: 6),
    .init(interface: "wp_viewporter", required: nil, preferred: 1),
    .init(interface: "wp_fractional_scale_manager_v1", required: nil, preferred: 1),
    .init(interface: "wp_presentation", required: nil, preferred: 1),
    .init(interface: "zxdg_decoration_manager_v1", required: nil, preferred: 1),
    .init(interface: "wp_cursor_shape_manager_v1", required: nil, preferred: 1),
    .init(interface: "zwp_tablet_manager_v2", required: nil, preferred: 1),
    .init(interface: "zwp_input_timestamps_manager_v1", required: nil, preferred: 1),
    .init(interface: "xdg_activation_v1", required: nil, preferred: 1),
    .init(interface: "zwp_idle_inhibit_manager_v1", required: nil, preferred: 1),
    .init(interface: "ivi_application", required: nil, preferred: 1),
    .init(interface: "zwlr_layer_shell_v1", required: nil, preferred: 4),
    .init(interface: "zwp_text_input_manager_v3", required: nil, preferred: 1),
    // Version 2: data devices that can be released.
    .init(interface: "wl_data_device_manager", required: nil, preferred: 3),
    // Version 5: pointer frames and release requests; older seats are used as they are. Version 8: fractions of a wheel's
    // detent. Version 9: inverted scrolling. Version 10: a compositor that repeats keys itself.
    .init(interface: "wl_seat", required: nil, preferred: 10),
    .init(interface: "wl_output", required: nil, preferred: 4),
  ]

  /// The row of `interface`.
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

/// A global as the compositor announced it.
struct GlobalOffer {
  let name: UInt32
  let interface: String
  let version: UInt32
}

/// The bound singletons. A missing optional global is a missing capability, not an error.
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
  let inputTimestamps: ZwpInputTimestampsManagerV1?
  let activation: XdgActivationV1?
  let idleInhibit: ZwpIdleInhibitManagerV1?
  let ivi: IviApplication?
  let layerShell: ZwlrLayerShellV1?
  let textInputs: ZwpTextInputManagerV3?
  let dataDevices: WlDataDeviceManager?
  /// All bound globals, in the order in which they were bound.
  private let bound: [Proxy]
  /// The clock of presentation times (wp_presentation.clock_id), once it is known.
  private(set) var presentationClockID: UInt32?

  /// Binds the globals among `offers`.
  init(registry: WlRegistry, offers: [GlobalOffer]) throws(ShellError) {
    var bound: [Proxy] = []
    func find<T: Proxy>() throws(ShellError) -> T? {
      let name = T.interface.name
      guard let row = GlobalRequirement.of(name) else { preconditionFailure("no row for \(name)") }
      guard let offer = offers.first(where: { $0.interface == name }) else {
        if let needed = row.required { throw .missingGlobal(interface: name, needed: needed) }
        return nil
      }
      let version = try row.version(offered: offer.version)
      Log.write(.connection, .info, "\(name) version \(version) of \(offer.version)")
      let made = registry.bind(name: offer.name, T.self, version: version)
      bound.append(made)
      return made
    }
    func need<T: Proxy>() throws(ShellError) -> T {
      guard let found: T = try find() else { preconditionFailure("\(T.self) is needed, and its row does not say so") }
      return found
    }
    compositor = try need()
    shm = try need()
    wmBase = try need()
    viewporter = try find()
    fractionalScale = try find()
    presentation = try find()
    decoration = try find()
    cursorShape = try find()
    tablets = try find()
    inputTimestamps = try find()
    activation = try find()
    idleInhibit = try find()
    ivi = try find()
    layerShell = try find()
    textInputs = try find()
    dataDevices = try find()
    self.bound = bound
    presentation?.onEvent = { [unowned self] in
      if case .clockId(let clock) = $0 { presentationClockID = clock }
    }
    wmBase.onEvent = { [unowned wmBase] in
      if case .ping(let serial) = $0 { wmBase.pong(serial: serial) }
    }
  }

  /// Destroys every object, the last bound first; the windows must be destroyed before.
  func end() {
    for proxy in bound.reversed() { proxy.end() }
  }
}

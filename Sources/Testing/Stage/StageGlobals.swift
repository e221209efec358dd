public import WaylandServer

/// The version of each global; nil for a global that is not announced. Start from a preset and change what a test needs.
nonisolated public struct StageGlobals: Hashable, Sendable {
  /// wl_compositor, which makes surfaces.
  public var compositor: Int32? = 6
  /// wl_subcompositor: surfaces that are placed on another one.
  public var subcompositor: Int32? = 1
  /// wl_shm: pixels in shared memory.
  public var shm: Int32? = 2
  /// wl_fixes, by which a client ends a wl_registry.
  public var fixes: Int32? = 2
  /// wl_output: a screen's place, mode and scale.
  public var output: Int32? = 4
  /// wl_seat: pointer, keyboard and touch screen of one user.
  public var seat: Int32? = 10
  /// xdg_wm_base: windows and popups.
  public var windowBase: Int32? = 7
  /// wp_viewporter: a surface's size apart from its buffer's.
  public var viewporter: Int32? = 1
  /// wp_fractional_scale_manager_v1: scales such as 1.25.
  public var fractionalScale: Int32? = 1
  /// wp_presentation: when a commit was on the screen.
  public var presentation: Int32? = 1
  /// The clock ID announced for presentation times; 1 is CLOCK_MONOTONIC.
  public var presentationClock: UInt32 = 1
  /// zxdg_decoration_manager_v1: who draws title bars.
  public var decoration: Int32? = 1
  /// wp_cursor_shape_manager_v1: cursors by their names.
  public var cursorShape: Int32? = 1
  /// zwp_tablet_manager_v2: pens.
  public var tablets: Int32? = 1
  /// zwp_input_timestamps_manager_v1: the times of input in nanoseconds.
  public var inputTimestamps: Int32? = 1
  /// xdg_activation_v1: a window that asks for the focus.
  public var activation: Int32? = 1
  /// zwp_idle_inhibit_manager_v1, by which a window keeps the screen on.
  public var idleInhibit: Int32? = 1
  /// xdg_system_bell_v1: a sound, or whatever the desktop has for it.
  public var systemBell: Int32? = 1
  /// wp_single_pixel_buffer_manager_v1: buffers of one colour, which a viewport stretches.
  public var singlePixelBuffers: Int32? = 1
  /// wp_alpha_modifier_v1: a surface that is less opaque than its pixels.
  public var alphaModifier: Int32? = 1
  /// wp_content_type_manager_v1: whether a surface shows a photo, a video or a game.
  public var contentType: Int32? = 1
  /// wp_tearing_control_manager_v1: a surface that would rather tear than wait.
  public var tearingControl: Int32? = 1
  /// wp_fifo_manager_v1: content that is shown for a refresh at least.
  public var fifo: Int32? = 1
  /// wp_commit_timing_manager_v1: content that is not shown before a time.
  public var commitTiming: Int32? = 1
  /// xdg_toplevel_icon_manager_v1: a window's own icon.
  public var toplevelIcon: Int32? = 1
  /// xdg_wm_dialog_v1: windows that are dialogs of others.
  public var dialog: Int32? = 1
  /// zwp_keyboard_shortcuts_inhibit_manager_v1: a window that gets every key.
  public var shortcutsInhibit: Int32? = 1
  /// zwp_pointer_gestures_v1: swipes, pinches and holds on a touchpad.
  public var pointerGestures: Int32? = 3
  /// ext_idle_notifier_v1: when nobody uses a seat.
  public var idleNotify: Int32? = 2
  /// wl_data_device_manager: the clipboard, and drag and drop.
  public var dataDevices: Int32? = 3
  /// zwp_text_input_manager_v3: texts that input methods write.
  public var textInput: Int32? = 1
  /// ivi_application: windows with numbers, in vehicles. No preset announces it.
  public var ivi: Int32?
  /// zwlr_layer_shell_v1: panels at the edges of the screen.
  public var layerShell: Int32?
  /// ext_session_lock_manager_v1: what is shown while nobody may use the session.
  public var sessionLock: Int32?
  /// xdg_session_manager_v1: windows that come back as they were.
  public var appSessions: Int32?
  /// zwlr_foreign_toplevel_manager_v1: the windows of other clients.
  public var foreignToplevels: Int32?
  /// zxdg_output_manager_v1: a screen's name, and its place and size in logical points.
  public var outputDetails: Int32?
  /// zwp_primary_selection_device_manager_v1: pasting by the middle button.
  public var primarySelection: Int32? = 1
  /// zwp_pointer_constraints_v1: a pointer that is held in an area or on a point.
  public var pointerConstraints: Int32?
  /// zwp_relative_pointer_manager_v1: how far the mouse moved, also while its pointer is held.
  public var relativePointer: Int32?
  /// zwlr_virtual_pointer_manager_v1, for clients that move the pointer.
  public var virtualPointer: Int32?
  /// zwp_input_method_manager_v2, for clients that are input methods.
  public var inputMethod: Int32?

  /// Every global that an ordinary application uses, at the newest version that the stage supports.
  public static let everything = StageGlobals()

  /// Every global that the stage supports, except `ivi`. The others make sense with a desktop (`Stage.manage()`).
  public static let desktop = StageGlobals(
    layerShell: 4, sessionLock: 1, appSessions: 1, foreignToplevels: 2, outputDetails: 3, pointerConstraints: 1,
    relativePointer: 1,
    virtualPointer: 1,
    inputMethod: 1)

  /// Only the globals without which there is no window and no input, at old versions.
  public static let minimal = StageGlobals(
    compositor: 4, shm: 1, fixes: nil, seat: 5, windowBase: 1, viewporter: nil, fractionalScale: nil, presentation: nil,
    decoration: nil,
    cursorShape: nil, tablets: nil, inputTimestamps: nil, activation: nil, idleInhibit: nil, systemBell: nil,
    shortcutsInhibit: nil, pointerGestures: nil, dataDevices: nil, textInput: nil, primarySelection: nil
  ).withoutNewer

  /// The globals of weston 10.
  public static let weston10 = StageGlobals(
    compositor: 4, shm: 1, fixes: nil, seat: 7, windowBase: 3, fractionalScale: nil, decoration: nil, cursorShape: nil,
    tablets: nil,
    activation: nil, idleInhibit: nil, systemBell: nil, shortcutsInhibit: nil, pointerGestures: nil, textInput: nil,
    primarySelection: nil
  ).withoutNewer

  /// The globals of sway 1.7.
  public static let sway17 = StageGlobals(
    compositor: 4, shm: 1, fixes: nil, seat: 7, windowBase: 2, fractionalScale: nil, cursorShape: nil,
    inputTimestamps: nil, systemBell: nil
  ).withoutNewer

  /// The globals of KWin 5.27.
  public static let kwin527 = StageGlobals(
    compositor: 5, shm: 1, fixes: nil, seat: 8, windowBase: 4, presentation: nil, cursorShape: nil,
    inputTimestamps: nil,
    systemBell: nil, singlePixelBuffers: nil, alphaModifier: nil, fifo: nil, commitTiming: nil,
    toplevelIcon: nil, dialog: nil, idleNotify: 1)

  /// The same without what the compositors of the presets are too old for.
  private var withoutNewer: StageGlobals {
    var older = self
    (older.singlePixelBuffers, older.alphaModifier, older.contentType, older.tearingControl) = (nil, nil, nil, nil)
    (older.fifo, older.commitTiming, older.toplevelIcon, older.dialog) = (nil, nil, nil, nil)
    older.idleNotify = nil
    return older
  }
}

extension Stage {
  /// Handles a request to a wl_fixes. The registry goes with its connection all the same: libwayland keeps it.
  private func handle(_ request: WlFixesResource.Request, of fixes: WlFixesResource) {
    switch request {
    case .destroy: break
    case .destroyRegistry: registriesEnded += 1
    case .ackGlobalRemove(_, let name):
      // libwayland names globals by their number, from 1.
      guard name > 0, let global = roots.dropFirst(Int(name) - 1).first, global.isWithdrawn else {
        return forbid(.invalidAckRemove, "the global \(name)", on: fixes)
      }
      client(of: fixes)?.acknowledgeRemoval(name)
    }
  }

  /// Withdraws a global, which the clients that can must acknowledge.
  func withdraw(_ global: Global?) {
    guard let global, !global.isWithdrawn, let index = roots.firstIndex(where: { $0 === global }) else { return }
    global.withdraw()
    for fixes in fixes where fixes.version >= 2 { client(of: fixes)?.owesRemoval(UInt32(index + 1), epoch: epoch) }
  }

  /// Announces the globals of `globals` except seats and outputs, which announce themselves.
  func announce() {
    announce(WlCompositorResource.self, globals.compositor, Stage.handle(_:))
    announce(WlSubcompositorResource.self, globals.subcompositor, Stage.handle(_:of:))
    announce(WlShmResource.self, globals.shm, Stage.handle(_:of:)) { $1.sendFormats() }
    announce(WlFixesResource.self, globals.fixes, Stage.handle(_:of:)) { $0.list($1, in: \.fixes, of: $0) }
    announce(XdgWmBaseResource.self, globals.windowBase, Stage.handle(_:of:)) { $0.list($1, in: \.bases, of: $0) }
    announce(WpViewporterResource.self, globals.viewporter, Stage.handle(_:of:))
    announce(WpFractionalScaleManagerV1Resource.self, globals.fractionalScale, Stage.handle(_:of:))
    announce(WpPresentationResource.self, globals.presentation, Stage.handle(_:)) {
      $1.sendClockId(clkId: $0.globals.presentationClock)
    }
    announce(ZxdgDecorationManagerV1Resource.self, globals.decoration, Stage.handle(_:of:))
    announce(WpCursorShapeManagerV1Resource.self, globals.cursorShape, Stage.handle(_:))
    announce(ZwpTabletManagerV2Resource.self, globals.tablets, Stage.handle(_:))
    announce(ZwpInputTimestampsManagerV1Resource.self, globals.inputTimestamps, Stage.handle(_:))
    announce(XdgActivationV1Resource.self, globals.activation, Stage.handle(_:))
    announce(ZwpIdleInhibitManagerV1Resource.self, globals.idleInhibit, Stage.handle(_:))
    announce(XdgSystemBellV1Resource.self, globals.systemBell, Stage.handle(_:))
    announce(WpSinglePixelBufferManagerV1Resource.self, globals.singlePixelBuffers, Stage.handle(_:))
    announce(WpAlphaModifierV1Resource.self, globals.alphaModifier, Stage.handle(_:of:))
    announce(WpContentTypeManagerV1Resource.self, globals.contentType, Stage.handle(_:of:))
    announce(WpTearingControlManagerV1Resource.self, globals.tearingControl, Stage.handle(_:of:))
    announce(WpFifoManagerV1Resource.self, globals.fifo, Stage.handle(_:of:))
    announce(WpCommitTimingManagerV1Resource.self, globals.commitTiming, Stage.handle(_:of:))
    announce(XdgToplevelIconManagerV1Resource.self, globals.toplevelIcon, Stage.handle(_:)) { $0.greet($1) }
    announce(XdgWmDialogV1Resource.self, globals.dialog, Stage.handle(_:of:))
    announce(
      ZwpKeyboardShortcutsInhibitManagerV1Resource.self, globals.shortcutsInhibit, Stage.handle(_:of:))
    announce(ZwpPointerGesturesV1Resource.self, globals.pointerGestures, Stage.handle(_:))
    announce(ExtIdleNotifierV1Resource.self, globals.idleNotify, Stage.handle(_:))
    announce(ExtSessionLockManagerV1Resource.self, globals.sessionLock, Stage.handle(_:))
    announce(XdgSessionManagerV1Resource.self, globals.appSessions, Stage.handle(_:of:))
    announce(IviApplicationResource.self, globals.ivi, Stage.handle(_:))
    announce(ZwlrLayerShellV1Resource.self, globals.layerShell, Stage.handle(_:of:))
    announce(ZwpTextInputManagerV3Resource.self, globals.textInput, Stage.handle(_:))
    announce(WlDataDeviceManagerResource.self, globals.dataDevices, Stage.handle(_:))
    // Those that make sense with a desktop.
    announce(ZwlrForeignToplevelManagerV1Resource.self, globals.foreignToplevels, Stage.handle(_:of:)) {
      if let desktop = $0.desktop { desktop.foreign.greet($1, in: desktop) }
    }
    announce(ZxdgOutputManagerV1Resource.self, globals.outputDetails, Stage.handle(_:))
    announce(ZwpPrimarySelectionDeviceManagerV1Resource.self, globals.primarySelection, Stage.handle(_:))
    announce(ZwpPointerConstraintsV1Resource.self, globals.pointerConstraints, Stage.handle(_:of:))
    announce(ZwpRelativePointerManagerV1Resource.self, globals.relativePointer, Stage.handle(_:))
    announce(ZwlrVirtualPointerManagerV1Resource.self, globals.virtualPointer, Stage.handle(_:))
    announce(ZwpInputMethodManagerV2Resource.self, globals.inputMethod, Stage.handle(_:))
  }

  /// Announces `type`, unless `version` is nil. `greet` is called for each new binding, and `take` for each request to it.
  private func announce<T: TakesRequests>(
    _ type: T.Type, _ version: Int32?, _ take: @escaping (Stage) -> @MainActor (T.Request, T) -> Void,
    greet: @escaping (Stage, T) -> Void = { _, _ in }
  ) {
    offer(type, version) { [weak self] bound in
      guard let self else { return }
      _ = client(of: bound)
      bound.onRequest = { [unowned self, unowned bound] in take(self)($0, bound) }
      greet(self, bound)
    }
  }

  /// The same for requests that need no global.
  private func announce<T: TakesRequests>(
    _ type: T.Type, _ version: Int32?, _ take: @escaping (Stage) -> @MainActor (T.Request) -> Void,
    greet: @escaping (Stage, T) -> Void = { _, _ in }
  ) {
    announce(type, version, { stage in { request, _ in take(stage)(request) } }, greet: greet)
  }

  /// Announces `type`, and calls `onBind` for each new binding; returns nil, and announces nothing, if `version` is nil.
  @discardableResult
  func offer<T: Resource>(_ type: T.Type, _ version: Int32?, onBind: @escaping (T) -> Void) -> Global? {
    guard let version else { return nil }
    let global = Global(display, type, version: version, onBind: onBind)
    roots.append(global)
    return global
  }

  private func handle(_ request: WlCompositorResource.Request) {
    switch request {
    case .createSurface(let made): adopt(StageSurface(resource: made, stage: self))
    case .createRegion(let made): own(StageRegion(resource: made), for: made)
    }
  }

  private func handle(
    _ request: WpFractionalScaleManagerV1Resource.Request, of manager: WpFractionalScaleManagerV1Resource
  ) {
    guard case .getFractionalScale(let made, let target) = request, let surface: StageSurface = model(target) else {
      return
    }
    extend(surface, with: made, in: \.fractionalScale, orBreak: .fractionalScaleExists, of: manager)
    surface.prefer(scale)
  }

  private func handle(_ request: WpPresentationResource.Request) {
    guard case .feedback(let target, let made) = request else { return }
    guard let surface: StageSurface = model(target) else { return discard(made) }
    surface.pending.feedback.append(made)
  }

  private func handle(_ request: ZwpInputTimestampsManagerV1Resource.Request) {
    let (made, device): (ZwpInputTimestampsV1Resource, Resource?)
    switch request {
    case .destroy: return
    case .getKeyboardTimestamps(let timestamps, let keyboard): (made, device) = (timestamps, keyboard)
    case .getPointerTimestamps(let timestamps, let pointer): (made, device) = (timestamps, pointer)
    case .getTouchTimestamps(let timestamps, let touch): (made, device) = (timestamps, touch)
    }
    let seat: StageSeat? = model(device)
    if let seat, let device { seat.subscribe(made, to: device) }
  }

  private func handle(_ request: XdgActivationV1Resource.Request) {
    switch request {
    case .destroy: break
    case .getActivationToken(let made):
      var isUsed = false
      made.onRequest = { [unowned self, unowned made] request in
        if case .destroy = request { return }
        if isUsed { forbid(.tokenUsed, "xdg_activation_token_v1@\(made.id)", on: made) }
        guard case .commit = request else { return }
        isUsed = true
        made.sendDone(token: "stage-\(display.nextSerial())")
      }
    case .activate(let token, let target):
      guard let surface: StageSurface = model(target) else { return }
      surface.activations.append((token, surface.isMapped))
    }
  }

  /// Handles a request to an xdg_system_bell_v1. Its text knows no error: a surface without a window rings too.
  private func handle(_ request: XdgSystemBellV1Resource.Request) {
    if case .ring(let surface) = request { bells.append(surface.flatMap { model($0) }) }
  }

  private func handle(_ request: ZwpIdleInhibitManagerV1Resource.Request) {
    guard case .createInhibitor(let made, let target) = request, let surface: StageSurface = model(target) else {
      return
    }
    list(made, in: \.idleInhibitors, of: surface)
  }

  /// Adds a seat, by default named "seat" with the number of seats before it.
  @discardableResult
  public func addSeat(name: String? = nil, capabilities: StageSeat.Capabilities) -> StageSeat {
    let seat = StageSeat(name: name ?? "seat\(seats.count)", capabilities: capabilities, stage: self)
    seats.append(seat)
    return seat
  }

  /// Removes a seat. `notifiesDevices` is whether clients learn first that its devices are gone, which not all compositors
  /// send.
  public func remove(_ seat: StageSeat, notifiesDevices: Bool = true) {
    seat.withdraw(notifiesDevices: notifiesDevices)
    seats.removeAll { $0 === seat }
    going.append(seat)
  }

  /// The first seat. There must be one.
  public var seat: StageSeat { first(of: seats, "the script took every seat away") }

  /// Adds an output: `mode` is in pixels, `refresh` in millihertz. By default it is named "output" with the number of outputs
  /// before it.
  @discardableResult
  public func addOutput(
    name: String? = nil, mode: PixelSize = PixelSize(width: 1280, height: 720), scale: Int = 1,
    transform: OutputTransform = .normal, refresh: Int = 60_000
  ) -> StageOutput {
    let output = StageOutput(
      name: name ?? "output\(outputs.count)", mode: mode, scale: scale, transform: transform, refresh: refresh,
      stage: self)
    outputs.append(output)
    return output
  }

  /// Removes an output, after `leave` for the surfaces on it.
  public func remove(_ output: StageOutput) {
    surfaces.forEach { $0.leave(output) }
    output.withdraw()
    outputs.removeAll { $0 === output }
    going.append(output)
  }

  /// The first output. There must be one.
  public var output: StageOutput { first(of: outputs, "the script took every output away") }

  /// The oldest window. There must be one.
  public var toplevel: StageToplevel { first(of: toplevels, "no client made a window yet") }

  private func first<T>(of list: [T], _ lack: String) -> T {
    guard let first = list.first else { preconditionFailure(lack) }
    return first
  }
}

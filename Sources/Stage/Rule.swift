extension Violation {
  /// A demand on clients; `sentence` states it, and docs/rules.md lists all.
  nonisolated public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// How buffers are made in shared memory.
    case unknownFormat, bufferOutsidePool, poolNotMappable, poolShrunk
    /// The content of a buffer, and when it may change.
    case heldBufferWritten, destroyedBufferAttached, damageLies, damageWithoutBuffer, opaqueRegionLies, wrongBufferSize
    /// When new content comes.
    case commitBeforeFrameCallback
    /// The settings of a surface, and when it is destroyed.
    case invalidScale, invalidTransform, bufferNotDivisible, attachOffset, surfaceBeforeRole
    /// How surfaces are put together.
    case subsurfaceRole, subsurfaceParent, notASibling
    /// How content is cropped and scaled.
    case viewportExists, viewportBadValue, viewportBadSize, viewportOutOfBuffer, viewportNoSurface
    /// How fractional scales are received.
    case fractionalScaleExists
    /// How a surface becomes a window, and how its client shows that it is alive.
    case windowRole, baseBeforeSurfaces, bufferBeforeWindow, pingUnanswered
    /// The handshake before the first buffer.
    case roleMissing, secondRole, bufferBeforeConfigure, unknownSerial, invalidGeometry, xdgSurfaceBeforeRole
    /// How configures are answered.
    case ackWithoutCommit, configureUnanswered, wrongSize
    /// Requests about a window.
    case invalidResizeEdge, invalidParent, invalidSizeLimits, toplevelBeforePopup
    /// How a popup is placed.
    case invalidPositionerInput, incompletePositioner, anchorOutsideParent
    /// How popups are stacked and grab the input.
    case popupWithoutParent, popupNotTopmost, grabNotTopmost, grabOverUngrabbed, grabOfShownPopup, movedBeforeShown
    /// The title bar and the border of a window.
    case decorationAfterBuffer, secondDecoration, toplevelBeforeDecoration
    /// Panels and backgrounds.
    case layerRole, invalidLayer, bufferBeforeLayer, layerBufferBeforeConfigure, invalidLayerSize, invalidAnchor
    /// Panels and backgrounds.
    case invalidInteractivity
    /// Input devices, their serials and cursors.
    case missingCapability, wrongSerial, cursorRole, toolCursorRole, invalidShape, alreadyConstrained
    /// Text for input methods.
    case textTooLong, textPositionOutside, textInputDisabled
    /// The source of a copy or a drag.
    case sourceActions, sourceMisused, sourceUsedTwice, dragIconRole
    /// The receiver of a copy or a drag.
    case offerActions, offerPreferredAction, offerMisused, finishTooEarly, typeNotOffered
    /// Activation of other windows.
    case tokenUsed
    /// The connection as a whole.
    case invalidRequest, messageTooLong, unreadEvents, objectsLeft, memoryLeft
  }
}

extension Violation.Rule {
  /// The demand of the specification, in one sentence.
  nonisolated public var sentence: String { row.sentence }

  /// The protocol error that ends the connection of a client that breaks the rule; nil if the specification defines none.
  nonisolated public var error: (name: String, code: UInt32)? { row.error.map { ($0, row.code) } }

  /// The rules as a table in Markdown, with a header.
  nonisolated public static var table: String {
    allCases.reduce("| rule | protocol error | what a client must do |\n|---|---|---|\n") { text, rule in
      text + "| `\(rule.rawValue)` | \(rule.error.map { "`\($0.name)` (\($0.code))" } ?? "") | \(rule.sentence) |\n"
    }
  }

  nonisolated private struct Row {
    let error: String?
    let code: UInt32
    let sentence: String

    init(_ error: String, _ code: UInt32, _ sentence: String) {
      (self.error, self.code, self.sentence) = (error, code, sentence)
    }

    init(_ sentence: String) { (error, code, self.sentence) = (nil, 0, sentence) }
  }

  nonisolated private var row: Row {
    switch self {
    case .unknownFormat:
      Row("wl_shm.invalid_format", 0, "A buffer has one of the formats that the compositor announced.")
    case .bufferOutsidePool:
      Row("wl_shm.invalid_stride", 1, "A buffer has a size, its rows fit into the stride, and it lies within its pool.")
    case .poolNotMappable: Row("wl_shm.invalid_fd", 2, "The file of a pool can be mapped into memory.")
    case .poolShrunk:
      Row("wl_shm.invalid_fd", 2, "A pool only grows, and its file is long enough for each buffer that is used.")
    case .heldBufferWritten:
      Row("From the commit of a buffer to its release, its pixels belong to the compositor and do not change.")
    case .destroyedBufferAttached: Row("A buffer that is attached at the commit still exists.")
    case .damageLies: Row("Damage covers every pixel that differs from the previous picture.")
    case .damageWithoutBuffer: Row("Damage marks where a new buffer differs; without one there is nothing to mark.")
    case .opaqueRegionLies: Row("Every pixel in the opaque region is opaque.")
    case .wrongBufferSize: Row("A window's buffer has its logical size times the preferred scale, rounded.")
    case .commitBeforeFrameCallback:
      Row("While a frame callback is pending, new content waits, unless it answers a configure.")

    case .invalidScale: Row("wl_surface.invalid_scale", 0, "A buffer scale is at least 1.")
    case .invalidTransform:
      Row("wl_surface.invalid_transform", 1, "A buffer transform is one of the eight that wl_output has.")
    case .bufferNotDivisible:
      Row("wl_surface.invalid_size", 2, "The sides of a buffer are multiples of the surface's buffer scale.")
    case .attachOffset:
      Row("wl_surface.invalid_offset", 3, "Since version 5, attach has no offset; wl_surface.offset moves the content.")
    case .surfaceBeforeRole:
      Row("wl_surface.defunct_role_object", 4, "A surface is destroyed after the object that gives it its role.")
    case .subsurfaceRole:
      Row(
        "wl_subcompositor.bad_surface", 0,
        "A surface with another role, or with a wl_subsurface, does not become a subsurface.")
    case .subsurfaceParent:
      Row("wl_subcompositor.bad_parent", 1, "The parent of a subsurface is neither itself nor one of its descendants.")
    case .notASibling:
      Row("wl_subsurface.bad_surface", 0, "A subsurface is stacked beside one of its siblings or its parent.")
    case .viewportExists: Row("wp_viewporter.viewport_exists", 0, "A surface has at most one viewport.")
    case .viewportBadValue:
      Row(
        "wp_viewport.bad_value", 0,
        "The source of a viewport starts at 0 or above and has a positive size, and its destination has one; -1 unsets either."
      )
    case .viewportBadSize:
      Row("wp_viewport.bad_size", 1, "Without a destination, the source of a viewport has whole numbers as its size.")
    case .viewportOutOfBuffer: Row("wp_viewport.out_of_buffer", 2, "The source of a viewport lies within the buffer.")
    case .viewportNoSurface:
      Row("wp_viewport.no_surface", 3, "Once its surface is gone, a viewport may only be destroyed.")
    case .fractionalScaleExists:
      Row(
        "wp_fractional_scale_manager_v1.fractional_scale_exists", 0,
        "A surface has at most one fractional-scale object.")

    case .windowRole: Row("xdg_wm_base.role", 0, "A surface that has another role does not become a window or a popup.")
    case .baseBeforeSurfaces:
      Row("xdg_wm_base.defunct_surfaces", 1, "An xdg_wm_base is destroyed after the xdg_surfaces that it made.")
    case .bufferBeforeWindow:
      Row("xdg_wm_base.invalid_surface_state", 4, "A surface becomes an xdg_surface before it has a buffer.")
    case .pingUnanswered: Row("xdg_wm_base.unresponsive", 6, "A client answers each ping with a pong.")
    case .roleMissing:
      Row("xdg_surface.not_constructed", 1, "An xdg_surface gets its role before any other request is sent to it.")
    case .secondRole: Row("xdg_surface.already_constructed", 2, "An xdg_surface gets one role object at a time.")
    case .bufferBeforeConfigure:
      Row(
        "xdg_surface.unconfigured_buffer", 3,
        "The first buffer comes after the first configure and its acknowledgement.")
    case .unknownSerial:
      Row(
        "xdg_surface.invalid_serial", 4,
        "A client acknowledges configures that were sent, each once, and none that is older than the last acknowledged."
      )
    case .invalidGeometry: Row("xdg_surface.invalid_size", 5, "The window geometry has a positive size.")
    case .xdgSurfaceBeforeRole:
      Row("xdg_surface.defunct_role_object", 6, "An xdg_surface is destroyed after its toplevel or popup.")
    case .ackWithoutCommit: Row("A commit follows an acknowledgement soon: until then, users see the old state.")
    case .configureUnanswered: Row("A client acknowledges the last configure.")
    case .wrongSize:
      Row(
        "xdg_wm_base.invalid_surface_state", 4,
        "A maximised window has exactly the configured size; a fullscreen one, or one that is being resized, is not larger; others follow it within their limits."
      )
    case .invalidResizeEdge:
      Row("xdg_toplevel.invalid_resize_edge", 0, "A window is resized by an edge or a corner of the list.")
    case .invalidParent:
      Row("xdg_toplevel.invalid_parent", 1, "The parent of a window is neither itself nor one of its descendants.")
    case .invalidSizeLimits:
      Row("xdg_toplevel.invalid_size", 2, "Size limits are not negative, and the maximum is at least the minimum.")
    case .toplevelBeforePopup: Row("A window is destroyed after the popups over it.")
    case .invalidPositionerInput:
      Row(
        "xdg_positioner.invalid_input", 0,
        "A positioner takes a positive size, an anchor of no negative size, and edges of the list.")
    case .incompletePositioner:
      Row(
        "xdg_wm_base.invalid_positioner", 5, "A positioner has a size and an anchor rectangle before a popup uses it.")
    case .anchorOutsideParent: Row("The anchor rectangle lies within the parent's window geometry.")
    case .popupWithoutParent: Row("xdg_wm_base.invalid_popup_parent", 3, "A popup has a parent by its first commit.")
    case .popupNotTopmost: Row("xdg_wm_base.not_the_topmost_popup", 2, "Popups are destroyed from the top down.")
    case .grabNotTopmost:
      Row("xdg_wm_base.not_the_topmost_popup", 2, "A popup grabs over the topmost popup that has a grab.")
    case .grabOverUngrabbed:
      Row(
        "xdg_wm_base.invalid_popup_parent", 3, "The parent of a popup with a grab is a window, or a popup with a grab.")
    case .grabOfShownPopup: Row("xdg_popup.invalid_grab", 0, "A popup grabs before it is shown.")
    case .movedBeforeShown: Row("A popup is repositioned only after it is shown.")
    case .decorationAfterBuffer:
      Row(
        "zxdg_toplevel_decoration_v1.unconfigured_buffer", 0,
        "A window gets its decoration object before its first buffer.")
    case .secondDecoration:
      Row("zxdg_toplevel_decoration_v1.already_constructed", 1, "A window has one decoration object.")
    case .toplevelBeforeDecoration:
      Row("zxdg_toplevel_decoration_v1.orphaned", 2, "A window is destroyed after its decoration object.")
    case .layerRole:
      Row("zwlr_layer_shell_v1.role", 0, "A surface that has another role does not become a layer surface.")
    case .invalidLayer: Row("zwlr_layer_shell_v1.invalid_layer", 1, "A layer surface is on one of the four layers.")
    case .bufferBeforeLayer:
      Row("zwlr_layer_shell_v1.already_constructed", 2, "A surface becomes a layer surface before it has a buffer.")
    case .layerBufferBeforeConfigure:
      Row(
        "zwlr_layer_surface_v1.invalid_surface_state", 0,
        "The first buffer of a layer surface comes after the first configure and its acknowledgement.")
    case .invalidLayerSize:
      Row(
        "zwlr_layer_surface_v1.invalid_size", 1,
        "A layer surface leaves a side to the compositor (0) only if it is anchored to both edges of that direction.")
    case .invalidAnchor: Row("zwlr_layer_surface_v1.invalid_anchor", 2, "An anchor consists of the four edges.")
    case .invalidInteractivity:
      Row("zwlr_layer_surface_v1.invalid_keyboard_interactivity", 3, "The keyboard interactivity is one of the list.")

    case .missingCapability:
      Row("wl_seat.missing_capability", 0, "A client requests only devices that the seat has or once had.")
    case .wrongSerial: Row("A request that needs a user's action carries the serial of an event that permits it.")
    case .cursorRole: Row("wl_pointer.role", 0, "A surface that has another role does not become a cursor.")
    case .toolCursorRole:
      Row("zwp_tablet_tool_v2.role", 0, "A surface that has another role does not become a stylus's cursor.")
    case .invalidShape: Row("wp_cursor_shape_device_v1.invalid_shape", 1, "A cursor shape is one of the list.")
    case .alreadyConstrained:
      Row(
        "zwp_pointer_constraints_v1.already_constrained", 1, "A surface has at most one pointer constraint for a seat.")
    case .textTooLong: Row("The surrounding text has at most 4000 bytes.")
    case .textPositionOutside:
      Row("The cursor and the anchor lie within the surrounding text, between two of its characters.")
    case .textInputDisabled:
      Row("A text state is sent while the text input is enabled, or with the request that enables it.")

    case .sourceActions: Row("wl_data_source.invalid_action_mask", 0, "The actions of a source are copy, move and ask.")
    case .sourceMisused:
      Row(
        "wl_data_source.invalid_source", 1,
        "A source sets its actions once, before a drag, and is then used for a drag only.")
    case .sourceUsedTwice: Row("wl_data_device.used_source", 1, "A source is used for one selection or one drag.")
    case .dragIconRole:
      Row("wl_data_device.role", 0, "A surface that has another role does not become the icon of a drag.")
    case .offerActions:
      Row("wl_data_offer.invalid_action_mask", 1, "The actions that an offer gets are copy, move and ask.")
    case .offerPreferredAction:
      Row(
        "wl_data_offer.invalid_action", 2, "The preferred action is a single one of the actions that are set, or none.")
    case .offerMisused:
      Row("wl_data_offer.invalid_offer", 3, "Actions are set on the offer of a drag, not of a selection.")
    case .finishTooEarly:
      Row(
        "wl_data_offer.invalid_finish", 0,
        "A drag is finished after it was dropped, with a type accepted and an action.")
    case .typeNotOffered: Row("A client receives data as one of the types that were offered.")
    case .tokenUsed:
      Row("xdg_activation_token_v1.already_used", 0, "After its commit, an activation token may only be destroyed.")

    case .invalidRequest: Row("A request goes to an object that lives, with arguments of its signature.")
    case .messageTooLong: Row("A message has at most 4096 bytes, and its header tells its length.")
    case .unreadEvents: Row("A client reads its events before its socket is full.")
    case .objectsLeft: Row("A client that leaves in order destroys every object that has a destructor.")
    case .memoryLeft: Row("No pool, buffer or file is left after every client has left.")
    }
  }
}

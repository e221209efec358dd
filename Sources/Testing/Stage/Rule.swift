extension Violation {
  /// A demand on clients; `sentence` states it, and docs/rules.md lists all.
  nonisolated public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// How buffers are made in shared memory.
    case unknownFormat, bufferOutsidePool, poolNotMappable, poolShrunk, bufferNotImportable
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
    /// Single pixels, and what a client says of a surface.
    case pixelNotPremultiplied, alphaModifierExists, alphaModifierNoSurface, contentTypeExists, tearingControlExists
    /// When content is to be shown.
    case fifoExists, fifoNoSurface, commitTimerExists, invalidTimestamp, secondTimestamp, commitTimerNoSurface
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
    /// A window's icon, and dialogs.
    case iconBufferInvalid, iconImmutable, iconBufferGone, iconWritten, dialogExists
    /// The title bar and the border of a window.
    case decorationAfterBuffer, secondDecoration, toplevelBeforeDecoration
    /// Panels and backgrounds.
    case layerRole, invalidLayer, bufferBeforeLayer, layerBufferBeforeConfigure, invalidLayerSize, invalidAnchor
    /// Panels and backgrounds.
    case invalidInteractivity
    /// Windows that come back as they were.
    case sessionInUse, sessionIDInvalid, sessionReasonInvalid, sessionNameUsed, restoredTooLate, sessionNameInvalid
    /// Windows that come back as they were.
    case sessionWindowTwice
    /// The lock of a session.
    case lockDestroyed, unlockTooEarly, lockRole, lockOutputTwice, bufferBeforeLock, lockCommitTooEarly
    /// The surfaces of a lock.
    case lockWithoutBuffer, lockSize, lockSerial
    /// Input devices, their serials and cursors.
    case missingCapability, wrongSerial, cursorRole, toolCursorRole, invalidShape, alreadyConstrained
    /// Shortcuts.
    case shortcutsInhibited
    /// Text for input methods.
    case textTooLong, textPositionOutside, textInputDisabled
    /// The source of a copy or a drag.
    case sourceActions, sourceMisused, sourceUsedTwice, dragIconRole
    /// The receiver of a copy or a drag.
    case offerActions, offerPreferredAction, offerMisused, finishTooEarly, typeNotOffered
    /// Activation of other windows.
    case tokenUsed
    /// The connection as a whole.
    case invalidRequest, invalidAckRemove, removalUnacknowledged, messageTooLong, unreadEvents, objectsLeft, memoryLeft
  }
}

extension Violation.Rule {
  /// The demand of the specification, in one sentence.
  public var sentence: String { row.sentence }

  /// The protocol error that ends the connection of a client that breaks the rule; nil if the specification defines none.
  public var error: (name: String, code: UInt32)? { row.error }

  /// The rules as a table in Markdown, with a header: that of docs/rules.md, which the build embeds.
  public static let table: String = {
    let page = String(decoding: PackageResources.rules_txt, as: UTF8.self)
    // Without `firstRange(of:)`: a static program that calls it also holds all the code for regular expressions.
    return page.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("| rule |") }
      .joined(separator: "\n")
  }()

  private typealias Row = (error: (name: String, code: UInt32)?, sentence: String)

  /// The table's rows. A row is ``| `rule` | `interface.error` (code) | sentence |``; the second cell may be empty.
  private static let rows: [Violation.Rule: Row] = {
    var rows: [Violation.Rule: Row] = [:]
    for cells in table.split(separator: "\n").map({ $0.split(separator: "|") }) {
      func words(_ cell: Int) -> [String] { cells[cell].split { " `()".contains($0) }.map(String.init) }
      guard cells.count == 3, let rule = words(0).first.flatMap(Violation.Rule.init(rawValue:)) else { continue }
      let error = UInt32(words(1).last ?? "").map { (name: words(1)[0], code: $0) }
      rows[rule] = (error, String(cells[2].dropFirst().dropLast()))
    }
    return rows
  }()

  private var row: Row {
    guard let row = Self.rows[self] else { preconditionFailure("docs/rules.md has no row for \(self)") }
    return row
  }
}

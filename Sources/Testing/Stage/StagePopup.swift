internal import WaylandServer

/// An xdg_popup: its position beside its parent, its grab, and its place in the stack of popups.
public final class StagePopup {
  /// The surface that it is the role of.
  public let surface: StageSurface
  /// The placement that the client last requested, in points of the parent's window geometry.
  public private(set) var placement: PopupPlacement
  private var offset: Point
  /// The frame last configured, in points of the parent's window geometry; zero before the first configure.
  public private(set) var frame = Rect.zero
  /// The serial with which the popup requested a grab, valid or not; nil for a popup without a grab.
  public private(set) var grabSerial: UInt32?
  /// The tokens of the client's reposition requests, oldest first.
  public private(set) var moves: [UInt32] = []
  /// True once the stage has sent `popup_done`.
  public private(set) var isDismissed = false
  /// The popups whose parent is this popup.
  public var children: [StagePopup] { stage?.popups.filter { $0.isOver(window) } ?? [] }

  let resource: XdgPopupResource
  private let window: StageXDGSurface
  private weak var parent: StageXDGSurface?
  /// The layer surface that is the popup's parent; nil if the parent is a window or a popup.
  weak var layer: StageLayerSurface?
  private weak var stage: Stage?

  init(
    resource: XdgPopupResource, window: StageXDGSurface, parent: StageXDGSurface?, positioner: StagePositioner,
    stage: Stage
  ) {
    (self.resource, self.window, self.parent, self.stage) = (resource, window, parent, stage)
    (placement, offset) = (positioner.placement, positioner.offset)
    surface = window.surface
    checkAnchor()
    resource.onRequest = { [unowned self] in handle($0) }
  }

  /// Computes the popup's position and size, and sends them in a configure.
  public func configure() {
    // Without an output, or with a layer surface that has no place, there is space everywhere.
    var area = Rect(x: -10_000, y: -10_000, width: 20_000, height: 20_000)
    if let place = parentPlace, let output = stage?.outputs.first {
      area = Rect(origin: .zero - place, size: output.size)
    }
    var moved = placement
    moved.anchor.origin = moved.anchor.origin + offset
    let exact = moved.frame(within: area)
    frame = Rect(
      x: exact.minX.rounded(.towardZero), y: exact.minY.rounded(.towardZero), width: exact.width.rounded(.towardZero),
      height: exact.height.rounded(.towardZero))
    resource.sendConfigure(
      x: Int32(frame.minX), y: Int32(frame.minY), width: Int32(frame.width), height: Int32(frame.height))
    _ = window.send(Configure(width: Int(frame.width), height: Int(frame.height)))
  }

  /// Sends a configure of a popup that is taller than it asks to be, as sway 1.7 does.
  public func configure(larger height: Int) {
    frame.size.height = Double(height)
    resource.sendConfigure(
      x: Int32(frame.minX), y: Int32(frame.minY), width: Int32(frame.width), height: Int32(height))
    _ = window.send(Configure(width: Int(frame.width), height: height))
  }

  /// Sends popup_done to the popups over this one, then to this one, as compositors do when the user presses elsewhere.
  public func dismiss() {
    for child in children { child.dismiss() }
    guard !isDismissed else { return }
    isDismissed = true
    resource.sendPopupDone()
  }

  /// True if the popup is a direct child of `window`.
  func isOver(_ window: StageXDGSurface) -> Bool { parent === window }

  /// The top-left corner on the screen.
  var place: Point { (parentPlace ?? .zero) + frame.origin }

  private var parentPlace: Point? { parent?.place ?? layer?.surface.place }

  /// The surface that the popup is over; nil without a parent.
  public var parentSurface: StageSurface? { parent?.surface ?? layer?.surface }

  /// Answers the initial commit: with a configure, with popup_done if the grab is invalid, or with an error if the popup has no
  /// parent.
  func answerInitialCommit() {
    if parent == nil, layer == nil {
      stage?.forbid(.popupWithoutParent, "xdg_popup@\(resource.id)", on: window.base)
    } else if grabSerial != nil, !hasValidGrab {
      dismiss()
    } else {
      configure()
    }
  }

  /// True while the popup has a grab and is not dismissed.
  var isGrabbing: Bool { grabSerial != nil && !isDismissed }

  private var hasValidGrab: Bool { stage?.seats.contains { $0.permitsGrab(grabSerial ?? 0) } == true }

  private func handle(_ request: XdgPopupResource.Request) {
    guard let stage else { return }
    switch request {
    case .destroy:
      if !children.isEmpty {
        stage.forbid(.popupNotTopmost, "xdg_popup@\(resource.id) before \(children.count) over it", on: window.base)
      }
      window.roleEnds()
    case .grab(_, let serial):
      // The parent of a new grab must be the newest popup with a grab, if there is one.
      let topmost = stage.popups.last { $0 !== self && $0.isGrabbing && $0.resource.hasClient(of: resource) }
      if let topmost, parent?.popup !== topmost {
        stage.forbid(
          .grabNotTopmost, "xdg_popup@\(resource.id) while xdg_popup@\(topmost.resource.id) is the topmost",
          on: window.base)
      }
      if surface.isMapped { stage.forbid(.grabOfShownPopup, "xdg_popup@\(resource.id)", on: resource) }
      if let outer = parent?.popup, outer.grabSerial == nil {
        stage.forbid(
          .grabOverUngrabbed, "xdg_popup@\(resource.id) over xdg_popup@\(outer.resource.id)", on: window.base)
      }
      grabSerial = serial
      if !hasValidGrab { stage.report(.wrongSerial, "xdg_popup.grab with \(serial), which is no press held now") }
    case .reposition(let positioner, let token):
      guard let positioner: StagePositioner = stage.model(positioner) else { return }
      if !surface.isMapped { stage.report(.movedBeforeShown, "xdg_popup@\(resource.id)") }
      (placement, offset) = (positioner.placement, positioner.offset)
      checkAnchor()
      moves.append(token)
      resource.sendRepositioned(token: token)
      configure()
    }
  }

  private func checkAnchor() {
    let anchor = placement.anchor
    if placement.size.isEmpty || anchor.width < 0 || anchor.height < 0 {
      stage?.forbid(.incompletePositioner, "a popup of \(placement.size) beside \(anchor)", on: window.base)
    } else if let size = parent?.size,
      anchor.minX < 0 || anchor.minY < 0 || anchor.maxX > size.width || anchor.maxY > size.height
    {
      stage?.report(.anchorOutsideParent, "\(anchor), outside of the parent's \(size)")
    }
  }
}

/// A client's wishes for the place of a popup, before there is one (xdg_positioner).
final class StagePositioner {
  private(set) var placement = PopupPlacement(
    anchor: Rect(x: 0, y: 0, width: -1, height: -1), anchorEdge: .center, gravity: .center, size: .zero, adjustment: [])
  private(set) var offset = Point.zero

  init(resource: XdgPositionerResource, stage: Stage) {
    resource.onRequest = { [unowned self, unowned resource, weak stage] in
      guard let stage else { return }
      switch $0 {
      case .setSize(let width, let height):
        if width < 1 || height < 1 {
          stage.forbid(.invalidPositionerInput, "a popup of \(width) x \(height)", on: resource)
        }
        placement.size = Size(width: Double(width), height: Double(height))
      case .setAnchorRect(let x, let y, let width, let height):
        if width < 0 || height < 0 {
          stage.forbid(.invalidPositionerInput, "an anchor of \(width) x \(height)", on: resource)
        }
        placement.anchor = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
      case .setAnchor(let anchor): placement.anchorEdge = edge(anchor.rawValue, resource, stage)
      case .setGravity(let gravity): placement.gravity = edge(gravity.rawValue, resource, stage)
      case .setConstraintAdjustment(let ways): placement.adjustment = PopupPlacement.Adjustment(rawValue: ways)
      case .setOffset(let x, let y): offset = Point(x: Double(x), y: Double(y))
      case .destroy, .setReactive, .setParentSize, .setParentConfigure: break
      }
    }
  }

  private func edge(_ number: UInt32, _ resource: XdgPositionerResource, _ stage: Stage) -> PopupPlacement.Edge {
    guard let edge = PopupPlacement.Edge(rawValue: number) else {
      stage.forbid(.invalidPositionerInput, "the edge \(number)", on: resource)
      return .center
    }
    return edge
  }
}

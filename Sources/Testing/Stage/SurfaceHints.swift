public import WaylandServer

/// What a client says of a surface beside its content: how opaque it is, what it shows, and whether it may tear.
extension StageSurface {
  /// What the content is, as a hint (wp_content_type_v1.type).
  public typealias ContentType = WpContentTypeV1Resource.TypeCode
  /// Whether the content may tear (wp_tearing_control_v1.presentation_hint).
  public typealias PresentationHint = WpTearingControlV1Resource.PresentationHint

  /// The factor of the last commit by which the alpha of every pixel is multiplied, from 0 to 1.
  public var opacity: Double { Double(state.multiplier) / Double(UInt32.max) }
  /// The hint of the last commit about the content; `none` by default.
  public var contentType: ContentType { state.contentType }
  /// The hint of the last commit about tearing; `vsync` by default.
  public var presentationHint: PresentationHint { state.presentationHint }
}

/// What clients give further objects to.
protocol ExtendedObject: AnyObject {
  /// The interface and the number of its object, such as "wl_surface@7".
  var wireName: String { get }
}

extension StageSurface: ExtendedObject {
  var wireName: String { "wl_surface@\(resource.id)" }
}

extension StageToplevel: ExtendedObject {
  var wireName: String { "xdg_toplevel@\(resource.id)" }
}

extension Stage {
  /// Gives a surface or window its object of one kind, which is kept in `place`; a second one while the first lives breaks `rule`. `end` is
  /// called when the object ends while it is the owner's.
  func extend<Owner: ExtendedObject, T: Resource>(
    _ owner: Owner, with made: T, in place: ReferenceWritableKeyPath<Owner, T?>, orBreak rule: Violation.Rule,
    of manager: Resource, end: @escaping (Owner) -> Void = { _ in }
  ) {
    if owner[keyPath: place]?.isAlive == true { forbid(rule, "a second one for \(owner.wireName)", on: manager) }
    owner[keyPath: place] = made
    made.whenDestroyed { [weak owner, weak made] in
      guard let owner, owner[keyPath: place] === made else { return }
      owner[keyPath: place] = nil
      end(owner)
    }
  }

  func handle(_ request: WpAlphaModifierV1Resource.Request, of manager: WpAlphaModifierV1Resource) {
    guard case .getSurface(let made, let target) = request, let surface: StageSurface = model(target) else { return }
    extend(surface, with: made, in: \.alphaModifier, orBreak: .alphaModifierExists, of: manager) {
      $0.coming.multiplier = .max
    }
    made.onRequest = { [unowned self, unowned made, weak surface] in
      guard let surface, surface.resource.isAlive else {
        // Compositors accept it late. All other requests end the connection.
        if case .destroy = $0 { return report(.alphaModifierNoSurface, "wp_alpha_modifier_surface_v1@\(made.id)") }
        return forbid(.alphaModifierNoSurface, "wp_alpha_modifier_surface_v1@\(made.id)", on: made)
      }
      if case .setMultiplier(let factor) = $0 { surface.coming.multiplier = factor }
    }
  }

  func handle(_ request: WpContentTypeManagerV1Resource.Request, of manager: WpContentTypeManagerV1Resource) {
    guard case .getSurfaceContentType(let made, let target) = request, let surface: StageSurface = model(target) else {
      return
    }
    extend(surface, with: made, in: \.contentTypeObject, orBreak: .contentTypeExists, of: manager) {
      $0.coming.contentType = .none
    }
    // Without its surface it is inert.
    made.onRequest = { [weak surface] in
      if case .setContentType(let type) = $0 { surface?.coming.contentType = type }
    }
  }

  func handle(_ request: WpTearingControlManagerV1Resource.Request, of manager: WpTearingControlManagerV1Resource) {
    guard case .getTearingControl(let made, let target) = request, let surface: StageSurface = model(target) else {
      return
    }
    extend(surface, with: made, in: \.tearingControl, orBreak: .tearingControlExists, of: manager) {
      $0.coming.presentationHint = .vsync
    }
    made.onRequest = { [weak surface] in
      if case .setPresentationHint(let hint) = $0 { surface?.coming.presentationHint = hint }
    }
  }
}

internal import WaylandServer

/// A client's wish that the compositor keep no shortcuts of its own while a surface has the keyboard focus
/// (zwp_keyboard_shortcuts_inhibitor_v1).
final class StageShortcutsInhibitor {
  let resource: ZwpKeyboardShortcutsInhibitorV1Resource
  private(set) weak var surface: StageSurface?
  private(set) var isActive = false
  /// True once the user wanted the shortcuts back, until the user gives them up again.
  private var isOverruled = false

  init(resource: ZwpKeyboardShortcutsInhibitorV1Resource, surface: StageSurface) {
    (self.resource, self.surface) = (resource, surface)
  }

  /// Follows the keyboard focus. A client is not told that its surface has lost it: it knows.
  func follow(_ focus: StageSurface?) {
    guard focus === surface, focus != nil else {
      isActive = false
      return
    }
    guard !isActive, !isOverruled else { return }
    isActive = true
    resource.sendActive()
  }

  /// Gives the user the shortcuts back, or takes them again.
  func overrule(_ isOverruled: Bool, _ focus: StageSurface?) {
    guard isOverruled != self.isOverruled else { return }
    self.isOverruled = isOverruled
    if isOverruled, isActive {
      isActive = false
      resource.sendInactive()
    }
    follow(focus)
  }
}

extension StageSeat {
  /// True while every key goes to the focused client, as that wished.
  public var inhibitsShortcuts: Bool { inhibitors.contains { $0.isActive } }

  /// Acts as a user who wants the compositor's shortcuts back from the focused client, or gives them up again.
  public func overruleInhibitors(_ isOverruled: Bool) {
    for inhibitor in inhibitors where inhibitor.surface === keyboardFocus && keyboardFocus != nil {
      inhibitor.overrule(isOverruled, keyboardFocus)
    }
  }

  func followKeyboardFocus() { inhibitors.forEach { $0.follow(keyboardFocus) } }
}

extension Stage {
  func handle(
    _ request: ZwpKeyboardShortcutsInhibitManagerV1Resource.Request,
    of manager: ZwpKeyboardShortcutsInhibitManagerV1Resource
  ) {
    guard case .inhibitShortcuts(let made, let target, let bound) = request,
      let surface: StageSurface = model(target), let seat: StageSeat = model(bound)
    else { return }
    if seat.inhibitors.contains(where: { $0.surface === surface }) {
      return forbid(.shortcutsInhibited, "wl_surface@\(surface.resource.id)", on: manager)
    }
    let inhibitor = StageShortcutsInhibitor(resource: made, surface: surface)
    seat.inhibitors.append(inhibitor)
    made.whenDestroyed { [weak seat] in seat?.inhibitors.removeAll { $0 === inhibitor } }
    inhibitor.follow(seat.keyboardFocus)
  }
}

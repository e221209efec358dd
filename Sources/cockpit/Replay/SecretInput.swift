import Controls
import UICore

/// Takes the letters of secret texts out of the input that a record keeps. As many asterisks stand for them, so that a replay has a text
/// of the same length.
struct SecretInput {
  /// The keys that went down into a secret text: their release tells as much, wherever the focus is by then.
  private var held: Set<HeldKey> = []

  /// The fingers on the scene's own keyboard: the places of keys tell letters too.
  private var fingers: Set<TouchID> = []

  private struct HeldKey: Hashable {
    let seat: SeatID
    let key: Key
  }

  /// As many asterisks as `text` has characters.
  static func veil(_ text: String) -> String { String(repeating: "*", count: text.count) }

  /// `event` as a record may keep it, before `scene` handles it.
  mutating func without(_ event: InputEvent, in scene: CockpitScene) -> InputEvent {
    switch event {
    case .key(let key): .key(without(key, isSecret: scene.keepsKeysSecret))
    case .text(let edit) where scene.keepsSecret(edit): .text(SecretInput.without(edit))
    case .touches(let points): .touches(points.map { without($0, in: scene) })
    case .hover(let seat, let place?) where scene.keepsKeysSecret:
      .hover(seat, keyboard(at: place, in: scene)?.veiled(place) ?? place)
    default: event
    }
  }

  private func keyboard(at place: Point, in scene: CockpitScene) -> Keyboard? {
    place.isFinite ? scene.hitTest(place) as? Keyboard : nil
  }

  private mutating func without(_ point: TouchPoint, in scene: CockpitScene) -> TouchPoint {
    if point.phase == .began {
      let isSecret = scene.keepsKeysSecret && keyboard(at: point.location, in: scene) != nil
      if isSecret { fingers.insert(point.id) } else { fingers.remove(point.id) }
    }
    guard fingers.contains(point.id) else { return point }
    if point.phase == .ended || point.phase == .cancelled { fingers.remove(point.id) }
    var veiled = point
    veiled.location = scene.keyboard.keyboard?.veiled(point.location) ?? point.location
    return veiled
  }

  /// The view that a record names in place of `view`, on which assistive technology acts.
  static func without(_ view: View, in scene: CockpitScene) -> View { scene.keepsKeysSecret ? view.veiledKey : view }

  private mutating func without(_ event: KeyEvent, isSecret: Bool) -> KeyEvent {
    let key = HeldKey(seat: event.seat, key: event.key)
    switch event.phase {
    case .down:
      let isLetter =
        !event.text.isEmpty && event.modifiers.isDisjoint(with: [.control, .alt, .logo])
        && event.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      guard isSecret, isLetter else {
        held.remove(key)
        return event
      }
      held.insert(key)
    case .repeated: guard held.contains(key) else { return event }
    case .up, .cancelled: guard held.remove(key) != nil else { return event }
    }
    var veiled = event
    (veiled.key, veiled.modifiers) = (.character("*"), [])
    veiled.text = SecretInput.veil(event.text)
    return veiled
  }

  private static func without(_ edit: TextEdit) -> TextEdit {
    var veiled = edit
    veiled.inserted = veil(edit.inserted)
    veiled.preedit = veil(edit.preedit)
    veiled.preeditSelection = edit.preeditSelection.map { range in
      func place(_ byte: Int) -> Int { String(decoding: edit.preedit.utf8.prefix(byte), as: UTF8.self).count }
      return place(range.lowerBound)..<max(place(range.upperBound), place(range.lowerBound))
    }
    return veiled
  }
}

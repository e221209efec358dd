/// A part of a slider that a picture can stand for (O8).
nonisolated public enum SliderImagePart: String, CaseIterable, Hashable, Sendable {
  /// The whole track, stretched over it.
  case track
  /// The lit track: as large as the track, and seen between the thumbs.
  case trackHighlight
  /// The same while a finger holds the bar.
  case trackHighlightPressed
  /// A thumb, as large as it can be in its square.
  case thumb
  /// The same while a finger holds it.
  case thumbPressed
}

/// The pictures of one slider.
struct SliderImages {
  private var pictures: [SliderImagePart: Picture] = [:]
  /// Why files give no picture.
  private(set) var errors: [SliderImagePart: PictureError] = [:]

  /// The picture for `part`.
  subscript(part: SliderImagePart) -> Picture? {
    get { pictures[part] }
    set {
      errors[part] = nil
      pictures[part] = newValue
    }
  }

  /// Reads the picture in `file`, nil for none.
  mutating func load(_ file: ImageReference?, for part: SliderImagePart) {
    self[part] = nil
    guard let file else { return }
    do throws(PictureError) {
      pictures[part] = try file.load()
    } catch {
      errors[part] = error
    }
  }
}

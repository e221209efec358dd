import Controls

/// An error in a layout file: the file, the path in the scene, the reason, and the closest valid name.
nonisolated public struct LayoutFileError: Error, Hashable, Sendable {
  /// The kind of error.
  public enum Reason: Hashable, Sendable {
    /// The file cannot be read; the text is the reason.
    case unreadable(String)
    /// The file is larger than `LayoutFile.maximumLength` bytes.
    case tooLarge
    /// The text is not valid JSON.
    case syntax(String)
    /// The format requires a different value here: "needs ...", "needs a list".
    case needs(String, found: String)
    /// The view has no type.
    case missingType
    /// No such type is registered.
    case unknownType(String)
    /// Views of the type have no such property.
    case unknownProperty(String, type: String)
    /// The property is set directly and within `properties`.
    case isThereTwice(String)
    /// The value cannot be assigned to the property.
    case badValue(InspectableError)
    /// The picture that the property names cannot be read.
    case unreadablePicture(PictureError)
    /// The file has more views than `LayoutFile.maximumViewCount`; this is the first beyond.
    case tooManyViews
    /// The pictures up to this one have more than `LayoutFile.maximumPixelCount` pixels together.
    case tooManyPixels(Int)
    /// A length too great for any screen, or a negative width or height.
    case absurdLength(Double)
    /// No such anchor.
    case unknownAnchor(String)
    /// The anchor is invalid; the text is the reason.
    case badAnchor(String)
    /// The anchor refers to a view that is not a sibling of the view.
    case unknownSibling(String)
    /// The anchor refers to a name that several siblings have.
    case ambiguousSibling(String)
    /// More anchors on one axis than two, or both a frame and anchors.
    case tooManyAnchors(String)
    /// Anchors that depend on each other in a circle; the views in it, in order.
    case cyclicAnchors([String])
    /// No such event.
    case unknownEvent(String)
    /// The program has no action of this name.
    case unknownAction(String)
    /// Only controls have actions.
    case noControl(type: String)
  }

  /// The file's path, or the name given to the text.
  public let file: String
  /// The line, from 1; nil if the error concerns the whole file.
  public private(set) var line: Int?
  /// The column in characters, from 1; nil if the error concerns the whole file.
  public private(set) var column: Int?
  /// The path in the scene, such as `subviews[2].properties.angle`; empty for the scene itself.
  public private(set) var path = ""
  /// What is wrong.
  public let reason: Reason
  /// The valid name that was probably meant; nil if none is close.
  public private(set) var nearest: String?
  /// If no valid name is close, those that contain the unknown one; if none does, all of them, without what every view has.
  public private(set) var candidates: [String] = []
}

nonisolated extension LayoutFileError: CustomStringConvertible {
  /// One line: `scene.json:12:5: subviews[2].angel: a GradientView has no "angel"; did you mean "angle"?`
  public var description: String {
    var text = file
    if let line { text += ":\(line)" }
    if let column { text += ":\(column)" }
    if !path.isEmpty { text += ": \(path)" }
    text += ": \(reason)"
    if let nearest {
      text += "; did you mean \"\(nearest)\"?"
    } else if !candidates.isEmpty {
      text += "; there " + (candidates.count == 1 ? "is " : "are ") + candidates.joined(separator: ", ")
    }
    // Names and texts of the file may contain anything; the error stays one line.
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

nonisolated extension LayoutFileError.Reason: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    switch self {
    case .unreadable(let reason): "can't be read: \(reason)"
    case .tooLarge: "is larger than \(LayoutFile.maximumLength >> 20) MB"
    case .syntax(let message): message
    case .needs(let wanted, let found): "needs \(wanted), not \(found)"
    case .missingType: "a view needs a \"type\""
    case .unknownType(let name): "unknown type \"\(name)\""
    case .unknownProperty(let name, let type): "\(type.withArticle) has no \"\(name)\""
    case .isThereTwice(let name): "\"\(name)\" is there twice"
    case .badValue(.unknownChoice(let name, _, let choices)):
      "\"\(name)\" is none of " + choices.joined(separator: ", ")
    case .badValue(let error): "\(error)"
    case .unreadablePicture(let error): "\(error)"
    case .tooManyViews: "a scene has at most \(LayoutFile.maximumViewCount) views, and this is one more"
    case .tooManyPixels(let count):
      "the pictures up to this one have \(count) pixels together, more than \(LayoutFile.maximumPixelCount)"
    case .absurdLength(let length): "\(length) is no length on a screen"
    case .unknownAnchor(let name): "unknown anchor \"\(name)\""
    case .badAnchor(let reason): reason
    case .unknownSibling(let name): "no view beside this one is named \"\(name)\""
    case .ambiguousSibling(let name): "several views beside this one are named \"\(name)\""
    case .tooManyAnchors(let reason): reason
    case .cyclicAnchors(let names): "depends on itself: " + names.joined(separator: " -> ")
    case .unknownEvent(let name): "unknown event \"\(name)\""
    case .unknownAction(let name): "unknown action \"\(name)\""
    case .noControl(let type): "\(type.withArticle) is no control: it has neither actions nor a channel"
    }
  }
}

extension String {
  /// The name of a type with its article: "a Slider", "an ImageView".
  nonisolated fileprivate var withArticle: String { (first.map("AEIO".contains) == true ? "an " : "a ") + self }
}

nonisolated extension LayoutFileError.Reason {
  /// Whether the error concerns a key itself or its presence, rather than the key's value.
  var isAboutName: Bool {
    switch self {
    case .unknownProperty, .unknownAnchor, .unknownEvent, .tooManyAnchors, .cyclicAnchors, .noControl, .isThereTwice:
      true
    default: false
    }
  }
}

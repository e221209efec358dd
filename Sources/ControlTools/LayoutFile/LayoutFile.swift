import Linux

/// A scene of views as JSON that is parsed, but not yet turned into views.
///
///     // Comments and commas after the last value are allowed.
///     {
///       "type": "View",
///       "subviews": [
///         {
///           "type": "Horn", "name": "horn",
///           "anchors": {"right": 16, "bottom": "5%", "width": "20%", "aspect": 1},
///           "soundingColor": "#ffb020",
///           "actions": {"valueChanged": "honk"},
///         },
///       ],
///     }
///
/// A view has a `type`, perhaps a `name`, a `frame` as `[x, y, width, height]` or `anchors` or `margins`, any of the type's
/// inspectable properties, directly or within `properties`, `actions` by event, and `subviews` from the back to the front.
nonisolated public struct LayoutFile: Sendable {
  /// The maximum length of a file in bytes; longer files are errors.
  public static let maximumLength = JSONGrammar.file.greatestLength
  /// The maximum size of a coordinate or length in points, positive or negative; greater ones are errors.
  static let greatestLength = 1e6

  /// The file's path, or the name given to the text.
  public let name: String
  let root: JSONValue
  /// The file's bytes, in which errors find their line.
  private let text: [UInt8]

  /// Reads the file at `path`.
  ///
  /// - Throws: `LayoutFileError` if the file can't be read or is not valid JSON.
  public init(contentsOf path: String) throws(LayoutFileError) {
    let text: [UInt8]
    do throws(FileReader.Failure) {
      text = try FileReader.bytes(of: path, atMost: LayoutFile.maximumLength)
    } catch {
      throw LayoutFileError(file: path, reason: error == .tooLarge ? .tooLarge : .unreadable("\(error)"))
    }
    try self.init(text, name: path)
  }

  /// Reads `text`; errors use `name` as the file's name.
  ///
  /// - Throws: `LayoutFileError` if the text is not valid JSON.
  public init(text: String, name: String) throws(LayoutFileError) {
    try self.init(Array(text.utf8), name: name)
  }

  private init(_ text: [UInt8], name: String) throws(LayoutFileError) {
    self.name = name
    self.text = text
    guard text.count <= LayoutFile.maximumLength else { throw LayoutFileError(file: name, reason: .tooLarge) }
    do throws(JSONError) {
      root = try JSONValue(text, .file)
    } catch {
      throw LayoutFileError(
        file: name, line: error.place.line, column: error.place.column, path: error.path.text,
        reason: .syntax(error.message))
    }
  }

  func error(_ reason: LayoutFileError.Reason, _ path: JSONPath, nearest: String?) -> LayoutFileError {
    let place = TextPlace(of: path, in: text, ofName: reason.isAboutName)
    return LayoutFileError(
      file: name, line: place.line, column: place.column, path: path.text, reason: reason, nearest: nearest)
  }

  /// The source location of the value at `path`, as in errors: `scene.json:12:5: subviews[2]`.
  func place(of path: JSONPath) -> String {
    let place = TextPlace(of: path, in: text, ofName: false)
    return "\(name):\(place.line):\(place.column)" + (path.text.isEmpty ? "" : ": \(path.text)")
  }

  /// The file's text; invalid UTF-8 in it is repaired.
  package var source: String { String(decoding: text, as: UTF8.self) }

  /// Returns `path`, resolved against the file's directory if it is relative.
  func resolved(_ path: String) -> String {
    guard !path.hasPrefix("/"), let slash = name.lastIndex(of: "/") else { return path }
    return name[...slash] + path
  }
}

import Controls
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
  /// The maximum number of views in a file; more are an error. So many sliders take about two seconds to be shown.
  public static let maximumViewCount = 20_000
  /// The maximum number of pixels of all pictures in a file, each file of a picture counted once; more are an error. It is as
  /// many as one picture may have, a quarter of a gigabyte.
  public static let maximumPixelCount = 64_000_000
  /// The maximum size of a coordinate or length in points, positive or negative; greater ones are errors.
  static let greatestLength = 1e6

  /// The file's path, or the name given to the text.
  public let name: String
  /// The directory in which the text's relative names of files are looked for; nil for that of `name`.
  private let givenFolder: String?
  let root: JSONValue
  /// The file's bytes, in which errors find their line.
  private let text: [UInt8]

  /// Reads the file at `path`.
  ///
  /// - Throws: `LayoutFileError` if the file can't be read or is not valid JSON.
  public init(contentsOf path: String) throws(LayoutFileError) {
    guard let file = try LayoutFile(contentsOf: path, atMost: LayoutFile.maximumLength) else {
      throw LayoutFileError(file: path, reason: .tooLarge)
    }
    self = file
  }

  /// Reads the file at `path`; nil if it is longer than `limit` bytes.
  ///
  /// - Throws: `LayoutFileError` if the file can't be read or is not valid JSON.
  package init?(contentsOf path: String, atMost limit: Int) throws(LayoutFileError) {
    let text: [UInt8]
    do throws(FileReader.Failure) {
      text = try FileReader.bytes(of: path, atMost: limit)
    } catch {
      if error == .tooLarge { return nil }
      throw LayoutFileError(file: path, reason: .unreadable("\(error)"))
    }
    try self.init(text, name: path)
  }

  /// Reads `text`; errors use `name` as the file's name.
  ///
  /// - Throws: `LayoutFileError` if the text is not valid JSON.
  public init(text: String, name: String) throws(LayoutFileError) {
    try self.init(Array(text.utf8), name: name)
  }

  /// Reads `text` as a copy of a file that lies in `folder`.
  ///
  /// - Throws: `LayoutFileError` if the text is not valid JSON.
  package init(text: String, name: String, folder: String) throws(LayoutFileError) {
    try self.init(Array(text.utf8), name: name, folder: folder)
  }

  private init(_ text: [UInt8], name: String, folder: String? = nil) throws(LayoutFileError) {
    self.name = name
    self.text = text
    givenFolder = folder
    guard text.count <= LayoutFile.maximumLength else { throw LayoutFileError(file: name, reason: .tooLarge) }
    do throws(JSONError) {
      root = try JSONValue(text, .file)
    } catch {
      throw LayoutFileError(
        file: name, line: error.place.line, column: error.place.column, path: error.path.text,
        reason: .syntax(error.message))
    }
  }

  func error(
    _ reason: LayoutFileError.Reason, _ path: JSONPath, nearest: String?, candidates: [String] = []
  ) -> LayoutFileError {
    let place = TextPlace(of: path, in: text, ofName: reason.isAboutName)
    return LayoutFileError(
      file: name, line: place.line, column: place.column, path: path.text, reason: reason, nearest: nearest,
      candidates: candidates)
  }

  /// The source location of the value at `path`, as in errors: `scene.json:12:5: subviews[2]`.
  func place(of path: JSONPath) -> String {
    let place = TextPlace(of: path, in: text, ofName: false)
    return "\(name):\(place.line):\(place.column)" + (path.text.isEmpty ? "" : ": \(path.text)")
  }

  /// The file's text; invalid UTF-8 in it is repaired.
  package var source: String { String(decoding: text, as: UTF8.self) }

  /// The number of views that the file describes.
  package var viewCount: Int { LayoutFile.viewCount(root) }

  private static func viewCount(_ json: JSONValue) -> Int {
    guard case .object(let members) = json else { return 1 }
    return 1 + (members["subviews"]?.items ?? []).reduce(0) { $0 + viewCount($1) }
  }

  /// The number of pixels that the files of pictures in the text declare, each counted once. Every text that ends as the name of a
  /// picture does, or is the value of a key that ends in `image` or `imageFile` counts: which properties a view has is not asked.
  @MainActor package var declaredPixelCount: Int {
    var names: Set<String> = []
    func collect(_ json: JSONValue, isPicture: Bool) {
      switch json {
      case .string(let text): if isPicture || Self.isPictureName(text) { names.insert(resolved(text)) }
      case .array(let items): for item in items { collect(item, isPicture: false) }
      case .object(let members):
        for (key, value) in members {
          let key = key.lowercased()
          collect(value, isPicture: key.hasSuffix("image") || key.hasSuffix("imagefile"))
        }
      default: break
      }
    }
    collect(root, isPicture: false)
    return names.reduce(0) { $0 + (PictureFile.declaredSize(contentsOf: $1)?.area ?? 0) }
  }

  private static func isPictureName(_ text: String) -> Bool {
    let text = text.lowercased()
    return [".png", ".jpg", ".jpeg"].contains(where: text.hasSuffix)
  }

  /// Returns `path`, resolved against the file's directory if it is relative.
  func resolved(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    if let givenFolder { return "\(givenFolder)/\(path)" }
    guard let slash = name.lastIndex(of: "/") else { return path }
    return name[...slash] + path
  }

  /// The directory in which the text's relative names of files are looked for: an absolute path, if it exists.
  package var folder: String { givenFolder ?? FileReader.folder(of: name) }
}

import Controls

/// A program's actions for layout files, by name: `"actions": {"valueChanged": "honk"}` calls the action named `honk`, with the
/// control.
public typealias LayoutActions = [String: (_ sender: Control) -> Void]

/// A view that shows the scene of a layout file. The scene fills it, or has the frame or anchors that the file gives it.
///
/// `load` shows a file or throws: a file with an error changes nothing, and the last valid scene stays on screen. A file that
/// is loaded over an earlier one keeps the views that are still in it, so that fingers keep their hold and the user's settings
/// stay. Only differences between the two files are applied, and only new views are created.
open class LayoutView: View {
  /// The types of views that files may name.
  public let registry: ViewRegistry
  /// The actions that the program offers to files.
  public let layoutActions: LayoutActions
  /// The file that is shown; nil before the first.
  public private(set) var file: LayoutFile?
  /// The pictures of the file that is shown that could not be read, in the file's order. They are no errors of the file, because
  /// they may come later: a view without its picture shows a sign, and the next load tries again.
  public private(set) var pictureErrors: [LayoutFileError] = []
  /// The program's own views, which files place.
  public let parts: [LayoutPart]
  private var node: LayoutNode?

  /// Creates an empty view, for files of `registry`'s types that call `actions` and place `parts`.
  public init(registry: ViewRegistry, actions: LayoutActions = [:], parts: [LayoutPart] = []) {
    self.registry = registry
    layoutActions = actions
    self.parts = parts
    super.init(frame: .zero)
  }

  /// Creates a view for files of this module's types.
  public convenience override init(frame: Rect = .zero) {
    self.init(registry: .controls)
    self.frame = frame
  }

  /// The scene's outermost view.
  public var scene: View? { node?.view }

  /// The controls of the file with a `channel`, and its name, in the file's order: what a program binds a value to. The view itself does nothing
  /// with them.
  public var channels: [(control: Control, channel: String)] { node?.channels ?? [] }

  /// Shows `file`.
  ///
  /// - Throws: `LayoutFileError` for the first error; the previous scene stays on screen.
  public func load(_ file: LayoutFile) throws(LayoutFileError) {
    let builder = LayoutBuilder(file, registry, layoutActions, parts: parts, shown: node)
    let new = try builder.build()
    PicturePool.once { new.show(registry, in: self) }
    for (type, part) in builder.parts {
      // The new file omits the part: a node without settings resets what the old file set.
      if let older = builder.shownParts[type] {
        LayoutNode(older.key, part.view, older: older).show(registry, in: self)
      }
      part.view.removeFromSuperview()
    }
    node = new
    self.file = file
    for view in subviews where view !== new.view { view.removeFromSuperview() }
    if new.view.superview !== self { addSubview(new.view) }
    setNeedsLayout()
    pictureErrors = new.pictures.compactMap { picture in
      ImageSource.failures[picture.file].map { file.error(.unreadablePicture($0), picture.path, nearest: nil) }
    }
  }

  /// Reads the file at `path` and shows it.
  ///
  /// - Throws: `LayoutFileError` if it cannot be read, or for its first error; the previous scene stays on screen.
  public func load(contentsOf path: String) throws(LayoutFileError) {
    try load(LayoutFile(contentsOf: path))
  }

  /// The source location of `view`, or of its innermost ancestor in the file: `scene.json:12:5: subviews[2]`; nil for a view
  /// that is not in the scene.
  package func place(of view: View) -> String? {
    for view in view.chain {
      if let node = node?.node(of: view) { return file?.place(of: node.path) }
    }
    return nil
  }

  /// Checks that `file` could be shown, with all its pictures.
  ///
  /// - Throws: `LayoutFileError` for the first error, or for the first picture that cannot be read.
  public static func check(
    _ file: LayoutFile, registry: ViewRegistry, actions: LayoutActions = [:]
  ) throws(LayoutFileError) {
    let scene = try LayoutBuilder(file, registry, actions).build()
    var seen: Set<String> = []
    for picture in scene.pictures where seen.insert(picture.file).inserted {
      do throws(PictureError) {
        _ = try ImageReference(path: picture.file).load()
      } catch {
        throw file.error(.unreadablePicture(error), picture.path, nearest: nil)
      }
    }
  }

  /// The scene fills the view, unless the file gives it a frame or anchors.
  open override func layoutSubviews() {
    scene?.frame = node?.frame ?? bounds
  }
}

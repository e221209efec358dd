import Controls

/// Shows the scene of a layout file, which fills it.
///
/// `load` shows a file or throws: a file with a mistake changes nothing, the last good scene stays on the screen. A file that
/// is loaded over another one keeps the views that are still in it, so that a finger goes on holding what it holds, and
/// what people set stays set: only what differs between the two files is changed.
open class LayoutView: View {
  /// The types of views that files may name.
  public let registry: ViewRegistry
  /// What the program offers to files.
  public let layoutActions: LayoutActions
  /// The file that is shown; nil before the first.
  public private(set) var file: LayoutFile?
  private var built: BuiltView?

  /// Makes a view that shows nothing yet, for files of `registry`'s types that call `actions`.
  public init(registry: ViewRegistry, actions: LayoutActions = LayoutActions()) {
    self.registry = registry
    layoutActions = actions
    super.init(frame: .zero)
  }

  /// Makes a view for files of this module's types.
  public convenience override init(frame: Rect = .zero) {
    self.init(registry: .controls)
    self.frame = frame
  }

  /// The scene's outermost view.
  public var scene: View? { built?.view }

  /// Shows `file`.
  ///
  /// - Throws: `LayoutFileError` for the first mistake; what was shown goes on being shown.
  public func load(_ file: LayoutFile) throws(LayoutFileError) {
    let new = try LayoutBuilder(file: file, registry: registry, actions: layoutActions).build()
    if let built {
      let merge = LayoutMerge(registry: registry, actions: layoutActions)
      self.built = merge.merged(built, new)
    } else {
      built = new
    }
    self.file = file
    guard let scene else { return }
    for view in subviews where view !== scene { view.removeFromSuperview() }
    if scene.superview !== self { addSubview(scene) }
    setNeedsLayout()
    sceneDidChange()
  }

  /// Reads the file at `path` and shows it.
  ///
  /// - Throws: `LayoutFileError` when it can't be read, or for its first mistake; what was shown goes on being shown.
  public func load(contentsOf path: String) throws(LayoutFileError) {
    try load(LayoutFile(contentsOf: path))
  }

  /// Checks that `file` could be shown.
  ///
  /// - Throws: `LayoutFileError` for the first mistake.
  public static func check(
    _ file: LayoutFile, registry: ViewRegistry, actions: LayoutActions = LayoutActions()
  ) throws(LayoutFileError) {
    _ = try LayoutBuilder(file: file, registry: registry, actions: actions).build()
  }

  /// A file was shown: views may have come and gone. For subclasses that look for views by name.
  open func sceneDidChange() {}

  /// Lets the scene fill the view.
  open override func layoutSubviews() {
    scene?.frame = bounds
  }
}

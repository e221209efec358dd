import Controls

/// The scenes of LVGL's benchmark (`lv_demo_benchmark`), as their description has them, made of views of Controls: so many things of such sizes
/// that move so far. Code and pictures are our own.
public enum BenchScene: String, CaseIterable, Sendable {
  case emptyScreen = "Empty screen"
  case movingWallpaper = "Moving wallpaper"
  case singleRectangle = "Single rectangle"
  case multipleRectangles = "Multiple rectangles"
  case opaqueImages = "Multiple RGB images"
  case clearImages = "Multiple ARGB images"
  case rotatedImages = "Rotated ARGB images"
  case multipleLabels = "Multiple labels"
  case screenSizedText = "Screen sized text"
  case multipleArcs = "Multiple arcs"
  case containers = "Containers"
  case containersWithOverlay = "Containers with overlay"
  case containersWithOpacity = "Containers with opa"
  case containersInLayers = "Containers with opa_layer"
  case scrollingContainers = "Containers with scrolling"
  case widgets = "Widgets demo"

  /// What changes in each frame.
  public var about: String {
    switch self {
    case .emptyScreen: "the colour of the whole screen"
    case .movingWallpaper: "the place of a tiled picture that is larger than the screen by half"
    case .singleRectangle: "the colour of a rectangle"
    case .multipleRectangles: "the colours of 9 rectangles"
    case .opaqueImages: "the places of 18 opaque pictures"
    case .clearImages: "the places of 18 pictures with transparent parts"
    case .rotatedImages: "the places of 18 pictures, each turned by an angle of its own"
    case .multipleLabels: "the colours of 28 short texts"
    case .screenSizedText: "the place of a text that is higher than the screen"
    case .multipleArcs: "the lengths of 18 arcs"
    case .containers: "the places of 6 cards: a picture, two texts, a button"
    case .containersWithOverlay: "the same, and the colour of a half transparent sheet over the screen"
    case .containersWithOpacity: "the same without the sheet, each part of a card half transparent by itself"
    case .containersInLayers: "the same, each card half transparent as a whole"
    case .scrollingContainers: "the place of a list of 50 cards"
    case .widgets: "the places of pages with widgets, and which page is shown"
    }
  }

  /// How the scene differs from LVGL's; empty where it does not.
  public var difference: String {
    switch self {
    case .movingWallpaper: "no view of Controls repeats a picture: a view of the program's own draws the tiles, once"
    case .rotatedImages:
      "`ImageView` cannot turn a picture: a view of the program's own draws it turned, once; LVGL turns it in each frame"
    case .multipleArcs: "no view of Controls is an arc: a view of the program's own draws it"
    case .containersWithOpacity: "a button is one part, whose ground and title fade together"
    case .widgets: "widgets of our own, of the same sorts and on as many pages: not the same picture"
    default: ""
    }
  }

  /// The scene of that name, as a command line has it; nil if there is none.
  public init?(named name: String) { self.init(rawValue: name) }
}
